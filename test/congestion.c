/*
 * Congestion: the loads of links equal those that this test counts along every route, and so do
 * the predicted times of routed plans.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* What this test counts for one round: messages and words by pairs of vertices. */
struct book {
	const ls_topology *topology;
	int64_t all, round;
	int64_t *messages, *words;
	struct ls_round_load now;
	double time; /* of the rounds before, in t_s = 100, t_w = 10, t_h = 1 */
	int64_t load;
};

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void close_round(struct book *book)
{
	book->load = greater(book->load, book->now.messages);
	book->time += 100 + 10 * (double)book->now.words + (double)book->now.hops;
	book->now = (struct ls_round_load){ 0 };
	memset(book->messages, 0, (size_t)(book->all * book->all) * sizeof *book->messages);
	memset(book->words, 0, (size_t)(book->all * book->all) * sizeof *book->words);
}

static int enter(void *context, const struct ls_record *row)
{
	struct book *book = context;
	int64_t hops = 0;

	if (row->round != book->round && book->round > 0)
		close_round(book);
	book->round = row->round;
	for (int64_t at = row->src, next; at != row->dst; at = next, hops++) {
		next = ls_neighbor(book->topology, at, ls_first_hop(book->topology, at, row->dst));

		const int64_t link = at * book->all + next;

		book->words[link] += (int64_t)row->words;
		book->now.words = greater(book->now.words, book->words[link]);
		book->now.messages = greater(book->now.messages, ++book->messages[link]);
	}
	book->now.hops = greater(book->now.hops, hops);
	return 0;
}

static int64_t costs;

static void check_cell(const struct cell *cell, void *context)
{
	const size_t n = 3 * (size_t)cell->problem.nodes + 2;
	struct book book = { .topology = cell->problem.topology,
		.all = ls_topology_vertices(cell->problem.topology) };
	struct ls_certificate found = { .size = sizeof found };
	struct ls_plan *plan;
	double cost;

	(void)context;
	if (cell->problem.mode != LS_ROUTED || cell->problem.in_place || cell->problem.nodes == 1)
		return;
	plan = plan_of(cell);
	book.messages = calloc((size_t)(book.all * book.all), sizeof *book.messages);
	book.words = calloc((size_t)(book.all * book.all), sizeof *book.words);
	if (!book.messages || !book.words)
		exit(1);
	ls_trace_plan(plan, n, enter, &book);
	if (book.round > 0)
		close_round(&book);
	cost = ls_plan_cost(plan, n, 1, (struct ls_cost_model){ 100, 10, 1 });
	CHECK(cost == book.time, "%s: %g, not %g", cell_name(cell).text, cost, book.time);
	CHECK(ls_check(plan, n, NULL, &found) == LS_OK && found.link_load == book.load,
		"%s: load %" PRId64 ", not %" PRId64 " %s", cell_name(cell).text, found.link_load,
		book.load, found.text);
	costs++;
	free(book.messages);
	free(book.words);
	ls_plan_destroy(plan);
}

static void check_network(const char *spec, void *context)
{
	ls_topology *t = topology_of(spec);

	each_cell(t, 3, check_cell, context);
	ls_topology_destroy(t);
}

/* T as the literature has it: rounds t_s + volume t_w, for m words. */
static const struct {
	const char *topology, *algorithm;
	enum ls_operation operation;
	int64_t shift, rounds, volume, load;
} formulas[] = {
	/* Doubling on a ring or a tree: (t_s log p + t_w m (p - 1)). */
	{ "ring:16", "doubling", LS_ALLREDUCE, 0, 4, 15, 8 },
	{ "tree:16", "doubling", LS_ALLREDUCE, 0, 4, 15, 8 },
	/*
	 * On a tree the all-gather of the hypercube: t_s log p + t_w m (p^2 - 1) / 3; round the leaves
	 * p - 1.
	 */
	{ "tree:16", "doubling", LS_ALLGATHER, 0, 4, 85, 8 },
	{ "tree:16", "ring", LS_ALLGATHER, 0, 15, 15, 1 },
	/* A circular shift in one step: min(q, p - q) messages on a link. */
	{ "ring:16", "direct", LS_SHIFT, 5, 1, 5, 5 },
	{ "ring:16", "direct", LS_SHIFT, 13, 1, 3, 3 },
	{ "tree:16", "direct", LS_SHIFT, 5, 1, 5, 5 },
	/* The E-cube routes of any shift on a hypercube are disjoint. */
	{ "hypercube:4", "ecube", LS_SHIFT, 5, 1, 1, 1 },
	{ "hypercube:4", "ecube", LS_ALLTOALL, 0, 15, 15, 1 },
	/* Broadcast, the textbook's order and the wrong one: 1, 2, 4. */
	{ "linear:8", "binomial", LS_BROADCAST, 0, 3, 3, 1 },
	{ "linear:8", "wrong-order", LS_BROADCAST, 0, 3, 7, 4 },
};

