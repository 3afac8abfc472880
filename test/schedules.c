/*
 * Schedules: the plan that ls_plan_infer makes of bare messages.
 *
 * The messages of every algorithm of the table suffice for its operation, so the inferred plan
 * obeys every law, with the same rounds and messages.  For random schedules a flood on arrays of
 * booleans decides whether they suffice; the laws must agree.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/schedule.h>
#include <lockstep/trace.h>

#include "support/cells.h"
#include "test.h"

enum { MOST = 8, MESSAGES = 64, SCHEDULES = 4000 };

struct schedule {
	struct ls_message *message;
	size_t count, room;
};

static int add_message(void *context, const struct ls_record *row)
{
	struct schedule *s = context;

	if (s->count == s->room) {
		s->room = 2 * s->room + 64;
		s->message = realloc(s->message, s->room * sizeof *s->message);
		if (!s->message)
			exit(1);
	}
	s->message[s->count++] =
		(struct ls_message){ row->round, row->src, row->dst, false, row->words };
	return 0;
}

static struct ls_request request_of(const struct lsi_problem *problem)
{
	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = problem->topology,
		.operation = problem->operation,
		.mode = problem->mode,
		.root = problem->root,
		.shift = problem->shift,
		.ports = problem->ports };
}

/* ---- The messages of every algorithm */

static void test_cell(const struct cell *cell, void *unused)
{
	const struct ls_request request = request_of(&cell->problem);
	struct ls_plan *given, *inferred;
	struct schedule s = { 0 };
	struct ls_error why = { .size = sizeof why };
	struct ls_certificate found = { .size = sizeof found };

	(void)unused;
	if (cell->problem.in_place)
		return;
	given = plan_of(cell);
	ls_trace_plan(given, 1, add_message, &s);

	const int status = ls_plan_infer(&request, s.message, s.count, &inferred, &why);

	CHECK(status == LS_OK, "%s: infer: %s", cell_name(cell).text, why.text);
	if (status == LS_OK) {
		const struct ls_counts counts = ls_plan_predict(inferred, 1);

		CHECK(ls_check(inferred, 3, NULL, &found) == LS_OK, "%s: %s", cell_name(cell).text,
			found.text);
		CHECK(counts.rounds == (s.count > 0 ? s.message[s.count - 1].round : 0)
				&& counts.messages == (int64_t)s.count,
			"%s: %" PRId64 " rounds, %" PRId64 " messages", cell_name(cell).text, counts.rounds,
			counts.messages);
		ls_plan_destroy(inferred);
	}
	ls_plan_destroy(given);
	free(s.message);
}

static void test_network(const char *spec, void *unused)
{
	ls_topology *topology = topology_of(spec);

	each_cell(topology, 4, test_cell, unused);
	ls_topology_destroy(topology);
}

/* ---- Random schedules against a flood */

static uint64_t state = 7;

static int64_t draw(int64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)((state >> 33) % (uint64_t)below);
}

/* know[v][s][b]: node v has block b of node s. */
static struct flood {
	bool know[MOST][MOST][MOST], before[MOST][MOST][MOST];
} flood;

static int64_t operand_blocks(enum ls_operation o, int64_t p)
{
	return o == LS_SCATTER || o == LS_ALLTOALL || o == LS_REDUCE_SCATTER ? p : 1;
}

static bool has_operand(const struct ls_request *q, int64_t rank)
{
	return (q->operation != LS_BROADCAST && q->operation != LS_SCATTER) || rank == q->root;
}

/* Does node v need block b of node s in the end? */
static bool needs(const struct ls_request *q, int64_t p, int64_t v, int64_t s, int64_t b)
{
	switch (q->operation) {
	case LS_BROADCAST:
		return s == q->root;
	case LS_REDUCE:
	case LS_GATHER:
		return v == q->root;
	case LS_SCAN:
		return s <= v;
	case LS_EXSCAN:
		return s < v;
	case LS_SCATTER:
		return s == q->root && b == v;
	case LS_ALLTOALL:
	case LS_REDUCE_SCATTER:
		return b == v;
	case LS_SHIFT:
		return v == (s + q->shift) % p;
	default:
		return true;
	}
}

static bool has_any(bool know[MOST][MOST])
{
	bool *all = &know[0][0];

	for (int i = 0; i < MOST * MOST; i++)
		if (all[i])
			return true;
	return false;
}

/* -1: a node sends before it has anything; else whether all nodes get what they need. */
static int run_flood(const struct ls_request *q, int64_t p, const struct schedule *s)
{
	memset(&flood, 0, sizeof flood);
	for (int64_t r = 0; r < p; r++)
		for (int64_t b = 0; b < operand_blocks(q->operation, p); b++)
			flood.know[r][r][b] = has_operand(q, r);
	for (size_t i = 0; i < s->count; i++) {
		const struct ls_message m = s->message[i];

		if (i == 0 || m.round != s->message[i - 1].round)
			memcpy(flood.before, flood.know, sizeof flood.know);
		if (!has_any(flood.before[m.src]))
			return -1;
		for (int64_t k = 0; k < p; k++)
			for (int64_t b = 0; b < p; b++)
				flood.know[m.dst][k][b] |= flood.before[m.src][k][b];
	}
	for (int64_t v = 0; v < p; v++)
		for (int64_t k = 0; k < p; k++)
			for (int64_t b = 0; b < operand_blocks(q->operation, p); b++)
				if (needs(q, p, v, k, b) && !flood.know[v][k][b])
					return 0;
	return 1;
}

