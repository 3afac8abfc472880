/*
 * k-means of Fisher's Iris data on four networks: every iteration is one all-reduce.
 *
 * The flowers are dealt out to the nodes; every node keeps all centres.  In an iteration it adds
 * its flowers to the sums of their nearest centres.  Sums, counts and the number of flowers that
 * changed cluster are one vector.  Sums of doubles depend on the order of adding; in a network it
 * is fixed, so all nodes, runs and round modes end with the same bits.
 */
#include "iris.h"

#include <math.h>
#include <string.h>

enum { N = FLOWERS, D = MEASURES, K = SPECIES, P = 24 }; /* K clusters, at most P nodes */

static struct iris iris;

struct tally {
	double sum[K][D], count[K], changed;
};
enum { WORDS = sizeof(struct tally) / sizeof(double) };

struct answer {
	int cluster[N], iterations;
	double centre[P][K][D]; /* as each node has them */
};

static void assign(int i, double centre[K][D], int *cluster, struct tally *t)
{
	const double *x = iris.flower[i];
	int nearest = 0;

	for (int c = 1; c < K; c++)
		if (iris_distance(x, centre[c]) < iris_distance(x, centre[nearest]))
			nearest = c;
	for (int d = 0; d < D; d++)
		t->sum[nearest][d] += x[d];
	t->count[nearest]++;
	t->changed += nearest != *cluster;
	*cluster = nearest;
}

/* Without a node: the sequential computation. */
static int kmeans(ls_node *me, int rank, int size, struct answer *a)
{
	double(*centre)[D] = a->centre[rank];
	struct tally mine, all;
	int iterations = 0;

	for (int c = 0; c < K; c++)
		memcpy(centre[c], iris.flower[c * N / K], sizeof centre[c]);
	do {
		memset(&mine, 0, sizeof mine);
		for (int i = rank; i < N; i += size)
			assign(i, centre, &a->cluster[i], &mine);
		all = mine;
		if (me && ls_allreduce(me, &mine, &all, WORDS, LS_DOUBLE, LS_SUM))
			return 1;
		for (int c = 0; c < K; c++)
			for (int d = 0; d < D; d++)
				centre[c][d] = all.sum[c][d] / all.count[c];
		iterations++;
	} while (all.changed > 0);
	if (rank == 0)
		a->iterations = iterations;
	return 0;
}

static int program(ls_node *me, void *answer)
{
	return kmeans(me, (int)ls_rank(me), (int)ls_size(me), answer);
}

static void solve_on(const char *spec, enum ls_rounds rounds, struct answer *a)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	const struct network net = network_make(spec, &options);
	const int64_t p = ls_topology_nodes(net.topology);

	memset(a, 0xff, sizeof *a);
	const struct ls_stats sent = network_run(net, program, a);

	for (int64_t node = 1; node < p; node++)
		require(!memcmp(a->centre[node], a->centre[0], sizeof a->centre[0]), "%s: node %d differs",
			spec, (int)node);
	if (rounds == LS_LOCKSTEP)
		printf("%-12s %5d %11d %7d %9d    %.17g\n", spec, (int)p, a->iterations, (int)sent.rounds,
			(int)sent.messages, a->centre[0][1][0]);
	network_destroy(net);
}

static void draw(const int *cluster)
{
	printf("\ncluster  %12s%12s%12s\n", iris.name[0], iris.name[1], iris.name[2]);
	for (int c = 0; c < K; c++) {
		int count[K] = { 0 };

		for (int i = 0; i < N; i++)
			count[iris.species[i]] += cluster[i] == c;
		printf("%7d  %12d%12d%12d\n", c, count[0], count[1], count[2]);
	}
}

int main(int argc, char **argv)
{
	static const char *const spec[] = { "ring:16", "mesh:4x5", "hypercube:4", "star:4" };
	static struct answer alone, one, other;

	iris_read(&iris, argc > 1 ? input_open(argv[1]) : data_open("iris.csv"));
	memset(&alone, 0xff, sizeof alone);
	kmeans(NULL, 0, 1, &alone);
	printf("network      nodes  iterations  rounds  messages    first word of centre 1\n");
	printf("%-12s %5d %11d %7d %9d    %.17g\n", "sequential", 1, alone.iterations, 0, 0,
		alone.centre[0][1][0]);
	for (size_t s = 0; s < sizeof spec / sizeof *spec; s++) {
		solve_on(spec[s], LS_LOCKSTEP, &one);
		solve_on(spec[s], LS_FREE, &other);
		require(!memcmp(&one, &other, sizeof one), "%s: other bits in free rounds", spec[s]);
		for (int i = 0; i < N; i++)
			require(one.cluster[i] == alone.cluster[i], "%s: flower %d has strayed", spec[s], i);
		for (int c = 0; c < K; c++)
			require(iris_distance(one.centre[0][c], alone.centre[0][c]) < 1e-24, "%s: centre %d",
				spec[s], c);
	}
	draw(alone.cluster);
	return EXIT_SUCCESS;
}
