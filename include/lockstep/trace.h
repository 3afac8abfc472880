/*
 * Trace: the messages of a plan or of a run, one record each.
 */
#ifndef LOCKSTEP_TRACE_H
#define LOCKSTEP_TRACE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/*
 * A message: one that a plan says, or one that passed a mailbox.  Rounds count from 1; in routed
 * mode dst is the final destination.
 */
struct ls_record {
	int64_t round, src, dst;
	size_t words, bytes; /* elements (point-to-point calls: bytes); bytes, 0 in a plan */
};

/*
 * Call row(context, ..) for every message of a run with n elements, sorted by round, then src,
 * then dst. Stops when row returns non-zero, and returns that; else 0.
 */
LS_API int ls_trace_plan(
	const ls_plan *, size_t n, int (*row)(void *context, const struct ls_record *), void *context);

LS_END_DECLS
#endif
