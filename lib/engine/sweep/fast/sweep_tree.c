#include "engine/sweep/fast/sweep_tree.h"

/*
 * In a plan along one tree, each message passes between a node and its parent: in the round in
 * which the node receives in a broadcast, or in the mirrored round of a reduction.  The tree is
 * read once. Nodes are sorted by that round, so a round visits only the nodes that use a port.
 * `busy` marks both ends of each message: a node that is marked twice in a step breaks the rule of
 * ports.
 *
 *        0            parent          node 1: 0   node 2: 0   node 3: 1
 *       / \           receive_round   node 1: 1   node 2: 2   node 3: 2
 *      1   2          order           1 | 2 3
 *      |
 *      3              a broadcast     round 0: 0 -> 1     round 1: 0 -> 2, 1 -> 3
 */
struct lsi_sweep_tree {
	int64_t rounds; /* of a broadcast */
	uint32_t *parent;
	uint32_t *order;             /* nodes, sorted by receive_round */
	uint32_t *receive_round;     /* 1 + the round; 0: the root */
	LSI_ATOMIC(uint32_t) * last; /* 1 + the round in which its last child receives */
	LSI_ATOMIC(uint32_t) * busy; /* 1 + the last step in which the node used its port */
	uint16_t *shape[2];          /* of the nodes in `order`, and of their parents */
	int64_t *begin;              /* by round, then worker: start of its part of `order` */
	struct lsi_sweep_shapes shapes;
	LSI_ATOMIC(int64_t) root; /* the node that never receives; two are refused */
	int idle;                 /* the root's shape in a step without a message; -1: none */
	bool made;
	LSI_ATOMIC(int64_t) refused; /* 1 + the barriers before the refusal; 0: none */
};

enum { CHILD, PARENT };

/* ---- Memory */

static bool has_tree(const struct lsi_sweep_state *s)
{
	return !s->world && lsi_whole_machine_of(s->plan->algorithm)->tree && s->steps < UINT32_MAX;
}

void lsi_sweep_tree_layout(struct lsi_sweep_state *s, struct lsi_memory_layout *layout)
{
	const size_t n = (size_t)s->nodes, rounds = (size_t)s->plan->frame.rounds;
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
	for (int end = CHILD; end <= PARENT; end++)
		tree->shape[end] = lsi_memory_layout_take(layout, n, sizeof *tree->shape[end]);
	tree->begin =
		lsi_memory_layout_take(layout, rounds * (size_t)s->workers + 1, sizeof *tree->begin);
	lsi_sweep_shapes_layout(&tree->shapes, LSI_STAGE_SHAPES, layout);
	lsi_store(&tree->root, LS_NO_RANK, relaxed); /* no other worker runs yet */
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

/* The start of this worker's nodes of a round in `order`. */
static int64_t *begin_of(
	struct lsi_sweep_tree *tree, const struct lsi_sweep_worker *w, int64_t round)
{
	return &tree->begin[round * w->sweep->workers + w->number];
}

static void raise_to(LSI_ATOMIC(uint32_t) * last, uint32_t value)
{
	uint32_t old = lsi_load(last, relaxed); /* a barrier precedes the readers */

	while (old < value && !lsi_compare_swap(last, &old, value, relaxed)) /* as above */
		;
}

static void read_tree(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct ls_plan *plan = w->sweep->plan;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		const struct lsi_receive_at receive =
			lsi_whole_machine_of(plan->algorithm)->tree->receives(plan, rank);

		if (receive.round < 0) {
			tree->parent[rank] = LSI_IDLE;
			tree->receive_round[rank] = 0;
			lsi_store(&tree->root, rank, relaxed); /* a barrier orders it */
			continue;
		}
		if (receive.round >= tree->rounds || receive.from < 0 || receive.from >= w->sweep->nodes
			|| (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))) {
			refuse(w, tree);
			return;
		}
		tree->parent[rank] = (uint32_t)receive.from;
		tree->receive_round[rank] = (uint32_t)(receive.round + 1);
		raise_to(&tree->last[receive.from], (uint32_t)(receive.round + 1));
		++*begin_of(tree, w, receive.round);
	}
}

