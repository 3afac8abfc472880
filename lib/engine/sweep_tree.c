#include "engine/sweep_tree.h"

/*
 * Each message passes between a node and its parent, in the round in which the node hears in a
 * broadcast, or that mirrors it.  So nodes are asked once, sorted by that round, and a round looks
 * only at its own.  Both ends are noted in `busy`: a node that talks twice in a round breaks the
 * law of ports.
 */
struct ls_sweep_tree {
	int64_t rounds;               /* of the broadcast                                  */
	uint32_t *parent;
	uint32_t *order;              /* nodes, sorted by the round in which they hear     */
	uint32_t *hears;              /* 1 + the round                                     */
	LS_ATOMIC(uint32_t) *last;    /* 1 + the round in which the last child does        */
	LS_ATOMIC(uint32_t) *busy;    /* 1 + the step in which the node talked last        */
	uint16_t *shape[2];           /* of the order's nodes and their parents, this step */
	int64_t *begin;               /* by round, and worker: of its part of the order    */
	struct ls_sweep_shapes shapes;
	LS_ATOMIC(int64_t) root;      /* who hears of nobody; refused if there are more     */
	int idle;                     /* the root's shape if it does not talk; -1: nothing */
	bool made;
	LS_ATOMIC(int64_t) refused;   /* the tree, or a step: 1 + the meetings before; 0: not */
};

enum { CHILD, PARENT };

/* ---- Memory */

static bool is_tree(const struct ls_sweeping *s)
{
	return s->plan->algorithm->tree && s->steps < UINT32_MAX;
}

void ls_sweep_tree_lay(struct ls_sweeping *s, struct ls_layout *layout)
{
	const size_t n = (size_t)s->nodes, rounds = (size_t)s->plan->frame.rounds;
	struct ls_sweep_tree counted, *tree;

	if (!is_tree(s))
		return;
	tree = ls_layout_take(layout, 1, sizeof *tree);
	if (tree)
		s->wiring->tree = tree;
	else
		tree = &counted;
	tree->rounds = s->plan->frame.rounds;
	tree->parent = ls_layout_take(layout, n, sizeof *tree->parent);
	tree->order = ls_layout_take(layout, n, sizeof *tree->order);
	tree->hears = ls_layout_take(layout, n, sizeof *tree->hears);
	tree->last = ls_layout_take(layout, n, sizeof *tree->last);
	tree->busy = ls_layout_take(layout, n, sizeof *tree->busy);
	for (int end = CHILD; end <= PARENT; end++)
		tree->shape[end] = ls_layout_take(layout, n, sizeof *tree->shape[end]);
	tree->begin = ls_layout_take(layout, rounds * (size_t)s->workers + 1, sizeof *tree->begin);
	ls_sweep_shapes_lay(&tree->shapes, LS_STAGE_SHAPES, layout);
	ls_store(&tree->root, LS_NOBODY, relaxed);           /* nobody else is there yet */
}

/* ---- Who hears when */

static void refuse(const struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	int64_t none = 0;

	ls_compare_swap(&tree->refused, &none, w->meetings + 1, relaxed);       /* a meeting orders it */
}

/* Before the last meeting: all workers answer alike, though one may already refuse the next. */
static bool is_refused(const struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	const int64_t refused = ls_load(&tree->refused, relaxed);               /* after a meeting */

	return refused > 0 && refused <= w->meetings;
}

/* Where this worker's nodes of a round begin in the order. */
static int64_t *begin_of(struct ls_sweep_tree *tree, const struct ls_sweep_worker *w, int64_t round)
{
	return &tree->begin[round * w->sweep->workers + w->number];
}

static void raise_to(LS_ATOMIC(uint32_t) *last, uint32_t value)
{
	uint32_t old = ls_load(last, relaxed);       /* a meeting is before it is read */

	while (old < value && !ls_compare_swap(last, &old, value, relaxed))     /* as is this */
		;
}

