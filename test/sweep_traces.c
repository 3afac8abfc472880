/*
 * Plans without contents: the counts of a sweep, the violation that it names, and the calls that
 * refuse such a plan.  The expected result of each small trial is stated with it; a large plan must
 * give back the trace that it was made from.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/collective.h>
#include <lockstep/sweep.h>
#include <lockstep/schedule.h>
#include <lockstep/trace.h>

#include "support/cells.h"
#include "test.h"

enum { ROWS = 8 };

struct expected {
	int kind;
	int64_t node, peer, round, link;
	int64_t rounds, messages, words; /* ended before */
};

struct trial {
	const char *spec;
	enum ls_mode mode;
	int ports;
	bool strict;
	struct ls_message row[ROWS]; /* round 0: the end */
	struct expected want;
};

#define NOTHING LS_OK, -1, -1, -1, -1

static const struct trial trials[] = {
	{ "ring:4", LS_HOP, 0, false, { { 0 } }, { NOTHING, 0, 0, 0 } },
	/* Rows in any order; a round without messages; a message of no words. */
	{ "ring:4", LS_HOP, 1, false,
		{ { 3, 0, 1, false, 5 }, { 1, 2, 1, false, 0 }, { 1, 1, 2, false, 7 } },
		{ NOTHING, 3, 3, 12 } },
	/* The lowest rank of the first round that is broken. */
	{ "ring:4", LS_HOP, 1, false,
		{ { 2, 3, 1, false, 1 }, { 2, 2, 0, false, 1 }, { 1, 0, 1, false, 2 },
			{ 3, 0, 2, false, 1 } },
		{ LS_ERR_LINK, 2, 0, 2, -1, 1, 1, 2 } },
	{ "complete:6", LS_HOP, 4, false,
		{ { 1, 0, 1, false, 1 }, { 1, 0, 2, false, 1 }, { 1, 0, 3, false, 1 },
			{ 1, 0, 4, false, 1 } },
		{ NOTHING, 1, 4, 4 } },
	/* More messages than any node has ports. */
	{ "complete:6", LS_HOP, 4, false,
		{ { 1, 0, 1, false, 1 }, { 1, 0, 2, false, 1 }, { 1, 0, 3, false, 1 },
			{ 1, 0, 4, false, 1 }, { 1, 0, 5, false, 1 } },
		{ LS_ERR_PORT, 0, 5, 1, 4, 0, 0, 0 } },
	{ "complete:6", LS_HOP, 4, false,
		{ { 1, 1, 0, false, 1 }, { 1, 2, 0, false, 1 }, { 1, 3, 0, false, 1 },
			{ 1, 4, 0, false, 1 }, { 1, 5, 0, false, 1 } },
		{ LS_ERR_PORT, 0, 5, 1, 4, 0, 0, 0 } },
	/* Two messages to one node take two ports. */
	{ "ring:4", LS_HOP, 2, false, { { 1, 0, 1, false, 1 }, { 1, 0, 1, false, 2 } },
		{ NOTHING, 1, 2, 3 } },
	/* A message without a link takes no port of its receiver. */
	{ "ring:8", LS_HOP, 1, false, { { 1, 4, 1, false, 1 }, { 1, 0, 1, false, 1 } },
		{ LS_ERR_LINK, 4, 1, 1, -1, 0, 0, 0 } },
	{ "ring:4", LS_HOP, 1, false, { { 1, 1, 1, false, 1 } },
		{ LS_ERR_LINK, 1, 1, 1, -1, 0, 0, 0 } },
	/* A node that waits for ever is a deadlock, unless the round breaks a rule. */
	{ "ring:4", LS_HOP, 1, false,
		{ { 1, 0, 1, false, 1 }, { 2, 3, 2, true, 0 }, { 2, 2, 1, true, 0 } },
		{ LS_ERR_DEADLOCK, 1, 2, 2, -1, 1, 1, 1 } },
	{ "ring:4", LS_HOP, 1, false, { { 1, 1, 0, true, 0 }, { 1, 3, 1, false, 1 } },
		{ LS_ERR_LINK, 3, 1, 1, -1, 0, 0, 0 } },
	{ "ring:4", LS_HOP, 1, false, { { 1, 2, 0, true, 0 } }, { LS_ERR_LINK, 0, 2, 1, -1, 0, 0, 0 } },
	{ "linear:4", LS_ROUTED, 1, false, { { 1, 0, 2, false, 1 }, { 1, 1, 3, false, 1 } },
		{ NOTHING, 1, 2, 2 } },
	{ "linear:4", LS_ROUTED, 1, true, { { 1, 0, 2, false, 1 }, { 1, 1, 3, false, 1 } },
		{ LS_ERR_CONGESTION, 0, 2, 1, -1, 0, 0, 0 } },
};

static ls_plan *plan_of_trace(const struct trial *trial, const ls_topology *t)
{
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .mode = trial->mode, .ports = trial->ports
	};
	size_t n = 0;
	ls_plan *plan;

	while (n < ROWS && trial->row[n].round)
		n++;
	if (ls_plan_from_messages(&request, trial->row, n, &plan, NULL) != LS_OK)
		exit(1);
	return plan;
}

