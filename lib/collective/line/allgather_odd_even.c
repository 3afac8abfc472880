/*
 * All-gather on grids, hop by hop, by odd-even exchanges in every dimension (odd_even.h); in
 * reverse time order, a reduce-scatter in rank order.
 *
 * The all-gather handles the last axis first, so runs are contiguous ranges of ranks.  In the
 * reduce-scatter, sums move from both ends of a line to the origin of a run, where the sum of lower
 * ranks meets that of higher ranks:
 *
 *   run 2, side 5     0 ----> 1 ----> 2 <---- 3 <---- 4
 *
 * The reduce-scatter adds rows before columns, so operands are added in rank order.  The all-gather
 * that it reverses therefore handles the columns first, and the blocks of a run are one row apart.
 *
 *   rounds     sum over all sides s > 1: s, but s - 1 if s is 2 or 4 or with two ports;
 *              `odd-even-pairs`: s if s is odd, s - 1 if even
 *   messages   floor(5 s^2/8) in every line, 2 s for s = 4; in pairs s^2/2; with two ports
 *              s (s - 1)
 *   traffic    m (p - 1) words per node
 *   cost       on a line: s t_s + t_w m (s - 1 + ceil(s/2)); for s = 2, s = 4 and even s in pairs
 *              (s - 1) t_s + t_w m (2 s - 3); with two ports (s - 1) (t_s + t_w m)
 *   memory     reduce-scatter: p blocks
 *   ports      two: both directions in every round
 *   requires   hop mode, a grid of any sides, open or wrapped; any associative operator
 *   source     gossiping on a path by odd-even exchanges, and its reversal
 */
#include "base/alloc.h"
#include "collective/exchange/block_exchange.h"
#include "collective/line/odd_even.h"
#include "collective/round_bound.h"

static bool supports_pairs(const struct lsi_problem *problem)
{
	if (!lsi_odd_even_supports(problem) || problem->ports > 1)
		return false;
	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);

		if (side > 4 && side % 2 == 0)
			return true;
	}
	return false;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return lsi_block_exchange_frame(
		problem, lsi_phases_rounds(problem, lsi_odd_even_rounds), problem->nodes);
}

static struct lsi_frame frame_in_pairs(const struct lsi_problem *problem)
{
	return lsi_block_exchange_frame(
		problem, lsi_phases_rounds(problem, lsi_odd_even_rounds_in_pairs), problem->nodes);
}

/* The two algorithms differ only in the termination variant of a line. */
static lsi_axis_rounds *ending(const struct ls_plan *plan)
{
	return plan->algorithm->frame == frame ? lsi_odd_even_rounds : lsi_odd_even_rounds_in_pairs;
}

static bool adds(const struct ls_plan *plan)
{
	return plan->problem.operation == LS_REDUCE_SCATTER;
}

/*
 * The blocks of all nodes that differ from a node on other axes, for one coordinate on this axis.
 */
struct column {
	struct ls_block_map map;
	struct lsi_axis axis;
};

static int64_t block(const struct ls_block_map *map, int64_t by, int64_t coordinate, int64_t j)
{
	const struct lsi_axis axis = ((const struct column *)map)->axis;

	return by % axis.stride + (coordinate + j * axis.side) * axis.stride;
}

/* One column per phase. */
static int prepare(struct ls_plan *plan)
{
	const int axes = lsi_axes(plan->problem.topology);
	struct column *column = adds(plan) ? lsi_alloc((size_t)axes * sizeof *column) : NULL;
	struct lsi_axis axis = { 1, 1 };

	if (adds(plan) && !column)
		return LS_ERR_MEMORY;
	plan->table = column;
	for (int d = axes - 1; adds(plan) && d >= 0; d--) {
		axis.stride *= axis.side;
		axis.side = lsi_axis_side(plan->problem.topology, d);
		if (axis.side > 1)
			*column++ =
				(struct column){ { plan->problem.nodes / axis.stride / axis.side, block }, axis };
	}
	return LS_OK;
}

static struct ls_slice slice(const struct ls_plan *plan, struct lsi_axis_phase phase, int direction,
	int64_t rank, struct lsi_runs runs)
{
	const int64_t first = lsi_runs_first(runs, direction, phase.axis);
	const int64_t count = runs.last - runs.first + 1;
	const struct column *const columns = plan->table;
	struct ls_slice range;

	if (adds(plan))
		return lsi_mapped(lsi_blocks(LS_OUTPUT, first, count), &columns[phase.before].map, rank);
	range = lsi_axis_range(phase.axis, rank, first);
	range.run *= count;
	return range;
}

/* A reduce-scatter adds rows first, so as an all-gather its phases are in reverse order. */
static struct lsi_axis_phase phase_at(const struct ls_plan *plan, int64_t round)
{
	const struct lsi_problem *problem = &plan->problem;
	struct lsi_axis_phase phase =
		lsi_phase_at(problem, ending(plan), adds(plan) ? plan->frame.rounds - 1 - round : round);

	if (adds(plan))
		phase.round = ending(plan)(problem, phase.axis) - 1 - phase.round;
	return phase;
}