static void ask(struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	const struct ls_plan *plan = w->sweep->plan;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		const struct ls_hearing heard = plan->algorithm->tree->hears(plan, rank);

		if (heard.round < 0) {
			tree->parent[rank] = LS_IDLE;
			tree->hears[rank] = 0;
			ls_store(&tree->root, rank, relaxed);        /* a meeting orders it */
			continue;
		}
		if (heard.round >= tree->rounds || heard.from < 0 || heard.from >= w->sweep->nodes
				|| (rank % LS_CHUNK == 0 && ls_sweep_pause(w))) {
			refuse(w, tree);
			return;
		}
		tree->parent[rank] = (uint32_t)heard.from;
		tree->hears[rank] = (uint32_t)(heard.round + 1);
		raise_to(&tree->last[heard.from], (uint32_t)(heard.round + 1));
		++*begin_of(tree, w, heard.round);
	}
}

/* Numbers of nodes become where they begin; false: more than one node hears of nobody. */
static void add_up(const struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	const struct ls_sweeping *s = w->sweep;
	int64_t sum = 0;

	for (int64_t i = 0; i <= tree->rounds * s->workers; i++) {
		const int64_t n = tree->begin[i];

		tree->begin[i] = sum;
		sum += n;
	}
	if (sum != s->nodes - 1)
		refuse(w, tree);
}

/* Fill the order; `begin` then says where each part ends. */
static void sort(struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (tree->hears[rank] > 0)
			tree->order[(*begin_of(tree, w, tree->hears[rank] - 1))++] = (uint32_t)rank;
	}
}

static bool make(struct ls_sweep_worker *w, struct ls_sweep_tree *tree)
{
	ask(w, tree);
	if (!ls_sweep_meet(w))
		return false;
	if (w->number == 0)
		add_up(w, tree);
	if (!ls_sweep_meet(w))
		return false;
	if (!is_refused(w, tree))
		sort(w, tree);
	if (w->number == 0)
		tree->made = true;
	return ls_sweep_meet(w);
}

/* ---- A round */

/* The order's nodes of a round that are this worker's. */
static struct ls_sweep_part part_of(
	const struct ls_sweep_tree *tree, const struct ls_sweep_worker *w, int64_t told)
{
	const int64_t workers = w->sweep->workers;
	const int64_t first = told == 0 ? 0 : tree->begin[told * workers - 1];
	const struct ls_sweep_part part =
		ls_sweep_part(w, tree->begin[(told + 1) * workers - 1] - first);

	return (struct ls_sweep_part){ first + part.begin, first + part.end };
}

struct turn { int64_t step, round, told; };

/* Note that a node talks in this step; false: for the second time. */
static bool note(struct ls_sweep_tree *tree, int64_t rank, const struct turn *turn)
{
	const uint32_t now = (uint32_t)(turn->step + 1);

	return ls_exchange(&tree->busy[rank], now, relaxed) != now;     /* a meeting is after it */
}

static struct ls_shape_known shape_of(struct ls_sweep_worker *w, struct ls_sweep_tree *tree,
	int64_t rank, const struct turn *turn, struct ls_edge edge)
{
	const struct ls_plan *plan = w->sweep->plan;

	const uint32_t last = ls_load(&tree->last[rank], relaxed);     /* made before a meeting */

	edge.last = last <= turn->told + 1;
	return ls_sweep_shape_of(w, &tree->shapes, rank, turn->round,
		plan->algorithm->tree->shape(plan, rank, turn->round, edge));
}

static bool may(const struct ls_sweeping *s, const struct ls_shape_known *known, int64_t rank)
{
	return known->shape >= 0 && (!known->rooted || rank == s->plan->problem.root);
}

/* The k-th pair of the order, its laws and shapes. */
static bool look(struct ls_sweep_worker *w, struct ls_sweep_tree *tree, int64_t k,
	const struct turn *turn)
{
	const int64_t child = tree->order[k], parent = tree->parent[child];
	const struct ls_shape_known c =
		shape_of(w, tree, child, turn, (struct ls_edge){ .peer = parent, .up = true });
	const struct ls_shape_known p =
		shape_of(w, tree, parent, turn, (struct ls_edge){ .peer = child });

	if (!may(w->sweep, &c, child) || !may(w->sweep, &p, parent))
		return false;
	tree->shape[CHILD][k] = (uint16_t)c.shape;
	tree->shape[PARENT][k] = (uint16_t)p.shape;
	return c.sends == p.receives && p.sends == c.receives && note(tree, child, turn)
		&& note(tree, parent, turn)
		&& ls_sweep_linked(w->sweep, child, parent, &ls_sweep_desk(w)->link);
}