/* Turn counts into starts; refuse a tree with several roots. */
static void sum_counts(const struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	const struct lsi_sweep_state *s = w->sweep;
	int64_t sum = 0;

	for (int64_t i = 0; i <= tree->rounds * s->workers; i++) {
		const int64_t n = tree->begin[i];

		tree->begin[i] = sum;
		sum += n;
	}
	if (sum != s->nodes - 1)
		refuse(w, tree);
}

/* Fill `order`; afterwards `begin` holds the end of each part. */
static void fill_order(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (tree->receive_round[rank] > 0)
			tree->order[(*begin_of(tree, w, tree->receive_round[rank] - 1))++] = (uint32_t)rank;
	}
}

static bool make_tree(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree)
{
	read_tree(w, tree);
	if (!lsi_sweep_barrier(w))
		return false;
	if (w->number == 0)
		sum_counts(w, tree);
	if (!lsi_sweep_barrier(w))
		return false;
	if (!is_refused(w, tree))
		fill_order(w, tree);
	if (w->number == 0)
		tree->made = true;
	return lsi_sweep_barrier(w);
}

/* ---- A round */

/* This worker's part of the nodes of a round, in `order`. */
static struct lsi_sweep_part part_of(
	const struct lsi_sweep_tree *tree, const struct lsi_sweep_worker *w, int64_t tree_round)
{
	const int64_t workers = w->sweep->workers;
	const int64_t first = tree_round == 0 ? 0 : tree->begin[tree_round * workers - 1];
	const struct lsi_sweep_part part =
		lsi_sweep_part_of(w, tree->begin[(tree_round + 1) * workers - 1] - first);

	return (struct lsi_sweep_part){ first + part.begin, first + part.end };
}

struct tree_step {
	int64_t number, round, tree_round;
};

/* Mark that a node uses its port in this step; false: it did already. */
static bool mark_busy(struct lsi_sweep_tree *tree, int64_t rank, const struct tree_step *step)
{
	const uint32_t now = (uint32_t)(step->number + 1);

	return lsi_exchange(&tree->busy[rank], now, relaxed) != now; /* a barrier follows */
}

static struct lsi_known_shape shape_of(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree,
	int64_t rank, const struct tree_step *step, struct lsi_edge edge)
{
	const struct ls_plan *plan = w->sweep->plan;

	const uint32_t last = lsi_load(&tree->last[rank], relaxed); /* written before a barrier */

	edge.last = last <= step->tree_round + 1;
	return lsi_sweep_shape_of(w, &tree->shapes, rank, step->round,
		lsi_whole_machine_of(plan->algorithm)->tree->shape(plan, rank, step->round, edge));
}

static bool is_allowed(
	const struct lsi_sweep_state *s, const struct lsi_known_shape *known, int64_t rank)
{
	return known->shape >= 0 && (!known->rooted || rank == s->plan->problem.root);
}

/* Check the messages between the k-th node of `order` and its parent, and store their shapes. */
static bool check_pair(struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, int64_t k,
	const struct tree_step *step)
{
	const int64_t child = tree->order[k], parent = tree->parent[child];
	const struct lsi_known_shape c =
		shape_of(w, tree, child, step, (struct lsi_edge){ .peer = parent, .up = true });
	const struct lsi_known_shape p =
		shape_of(w, tree, parent, step, (struct lsi_edge){ .peer = child });

	if (!is_allowed(w->sweep, &c, child) || !is_allowed(w->sweep, &p, parent))
		return false;
	tree->shape[CHILD][k] = (uint16_t)c.shape;
	tree->shape[PARENT][k] = (uint16_t)p.shape;
	return c.sends == p.receives && p.sends == c.receives && mark_busy(tree, child, step)
		&& mark_busy(tree, parent, step)
		&& lsi_sweep_has_link(w->sweep, child, parent, &lsi_sweep_worker_tables_of(w)->link);
}

