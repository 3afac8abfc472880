/*
 * The times of messages in a trace.  Where each event causes the next one, the order of all times
 * is known.  The trace without times, and the clock of the test, are the references.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/play.h"
#include "support/spread_machine.h"
#include "test.h"

enum { LONG = 3000, NODES_MOST = 24 }; /* LONG doubles do not fit into a slot */

static ls_topology *topology;

static void add_record(void *context, const struct ls_record *record)
{
	messages_add(context, record);
}

static ls_machine *machine_of(
	const char *spec, struct ls_machine_options options, struct messages *traced)
{
	ls_topology_destroy(topology); /* of the machine before, which is destroyed */
	topology = topology_of(spec);
	options.size = sizeof options;
	options.trace = traced ? add_record : NULL;
	options.trace_context = traced;
	return machine_on(topology, &options);
}

/* Trace a run; *ns: the time that it took, by the clock of the test. */
static void run_traced(
	ls_machine *machine, int (*program)(ls_node *, void *), struct messages *traced, int64_t *ns)
{
	const double start = seconds();

	traced->n = 0;
	must_run(machine, program, NULL);
	*ns = (int64_t)((seconds() - start) * 1e9) + 1000; /* seconds() rounds */
}

/* ---- Programs */

static int collectives(ls_node *me, void *unused)
{
	static double in[NODES_MOST][LONG], out[NODES_MOST][LONG * 4], parts[NODES_MOST][64];
	const int64_t rank = ls_rank(me);
	int failed = ls_allreduce(me, in[rank], out[rank], 3, LS_DOUBLE, LS_SUM);

	(void)unused;
	if (!failed)
		failed = ls_allreduce(me, in[rank], out[rank], LONG, LS_DOUBLE, LS_SUM);
	if (!failed)
		failed = ls_allgather(me, in[rank], parts[rank], 2, LS_DOUBLE);
	if (!failed)
		failed = ls_broadcast(me, in[rank], 5, LS_DOUBLE, 1);
	return failed;
}

/* Two rounds of messages around a ring; those of the second are not copied. */
static int around(ls_node *me, void *unused)
{
	static double out[LONG], in[NODES_MOST][LONG];
	const int64_t p = ls_size(me), rank = ls_rank(me);
	int failed = LS_OK;

	(void)unused;
	for (size_t bytes = 8; !failed && bytes <= sizeof out; bytes *= sizeof out / 8) {
		failed = ls_send(me, (rank + 1) % p, out, bytes);
		if (!failed)
			failed = ls_receive(me, (rank + p - 1) % p, in[rank], bytes);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

/* ---- The rules of times */

static void check_record(const struct ls_record *r, int64_t run_ns)
{
	CHECK(r->sent_ns >= 0 && r->sent_ns <= r->received_ns && r->received_ns <= run_ns
			&& r->waited_ns >= 0 && r->waited_ns <= r->received_ns,
		"%s: round %" PRId64 ", %" PRId64 " to %" PRId64 ": sent %" PRId64 ", received %" PRId64
		", waited %" PRId64 "; the run took %" PRId64,
		guarded(), r->round, r->src, r->dst, r->sent_ns, r->received_ns, r->waited_ns, run_ns);
}

/* The time of the event of a node in a record; -1: none. */
static int64_t event_of(const struct ls_record *r, int64_t node, bool sends)
{
	return (sends ? r->src : r->dst) != node ? -1 : sends ? r->sent_ns : r->received_ns;
}

/* The events of a node in a round are later than all its events of earlier rounds. */
static void check_node(const struct messages *m, int64_t node)
{
	int64_t earlier = -1, latest = -1, round = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->record[i].round != round) {
			round = m->record[i].round;
			earlier = latest;
		}
		for (int sends = 0; sends < 2; sends++) {
			const int64_t time = event_of(&m->record[i], node, sends);

			CHECK(time < 0 || time >= earlier,
				"%s: node %" PRId64 " has an event at %" PRId64 " in round %" PRId64
				", but one at %" PRId64 " before",
				guarded(), node, time, round, earlier);
			latest = time > latest ? time : latest;
		}
	}
}

/* A receiver begins to wait after its events of earlier rounds. */
static void check_waits(const struct messages *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct ls_record *r = &m->record[i];
		int64_t before = 0;

		for (size_t k = 0; k < i && m->record[k].round < r->round; k++)
			for (int sends = 0; sends < 2; sends++) {
				const int64_t time = event_of(&m->record[k], r->dst, sends);

				before = time > before ? time : before;
			}
		CHECK(r->received_ns - r->waited_ns >= before,
			"%s: round %" PRId64 ", %" PRId64 " to %" PRId64 ": the wait began at %" PRId64
			", in an earlier round",
			guarded(), r->round, r->src, r->dst, r->received_ns - r->waited_ns);
	}
}

