/*
 * Gaussian elimination with partial pivoting: sections 8.3.1 and 8.3.2 of A. Grama, A. Gupta,
 * G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003; rows are dealt out
 * cyclically, and rows are chosen where the book chooses columns.
 *
 * In step k an all-reduce finds the largest element of column k (maxloc); its owner broadcasts that
 * row, and each node subtracts a multiple of it from its other rows.  Rows stay where they are.
 *
 * The system interpolates 50 of Fisher's flowers: sum_j |f_i - f_j| x_j = species of i.  With zeros
 * on its diagonal nothing works without pivots; the solution guesses the species of the other 100.
 */
#include "iris.h"

#include <math.h>
#include <string.h>

enum { N = 50 };

static struct iris iris;
static ls_type PAIR;
struct pair {
	double value;
	int64_t index;
};

static void subtract(double *row, double factor, const double *u, int k)
{
	for (int j = k; j <= N; j++)
		row[j] -= factor * u[j];
}

/* A node touches rows rank, rank + p, .. of A.  Without a node: the sequential computation. */
static int solve(ls_node *me, int rank, int p, double A[N][N + 1], double x[N])
{
	bool used[N] = { false };
	int64_t pivot[N];

	for (int k = 0; k < N; k++) {
		struct pair best = { -1, 0 };
		double u[N + 1];

		for (int i = rank; i < N; i += p)
			if (!used[i] && fabs(A[i][k]) > best.value)
				best = (struct pair){ fabs(A[i][k]), i };
		if (me && ls_allreduce(me, &best, &best, 1, PAIR, LS_MAXLOC))
			return 1;
		pivot[k] = best.index;
		used[best.index] = true;
		if (best.index % p == rank)
			memcpy(u, A[best.index], sizeof u);
		if (me && ls_broadcast(me, u + k, (size_t)(N + 1 - k), LS_DOUBLE, best.index % p))
			return 1;
		for (int i = rank; i < N; i += p)
			if (!used[i])
				subtract(A[i], A[i][k] / u[k], u, k);
	}
	for (int k = N - 1; k >= 0; k--) {
		const double *u = A[pivot[k]];
		double xk = pivot[k] % p == rank ? u[N] / u[k] : 0;

		if (me && ls_broadcast(me, &xk, 1, LS_DOUBLE, pivot[k] % p))
			return 1;
		for (int i = rank; i < N; i += p)
			A[i][N] -= A[i][k] * xk;
		if (rank == 0)
			x[k] = xk;
	}
	return 0;
}

/* Flower 3 i is equation i. */
static void pose(double A[N][N + 1])
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			A[i][j] = sqrt(iris_distance(iris.flower[3 * i], iris.flower[3 * j]));
		A[i][N] = iris.species[3 * i];
	}
}

static int program(ls_node *me, void *x)
{
	double A[N][N + 1];

	pose(A);
	return solve(me, (int)ls_rank(me), (int)ls_size(me), A, x);
}

static double residual(const double x[N])
{
	double A[N][N + 1], worst = 0;

	pose(A);
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			A[i][N] -= A[i][j] * x[j];
		worst = fmax(worst, fabs(A[i][N]));
	}
	return worst;
}

static int guessed(const double x[N])
{
	int right = 0;

	for (int i = 0; i < FLOWERS; i++) {
		double sum = 0;

		for (int j = 0; j < N; j++)
			sum += sqrt(iris_distance(iris.flower[i], iris.flower[3 * j])) * x[j];
		right += i % 3 != 0 && lround(sum) == iris.species[i];
	}
	return right;
}

static void solve_on(const char *spec)
{
	const struct network net = network_make(spec, NULL);
	double A[N][N + 1], alone[N], x[N];
	const struct ls_stats sent = network_run(net, program, x);

	pose(A);
	require(!solve(NULL, 0, 1, A, alone), "no solution");
	require(!memcmp(x, alone, sizeof x), "%s: not the bits of the sequential computation", spec);
	require(residual(x) < 1e-12, "%s: residual %g", spec, residual(x));
	report(net, sent, "residual %.0e, %d of 100 guessed", residual(x), guessed(x));
	network_destroy(net);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "ring:8", "mesh:4x4", "torus:4x4", "hypercube:3",
		"star:4", "complete:16", NULL };

	(void)argc;
	iris_read(&iris, data_open("iris.csv"));
	PAIR = ls_type_pair(LS_DOUBLE);
	on_networks(argv, networks, solve_on);
	return EXIT_SUCCESS;
}