static int64_t root_of(struct lsi_sweep_tree *tree)
{
	return lsi_load(&tree->root, relaxed); /* after a barrier */
}

/* Find the root's shape in a step without a message. */
static void check_root(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct tree_step *step)
{
	const struct lsi_known_shape known =
		shape_of(w, tree, root_of(tree), step, (struct lsi_edge){ .peer = LS_NO_RANK });

	if (known.shape < 0)
		refuse(w, tree);
	tree->idle = known.shape;
}

static void check_round(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct tree_step *step)
{
	const struct lsi_sweep_part part = part_of(tree, w, step->tree_round);

	lsi_sweep_shapes_begin(w, &tree->shapes);
	if (w->number == 0)
		check_root(w, tree, step);
	for (int64_t k = part.begin; k < part.end; k++) {
		if (!check_pair(w, tree, k, step) || (k % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))) {
			refuse(w, tree);
			return;
		}
	}
}

/* Append one end of a pair to the list. */
static void append_end(
	struct lsi_sweep_worker *w, const struct lsi_sweep_tree *tree, int64_t n, int64_t k, int end)
{
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;
	const uint32_t child = tree->order[k], parent = tree->parent[child];

	list->at[n] = end == CHILD ? child : parent;
	list->from[n] = end == CHILD ? parent : child;
	list->shape[n] = tree->shape[end][k];
	list->sender[n] = tree->shape[end == CHILD ? PARENT : CHILD][k];
}

/* Execute the root's moves in a step without a message. */
static void execute_root(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct tree_step *step)
{
	struct lsi_sweep_lists *list = &lsi_sweep_worker_tables_of(w)->in_order;
	const uint32_t last = lsi_load(&tree->busy[root_of(tree)], relaxed); /* after a barrier */

	if (last == (uint32_t)(step->number + 1))
		return;
	list->at[0] = (uint32_t)root_of(tree);
	list->shape[0] = (uint16_t)tree->idle;
	list->from[0] = list->sender[0] = 0;
	lsi_sweep_columns_by_class(w, &tree->shapes, 0, 1, NULL);
}

static void execute_round(
	struct lsi_sweep_worker *w, struct lsi_sweep_tree *tree, const struct tree_step *step)
{
	const struct lsi_sweep_part part = part_of(tree, w, step->tree_round);
	const int64_t most = w->sweep->fast->batch;

	for (int64_t k = part.begin; k < part.end && !lsi_sweep_poll(w);) {
		int64_t n = 0;

		for (; n + 2 <= most && k < part.end; k++, n += 2) {
			append_end(w, tree, n, k, CHILD);
			append_end(w, tree, n + 1, k, PARENT);
		}
		lsi_sweep_columns_by_class(w, &tree->shapes, 0, n, NULL);
	}
	if (w->number == 0)
		execute_root(w, tree, step);
}

int64_t lsi_sweep_tree_round(struct lsi_sweep_worker *w, int64_t number)
{
	const struct ls_plan *plan = w->sweep->plan;
	struct lsi_sweep_fast *fast = w->sweep->fast;
	struct lsi_sweep_tree *tree = fast->tree;
	struct tree_step step = { .number = number, .round = number - plan->frame.has_prologue };

	if (!tree->made && !make_tree(w, tree))
		return -1;
	if (is_refused(w, tree))
		return number;
	lsi_whole_machine_of(plan->algorithm)->tree->moves_up(plan, step.round, &step.tree_round);
	pthread_mutex_lock(&fast->mutex);
	if (fast->built_for != w->barriers)
		lsi_sweep_shapes_clear(&tree->shapes);
	fast->built_for = w->barriers;
	pthread_mutex_unlock(&fast->mutex);
	check_round(w, tree, &step);
	if (!lsi_sweep_barrier(w))
		return -1;
	if (is_refused(w, tree))
		return number;
	execute_round(w, tree, &step);
	return lsi_sweep_barrier(w) ? number + 1 : -1;
}