static int64_t root_of(struct ls_sweep_tree *tree)
{
	return ls_load(&tree->root, relaxed);                                   /* after a meeting */
}

/* What the root does where it does not talk. */
static void look_at_root(struct ls_sweep_worker *w, struct ls_sweep_tree *tree,
	const struct turn *turn)
{
	const struct ls_shape_known known =
		shape_of(w, tree, root_of(tree), turn, (struct ls_edge){ .peer = LS_NOBODY });

	if (known.shape < 0)
		refuse(w, tree);
	tree->idle = known.shape;
}

static void look_at_all(struct ls_sweep_worker *w, struct ls_sweep_tree *tree,
	const struct turn *turn)
{
	const struct ls_sweep_part part = part_of(tree, w, turn->told);

	ls_sweep_shapes_begin(w, &tree->shapes);
	if (w->number == 0)
		look_at_root(w, tree, turn);
	for (int64_t k = part.begin; k < part.end; k++) {
		if (!look(w, tree, k, turn) || (k % LS_CHUNK == 0 && ls_sweep_pause(w))) {
			refuse(w, tree);
			return;
		}
	}
}

/* One end of a pair at the end of the list. */
static void enlist(struct ls_sweep_worker *w, const struct ls_sweep_tree *tree, int64_t n,
	int64_t k, int end)
{
	struct ls_sweep_lists *list = &ls_sweep_desk(w)->mixed;
	const uint32_t child = tree->order[k], parent = tree->parent[child];

	list->at[n] = end == CHILD ? child : parent;
	list->from[n] = end == CHILD ? parent : child;
	list->shape[n] = tree->shape[end][k];
	list->sender[n] = tree->shape[end == CHILD ? PARENT : CHILD][k];
}

/* The root's moves where it does not talk. */
static void execute_root(struct ls_sweep_worker *w, struct ls_sweep_tree *tree,
	const struct turn *turn)
{
	struct ls_sweep_lists *list = &ls_sweep_desk(w)->mixed;
	const uint32_t last = ls_load(&tree->busy[root_of(tree)], relaxed);     /* after a meeting */

	if (last == (uint32_t)(turn->step + 1))
		return;
	list->at[0] = (uint32_t)root_of(tree);
	list->shape[0] = (uint16_t)tree->idle;
	list->from[0] = list->sender[0] = 0;
	ls_sweep_mixed(w, &tree->shapes, 0, 1);
}

static void execute(struct ls_sweep_worker *w, struct ls_sweep_tree *tree, const struct turn *turn)
{
	const struct ls_sweep_part part = part_of(tree, w, turn->told);
	const int64_t most = w->sweep->wiring->batch;

	for (int64_t k = part.begin; k < part.end && !ls_sweep_pause(w);) {
		int64_t n = 0;

		for (; n + 2 <= most && k < part.end; k++, n += 2) {
			enlist(w, tree, n, k, CHILD);
			enlist(w, tree, n + 1, k, PARENT);
		}
		ls_sweep_mixed(w, &tree->shapes, 0, n);
	}
	if (w->number == 0)
		execute_root(w, tree, turn);
}

int64_t ls_sweep_tree_round(struct ls_sweep_worker *w, int64_t step)
{
	const struct ls_plan *plan = w->sweep->plan;
	struct ls_sweep_wiring *wiring = w->sweep->wiring;
	struct ls_sweep_tree *tree = wiring->tree;
	struct turn turn = { .step = step, .round = step - plan->frame.lead };

	if (!tree->made && !make(w, tree))
		return -1;
	if (is_refused(w, tree))
		return step;
	plan->algorithm->tree->gathers(plan, turn.round, &turn.told);
	pthread_mutex_lock(&wiring->mutex);
	if (wiring->laid != w->meetings)
		ls_sweep_shapes_clear(&tree->shapes);
	wiring->laid = w->meetings;
	pthread_mutex_unlock(&wiring->mutex);
	look_at_all(w, tree, &turn);
	if (!ls_sweep_meet(w))
		return -1;
	if (is_refused(w, tree))
		return step;
	execute(w, tree, &turn);
	return ls_sweep_meet(w) ? step + 1 : -1;
}
