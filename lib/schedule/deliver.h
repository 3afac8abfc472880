/*
 * From a schedule of links to a plan: what each message carries.
 *
 * Each node takes a contribution from the first message that can bring it, and only what its
 * result, or a later message, needs is sent.  Links that carry nothing are dropped.  So no
 * contribution reaches a node twice.
 */
#ifndef LSI_SCHEDULE_DELIVER_H
#define LSI_SCHEDULE_DELIVER_H

#include "schedule/link_schedule.h"

/* The contributions that each message carries: carried[t * arcs->count + a]. */
struct lsi_deliveries {
	const struct lsi_link_schedule *schedule;
	struct lsi_node_set *carried;
};

/* The schedule reaches the goal.  LS_OK or LS_ERR_MEMORY; release it in both cases. */
int lsi_deliveries_init(
	struct lsi_deliveries *, const struct lsi_link_schedule *, const struct lsi_goal *);
void lsi_deliveries_fini(struct lsi_deliveries *);

static inline const struct lsi_node_set *lsi_deliveries_at(
	const struct lsi_deliveries *d, int round, int arc)
{
	return &d->carried[round * d->schedule->arcs->count + arc];
}

/*
 * Rounds, messages, words and volume of the plan of an operation, for one element; rounds < 0: no
 * memory.  They follow from the deliveries, not from the steps of the plan.
 */
struct ls_counts lsi_deliveries_counts(
	const struct lsi_deliveries *, const struct lsi_goal *, enum ls_operation);

/*
 * The plan of the request by a schedule that reaches its goal; request->algorithm: its name.  Sums
 * of an all-reduce are merged, in any order; those of a scan or a barrier are in rank order.
 */
int lsi_schedule_plan(const struct ls_request *, const struct lsi_link_schedule *,
	const struct lsi_goal *, ls_plan **out, struct ls_error *why_or_null);

#endif
