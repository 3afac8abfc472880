#include "engine/cooperative/flow_moves.h"

#include "base/alloc.h"
#include "engine/cooperative/flow_graph.h"

/*
 * The state while one list is made.
 *
 *   uses   by value: reads that are still to come; at 0 its temporary is free; in place, an
 *          operand's memory may then be overwritten
 *   at     by value: where it is now; base LSI_NO_BLOCK: not computed yet
 */
struct move_emitter {
	const struct lsi_flow_graph *g;
	struct lsi_flow_moves *out;
	int list;
	uint32_t *uses;
	struct lsi_block_ref *at;
	bool *stored;             /* by result */
	uint32_t *stack, *unused; /* unused: free temporaries */
	uint32_t n_unused, temporaries;
	bool failed;
};

/* ---- Moves */

static void add_move(struct move_emitter *e, struct lsi_flow_move made)
{
	struct lsi_flow_moves *out = e->out;
	uint32_t *n = &out->moves[e->list], *capacity = &out->capacity[e->list];

	if (*n == *capacity) {
		const uint32_t more = *capacity ? 2 * *capacity : 64;
		struct lsi_flow_move *move =
			lsi_alloc_grow(out->move[e->list], *n * sizeof *move, more * sizeof *move);

		e->failed |= !move;
		if (!move)
			return;
		out->move[e->list] = move;
		*capacity = more;
	}
	out->move[e->list][(*n)++] = made;
}

static void add_copy(struct move_emitter *e, struct lsi_block_ref dst, struct lsi_block_ref a)
{
	add_move(
		e, (struct lsi_flow_move){ .dst = dst, .a = a, .b = { LSI_NO_BLOCK, 0 }, .copies = true });
}

static struct lsi_block_ref take_temporary(struct move_emitter *e)
{
	return (struct lsi_block_ref){ LSI_TEMPORARY,
		e->n_unused ? e->unused[--e->n_unused] : e->temporaries++ };
}

static void consume_use(struct move_emitter *e, uint32_t value)
{
	if (--e->uses[value] == 0 && e->at[value].base == LSI_TEMPORARY)
		e->unused[e->n_unused++] = e->at[value].block;
}

/* ---- Results */

/*
 * Whether a result may be written: in place, all reads of the operand that it overwrites are done.
 */
static bool is_free(const struct move_emitter *e, const struct lsi_flow_result *r)
{
	return !r->over || e->uses[r->over] == 0 || e->at[r->over].base == LSI_TEMPORARY;
}

static bool is_ready(const struct move_emitter *e, uint32_t i)
{
	const struct lsi_flow_result *r = &e->g->result[i];

	return !e->stored[i] && e->at[r->value].base != LSI_NO_BLOCK && is_free(e, r);
}

/*
 * Store a result; then, if this was the last read of its operand, the result that overwrites that
 * operand.
 */
static void store_result(struct move_emitter *e, uint32_t i)
{
	for (;;) {
		const struct lsi_flow_result *r = &e->g->result[i];

		e->stored[i] = true;
		add_copy(e, r->target, e->at[r->value]);
		consume_use(e, r->value);
		if (!e->g->covered[r->value] || !is_ready(e, e->g->covered[r->value] - 1))
			return;
		i = e->g->covered[r->value] - 1;
	}
}

static void store_overwriting_result(struct move_emitter *e, uint32_t leaf)
{
	if (e->g->covered[leaf] && is_ready(e, e->g->covered[leaf] - 1))
		store_result(e, e->g->covered[leaf] - 1);
}

/* Choose where to compute a value: in one of its results that may be written, or in a temporary. */
static struct lsi_block_ref choose_destination(struct move_emitter *e, uint32_t value)
{
	for (uint32_t i = e->g->first[value]; i && e->list == LSI_DIRECT;
		 i = e->g->result[i - 1].next) {
		if (is_free(e, &e->g->result[i - 1])) {
			e->stored[i - 1] = true;
			e->uses[value]--;
			return e->g->result[i - 1].target;
		}
	}
	return take_temporary(e);
}

/* Compute a sum. dst may be one of its operands, if this is the last read. */
static void compute_sum(struct move_emitter *e, uint32_t value)
{
	const struct lsi_flow_sum *sum = lsi_flow_value_sum(e->g->values, value);
	const struct lsi_block_ref a = e->at[sum->a], b = e->at[sum->b];

	consume_use(e, sum->a);
	consume_use(e, sum->b);
	e->at[value] = choose_destination(e, value);
	add_move(e, (struct lsi_flow_move){ .dst = e->at[value], .a = a, .b = b });
	for (uint32_t i = e->g->first[value]; i; i = e->g->result[i - 1].next) {
		if (is_ready(e, i - 1))
			store_result(e, i - 1);
	}
	store_overwriting_result(e, sum->a);
	store_overwriting_result(e, sum->b);
}

