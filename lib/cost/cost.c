/*
 * The cost of a plan: rounds t_s + (volume + excess) bytes t_w + hops t_h, for elements of `bytes`
 * bytes.  Excess: words on the busiest link minus the longest message, summed over the rounds.
 */
#include "base/math.h"
#include "cost/cost_internal.h"

const struct ls_cost_model ls_cost_model_default = {
	.t_s = LSI_STARTUP, .t_w = LSI_PER_BYTE, .t_h = 0
};

double lsi_counts_cost(struct ls_counts counts, size_t bytes, struct ls_cost_model model)
{
	return (double)counts.rounds * model.t_s + (double)counts.volume * (double)bytes * model.t_w;
}

double ls_plan_cost_on(const ls_plan *plan, const ls_embedding *embedding, size_t n, size_t bytes,
	struct ls_cost_model model)
{
	if (!plan)
		return -1;

	const bool hop = plan->problem.mode == LS_HOP && !embedding;
	struct lsi_congestion found = { 1, 0, ls_plan_rounds(plan) };
	struct ls_counts counts = ls_plan_predict(plan, n);

	if (counts.rounds < 0 || (!hop && lsi_congestion_of(plan, embedding, n, &found) != LS_OK))
		return -1;
	counts.volume = lsi_add_sat(counts.volume, found.excess);
	return lsi_counts_cost(counts, bytes, model) + (double)found.hops * model.t_h;
}

double ls_plan_cost(const ls_plan *plan, size_t n, size_t bytes, struct ls_cost_model model)
{
	return ls_plan_cost_on(plan, NULL, n, bytes, model);
}
