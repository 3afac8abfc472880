/*
 * A flow computes the bits that the nodes of its plan compute.
 *
 * The reference is the plan executed for all nodes, step by step, on buffers and copied messages,
 * by an interpreter without symbolic values.  The units of a flow are executed one by one in random
 * order, with temporaries that hold nothing of use to any of them.
 */
/* variants: release checked asan chaos */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/cooperative/flow_bind.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/operand.h"
#include "flow_reference.h"
#include "test.h"

/* ---- The flow */

static uint64_t state = 88172645463325252u;

static void shuffle(int64_t *order, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		order[i] = i;
	for (int64_t i = n - 1; i > 0; i--) {
		const int64_t k = random_below(&state, i + 1), other = order[k];

		order[k] = order[i];
		order[i] = other;
	}
}

/* Units in random order; or, together, in two runs of them. */
static void execute(
	const struct machine *m, const struct lsi_flow *flow, enum lsi_flow_direction way, bool apart)
{
	const struct lsi_flow_shape shape = lsi_flow_get_shape(flow);
	void *base[2 * NODES_MAX];
	char *temporaries = lsi_alloc_cache_aligned(shape.temporaries);
	int64_t *order = memory((size_t)shape.units, sizeof *order);
	const struct lsi_flow_memory at = { base, temporaries };
	const int64_t middle = shape.units / 2;

	for (int64_t u = 0; u < m->plan->problem.nodes; u++) {
		base[2 * u] = m->buffer[u][LS_INPUT];
		base[2 * u + 1] = m->buffer[u][LS_OUTPUT];
	}
	shuffle(order, shape.units);
	for (int64_t i = 0; i < shape.units && apart; i++) {
		memset(temporaries, (int)i, shape.temporaries);
		lsi_flow_execute(flow, &m->combine, at, order[i], order[i] + 1, way);
	}
	if (!apart) {
		lsi_flow_execute(flow, &m->combine, at, middle, shape.units, way);
		lsi_flow_execute(flow, &m->combine, at, 0, middle, way);
	}
	lsi_free(temporaries);
	free(order);
}

static void compare(
	const struct cell *cell, const struct machine *want, const struct machine *got, const char *how)
{
	for (int64_t u = 0; u < want->plan->problem.nodes; u++) {
		for (int b = LS_INPUT; b <= LS_OUTPUT; b++) {
			if (want->buffer[u][b])
				CHECK(memcmp(want->buffer[u][b], got->buffer[u][b], want->bytes[u][b]) == 0,
					"%s, %s, %zu elements%s, %s: %s of node %" PRId64, cell_name(cell).text,
					want->e->name, want->measure.n, want->measure.counts ? " (counts)" : "", how,
					b == LS_INPUT ? "INPUT" : "OUTPUT", u);
		}
	}
}

/* ---- Cells */

struct tally {
	int64_t turn, runs, single;
};

static void test_measure(const struct cell *cell, const struct ls_plan *plan, struct lsi_flow *flow,
	const struct lsi_measure *measure, struct tally *tally)
{
	static const int team[] = { 1, 2, 3, 7 };
	static const char *const ways[] = { "", ", backward", ", streaming" };
	const struct element *e = &element[tally->turn++ % ELEMENTS];
	struct machine *want, *got;

	while (cell->algorithm->claim < LS_ORDERED && !e->commutative)
		e = &element[tally->turn++ % ELEMENTS];
	want = machine_of(plan, e, measure);
	got = machine_of(plan, e, measure);
	play(want);
	for (int i = 0; i < 2; i++) {
		const int workers = team[(tally->turn + i) % 4];
		const enum lsi_flow_direction way = (enum lsi_flow_direction)((tally->turn + i) % 3);
		const bool apart = tally->turn / 2 % 4 != 3;
		char how[64];

		snprintf(
			how, sizeof how, "%d workers%s%s", workers, ways[way], apart ? ", units apart" : "");
		for (int64_t u = 0; u < plan->problem.nodes; u++)
			fill(got, u);
		if (lsi_flow_bind(flow, measure, e->size, workers) != LS_OK)
			exit(1);
		tally->runs++;
		tally->single += lsi_flow_get_shape(flow).units == 1;
		execute(got, flow, way, apart);
		compare(cell, want, got, how);
	}
	discard(want);
	discard(got);
}

static void test_counts(
	const struct cell *cell, const struct ls_plan *plan, struct lsi_flow *flow, struct tally *tally)
{
	static const size_t some[] = { 3, 0, 1, 200, 0, 7, 2, 3000 };
	size_t counts[NODES_MAX], offsets[NODES_MAX], at = 0;
	const struct lsi_measure measure = { .counts = counts, .offsets = offsets };

	for (int64_t u = 0; u < plan->problem.nodes; u++) {
		counts[u] = some[(u + tally->turn) % (tally->turn % 5 ? 7 : 8)];
		offsets[u] = at;
		at += counts[u];
	}
	test_measure(cell, plan, flow, &measure, tally);
}

