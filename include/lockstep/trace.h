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
 * Times are in ns since all nodes of the run could begin, by one monotonic clock.  -1: not recorded.
 * A machine records them if ls_machine_options.trace_times is set.  A plan, a sweep and the engine
 * cooperative pass no messages, so their records have no times.  A message that was never received
 * has only sent_ns.
 */
struct ls_record {
	int64_t round, src, dst;
	size_t words;        /* elements; for ls_send, bytes */
	size_t bytes;        /* 0 in a plan, which has no type */
	int64_t sent_ns;     /* the message was complete, and the sender put it into the mailbox */
	int64_t received_ns; /* the receiver had the message, and began to use it */
	int64_t waited_ns;   /* the receiver waited for it so long; 0: it was there before */
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

LS_END_DECLS
#endif
