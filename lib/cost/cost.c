#include "cost/cost.h"

#include "topology/topology.h"

const struct ls_cost_model ls_cost_model_default = { .t_s = LS_STARTUP, .t_w = LS_PER_BYTE, .t_h = 0 };

double ls_counts_cost(struct ls_counts counts, size_t bytes, struct ls_cost_model model)
{
	return (double)counts.rounds * model.t_s
		+ (double)counts.volume * (double)bytes * model.t_w;
}

/* The sum over the rounds of the longest route. */
static int64_t hops(const ls_plan *plan)
{
	const struct ls_problem *problem = &plan->problem;
	int64_t sum = 0;

	if (problem->mode == LS_HOP)
		return ls_plan_rounds(plan);
	for (int64_t step = 0; step < ls_plan_steps(plan); step++) {
		int64_t longest = 0;

		for (int64_t u = 0; u < problem->nodes; u++) {
			struct ls_peers peers;

			ls_plan_peers(plan, u, step, &peers);
			for (int q = 0; q < LS_PORTS; q++) {
				const int64_t length = peers.to[q] == LS_NOBODY ? 0
					: ls_distance(problem->topology, u, peers.to[q]);

				longest = length > longest ? length : longest;
			}
		}
		sum += longest;
	}
	return sum;
}

double ls_plan_cost(const ls_plan *plan, size_t n, size_t bytes, struct ls_cost_model model)
{
	const double cost = ls_counts_cost(ls_plan_predicted(plan, n), bytes, model);

	return model.t_h > 0 ? cost + (double)hops(plan) * model.t_h : cost;
}
