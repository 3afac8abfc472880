/*
 * The error that a run reports does not depend on the order in which nodes are scheduled: the
 * lowest round, then the lowest rank.  A node that another's error stopped is never named.  All
 * calls that fail return the status of the run.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { P = 8, ROUNDS = 3 };

/* ---- Several nodes fail */

enum mistake { RETURNS, NO_LINK, TWO_SENDS, NO_RANK, WRONG_SIZE, MISTAKES };
static const char *const mistake_name[] = { "returns an error", "sends where no link is",
	"sends twice", "sends to no rank", "expects another size" };

struct failing_run {
	enum mistake mistake;
	int round[P];  /* in which the node fails; 0: it does not */
	double nap[P]; /* ms; nodes compute for a moment, so that they fail in any order */
};

static int make_mistake(ls_node *me, enum mistake mistake)
{
	const int64_t rank = ls_rank(me), right = (rank + 1) % P;
	int64_t word = 0;
	int failed;

	switch (mistake) {
	case NO_LINK:
		return ls_send(me, (rank + 3) % P, &word, sizeof word);
	case TWO_SENDS:
		failed = ls_send(me, right, &word, sizeof word);
		return failed ? failed : ls_send(me, (rank + P - 1) % P, &word, sizeof word);
	case NO_RANK:
		return ls_send(me, P, &word, sizeof word);
	case WRONG_SIZE:
		failed = ls_send(me, right, &word, sizeof word);
		return failed ? failed : ls_receive(me, (rank + P - 1) % P, &word, sizeof word / 2);
	default:
		return 7;
	}
}

