/*
 * Threads of several processes attach to a machine in which a node of the last run has not
 * returned: the machine is busy in all processes.  The calls of a process that belong together may
 * be made at different times, also after the node has returned.
 */
#include <inttypes.h>
#include <stdatomic.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "support/visits.h"
#include "test.h"

enum { NODES = 6, PROCESSES = 3, HANGS = 3, REFUSALS = 3, TRIES = 50 };
static atomic_bool hangs, released;

static int wait_for_release(ls_node *me, int64_t which)
{
	if (ls_rank(me) != which)
		return LS_OK;
	atomic_store(&hangs, true);
	while (!atomic_load(&released))
		nap(1);
	return LS_OK;
}

static int run_for_ever(ls_node *me, void *unused)
{
	(void)unused;
	return wait_for_release(me, HANGS);
}

static void attach_for_ever(struct spread *s, struct visit *v)
{
	for (int i = 0; i < PROCESSES; i++)
		visits_begin(s->machine[i], PROCESSES, i, wait_for_release, HANGS, v);
	for (int i = 0; i < NODES; i++) {
		if (i != HANGS)
			pthread_join(v[i].thread, NULL);
	}
}

/* Leave a run behind.  The caller joins a thread that has attached as the node that hangs. */
static void abandon(struct spread *s, bool attaches, struct visit *v)
{
	while (!atomic_load(&hangs)) { /* on a busy computer the limit may come before */
		if (attaches)
			attach_for_ever(s, v);
		else
			CHECK(spread_run(s, run_for_ever, NULL) == LS_ERR_TIMEOUT, "%s: %s", guarded(),
				s->error[0].text);
		while (!atomic_load(&hangs) && ls_machine_busy(s->machine[PROCESSES / 2]))
			nap(1);
		if (attaches && !atomic_load(&hangs))
			pthread_join(v[HANGS].thread, NULL);
	}
}

/* A thread has attached in vain.  False: on a busy computer, the limit came before. */
static bool was_busy(const struct visit *v)
{
	CHECK(v->attached == LS_ERR_BUSY || v->attached == LS_ERR_TIMEOUT, "%s: node %" PRId64 ": %s",
		guarded(), v->rank, ls_status_name(v->attached));
	return v->attached == LS_ERR_BUSY;
}

/* The same, of all threads. */
static bool is_refused(const struct spread *s, bool attaches)
{
	bool is_busy = true;
	struct visit v[NODES];

	visit_all(s->machine, PROCESSES, visit_add_ranks, 0, v);
	for (int i = 0; i < NODES; i++) {
		const int status = v[i].attached;

		if (attaches && i == HANGS) {
			CHECK(status == LS_ERR_ARGUMENT, "%s: %s", guarded(), ls_status_name(status));
			continue;
		}
		is_busy &= was_busy(&v[i]);
	}
	return is_busy;
}

static void test_abandoned(const ls_topology *t, bool attaches)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 0.2 };
	int refusals = 0, status;
	struct visit v[NODES];
	struct spread s;

	guard(
		"threads attach while a node %s", attaches ? "is attached" : "of ls_run has not returned");
	atomic_store(&hangs, false);
	atomic_store(&released, false);
	spread_open(&s, PROCESSES, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	abandon(&s, attaches, v);
	for (int i = 0; i < REFUSALS + TRIES && refusals < REFUSALS; i++)
		refusals += is_refused(&s, attaches);
	CHECK(refusals == REFUSALS, "%s: not in all processes", guarded());
	atomic_store(&released, true);
	if (attaches)
		pthread_join(v[HANGS].thread, NULL);
	for (int i = 0; i < PROCESSES; i++) {
		while (ls_machine_busy(s.machine[i]))
			nap(1);
	}
	status = spread_run(&s, add_ranks_program, NULL);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s, then: %s", guarded(), s.error[0].text);
	spread_destroy(&s);
}

/* ---- Calls that belong together */

/*
 * A call to which no other process replied is no part of a refusal: the next one is.  False: on a
 * busy computer, the limit came before.
 */
static bool is_refused_with_others(struct spread *s)
{
	struct visit v[NODES];
	ls_node *me;
	bool is_busy = true;

	CHECK(ls_attach(s->machine[1], 4, 0, &me) == LS_ERR_BUSY, "%s: alone", guarded());
	visits_begin(s->machine[0], 2, 0, visit_add_ranks, 0, v);
	CHECK(ls_attach(s->machine[1], 5, 0, &me) == LS_ERR_BUSY, "%s: node 5", guarded());
	visits_end(s->machine[0], 2, 0, v);
	for (int i = 0; i < NODES / 2; i++)
		is_busy &= was_busy(&v[i]);
	return is_busy;
}

/*
 * The call of node 4 is part of a refusal, although the node that did not return has ended.  Node 3
 * makes none: after a run of ls_run, its next call begins a run.
 */
static void test_late_calls(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 0.3 };
	bool refused = false, runs = false;
	struct visit v[NODES];
	struct spread s;
	ls_node *me;

	guard("calls of one refusal, made at different times");
	atomic_store(&hangs, false);
	atomic_store(&released, false);
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	abandon(&s, false, NULL);
	for (int i = 0; i < TRIES && !refused; i++)
		refused = is_refused_with_others(&s);
	CHECK(refused, "%s: never in all processes", guarded());
	atomic_store(&released, true);
	while (ls_machine_busy(s.machine[1]))
		nap(1);
	CHECK(ls_attach(s.machine[1], 4, 0, &me) == LS_ERR_BUSY, "%s: node 4", guarded());
	for (int i = 0; i < TRIES && !runs; i++)
		runs = spread_run(&s, add_ranks_program, NULL) == LS_OK;
	CHECK(runs, "%s: then %s", guarded(), s.error[0].text);
	visit_all(s.machine, 2, visit_add_ranks, 0, v);
	for (int i = 0; i < NODES; i++)
		CHECK(v[i].attached == LS_OK || v[i].attached == LS_ERR_TIMEOUT, "%s: then node %d: %s",
			guarded(), i, ls_status_name(v[i].attached));
	spread_destroy(&s);
}

int main(void)
{
	ls_topology *t = topology_of("complete:6");

	test_abandoned(t, false);
	test_abandoned(t, true);
	test_late_calls(t);
	ls_topology_destroy(t);
	return test_result();
}
