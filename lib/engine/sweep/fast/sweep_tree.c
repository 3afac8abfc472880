#include "engine/sweep/fast/sweep_tree.h"

/* ---- Memory */

static bool has_tree(const struct lsi_sweep_state *s)
{
	return lsi_whole_machine_of(s->plan->algorithm)->tree && s->steps < UINT32_MAX;
}

/* Rounds of nodes with a parent in this process; the same rounds, with a parent in another one. */
static int64_t slots_of(const struct lsi_sweep_state *s)
{
	return (s->world ? 2 : 1) * s->plan->frame.rounds;
}

void lsi_sweep_tree_layout(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t n = (size_t)(s->last - s->first), slots = (size_t)slots_of(s);
	struct lsi_sweep_tree counted, *tree;

	if (!has_tree(s))
		return;
	tree = lsi_memory_layout_take(layout, 1, sizeof *tree);
	if (tree)
		s->fast->tree = tree;
	else
		tree = &counted;
	tree->rounds = s->plan->frame.rounds;
	tree->parent = lsi_memory_layout_take(layout, n, sizeof *tree->parent);
	tree->order = lsi_memory_layout_take(layout, n, sizeof *tree->order);
	tree->receive_round = lsi_memory_layout_take(layout, n, sizeof *tree->receive_round);
	tree->last = lsi_memory_layout_take(layout, n, sizeof *tree->last);
	tree->busy = lsi_memory_layout_take(layout, n, sizeof *tree->busy);
	tree->shape = lsi_memory_layout_take(layout, n, sizeof *tree->shape);
	tree->begin =
		lsi_memory_layout_take(layout, slots * (size_t)s->workers + 1, sizeof *tree->begin);
	if (s->world)
		lsi_remote_edges_layout(s, tree, layout);
	lsi_sweep_shapes_layout(&tree->shapes, LSI_STAGE_SHAPES, layout);
	lsi_store(&tree->root, LS_NO_RANK, relaxed); /* no other worker runs yet */
}

void lsi_sweep_tree_release(struct lsi_sweep_tree *tree)
{
	if (tree)
		lsi_free(tree->remote);
}

/* ---- The tree */

static void refuse(const struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	int64_t none = 0;

	lsi_compare_swap(&tree->refused, &none, w->barriers + 1, relaxed); /* a barrier orders it */
}

/*
 * Whether the tree was refused before the last barrier.  A later refusal does not count yet, so all
 * workers return the same.
 */
static bool is_refused(const struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const int64_t refused = lsi_load(&tree->refused, relaxed); /* after a barrier */

	return refused > 0 && refused <= w->barriers;
}

/* The start of this worker's nodes of a slot in `order`. */
static int64_t *begin_of(
	struct lsi_sweep_tree *tree, const struct lsi_sweep_worker *w, int64_t slot)
{
	return &tree->begin[slot * w->sweep->workers + w->number];
}

void lsi_sweep_tree_note_child(struct lsi_sweep_tree *tree, uint32_t node, int64_t round)
{
	LSI_ATOMIC(uint32_t) *last = &tree->last[node];
	uint32_t old = lsi_load(last, relaxed); /* a barrier precedes the readers */

	while (
		old <= round && !lsi_compare_swap(last, &old, (uint32_t)round + 1, relaxed)) /* as above */
		;
}

/* The slot of a node in `order`. */
static int64_t slot_of(const struct lsi_sweep_tree *tree, uint32_t node)
{
	return tree->receive_round[node] - 1 + (tree->parent[node] == LSI_ELSEWHERE ? tree->rounds : 0);
}

static void note_parent(const struct lsi_sweep_state *s, struct lsi_sweep_tree *tree, uint32_t node,
	struct lsi_receive_at receive)
{
	tree->receive_round[node] = (uint32_t)(receive.round + 1);
	if (!lsi_sweep_is_local(s, receive.from)) {
		tree->parent[node] = LSI_ELSEWHERE;
		return;
	}
	tree->parent[node] = (uint32_t)(receive.from - s->first);
	lsi_sweep_tree_note_child(tree, tree->parent[node], receive.round);
}

static void read_tree(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct lsi_sweep_state *s = w->sweep;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		const struct lsi_receive_at receive =
			lsi_whole_machine_of(s->plan->algorithm)->tree->receives(s->plan, rank);
		const uint32_t node = (uint32_t)(rank - s->first);

		if (receive.round < 0) {
			tree->parent[node] = LSI_IDLE;
			tree->receive_round[node] = 0;
			lsi_store(&tree->root, rank, relaxed); /* a barrier orders it */
			continue;
		}
		if (receive.round >= tree->rounds || receive.from < 0 || receive.from >= s->nodes
			|| (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))) {
			refuse(w, tree);
			return;
		}
		note_parent(s, tree, node, receive);
		++*begin_of(tree, w, slot_of(tree, node));
	}
}

