/*
 * The observer of ls_check: what it returns, plans that break a law, unknown ranks, blocks that do
 * not exist, observers that lack a function; and every combination is evaluated once.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct seen {
	int64_t calls, stop_at, combined;
	int unknown; /* blocks with unknown ranks, or of another kind that the test counts */
};

static void put_number(void *context, int64_t rank, int64_t block, void *out)
{
	(void)context, (void)block;
	*(uint64_t *)out = (uint64_t)1 << rank % 60;
}

static void combine(void *context, const void *a, const void *b, void *out)
{
	((struct seen *)context)->combined++;
	*(uint64_t *)out = *(const uint64_t *)a + *(const uint64_t *)b;
}

static int check(const ls_plan *plan, int (*observe)(void *, const ls_replay *), struct seen *seen,
	size_t bytes, struct ls_certificate *found)
{
	const struct ls_observer observer = { .size = sizeof observer,
		.observe = observe,
		.context = seen,
		.bytes = sizeof(int64_t),
		.operand = put_number,
		.combine = combine };
	const struct ls_check_options options = {
		.size = sizeof options, .memory = bytes, .observer = &observer
	};

	*found = (struct ls_certificate){ .size = sizeof *found };
	return ls_check(plan, 1, &options, found);
}

static ls_plan *make(const char *spec, const char *algorithm, ls_topology **topology)
{
	struct ls_request request = {
		.size = sizeof request, .operation = LS_ALLREDUCE, .algorithm = algorithm
	};

	guard("%s on %s", algorithm, spec);
	*topology = topology_of(spec);
	request.topology = *topology;
	return plan_for(&request);
}

/* ---- The value of the observer */

static int stop(void *context, const ls_replay *replay)
{
	struct seen *seen = context;

	CHECK(ls_replay_steps(replay) == seen->calls, "step %" PRId64, ls_replay_steps(replay));
	return seen->calls++ == seen->stop_at ? 77 : 0;
}

