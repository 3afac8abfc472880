/*
 * Cost: what a plan takes on a machine with start-up time t_s, time per byte t_w and time per hop
 * t_h, and the algorithms among which the default is chosen.
 */
#ifndef LOCKSTEP_COST_H
#define LOCKSTEP_COST_H

#include <lockstep/plan.h>

LS_BEGIN_DECLS

struct ls_cost_model { double t_s, t_w, t_h; };         /* any unit of time; t_w for one byte */

/* By which defaults are chosen, so that they never depend on the machine at hand. */
LS_API extern const struct ls_cost_model ls_cost_model_default;

/*
 * T = sum over the rounds of t_s + t_w * bytes of the longest message + t_h * hops of the longest
 * route, for n elements of `bytes` bytes each; without congestion.
 */
LS_API double ls_plan_cost(const ls_plan *, size_t n, size_t bytes, struct ls_cost_model);

/* One algorithm among which the choice for a request is made. */
struct ls_candidate {
	size_t size;
	const char *algorithm;
	struct ls_counts counts;
	double cost;            /* under ls_cost_model_default */
	bool chosen;
};
/*
 * The candidates in the order of the table; false past the last.  Those for any network visit every
 * node to count: on one with more than LS_PRICED_NODES, counts and cost are -1 if not chosen.
 */
enum { LS_PRICED_NODES = 1 << 20 };
LS_API bool ls_candidate_list(const struct ls_request *, size_t index, struct ls_candidate *out);

LS_END_DECLS
#endif