/* Worker 0: turn counts into starts; false: refuse a tree that has not one root. */
static bool sum_counts(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct lsi_sweep_state *s = w->sweep;
	int64_t sum = 0;

	for (int64_t i = 0; i <= slots_of(s) * s->workers; i++) {
		const int64_t n = tree->begin[i];

		tree->begin[i] = sum;
		sum += n;
	}
	return lsi_remote_edges_agree(w, sum, !is_refused(w, tree));
}

/* Fill `order`; afterwards `begin` holds the end of each part. */
static void fill_order(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const int64_t origin = w->sweep->first;

	for (int64_t node = w->first - origin; node < w->last - origin; node++) {
		if (tree->receive_round[node] > 0)
			tree->order[(*begin_of(tree, w, slot_of(tree, (uint32_t)node)))++] = (uint32_t)node;
	}
}

static bool make_tree(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	read_tree(w, tree);
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0 && !sum_counts(w, tree))
		refuse(w, tree);
	if (!lsi_sweep_barrier(w))
		return false;
	if (!is_refused(w, tree))
		fill_order(w, tree);
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0) {
		tree->made = true;
		if (w->sweep->world && !is_refused(w, tree) && !lsi_remote_edges_exchange(w, tree))
			refuse(w, tree);
	}
	return lsi_sweep_barrier(w);
}

/* ---- A round */

struct lsi_sweep_part lsi_sweep_tree_part(
	const struct lsi_sweep_tree *tree, const struct lsi_sweep_worker *w, int64_t slot)
{
	const int64_t workers = w->sweep->workers;
	const int64_t first = slot == 0 ? 0 : tree->begin[slot * workers - 1];
	const struct lsi_sweep_part part =
		lsi_sweep_part_of(w, tree->begin[(slot + 1) * workers - 1] - first);

	return (struct lsi_sweep_part){ first + part.begin, first + part.end };
}

/* Note the shape of a node that uses its port in this step; false: it did already. */
static bool set_shape(
	struct lsi_sweep_tree *tree, uint32_t node, int16_t shape, const struct lsi_tree_step *step)
{
	const uint32_t now = (uint32_t)(step->number + 1);

	if (lsi_exchange(&tree->busy[node], now, relaxed) == now) /* a barrier follows */
		return false;
	tree->shape[node] = (uint16_t)shape;
	return true;
}

static struct lsi_known_shape shape_of(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree,
	uint32_t node, const struct lsi_tree_step *step, struct lsi_edge edge)
{
	const struct ls_plan *plan = w->sweep->plan;
	const int64_t rank = w->sweep->first + node;
	const uint32_t last = lsi_load(&tree->last[node], relaxed); /* written before a barrier */

	edge.last = last <= step->tree_round + 1;
	return lsi_sweep_shape_of(w, &tree->shapes, rank, step->round,
		lsi_whole_machine_of(plan->algorithm)->tree->shape(plan, rank, step->round, edge));
}

static bool is_allowed(
	const struct lsi_sweep_state *s, const struct lsi_known_shape *known, int64_t rank)
{
	return known->shape >= 0 && (!known->rooted || rank == s->plan->problem.root);
}

/* Check the messages between a node and its parent, and note their shapes. */
static bool check_pair(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, uint32_t child,
	const struct lsi_tree_step *step)
{
	const uint32_t parent = tree->parent[child];
	const int64_t lower = w->sweep->first + child, upper = w->sweep->first + parent;
	const struct lsi_known_shape c =
		shape_of(w, tree, child, step, (struct lsi_edge){ .peer = upper, .up = true });
	const struct lsi_known_shape p =
		shape_of(w, tree, parent, step, (struct lsi_edge){ .peer = lower });

	return is_allowed(w->sweep, &c, lower) && is_allowed(w->sweep, &p, upper)
		&& c.sends == p.receives && p.sends == c.receives && set_shape(tree, child, c.shape, step)
		&& set_shape(tree, parent, p.shape, step)
		&& lsi_sweep_has_link(w->sweep, lower, upper, &lsi_sweep_worker_tables_of(w)->link);
}

/* Find the root's shape in a step without a message. */
static void check_root(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct lsi_tree_step *step)
{
	const uint32_t root = (uint32_t)(lsi_sweep_tree_root(tree) - w->sweep->first);
	const struct lsi_known_shape known =
		shape_of(w, tree, root, step, (struct lsi_edge){ .peer = LS_NO_RANK });

	if (known.shape < 0)
		refuse(w, tree);
	tree->idle = known.shape;
}

