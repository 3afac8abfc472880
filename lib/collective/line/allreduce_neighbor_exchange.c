/*
 * All-reduce and prefix sums on rings and tori by exchanges with both neighbors in turn, dimension
 * by dimension.
 *
 * In a closed line of even side the coordinates 2i and 2i + 1 first exchange their values, and both
 * add them.  Then every node exchanges with its other neighbor, then with the first again, and so
 * on.  It sends the sum of the pair that it computed or received last.  So in each round it gets
 * the sum of one more pair (see the picture in allgather_neighbor_exchange.c).  In a line of odd
 * side, values move around in one direction (allreduce_pattern.c).
 *
 * A node stores each sum in the slot of its origin.  At the end it folds all slots in rank order,
 * so all nodes evaluate the same expression.  A scan also folds the slots of lower coordinates, and
 * adds the result to OUTPUT as the left operand.
 *
 *   rounds     sum over all sides s: s/2 if s is even, s - 1 if odd; the diameter if all sides are
 *              even
 *   messages   one from every node in every round, of m words
 *   cost       (t_s + t_w m) rounds
 *   memory     two buffers of the maximum over all sides s of: s/2 + 1 blocks if s is even, s if
 *              odd; scan: one block more
 *   requires   ring or torus with an even side above 2; any associative operator
 *   source     messages: J. Chen, L. Zhang, Y. Zhang, W. Yuan, "Performance evaluation of allgather
 *              algorithms on terascale Linux cluster with Fast Ethernet", HPC-Asia 2005
 */
#include "collective/axis.h"
#include "collective/prefix.h"
#include "collective/round_bound.h"

enum { SPARE = LS_SCRATCH + 2 };

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	for (int d = 0; d < ls_topology_dims(t); d++) {
		const int64_t side = ls_topology_side(t, d);

		if (side > 2 && side % 2 == 0)
			return t->network->grid == LSI_GRID_WRAPPED;
	}
	return false;
}

static bool is_even(struct lsi_axis axis)
{
	return axis.side % 2 == 0;
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return is_even(axis) ? axis.side / 2 : axis.side - 1;
}

/* The number of slots of a line: one per pair, or one per value. */
static int64_t slots_of(struct lsi_axis axis)
{
	return is_even(axis) ? axis.side / 2 : axis.side;
}

/* The slot of a coordinate. */
static int64_t slot_of(struct lsi_axis axis, int64_t at)
{
	return is_even(axis) ? at / 2 : at;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t spare = lsi_is_prefix(problem);
	int64_t most = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const struct lsi_axis axis = { lsi_axis_side(problem->topology, d), 1 };
		const int64_t slots = slots_of(axis) + is_even(axis);

		most = slots > most ? slots : most;
	}
	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, rounds_on),
		.blocks = 1,
		.has_prologue = true,
		.scratch = { { most, most }, { most, most }, { spare, spare } } };
}

/* The coordinates of the peers, and the slots that are sent and received. */
struct flow {
	int64_t to, sent, from, got;
};

static struct flow flow_at(struct lsi_axis_phase phase, int64_t rank)
{
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_axis_coordinate(axis, rank), side = axis.side, t = phase.round;
	const int64_t ahead = is_even(axis) && (at + t) % 2 ? -1 : 1;
	const int64_t peer = lsi_wrap(at + ahead, side);

	if (!is_even(axis))
		return (struct flow){ peer, lsi_wrap(at - t, side), lsi_wrap(at - 1, side),
			lsi_wrap(at - 1 - t, side) };
	return (struct flow){ peer, slot_of(axis, lsi_wrap(at - ahead * t, side)), peer,
		slot_of(axis, lsi_wrap(at + ahead * (t + 1), side)) };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct flow flow = flow_at(phase, rank);

	out->to[0] = lsi_axis_node(phase.axis, rank, flow.to);
	out->from[0] = lsi_axis_node(phase.axis, rank, flow.from);
}

