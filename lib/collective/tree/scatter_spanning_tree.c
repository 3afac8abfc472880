/*
 * Scatter and gather along a spanning tree of shortest paths, on any network without
 * switches.
 *
 * The tree and the rounds are those of broadcast_spanning_tree.c.  A subtree is a run of the
 * preorder of the tree.  A node stores the blocks of its subtree by preorder numbers; only the root
 * uses ranks. Gather is the scatter in reverse time order.
 *
 *   rounds     T(root), as in broadcast_spanning_tree.c
 *   messages   p - 1; m words per hop between the root and each node
 *   memory     one block per node of the subtree
 *   requires   every vertex is a node; chosen only where nothing else serves
 *   source     a scatter along the tree of routes to the root
 */
#include "collective/round_bound.h"
#include "collective/tree/scatter_tree.h"
#include "collective/tree/spanning_tree.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_topology_is_direct(problem->topology);
}

/* prepare() adds the rounds. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .blocks = problem->nodes, .scratch = { { problem->nodes, 1 } } };
}

static int prepare(struct ls_plan *plan)
{
	const int status = lsi_tree_prepare(plan);

	if (status == LS_OK)
		plan->frame.order = ((const struct lsi_tree *)plan->table)->order;
	return status;
}

static struct lsi_edge edge(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return lsi_tree_edge(plan->table, rank, lsi_reversal_round(plan, round));
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_reversal_peers(plan, round, edge(plan, rank, round), out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_tree *const tree = plan->table;
	const bool is_root = rank == plan->problem.root;
	struct lsi_subtree_message message = { .edge = edge(plan, rank, round),
		.own = is_root ? rank : tree->preorder[rank] };

	if (message.edge.peer == LS_NO_RANK)
		return;

	const int64_t child = message.edge.up ? rank : message.edge.peer;
	const int64_t preorder = tree->preorder[child], size = tree->node[child].size;

	message.blocks = is_root ? lsi_indexed(LS_SCRATCH, tree->order + preorder, size)
							 : lsi_blocks(LS_SCRATCH, preorder, size);
	lsi_subtree_body(plan, rank, &message, step);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct lsi_tree *const tree = plan->table;
	const struct lsi_tree_node *const node = &tree->node[rank];
	const bool keeps = node->children && rank != plan->problem.root;

	(void)k;
	return (struct lsi_window){ tree->preorder[rank], keeps ? node->size : 0 };
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct ls_topology *const t = problem->topology;
	const int64_t root = problem->root, m = (int64_t)n, volume = lsi_tree_volume(t, root);
	const int64_t rounds = volume < 0 ? -1 : lsi_tree_rounds(t, root);

	return (struct ls_counts){ rounds, problem->nodes - 1, lsi_mul_sat(lsi_tree_hops(t, root), m),
		lsi_mul_sat(volume, m) };
}

static const struct lsi_whole_machine whole = { .window = window };

#define COMMON \
	.name = "spanning-tree", .networks = "any network without switches", \
	.rounds = "T(root); T(u) = max of i + T(i-th child of u), 0 at leaves", \
	.bound = LSI_ROUND_BOUND, \
	.source = "Slater, Cockayne, Hedetniemi 1981, on the tree of routes to the root", \
	.claim = LS_MOVE, .nodup = true, .general = true, .supports = supports, .frame = frame, \
	.prepare = prepare, .peers = peers, .body = body, .whole = &whole, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_scatter_spanning_tree = { COMMON,
	.operations = LSI_FOR(LS_SCATTER) };

const struct lsi_algorithm lsi_gather_spanning_tree = { COMMON, .operations = LSI_FOR(LS_GATHER) };
