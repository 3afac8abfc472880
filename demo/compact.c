/*
 * Stream compaction by prefix sums: G. E. Blelloch, Prefix sums and their applications, report
 * CMU-CS-90-190, 1990; prefix sums on networks: A. Grama, A. Gupta, G. Karypis, V. Kumar,
 * Introduction to Parallel Computing, 2nd edition, 2003, section 4.3.
 *
 * Each node keeps some of its elements.  An exclusive prefix sum of the counts gives the index of
 * its first element in the compact stream.  So a node knows the new owner of each element, and an
 * all-to-all of unequal blocks spreads them evenly.  The demo keeps the capital letters of a text.
 */
#include "demo.h"

#include <ctype.h>
#include <string.h>

enum { N = 4096, P = 64 }; /* most letters, most nodes */

struct problem {
	size_t n, kept, most;
	char text[N], compact[N];
};

static int program(ls_node *me, void *arg)
{
	struct problem *pb = arg;
	const size_t p = (size_t)ls_size(me), r = (size_t)ls_rank(me);
	size_t kept = 0, before = 0, all, to[P] = { 0 }, from[P];
	char mine[N];

	for (size_t i = r * pb->n / p; i < (r + 1) * pb->n / p; i++)
		if (isupper((unsigned char)pb->text[i]))
			mine[kept++] = pb->text[i];
	if (ls_exscan(me, &kept, &before, 1, LS_UINT64, LS_SUM)
		|| ls_allreduce(me, &kept, &all, 1, LS_UINT64, LS_SUM))
		return 1;
	for (size_t k = before; k < before + kept; k++)
		to[k * p / all]++; /* node s owns all k with k p / all == s */
	if (ls_alltoall(me, to, from, 1, LS_UINT64)
		|| ls_alltoallv(me, mine, to, pb->compact + (r * all + p - 1) / p, from, LS_INT8))
		return 1;
	if (r == 0)
		pb->kept = all;
	return ls_reduce(me, &kept, &pb->most, 1, LS_UINT64, LS_MAX, 0);
}

static void compact_on(const char *spec)
{
	const struct network net = network_make(spec, NULL);
	const size_t p = (size_t)ls_topology_nodes(net.topology);
	FILE *text = input_open("LICENSE");
	static struct problem pb;
	size_t kept = 0;

	require(p <= P, "%s: more than %d nodes", spec, P);
	memset(&pb, 0, sizeof pb);
	pb.n = fread(pb.text, 1, N, text);
	fclose(text);

	const struct ls_stats sent = network_run(net, program, &pb);

	for (size_t i = 0; i < pb.n; i++)
		if (isupper((unsigned char)pb.text[i])) {
			require(pb.compact[kept] == pb.text[i], "%s: letter %d is wrong", spec, (int)kept);
			kept++;
		}
	require(kept == pb.kept && !pb.compact[kept], "%s: %d letters, not %d", spec, (int)pb.kept,
		(int)kept);
	report(net, sent, "%d of %d letters, %.12s..; a node kept up to %d, owns %d", (int)kept,
		(int)pb.n, pb.compact, (int)pb.most, (int)((kept + p - 1) / p));
	network_destroy(net);
}

int main(int argc, char **argv)
{
	static const char *const networks[] = { "ring:8", "linear:5", "mesh:3x4", "hypercube:4",
		"star:4", "complete:16", NULL };

	(void)argc;
	on_networks(argv, networks, compact_on);
	return EXIT_SUCCESS;
}
