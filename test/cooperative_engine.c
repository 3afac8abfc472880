/*
 * One node is late for a cooperative call.  The error has the right kind and names the nodes, a
 * call that is not executed writes nothing, and the machine runs again.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/fault_case.h"
#include "test.h"

struct late {
	const char *name,
		*operation; /* operation: the one that ls_blocked_on reports for it; NULL: none */
	int (*act)(ls_node *, struct fault_case *);
	int kind;
	bool lockstep, limited; /* only in these rounds; a run has a time limit */
};

static int leave(ls_node *me, struct fault_case *s)
{
	(void)me;
	(void)s;
	return LEAVE;
}
static int fail(ls_node *me, struct fault_case *s)
{
	(void)me;
	(void)s;
	return FAIL;
}
static int end_round(ls_node *me, struct fault_case *s)
{
	(void)s;
	return ls_next_round(me);
}

static int listen(ls_node *me, struct fault_case *s)
{
	int64_t word;

	return ls_receive(me, ls_neighbor(ls_node_topology(me), s->node, 0), &word, sizeof word);
}

static int split(ls_node *me, struct fault_case *s)
{
	ls_node *sub;

	(void)s;
	return ls_split(me, 0, 0, &sub);
}

static int oversleep(ls_node *me, struct fault_case *s)
{
	outlast_limit(s);
	return call_once(me, s, s->call);
}

/* So few that each node for itself is faster where there are cores for all. */
static int give_few(ls_node *me, struct fault_case *s)
{
	int64_t in[SHORT] = { 1 }, out[SHORT];

	return ls_allreduce(me, in, out, SHORT, LS_INT64, s->op);
}

static int stop(ls_node *me, struct fault_case *s)
{
	ls_machine_stop(s->machine, 0);
	return call_once(me, s, s->call);
}

static const struct late lates[] = {
	{ "has ended", NULL, leave, LS_ERR_LEFT, false, false },
	{ "has failed", NULL, fail, LS_ERR_PROGRAM, false, false },
	{ "waits for a message", "receive", listen, LS_ERR_DEADLOCK, false, false },
	{ "splits the machine", "split", split, LS_ERR_DEADLOCK, false, false },
	{ "ends its round", "next_round", end_round, LS_ERR_DEADLOCK, true, false },
	{ "oversleeps", NULL, oversleep, LS_ERR_TIMEOUT, false, true },
	{ "gives few words", NULL, give_few, LS_ERR_MISMATCH, false, false },
	{ "stops the machine", NULL, stop, LS_ERR_STOPPED, false, false },
};

/* Every node but the late one waited for all nodes to arrive. */
static void check_blocked_nodes(const struct fault_case *s, const struct late *late)
{
	struct ls_wait_state w = { .size = sizeof w };

	for (int64_t r = 0; r < s->p && late->operation; r++) {
		const bool waits = ls_blocked_on(s->machine, r, &w);

		CHECK(waits
				&& (r == s->node ? strcmp(w.operation, late->operation) == 0
								 : strcmp(w.operation, "allreduce") == 0
							&& w.reason == LS_WAITS_FOR_ROUND && w.peer == LS_NO_RANK),
			"%s: node %" PRId64 ": %s", guarded(), r, waits ? w.operation : "does not wait");
	}
}

static void test_late(struct fault_case *s, const struct late *late, int64_t node, int64_t call)
{
	struct ls_error e = { .size = sizeof e };
	int status;

	guard("node %" PRId64 " of %s %s before call %" PRId64 ", %s rounds", node,
		ls_topology_spec(ls_machine_topology(s->machine)), late->name, call,
		s->rounds == LS_LOCKSTEP ? "lockstep" : "free");
	s->node = node;
	s->call = call;
	s->act = late->act;
	status = run_to_end(s, call_all);
	ls_last_error(s->machine, &e);
	CHECK(status == e.kind && e.kind == late->kind && e.text[0], "%s: %s: %s", guarded(),
		ls_status_name(status), e.text);
	if (late->act == leave || late->act == fail || late->act == listen || late->act == give_few)
		CHECK(e.node == node || e.peer == node, "%s: %s", guarded(), e.text);
	check_blocked_nodes(s, late);
	run_again(s);
}

static void test_lates(struct fault_case *s, const struct late *late)
{
	/* Few words go another way only where the engine is chosen. */
	const bool is_auto = late->act == give_few || s->rounds == LS_LOCKSTEP;

	fault_case_machine(s, late->limited, is_auto ? LS_AUTO : LS_COOPERATIVE);
	for (int64_t node = 0; node < s->p; node += s->limited ? s->p - 1 : s->p > 8 ? 17 : 1) {
		for (int64_t call = s->limited ? CALLS - 1 : 0; call < CALLS; call++)
			test_late(s, late, node, call);
	}
	ls_machine_destroy(s->machine);
}

static void test_network(const char *spec, enum ls_rounds rounds, size_t words)
{
	struct fault_case s;

	fault_case_make(&s, spec, rounds, words);
	for (size_t i = 0; i < sizeof lates / sizeof *lates; i++) {
		if (rounds == LS_LOCKSTEP || !lates[i].lockstep)
			test_lates(&s, &lates[i]);
	}
	fault_case_destroy(&s);
}

int main(void)
{
	fault_case_networks(test_network);
	return test_result();
}
