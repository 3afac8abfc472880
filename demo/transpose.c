/*
 * Matrix transposition is total exchange: Example 4.2 and Figure 4.17 of A. Grama, A. Gupta,
 * G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003, section 4.5.
 *
 * Node r owns b = n/p rows of A, and shall own b rows of its transpose T.  What it gives to node s
 * is the b x b block where its rows of A cross the columns that are the rows of T on node s.  The
 * matrix is a text, written in rows and read in columns.
 */
#include "demo.h"

#include <ctype.h>

enum { N = 32 }; /* most rows and columns */

struct problem {
	int n;
	char A[N][N], T[N][N];
};

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	const int n = pb->n, b = n / (int)ls_size(me), first = b * (int)ls_rank(me);
	char mine[N * N], got[N * N];

	for (int i = 0; i < n; i++) /* row i of T on node i / b: what I have of it */
		for (int j = 0; j < b; j++)
			mine[b * i + j] = pb->A[first + j][i];
	if (ls_alltoall(me, mine, got, (size_t)(b * b), LS_INT8))
		return 1;
	for (int i = 0; i < b; i++) /* my rows of T, b elements from each node */
		for (int j = 0; j < n; j++)
			pb->T[first + i][j] = got[b * b * (j / b) + b * i + j % b];
	return 0;
}

static void pose(struct problem *pb, int n)
{
	FILE *text = input_open("LICENSE");

	*pb = (struct problem){ .n = n };
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			const int c = fgetc(text);

			pb->A[i][j] = isgraph(c) ? (char)c : ' ';
		}
	fclose(text);
}

static void transpose_on(const char *spec)
{
	const struct network net = network_make(spec, NULL);
	const int p = (int)ls_topology_nodes(net.topology), n = N / p * p;
	struct problem pb;

	require(p <= N, "%s: more than %d nodes", spec, N);
	pose(&pb, n);

	const struct ls_stats sent = network_run(net, program, &pb);

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			require(pb.T[j][i] == pb.A[i][j], "%s: T[%d,%d] is not A[%d,%d]", spec, j, i, i, j);
	report(net, sent, "%d x %d letters, %d rows a node", n, n, n / p);
	network_destroy(net);
}

static void draw(void)
{
	struct problem pb;

	pose(&pb, N);
	printf("A, in rows                                   T\n");
	for (int i = 0; i < 6; i++) {
		printf("%.*s             ", N, pb.A[i]);
		for (int j = 0; j < N; j++)
			putchar(pb.A[j][i]);
		printf("\n");
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "ring:8", "mesh:4x4", "torus:4x4", "hypercube:4",
		"hypercube:5", "star:4", NULL };

	(void)argc;
	draw();
	on_networks(argv, networks, transpose_on);
	return EXIT_SUCCESS;
}
