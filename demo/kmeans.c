/*
 * k-means of Fisher's Iris data on four networks: every iteration is one all-reduce.
 *
 * The flowers are dealt out to the nodes; every node keeps all centres.  In an iteration it adds
 * its flowers to the sums of their nearest centres.  Sums, counts and the number of flowers that
 * changed cluster are one vector.  Sums of doubles depend on the order of adding; in a network it
 * is fixed, so all nodes, runs and round modes end with the same bits.
 */
#include "demo.h"

#include <math.h>
#include <string.h>

enum { N = 150, D = 4, K = 3, P = 24 };       /* flowers, measures, clusters, most nodes */

static double flower[N][D];
static int species[N];
static char name[K][16];

struct tally { double sum[K][D], count[K], changed; };
enum { WORDS = sizeof(struct tally) / sizeof(double) };

struct answer {
	int cluster[N], iterations;
	double centre[P][K][D];                   /* as each node has them */
};

static void read_flowers(const char *path)
{
	FILE *file = input_open(path);

	require(fscanf(file, "150,4,%15[^,],%15[^,],%15s", name[0], name[1], name[2]) == K, "line 1");
	for (int i = 0; i < N; i++)
		require(fscanf(file, "%lf,%lf,%lf,%lf,%d", &flower[i][0], &flower[i][1], &flower[i][2],
			&flower[i][3], &species[i]) == D + 1 && (unsigned)species[i] < K, "line %d", i + 2);
	fclose(file);
}

static double distance(const double *x, const double *y)
{
	double sum = 0;

	for (int d = 0; d < D; d++)
		sum += (x[d] - y[d]) * (x[d] - y[d]);
	return sum;
}

static void assign(int i, double centre[K][D], int *cluster, struct tally *t)
{
	int nearest = 0;

	for (int c = 1; c < K; c++)
		if (distance(flower[i], centre[c]) < distance(flower[i], centre[nearest]))
			nearest = c;
	for (int d = 0; d < D; d++)
		t->sum[nearest][d] += flower[i][d];
	t->count[nearest]++;
	t->changed += nearest != *cluster;
	*cluster = nearest;
}

/* Without a node: the sequential computation. */
static int kmeans(ls_node *me, int rank, int size, struct answer *a)
{
	double (*centre)[D] = a->centre[rank];
	struct tally mine, all;
	int iterations = 0;

	for (int c = 0; c < K; c++)
		memcpy(centre[c], flower[c * N / K], sizeof centre[c]);
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
	printf("\ncluster  %12s%12s%12s\n", name[0], name[1], name[2]);
	for (int c = 0; c < K; c++) {
		int count[K] = { 0 };

		for (int i = 0; i < N; i++)
			count[species[i]] += cluster[i] == c;
		printf("%7d  %12d%12d%12d\n", c, count[0], count[1], count[2]);
	}
}

int main(int argc, char **argv)
{
	static const char *const spec[] = { "ring:16", "mesh:4x5", "hypercube:4", "star:4" };
	static struct answer alone, one, other;

	read_flowers(argc > 1 ? argv[1] : "demo/data/iris.csv");
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
			require(distance(one.centre[0][c], alone.centre[0][c]) < 1e-24, "%s: centre %d",
				spec[s], c);
	}
	draw(alone.cluster);
	return EXIT_SUCCESS;
}