/* The operand of a sum to compute next; 0: both are computed. */
static uint32_t next_operand_of(const struct move_emitter *e, const struct lsi_flow_sum *sum)
{
	const bool a = e->at[sum->a].base == LSI_NO_BLOCK, b = e->at[sum->b].base == LSI_NO_BLOCK;

	if (a && b)
		return e->g->depth[sum->a] < e->g->depth[sum->b] ? sum->b : sum->a;
	return a ? sum->a : b ? sum->b : 0;
}

static void compute_value(struct move_emitter *e, uint32_t value)
{
	uint32_t n = 0;

	if (e->at[value].base == LSI_NO_BLOCK)
		e->stack[n++] = value;
	while (n > 0) {
		const uint32_t next = next_operand_of(e, lsi_flow_value_sum(e->g->values, e->stack[n - 1]));

		if (next)
			e->stack[n++] = next;
		else
			compute_sum(e, e->stack[--n]);
	}
}

/* Results that overwrite the operands of each other in a cycle: copy one operand to a temporary. */
static void break_cycle(struct move_emitter *e, uint32_t leaf)
{
	const struct lsi_block_ref aside = take_temporary(e);

	add_copy(e, aside, e->at[leaf]);
	e->at[leaf] = aside;
	store_overwriting_result(e, leaf);
}

/* Make the moves of the results order[first .. last - 1]. */
static void emit_component(struct move_emitter *e, uint32_t first, uint32_t last)
{
	const uint32_t *order = e->g->order;

	for (uint32_t i = first; i < last; i++)
		compute_value(e, e->g->result[order[i]].value);
	for (uint32_t i = first; i < last; i++) {
		if (is_ready(e, order[i]))
			store_result(e, order[i]);
	}
	for (uint32_t i = first; i < last; i++) {
		if (!e->stored[order[i]])
			break_cycle(e, e->g->result[order[i]].over);
	}
}

/* The next operand of a node that the moves read, from operand *k on. */
static struct lsi_block_ref next_operand(const struct lsi_flow_move *move, uint32_t n, uint32_t *k)
{
	while (*k < 2 * n) {
		const struct lsi_flow_move *m = &move[*k / 2];
		const bool second = (*k)++ % 2;
		const struct lsi_block_ref place = second ? m->b : m->a;

		if (place.base < LSI_NO_BLOCK && place.base % 2 == 0 && !(second && m->copies))
			return place;
	}
	return (struct lsi_block_ref){ LSI_NO_BLOCK, 0 };
}

/* Let each copy prefetch an operand of the component, for the next strip. */
static void set_prefetches(struct lsi_flow_move *move, uint32_t n)
{
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (move[i].copies)
			move[i].b = next_operand(move, n, &k);
	}
}

/* Whether the results of a component are one merged copy. */
static bool is_merged(const struct lsi_flow_graph *g, uint32_t first, uint32_t last)
{
	const struct lsi_flow_result *r = &g->result[g->order[first]];

	return last - first > 1 && !lsi_flow_value_is_sum(g->values, r->value) && !g->covered[r->value]
		&& !r->over;
}

static void emit_moves(struct move_emitter *e)
{
	const struct lsi_flow_graph *g = e->g;
	struct lsi_flow_moves *out = e->out;
	uint32_t last, c = 0;

	for (uint32_t first = 0; first < g->results; first = last) {
		const struct lsi_flow_result *r = &g->result[g->order[first]];
		struct lsi_component *component = &out->component[c++];

		for (last = first; last < g->results; last++) {
			if (g->result[g->order[last]].component != r->component)
				break;
		}
		component->first[e->list] = out->moves[e->list];
		component->result = r->target;
		component->blocks = is_merged(g, first, last) ? last - first : 1;
		component->results = component->blocks > 1 ? 1 : last - first;
		emit_component(e, first, component->blocks > 1 ? first + 1 : last);
		if (!e->failed)
			set_prefetches(out->move[e->list] + component->first[e->list],
				out->moves[e->list] - component->first[e->list]);
	}
	out->component[c].first[e->list] = out->moves[e->list];
	out->temporaries[e->list] = e->temporaries;
}