static void test_stop(void)
{
	ls_topology *topology;
	ls_plan *plan = make("hypercube:3", "doubling", &topology);
	struct ls_certificate found;

	for (int64_t at = 0; at <= 4; at++) {
		struct seen seen = { .stop_at = at };
		const int status = check(plan, stop, &seen, 0, &found);

		CHECK(status == (at <= 3 ? 77 : LS_OK), "status %d at %" PRId64, status, at);
		CHECK(seen.calls == (at <= 3 ? at + 1 : 4), "%" PRId64 " calls", seen.calls);
		CHECK((found.laws != 0) == (at > 3) && found.broken_law == -1, "laws %x", found.laws);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* ---- Plans that break a law */

static const char broken_plan[] = "lockstep plan 1\noperation allreduce\nnodes 2\n"
								  "scratch S 1\n"
								  "local\n0: S[0] := INPUT\n1: S[0] := INPUT\n"
								  "round\n0: send S[0] to 1; receive 1 from 1\n"
								  "1: send S[0] to 0\n";

static int look(void *context, const ls_replay *replay)
{
	const struct ls_slice scratch = { .run = 1, .runs = 1, .buffer = LS_SCRATCH };
	struct ls_contents held[2] = { { .size = sizeof *held }, { .size = sizeof *held } };
	struct seen *seen = context;
	char text[20];

	/* Of the one slot of S, which every block of S is. */
	for (int64_t block = 0; block < 2; block++)
		CHECK(ls_replay_contents(replay, 1, LS_SCRATCH, block, &held[block]) == LS_OK
				&& held[block].holding == held[0].holding && held[block].first == held[0].first,
			"S[%" PRId64 "]", block);
	CHECK(ls_replay_text(replay, 1, &scratch, text, sizeof text) == seen->calls, "no text");
	CHECK(strcmp(text, seen->calls ? "1" : "") == 0, "'%s' in S", text);
	seen->calls++;
	return 0;
}

/* The observer sees the local step, but not the round that breaks law 2. */
static void test_broken(void)
{
	ls_topology *topology = topology_of("ring:2");
	struct ls_error why = { .size = sizeof why };
	struct seen seen = { 0 };
	struct ls_certificate found;
	ls_plan *plan;

	if (ls_plan_read(broken_plan, strlen(broken_plan), topology, &plan, &why) != LS_OK) {
		CHECK(false, "%s", why.text);
		exit(1);
	}
	CHECK(check(plan, look, &seen, 0, &found) == LS_ERR_LAW && found.broken_law == LS_LAW_MATCH,
		"%s", found.text);
	CHECK(seen.calls == 2, "%" PRId64 " calls", seen.calls);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* ---- Unknown ranks, and blocks that do not exist */

/* Without memory for sets ranks that are no range are unknown; values are not. */
static int count_unknown(void *context, const ls_replay *replay)
{
	struct seen *seen = context;
	const int64_t nodes = ls_plan_nodes(ls_replay_plan(replay));

	for (int64_t u = 0; u < nodes; u++) {
		const struct ls_slice output = { .run = 1, .runs = 1, .buffer = LS_OUTPUT };
		struct ls_contents held = { .size = sizeof held };
		char text[20];
		int64_t number;

		CHECK(ls_replay_contents(replay, u, LS_OUTPUT, 0, &held) == LS_OK, "no OUTPUT");
		if (held.holding != LS_HOLDS_UNKNOWN)
			continue;
		seen->unknown++;
		CHECK(held.first == -1 && held.count == -1 && held.block == 0, "unknown");
		CHECK(ls_replay_next(replay, u, LS_OUTPUT, 0, 0) == LS_NO_RANK, "a rank");
		CHECK(ls_replay_text(replay, u, &output, text, sizeof text) == 1 && text[0] == '?', "%s",
			text);
		CHECK(ls_replay_value(replay, u, LS_OUTPUT, 0, &number) == LS_OK, "no value");
		if (ls_replay_steps(replay) == ls_plan_steps(ls_replay_plan(replay)))
			CHECK(number == ((int64_t)1 << nodes) - 1, "%" PRIx64, number);
	}
	return 0;
}

/* Of 120 ranks, in sets of two words. */
static int count_ranks(void *context, const ls_replay *replay)
{
	struct seen *seen = context;

	for (int64_t u = 0; u < ls_plan_nodes(ls_replay_plan(replay)); u++) {
		struct ls_contents held = { .size = sizeof held };
		int64_t count = 0, next = ls_replay_next(replay, u, LS_OUTPUT, 0, 0);

		CHECK(ls_replay_contents(replay, u, LS_OUTPUT, 0, &held) == LS_OK, "no OUTPUT");
		if (held.holding != LS_HOLDS_RANKS)
			continue;
		CHECK(next == held.first, "first %" PRId64, next);
		for (; next != LS_NO_RANK; count++)
			next = ls_replay_next(replay, u, LS_OUTPUT, 0, next + 1);
		CHECK(count == held.count, "%" PRId64 " ranks", count);
		seen->unknown += count > 64;
	}
	return 0;
}

static void test_many_ranks(void)
{
	ls_topology *topology;
	ls_plan *plan = make("star:5", "paper", &topology);
	struct ls_certificate found;
	struct seen seen = { 0 };

	CHECK(check(plan, count_ranks, &seen, 0, &found) == LS_OK && seen.unknown > 0, "%s: %d",
		found.text, seen.unknown);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

static void test_unknown(void)
{
	ls_topology *topology;
	ls_plan *plan = make("star:4", "paper", &topology);
	struct ls_certificate found;
	struct seen few = { 0 }, many = { 0 };

	CHECK(check(plan, count_unknown, &many, 0, &found) == LS_OK && many.unknown == 0, "%s",
		found.text);
	CHECK(check(plan, count_unknown, &few, 1, &found) == LS_OK && few.unknown > 24, "%s: %d",
		found.text, few.unknown);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

static int ask_wrongly(void *context, const ls_replay *replay)
{
	static const struct {
		int64_t rank;
		int buffer;
		int64_t block;
	} wrong[] = { { -1, LS_INPUT, 0 }, { 8, LS_INPUT, 0 }, { 0, LS_INPUT, -1 }, { 0, LS_INPUT, 1 },
		{ 0, LS_OUTPUT, 1 }, { 0, LS_ARRIVAL, 0 }, { 0, LS_SCRATCH + 3, 0 }, { 0, LS_BUFFERS, 0 },
		{ 0, -1, 0 } };

	(void)context;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const struct ls_slice slice = {
			.first = wrong[i].block, .run = 1, .runs = 1, .buffer = (uint8_t)wrong[i].buffer
		};
		struct ls_contents held = { .size = sizeof held, .count = 5 };
		int64_t number = 5;

		CHECK(ls_replay_contents(replay, wrong[i].rank, wrong[i].buffer, wrong[i].block, &held)
					== LS_ERR_ARGUMENT
				&& held.count == 5,
			"block %zu exists", i);
		CHECK(ls_replay_value(replay, wrong[i].rank, wrong[i].buffer, wrong[i].block, &number)
					== LS_ERR_ARGUMENT
				&& number == 5,
			"block %zu has a value", i);
		CHECK(
			ls_replay_next(replay, wrong[i].rank, wrong[i].buffer, wrong[i].block, 0) == LS_NO_RANK,
			"block %zu has ranks", i);
		CHECK(ls_replay_text(replay, wrong[i].rank, &slice, NULL, 0) == LS_ERR_ARGUMENT,
			"block %zu has a text", i);
	}
	CHECK(ls_replay_next(replay, 3, LS_INPUT, 0, -7) == 3
			&& ls_replay_next(replay, 3, LS_INPUT, 0, 4) == LS_NO_RANK
			&& ls_replay_next(replay, 3, LS_INPUT, 0, 64) == LS_NO_RANK,
		"ranks of node 3");
	return 0;
}

/* ---- Evaluation */

static int evaluate_all(void *context, const ls_replay *replay)
{
	struct seen *seen = context;
	int64_t number;

	for (int64_t i = 0; i < 24 && ls_replay_steps(replay) > 0; i++)
		for (int buffer = LS_OUTPUT; buffer <= LS_SCRATCH; buffer += LS_SCRATCH - LS_OUTPUT)
			seen->unknown += ls_replay_value(replay, i % 8, buffer, 0, &number) != LS_ERR_ARGUMENT;
	return 0;
}

/* In a doubling all nodes of a subcube have one sum: 4 + 2 + 1 combinations. */
static void test_evaluation(void)
{
	ls_topology *topology;
	ls_plan *plan = make("hypercube:3", "doubling", &topology);
	struct seen seen = { 0 };
	struct ls_certificate found;

	CHECK(check(plan, evaluate_all, &seen, 0, &found) == LS_OK, "%s", found.text);
	CHECK(seen.combined == 7 && seen.unknown >= 3 * 24, "%" PRId64 " combinations, %d values",
		seen.combined, seen.unknown);
	CHECK(check(plan, ask_wrongly, &seen, 0, &found) == LS_OK, "%s", found.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* A sum of 2000 terms, left to right: nothing is evaluated by recursion. */
static void test_chain(void)
{
	ls_topology *topology;
	ls_plan *plan = make("linear:2000", "pipeline", &topology);
	struct seen seen = { 0 };
	struct ls_certificate found;

	CHECK(check(plan, evaluate_all, &seen, 0, &found) == LS_OK && seen.combined >= 1999,
		"%s: %" PRId64 " combinations", found.text, seen.combined);
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

/* ---- Observers that lack a function */

static void test_incomplete(void)
{
	const struct ls_observer rows[] = { { .size = sizeof *rows }, { .observe = stop, .size = 0 },
		{ .size = sizeof *rows, .observe = stop, .bytes = 8 },
		{ .size = sizeof *rows, .observe = stop, .operand = put_number, .combine = combine },
		{ .size = sizeof *rows, .observe = stop, .bytes = 8, .operand = put_number },
		{ .size = sizeof *rows, .observe = stop, .bytes = 8, .combine = combine } };
	ls_topology *topology;
	ls_plan *plan = make("ring:4", NULL, &topology);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct ls_check_options options = { .size = sizeof options, .observer = &rows[i] };
		struct ls_certificate found = { .size = sizeof found };

		CHECK(ls_check(plan, 1, &options, &found) == LS_ERR_ARGUMENT, "observer %zu", i);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(topology);
}

int main(void)
{
	test_stop();
	test_broken();
	test_unknown();
	test_many_ranks();
	test_evaluation();
	test_chain();
	test_incomplete();
	return test_result();
}