static void describe_port(const struct ls_plan *plan, struct lsi_axis_phase phase, int direction,
	int64_t rank, struct lsi_block_exchange *e)
{
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_odd_even_position(direction, axis, rank);
	const int64_t ahead = direction == LSI_UP ? axis.stride : -axis.stride;
	const int64_t rounds = ending(plan)(&plan->problem, axis);
	const struct lsi_runs sent =
		lsi_odd_even_sent(&plan->problem, axis, rounds, direction, at, phase.round);
	const struct lsi_runs received =
		lsi_odd_even_sent(&plan->problem, axis, rounds, direction, at - 1, phase.round);

	if (lsi_runs_any(sent)) {
		/* Of the runs that come back, the node's own one comes twice. */
		const bool own = phase.round == 0 && at > 0;

		e->to = rank + ahead;
		e->sends = slice(plan, phase, direction, rank, sent);
		e->again = !lsi_axis_is_first(axis)
			|| (own && (plan->problem.ports == 1 || direction == LSI_DOWN));
	}
	if (lsi_runs_any(received)) {
		e->from = rank - ahead;
		e->receives = slice(plan, phase, direction, rank, received);
		e->passed = !lsi_axis_is_first(axis) || at < axis.side - 1;
	}
}

static struct lsi_block_exchange exchange(
	const struct ls_plan *plan, int64_t rank, int64_t round, int port)
{
	const struct lsi_axis_phase phase = phase_at(plan, round);
	struct lsi_block_exchange e = { .to = LS_NO_RANK, .from = LS_NO_RANK };

	for (int direction = 0; direction < LSI_CHAINS; direction++) {
		if (plan->problem.ports == 1 || direction == port)
			describe_port(plan, phase, direction, rank, &e);
	}
	return e;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	lsi_block_exchange_peers(plan, exchange, rank, round, out);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	lsi_block_exchange_body(plan, exchange, rank, round, step);
}

/* The counts of a line. */
struct line {
	int64_t rounds, messages, runs;
};

static struct line line(int64_t s, int ports, bool pairs)
{
	const int64_t half = s / 2;

	if (ports > 1 || s == 2)
		return (struct line){ s - 1, lsi_odd_even_messages(s, ports > 1), s - 1 };
	if (s % 2 == 0 && (pairs || s == 4))
		return (
			struct line){ s - 1, lsi_mul_sat(2, lsi_mul_sat(half, half)), lsi_mul_sat(2, s) - 3 };
	return (struct line){ s, lsi_odd_even_messages(s, false), s - 1 + (s - half) };
}

static struct ls_counts count(const struct lsi_problem *problem, size_t n, bool pairs)
{
	const int64_t p = problem->nodes, m = (int64_t)n;
	struct ls_counts counts = { .words = lsi_mul_sat(lsi_mul_sat(p, p - 1), m) };
	int64_t stride = 1;

	for (int d = ls_topology_dims(problem->topology) - 1; d >= 0; d--) {
		const int64_t side = ls_topology_side(problem->topology, d);
		const struct line one = line(side, problem->ports, pairs);
		const int64_t run = problem->operation == LS_ALLGATHER ? stride : p / stride / side;

		stride *= side;
		if (side == 1)
			continue;
		counts.rounds += one.rounds;
		counts.messages = lsi_add_sat(counts.messages, lsi_mul_sat(p / side, one.messages));
		counts.volume = lsi_add_sat(counts.volume, lsi_mul_sat(lsi_mul_sat(run, one.runs), m));
	}
	return counts;
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	return count(problem, n, false);
}

static struct ls_counts predict_in_pairs(const struct lsi_problem *problem, size_t n)
{
	return count(problem, n, true);
}

#define LINES \
	.bound = LSI_ROUND_BOUND, \
	.source = "gossiping on a path by odd-even exchanges, and its reversal", .nodup = true, \
	.prepare = prepare, .peers = peers, .body = body, .lower_bound = lsi_round_lower_bound

#define ODD_EVEN \
	.name = "odd-even", .networks = "linear:P ring:P mesh:RxC.. torus:RxC..", \
	.rounds = "sum over all sides s > 1: s, but s - 1 if s is 2 or 4 or with two ports", \
	.supports = lsi_odd_even_supports, .frame = frame, .predict = predict, LINES

#define IN_PAIRS \
	.name = "odd-even-pairs", \
	.networks = "linear:P ring:P mesh:RxC.. torus:RxC.. with an even side above 4", \
	.rounds = "sum over all sides s > 1: s if s is odd, s - 1 if even", \
	.supports = supports_pairs, .frame = frame_in_pairs, .predict = predict_in_pairs, LINES

#define ALLGATHER      .operations = LSI_FOR(LS_ALLGATHER), .claim = LS_MOVE, .identical = true
#define REDUCE_SCATTER .operations = LSI_FOR(LS_REDUCE_SCATTER), .claim = LS_ORDERED

const struct lsi_algorithm lsi_allgather_odd_even = { ALLGATHER, ODD_EVEN };
const struct lsi_algorithm lsi_allgather_odd_even_pairs = { ALLGATHER, IN_PAIRS };
const struct lsi_algorithm lsi_reduce_scatter_odd_even = { REDUCE_SCATTER, ODD_EVEN };
const struct lsi_algorithm lsi_reduce_scatter_odd_even_pairs = { REDUCE_SCATTER, IN_PAIRS };
