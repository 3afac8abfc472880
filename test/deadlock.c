/*
 * A deadlock is reported at every node, and ls_blocked_on names what each node waits for, also in
 * large machines.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct dead {
	const ls_topology *topology;
	int64_t nodes, round; /* the round in which no node sends */
};

static int64_t peer_of(const struct dead *d, int64_t rank)
{
	return ls_neighbor(d->topology, rank, 0);
}

/*
 * In the first rounds all nodes send and receive along link 0, which leads both ways in the
 * networks below.  In the last round all receive.
 */
static int listen(ls_node *me, void *arg)
{
	const struct dead *d = arg;
	const int64_t u = ls_rank(me), peer = peer_of(d, u);
	int64_t word = u;
	int failed = LS_OK;

	while (!failed && ls_round(me) < d->round) {
		failed = ls_send(me, peer, &u, sizeof u);
		if (!failed)
			failed = ls_receive(me, peer, &word, sizeof word);
		CHECK(failed || word == peer, "%s: %" PRId64, guarded(), word);
		if (!failed)
			failed = ls_next_round(me);
	}
	if (failed)
		return failed;
	failed = ls_receive(me, peer, &word, sizeof word);
	CHECK(failed == LS_ERR_DEADLOCK, "%s: %s", guarded(), ls_status_name(failed));
	return failed;
}

static void check_blocked_nodes(
	const struct dead *d, const ls_machine *machine, const char *operation)
{
	struct ls_wait_state w = { .size = sizeof w };

	for (int64_t u = 0; u < d->nodes; u++)
		CHECK(ls_blocked_on(machine, u, &w) && w.reason == LS_WAITS_FOR_MESSAGE
				&& w.peer == peer_of(d, u) && w.round == d->round
				&& !strcmp(w.operation, operation),
			"%s: what node %" PRId64 " waits for", guarded(), u);
	CHECK(!ls_blocked_on(machine, d->nodes, &w) && !ls_blocked_on(machine, -1, &w),
		"ranks that are none");
}

static void test_all_listen(const char *spec, enum ls_rounds rounds)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_machine *machine = machine_on(t, &options);
	struct dead d = { .topology = t, .nodes = ls_topology_nodes(t), .round = 3 };
	struct ls_error e = { .size = sizeof e };

	guard("deadlock of %s in %s rounds", spec, rounds == LS_LOCKSTEP ? "lockstep" : "free");
	CHECK(ls_run(machine, listen, &d) == LS_ERR_DEADLOCK
			&& ls_last_error(machine, &e) == LS_ERR_DEADLOCK && e.node == 0
			&& e.peer == peer_of(&d, 0) && e.round == 3,
		"%s: %s", guarded(), e.text);
	check_blocked_nodes(&d, machine, "receive");
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* All but one wait at the barrier of the round; that one waits for a message. */
static int miss(ls_node *me, void *arg)
{
	int64_t word;

	if (ls_rank(me) != *(const int64_t *)arg)
		return ls_next_round(me);
	return ls_receive(me, (ls_rank(me) + 1) % ls_size(me), &word, sizeof word);
}

static void test_missing(int64_t p)
{
	char spec[32];

	snprintf(spec, sizeof spec, "complete:%" PRId64, p);

	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, NULL);

	for (int64_t missing = 0; missing < p; missing++) {
		struct ls_error e = { .size = sizeof e };

		guard("node %" PRId64 " of %s is missing", missing, spec);
		CHECK(ls_run(machine, miss, &missing) == LS_ERR_DEADLOCK
				&& ls_last_error(machine, &e) == LS_ERR_DEADLOCK && e.node == missing
				&& e.peer == (missing + 1) % p,
			"%s: %s", guarded(), e.text);
		for (int64_t u = 0; u < p; u++) {
			struct ls_wait_state w = { .size = sizeof w };

			CHECK(ls_blocked_on(machine, u, &w) && w.round == 1
					&& (u == missing ? w.reason == LS_WAITS_FOR_MESSAGE
									 : w.reason == LS_WAITS_FOR_ROUND && w.peer == LS_NO_RANK),
				"%s: node %" PRId64, guarded(), u);
		}
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* In free rounds: a sender whose mailbox is full, and one whose message is never read. */
static int fill(ls_node *me, void *arg)
{
	const size_t bytes = *(const size_t *)arg;
	char *data = memory(bytes, 1);
	int failed = LS_OK;

	while (!failed && ls_rank(me) == 0) {
		failed = ls_send(me, 1, data, bytes);
		if (!failed)
			failed = ls_next_round(me);
	}
	if (ls_rank(me) == 1)
		failed = ls_receive(me, 2, data, bytes);
	if (ls_rank(me) == 2)
		failed = ls_receive(me, 1, data, bytes);
	free(data);
	return failed;
}

static void test_full(int mailbox, size_t bytes, enum ls_wait_reason what)
{
	ls_topology *t = topology_of("complete:3");
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = LS_FREE, .mailbox = mailbox
	};
	ls_machine *machine = machine_on(t, &options);
	struct ls_wait_state w = { .size = sizeof w };

	guard("a mailbox of %d is full of messages of %zu bytes", mailbox, bytes);
	CHECK(ls_run(machine, fill, &bytes) == LS_ERR_DEADLOCK, "%s", guarded());
	CHECK(ls_blocked_on(machine, 0, &w) && w.reason == what && w.peer == 1
			&& w.round == (what == LS_WAITS_FOR_READER ? 1 : mailbox + 1),
		"%s: %d %" PRId64, guarded(), (int)w.reason, w.round);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* More zero-copy messages than a node can have pending, and one of the readers has ended. */
static int send_many_long(ls_node *me, void *arg)
{
	enum { WORDS = 400 };
	const struct ls_call call = { .size = sizeof call,
		.operation = LS_BROADCAST,
		.algorithm = "spanning-tree",
		.input = memory(WORDS, sizeof(double)),
		.output = (void *)(uintptr_t)call.input,
		.count = WORDS };
	int failed = LS_OK;

	if (ls_rank(me) != *(const int64_t *)arg)
		failed = ls_collective(me, &call);
	free(call.output);
	return failed;
}

static void test_many(enum ls_rounds rounds)
{
	ls_topology *t = topology_of("complete:90");
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_machine *machine = machine_on(t, &options);

	for (int64_t missing = 1; missing < 90; missing += 11) {
		struct ls_error e = { .size = sizeof e };

		guard("node %" PRId64 " of 90 has left before a broadcast, %s rounds", missing,
			rounds == LS_LOCKSTEP ? "lockstep" : "free");

		const int status = ls_run(machine, send_many_long, &missing);

		ls_last_error(machine, &e);
		CHECK(
			(status == LS_ERR_LEFT || status == LS_ERR_UNTAKEN) && e.node == 0 && e.peer == missing,
			"%s: %s", guarded(), e.text);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_all_listen("complete:2", (enum ls_rounds)rounds);
		test_all_listen("hypercube:7", (enum ls_rounds)rounds);
		test_many((enum ls_rounds)rounds);
		if (!is_thin() && !is_fast())
			test_all_listen("star:7", (enum ls_rounds)rounds);
	}
	for (int64_t p = 2; p <= 8; p++)
		test_missing(p);
	test_full(1, 8, LS_WAITS_FOR_SPACE);
	test_full(4, 8, LS_WAITS_FOR_SPACE);
	test_full(4, 1 << 16, LS_WAITS_FOR_READER);
	return test_result();
}
