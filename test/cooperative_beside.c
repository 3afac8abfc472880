/*
 * Cooperative calls mixed with other parts of a program: its own messages, links that go down,
 * groups.  Both engines give the same results, counts, traces and errors, with and without a
 * trace.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { WORDS = 1500, SHORT = 4, NODES = 12, MESSAGES = 4000 }; /* WORDS: zero-copy */

struct program {
	const char *name, *spec;
	int (*run)(ls_node *, void *);
	int ports;
	enum ls_mode mode;
	int kind;
	bool lockstep; /* only in these rounds: in free ones somebody may be faster */
	bool down;     /* the link between nodes 0 and 1 */
	bool brief;    /* SHORT calls instead of those of WORDS */
};

static size_t words_of(const void *program)
{
	return ((const struct program *)program)->brief ? SHORT : WORDS;
}

/* What came of it. */
struct outcome {
	uint64_t digest[NODES];
	struct ls_record record[MESSAGES];
	size_t records;
	struct ls_stats stats;
	struct ls_error error;
};

static struct outcome outcome;
static ls_machine *machine;

static void trace(void *context, const struct ls_record *record)
{
	(void)context;
	CHECK(outcome.records < MESSAGES, "%s: too many messages", guarded());
	outcome.record[outcome.records++] = *record;
}

/* A sum over n words; its result enters the digest. */
static int sum(ls_node *group, size_t n, int64_t machine_rank)
{
	int64_t in[WORDS] = { 0 }, out[WORDS];
	int failed;

	for (size_t i = 0; i < n; i++)
		in[i] = machine_rank * machine_rank + (int64_t)i;
	failed = ls_allreduce(group, in, out, n, LS_INT64, LS_SUM);
	for (size_t i = 0; i < n && !failed; i++)
		outcome.digest[machine_rank] = outcome.digest[machine_rank] * 31 + (uint64_t)out[i];
	return failed;
}

/* A word round the ring, whose round does not end. */
static int pass(ls_node *me)
{
	const int64_t p = ls_size(me), rank = ls_rank(me), word = 1000 + rank;
	int64_t got = -1;
	int failed = ls_send(me, (rank + 1) % p, &word, sizeof word);

	if (!failed)
		failed = ls_receive(me, (rank + p - 1) % p, &got, sizeof got);
	CHECK(failed || got == 1000 + (rank + p - 1) % p, "%s: %" PRId64, guarded(), got);
	return failed;
}

static int calls_and_messages(ls_node *me, void *arg)
{
	int failed = LS_OK;

	(void)arg;
	for (int i = 0; i < 8 && !failed; i++) {
		failed = sum(me, i % 3 ? 5 : WORDS, ls_rank(me));
		if (!failed)
			failed = pass(me);
		if (!failed)
			failed = ls_next_round(me);
		if (!failed && i % 2)
			failed = ls_barrier(me);
	}
	return failed;
}

/* The call comes in the round of a message: where there is one port, it is taken. */
static int message_pending(ls_node *me, void *arg)
{
	int failed = sum(me, words_of(arg), ls_rank(me));

	if (!failed)
		failed = pass(me);
	if (!failed)
		failed = sum(me, words_of(arg), ls_rank(me));
	return failed ? failed : ls_next_round(me);
}

/* A shift of two nodes by nothing, in place: a plan of no steps does not mind that ports are taken.
 */
static ls_plan *idle;

static int nothing_to_do(ls_node *me, void *arg)
{
	int64_t word = ls_rank(me);
	const struct ls_call shift = { .size = sizeof shift,
		.operation = LS_SHIFT,
		.input = &word,
		.output = &word,
		.count = 1,
		.type = LS_INT64,
		.plan = idle };
	int failed = pass(me);

	(void)arg;
	for (int i = 0; i < 2 && !failed; i++)
		failed = ls_collective(me, &shift);
	CHECK(failed || word == ls_rank(me), "%s: %" PRId64, guarded(), word);
	return failed ? failed : ls_next_round(me);
}

static int calls(ls_node *me, void *arg)
{
	int failed = sum(me, words_of(arg), ls_rank(me));

	if (!failed)
		failed = ls_barrier(me);
	return failed ? failed : sum(me, 3, ls_rank(me));
}