static void check_untimed(const struct messages *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct ls_record *r = &m->record[i];

		CHECK(r->sent_ns == -1 && r->received_ns == -1 && r->waited_ns == -1, "%s: times %" PRId64,
			guarded(), r->sent_ns);
	}
}

/* With times, without them, and again: several runs of a machine have times of their own. */
static void test_rules(
	const char *spec, struct ls_machine_options options, int (*program)(ls_node *, void *))
{
	struct messages plain = { 0 }, timed = { 0 };
	ls_machine *machine;
	int64_t ns;

	guard("%s, %s rounds", spec, options.rounds == LS_FREE ? "free" : "lockstep");
	machine = machine_of(spec, options, &plain);
	run_traced(machine, program, &plain, &ns);
	check_untimed(&plain);
	ls_machine_destroy(machine);
	options.trace_times = true;
	machine = machine_of(spec, options, &timed);
	for (int run = 0; run < 3; run++) {
		nap(5);
		run_traced(machine, program, &timed, &ns);
		messages_check(&plain, &timed);
		for (size_t i = 0; i < timed.n; i++)
			check_record(&timed.record[i], ns);
		for (int64_t node = 0; node < ls_topology_nodes(topology); node++)
			check_node(&timed, node);
		check_waits(&timed);
	}
	ls_machine_destroy(machine);
	free(plain.record);
	free(timed.record);
}

/* ---- Waits */

enum { SLEEP_MS = 20, TRIES = 50 };

static int send_late(ls_node *me, void *unused)
{
	char byte = 1;

	(void)unused;
	if (ls_rank(me) == 0)
		return ls_receive(me, 1, &byte, 1);
	nap(SLEEP_MS);
	return ls_send(me, 0, &byte, 1);
}

/* On a busy computer the receiver may begin late: one of several runs shows the whole wait. */
static void test_late_sender(void)
{
	const struct ls_machine_options options = { .trace_times = true };
	struct messages traced = { 0 };
	ls_machine *machine = machine_of("complete:2", options, &traced);
	struct ls_record r;
	int64_t longest = -1, ns;

	guard("a sender that sleeps");
	for (int i = 0; i < TRIES && longest < 15000000; i++) {
		run_traced(machine, send_late, &traced, &ns);
		r = *traced.record;
		check_record(&r, ns);
		CHECK(traced.n == 1 && r.sent_ns >= SLEEP_MS * 1000000, "sent at %" PRId64, r.sent_ns);
		longest = r.waited_ns > longest ? r.waited_ns : longest;
	}
	CHECK(longest >= 15000000, "the receiver waited %" PRId64 " ns", longest);
	ls_machine_destroy(machine);
	free(traced.record);
}

/*
 * 1 sends to 0, then to 2; when 2 has that message, it sends to 0; when 0 has that one, it receives
 * the first, which is there.
 */
static int send_early(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	double data[LONG] = { 0 };
	int failed = rank == 1 ? ls_send(me, 0, data, sizeof data) : LS_OK;

	(void)unused;
	if (!failed && rank == 1)
		failed = ls_send(me, 2, data, 1);
	if (rank == 2)
		failed = ls_receive(me, 1, data, 1);
	if (!failed && rank == 2)
		failed = ls_send(me, 0, data, 2);
	if (rank == 0)
		failed = ls_receive(me, 2, data, 2);
	if (!failed && rank == 0)
		failed = ls_receive(me, 1, data, sizeof data);
	return failed ? failed : ls_next_round(me);
}

static void test_early_sender(enum ls_rounds rounds)
{
	const struct ls_machine_options options = { .rounds = rounds, .ports = 2, .trace_times = true };
	struct messages traced = { 0 };
	ls_machine *machine = machine_of("complete:3", options, &traced);
	int64_t ns;

	guard("a message that is there");
	for (int run = 0; run < 5; run++) {
		run_traced(machine, send_early, &traced, &ns);
		CHECK(traced.n == 3, "%zu messages", traced.n);

		const struct ls_record *first = traced.record, *second = first + 1, *third = first + 2;

		CHECK((process_count() > 1 || first->waited_ns == 0) && first->sent_ns <= second->sent_ns
				&& second->received_ns <= third->sent_ns
				&& third->received_ns <= first->received_ns,
			"each event causes the next: %" PRId64 " %" PRId64 ", %" PRId64 " %" PRId64 ", %" PRId64
			" %" PRId64,
			first->sent_ns, second->sent_ns, second->received_ns, third->sent_ns,
			third->received_ns, first->received_ns);
	}
	ls_machine_destroy(machine);
	free(traced.record);
}

/* ---- Messages of the same nodes and rounds, in several groups */

enum { GROUPS = 3, ROUND = 4 };

