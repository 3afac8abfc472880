/*
 * Matrix-vector multiplication on an n x n mesh: Example 4.1 and Figure 4.4 of A. Grama, A. Gupta,
 * G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003.
 *
 * Node (i,j) owns A[i,j]; the top row owns x, the leftmost column gets y = A x.  Each column
 * broadcasts its x[j] from the top, each node multiplies, each row adds up to its first node.
 */
#include "demo.h"

enum { N = 12 }; /* most rows and columns */

struct problem {
	double A[N][N], x[N], y[N];
	double seen[N][N], product[N][N]; /* what each node got of x, and made of it */
};

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	ls_node *row, *column;

	if (ls_split_axis(me, 1, &row) || ls_split_axis(me, 0, &column))
		return 1;

	const int64_t i = ls_rank(column), j = ls_rank(row);
	double x = i == 0 ? pb->x[j] : 0;

	if (ls_broadcast(column, &x, 1, LS_DOUBLE, 0))
		return 1;

	const double product = pb->A[i][j] * x;

	pb->seen[i][j] = x;
	pb->product[i][j] = product;
	return ls_reduce(row, &product, j == 0 ? &pb->y[i] : NULL, 1, LS_DOUBLE, LS_SUM, 0);
}

/* A[i,j] = n i + j + 1 and x[j] = j + 1: small integers, so that every order of adding is exact. */
static void pose(struct problem *pb, int n)
{
	*pb = (struct problem){ 0 };
	for (int i = 0; i < n; i++) {
		pb->x[i] = i + 1;
		for (int j = 0; j < n; j++)
			pb->A[i][j] = n * i + j + 1;
	}
}

static void draw(const struct problem *pb, int n)
{
	const double *term = pb->product[2];

	printf("         A              x          y\n");
	for (int i = 0; i < n; i++) {
		for (int j = 0; j < n; j++)
			printf("%4g", pb->A[i][j]);
		printf(i == 2 ? "  * %4g   = %4g\n" : "    %4g     %4g\n", pb->x[i], pb->y[i]);
	}
	printf("\nP9 has x[1] = %g from P1 and multiplies it by A[2,1] = %g to %g.\n", pb->seen[2][1],
		pb->A[2][1], term[1]);
	printf("P8 .. P11 reduce %g + %g + %g + %g to y[2] = %g on P8.\n\n", term[0], term[1], term[2],
		term[3], pb->y[2]);
}

static void multiply_on(const char *spec, int n)
{
	const struct network mesh = network_make(spec, NULL);
	struct problem pb;

	pose(&pb, n);

	const struct ls_stats sent = network_run(mesh, program, &pb);

	for (int i = 0; i < n; i++) {
		double y = 0;

		for (int j = 0; j < n; j++)
			y += pb.A[i][j] * pb.x[j];
		require(pb.y[i] == y, "%s: y[%d] is %g, not %g", spec, i, pb.y[i], y);
	}
	if (n == 4)
		draw(&pb, n);
	printf("%s: y = A x on %d nodes, %d messages\n", spec, n * n, (int)sent.messages);
	network_destroy(mesh);
}

int main(void)
{
	multiply_on("mesh:4x4", 4);
	multiply_on("mesh:12x12", 12);
	multiply_on("torus:5x5", 5);
	return EXIT_SUCCESS;
}
