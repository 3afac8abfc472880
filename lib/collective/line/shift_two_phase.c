/*
 * Circular shift on open lines, dimension by dimension: first up, then down.
 *
 * A line of side s shifts by its own amount a, with the carry (shift_dimension.c).  The blocks of
 * its first s - a nodes move up for a rounds, then those of its last a nodes move down for s - a
 * rounds:
 *
 *   linear:5, a = 2     up, 2 rounds         0 > 2   1 > 3   2 > 4
 *                       down, 3 rounds       3 > 0   4 > 1
 *
 * All lines of a dimension shift at the same time.
 *
 *   rounds     s for a line that shifts; the sum over the dimensions in which a line shifts; a
 *              lower bound is max(q, p - q) on the linear array
 *   messages   2 a (s - a) for a line
 *   cost       (t_s + t_w m) rounds
 *   memory     two blocks; one more with several dimensions, and in place up to two
 *   requires   linear array or mesh
 *   source     this project
 */
#include "collective/axis.h"
#include "collective/shift_block.h"
#include "collective/shift_bound.h"

enum { TRANSIT = LS_SCRATCH + 2 };

static bool supports(const struct lsi_problem *problem)
{
	return problem->topology->network->grid == LSI_GRID_OPEN;
}

/* The amount by which the line of a node shifts along an axis. */
static int64_t amount_of(const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank)
{
	const int64_t carry = rank % axis.stride < problem->shift % axis.stride;

	return (problem->shift / axis.stride + carry) % axis.side;
}

/*
 * A line shifts by the digit of q; by one more if q is not a multiple of stride and a carry
 * arrives.
 */
static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	const bool is_shifted =
		problem->shift / axis.stride % axis.side != 0 || problem->shift % axis.stride != 0;

	return is_shifted ? axis.side : 0;
}

/* The number of axes along which a node's line shifts, among those with strides below `end`. */
static int64_t phases_of(const struct lsi_problem *problem, int64_t rank, int64_t end)
{
	struct lsi_axis axis = { 1, 1 };
	int64_t count = 0;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		axis.stride *= axis.side;
		axis.side = lsi_axis_side(problem->topology, d);
		if (axis.stride >= end)
			break;
		count += amount_of(problem, axis, rank) != 0;
	}
	return count;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	/* Every line shifts along the dimension of the last digit of q that is not 0. */
	struct lsi_frame f =
		lsi_shift_frame(problem, lsi_phases_rounds(problem, rounds_on), problem->shift != 0);

	f.scratch[TRANSIT - LS_SCRATCH] = (struct lsi_scratch){ f.rounds > 2 ? 2 : 0, 1 };
	return f;
}

/* The part of a node in a round of a phase. */
struct part {
	bool up, sends, receives;
	int64_t hop, hops; /* of the blocks that move now */
};

static struct part part_of(struct lsi_axis axis, int64_t at, int64_t amount, int64_t round)
{
	const bool up = round < amount;
	const int64_t t = up ? round : round - amount;
	const int64_t first = up ? t : axis.side - amount - t;
	const int64_t last = first + (up ? axis.side - amount : amount) - 1;
	const int64_t before = up ? at - 1 : at + 1;

	return (struct part){ up, first <= at && at <= last, first <= before && before <= last, t,
		up ? amount : axis.side - amount };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct lsi_axis axis = phase.axis;
	const int64_t amount = amount_of(&plan->problem, axis, rank);
	const struct part part = part_of(axis, lsi_axis_coordinate(axis, rank), amount, phase.round);
	const int64_t step = part.up ? axis.stride : -axis.stride;

	if (amount == 0)
		return;
	if (part.sends)
		out->to[0] = rank + step;
	if (part.receives)
		out->from[0] = rank - step;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t all = phases_of(problem, rank, problem->nodes);

	if (round < 0) {
		lsi_shift_begin(problem, all, step);
		return;
	}

	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round);
	const int64_t amount = amount_of(problem, phase.axis, rank);
	const int64_t k = phases_of(problem, rank, phase.axis.stride);
	const struct part part =
		part_of(phase.axis, lsi_axis_coordinate(phase.axis, rank), amount, phase.round);

	if (amount == 0)
		return;
	if (part.sends)
		lsi_step_send(step,
			part.hop == 0 ? lsi_shift_block(problem, k, all) : lsi_block(TRANSIT, part.hop % 2));
	if (!part.receives)
		return;
	lsi_step_receive(step, 1);
	lsi_step_copy(step,
		part.hop + 1 == part.hops ? lsi_shift_block(problem, k + 1, all)
								  : lsi_block(TRANSIT, (part.hop + 1) % 2),
		lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	int64_t rounds = 0, messages = 0, size = 1;

	for (int d = lsi_axes(problem->topology) - 1; d >= 0; d--) {
		const int64_t s = lsi_axis_side(problem->topology, d), low = problem->shift % size;
		const int64_t a = problem->shift / size % s, b = (a + 1) % s;
		const int64_t plain = lsi_mul_sat(a, s - a), more = lsi_mul_sat(b, s - b);

		rounds += s > 1 && (a > 0 || low > 0) ? s : 0;
		messages = lsi_add_sat(messages,
			lsi_mul_sat(2 * (problem->nodes / size / s),
				lsi_add_sat(lsi_mul_sat(plain, size - low), lsi_mul_sat(more, low))));
		size *= s;
	}
	return lsi_equal_counts(rounds, messages, n);
}

const struct lsi_algorithm lsi_shift_two_phase = {
	.operations = LSI_FOR(LS_SHIFT),
	.name = "two-phase",
	.networks = "linear:P mesh:RxC..",
	.rounds = "p; mesh: at most the sum of all sides",
	.bound = "longest distance that a block travels; 1 in routed mode",
	.source = "this project: up, then down",
	.claim = LS_MOVE,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_shift_bound,
};
