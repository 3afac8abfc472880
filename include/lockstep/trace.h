/*
 * Traces: the messages of a plan or of a run, one record for each.
 */
#ifndef LOCKSTEP_TRACE_H
#define LOCKSTEP_TRACE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/*
 * One message.  Rounds count from 1; in routed mode dst is the final destination.
 *
 * Times are in ns since the run began, when all its nodes could start, by one monotonic clock for
 * all nodes.  -1: no time.  A machine records times if ls_machine_options.trace_times is set.  A
 * plan, a sweep and the engine cooperative pass no messages, so their records have no times.  A
 * message that was never received has only sent_ns.  The processes of a world on one host have one
 * clock, too.  On several hosts, the times of a node are by the clock of its host, since its own
 * process began.
 *
 *     sender    ... computes ... | sent_ns
 *     receiver  ... computes ... |<---- waited_ns ---->| received_ns ... computes ...
 */
struct ls_record {
	int64_t round, src, dst;
	size_t words;        /* elements; for ls_send, bytes */
	size_t bytes;        /* 0 in a plan, which has no type */
	int64_t sent_ns;     /* the message was complete, and the sender put it into the mailbox */
	int64_t received_ns; /* the receiver had the message, and began to use it */
	int64_t waited_ns;   /* until received_ns; 0: the message was there when it looked first */
};

/*
 * Call row(context, ..) for every message that a plan sends with n elements, sorted by round, then
 * src, then dst.
 *
 * Returns    0, or the first non-zero value that row returned, which ends the trace; or
 *            LS_ERR_ARGUMENT
 */
LS_API int ls_trace_plan(
	const ls_plan *, size_t n, int (*row)(void *context, const struct ls_record *), void *context);

/* The messages of one step, in the same order. */
LS_API int ls_trace_step(const ls_plan *, size_t n, int64_t step,
	int (*row)(void *context, const struct ls_record *), void *context);

LS_END_DECLS
#endif
