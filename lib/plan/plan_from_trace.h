/*
 * A plan made from a trace: messages in their order, without contents.
 *
 * A trace may break the rule of ports, and ls_step has no more than LS_PORTS messages each way.  A
 * reader that judges the rules therefore takes a node's messages from the sorted rows.
 */
#ifndef LSI_PLAN_PLAN_FROM_TRACE_H
#define LSI_PLAN_PLAN_FROM_TRACE_H

#include <lockstep/trace.h>

#include "plan/plan_internal.h"

/* Consecutive rows of a list. */
struct lsi_trace_range {
	const struct ls_trace_row *const *begin, *const *end;
};

struct lsi_trace_list {
	const struct ls_trace_row **row;
	size_t n;
};

/* The rows by round, then node, then as they stand in the trace. */
struct lsi_trace_index {
	struct lsi_trace_list sent;     /* the node is src */
	struct lsi_trace_list received; /* the node is dst; rows that are never sent are among them */
	struct ls_counts counts;
};

/* NULL: the plan is not one of a trace. */
const struct lsi_trace_index *lsi_trace_index_of(const struct ls_plan *);

/* What the nodes first .. last-1 send, or receive, in a step. */
struct lsi_trace_range lsi_trace_sent(
	const struct lsi_trace_index *, int64_t step, int64_t first, int64_t last);
struct lsi_trace_range lsi_trace_received(
	const struct lsi_trace_index *, int64_t step, int64_t first, int64_t last);

#endif