/* Check the local end of an edge to another process, note its shape, and count its messages. */
static bool check_end(struct lsi_sweep_worker *w, struct lsi_remote_end end, const void *context)
{
	struct lsi_sweep_tree *tree = ((const struct lsi_tree_context *)context)->tree;
	const struct lsi_tree_step *step = ((const struct lsi_tree_context *)context)->step;
	const int64_t rank = w->sweep->first + end.node;
	const struct lsi_known_shape known =
		shape_of(w, tree, end.node, step, (struct lsi_edge){ .peer = end.peer, .up = end.up });

	if (!is_allowed(w->sweep, &known, rank) || !(known.sends || known.receives)
		|| !set_shape(tree, end.node, known.shape, step))
		return false;
	if (known.sends) {
		lsi_crossing_lists_count(w, rank, end.peer, LSI_OUT);
		lsi_store(&tree->sent_to[end.up ? LSI_PARENT : LSI_CHILD], (uint32_t)(step->number + 1),
			relaxed); /* a barrier follows */
	}
	if (known.receives)
		lsi_crossing_lists_count(w, rank, end.peer, LSI_IN);
	return !end.up
		|| lsi_sweep_has_link(w->sweep, rank, end.peer, &lsi_sweep_worker_tables_of(w)->link);
}

static bool check_pairs(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct lsi_tree_step *step)
{
	const struct lsi_sweep_part part = lsi_sweep_tree_part(tree, w, step->tree_round);

	for (int64_t k = part.begin; k < part.end; k++) {
		if (!check_pair(w, tree, tree->order[k], step)
			|| (k % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w)))
			return false;
	}
	return true;
}

static void check_round(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct lsi_tree_step *step)
{
	const struct lsi_tree_context context = { tree, step };

	lsi_sweep_shapes_begin(w, &tree->shapes);
	if (w->number == 0 && lsi_sweep_tree_root(tree) != LS_NO_RANK)
		check_root(w, tree, step);
	if (w->sweep->world)
		lsi_crossing_lists_clear(w);
	if (!check_pairs(w, tree, step)
		|| (w->sweep->world
			&& !lsi_remote_edges_visit(w, tree, step->tree_round, check_end, &context)))
		refuse(w, tree);
}

/*
 * Whether all processes accept the step.  Both ends of a pair of processes list the messages from
 * one to the other in the order of children.  If a process sends to parents and to children in one
 * step, the other one cannot know which come first.  False: the sweep ends.
 */
static bool agree(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree,
	const struct lsi_tree_step *step, int64_t *accepted)
{
	const uint32_t now = (uint32_t)(step->number + 1);

	*accepted = !is_refused(w, tree)
		&& (lsi_load(&tree->sent_to[LSI_CHILD], relaxed) != now       /* after a barrier */
			|| lsi_load(&tree->sent_to[LSI_PARENT], relaxed) != now); /* as above */
	if (!w->sweep->world)
		return true;
	if (!lsi_sweep_chunks_agree(w, step->number, 1, LSI_IN_ORDER, accepted))
		return false;
	if (*accepted == 0)
		refuse(w, tree);
	return true;
}

/* The first worker to get here forgets the shapes; all workers have left the previous step. */
static void prepare_shapes(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	struct lsi_sweep_fast *fast = w->sweep->fast;

	pthread_mutex_lock(&fast->mutex);
	if (fast->built_for != w->barriers)
		lsi_sweep_shapes_clear(&tree->shapes);
	fast->built_for = w->barriers;
	pthread_mutex_unlock(&fast->mutex);
}

int64_t lsi_sweep_tree_round(struct lsi_sweep_worker *w, int64_t number)
{
	const struct ls_plan *plan = w->sweep->plan;
	struct lsi_sweep_tree *tree = w->sweep->fast->tree;
	struct lsi_tree_step step = { .number = number, .round = number - plan->frame.has_prologue };
	const struct lsi_tree_context context = { tree, &step };
	int64_t accepted;

	if (!tree->made && !make_tree(w, tree))
		return -1;
	if (is_refused(w, tree))
		return number;
	lsi_whole_machine_of(plan->algorithm)->tree->moves_up(plan, step.round, &step.tree_round);
	prepare_shapes(w, tree);
	check_round(w, tree, &step);
	if (!lsi_sweep_barrier(w) || !agree(w, tree, &step, &accepted))
		return -1;
	if (accepted == 0)
		return number;
	return lsi_tree_moves_run(w, &context) && lsi_sweep_barrier(w) ? number + 1 : -1;
}
