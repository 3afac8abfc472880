/*
 * Scatter and gather on the star graph along the shortest broadcasts known.
 *
 * The tree is that of broadcast_matching.c: a node receives from the same parent, but the blocks of
 * its whole subtree.  Gather is the scatter in reverse time order.
 *
 *   rounds     1, 3, 5, 8, 10, 13, 16 for n = 2..8
 *   messages   p - 1; m words per hop between the root and each node
 *   memory     one block per node of the subtree
 *   requires   star graph, n <= 8
 *   source     schedules found by scripts/star_broadcast_search.c; order of the children: Slater,
 *              Cockayne, Hedetniemi 1981
 */
#include "base/alloc.h"
#include "collective/cayley/matching_table.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"
#include "collective/tree/tree_plan.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_is_star(problem) && problem->topology->number[0] <= LSI_MATCHING_SYMBOLS_MAX;
}

/* The parent of each node; links are those of the node relative to the root. */
static void find_parents(
	const struct ls_topology *t, int64_t root, const uint8_t *link, int32_t *parent)
{
	const int64_t inverse = t->network->inverse(t, root);

	for (int64_t u = 0; u < t->nodes; u++) {
		const int k = link[t->network->product(t, inverse, u)];

		parent[u] = u == root ? -1 : (int32_t)lsi_star_neighbor(u, k);
	}
}

static struct lsi_tree *make_tree(const struct ls_topology *t, int64_t root)
{
	const size_t nodes = (size_t)t->nodes;
	int32_t *parent = lsi_alloc(nodes * sizeof *parent);
	uint8_t *link = lsi_alloc(2 * nodes);
	struct lsi_tree *tree = NULL;

	if (parent && link) {
		lsi_matching_schedule((int)t->number[0], link, link + nodes);
		find_parents(t, root, link, parent);
		tree = lsi_tree_make(t, root, parent);
	}
	lsi_free(parent);
	lsi_free(link);
	return tree;
}

static int prepare(struct ls_plan *plan)
{
	return lsi_tree_scatter_prepare_with(
		plan, make_tree(plan->problem.topology, plan->problem.root));
}

/* The hops and the volume are those of the stored trees, and the same for every root. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	static const struct {
		int64_t hops, volume;
	} of[LSI_MATCHING_SYMBOLS_MAX + 1] = { { 0, 0 }, { 0, 0 }, { 1, 1 }, { 9, 6 }, { 64, 26 },
		{ 478, 132 }, { 3812, 755 }, { 34108, 5152 }, { 333396, 40936 } };
	const int symbols = (int)problem->topology->number[0];

	return (struct ls_counts){ lsi_matching_rounds(symbols), problem->nodes - 1,
		lsi_mul_sat(of[symbols].hops, (int64_t)n), lsi_mul_sat(of[symbols].volume, (int64_t)n) };
}

const struct lsi_algorithm lsi_scatter_matching = {
	.operations = LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER),
	.name = "matching",
	.networks = "star:N, N <= 8",
	.rounds = "1 3 5 8 10 13 16 for n = 2..8",
	.bound = LSI_ROUND_BOUND,
	.source =
		"shortest schedules found by search; order of sends: Slater, Cockayne, Hedetniemi 1981",
	.claim = LS_MOVE,
	.nodup = true,
	.supports = supports,
	.frame = lsi_tree_scatter_frame,
	.prepare = prepare,
	.peers = lsi_tree_peers,
	.body = lsi_tree_scatter_body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &lsi_tree_scatter,
};
