/*
 * A machine for one run: within the limits of the computer, stopped by signals, failures reported.
 */
#ifndef LOCKSTEP_JOB_JOB_MACHINE_H
#define LOCKSTEP_JOB_JOB_MACHINE_H

#include "base/execution.h"
#include "base/messages.h"
#include "base/query.h"
#include "report/blocked_nodes.h"

#include <signal.h>

typedef void trace_row(void *context, const struct ls_record *);

/*
 * Reports a network that needs more threads or memory than are available; exit code.  *left: the
 * bytes that remain, unless left is NULL.
 */
int machine_check_limits(
	const ls_topology *, const struct execution *, size_t bytes_per_node, size_t *left);

/* trace NULL: none.  In a shared run all processes make equal machines. */
int machine_open(const struct query *, const struct execution *, const ls_topology *,
	trace_row *trace, void *context, ls_machine **out);

/*
 * Destroys the machine.  If threads of a run that was stopped at its time limit still compute, they
 * use the buffers of the run: then this ends the tool with the exit code `result`.
 */
void machine_close(ls_machine *, int result);

/* Takes a pending signal of these blocked ones and returns its number; 0: none. */
int take_signal(const sigset_t *signals);
/*
 * As ls_run; the signals of block_signals stop the machine, in a shared run those of process 0.
 * *signal: the signal, or 0.
 */
int machine_run(ls_machine *, int (*program)(ls_node *, void *), void *argument, int *signal);

/*
 * Blocks SIGINT, SIGTERM and SIGHUP, unless the tool was started with them ignored: then they stay
 * ignored.  *signals: those that are blocked.  The caller restores `before`.
 */
void block_signals(sigset_t *signals, sigset_t *before);
/* Reports a run that a signal ended; its exit code. */
int print_interrupted(int signal);

/* Reports a failed run and its blocked nodes on stderr; its exit code. */
int report_machine_failure(
	const ls_machine *, int status, int signal, struct ls_error *out, struct blocked_nodes *);

#endif
