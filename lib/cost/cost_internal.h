/*
 * Cost of an algorithm before its plan is made, and of a plan on the links of a network.
 */
#ifndef LSI_COST_COST_INTERNAL_H
#define LSI_COST_COST_INTERNAL_H

#include <lockstep/cost.h>

#include "plan/plan_internal.h"

/*
 * Choose the algorithm for a request, and complete the problem that it solves.  ls_plan_make then
 * makes the plan.  Returns as ls_plan_make does.
 */
int lsi_choose(const struct ls_request *, const struct lsi_algorithm **, struct lsi_problem *,
	struct ls_error *why_or_null);

/* rounds t_s + volume bytes t_w, for elements of `bytes` bytes. */
double lsi_counts_cost(struct ls_counts, size_t bytes, struct ls_cost_model);

/* Congestion of a whole plan whose messages follow their routes. */
struct lsi_congestion {
	int64_t load; /* most messages on a directed link in a round */
	/* Sums over the rounds. */
	int64_t excess; /* words on the busiest link minus the longest message */
	int64_t hops;   /* of the longest route */
};
/* LS_OK or LS_ERR_MEMORY. */
int lsi_congestion_of(
	const struct ls_plan *, const ls_embedding *or_null, size_t n, struct lsi_congestion *);

#endif
