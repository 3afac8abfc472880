/*
 * The edges of a tree between processes.
 *
 * A node knows its parent, but not its children.  So each process sends, once, the edges between
 * its nodes and their parents elsewhere: first how many there are in each round, then the edges.
 *
 *     process 0                    process 1
 *     node 1   children 4, 6       node 4: parent 1, round 2
 *     node 2   child 5             node 5: parent 2, round 2    sends 0 0 2 1 | 1-4 2-5 1-6
 *                                  node 6: parent 1, round 3
 *
 * Both ends of a pair of processes know its edges in the order of rounds, then children.  So they
 * list the messages of a round alike, and each message is added to the parent of its sender.
 */
#include "engine/sweep/fast/sweep_tree.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"

static int processes_of(const struct lsi_sweep_state *s)
{
	return ls_world_processes(s->world);
}

void lsi_remote_edges_layout(
	const struct lsi_sweep_state *s, struct lsi_sweep_tree *tree, struct lsi_memory_layout *layout)
{
	const size_t n = (size_t)processes_of(s) * (size_t)tree->rounds + 1;

	tree->remote_begin = lsi_memory_layout_take(layout, n, sizeof *tree->remote_begin);
	tree->sent = lsi_memory_layout_take(layout, n, sizeof *tree->sent);
}

bool lsi_remote_edges_agree(struct lsi_sweep_worker *w, int64_t edges, bool accepted)
{
	uint64_t sums[] = { (uint64_t)edges, !accepted };

	if (w->sweep->world && !lsi_sweep_sum_numbers(w, sums, 2))
		return false;
	return sums[0] == (uint64_t)w->sweep->nodes - 1 && sums[1] == 0;
}

/* ---- Edges to parents in other processes */

static int64_t parent_of(const struct lsi_sweep_state *s, uint32_t node)
{
	return lsi_whole_machine_of(s->plan->algorithm)->tree->receives(s->plan, s->first + node).from;
}

/* The nodes of a round with parents in other processes, in `order`: those of all workers. */
static struct lsi_sweep_part children_of(
	const struct lsi_sweep_state *s, const struct lsi_sweep_tree *tree, int64_t round)
{
	const int64_t slot = (tree->rounds + round) * s->workers;

	return (struct lsi_sweep_part){ slot == 0 ? 0 : tree->begin[slot - 1],
		tree->begin[slot + s->workers - 1] };
}

static void count_sent(const struct lsi_sweep_state *s, struct lsi_sweep_tree *tree)
{
	for (int64_t round = 0; round < tree->rounds; round++) {
		const struct lsi_sweep_part part = children_of(s, tree, round);

		for (int64_t k = part.begin; k < part.end; k++) {
			const int process = lsi_exchange_process_of(s, parent_of(s, tree->order[k]));

			tree->sent[process * tree->rounds + round]++;
		}
	}
}

/* Turn counts into starts, by process, then round. */
static void sum_counts(
	const struct lsi_sweep_state *s, const struct lsi_sweep_tree *tree, int64_t *count)
{
	int64_t sum = 0;

	for (int64_t i = 0; i <= processes_of(s) * tree->rounds; i++) {
		const int64_t n = count[i];

		count[i] = sum;
		sum += n;
	}
}

/* Write the edges to send; afterwards `sent` holds the end of each part. */
static void pack(
	const struct lsi_sweep_state *s, struct lsi_sweep_tree *tree, struct lsi_remote_edge *edge)
{
	for (int64_t round = 0; round < tree->rounds; round++) {
		const struct lsi_sweep_part part = children_of(s, tree, round);

		for (int64_t k = part.begin; k < part.end; k++) {
			const int64_t parent = parent_of(s, tree->order[k]);
			const int process = lsi_exchange_process_of(s, parent);

			edge[tree->sent[process * tree->rounds + round]++] =
				(struct lsi_remote_edge){ (uint32_t)(parent - s->exchange->first_rank[process]),
					tree->order[k] };
		}
	}
}

/* ---- The exchange */

