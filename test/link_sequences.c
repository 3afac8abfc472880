/*
 * Link sequences: each one reaches every node, in the stated number of rounds.  Their costs are
 * tested where proofs of plans do not reach.  A sequence that is too short is detected, also with
 * little memory.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/check.h>

#include "base/alloc.h"
#include "collective/cayley/sequence_paths.h"
#include "support/cells.h"
#include "test.h"

/* The number of nodes that subsequences lead to from node 0, counted directly. */
static int64_t reached(const ls_topology *t, int64_t rounds)
{
	bool *in = calloc((size_t)t->nodes, sizeof *in);
	bool *more = calloc((size_t)t->nodes, sizeof *more);
	int64_t count = 1;

	CHECK(in && more, "no memory");
	in[0] = true;
	for (int64_t r = 0; r < rounds; r++) {
		const int64_t link = lsi_sequence_link(t, r);

		CHECK(link >= 0 && link < t->degree, "%s: link %" PRId64, t->spec, link);
		memset(more, 0, (size_t)t->nodes * sizeof *more);
		for (int64_t u = 0; u < t->nodes; u++)
			if (in[u])
				more[ls_neighbor(t, u, link)] = true;
		for (int64_t u = 0; u < t->nodes; u++) {
			count += more[u] && !in[u];
			in[u] |= more[u];
		}
	}
	free(more);
	free(in);
	return count;
}

static const struct {
	const char *spec;
	int64_t rounds;
} sequences[] = {
	{ "star:2", 1 },
	{ "star:3", 3 },
	{ "star:4", 6 },
	{ "star:5", 9 },
	{ "star:6", 13 },
	{ "star:7", 17 },
	{ "star:8", 22 },
	{ "star:9", 27 },
	{ "pancake:3", 3 },
	{ "pancake:4", 5 },
	{ "pancake:5", 8 },
	{ "pancake:6", 11 },
	{ "pancake:7", 15 },
	{ "pancake:8", 19 },
	{ "pancake:9", 23 },
	{ "bubblesort:4", 6 },
	{ "bubblesort:7", 21 },
	{ "ring:2", 1 },
	{ "ring:9", 8 },
	{ "torus:1x2x3x4", 6 },
	{ "hypercube:7", 7 },
	{ "complete:1", 0 },
	{ "complete:64", 6 },
	{ "complete:65", 7 },
	{ "star:4*star:3", 9 },
	{ "ring:3*hypercube:2*pancake:4", 9 },
};

static void test_sequences(void)
{
	for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
		ls_topology *t = topology_of(sequences[i].spec);
		const int64_t rounds = lsi_sequence_rounds(t);

		CHECK(rounds == sequences[i].rounds, "%s: %" PRId64 " links", t->spec, rounds);
		CHECK(reached(t, rounds) == t->nodes, "%s", t->spec);
		CHECK(rounds == 0 || reached(t, rounds - 1) < t->nodes, "%s: one link too many", t->spec);
		ls_topology_destroy(t);
	}
}

/* Sequences too long to try: those of levels, whose links are known. */
static void test_levels(void)
{
	ls_topology *star = topology_of("star:11"), *pancake = topology_of("pancake:11");
	const int64_t down[] = { 8, 7, 6, 5, 4, 3, 2, 1, 0 }, flips[] = { 8, 0, 2, 6, 7 };

	CHECK(lsi_sequence_rounds(star) == 27 + 9 + 10, "%" PRId64, lsi_sequence_rounds(star));
	CHECK(lsi_sequence_rounds(pancake) == 19 + 4 + 5 + 5, "%" PRId64, lsi_sequence_rounds(pancake));
	for (int i = 0; i < 9; i++)
		CHECK(lsi_sequence_link(star, 27 + i) == down[i], "star: link %d", i);
	for (int i = 0; i < 5; i++)
		CHECK(lsi_sequence_link(pancake, 19 + 4 + i) == flips[i], "pancake: link %d", i);
	ls_topology_destroy(pancake);
	ls_topology_destroy(star);
}

/* The formulas of gather and total exchange, against their tables. */
static void test_costs(const char *spec)
{
	ls_topology *t = topology_of(spec);
	const struct lsi_sequence_costs costs = lsi_sequence_costs_of(t);
	struct ls_plan plan = { .problem = { .topology = t, .nodes = t->nodes },
		.frame = { .rounds = lsi_sequence_rounds(t) } };
	int64_t messages = 0;

	CHECK(lsi_sequence_gather_prepare(&plan) == LS_OK, "%s", spec);

	const struct lsi_sequence_gather *g = plan.table;

	for (int64_t i = 0; i < g->entries; i++)
		messages += i == 0 || g->hop[i].key != g->hop[i - 1].key;
	CHECK(g->entries == costs.first_path_hops && messages == costs.first_path_messages,
		"%s: %" PRId64 " hops, %" PRId64 " messages", spec, g->entries, messages);
	lsi_free(plan.table);
	plan.table = NULL;
	CHECK(lsi_sequence_exchange_prepare(&plan) == LS_OK, "%s", spec);

	const struct lsi_sequence_exchange *x = plan.table;

	CHECK(x->first[plan.frame.rounds] == costs.shortest_path_hops, "%s: %" PRId64 " hops", spec,
		x->first[plan.frame.rounds]);
	lsi_free(plan.table);
	ls_topology_destroy(t);
}

/*
 * A proof with little memory is equally exact: complete sequences pass, and shortened ones do not.
 */
static void test_little_memory(const char *spec, int64_t missing)
{
	ls_topology *t = topology_of(spec);
	const struct ls_check_options options = { .size = sizeof options, .memory = 1 };
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_BARRIER, .algorithm = "word"
	};
	struct ls_certificate c = { .size = sizeof c };
	struct ls_plan *plan;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK, "%s", spec);
	plan->frame.rounds -= missing;

	const int status = ls_check(plan, 0, &options, &c);

	CHECK(status == (missing ? LS_ERR_LAW : LS_OK), "%s: %s", spec, c.text);
	CHECK(!c.by_fingerprint, "%s", spec);
	CHECK(!missing || (c.broken_law == LS_LAW_RESULT && strstr(c.text, "lacks the contribution")),
		"%s: %s", spec, c.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	test_sequences();
	test_levels();
	test_costs("star:7");
	test_costs("star:8");
	test_costs("pancake:7");
	test_costs("pancake:8");
	test_costs("bubblesort:6");
	test_costs("complete:200");
	test_costs("star:4*bubblesort:4");
	for (int64_t missing = 0; missing <= 2; missing += 2) {
		test_little_memory("star:5", missing);
		test_little_memory("star:6", missing);
		test_little_memory("pancake:4", missing);
		test_little_memory("torus:5x13", missing);
	}
	return test_result();
}
