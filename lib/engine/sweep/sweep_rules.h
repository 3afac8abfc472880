/*
 * The rules of messages in a sweep: the rules of lib/machine/message_rules.h, with the facts of a
 * sweep.  All code of the sweep that checks single messages calls these functions.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_RULES_H
#define LSI_ENGINE_SWEEP_SWEEP_RULES_H

#include "engine/sweep/sweep_internal.h"
#include "machine/message_rules.h"

/* One end of a message.  Ranks are those of the plan. */
struct lsi_message_end {
	struct lsi_sweep_worker *worker;
	int64_t node, peer, step;
	bool sends;            /* `node` is the sender */
	const char *operation; /* name in texts: "allreduce" */
};

/*
 * Report that `node` breaks a rule; returns false.  The caller has set the rule and the fields that
 * the rule uses: other (a rank of the plan), count, limit, name.
 */
bool lsi_message_report(const struct lsi_message_end *, struct lsi_message_error);

/*
 * Check that the peer exists and is another node, that a port is free, and, if `linked`, that a
 * link connects both nodes; otherwise report a violation and return false.  `used` ports are in
 * use, the first of them for a message of the peer `first`.
 */
bool lsi_message_holds(const struct lsi_message_end *, int64_t used, int64_t first, bool linked);

/* Whether a link, or in routed mode a route, connects two different nodes. */
bool lsi_message_has_link(const struct lsi_sweep_state *, int64_t node, int64_t peer);

/*
 * Routed mode: count one more message on each link of its route, and note crowded links.  In hop
 * mode the load is 1.
 */
void lsi_message_add_load(const struct lsi_message_end *);
/* After a barrier: check that no other message crosses a link of its route; else report it. */
bool lsi_message_has_free_links(const struct lsi_message_end *);

/* The sums over all workers, after the barrier of a step. */
struct lsi_step_sums {
	int64_t unmatched; /* sum of lsi_sweep_worker.unmatched; 0: sends and receives match */
	bool crowded;      /* two messages cross the same link, which `strict` forbids */
};
struct lsi_step_sums lsi_step_sums_of(const struct lsi_sweep_state *, int parity);

#endif
