#include "engine/cooperative/flow_graph.h"

#include "base/alloc.h"
#include "plan/storage.h"

static uint32_t count_values(const struct lsi_flow_values *v)
{
	return 1 + v->leaves + v->sums;
}

/* ---- Results */

static int add_result(
	const struct lsi_flow_values *v, int64_t node, int64_t block, struct lsi_flow_results *out)
{
	const int64_t cell = lsi_storage_cell(v->plan, node, LS_OUTPUT, block);
	const uint32_t value = v->held[node * v->cells + cell];
	const uint32_t over =
		cell < (int64_t)v->inputs ? (uint32_t)(node * (int64_t)v->inputs + cell + 1) : 0;

	if (value == 0)
		return LS_ERR_LAW;
	if (value == over)
		return LS_OK;
	out->at[out->n++] = (struct lsi_flow_result){
		.target = { (uint32_t)(2 * node + 1), (uint32_t)block }, .value = value, .over = over
	};
	return LS_OK;
}

int lsi_flow_results_make(
	const struct lsi_flow_values *v, int64_t first, int64_t last, struct lsi_flow_results *out)
{
	const struct ls_plan *plan = v->plan;
	const enum ls_operation operation = plan->problem.operation;
	const int64_t blocks = lsi_buffer_blocks(plan, LS_OUTPUT);
	int failed = LS_OK;

	*out = (struct lsi_flow_results){ 0 };
	out->at = lsi_alloc((size_t)((last - first) * blocks) * sizeof *out->at);
	if (!out->at)
		return LS_ERR_MEMORY;
	for (int64_t u = first; u < last; u++) {
		const bool none = operation == LS_BARRIER || (operation == LS_EXSCAN && u == 0)
			|| !lsi_storage_has(plan, u, LS_OUTPUT);

		for (int64_t b = 0; b < blocks && !none && !failed; b++)
			failed = add_result(v, u, b, out);
	}
	return failed;
}

/* Descending, so that the results of a value are linked in ascending order. */
static void link_results(struct lsi_flow_graph *g)
{
	for (uint32_t i = g->results; i-- > 0;) {
		struct lsi_flow_result *r = &g->result[i];

		r->next = g->first[r->value];
		g->first[r->value] = i + 1;
		g->uses[r->value]++;
		if (r->over)
			g->covered[r->over] = i + 1;
	}
}

/* A sum has a higher number than its operands, so its uses are complete when it is visited. */
static void find_uses(struct lsi_flow_graph *g)
{
	const struct lsi_flow_values *v = g->values;

	for (uint32_t value = count_values(v) - 1; value > v->leaves; value--) {
		if (g->uses[value]) {
			g->uses[lsi_flow_value_sum(v, value)->a]++;
			g->uses[lsi_flow_value_sum(v, value)->b]++;
		}
	}
}

/*
 * Sethi-Ullman numbers (J. ACM 17(4), 1970): the operand with the larger number is computed first.
 */
static void find_depths(struct lsi_flow_graph *g)
{
	const struct lsi_flow_values *v = g->values;

	for (uint32_t value = v->leaves + 1; value < count_values(v); value++) {
		const uint32_t a = g->depth[lsi_flow_value_sum(v, value)->a];
		const uint32_t b = g->depth[lsi_flow_value_sum(v, value)->b];

		g->depth[value] = a == b ? a + 1 : a > b ? a : b;
	}
}

/* ---- Components, by union-find */

static uint32_t find_root(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x)
		x = parent[x] = parent[parent[x]];
	return x;
}

/*
 * Whether all moves that use a value are in one component.  They are, unless the value is an
 * operand that no result overwrites.
 */
static bool is_tied(const struct lsi_flow_graph *g, uint32_t value)
{
	return lsi_flow_value_is_sum(g->values, value) || g->covered[value];
}

static void unite_components(
	const struct lsi_flow_graph *g, uint32_t *parent, uint32_t x, uint32_t y)
{
	if (x && y && is_tied(g, x) && is_tied(g, y))
		parent[find_root(parent, x)] = find_root(parent, y);
}