/* Down, up, down, up, between calls. */
static int link_changes(ls_node *me, void *arg)
{
	int failed = LS_OK;

	for (int i = 0; i < 4 && !failed; i++) {
		failed = sum(me, words_of(arg), ls_rank(me));
		if (!failed && ls_rank(me) == 0)
			failed = ls_link_set(machine, 0, 1, i % 2);
		if (!failed)
			failed = pass(me);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

static int groups(ls_node *me, void *arg)
{
	const int64_t rank = ls_rank(me);
	ls_node *row, *column, *some;
	int failed = ls_split_axis(me, 0, &column);

	(void)arg;
	if (!failed)
		failed = ls_split_axis(me, 1, &row);
	for (int64_t i = 0; i < 6 && !failed; i++) {
		failed = sum(row, i % 2 ? WORDS : 3, rank);
		if (!failed)
			failed = sum(column, i % 2 ? 3 : WORDS, rank);
		if (!failed)
			failed = ls_split(me, rank % (i + 1), -rank, &some);
		if (!failed)
			failed = sum(some, WORDS / 2, rank);
		if (!failed)
			ls_leave(some);
		if (!failed && i == 3)
			failed = sum(me, 7, rank);
	}
	return failed;
}

/* One member is in no call of the group any more. */
static int one_leaves(ls_node *me, void *arg)
{
	ls_node *all;
	int failed = ls_split(me, 0, 0, &all);

	(void)arg;
	if (!failed)
		failed = sum(all, WORDS, ls_rank(me));
	if (failed)
		return failed;
	if (ls_rank(me) == 2) {
		ls_leave(all);
		return LS_OK;
	}
	return sum(all, WORDS, ls_rank(me));
}

static const struct program programs[] = {
	{ "calls and messages", "ring:6", calls_and_messages, 1, LS_HOP, .kind = LS_OK },
	{ "calls and messages, routed", "complete:7", calls_and_messages, 2, LS_ROUTED, .kind = LS_OK },
	{ "the port is taken", "ring:6", message_pending, 1, LS_HOP, .kind = LS_ERR_PORT },
	{ "the port is taken, short", "linear:2", message_pending, 1, LS_HOP, .kind = LS_ERR_PORT,
		.brief = true },
	{ "a port is taken", "ring:6", message_pending, 2, LS_HOP, .kind = LS_OK },
	{ "nothing to do", "linear:2", nothing_to_do, 1, LS_HOP, .kind = LS_OK },
	{ "a link is down, hop", "ring:5", calls, 1, LS_HOP, .kind = LS_ERR_LINK, .down = true },
	{ "a link is down, hop, short", "linear:2", calls, 1, LS_HOP, .kind = LS_ERR_LINK, .down = true,
		.brief = true },
	{ "a link is down, routed", "ring:5", calls, 1, LS_ROUTED, .kind = LS_OK, .down = true },
	{ "a link changes, hop", "ring:5", link_changes, 1, LS_HOP, .kind = LS_ERR_LINK,
		.lockstep = true },
	{ "groups", "mesh:3x4", groups, 1, LS_HOP, .kind = LS_OK },
	{ "a member leaves", "complete:5", one_leaves, 1, LS_HOP, .kind = LS_ERR_LEFT },
};

static void run_by(
	const struct program *p, enum ls_rounds rounds, enum ls_engine engine, bool traced)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = rounds,
		.engine = engine,
		.mode = p->mode,
		.ports = p->ports,
		.trace = traced ? trace : NULL };
	ls_topology *t = topology_of(p->spec);
	int status;

	guard("%s, %s rounds, engine %s%s", p->name, rounds == LS_LOCKSTEP ? "lockstep" : "free",
		ls_engine_name(engine), traced ? ", traced" : "");
	machine = machine_on(t, &options);
	if (p->down)
		CHECK(ls_link_set(machine, 0, 1, false) == LS_OK, "%s", guarded());
	memset(&outcome, 0, sizeof outcome);
	outcome.stats.size = sizeof outcome.stats;
	outcome.error.size = sizeof outcome.error;
	status = ls_run(machine, p->run, (void *)p);
	ls_last_error(machine, &outcome.error);
	ls_machine_stats(machine, &outcome.stats);
	CHECK(status == p->kind && status == outcome.error.kind, "%s: %s: %s", guarded(),
		ls_status_name(status), outcome.error.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void check_sorted(void)
{
	for (size_t i = 1; i < outcome.records; i++) {
		const struct ls_record *a = &outcome.record[i - 1], *b = &outcome.record[i];

		CHECK(a->round < b->round || (a->round == b->round && a->src <= b->src),
			"%s: message %zu of round %" PRId64 " of node %" PRId64
			" comes after one of round %" PRId64 " of node %" PRId64,
			guarded(), i, b->round, b->src, a->round, a->src);
	}
}

/* The outcome, against that of threads that were traced. */
static void compare(const struct program *p, const struct outcome *by_threads, bool traced)
{
	const struct ls_stats *s = &outcome.stats;

	if (p->run != groups)
		check_sorted();
	if (p->kind)
		return;
	CHECK(!memcmp(by_threads->digest, outcome.digest, sizeof outcome.digest), "%s: other results",
		guarded());
	CHECK(!memcmp(&by_threads->stats, s, sizeof *s),
		"%s: %" PRId64 " rounds, %" PRId64 " messages, %" PRId64 " words, load %" PRId64
		", %" PRId64 " reroutes",
		guarded(), s->rounds, s->messages, s->words, s->link_load, s->reroutes);
	CHECK(!traced
			|| (outcome.records == by_threads->records
				&& (p->run == groups
					|| !memcmp(by_threads->record, outcome.record,
						outcome.records * sizeof *outcome.record))),
		"%s: another trace", guarded());
}

static void test_same(const struct program *p, enum ls_rounds rounds)
{
	static const enum ls_engine engines[] = { LS_MAILBOXES, LS_COOPERATIVE, LS_AUTO };
	static struct outcome by_threads;

	run_by(p, rounds, LS_MAILBOXES, true);
	by_threads = outcome;
	for (size_t i = 0; i < 2 * sizeof engines / sizeof *engines; i++) {
		const bool traced = i % 2;

		run_by(p, rounds, engines[i / 2], traced);
		compare(p, &by_threads, traced);
	}
}

int main(void)
{
	static const char text[] = "lockstep plan 1\noperation shift\nnodes 2\nin-place\n";
	ls_topology *two = topology_of("linear:2");

	CHECK(ls_plan_read(text, sizeof text - 1, two, &idle, NULL) == LS_OK, "read");
	for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
		for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
			if (rounds == LS_LOCKSTEP || !programs[i].lockstep)
				test_same(&programs[i], (enum ls_rounds)rounds);
		}
	}
	ls_plan_destroy(idle);
	ls_topology_destroy(two);
	return test_result();
}
