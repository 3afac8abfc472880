/*
 * Circular shift in one round: every node sends to the node q ranks up.
 *
 *   rounds     1; none if q = 0
 *   traffic    p messages of m elements, each along its route
 *   cost       t_s + t_w m times the largest load of a link.  On the hypercube no link is used
 *              twice, and the longest route has log2 p - gamma(q) links, where 2^gamma(q) is the
 *              largest power of two that divides q
 *   requires   routed mode, or the complete network
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.6; their slides to chapter 4,
 *              "Basic Communication Operations", equation (9)
 */
#include "collective/requirement.h"
#include "collective/shift_block.h"

static bool is_cube(const struct lsi_problem *problem)
{
	return problem->mode == LS_ROUTED && lsi_is_hypercube(problem);
}

static bool supports(const struct lsi_problem *problem)
{
	return !is_cube(problem) && lsi_reaches_all(problem);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_shift_frame(problem, problem->shift != 0, problem->shift != 0);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_problem *problem = &plan->problem;

	(void)round;
	out->to[0] = lsi_wrap(rank + problem->shift, problem->nodes);
	out->from[0] = lsi_wrap(rank - problem->shift, problem->nodes);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	if (problem->shift == 0)
		return (struct ls_counts){ 0 };
	return lsi_equal_counts(1, problem->nodes, n);
}

static int64_t lower_bound(const struct lsi_problem *problem)
{
	return problem->shift != 0;
}

#define COMMON \
	.operations = LSI_FOR(LS_SHIFT), .rounds = "1", .bound = "1", .claim = LS_MOVE, \
	.identical = true, .frame = frame, .peers = peers, .shape = lsi_one_shape, \
	.body = lsi_shift_body, .predict = predict, .lower_bound = lower_bound

const struct lsi_algorithm lsi_shift_ecube = {
	COMMON,
	.name = "ecube",
	.networks = "hypercube:D in routed mode",
	.source =
		"Grama, Gupta, Karypis, Kumar 2003, section 4.6; their slides to chapter 4, equation (9)",
	.supports = is_cube,
};

const struct lsi_algorithm lsi_shift_direct = {
	COMMON,
	.name = "direct",
	.networks = "complete:P; any but hypercubes in routed mode",
	.source = "one message along the route",
	.supports = supports,
};
