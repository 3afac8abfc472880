#include "collective/tree/tree_plan.h"

#include "collective/tree/broadcast_tree.h"
#include "collective/tree/scatter_tree.h"

struct lsi_frame lsi_tree_frame(const struct lsi_problem *problem)
{
	return lsi_reversal_meeting_frame(problem, 1);
}

static struct lsi_edge edge(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return lsi_tree_edge(plan->table, rank, lsi_reversal_round(plan, round));
}

void lsi_tree_peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_reversal_peers(plan, round, edge(plan, rank, round), out);
}

int64_t lsi_tree_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return lsi_reversal_shape(plan, rank, round, edge(plan, rank, round));
}

static struct lsi_receive_at receives(const struct ls_plan *plan, int64_t rank)
{
	const struct lsi_tree_node *const node = ((const struct lsi_tree *)plan->table)->node + rank;

	return (struct lsi_receive_at){ node->received, node->parent };
}

static const struct lsi_single_tree outward = { receives, lsi_reversal_round_of,
	lsi_broadcast_edge_shape };
static const struct lsi_single_tree inward = { receives, lsi_reversal_round_of,
	lsi_reversal_shape };
const struct lsi_whole_machine lsi_tree_broadcast = { .tree = &outward };
const struct lsi_whole_machine lsi_tree_reduce = { .tree = &inward, .window = lsi_reduce_window };

struct lsi_frame lsi_tree_scatter_frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .blocks = problem->nodes, .scratch = { { problem->nodes, 1 } } };
}

int lsi_tree_scatter_prepare_with(struct ls_plan *plan, struct lsi_tree *tree)
{
	if (tree)
		plan->frame.order = tree->order;
	return lsi_tree_prepare_with(plan, tree);
}

void lsi_tree_scatter_body(
	const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
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

const struct lsi_whole_machine lsi_tree_scatter = { .window = window };
