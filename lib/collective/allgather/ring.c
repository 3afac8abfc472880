/*
 * All-gather round the rings of every dimension; backwards, reduce-scatter.
 *
 * The last axis comes first, so that what the nodes of a line hold when their axis begins are
 * consecutive ranges of ranks. These travel round the ring in step: in round t of an axis the node
 * at coordinate c sends range c - t, which came in the round before, and receives range c - t - 1.
 * With two ports they travel both ways, each half as far.
 *
 *   rounds     sum over the dimensions of (side - 1); two ports, closed: of ceil((side - 1)/2)
 *   traffic    sum (side - 1) messages per node, m (p - 1) words
 *   cost       t_s sum (side - 1) + t_w m (p - 1); two ports about half of it
 *   memory     reduce-scatter: two blocks on a single ring, else p
 *   requires   hop mode: closed rings; routed mode: any topology, in rank order where it is no grid
 *              (on a line the message from the last node to the first takes the links back, idle
 *              otherwise; the same on the leaves of a tree); a commutative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4, 4.5 and 4.6
 */
#include "collective/allgather/exchange.h"
#include "collective/bound.h"
#include "collective/grid.h"

static bool supports(const struct ls_problem *problem)
{
	return problem->mode == LS_ROUTED || ls_axes_closed(problem->topology);
}

/* Is a second port of use? Round an open line all messages of a direction would meet. */
static bool both_ways(const struct ls_problem *problem)
{
	return problem->ports >= 2 && ls_axes_closed(problem->topology);
}

static int64_t lap(const struct ls_problem *problem, struct ls_axis axis)
{
	return both_ways(problem) ? axis.side / 2 : axis.side - 1;
}

static bool is_single(const struct ls_problem *problem, struct ls_axis axis)
{
	return axis.side == problem->nodes && !both_ways(problem);
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	const struct ls_axis longest = { ls_axis_longest(problem->topology), 1 };

	return ls_exchange_frame(problem, ls_phases_rounds(problem, lap),
		is_single(problem, longest) ? 2 : problem->nodes);
}

/* What the node at a coordinate, taken mod the side, held when the axis began. */
static struct ls_slice range(const struct ls_problem *problem, struct ls_axis axis, int64_t rank,
	int64_t coordinate)
{
	if (is_single(problem, axis))
		return ls_one(LS_OUTPUT, coordinate + axis.side);
	return ls_axis_range(axis, rank, ls_wrap(coordinate, axis.side));
}

static struct ls_exchange exchange(const struct ls_plan *plan, int64_t rank, int64_t round,
	int port)
{
	const struct ls_problem *problem = &plan->problem;
	const struct ls_phase phase = ls_phase_at(problem, lap, round);
	const struct ls_axis axis = phase.axis;
	const int64_t at = ls_axis_coordinate(axis, rank), ahead = port == 0 ? 1 : -1;
	/* The way down is one shorter where both ways lead to the opposite node. */
	const int64_t rounds = port == 0 ? lap(problem, axis) : (axis.side - 1) / 2;

	if (phase.round >= rounds || (port > 0 && !both_ways(problem)))
		return (struct ls_exchange){ .to = LS_NOBODY, .from = LS_NOBODY };
	return (struct ls_exchange){
		.to = ls_axis_node(axis, rank, ls_wrap(at + ahead, axis.side)),
		.from = ls_axis_node(axis, rank, ls_wrap(at - ahead, axis.side)),
		.sends = range(problem, axis, rank, at - ahead * phase.round),
		.gets = range(problem, axis, rank, at - ahead * (phase.round + 1)),
		.again = !ls_axis_is_last(problem, axis) || (port > 0 && phase.round == 0),
		.passed = !ls_axis_is_last(problem, axis) || phase.round + 1 < rounds,
	};
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	ls_exchange_peers(plan, exchange, rank, round, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	ls_exchange_body(plan, exchange, rank, round, step);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const bool halved = problem->ports >= 2 && ls_axes_closed(problem->topology);
	struct ls_counts counts = { .words = ls_mul(ls_mul(problem->nodes, problem->nodes - 1),
		(int64_t)n) };
	int64_t range = (int64_t)n;

	for (int d = ls_axes(problem->topology) - 1; d >= 0; d--) {
		const int64_t side = ls_axis_side(problem->topology, d);
		const int64_t rounds = halved ? side / 2 : side - 1;

		counts.rounds += rounds;
		counts.messages = ls_add(counts.messages, ls_mul(problem->nodes, side - 1));
		counts.volume = ls_add(counts.volume, ls_mul(range, rounds));
		range = ls_mul(range, side);
	}
	return counts;
}

#define RING \
	.name = "ring", \
	.networks = "ring:P torus:RxC.. complete:P; any in routed mode", \
	.rounds = "sum of (s - 1) over the sides s; two ports, closed: of ceil((s - 1)/2)", \
	.bound = "diameter, ceil(log2 p)", \
	.nodup = true, \
	.supports = supports, \
	.frame = frame, \
	.peers = peers, \
	.body = body, \
	.predict = predict, \
	.lower_bound = ls_lower_bound

const struct ls_algorithm ls_allgather_ring = {
	.operations = LS_FOR(LS_ALLGATHER),
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4 and 4.6",
	.claim = LS_MOVE,
	.identical = true,
	RING
};

const struct ls_algorithm ls_reduce_scatter_ring = {
	.operations = LS_FOR(LS_REDUCE_SCATTER),
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.5",
	.claim = LS_COMMUTATIVE,
	RING
};
