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

/*
 * One row of a trace as input: in a round from 1 on, node src sends `words` elements to node dst.
 * Rows of one round may stand in any order; a node uses its ports in the order of its rows.
 */
struct ls_trace_row {
	int64_t round, src, dst;
	size_t words;
	bool unsent; /* dst waits for the message, but src never sends it */
};

struct ls_trace {
	size_t size;
	const ls_topology *topology;
	enum ls_mode mode;
	int ports; /* 0: one */
	const struct ls_trace_row *row;
	size_t n; /* rows */
};

/*
 * Make a plan from a trace.  It moves messages without contents and has no result, so ls_sweep_run
 * alone executes it: ports, links, matches and counts are those of any plan, and nothing is proved.
 * A node sends all its messages of a round before it receives.  ls_plan_operation means nothing.
 *
 * Owns       topology and rows stay the caller's, and must outlive the plan
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     ports, or a row with a round or a node out of range
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_plan_from_trace(
	const struct ls_trace *, ls_plan **out, struct ls_error *why_or_null);

LS_END_DECLS
#endif
