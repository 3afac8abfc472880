/*
 * Cannon's matrix product on a q x q torus: section 8.2.2 and Figure 8.3 of A. Grama, A. Gupta,
 * G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003.
 *
 * Node (i,j) starts with the blocks A[i,j] and B[i,j].  The first circular shift brings A[i,j+i]
 * and B[i+j,j], whose inner indices match.  In each step every node multiplies its two blocks; then
 * all blocks of A move one node to the left, and all blocks of B one node up.
 *
 * A = B is the friendship graph of the 34 members of a karate club (Zachary 1977).  (A A)[u,v]
 * counts the common friends of u and v.  Its sum over all pairs of friends is six times the number
 * of triangles.
 */
#include "demo.h"

#include <string.h>

enum { N = 48, B = 24 }; /* most rows, with those of zeros; most in a block */

struct problem {
	int b; /* rows and columns of a block */
	int32_t A[N][N], C[N][N];
	int64_t common;
};

static void multiply(int b, const int32_t *A, const int32_t *X, int32_t *C)
{
	for (int i = 0; i < b; i++)
		for (int k = 0; k < b; k++)
			for (int j = 0; j < b; j++)
				C[b * i + j] += A[b * i + k] * X[b * k + j];
}

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	ls_node *row, *column;

	if (ls_split_axis(me, 1, &row) || ls_split_axis(me, 0, &column))
		return 1;

	const int i = (int)ls_rank(column), j = (int)ls_rank(row), q = (int)ls_size(row), b = pb->b;
	const size_t words = (size_t)(b * b);
	int32_t A[B * B], X[B * B], C[B * B] = { 0 };
	int64_t common = 0;

	for (int k = 0; k < b * b; k++)
		A[k] = X[k] = pb->A[b * i + k / b][b * j + k % b];
	for (int step = 0; step < q; step++) {
		if (ls_shift(row, A, A, words, LS_INT32, step == 0 ? -i : -1)
			|| ls_shift(column, X, X, words, LS_INT32, step == 0 ? -j : -1))
			return 1;
		multiply(b, A, X, C);
	}
	for (int k = 0; k < b * b; k++) {
		pb->C[b * i + k / b][b * j + k % b] = C[k];
		common += C[k] * pb->A[b * i + k / b][b * j + k % b];
	}
	return ls_reduce(me, &common, &pb->common, 1, LS_INT64, LS_SUM, 0);
}

static void pose(struct problem *pb, const ls_topology *club, int q)
{
	const int members = (int)ls_topology_nodes(club);

	*pb = (struct problem){ .b = (members + q - 1) / q };
	require(pb->b <= B && q * pb->b <= N, "%d x %d nodes do not fit", q, q);
	for (int u = 0; u < members; u++)
		for (int v = 0; v < members; v++)
			pb->A[u][v] = ls_link_to(club, u, v) >= 0;
}

static void multiply_on(const char *spec)
{
	const struct network torus = network_make(spec, NULL);
	const struct network club = network_make_from_data("karate.txt");
	static struct problem pb;
	static int32_t C[N * N];
	int q = 1;

	while (q * q < ls_topology_nodes(torus.topology))
		q++;
	require(q * q == ls_topology_nodes(torus.topology), "%s is not square", spec);
	pose(&pb, club.topology, q);

	const struct ls_stats sent = network_run(torus, program, &pb);

	memset(C, 0, sizeof C);
	multiply(N, *pb.A, *pb.A, C);
	require(!memcmp(C, pb.C, sizeof C), "%s: A A is wrong", spec);
	report(torus, sent, "%d x %d blocks of %d x %d: %d triangles", q, q, pb.b, pb.b,
		(int)pb.common / 6);
	network_destroy(club);
	network_destroy(torus);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "torus:2x2", "torus:3x3", "torus:4x4", "torus:5x5",
		"torus:6x6", NULL };

	(void)argc;
	on_networks(argv, networks, multiply_on);
	return EXIT_SUCCESS;
}