static void test_formulas(void)
{
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
		ls_topology *t = topology_of(formulas[i].topology);
		const struct ls_request r = { .size = sizeof r,
			.topology = t,
			.mode = LS_ROUTED,
			.operation = formulas[i].operation,
			.algorithm = formulas[i].algorithm,
			.shift = formulas[i].shift,
			.count = 7 };
		const double want = 1000 * (double)formulas[i].rounds + 7 * (double)formulas[i].volume;
		struct ls_candidate c = { .size = sizeof c };
		struct ls_error why = { .size = sizeof why };
		ls_plan *plan = NULL;

		CHECK(ls_plan_make(&r, &plan, &why) == LS_OK, "%zu: %s", i, why.text);
		if (!plan)
			exit(1);
		CHECK(ls_plan_cost(plan, 7, 1, ls_cost_model_default) == want, "%s %s: %g, not %g",
			formulas[i].topology, formulas[i].algorithm,
			ls_plan_cost(plan, 7, 1, ls_cost_model_default), want);
		CHECK(ls_candidate_list(&r, 0, &c) && c.load == formulas[i].load, "%s %s: load %" PRId64,
			formulas[i].topology, formulas[i].algorithm, c.load);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* The hypercube's doubling on a ring of as many nodes costs as the ring's own. */
static void test_embedded(void)
{
	const struct ls_cost_model model = { 100, 10, 1 };
	ls_topology *cube = topology_of("hypercube:3"), *ring = topology_of("ring:8");
	struct ls_request r = { .size = sizeof r, .operation = LS_ALLGATHER, .algorithm = "doubling" };
	ls_embedding *e;
	ls_plan *guest, *own;

	r.topology = cube;
	CHECK(ls_plan_make(&r, &guest, NULL) == LS_OK, "hypercube:3");
	r.topology = ring;
	r.mode = LS_ROUTED;
	CHECK(ls_plan_make(&r, &own, NULL) == LS_OK, "ring:8");
	CHECK(ls_embedding_make(cube, ring, "identity", &e, NULL) == LS_OK, "identity");
	CHECK(ls_plan_cost_on(guest, e, 5, 1, model) == ls_plan_cost(own, 5, 1, model), "%g, %g",
		ls_plan_cost_on(guest, e, 5, 1, model), ls_plan_cost(own, 5, 1, model));
	CHECK(ls_plan_cost(guest, 5, 1, model) < ls_plan_cost(own, 5, 1, model), "no congestion");
	ls_embedding_destroy(e);
	ls_plan_destroy(guest);
	ls_plan_destroy(own);
	ls_topology_destroy(ring);
	ls_topology_destroy(cube);
}

/* The links of the last round of Figure 4.12: each link up carries four messages of four words. */
struct links {
	int64_t count, last;
};

static int take(void *context, const struct ls_link_load *link)
{
	struct links *links = context;

	CHECK(link->to == (link->from + 1) % 8 && link->messages == 4 && link->words == 16,
		"%" PRId64 " to %" PRId64, link->from, link->to);
	CHECK(link->from > links->last, "in order");
	links->last = link->from;
	return ++links->count == 8 ? 77 : 0;
}

static void test_links(void)
{
	ls_topology *ring = topology_of("ring:8");
	const struct ls_request r = { .size = sizeof r,
		.topology = ring,
		.mode = LS_ROUTED,
		.operation = LS_ALLGATHER,
		.algorithm = "doubling" };
	struct ls_round_load load = { .size = sizeof load };
	struct links links = { 0, -1 };
	ls_plan *plan;

	CHECK(ls_plan_make(&r, &plan, NULL) == LS_OK, "doubling");

	const int64_t last = ls_plan_steps(plan) - 1;

	CHECK(ls_plan_link_loads(plan, NULL, last, 1, take, &links) == 77 && links.count == 8, "links");
	CHECK(ls_plan_round_load(plan, NULL, last, 1, &load) == LS_OK, "load");
	CHECK(
		load.messages == 4 && load.words == 16 && load.longest == 4 && load.hops == 4, "the most");
	ls_plan_destroy(plan);
	ls_topology_destroy(ring);
}

int main(void)
{
	each_network(is_fast() ? 12 : 24, is_fast() ? 6 : 12, check_network, NULL);
	CHECK(costs > (is_fast() ? 100 : 1000), "%" PRId64 " plans", costs);
	test_formulas();
	test_embedded();
	test_links();
	return test_result();
}
