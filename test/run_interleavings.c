/*
 * Runs that meet something else at a bad moment: a later run, a run inside a node, the cancellation
 * of a thread, or a program that took all keys of threads.  Each ls_detach returns the result of
 * its own run, and nothing hangs.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include <urcu-qsbr.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* ---- No key is left.  The first case: a process needs one key for its first ls_attach. */

enum { KEYS = 1 << 14 };

static int attach_without_key(ls_node *me, void *machine)
{
	const int before = ls_barrier(me);
	ls_node *there;
	const int status = ls_attach(machine, 0, 0, &there), after = ls_barrier(me);

	CHECK(!before && status == LS_ERR_MEMORY && !there, "%s: %s, %s", guarded(),
		ls_status_name(before), ls_status_name(status));
	CHECK(!after, "%s: the other node of the thread: %s", guarded(), ls_status_name(after));
	return after;
}

static void test_keys(void)
{
	static pthread_key_t key[KEYS];
	ls_topology *t = topology_of("complete:1");
	ls_machine *machine = machine_on(t, NULL), *other = machine_on(t, NULL);
	int taken = 0;

	guard("no key is left");
	while (taken < KEYS && pthread_key_create(&key[taken], NULL) == 0)
		taken++;
	CHECK(taken < KEYS, "%s: there are more", guarded());
	must_run(machine, attach_without_key, other);
	for (int i = 0; i < taken; i++)
		pthread_key_delete(key[i]);
	CHECK(ls_detach(attached_to(other, 0, 0)) == LS_OK, "%s", guarded());
	ls_machine_destroy(other);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* ---- A signal keeps a thread in ls_detach until the next run */

static void nap_in_handler(int unused)
{
	const int kept = errno;

	(void)unused;
	nap(100);
	errno = kept;
}

static int fail_program(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	return 7;
}

static void *attach_and_detach(void *machine)
{
	const int status = ls_detach(attached_to(machine, 1, 0));

	CHECK(status == LS_OK, "%s: node 1: %s", guarded(), ls_status_name(status));
	return NULL;
}

static void test_later_run(const ls_topology *t)
{
	const struct sigaction slow = { .sa_handler = nap_in_handler };
	ls_machine *machine = machine_on(t, NULL);

	guard("a thread is in ls_detach when the next run begins");
	if (sigaction(SIGUSR1, &slow, NULL))
		exit(1);
	for (int run = 0; run < 3; run++) {
		const pthread_t thread = start_thread(attach_and_detach, machine);
		ls_node *me = attached_to(machine, 0, 0);
		int status;

		nap(20); /* until the thread waits in ls_detach */
		pthread_kill(thread, SIGUSR1);
		nap(20);
		CHECK(ls_detach(me) == LS_OK, "%s", guarded());
		status = ls_run(machine, fail_program, NULL);
		CHECK(status == LS_ERR_PROGRAM, "%s: %s", guarded(), ls_status_name(status));
		pthread_join(thread, NULL);
	}
	ls_machine_destroy(machine);
}

/* ---- A run inside a node counts as waiting */

struct nested {
	ls_machine *outer, *inner, *linking;
};

/* Attaches to the machine that links the others, and waits for a node that never sends. */
static int wait_linked(ls_machine *linking, int64_t rank, ls_node *waiter)
{
	int64_t word;
	ls_node *there;
	int failed = ls_attach(linking, rank, 0, &there);

	if (failed)
		return failed;
	failed = ls_receive(waiter ? waiter : there, waiter ? 0 : 1, &word, sizeof word);
	ls_detach(there);
	return failed;
}

static int inner_program(ls_node *me, void *arg)
{
	const struct nested *s = arg;
	int64_t word;

	if (ls_rank(me) == 0)
		return wait_linked(s->linking, 0, NULL);
	return ls_receive(me, 0, &word, sizeof word);
}

static int outer_program(ls_node *me, void *arg)
{
	const struct nested *s = arg;
	int failed;

	if (ls_rank(me) == 1)
		return wait_linked(s->linking, 1, me);
	failed = ls_run(s->inner, inner_program, arg);
	CHECK(failed == LS_ERR_DEADLOCK, "%s: the inner run: %s", guarded(), ls_status_name(failed));
	return failed;
}

static void test_nested(const ls_topology *t, bool traced)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.trace = traced ? ignore_record : NULL };
	struct nested s = { machine_on(t, NULL), machine_on(t, &options), machine_on(t, NULL) };

	for (int run = 0; run < 5; run++) {
		guard("a node waits in a run%s that waits for the node, run %d",
			traced ? " with trace" : "", run);
		const int status = ls_run(s.outer, outer_program, &s);

		CHECK(status == LS_ERR_DEADLOCK, "%s: %s", guarded(), ls_status_name(status));
	}
	ls_machine_destroy(s.linking);
	ls_machine_destroy(s.inner);
	ls_machine_destroy(s.outer);
}

