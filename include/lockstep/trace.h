/*
 * Trace: the messages of a plan, one row each.
 */
#ifndef LOCKSTEP_TRACE_H
#define LOCKSTEP_TRACE_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

/* Rounds count from 1; words are elements. */
struct ls_trace_row { int64_t round, src, dst; size_t words; };

/*
 * Call row(context, ..) for every message of a run with n elements, sorted by round, then src,
 * then dst. Stops when row returns non-zero, and returns that; else 0.
 */
LS_API int ls_trace_plan(const ls_plan *, size_t n,
	int (*row)(void *context, const struct ls_trace_row *), void *context);

LS_END_DECLS
#endif
