/*
 * The cooperative engine: the nodes of a group assemble, then those that run execute the plan of
 * all nodes, strip by strip, on everybody's operands and results.
 *
 * Each operand is read once, each result written once, and what lies between stays in the cache; a
 * node is switched to once.  Ports, matching and links of the plan are proved when its flow is
 * made, counts and traces are the plan's.
 */
#ifndef LSI_ENGINE_COOPERATIVE_COOPERATIVE_H
#define LSI_ENGINE_COOPERATIVE_COOPERATIVE_H

#include "engine/mailboxes/execute.h"

/* What one node sends in an execution. */
struct lsi_send_counts {
	int64_t rounds, messages, words;
};

struct lsi_send_counts lsi_send_counts_of(
	const struct ls_plan *, int64_t rank, const struct lsi_measure *);

/*
 * Assemble for a call, and execute it if it is to be executed cooperatively and can be.  The caller
 * has set node, combine, base and envelope of the execution, and says the plan, which must outlive
 * the group or the handle, the measure, and what this node sends.
 *
 * Returns    LS_OK; LSI_BY_NODES: all nodes are in this call, and execute it one by one, as
 * lsi_execute; else the machine has stopped
 */
struct lsi_cooperative_call {
	const struct ls_plan *plan;
	bool in_place, is_rooted;
	/*
	 * Of a rooted operation: the same plan for a root that is in place where this node is not, or
	 * the other way round; NULL: there is none.
	 */
	const struct ls_plan *other;
	const struct lsi_measure *measure;
	struct lsi_send_counts send_counts;
	bool cooperative;
};
int lsi_cooperative_execute(struct lsi_execution *, const struct lsi_cooperative_call *);

#endif
