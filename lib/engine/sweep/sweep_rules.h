/*
 * The rules of messages in a sweep: peers, ports, links and their load.
 *
 * Every path that looks at single messages calls these functions, so each rule has one text.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_RULES_H
#define LSI_ENGINE_SWEEP_SWEEP_RULES_H

#include "engine/sweep/sweep_internal.h"

/* A message as one of its two nodes sees it; ranks are those of the plan. */
struct lsi_message_end {
	struct lsi_sweep_worker *worker;
	int64_t node, peer, step;
	bool sends;            /* node is the sender */
	const char *operation; /* in texts: "allreduce" */
};

/* "in round 3 (allreduce)" */
struct lsi_message_when {
	char text[64];
};
struct lsi_message_when lsi_message_when(const struct lsi_message_end *);

/* Each returns false after it has reported a violation by `node`. */

/* The peer exists and is another node. */
bool lsi_rule_peer(const struct lsi_message_end *);
/* The node has a port left; `used` ports are taken, the first of them by the message of `first`. */
bool lsi_rule_port(const struct lsi_message_end *, int64_t used, int64_t first);
/* In hop mode a link joins the two nodes. */
bool lsi_rule_link(const struct lsi_message_end *);

/* Whether a link joins two different nodes, or a route does in routed mode. */
bool lsi_message_has_link(const struct lsi_sweep_state *, int64_t node, int64_t peer);

/* Routed mode: count one more message on each link of its route, and note crowded links. */
void lsi_message_add_load(const struct lsi_message_end *);
/* After a barrier: no other message crosses a link of its route; else a violation. */
bool lsi_rule_congestion(const struct lsi_message_end *);

/* After the barrier of a step, over all workers. */
struct lsi_step_sums {
	int64_t unmatched; /* sends less receives */
	bool crowded;      /* two messages cross a link, which `strict` forbids */
};
struct lsi_step_sums lsi_step_sums_of(const struct lsi_sweep_state *, int parity);

#endif