static int make_list(struct move_emitter *e)
{
	const struct lsi_flow_values *v = e->g->values;
	const uint32_t count = 1 + v->leaves + v->sums;

	e->uses = lsi_alloc(count * sizeof *e->uses);
	e->at = lsi_alloc(count * sizeof *e->at);
	e->stored = lsi_alloc_zero(e->g->results, sizeof *e->stored);
	e->stack = lsi_alloc((v->sums + 1) * sizeof *e->stack);
	e->unused = lsi_alloc(count * sizeof *e->unused);
	e->failed = !e->uses || !e->at || !e->stored || !e->stack || !e->unused;
	for (uint32_t i = 0; i < count && !e->failed; i++) {
		e->uses[i] = e->g->uses[i];
		e->at[i] =
			i && i <= v->leaves ? lsi_flow_leaf(v, i) : (struct lsi_block_ref){ LSI_NO_BLOCK, 0 };
	}
	if (!e->failed)
		emit_moves(e);
	lsi_free(e->uses);
	lsi_free(e->at);
	lsi_free(e->stored);
	lsi_free(e->stack);
	lsi_free(e->unused);
	return e->failed ? LS_ERR_MEMORY : LS_OK;
}

/* ---- Both lists */

/* Find the runs of operand blocks that are read. */
static bool find_reads(const struct lsi_flow_graph *g, struct lsi_flow_moves *out)
{
	const struct lsi_flow_values *v = g->values;
	uint32_t n = 0;

	for (int writing = 0; writing < 2; writing++) {
		n = 0;
		for (uint32_t leaf = 1; leaf <= v->leaves; leaf++) {
			const bool begins =
				leaf == 1 || !g->uses[leaf - 1] || !lsi_flow_leaves_touch(v, leaf - 1, leaf);

			if (!g->uses[leaf])
				continue;
			n += begins;
			if (writing && begins)
				out->read[n - 1] = (struct lsi_block_span){ lsi_flow_leaf(v, leaf), 0 };
			if (writing)
				out->read[n - 1].blocks++;
		}
		if (!writing)
			out->read = lsi_alloc(n * sizeof *out->read);
		if (!out->read)
			return false;
	}
	out->reads = n;
	return true;
}

static void find_properties(const struct lsi_flow_graph *g, struct lsi_flow_moves *out)
{
	const struct lsi_flow_values *v = g->values;

	for (uint32_t i = 1; i <= v->leaves; i++)
		out->shared |= g->uses[i] > 1;
	for (uint32_t i = v->leaves + 1; i <= v->leaves + v->sums; i++)
		out->combines |= g->uses[i] > 0;
}

/* Sort components that copy by their operand. The first result of a component identifies it. */
static bool sort_copies(const struct lsi_flow_graph *g, struct lsi_flow_moves *out)
{
	uint32_t n = 0;

	out->by_operand = lsi_alloc(out->components * sizeof *out->by_operand);
	for (uint32_t leaf = 1; leaf <= g->values->leaves && out->by_operand; leaf++) {
		for (uint32_t i = g->first[leaf]; i; i = g->result[i - 1].next) {
			const struct lsi_flow_result *r = &g->result[i - 1];
			const struct lsi_block_ref begins = out->component[r->component].result;

			if (begins.base == r->target.base && begins.block == r->target.block)
				out->by_operand[n++] = r->component;
		}
	}
	return out->by_operand;
}

static int make_lists(const struct lsi_flow_graph *g, struct lsi_flow_moves *out)
{
	int failed = LS_OK;

	find_properties(g, out);
	out->components = g->components;
	out->component = lsi_alloc_zero(g->components + 1, sizeof *out->component);
	if (!out->component || !find_reads(g, out))
		return LS_ERR_MEMORY;
	for (int list = 0; list < (out->combines ? LSI_LISTS : 1) && !failed; list++)
		failed = make_list(&(struct move_emitter){ .g = g, .out = out, .list = list });
	if (!failed && !out->combines && !sort_copies(g, out))
		failed = LS_ERR_MEMORY;
	return failed;
}

int lsi_flow_moves_make(const struct lsi_flow_values *v, const struct lsi_flow_results *results,
	struct lsi_flow_moves *out)
{
	struct lsi_flow_graph graph;
	int failed = lsi_flow_graph_make(v, results, &graph);

	*out = (struct lsi_flow_moves){ 0 };
	if (!failed)
		failed = make_lists(&graph, out);
	lsi_flow_graph_release(&graph);
	return failed;
}

void lsi_flow_moves_release(struct lsi_flow_moves *moves)
{
	for (int list = 0; list < LSI_LISTS; list++)
		lsi_free(moves->move[list]);
	lsi_free(moves->component);
	lsi_free(moves->by_operand);
	lsi_free(moves->read);
}