static void test_cell(const struct cell *cell, void *context)
{
	const enum ls_operation operation = cell->problem.operation;
	const size_t p = (size_t)cell->problem.nodes;
	const size_t large = 20000 / (lsi_operation_is_vector(operation) ? p : p * p) + 5;
	const size_t counts[] = { 1, p - 1, 2 * p + 3, p, 300 / p, large, p + 1 };
	struct tally *tally = context;
	struct ls_plan *plan = plan_of(cell);
	struct lsi_flow *flow;
	const int made = lsi_flow_make(plan, &flow);

	CHECK(made == LS_OK, "%s: %d", cell_name(cell).text, made);
	if (made == LS_OK) {
		for (int i = 0; i < (p > 4 ? 1 : 2); i++) {
			const size_t n = counts[tally->turn % 7];

			test_measure(cell, plan, flow,
				&(struct lsi_measure){ .n = operation == LS_BARRIER ? 0 : n }, tally);
		}
		if (lsi_operation_gathers(operation) || lsi_operation_scatters(operation))
			test_counts(cell, plan, flow, tally);
		lsi_flow_destroy(flow);
	}
	ls_plan_destroy(plan);
}

/* ---- What flows refuse */

static struct ls_plan *named_plan(
	const ls_topology *t, enum ls_operation operation, const char *algorithm, bool in_place)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = operation,
		.algorithm = algorithm,
		.in_place = in_place };

	return plan_for(&request);
}

static int make_and_bind(const struct ls_plan *plan)
{
	struct lsi_flow *flow;
	int failed = lsi_flow_make(plan, &flow);

	if (failed)
		return failed;
	failed = lsi_flow_bind(flow, &(struct lsi_measure){ .n = 4000 }, 8, 2);
	lsi_flow_destroy(flow);
	return failed;
}

/* Each allocation fails in turn: that is said, and nothing is kept. */
static void test_memory(enum ls_operation operation, const char *algorithm, bool in_place)
{
	ls_topology *t = topology_of("complete:12");
	struct ls_plan *plan = named_plan(t, operation, algorithm, in_place);
	const long long before = atomic_load(&held);
	int status = LS_ERR_MEMORY;
	long long k = 0;

	while (status == LS_ERR_MEMORY && k < 200) {
		arm(&memory_calls, ++k);
		status = make_and_bind(plan);
		disarm();
		CHECK(atomic_load(&held) == before, "%s: allocation %lld", algorithm, k);
	}
	CHECK(status == LS_OK && k > 10, "%s: %d after %lld allocations", algorithm, status, k);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* One expression is computed once, and few values are kept at a time. */
static void test_economy(void)
{
	ls_topology *t = topology_of("complete:64");
	struct ls_plan *plan = named_plan(t, LS_ALLREDUCE, "doubling", false);
	struct lsi_flow *flow;

	if (lsi_flow_make(plan, &flow) != LS_OK)
		exit(1);

	const struct lsi_flow_moves *moves = &flow->moves;

	CHECK(moves->components == 1 && moves->reads == 64 && moves->moves[LSI_DIRECT] == 63 + 63
			&& moves->moves[LSI_STAGED] == 63 + 64,
		"%u components, %u reads, %u and %u moves", moves->components, moves->reads,
		moves->moves[LSI_DIRECT], moves->moves[LSI_STAGED]);
	CHECK(moves->temporaries[LSI_DIRECT] <= 6 && moves->temporaries[LSI_STAGED] <= 7,
		"%u and %u temporaries", moves->temporaries[LSI_DIRECT], moves->temporaries[LSI_STAGED]);
	lsi_flow_destroy(flow);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_size(void)
{
	ls_topology *t = topology_of("complete:3000");
	struct ls_plan *plan = named_plan(t, LS_ALLTOALL, "pairwise", false);

	CHECK(make_and_bind(plan) == LS_ERR_UNSUPPORTED, "18 million cells");
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "linear:3", "ring:3", "ring:5",
		"linear:6", "ring:8", "ring:13", "mesh:2x3", "mesh:1x4", "torus:3x4", "mesh:2x2x3",
		"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "complete:2", "complete:7",
		"complete:12", "star:3", "star:4", "tree:4", "bintree:3", "debruijn:3", "pancake:3",
		"bubblesort:3", "ring:3*linear:2", "mct:2,2", "graph:test/data/petersen", "complete:33" };
	const int64_t least = is_fast() ? 100 : 1000;
	struct tally tally = { 0 };

	elements_make(element);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i += is_fast() ? 2 : 1) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 3, test_cell, &tally);
		ls_topology_destroy(t);
	}
	elements_destroy(element);
	test_memory(LS_ALLREDUCE, "doubling", false);
	test_memory(LS_ALLTOALL, "pairwise", true);
	test_economy();
	test_size();
	printf("%" PRId64 " runs, %" PRId64 " of one unit\n", tally.runs, tally.single);
	CHECK(tally.single > least && tally.runs - tally.single > least, "units are not tried");
	return test_result();
}
