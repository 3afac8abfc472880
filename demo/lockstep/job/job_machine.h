/*
 * A machine for one run: made within the limits of the host, watched for signals, failures told.
 */
#ifndef LOCKSTEP_JOB_JOB_MACHINE_H
#define LOCKSTEP_JOB_JOB_MACHINE_H

#include "base/execution.h"
#include "base/messages.h"
#include "base/query.h"

#include <signal.h>

typedef void trace_row(void *context, const struct ls_record *);

/* Refuse what cannot fit before anything is started; bytes: buffers of all nodes. */
int machine_fits(const ls_topology *, size_t bytes_a_node);

/* trace NULL: none. */
int machine_open(const struct query *, const struct execution *, const ls_topology *,
	trace_row *trace, void *context, ls_machine **out);

/* As ls_run; SIGINT, SIGTERM and SIGHUP stop the machine, and *by is then the signal, else 0. */
int machine_run(ls_machine *, int (*program)(ls_node *, void *), void *argument, int *by);

/* These signals; the caller puts `before` back. */
void block_signals(sigset_t *signals, sigset_t *before);
/* The exit code of what a signal ended, after a message. */
int complain_signal(int by);

/* The exit code of a run that gave `status`, after message and roll call on stderr. */
int machine_failure(const ls_machine *, int status, int by, struct ls_error *out);

#endif
