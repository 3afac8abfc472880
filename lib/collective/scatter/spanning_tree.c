/*
 * Scatter and gather along a spanning tree of shortest paths: on any topology at all.
 *
 * The tree and the rounds are those of broadcast/spanning_tree.c.  Subtrees are runs of the tree's
 * preorder: in these numbers a node keeps the blocks of its subtree, and only the root names ranks.
 * Gather is the time reversal.
 *
 *   rounds     T(root), where T(u) is the least k such that u's children, longest first, fit:
 *              max over the i-th child v of T(v) + i
 *   messages   p - 1; m words for each hop between the root and each node
 *   storage    as many blocks as the subtree has nodes
 *   requires   nothing; chosen only where nothing else serves
 *   source     a scatter along the tree of routes to the root
 */
#include "collective/bound.h"
#include "collective/scatter/tree.h"
#include "collective/spanning_tree.h"

static bool supports(const struct ls_problem *problem)
{
	return ls_topology_is_direct(problem->topology);
}

/* prepare() adds the rounds. */
static struct ls_frame frame(const struct ls_problem *problem)
{
	return (struct ls_frame){ .blocks = problem->nodes, .scratch = { { problem->nodes, 1 } } };
}

static int prepare(struct ls_plan *plan)
{
	const int status = ls_tree_prepare(plan);

	if (status == LS_OK)
		plan->frame.order = ((const struct ls_tree *)plan->table)->order;
	return status;
}

static struct ls_edge edge(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return ls_tree_edge(plan->table, rank, ls_reversal_round(plan, round));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	ls_reversal_peers(plan, round, edge(plan, rank, round), out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_tree *const tree = plan->table;
	const bool is_root = rank == plan->problem.root;
	struct ls_parcel parcel = { .edge = edge(plan, rank, round),
		.own = is_root ? rank : tree->place[rank] };

	if (parcel.edge.peer == LS_NOBODY)
		return;

	const int64_t child = parcel.edge.up ? rank : parcel.edge.peer;
	const int64_t place = tree->place[child], size = tree->node[child].size;

	parcel.blocks = is_root ? ls_indexed(LS_SCRATCH, tree->order + place, size)
		: ls_blocks(LS_SCRATCH, place, size);
	ls_parcel_body(plan, rank, &parcel, step);
}

static struct ls_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct ls_tree *const tree = plan->table;
	const struct ls_tree_node *const node = &tree->node[rank];
	const bool keeps = node->children && rank != plan->problem.root;

	(void)k;
	return (struct ls_window){ tree->place[rank], keeps ? node->size : 0 };
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const struct ls_topology *const t = problem->topology;
	const int64_t root = problem->root, m = (int64_t)n, volume = ls_tree_volume(t, root);
	const int64_t rounds = volume < 0 ? -1 : ls_tree_rounds(t, root);

	return (struct ls_counts){ rounds, problem->nodes - 1, ls_mul(ls_tree_hops(t, root), m),
		ls_mul(volume, m) };
}

#define COMMON \
	.name = "spanning-tree", .networks = "any", \
	.rounds = "T(root), T(u) = max over i of T(i-th child) + i", \
	.bound = "informed nodes double at most", \
	.source = "Slater, Cockayne, Hedetniemi 1981, on the tree of routes to the root", \
	.claim = LS_MOVE, .nodup = true, .general = true, .supports = supports, .frame = frame, \
	.prepare = prepare, .peers = peers, .body = body, .window = window, .predict = predict, \
	.lower_bound = ls_lower_bound

const struct ls_algorithm ls_scatter_spanning_tree = { COMMON, .operations = LS_FOR(LS_SCATTER) };

const struct ls_algorithm ls_gather_spanning_tree = { COMMON, .operations = LS_FOR(LS_GATHER) };
