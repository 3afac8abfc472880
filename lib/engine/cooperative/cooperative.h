/*
 * The cooperative engine: all nodes wait for each other, then execute the plan of all nodes
 * together (work sharing).
 *
 * Each node that enters a collective call publishes the addresses of its operands and waits.  The
 * last node to arrive, the leader, prepares the work.  The nodes that are running then execute the
 * plan of all nodes on all operands, strip by strip: each operand is read once, each result is
 * written once, and intermediate values stay in the cache.  So a node needs one context switch per
 * call, not one per message.
 *
 * The ports, matches and links of a plan are checked when its flow is made.  Counts and traces are
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

/* A call, as one node makes it. */
struct lsi_cooperative_call {
	const struct ls_plan *plan;
	bool in_place;  /* at this node */
	bool is_rooted; /* broadcast, reduce, scatter, gather: only the root's in_place counts */
	/*
	 * Rooted operations of cooperative calls: the plan for the case that the root is in place and
	 * this node is not, or the reverse.
	 */
	const struct ls_plan *other;
	const struct lsi_measure *measure;
	struct lsi_send_counts send_counts; /* of this node */
	bool cooperative; /* false: only wait for all nodes, then return LSI_USE_MAILBOXES */
};

/* Add the messages of a call that was executed to the counts of this node, and trace them. */
int lsi_sends_count(struct lsi_execution *, const struct lsi_cooperative_call *);

/*
 * Wait for all nodes, and execute a call if it is cooperative and its plan has a flow.  The caller
 * has set node, combine, base and envelope of the execution.  The plan must outlive the group.
 *
 * Returns    LS_OK
 *            LSI_USE_MAILBOXES  each node must execute the call by lsi_execute
 *            any other          the machine has stopped
 */
int lsi_cooperative_execute(struct lsi_execution *, const struct lsi_cooperative_call *);

#endif
