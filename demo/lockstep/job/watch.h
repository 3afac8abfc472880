/*
 * Signals and the time limit, which end a sweep; polled during the run.
 */
#ifndef LOCKSTEP_JOB_WATCH_H
#define LOCKSTEP_JOB_WATCH_H

#include "base/execution.h"
#include "base/output.h"

#include <signal.h>

struct watch {
	const struct execution *how;
	const struct output *output;
	sigset_t signals, before;
	int64_t since;    /* when the time limit began */
	int signal;       /* the signal received, or 0 */
	bool late, shown; /* the time limit is exceeded; progress was shown */
};

/* Between these two, signals are pending until watch_look. */
void watch_begin(struct watch *, const struct execution *, const struct output *, int64_t since);
void watch_end(struct watch *);

/* For struct ls_sweep; the context is the watch. */
int watch_look(void *watch, const struct ls_sweep_progress *);
bool watch_is_late(struct watch *);

/* The status and error of a run that was stopped after `rounds` rounds. */
int watch_stopped(const struct watch *, int64_t rounds, struct ls_error *);

#endif
