/*
 * Cost: what a plan takes on a machine with start-up time t_s, time per byte t_w and time per hop
 * t_h, and the algorithms among which the default is chosen.
 */
#ifndef LOCKSTEP_COST_H
#define LOCKSTEP_COST_H

#include <lockstep/embedding.h>
#include <lockstep/plan.h>

LS_BEGIN_DECLS

struct ls_cost_model {
	double t_s, t_w, t_h;
}; /* any unit of time; t_w for one byte */

/* By which defaults are chosen, so that they never depend on the machine at hand. */
LS_API extern const struct ls_cost_model ls_cost_model_default;

/*
 * T = sum over the rounds of t_s + t_w * bytes that cross the busiest directed link + t_h * hops of
 * the longest route, for n elements of `bytes` bytes each.  In hop mode a link carries one message.
 * Of a plan for the guest of an embedding, the links are those of the host.
 *
 * Returns    -1: no memory to count
 */
LS_API double ls_plan_cost(const ls_plan *, size_t n, size_t bytes, struct ls_cost_model);
LS_API double ls_plan_cost_on(
	const ls_plan *, const ls_embedding *or_null, size_t n, size_t bytes, struct ls_cost_model);

/* One round of a plan: the most that crosses a directed link, and the longest message and route. */
struct ls_round_load {
	size_t size;
	int64_t messages, words;
	int64_t longest, hops;
};
/* What crosses a directed link in a round: from one vertex of the network to its neighbor. */
struct ls_link_load {
	int64_t from, to, messages, words;
};
/*
 * What crosses the links in a step when messages with n elements follow their routes: the most, all
 * 0 in a local step; and every link that is crossed, by vertex, then link index, given to
 * link(context, ..), which stops by a value other than 0.
 *
 * Returns    LS_OK, LS_ERR_MEMORY, or what link returned
 */
LS_API LS_MUST_CHECK int ls_plan_round_load(const ls_plan *, const ls_embedding *or_null,
	int64_t step, size_t n, struct ls_round_load *out);
LS_API LS_MUST_CHECK int ls_plan_link_loads(const ls_plan *, const ls_embedding *or_null,
	int64_t step, size_t n, int (*link)(void *context, const struct ls_link_load *), void *context);

/* One algorithm among which the choice for a request is made. */
struct ls_candidate {
	size_t size;
	const char *algorithm;
	struct ls_counts counts;
	double cost; /* under ls_cost_model_default */
	bool chosen;
	int64_t load;        /* most messages on a directed link in a round; -1: not known */
	int64_t lower_bound; /* on the rounds, as the algorithm states it; -1: none known */
	enum ls_claim claim;
};
/*
 * The candidates in the order of the table; false past the last.  Those for any network visit every
 * node to count.  On one with more than LS_EXACT_CHOICE_NODES such an algorithm is the default only
 * where the network has none of its own; with more than LS_COUNTED_NODES its counts and cost are -1
 * too.
 *
 * Entries of one name differ in their claims.
 *
 * In routed mode the cost is that with congestion, which is found by walking the routes of all
 * messages; where nodes times rounds are more than LS_LOAD_WALK_LIMIT, load is -1, and the cost is
 * that without congestion.
 */
enum { LS_EXACT_CHOICE_NODES = 1 << 7, LS_COUNTED_NODES = 1 << 20, LS_LOAD_WALK_LIMIT = 1 << 18 };
LS_API bool ls_candidate_list(const struct ls_request *, size_t index, struct ls_candidate *out);

/* One measurement: the rounds of a plan, the bytes as ls_plan_cost counts them, and its time. */
struct ls_cost_sample {
	double rounds, bytes, time;
};
/*
 * The t_s and t_w, neither negative, under which rounds * t_s + bytes * t_w has the least sum of
 * squares of relative errors; t_h is 0.  Where no sample has bytes only t_s is fitted.
 * *residual_or_null: the mean of the relative errors' magnitudes.
 *
 * Returns  LS_OK
 *          LS_ERR_ARGUMENT     no samples, a time that is not above 0, a count that is negative
 *          LS_ERR_UNSUPPORTED  no two samples tell the rounds from the bytes
 */
LS_API LS_MUST_CHECK int ls_cost_fit(const struct ls_cost_sample *, size_t count,
	struct ls_cost_model *out, double *residual_or_null);

LS_END_DECLS
#endif