static void unite_all(const struct lsi_flow_graph *g, uint32_t *parent)
{
	const struct lsi_flow_values *v = g->values;

	for (uint32_t value = 0; value < count_values(v); value++)
		parent[value] = value;
	for (uint32_t value = v->leaves + 1; value < count_values(v); value++) {
		if (g->uses[value]) {
			unite_components(g, parent, value, lsi_flow_value_sum(v, value)->a);
			unite_components(g, parent, value, lsi_flow_value_sum(v, value)->b);
		}
	}
	for (uint32_t i = 0; i < g->results; i++)
		unite_components(g, parent, g->result[i].value, g->result[i].over);
}

/* Whether a result and the one before it are copies of adjacent blocks to adjacent blocks. */
static bool continues_copy(const struct lsi_flow_graph *g, const struct lsi_flow_result *r)
{
	const struct lsi_flow_result *before = r - 1;

	return r > g->result && r->target.base == before->target.base
		&& r->target.block == before->target.block + 1 && r->value == before->value + 1
		&& !before->over && !is_tied(g, before->value)
		&& !lsi_flow_value_is_sum(g->values, r->value)
		&& lsi_flow_leaves_touch(g->values, before->value, r->value);
}

/* Number components by their first results. of[root]: 1 + the component of that root. */
static void number_components(struct lsi_flow_graph *g, uint32_t *parent, uint32_t *of)
{
	for (uint32_t i = 0; i < g->results; i++) {
		struct lsi_flow_result *r = &g->result[i];
		const uint32_t tied = is_tied(g, r->value) ? r->value : r->over;
		const uint32_t root = tied ? find_root(parent, tied) : 0;

		if (!tied) {
			r->component = continues_copy(g, r) ? g->components - 1 : g->components++;
		} else {
			if (!of[root])
				of[root] = ++g->components;
			r->component = of[root] - 1;
		}
	}
}

/* Sort the results by component, stably. */
static bool sort_results(struct lsi_flow_graph *g)
{
	uint32_t *at = lsi_alloc_zero(g->components + 1, sizeof *at);

	if (!at)
		return false;
	for (uint32_t i = 0; i < g->results; i++)
		at[g->result[i].component + 1]++;
	for (uint32_t c = 0; c < g->components; c++)
		at[c + 1] += at[c];
	for (uint32_t i = 0; i < g->results; i++)
		g->order[at[g->result[i].component]++] = i;
	lsi_free(at);
	return true;
}

static bool find_components(struct lsi_flow_graph *g)
{
	uint32_t *parent = lsi_alloc(count_values(g->values) * sizeof *parent);
	uint32_t *of = lsi_alloc_zero(count_values(g->values), sizeof *of);
	const bool allocated = parent && of;

	if (allocated) {
		unite_all(g, parent);
		number_components(g, parent, of);
	}
	lsi_free(parent);
	lsi_free(of);
	return allocated && sort_results(g);
}

/* ---- The graph */

int lsi_flow_graph_make(const struct lsi_flow_values *v, const struct lsi_flow_results *results,
	struct lsi_flow_graph *g)
{
	*g = (struct lsi_flow_graph){ .values = v, .result = results->at, .results = results->n };
	g->order = lsi_alloc(results->n * sizeof *g->order);
	g->uses = lsi_alloc_zero(count_values(v), sizeof *g->uses);
	g->first = lsi_alloc_zero(count_values(v), sizeof *g->first);
	g->covered = lsi_alloc_zero(count_values(v), sizeof *g->covered);
	g->depth = lsi_alloc_zero(count_values(v), sizeof *g->depth);
	if (!g->order || !g->uses || !g->first || !g->covered || !g->depth)
		return LS_ERR_MEMORY;
	link_results(g);
	find_uses(g);
	find_depths(g);
	return find_components(g) ? LS_OK : LS_ERR_MEMORY;
}

void lsi_flow_graph_release(struct lsi_flow_graph *g)
{
	lsi_free(g->order);
	lsi_free(g->uses);
	lsi_free(g->first);
	lsi_free(g->covered);
	lsi_free(g->depth);
}