/* Pass the counts of each round between each two processes. */
static bool pass_counts(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	struct lsi_sweep_state *s = w->sweep;
	const size_t bytes = (size_t)tree->rounds * sizeof *tree->sent;

	for (int i = 0; i < processes_of(s); i++) {
		if (i == ls_world_process(s->world))
			continue;
		lsi_stream_begin(&s->exchange->out[i], (char *)(tree->sent + i * tree->rounds), bytes);
		lsi_stream_begin(
			&s->exchange->in[i], (char *)(tree->remote_begin + i * tree->rounds), bytes);
	}
	return lsi_exchange_finish(w);
}

/* Pass the edges; `sent` holds the end of each part, `remote_begin` the start. */
static bool pass_edges(
	struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree, struct lsi_remote_edge *edge)
{
	const struct lsi_sweep_state *s = w->sweep;

	for (int i = 0; i < processes_of(s); i++) {
		const int64_t first = i * tree->rounds, next = first + tree->rounds;
		const int64_t out = first == 0 ? 0 : tree->sent[first - 1];
		const int64_t in = tree->remote_begin[first];

		lsi_stream_begin(&s->exchange->out[i], (char *)(edge + out),
			(size_t)(tree->sent[next - 1] - out) * sizeof *edge);
		lsi_stream_begin(&s->exchange->in[i], (char *)(tree->remote + in),
			(size_t)(tree->remote_begin[next] - in) * sizeof *edge);
	}
	return lsi_exchange_finish(w);
}

/* Memory for `n` edges; NULL: no memory, or the limit of the caller does not allow more. */
static struct lsi_remote_edge *allocate(const struct lsi_sweep_state *s, int64_t n)
{
	const size_t bytes = (size_t)(n + 1) * sizeof(struct lsi_remote_edge);

	return lsi_exchange_allows(s, bytes) ? lsi_alloc(bytes) : NULL;
}

/* The edges of own nodes, to be sent, in memory that the caller frees; NULL: a process has none. */
static struct lsi_remote_edge *make_edges(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t all = processes_of(s) * tree->rounds;
	struct lsi_remote_edge *edge = allocate(s, tree->sent[all]);
	uint64_t lacks;

	tree->remote = allocate(s, tree->remote_begin[all]);
	lacks = !edge || !tree->remote;
	if (!lsi_sweep_sum_numbers(w, &lacks, 1) || lacks > 0) {
		lsi_free(edge);
		return NULL;
	}
	pack(s, tree, edge);
	return edge;
}

static void note_children(const struct lsi_sweep_state *s, struct lsi_sweep_tree *tree)
{
	for (int64_t i = 0; i < processes_of(s) * tree->rounds; i++)
		for (int64_t k = tree->remote_begin[i]; k < tree->remote_begin[i + 1]; k++)
			lsi_sweep_tree_note_child(tree, tree->remote[k].parent, i % tree->rounds);
}

bool lsi_remote_edges_exchange(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_remote_edge *edge;
	bool passed;

	count_sent(s, tree);
	if (!pass_counts(w, tree))
		return false;
	sum_counts(s, tree, tree->sent);
	sum_counts(s, tree, tree->remote_begin);
	edge = make_edges(w, tree);
	if (!edge)
		return false;
	passed = pass_edges(w, tree, edge);
	lsi_free(edge);
	if (passed)
		note_children(s, tree);
	return passed;
}

/* ---- A round */

bool lsi_remote_edges_visit(struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree,
	int64_t round,
	bool (*visit)(struct lsi_sweep_worker *, struct lsi_remote_end, const void *context),
	const void *context)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_sweep_part children = lsi_sweep_tree_part(tree, w, tree->rounds + round);

	for (int64_t k = children.begin; k < children.end; k++) {
		const uint32_t node = tree->order[k];

		if (!visit(w, (struct lsi_remote_end){ node, parent_of(s, node), true }, context))
			return false;
	}
	for (int i = 0; i < processes_of(s); i++) {
		const int64_t *begin = tree->remote_begin + i * tree->rounds + round;
		const struct lsi_sweep_part part = lsi_sweep_part_of(w, begin[1] - begin[0]);

		for (int64_t k = begin[0] + part.begin; k < begin[0] + part.end; k++) {
			const struct lsi_remote_edge edge = tree->remote[k];
			const int64_t child = s->exchange->first_rank[i] + edge.child;

			if (!visit(w, (struct lsi_remote_end){ edge.parent, child, false }, context))
				return false;
		}
	}
	return true;
}
