/*
 * All-gather around the rings of every dimension; in reverse time order, a reduce-scatter.
 *
 * The last axis comes first.  So when an axis begins, each node of a line has the blocks of a
 * contiguous range of ranks.  All ranges move around the ring at the same time.  In round t of an
 * axis the node at coordinate c sends range c - t, which it received in the round before, and
 * receives range c - t - 1:
 *
 *   ring of 4, node 0     round 0   sends 0   receives 3
 *                         round 1   sends 3   receives 2
 *                         round 2   sends 2   receives 1
 *
 * With two ports the ranges move in both directions, each half as far.
 *
 *   rounds     sum over all sides s: s - 1, but ceil((s - 1)/2) on rings with two ports
 *   traffic    sum of side - 1 messages per node, m (p - 1) words
 *   cost       t_s sum (side - 1) + t_w m (p - 1); two ports about half of it
 *   memory     reduce-scatter: p blocks; two on a single ring in one direction
 *   ports      two: both directions in every round
 *   requires   hop mode: closed rings; routed mode: any topology (one ring in rank order if it is
 *              not a grid); on lines and leaves of trees the message from the last node to the
 *              first uses the links back, idle otherwise; reduce-scatter: a commutative
 *              operation
 *   source     Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4, 4.5 and 4.6
 */
#include "collective/axis.h"
#include "collective/exchange/block_exchange.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_ROUTED || lsi_axes_closed(problem->topology);
}

/*
 * Whether a second port helps; around an open line all messages of a direction would share links.
 */
static bool both_ways(const struct lsi_problem *problem)
{
	return problem->ports >= 2 && lsi_axes_closed(problem->topology);
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return both_ways(problem) ? axis.side / 2 : axis.side - 1;
}

static bool is_single(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return axis.side == problem->nodes && !both_ways(problem);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const struct lsi_axis longest = { lsi_axis_longest(problem->topology), 1 };

	return lsi_block_exchange_frame(problem, lsi_phases_rounds(problem, rounds_on),
		is_single(problem, longest) ? 2 : problem->nodes);
}

/* The range of the node at a coordinate, mod the side, when the axis began. */
static struct ls_slice range(
	const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank, int64_t coordinate)
{
	if (is_single(problem, axis))
		return lsi_block(LS_OUTPUT, coordinate + axis.side);
	return lsi_axis_range(axis, rank, lsi_wrap(coordinate, axis.side));
}

static struct lsi_block_exchange exchange(
	const struct ls_plan *plan, int64_t rank, int64_t round, int port)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round);
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_axis_coordinate(axis, rank), ahead = port == 0 ? 1 : -1;
	/* With an even side only port 0 reaches the opposite node, so port 1 ends a round earlier. */
	const int64_t rounds = port == 0 ? rounds_on(problem, axis) : (axis.side - 1) / 2;

	if (phase.round >= rounds || (port > 0 && !both_ways(problem)))
		return (struct lsi_block_exchange){ .to = LS_NO_RANK, .from = LS_NO_RANK };
	return (struct lsi_block_exchange){
		.to = lsi_axis_node(axis, rank, lsi_wrap(at + ahead, axis.side)),
		.from = lsi_axis_node(axis, rank, lsi_wrap(at - ahead, axis.side)),
		.sends = range(problem, axis, rank, at - ahead * phase.round),
		.receives = range(problem, axis, rank, at - ahead * (phase.round + 1)),
		.again = !lsi_axis_is_last(problem, axis) || (port > 0 && phase.round == 0),
		.passed = !lsi_axis_is_last(problem, axis) || phase.round + 1 < rounds,
	};
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_block_exchange_peers(plan, exchange, rank, round, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	lsi_block_exchange_body(plan, exchange, rank, round, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const bool halved = problem->ports >= 2 && lsi_axes_closed(problem->topology);
	struct ls_counts counts = { .words = lsi_mul_sat(
									lsi_mul_sat(problem->nodes, problem->nodes - 1), (int64_t)n) };
	int64_t range = (int64_t)n;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		const int64_t side = lsi_axis_side(problem->topology, d);
		const int64_t rounds = halved ? side / 2 : side - 1;

		counts.rounds += rounds;
		counts.messages = lsi_add_sat(counts.messages, lsi_mul_sat(problem->nodes, side - 1));
		counts.volume = lsi_add_sat(counts.volume, lsi_mul_sat(range, rounds));
		range = lsi_mul_sat(range, side);
	}
	return counts;
}

#define RING \
	.name = "ring", .networks = "ring:P torus:RxC.. complete:P; any in routed mode", \
	.rounds = "sum over all sides s: s - 1, but ceil((s - 1)/2) on rings with two ports", \
	.bound = LSI_ROUND_BOUND, .nodup = true, .supports = supports, .frame = frame, .peers = peers, \
	.body = body, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_ring = { .operations = LSI_FOR(LS_ALLGATHER),
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithms 4.4 and 4.6",
	.claim = LS_MOVE,
	.identical = true,
	RING };

const struct lsi_algorithm lsi_reduce_scatter_ring = { .operations = LSI_FOR(LS_REDUCE_SCATTER),
	.source = "Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.5",
	.claim = LS_COMMUTATIVE,
	RING };
