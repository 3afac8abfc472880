/*
 * Reduction by recursive halving: a broadcast by recursive doubling back in time.
 *
 * Neighboring intervals of ranks are combined in rank order, the shortest messages first (Figure
 * 4.3); on a mesh or torus first in all rows, then in the root's column; on a hypercube from the
 * lowest dimension to the highest (Algorithm 4.3). Any root, any number of nodes.
 *
 *   rounds     sum over the axes of ceil(log2 side); one axis of p nodes unless the network is a
 *              grid
 *   messages   p - 1, of m words
 *   cost       (t_s + m t_w) ceil(log2 p)   (eq 4.1)
 *   requires   routed mode, or a hypercube or complete network; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1
 */
#include "collective/binomial.h"
#include "collective/bound.h"
#include "collective/reduce/reversal.h"

static struct ls_frame frame(const struct ls_problem *problem)
{
	return (struct ls_frame){ .rounds = ls_phases_rounds(problem, ls_binomial_levels), .blocks = 1,
		.scratch = { { 1, 1 } } };
}

/* *first: no earlier round has given this node anything to combine. */
static struct ls_binomial meeting_at(const struct ls_problem *problem, int64_t rank, int64_t round,
	bool *first)
{
	const struct ls_phase phase = ls_phase_at(problem, ls_binomial_levels, round);
	struct ls_binomial meeting = { LS_BINOMIAL_IDLE, LS_NOBODY, 1 };

	if (ls_axis_same_before(phase.axis, rank, problem->root))
		meeting = ls_binomial_at(problem, phase.axis, rank, (int64_t)1 << phase.round);
	*first = ls_axis_is_first(phase.axis) && meeting.held == 1;
	return meeting;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	bool first;
	const struct ls_binomial meeting = meeting_at(&plan->problem, rank, round, &first);

	if (meeting.role == LS_BINOMIAL_MATE)
		out->to[0] = meeting.peer;
	else
		out->from[0] = meeting.peer;
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	bool first;
	const struct ls_binomial meeting = meeting_at(&plan->problem, rank, round, &first);

	if (meeting.role == LS_BINOMIAL_IDLE)
		return 0;
	return (rank == plan->problem.root ? LS_REDUCE_ROOT : 0) | (first ? 0 : LS_REDUCE_HELD)
		| (meeting.role == LS_BINOMIAL_MATE ? LS_REDUCE_SENDS : LS_REDUCE_RECEIVES)
		| (meeting.peer > rank ? LS_REDUCE_ABOVE : 0);
}

/* Back in time; on the first axis of those on which the node is not at the root's coordinate. */
static struct ls_hearing hears(const struct ls_plan *plan, int64_t rank)
{
	const struct ls_problem *problem = &plan->problem;
	struct ls_hearing heard = { -1, LS_NOBODY };
	struct ls_axis axis = { 1, 1 };
	int64_t begin = 0;

	for (int d = ls_axes(problem->topology) - 1; d >= 0 && heard.round < 0; d--) {
		axis = ls_axis_next(problem, axis, d);
		if (ls_axis_coordinate(axis, rank) != ls_axis_coordinate(axis, problem->root))
			heard.round = plan->frame.rounds - 1 - begin
				- ls_binomial_told(problem, axis, rank, &heard.from);
		begin += ls_binomial_levels(problem, axis);
	}
	return heard;
}

static int64_t edge_shape(const struct ls_plan *plan, int64_t rank, int64_t round,
	struct ls_edge edge)
{
	(void)round;
	if (edge.peer == LS_NOBODY)
		return 0;
	return (rank == plan->problem.root ? LS_REDUCE_ROOT : 0) | (edge.last ? 0 : LS_REDUCE_HELD)
		| (edge.up ? LS_REDUCE_SENDS : LS_REDUCE_RECEIVES)
		| (edge.peer > rank ? LS_REDUCE_ABOVE : 0);
}

static const struct ls_single_tree tree = { hears, ls_reversal_tells, edge_shape };

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t messages = problem->nodes - 1;
	int64_t rounds = 0;

	for (int d = 0; d < ls_axes(problem->topology); d++)
		rounds += ls_log2_ceil(ls_axis_side(problem->topology, d));
	return (struct ls_counts){ rounds, messages, ls_mul(messages, (int64_t)n),
		ls_mul(rounds, (int64_t)n) };
}

const struct ls_algorithm ls_reduce_binomial = {
	.operations = LS_FOR(LS_REDUCE),
	.name = "binomial",
	.networks = "hypercube:D complete:P; any in routed mode",
	.rounds = "sum of ceil(log2 s) over the sides s",
	.bound = "ceil(log2 p)",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.3, Problem 4.1",
	.claim = LS_ORDERED,
	.identical = true,
	.nodup = true,
	.supports = ls_binomial_supports,
	.frame = frame,
	.peers = peers,
	.shape = shape,
	.body = ls_reduce_body,
	.tree = &tree,
	.window = ls_reduce_window,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
