/*
 * The moves of a round of a tree.  The two ends of a message move together if both are local; if
 * they are in different processes, the message passes in chunks.
 */
#include "engine/sweep/fast/sweep_tree.h"

/* Append one end of a pair to the list. */
static void append_end(struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree, int64_t n,
	uint32_t node, uint32_t peer)
{
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;

	list->at[n] = node;
	list->from[n] = peer;
	list->shape[n] = tree->shape[node];
	list->sender[n] = tree->shape[peer];
}

static void move_pairs(
	struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree, const struct lsi_tree_step *step)
{
	const struct lsi_sweep_part part = lsi_sweep_tree_part(tree, w, step->tree_round);
	const int64_t most = w->sweep->fast->batch;

	for (int64_t k = part.begin; k < part.end && !lsi_sweep_poll(w);) {
		int64_t n = 0;

		for (; n + 2 <= most && k < part.end; k++, n += 2) {
			const uint32_t child = tree->order[k], parent = tree->parent[child];

			append_end(w, tree, n, child, parent);
			append_end(w, tree, n + 1, parent, child);
		}
		lsi_sweep_columns_by_class(w, &tree->shapes, w->sweep->first, n, NULL);
	}
}

/* Execute one node that receives nothing. */
static void move_alone(
	struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree, uint32_t node, int shape)
{
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;

	list->at[0] = node;
	list->shape[0] = (uint16_t)shape;
	list->from[0] = list->sender[0] = 0;
	lsi_sweep_columns_by_class(w, &tree->shapes, w->sweep->first, 1, NULL);
}

/* Execute the root's moves in a step without a message. */
static void move_root(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct lsi_tree_step *step)
{
	const uint32_t root = (uint32_t)(lsi_sweep_tree_root(tree) - w->sweep->first);

	if (lsi_load(&tree->busy[root], relaxed) != (uint32_t)(step->number + 1)) /* after a barrier */
		move_alone(w, tree, root, tree->idle);
}

/* Execute the nodes that send to another process, and receive nothing: few have moves. */
static void move_senders(struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree)
{
	const struct lsi_crossing_lists *lists = w->sweep->fast->crossings;
	const struct lsi_sweep_part part =
		lsi_sweep_part_of(w, lists->begin[LSI_OUT][ls_world_processes(w->sweep->world)]);

	for (int64_t k = part.begin; k < part.end; k++) {
		const uint32_t node = lists->node[LSI_OUT][k];
		const struct lsi_cell_step *step = &tree->shapes.shape[tree->shape[node]].step;

		if (step->moves > 0 && !step->receives)
			move_alone(w, tree, node, tree->shape[node]);
	}
}

/* The moves of all nodes but those that receive from another process. */
static void move_local(struct lsi_sweep_worker *w, const void *tree_context)
{
	const struct lsi_tree_context *context = tree_context;

	move_pairs(w, context->tree, context->step);
	if (w->number == 0 && lsi_sweep_tree_root(context->tree) != LS_NO_RANK)
		move_root(w, context->tree, context->step);
	if (w->sweep->world)
		move_senders(w, context->tree);
}

static bool list_end(struct lsi_sweep_worker *w, struct lsi_remote_end end, const void *context)
{
	const struct lsi_sweep_tree *tree = ((const struct lsi_tree_context *)context)->tree;
	const struct lsi_cell_step *step = &tree->shapes.shape[tree->shape[end.node]].step;

	if (step->sends)
		lsi_crossing_lists_append(w, LSI_OUT, end.node, end.peer);
	if (step->receives)
		lsi_crossing_lists_append(w, LSI_IN, end.node, end.peer);
	return true;
}

bool lsi_tree_moves_run(struct lsi_sweep_worker *w, const struct lsi_tree_context *context)
{
	const struct lsi_sweep_tree *tree = context->tree;
	const struct lsi_chunk_step step = { &tree->shapes, tree->shape, w->sweep->first, move_local,
		context };

	if (!w->sweep->world) {
		move_local(w, context);
		return true;
	}
	lsi_remote_edges_visit(w, tree, context->step->tree_round, list_end, context);
	if (!lsi_sweep_barrier(w))
		return false;
	lsi_sweep_chunks_run(w, &step);
	return true;
}