/*
 * In round 4 of the whole machine, then in round 1 of each group, 0 sends 1, 2, 3 bytes to 1, which
 * answers each.  Between these events the machine looks for complete records.
 */
static int ping(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	ls_node *group[GROUPS] = { me };
	char data[GROUPS];
	int failed = LS_OK;

	(void)unused;
	while (ls_round(me) < ROUND && !failed)
		failed = ls_next_round(me);
	for (int g = 1; g < GROUPS && !failed; g++)
		failed = ls_split(me, 0, 0, &group[g]);
	for (size_t g = 0; g < GROUPS && !failed; g++) {
		if (rank == 0)
			failed = ls_send(group[g], 1, data, g + 1);
		nap(5);
		if (!failed)
			failed = ls_receive(group[g], 1 - rank, data, g + 1);
		if (!failed && rank == 1)
			failed = ls_send(group[g], 0, data, g + 1);
	}
	for (int g = 0; g < GROUPS && !failed; g++)
		failed = ls_next_round(group[g]);
	return failed;
}

static void test_groups(enum ls_rounds rounds)
{
	const struct ls_machine_options options = {
		.rounds = rounds, .ports = GROUPS, .mailbox = 8, .trace_times = true
	};
	struct messages traced = { 0 };
	ls_machine *machine = machine_of("complete:2", options, &traced);
	const struct ls_record *by_size[2][GROUPS] = { 0 };
	int64_t before = 0, ns;

	run_traced(machine, ping, &traced, &ns);
	CHECK(traced.n == 2 * GROUPS, "%zu messages", traced.n);
	for (size_t i = 0; i < traced.n; i++) {
		check_record(&traced.record[i], ns);
		by_size[traced.record[i].src][traced.record[i].words - 1] = &traced.record[i];
	}
	for (int i = 0; i < 2 * GROUPS; i++) {
		const struct ls_record *r = by_size[i % 2][i / 2];

		CHECK(r && r->round == (i / 2 ? 1 : ROUND) && r->sent_ns >= before, "message %d", i);
		before = r ? r->received_ns : before;
	}
	ls_machine_destroy(machine);
	free(traced.record);
}

/* ---- Messages that are not received, and failed runs */

/* Node 0 sends and ends.  Node 1 does not receive; it exchanges messages with node 2. */
static int ignore_message(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me), peer = 3 - rank;
	char byte = 1;
	int failed = LS_OK;

	(void)unused;
	if (rank == 0)
		return ls_send(me, 1, &byte, 1);
	for (int round = 0; round < 200 && !failed; round++) {
		failed = ls_send(me, peer, &byte, 1);
		if (!failed)
			failed = ls_receive(me, peer, &byte, 1);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

static void test_not_received(enum ls_rounds rounds)
{
	struct ls_machine_options options = { .rounds = rounds };
	struct messages plain = { 0 }, timed = { 0 };
	ls_machine *machine;
	int64_t ns;

	guard("a message that is not received");
	machine = machine_of("complete:3", options, &plain);
	CHECK(ls_run(machine, ignore_message, NULL) == LS_ERR_UNTAKEN, "%s", guarded());
	ls_machine_destroy(machine);
	options.trace_times = true;
	machine = machine_of("complete:3", options, &timed);
	CHECK(ls_run(machine, ignore_message, NULL) == LS_ERR_UNTAKEN, "%s", guarded());
	messages_check(&plain, &timed);
	CHECK(timed.n == 401 && timed.record->src == 0 && timed.record->sent_ns >= 0
			&& timed.record->received_ns == -1 && timed.record->waited_ns == -1,
		"%zu messages; the first one was received at %" PRId64, timed.n, timed.record->received_ns);
	for (size_t i = 1; i < timed.n; i++)
		check_record(&timed.record[i], INT64_MAX);
	run_traced(machine, collectives, &timed, &ns); /* the machine works on */
	for (size_t i = 0; i < timed.n; i++)
		check_record(&timed.record[i], ns);
	ls_machine_destroy(machine);
	free(plain.record);
	free(timed.record);
}

int main(void)
{
	static const char *const collective_on[] = { "star:4", "tree:8", "ring:6" };

	unsetenv("LOCKSTEP_TRACE");
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		struct ls_machine_options options = { .rounds = (enum ls_rounds)rounds };

		for (int i = process_count() > 1 ? 2 : 0; i < 3; i++) /* over processes a small one */
			test_rules(collective_on[i], options, collectives);
		test_rules("ring:5", options, around);
		options.ports = 2;
		options.mode = LS_ROUTED;
		test_rules("mesh:3x4", options, collectives);
		test_early_sender((enum ls_rounds)rounds);
		test_groups((enum ls_rounds)rounds);
		test_not_received((enum ls_rounds)rounds);
	}
	test_late_sender();
	ls_topology_destroy(topology);
	return test_result();
}
