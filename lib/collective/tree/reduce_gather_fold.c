/*
 * Reduce and all-reduce in rank order on any network without switches: gather along a spanning
 * tree, then fold.
 *
 * A subtree is a contiguous range of the preorder of the tree.  A node collects the operands of its
 * subtree in this order, and sends them to its parent in one message.  The root folds all p
 * operands in rank order.  All-reduce continues with a broadcast from rank 0 along the same tree,
 * so all nodes have the same bits.
 *
 *   rounds     T(root) as in broadcast_spanning_tree.c; all-reduce 2 T
 *   traffic    p - 1 messages; m elements per hop between the root and each node; all-reduce: p - 1
 *              more messages of m elements
 *   memory     one block per node of the subtree, p at the root
 *   requires   every vertex is a node; chosen only where nothing else serves
 *   source     a gather along the tree of routes to the root
 */
#include "collective/round_bound.h"
#include "collective/tree/spanning_tree.h"

static bool supports(const struct lsi_problem *problem)
{
	return lsi_topology_is_direct(problem->topology);
}

/* prepare() adds the rounds. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .blocks = 1, .scratch = { { problem->nodes, problem->nodes } } };
}

/* Only the root can fold, so the all-reduce has no exchange in the middle. */
static int prepare(struct ls_plan *plan)
{
	const int status = lsi_tree_prepare(plan);

	if (status == LS_OK) {
		const struct lsi_tree *const tree = plan->table;

		plan->frame.rounds = lsi_reversal_frame(&plan->problem, tree->rounds).rounds;
	}
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

/* The operands of a node's subtree; the subtree of a leaf is the leaf. */
static struct ls_slice subtree(const struct lsi_tree *tree, int64_t rank)
{
	return lsi_blocks(LS_SCRATCH, tree->preorder[rank], tree->node[rank].size);
}

static void gather(
	const struct ls_plan *plan, int64_t rank, struct lsi_edge e, bool folds, struct ls_step *step)
{
	const struct lsi_tree *const tree = plan->table;
	const struct ls_slice input = lsi_block(LS_INPUT, 0);

	if (e.up) {
		lsi_step_send(step, tree->node[rank].children ? subtree(tree, rank) : input);
		return;
	}
	lsi_step_receive(step, tree->node[e.peer].size);
	lsi_step_copy(step, subtree(tree, e.peer), lsi_arrival(step));
	if (e.last)
		lsi_step_copy(step, lsi_block(LS_SCRATCH, tree->preorder[rank]), input);
	if (folds)
		lsi_step_fold(step, lsi_block(LS_OUTPUT, 0),
			lsi_indexed(LS_SCRATCH, tree->preorder, plan->problem.nodes));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_edge e = edge(plan, rank, round);

	if (e.peer == LS_NO_RANK)
		return;
	if (lsi_reversal_moves_up(plan, round))
		gather(plan, rank, e, lsi_reversal_round(plan, round) == 0 && !e.up, step);
	else
		lsi_reversal_body(plan, round, lsi_reversal_shape(plan, rank, round, e), step);
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct lsi_tree *const tree = plan->table;
	const struct lsi_tree_node *const node = &tree->node[rank];

	(void)k;
	return (struct lsi_window){ tree->preorder[rank], node->children ? node->size : 0 };
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t m = (int64_t)n, root = lsi_reversal_root(problem);
	const int64_t rounds = lsi_tree_rounds(problem->topology, root);
	const int64_t volume = lsi_tree_volume(problem->topology, root);
	struct ls_counts c = lsi_reversal_counts(problem, rounds, n);

	if (volume < 0)
		return (struct ls_counts){ -1, -1, -1, -1 };
	c.words += lsi_mul_sat(lsi_tree_hops(problem->topology, root) - (problem->nodes - 1), m);
	c.volume += lsi_mul_sat(volume - rounds, m);
	return c;
}

static const struct lsi_whole_machine whole = { .window = window };

const struct lsi_algorithm lsi_reduce_gather_fold = {
	.operations = LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE),
	.name = "gather-fold",
	.networks = "any network without switches",
	.rounds = "T(root); all-reduce: 2 T(rank 0); T(u) = max of i + T(i-th child of u), 0 at leaves",
	.bound = LSI_ROUND_BOUND,
	.source = "gather along the tree of routes to the root",
	.claim = LS_ORDERED,
	.identical = true,
	.general = true,
	.supports = supports,
	.frame = frame,
	.prepare = prepare,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
	.whole = &whole,
};