/* In every round each node passes a word to the right, unless it makes its mistake there. */
static int fail_in_round(ls_node *me, void *arg)
{
	const struct failing_run *s = arg;
	const int64_t rank = ls_rank(me);
	int64_t word = rank;
	int failed = LS_OK;

	for (int round = 1; round <= ROUNDS && !failed; round++) {
		nap(s->nap[rank]);
		if (round == s->round[rank])
			return make_mistake(me, s->mistake);
		failed = ls_send(me, (rank + 1) % P, &word, sizeof word);
		if (!failed)
			failed = ls_receive(me, (rank + P - 1) % P, &word, sizeof word);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

/*
 * The node that must be named.  A node expects 4 bytes only if it gets a message: if its left
 * neighbor makes the same mistake or none.
 */
static int64_t earliest(const struct failing_run *s)
{
	int64_t named = -1;

	for (int64_t r = 0; r < P; r++) {
		if (s->round[r] > 0 && (named < 0 || s->round[r] < s->round[named]))
			named = r;
	}
	return named;
}

static void test_order(enum mistake mistake, enum ls_rounds rounds)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_topology *t = topology_of("ring:8");
	ls_machine *machine = machine_on(t, &options);
	uint64_t state = 17;

	for (int run = 0; run < (is_thin() || is_fast() ? 20 : is_long() ? 200 : 60); run++) {
		struct failing_run s = { .mistake = mistake };
		struct ls_error e = { .size = sizeof e };

		for (int r = 0; r < P; r++) {
			s.nap[r] = random_below(&state, 3) ? 0 : (double)random_below(&state, 300) / 1000;
			s.round[r] = run % 2 ? 1 : (int)random_below(&state, ROUNDS + 1);
		}
		guard("%s, %s rounds, run %d", mistake_name[mistake],
			rounds == LS_LOCKSTEP ? "lockstep" : "free", run);

		const int64_t named = earliest(&s);
		const int status = ls_run(machine, fail_in_round, &s);

		ls_last_error(machine, &e);
		CHECK((status == LS_OK) == (named < 0) && e.kind == status && e.node == named
				&& (named < 0 || e.round == s.round[named]),
			"%s: node %" PRId64 " should be named: %s", guarded(), named, e.text);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- Free rounds: nodes make different calls */

struct different_calls {
	int kind;
	bool wait;
	int status[P][ROUNDS];
};

static int call_differently(ls_node *me, void *arg)
{
	struct different_calls *s = arg;
	const int64_t rank = ls_rank(me);
	static const size_t counts[P] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	int64_t all[P] = { 0 }, word = rank;
	int status = LS_OK;

	for (int i = 0; i < ROUNDS; i++) {
		const bool differs = i == 1 && rank == P - 1;

		if (s->wait && rank % 3 == 0)
			nap(0.1);
		if (s->kind == 0)
			status = ls_broadcast(me, &word, 1, LS_INT64, differs ? 1 : 0);
		else if (s->kind == 1 && differs)
			status = ls_allgatherv(me, &word, all, counts, LS_INT64);
		else if (s->kind == 1)
			status = ls_allgather(me, &word, all, 1, LS_INT64);
		else
			status = ls_reduce(me, &word, all, 1, LS_INT64, differs ? LS_MAX : LS_SUM, 0);
		s->status[rank][i] = status;
	}
	return status;
}

static void test_mismatch(int kind, bool wait, enum ls_rounds rounds)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .mode = LS_ROUTED, .engine = LS_MAILBOXES
	};
	ls_topology *t = topology_of("ring:8");
	ls_machine *machine = machine_on(t, &options);
	char first[sizeof(struct ls_error)] = "";

	for (int run = 0; run < (is_thin() || is_fast() ? 10 : is_long() ? 100 : 30); run++) {
		struct different_calls s = { .kind = kind, .wait = wait };
		struct ls_error e = { .size = sizeof e };

		guard("different calls %d, %s rounds, run %d", kind,
			rounds == LS_LOCKSTEP ? "lockstep" : "free", run);

		const int status = ls_run(machine, call_differently, &s);

		ls_last_error(machine, &e);
		CHECK(status == LS_ERR_MISMATCH, "%s: %s: %s", guarded(), ls_status_name(status), e.text);
		if (run == 0)
			strcpy(first, e.text);
		CHECK(strcmp(first, e.text) == 0, "%s: %s, but in run 0: %s", guarded(), e.text, first);
		for (int r = 0; r < P; r++) {
			bool failed = false;

			for (int i = 0; i < ROUNDS; i++) {
				const int call = s.status[r][i];

				CHECK(call == status || (call == LS_OK && !failed), "%s: call %d of node %d: %s",
					guarded(), i, r, ls_status_name(call));
				failed |= call != LS_OK;
			}
		}
		must_run(machine, add_ranks_program, NULL);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- A node that computes for a long time does not delay the error of another one for long */

static atomic_int returned;

/* Node 0 computes until the others have returned. */
static int compute_or_fail(ls_node *me, void *unused)
{
	int failed;

	(void)unused;
	while (ls_rank(me) == 0 && atomic_load(&returned) < 2)
		nap(1);
	if (ls_rank(me) == 1)
		return 7;
	failed = ls_barrier(me);
	atomic_fetch_add(&returned, 1);
	return failed;
}

static void test_long_computation(void)
{
	ls_topology *t = topology_of("complete:4");
	ls_machine *machine = machine_on(t, NULL);
	struct ls_error e = { .size = sizeof e };

	guard("a node computes while another one fails");
	CHECK(ls_run(machine, compute_or_fail, NULL) == LS_ERR_PROGRAM
			&& ls_last_error(machine, &e) == LS_ERR_PROGRAM && e.node == 1,
		"%s", e.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		for (int m = 0; m < MISTAKES; m++)
			test_order((enum mistake)m, (enum ls_rounds)rounds);
		for (int kind = 0; kind < 3; kind++) {
			test_mismatch(kind, false, (enum ls_rounds)rounds);
			test_mismatch(kind, true, (enum ls_rounds)rounds);
		}
	}
	if (node_kind() == LS_NODE_THREAD) /* its nodes wait for each other by a counter */
		test_long_computation();
	return test_result();
}