/* At most one message from and to each node in a round; never to itself. */
static void draw_schedule(int64_t p, struct schedule *s)
{
	const int64_t rounds = 1 + draw(6);

	s->count = 0;
	for (int64_t round = 1; round <= rounds; round++) {
		bool sends[MOST] = { false }, receives[MOST] = { false };

		for (int64_t tries = draw(2 * p + 1); tries > 0 && s->count < MESSAGES; tries--) {
			const int64_t src = draw(p), dst = draw(p);

			if (src == dst || sends[src] || receives[dst])
				continue;
			sends[src] = receives[dst] = true;
			s->message[s->count++] = (struct ls_message){ round, src, dst, false, 1 };
		}
	}
}

static void test_schedule(const ls_topology *topology, struct schedule *s, int *suffices)
{
	const int64_t p = ls_topology_nodes(topology);
	const struct ls_request q = { .size = sizeof q,
		.topology = topology,
		.operation = (enum ls_operation)draw(LS_OPERATIONS),
		.root = draw(p),
		.shift = draw(p) };
	struct ls_error why = { .size = sizeof why };
	struct ls_certificate found = { .size = sizeof found };
	struct ls_plan *plan;

	draw_schedule(p, s);

	const int truth = run_flood(&q, p, s);
	const int status = ls_plan_infer(&q, s->message, s->count, &plan, &why);

	CHECK((status == LS_ERR_LAW) == (truth < 0), "%s: %d, %s", ls_operation_name(q.operation),
		truth, why.text);
	if (status != LS_OK)
		return;
	CHECK((ls_check(plan, 2, NULL, &found) == LS_OK) == (truth > 0), "%s on %s: %s",
		ls_operation_name(q.operation), ls_topology_spec(topology), found.text);
	*suffices += truth > 0;
	ls_plan_destroy(plan);
}

static void test_random(void)
{
	struct ls_message message[MESSAGES];
	struct schedule s = { message, 0, MESSAGES };
	int suffices = 0;

	for (int i = 0; i < SCHEDULES; i++) {
		char spec[24];
		ls_topology *topology;

		snprintf(spec, sizeof spec, "complete:%d", 2 + (int)draw(i % 2 ? 2 : 6));
		topology = topology_of(spec);
		test_schedule(topology, &s, &suffices);
		ls_topology_destroy(topology);
	}
	CHECK(suffices > SCHEDULES / 50, "%d schedules suffice", suffices);
}

/* ---- Refused */

static void test_errors(void)
{
	static const struct ls_message bad[] = { { 1, 0, 9, false, 0 }, { 0, 0, 1, false, 0 },
		{ 1, -1, 0, false, 0 } };
	ls_topology *topology = topology_of("ring:4");
	struct ls_request q = { .size = sizeof q, .topology = topology, .operation = LS_BROADCAST };
	struct ls_error why = { .size = sizeof why };
	struct ls_plan *plan;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(ls_plan_infer(&q, &bad[i], 1, &plan, &why) == LS_ERR_ARGUMENT && !plan, "%zu", i);
	q.root = 4;
	CHECK(ls_plan_infer(&q, NULL, 0, &plan, &why) == LS_ERR_ARGUMENT, "root");
	q.root = 0;
	for (q.ports = -1; q.ports <= LS_PORTS + 1; q.ports += LS_PORTS + 2)
		CHECK(ls_plan_infer(&q, NULL, 0, &plan, &why) == LS_ERR_ARGUMENT, "%d ports", q.ports);
	q.ports = 0;

	/* A second send of a node in a round breaks law 1, a receive without a send law 2. */
	const struct ls_message twice[] = { { 1, 0, 1, false, 0 }, { 1, 0, 3, false, 0 },
		{ 2, 1, 2, false, 0 } };
	const struct ls_message never[] = { { 1, 0, 1, false, 0 }, { 2, 1, 2, true, 0 } };
	struct ls_certificate found = { .size = sizeof found };

	CHECK(ls_plan_infer(&q, twice, 3, &plan, &why) == LS_OK, "%s", why.text);
	CHECK(ls_check(plan, 1, NULL, &found) == LS_ERR_LAW && found.broken_law == LS_LAW_PORT, "%s",
		found.text);
	ls_plan_destroy(plan);
	CHECK(ls_plan_infer(&q, never, 2, &plan, &why) == LS_OK, "%s", why.text);
	CHECK(ls_check(plan, 1, NULL, &found) == LS_ERR_LAW && found.broken_law == LS_LAW_MATCH, "%s",
		found.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

int main(void)
{
	each_network(12, 6, test_network, NULL);
	test_random();
	test_errors();
	return test_result();
}