static void test_trial(const struct trial *trial, int workers)
{
	const struct expected *want = &trial->want;
	ls_topology *t = topology_of(trial->spec);
	ls_plan *plan = plan_of_trace(trial, t);
	const struct ls_sweep sweep = {
		.size = sizeof sweep, .plan = plan, .workers = workers, .strict = trial->strict
	};
	struct ls_sweep_result out = { .size = sizeof out };
	const int status = ls_sweep_run(&sweep, &out);
	const struct ls_error *e = &out.error;

	CHECK(status == want->kind && e->kind == want->kind && e->node == want->node
			&& e->peer == want->peer && e->round == want->round
			&& (want->link < 0 || e->link == want->link),
		"trial %zu, %d workers: %s, node %" PRId64 ", peer %" PRId64 ", round %" PRId64
		", link %" PRId64 ": %s",
		(size_t)(trial - trials), workers, ls_status_name(status), e->node, e->peer, e->round,
		e->link, e->text);
	CHECK(out.stats.rounds == want->rounds && out.stats.messages == want->messages
			&& out.stats.words == want->words && out.stats.bytes == 8 * want->words,
		"trial %zu: %" PRId64 " rounds, %" PRId64 " messages, %" PRId64 " words",
		(size_t)(trial - trials), out.stats.rounds, out.stats.messages, out.stats.words);
	CHECK(!out.proved, "trial %zu: proved", (size_t)(trial - trials));
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- The trace of a plan, as a plan */

struct recorded {
	struct ls_message *row;
	size_t n;
	int64_t words;
};

static int record(void *context, const struct ls_record *message)
{
	struct recorded *to = context;

	to->row = realloc(to->row, (to->n + 1) * sizeof *to->row);
	to->row[to->n++] =
		(struct ls_message){ message->round, message->src, message->dst, false, message->words };
	to->words += (int64_t)message->words;
	return 0;
}

static void record_again(void *context, const struct ls_record *message)
{
	record(context, message);
}

static bool is_same(const struct recorded *a, const struct recorded *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		if (a->row[i].round != b->row[i].round || a->row[i].src != b->row[i].src
			|| a->row[i].dst != b->row[i].dst || a->row[i].words != b->row[i].words)
			return false;
	}
	return a->n == b->n;
}

static void test_recorded(const char *spec, enum ls_operation operation)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = operation, .count = 3
	};
	struct recorded first = { 0 }, again = { 0 };
	struct ls_sweep_result out = { .size = sizeof out };
	ls_plan *plan, *trace_plan;

	if (ls_plan_make(&request, &plan, NULL) != LS_OK || ls_trace_plan(plan, 3, record, &first))
		exit(1);

	if (ls_plan_from_messages(&request, first.row, first.n, &trace_plan, NULL) != LS_OK)
		exit(1);

	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = trace_plan,
		.workers = 3,
		.trace = record_again,
		.trace_context = &again };

	CHECK(ls_sweep_run(&sweep, &out) == LS_OK, "%s: %s", spec, out.error.text);
	CHECK(out.stats.messages == (int64_t)first.n && out.stats.words == first.words
			&& out.stats.rounds == ls_plan_rounds(plan)
			&& ls_plan_predict(trace_plan, 1).messages == (int64_t)first.n,
		"%s: %" PRId64 " messages", spec, out.stats.messages);
	CHECK(is_same(&first, &again), "%s: another trace", spec);
	free(first.row);
	free(again.row);
	ls_plan_destroy(trace_plan);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Refusals */

static void test_messages(const ls_topology *t)
{
	static const struct ls_message bad[] = { { 0, 0, 1, false, 1 }, { 1, -1, 1, false, 1 },
		{ 1, 0, 4, false, 1 }, { 1, 4, 0, true, 1 } };
	struct ls_request request = { .size = sizeof request, .topology = t };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(ls_plan_from_messages(&request, &bad[i], 1, &plan, &why) == LS_ERR_ARGUMENT
				&& why.text[0],
			"message %zu: accepted", i);
	request.ports = LS_PORTS + 1;
	CHECK(ls_plan_from_messages(&request, NULL, 0, &plan, &why) == LS_ERR_ARGUMENT,
		"ports: accepted");
}

static int call_with_plan(ls_node *me, void *plan)
{
	double in = 1, out;
	const struct ls_call call = { .size = sizeof call,
		.operation = LS_SHIFT,
		.input = &in,
		.output = &out,
		.count = 1,
		.type = LS_DOUBLE,
		.plan = plan };

	const int status = ls_collective(me, &call);

	CHECK(status == LS_ERR_ARGUMENT, "called on a machine: %s", ls_status_name(status));
	return status;
}

static void test_refusals(void)
{
	static const struct trial empty = { "ring:1", LS_HOP, 1, false, { { 0 } }, { 0 } };
	ls_topology *ring = topology_of("ring:4"), *t = topology_of("ring:1");
	ls_plan *plan = plan_of_trace(&empty, t);
	struct ls_sweep_result out = { .size = sizeof out };
	ls_embedding *embedding;
	ls_machine *machine;

	test_messages(ring);
	if (ls_embedding_make(t, t, "identity", &embedding, NULL) != LS_OK
		|| ls_machine_make(t, NULL, &machine) != LS_OK)
		exit(1);
	const struct ls_sweep sweep = { .size = sizeof sweep, .plan = plan, .embedding = embedding };

	CHECK(ls_sweep_run(&sweep, &out) == LS_ERR_UNSUPPORTED, "embedded: %s", out.error.text);
	CHECK(ls_run(machine, call_with_plan, plan) != LS_OK, "called on a machine");
	ls_machine_destroy(machine);
	ls_embedding_destroy(embedding);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	ls_topology_destroy(ring);
}

int main(void)
{
	for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
		for (int workers = 1; workers < 4; workers++)
			test_trial(&trials[i], workers);
	test_recorded("star:4", LS_ALLREDUCE);
	test_recorded("hypercube:5", LS_ALLTOALL);
	test_recorded("ring:1", LS_ALLREDUCE);
	test_refusals();
	return test_result();
}
