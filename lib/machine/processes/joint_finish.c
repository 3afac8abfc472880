/*
 * The end of the communication thread.
 *
 * Its waits end with the time limit, but an operator of the user may compute for ever.  Then the
 * run ends without the thread, in this process alone, as it ends without a node that does not
 * return.  The other processes wait in vain for values of the call, and end with a time limit of
 * their own.  Machine and world stay busy until the thread has returned.
 */
#include "base/error.h"
#include "base/futex.h"
#include "machine/processes/far_internal.h"

/* The time of the thread to return, once its waits have ended; ns. */
static const uint64_t time_to_return = 2000000000;

enum { TESTS = 4000 }; /* about two seconds */

/* Its waits end with the limit.  False: an operator computes. */
static bool await_thread(struct lsi_processes *p)
{
	const uint64_t last = p->limit ? p->limit + time_to_return : 0;

	while (!lsi_load(&p->returned, acquire)) { /* FINISHED */
		if (last && lsi_now_ns() >= last)
			return false;
		lsi_futex_wait(&p->returned, 0, last);
	}
	pthread_join(p->thread, NULL);
	return true;
}

void lsi_processes_finish(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (!p)
		return;
	lsi_store(&p->done, 1u, release); /* FINISHED */
	lsi_communication_wake(p);
	if (!await_thread(p)) {
		p->left_behind = true; /* no other thread reads it before control */
		p->joint = false;
		lsi_world_leave(&p->world->scope);
		return;
	}
	/* Nodes that the failed communication held in a call return now. */
	for (int64_t tests = 0; p->broken && tests < TESTS; tests++) {
		if (lsi_load(&machine->unfinished, acquire) == 0) /* FINISHED */
			return;
		lsi_world_pause(tests);
	}
}

bool lsi_processes_describe_left(const struct ls_machine *machine, struct ls_error *error)
{
	const struct lsi_processes *p = machine->processes;

	if (!p || !p->left_behind)
		return false;
	lsi_error_set(error, LS_ERR_TIMEOUT,
		"timed out after %g s: an operator of a collective call is still running in process %d; "
		"the "
		"machine is busy until it returns",
		machine->options.timeout, p->number);
	return true;
}

bool lsi_processes_have_returned(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (!p || !p->left_behind)
		return true;
	if (!lsi_load(&p->returned, acquire)) /* FINISHED */
		return false;
	pthread_join(p->thread, NULL);
	p->left_behind = false;
	lsi_processes_break(p, LS_ERR_TIMEOUT, "the last run ended in this process alone");
	lsi_world_ended(p->world, 0);
	return true;
}
