/*
 * All-reduce by a pipeline of neighbors: along a line (`pipeline`), or on a grid dimension by
 * dimension, in all rows, then in all columns (`dimension`).
 *
 * In a line, sums move from both ends to the two nodes in the middle.  These exchange their sums,
 * and the total moves back to the ends (line_allreduce.h):
 *
 *   line of 6     round 0     0 --> 1                 4 <-- 5
 *                 round 1           1 --> 2     3 <-- 4
 *                 round 2                 2 <-> 3
 *                 round 3           1 <-- 2     3 --> 4
 *                 round 4     0 <-- 1                 4 --> 5
 *
 * Both nodes in the middle add the lower half before the upper one.  So operands are added in rank
 * order, and all nodes have the same sum.  A long vector is cut into segments.
 *
 *   rounds     sum over all sides s > 1: 2 ceil(s/2) + 2 S - 3 with S segments; one segment on a
 *              line: p - 1 if p is even, p if odd
 *   messages   2 (s - 1) S in every line, of m/S words
 *   cost       t_s rounds + t_w m (2 + (2 ceil(s/2) - 3)/S) for each dimension
 *   memory     one vector; one or two more with several dimensions
 *   requires   a grid of any sides, open or wrapped; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1: reduction, then broadcast, here with
 *              two roots in the middle of the line
 */
#include "collective/line/line_allreduce.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

/* Sums that move inward; before that, in place with one phase, a copy of INPUT. */
enum { SUM = LS_SCRATCH + 2 };

static int phases(const struct lsi_problem *problem)
{
	int count = 0;

	for (int d = 0; d < ls_topology_dims(problem->topology); d++)
		count += ls_topology_side(problem->topology, d) > 1;
	return count;
}

static bool copies_input(const struct lsi_problem *problem)
{
	return problem->in_place && phases(problem) == 1;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int count = phases(problem);
	const int64_t S = problem->segments;

	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, lsi_line_allreduce_rounds),
		.blocks = S,
		.has_prologue = copies_input(problem),
		.scratch = {
			{ count > 1 ? S : 0, 1 }, { problem->in_place && count > 2 ? S : 0, 1 }, { S, 1 } } };
}

/* The buffer of a node's value when a phase begins. */
static int value(const struct lsi_problem *problem, int phase)
{
	if (phase == 0 && copies_input(problem))
		return SUM;
	return lsi_alternating_buffer(phase, phases(problem), problem->in_place);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase =
		lsi_phase_at(&plan->problem, lsi_line_allreduce_rounds, round);
	const struct lsi_line_position s = lsi_line_position_of(phase.axis, rank);

	lsi_line_allreduce_peers(
		phase.axis, rank, s, lsi_line_allreduce_action(&plan->problem, phase, s), out);
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_axis axis =
		lsi_phase_at(&plan->problem, lsi_line_allreduce_rounds, round).axis;

	return lsi_axis_coordinate(axis, rank) * axis.stride;
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	if (round < 0)
		return 1;
	return lsi_axis_block(lsi_phase_at(&plan->problem, lsi_line_allreduce_rounds, round).axis);
}

/* dst := mine and the arrival, in rank order. */
static void join(struct ls_step *step, struct ls_slice dst, struct ls_slice mine, bool from_below)
{
	if (from_below)
		lsi_step_combine(step, dst, lsi_arrival(step), mine);
	else
		lsi_step_combine(step, dst, mine, lsi_arrival(step));
}

/* Move the segments of a round in a phase that takes values from `before` to `total`. */
static void move(struct lsi_line_position s, struct lsi_line_action d, int before, int total,
	struct ls_step *step)
{
	const int sum = s.position > s.first ? SUM : before;

	if (d.inward_sent != LSI_NO_SEGMENT)
		lsi_step_send(step, lsi_block(sum, d.inward_sent));
	if (d.outward_sent != LSI_NO_SEGMENT)
		lsi_step_send(step, lsi_block(total, d.outward_sent));
	if (d.inward_received != LSI_NO_SEGMENT || d.outward_received != LSI_NO_SEGMENT)
		lsi_step_receive(step, 1);
	if (d.inward_received != LSI_NO_SEGMENT)
		join(
			step, lsi_block(SUM, d.inward_received), lsi_block(before, d.inward_received), s.lower);
	if (d.outward_received == LSI_NO_SEGMENT)
		return;
	if (s.position == s.half - 1)
		join(step, lsi_block(total, d.outward_received), lsi_block(sum, d.outward_received),
			!s.lower);
	else
		lsi_step_copy(step, lsi_block(total, d.outward_received), lsi_arrival(step));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(SUM, 0, problem->segments),
			lsi_blocks(LS_INPUT, 0, problem->segments));
		return;
	}
	const struct lsi_axis_phase phase = lsi_phase_at(problem, lsi_line_allreduce_rounds, round);
	const struct lsi_line_position s = lsi_line_position_of(phase.axis, rank);

	move(s, lsi_line_allreduce_action(problem, phase, s), value(problem, phase.before),
		value(problem, phase.before + 1), step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };

	for (int d = 0; d < ls_topology_dims(problem->topology); d++) {
		const int64_t side = ls_topology_side(problem->topology, d);

		if (side > 1)
			lsi_line_allreduce_count(problem, side, n, &counts);
	}
	return counts;
}

static const struct lsi_whole_machine whole = { .period = period };

#define COMMON \
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER), .claim = LS_ORDERED, \
	.identical = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1, from the middle of the line", \
	.bound = LSI_ROUND_BOUND, .frame = frame, .peers = peers, .shape = shape, .whole = &whole, \
	.body = body, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allreduce_pipeline = {
	COMMON,
	.name = "pipeline",
	.networks = "linear:P ring:P",
	.supports = lsi_is_line,
	.rounds = "2 ceil(p/2) + 2 S - 3, S segments",
};

const struct lsi_algorithm lsi_allreduce_dimension = {
	COMMON,
	.name = "dimension",
	.networks = "mesh:RxC.. torus:RxC..",
	.supports = lsi_is_grid,
	.rounds = "sum over all sides s > 1: 2 ceil(s/2) + 2 S - 3; S segments",
};
