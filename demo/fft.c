/*
 * Fast Fourier transform on a hypercube: the binary-exchange algorithm, section 13.2 of A. Grama,
 * A. Gupta, G. Karypis, V. Kumar, Introduction to Parallel Computing, 2nd edition, 2003.
 *
 * Node r owns the points r m .. r m + m - 1, m = n/p.  A stage combines points whose indices differ
 * in one bit, the highest first.  The log p highest bits are those of the rank: there the two
 * points are on neighbors, which exchange all they have in one round; the other stages are local.
 * Coefficients come out in bit-reversed order.  The signal: 256 yearly means of the sunspot number.
 */
#include "demo.h"

#include <complex.h>
#include <math.h>

enum { FIRST = 1753, BITS = 8, N = 1 << BITS };

static double sunspots[N];
static double complex X[N], slow[N]; /* the transform; the same from its definition */

static double complex root(int k, int n)
{
	return cexp(-2 * acos(-1) * I * k / n);
}

static int exchange(ls_node *me, int64_t neighbor, const void *mine, void *its, size_t bytes)
{
	return ls_send(me, neighbor, mine, bytes) || ls_receive(me, neighbor, its, bytes)
		|| ls_next_round(me);
}

static int reversed(int index)
{
	int result = 0;

	for (int bit = 0; bit < BITS; bit++)
		result |= (index >> bit & 1) << (BITS - 1 - bit);
	return result;
}

static int program(ls_node *me, void *arg)
{
	const int m = N / (int)ls_size(me), first = m * (int)ls_rank(me);
	double complex x[N], y[N]; /* my points; those that differ in the bit */

	(void)arg;
	for (int i = 0; i < m; i++)
		x[i] = sunspots[first + i];
	for (int half = N / 2; half > 0; half /= 2) {
		for (int i = 0; i < m && half < m; i++)
			y[i] = x[i ^ half];
		if (half >= m && exchange(me, ls_rank(me) ^ half / m, x, y, (size_t)m * sizeof *x))
			return 1;
		for (int i = 0; i < m; i++)
			if ((first + i) & half)
				x[i] = (y[i] - x[i]) * root((first + i) % half, 2 * half);
			else
				x[i] += y[i];
	}
	for (int i = 0; i < m; i++)
		X[reversed(first + i)] = x[i];
	return 0;
}

static void pose(void)
{
	FILE *file = data_open("sunspots.txt");
	int year;

	for (int i = 0; i < N; i++)
		require(fscanf(file, "%d %lf", &year, &sunspots[i]) == 2 && year == FIRST + i, "%d", i);
	fclose(file);
	for (int k = 0; k < N; k++)
		for (int i = 0; i < N; i++)
			slow[k] += sunspots[i] * root(i * k % N, N);
}

static void transform_on(const char *spec)
{
	const struct network cube = network_make(spec, NULL);
	const int d = (int)ls_topology_degree(cube.topology);
	double error = 0;

	require(ls_topology_nodes(cube.topology) == 1 << d && d <= BITS, "%s: no such cube", spec);

	const struct ls_stats sent = network_run(cube, program, NULL);

	for (int k = 0; k < N; k++)
		error = fmax(error, cabs(X[k] - slow[k]) / cabs(slow[0]));
	require(error < 1e-13, "%s: the error is %g", spec, error);
	require(sent.rounds == d, "%s: %d rounds, not log p", spec, (int)sent.rounds);
	report(cube, sent, "%d points, error %.0e", N, error);
	network_destroy(cube);
}

static void draw(void)
{
	printf("\nperiod in years   amplitude\n");
	for (int k = 19; k <= 29; k++)
		printf("%12.2f   %9.1f  %.*s\n", (double)N / k, 2 * cabs(X[k]) / N,
			(int)(2 * cabs(X[k]) / N), "########################################");
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "hypercube:0", "hypercube:2", "hypercube:4",
		"hypercube:6", NULL };

	(void)argc;
	pose();
	on_networks(argv, networks, transform_on);
	draw();
	return EXIT_SUCCESS;
}
