/*
 * The rules of messages in a sweep: lib/machine/message_rules.h, with the facts of a sweep.
 *
 * Every path that looks at single messages calls these functions.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_RULES_H
#define LSI_ENGINE_SWEEP_SWEEP_RULES_H

#include "engine/sweep/sweep_internal.h"
#include "machine/message_rules.h"

/* A message as one of its two nodes sees it; ranks are those of the plan. */
struct lsi_message_end {
	struct lsi_sweep_worker *worker;
	int64_t node, peer, step;
	bool sends;            /* node is the sender */
	const char *operation; /* in texts: "allreduce" */
};

/*
 * Report that `node` breaks a rule; false.  The error has the rule and what that rule needs: other
 * (a rank of the plan), count, limit, name.
 */
bool lsi_message_report(const struct lsi_message_end *, struct lsi_message_error);

/*
 * Check that the peer exists and is another node, that a port is left, and, if `linked`, that a
 * link joins both nodes; otherwise report a violation and return false.  `used` ports are taken,
 * the first of them by the message of `first`.
 */
bool lsi_message_holds(const struct lsi_message_end *, int64_t used, int64_t first, bool linked);

/* Whether a link joins two different nodes, or a route does in routed mode. */
bool lsi_message_has_link(const struct lsi_sweep_state *, int64_t node, int64_t peer);

/* Routed mode: count one more message on each link of its route, and note crowded links. */
void lsi_message_add_load(const struct lsi_message_end *);
/* After a barrier: no other message crosses a link of its route; else a violation. */
bool lsi_message_has_free_links(const struct lsi_message_end *);

/* After the barrier of a step, over all workers. */
struct lsi_step_sums {
	int64_t unmatched; /* sends less receives */
	bool crowded;      /* two messages cross a link, which `strict` forbids */
};
struct lsi_step_sums lsi_step_sums_of(const struct lsi_sweep_state *, int parity);

#endif
