/*
 * The end of the communication thread.
 *
 * Its waits end with the time limit, but an operator of the user may compute for ever.  Then the
 * run ends without the thread, in this process alone, as it ends without a node that does not
 * return.  The other processes wait in vain for values of the call, and end with a time limit of
 * their own, which is some seconds later.  Machine and world stay busy until the thread has
 * returned; it ends all processes, and changes nothing else.
 */
#include "base/error.h"
#include "base/futex.h"
#include "machine/processes/computing.h"
#include "machine/processes/far_internal.h"

enum {
	TESTS = 4000, /* about two seconds */
	LOOK_INTERVAL_NS = 10000000
};

/*
 * False: an operator computes after the last moment of the run.  It may have begun later, because
 * other processes have more time to reply.  The waits of the thread end with that time.
 */
static bool await_thread(struct lsi_processes *p)
{
	uint64_t next = p->limit ? lsi_run_last_moment(p->machine) : 0;

	while (!lsi_load(&p->returned, acquire)) { /* FINISHED */
		if (next && lsi_now_ns() >= next) {
			if (lsi_computing_abandon(&p->computes))
				return false;
			next = lsi_now_ns() + LOOK_INTERVAL_NS;
		}
		lsi_futex_wait(&p->returned, 0, next);
	}
	pthread_join(p->thread, NULL);
	return true;
}

static void abandon_thread(struct lsi_processes *p)
{
	lsi_links_abandon(p);
	p->thread_abandoned = true; /* no other thread reads it before control */
	p->joint = false;
	lsi_world_leave(&p->world->scope);
}

void lsi_processes_finish(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (!p)
		return;
	lsi_store(&p->done, 1u, release); /* FINISHED */
	lsi_communication_wake(p);
	if (!await_thread(p)) {
		abandon_thread(p);
		return;
	}
	/* Nodes that the failed communication held in a call return now. */
	for (int64_t tests = 0; p->broken && tests < TESTS; tests++) {
		if (lsi_load(&machine->unfinished, acquire) == 0) /* FINISHED */
			return;
		lsi_world_pause(tests);
	}
}

bool lsi_processes_describe_abandoned(const struct ls_machine *machine, struct ls_error *error)
{
	const struct lsi_processes *p = machine->processes;

	if (!p || !p->thread_abandoned)
		return false;
	lsi_error_set(error, LS_ERR_TIMEOUT,
		"timed out after %g s: an operator of a collective call is still running in process %d; "
		"all processes end when it returns",
		machine->options.timeout, p->number);
	return true;
}

bool lsi_processes_join_abandoned(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (!p || !p->thread_abandoned)
		return true;
	if (!lsi_load(&p->returned, acquire)) /* FINISHED */
		return false;
	pthread_join(p->thread, NULL);
	p->thread_abandoned = false;
	lsi_world_ended(p->world, 0);
	return true;
}
