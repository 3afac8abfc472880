/*
 * All-gather on rings of even length by exchanges with both neighbors in turn; in reverse time
 * order, a reduce-scatter.
 *
 * A run is the blocks that a node of the ring has at first.  The nodes of a ring form pairs, and
 * the two nodes of a pair first exchange their runs.  In each later round every node exchanges with
 * the neighbor with which it did not exchange last, and sends the two runs that it got last, in
 * round 1 its own run and the one that arrived.  An even node exchanges with the node above it in
 * even rounds, and with the one below it in odd rounds:
 *
 *   ring of 6     round 0   0 - 1   2 - 3   4 - 5       one run each way
 *                 round 1   1 - 2   3 - 4   5 - 0       two runs each way
 *                 round 2   0 - 1   2 - 3   4 - 5       two runs each way
 *
 * So two runs arrive per round, and a ring takes half as many rounds as with single runs.  An axis
 * of odd side uses single runs (allgather_ring.c).
 *
 *   rounds     sum over all sides s: s/2 if s is even, s - 1 if odd
 *   traffic    one message per node and round, m (p - 1) words
 *   cost       t_s rounds + t_w m (p - 1)
 *   memory     reduce-scatter: p blocks
 *   requires   closed rings with an even side above 2; reduce-scatter: a commutative operation
 *   source     J. Chen, L. Zhang, Y. Zhang, W. Yuan, HPC Asia 2005: neighbor exchange; dimensions
 *              as in Grama, Gupta, Karypis, Kumar 2003, Algorithm 4.6
 */
#include "collective/axis.h"
#include "collective/exchange/block_exchange.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	if (!lsi_axes_closed(problem->topology))
		return false;
	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);

		if (side > 2 && side % 2 == 0)
			return true;
	}
	return false;
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return axis.side % 2 ? axis.side - 1 : axis.side / 2;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_block_exchange_frame(problem, lsi_phases_rounds(problem, rounds_on), problem->nodes);
}

/* Coordinates, mod the side, of the peers and of the first of `runs` runs. */
struct flow {
	int64_t to, from, sent, got, runs;
};

static struct flow round_ring(int64_t at, int64_t round)
{
	return (struct flow){ at + 1, at - 1, at - round, at - round - 1, 1 };
}

/* The pair that an even node has received after this number of rounds, relative to its own. */
static int64_t pair_after(int64_t rounds)
{
	return rounds % 2 ? (rounds - 1) / 2 : -(rounds / 2);
}

static struct flow by_turns(int64_t at, int64_t round)
{
	const int64_t up = at % 2 ? -1 : 1; /* an odd node mirrors an even one */
	const int64_t peer = at + (round % 2 ? -up : up), own = at - at % 2;

	if (round == 0)
		return (struct flow){ peer, peer, at, peer, 1 };
	return (struct flow){ peer, peer, own + 2 * up * pair_after(round),
		own + 2 * up * pair_after(round + 1), 2 };
}

static struct ls_slice range(struct lsi_axis axis, int64_t rank, int64_t coordinate, int64_t runs)
{
	struct ls_slice slice = lsi_axis_range(axis, rank, lsi_wrap(coordinate, axis.side));

	slice.run *= runs;
	return slice;
}

static struct lsi_block_exchange exchange(
	const struct ls_plan *plan, int64_t rank, int64_t round, int port)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_axis_coordinate(axis, rank);
	const bool turns = axis.side % 2 == 0, last = lsi_axis_is_last(&plan->problem, axis);
	const struct flow flow = turns ? by_turns(at, phase.round) : round_ring(at, phase.round);

	if (port > 0)
		return (struct lsi_block_exchange){ .to = LS_NO_RANK, .from = LS_NO_RANK };
	return (struct lsi_block_exchange){
		.to = lsi_axis_node(axis, rank, lsi_wrap(flow.to, axis.side)),
		.from = lsi_axis_node(axis, rank, lsi_wrap(flow.from, axis.side)),
		.sends = range(axis, rank, flow.sent, flow.runs),
		.receives = range(axis, rank, flow.got, flow.runs),
		.again = !last || (turns && phase.round == 0 && axis.side > 2),
		.passed = !last || phase.round + 1 < rounds_on(&plan->problem, axis),
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
	int64_t rounds = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);

		rounds += side % 2 == 0 ? side / 2 : side - 1;
	}
	return lsi_block_exchange_counts(problem, rounds, n);
}

#define NEIGHBOR \
	.name = "neighbor-exchange", \
	.networks = "ring:P torus:RxC.. complete:P with an even side above 2", \
	.rounds = "sum over all sides s: s/2 if s is even, s - 1 if odd", .bound = LSI_ROUND_BOUND, \
	.source = "Chen, Zhang, Zhang, Yuan 2005", .nodup = true, .supports = supports, \
	.frame = frame, .peers = peers, .body = body, .predict = predict, \
	.lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allgather_neighbor_exchange = {
	.operations = LSI_FOR(LS_ALLGATHER), .claim = LS_MOVE, .identical = true, NEIGHBOR
};

const struct lsi_algorithm lsi_reduce_scatter_neighbor_exchange = {
	.operations = LSI_FOR(LS_REDUCE_SCATTER), .claim = LS_COMMUTATIVE, NEIGHBOR
};
