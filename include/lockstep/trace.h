/*
 * Traces: the messages of a plan or of a run, one record for each.
 */
#ifndef LOCKSTEP_TRACE_H
#define LOCKSTEP_TRACE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* One message.  Rounds count from 1; in routed mode dst is the final destination. */
struct ls_record {
	int64_t round, src, dst;
	size_t words; /* elements; for ls_send, bytes */
	size_t bytes; /* 0 in a plan, which has no type */
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
