/*
 * The cooperative engine: nodes assemble for a call, then execute the plan of all nodes together.
 *
 * Each node that enters a collective call shows its operands and waits.  The last node to arrive,
 * the leader, prepares the work.  The running nodes then execute the plan of all nodes on all
 * operands, strip by strip: each operand is read once, each result is written once, and
 * intermediate values stay in the cache.  So a node is switched to once per call, not once per
 * message.
 *
 * Ports, matches and links of the plan are proved when its flow is made; counts and traces are
 * those of the plan.
 */
#ifndef LSI_ENGINE_COOPERATIVE_COOPERATIVE_H
#define LSI_ENGINE_COOPERATIVE_COOPERATIVE_H

#include "engine/mailboxes/execute.h"

/* The messages that one node sends in an execution. */
struct lsi_send_counts {
	int64_t rounds, messages, words;
};

struct lsi_send_counts lsi_send_counts_of(
	const struct ls_plan *, int64_t rank, const struct lsi_measure *);

/*
 * Assemble for a call, and execute it if it is cooperative and has a flow.  The caller has set
 * node, combine, base and envelope of the execution.  The plan must outlive the group or the
 * handle.
 *
 * Returns    LS_OK
 *            LSI_BY_NODES   all nodes are in this call, and each executes it by lsi_execute
 *            else the machine has stopped
 */
struct lsi_cooperative_call {
	const struct ls_plan *plan;
	bool in_place, is_rooted;
	/*
	 * Rooted operations: the same plan for a root that is in place where this node is not, or the
	 * reverse; NULL: none.
	 */
	const struct ls_plan *other;
	const struct lsi_measure *measure;
	struct lsi_send_counts send_counts;
	bool cooperative;
};
int lsi_cooperative_execute(struct lsi_execution *, const struct lsi_cooperative_call *);

#endif