/* A node's own value when a phase begins: after the slots of the pairs, or in its own slot. */
static struct ls_slice own(struct lsi_axis_phase phase, int64_t rank)
{
	return lsi_block(lsi_phase_bank(phase),
		is_even(phase.axis) ? slots_of(phase.axis) : lsi_axis_coordinate(phase.axis, rank));
}

/* The partner of the node in its pair has sent its value. */
static void combine_pair(const struct lsi_problem *problem, struct lsi_axis_phase phase,
	int64_t rank, struct ls_step *step)
{
	const int64_t at = lsi_axis_coordinate(phase.axis, rank);
	const struct ls_slice both = lsi_block(lsi_phase_bank(phase), slot_of(phase.axis, at));

	if (at % 2 == 0) {
		lsi_step_combine(step, both, own(phase, rank), lsi_arrival(step));
		return;
	}
	lsi_step_combine(step, both, lsi_arrival(step), own(phase, rank));
	if (lsi_is_prefix(problem))
		lsi_prefix_combine(problem, 0, rank % phase.axis.stride > 0, lsi_arrival(step), step);
}

/* The end of a phase. */
static void fold(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round);
	const int64_t at = lsi_axis_coordinate(phase.axis, rank), lower = slot_of(phase.axis, at);
	const bool begun = rank % phase.axis.stride > 0 || (is_even(phase.axis) && at % 2);
	const struct ls_slice all = lsi_blocks(lsi_phase_bank(phase), 0, slots_of(phase.axis));

	if (round + 1 < plan->frame.rounds)
		lsi_step_fold(step, own(lsi_phase_at(problem, rounds_on, round + 1), rank), all);
	else if (!lsi_is_prefix(problem))
		lsi_step_fold(step, lsi_block(LS_OUTPUT, 0), all);
	if (lsi_is_prefix(problem) && lower > 0)
		lsi_prefix_combine_all(
			problem, begun, lsi_blocks(lsi_phase_bank(phase), 0, lower), lsi_block(SPARE, 0), step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round < 0 ? 0 : round);
	const struct flow flow = flow_at(phase, rank);
	const bool is_pairing = is_even(phase.axis) && phase.round == 0;

	if (round < 0) {
		lsi_step_copy(step, own(phase, rank), lsi_block(LS_INPUT, 0));
		if (lsi_is_prefix(problem) && rank == 0)
			lsi_prefix_first(problem, 1, step);
		return;
	}
	lsi_step_send(
		step, is_pairing ? own(phase, rank) : lsi_block(lsi_phase_bank(phase), flow.sent));
	lsi_step_receive(step, 1);
	if (is_pairing)
		combine_pair(problem, phase, rank, step);
	else
		lsi_step_copy(step, lsi_block(lsi_phase_bank(phase), flow.got), lsi_arrival(step));
	if (phase.round == rounds_on(problem, phase.axis) - 1)
		fold(plan, round, rank, step);
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return lsi_prefix_shape(plan, rounds_on, rank, round);
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	return lsi_prefix_period(plan, rounds_on, round);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };

	for (int d = 0; d < ls_topology_dims(problem->topology); d++) {
		const int64_t side = ls_topology_side(problem->topology, d);

		counts.rounds += side % 2 ? side - 1 : side / 2;
	}
	counts.messages = lsi_mul_sat(counts.rounds, problem->nodes);
	counts.words = lsi_mul_sat(counts.messages, (int64_t)n);
	counts.volume = lsi_mul_sat(counts.rounds, (int64_t)n);
	return counts;
}

static const struct lsi_whole_machine whole = { .period = period };

#define COMMON \
	.name = "neighbor-exchange", .networks = "ring:P torus:RxC.. with an even side above 2", \
	.rounds = "sum over all sides s: s/2 if s is even, s - 1 if odd", .bound = LSI_ROUND_BOUND, \
	.source = "Chen, Zhang, Zhang, Yuan 2005", .claim = LS_ORDERED, .nodup = true, \
	.supports = supports, .frame = frame, .peers = peers, .shape = shape, .whole = &whole, \
	.body = body, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allreduce_neighbor_exchange = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.identical = true,
};

const struct lsi_algorithm lsi_scan_neighbor_exchange = { COMMON, .operations = LSI_PREFIXES };