/* ---- Cancelled threads */

/* Ends at the first point after ls_attach where a thread can be cancelled. */
static void *attach_cancelled(void *machine)
{
	pthread_cancel(pthread_self());
	attached_to(machine, 0, 0);
	pthread_testcancel();
	return NULL;
}

static void test_cancelled_attach(void)
{
	ls_topology *t = topology_of("complete:1");
	ls_machine *machine;
	struct ls_error e = { .size = sizeof e };
	void *result;

	guard("a cancelled thread attaches");
	/* A thread can be cancelled where it opens a file. */
	setenv("LOCKSTEP_TRACE", "/dev/null", 1);
	machine = machine_on(t, NULL);
	for (int run = 0; run < 10; run++) {
		pthread_join(start_thread(attach_cancelled, machine), &result);
		CHECK(result == PTHREAD_CANCELED, "%s: it went on", guarded());
		CHECK(!ls_machine_busy(machine) && ls_last_error(machine, &e) == LS_ERR_LEFT, "%s: %s",
			guarded(), e.text);
	}
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	unsetenv("LOCKSTEP_TRACE");
	ls_topology_destroy(t);
}

static void end_if_cancelled(void *context, const struct ls_record *record)
{
	(void)context;
	(void)record;
	pthread_testcancel();
}

struct cancelled {
	ls_machine *machine;
	int64_t rank;
	int status;
	pthread_t thread;
};

static void *detach_cancelled(void *arg)
{
	struct cancelled *c = arg;
	ls_node *me = attached_to(c->machine, c->rank, 0);

	CHECK(add_ranks(me) == LS_OK, "%s", guarded());
	pthread_cancel(pthread_self());
	c->status = ls_detach(me);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return NULL;
}

static void test_cancelled_detach(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .trace = end_if_cancelled };
	ls_machine *machine = machine_on(t, &options);
	struct cancelled c[2];
	void *result;

	guard("cancelled threads detach");
	for (int run = 0; run < 10; run++) {
		for (int r = 0; r < 2; r++) {
			c[r] = (struct cancelled){ machine, r, -1, 0 };
			c[r].thread = start_thread(detach_cancelled, &c[r]);
		}
		for (int r = 0; r < 2; r++) {
			pthread_join(c[r].thread, &result);
			CHECK(result == NULL && c[r].status == LS_OK, "%s: node %d: %s", guarded(), r,
				ls_status_name(c[r].status));
		}
		CHECK(!ls_machine_busy(machine), "%s", guarded());
	}
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
}

int main(void)
{
	ls_topology *t = topology_of("complete:2");

	test_keys(); /* before any other ls_attach */
	test_later_run(t);
	test_nested(t, false);
	test_nested(t, true);
	test_cancelled_attach();
	test_cancelled_detach(t);
	ls_topology_destroy(t);
	return test_result();
}
