/*
 * All-gather round the rings of every dimension.
 *
 * The last axis comes first, so that what the nodes of a line hold when their axis begins are
 * consecutive ranges of ranks. These travel round the ring in step: in round t of an axis the node
 * at coordinate c sends range c - t, which came in the round before, and receives range c - t - 1.
 *
 *   rounds     sum over the dimensions of (side - 1)
 *   traffic    as many messages per node, m (p - 1) words
 *   cost       t_s sum (side - 1) + t_w m (p - 1)
 *   requires   hop mode: closed rings; routed mode: any topology, in rank order where it is no grid
 *              (on a line the message from the last node to the first takes the links back, idle
 *              otherwise; the same on the leaves of a tree)
 *   source     Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4 and 4.6
 */
#include "collective/bound.h"
#include "collective/grid.h"

static bool supports(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED || ls_axes_closed(problem->topology);
}

static int64_t lap(const struct ls_problem *problem, struct ls_axis axis)
{
	(void)problem;
	return axis.side - 1;
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	return (struct ls_frame){ .rounds = ls_phases_rounds(problem, lap),
		.blocks = problem->nodes };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_axis axis = ls_phase_at(&plan->problem, lap, round).axis;
	const int64_t at = ls_axis_coordinate(axis, rank);

	out->to[0] = ls_axis_node(axis, rank, ls_wrap(at + 1, axis.side));
	out->from[0] = ls_axis_node(axis, rank, ls_wrap(at - 1, axis.side));
}

/* What the node of this line at a coordinate, taken mod the side, held when the axis began. */
static struct ls_slice range(struct ls_axis axis, int64_t rank, int64_t coordinate)
{
	const int64_t node = ls_axis_node(axis, rank, ls_wrap(coordinate, axis.side));

	return ls_blocks(LS_OUTPUT, node - node % axis.stride, axis.stride);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, lap, round);
	const int64_t sent = ls_axis_coordinate(phase.axis, rank) - phase.round;

	ls_step_send(step, round == 0 ? ls_one(LS_INPUT, 0) : range(phase.axis, rank, sent));
	ls_step_receive(step, phase.axis.stride);
	ls_step_copy(step, range(phase.axis, rank, sent - 1), ls_arrival(step));
	if (round == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, rank), ls_one(LS_INPUT, 0));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, words = ls_mul(p - 1, (int64_t)n);
	int64_t rounds = 0;

	for (int d = 0; d < ls_axes(problem->topology); d++)
		rounds += ls_axis_side(problem->topology, d) - 1;
	return (struct ls_counts){ rounds, ls_mul(p, rounds), ls_mul(p, words), words };
}

const struct ls_algorithm ls_allgather_ring = {
	.operations = LS_FOR(LS_ALLGATHER),
	.name = "ring",
	.networks = "ring:P torus:AxB.. complete:P; any in routed mode",
	.rounds = "sum of (s - 1) over the sides s; no grid: p - 1",
	.bound = "diameter, ceil(log2 p)",
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4 and 4.6",
	.claim = LS_MOVE,
	.identical = true,
	.nodup = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = ls_lower_bound,
};
