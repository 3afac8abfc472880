/*
 * All-reduce by a pipeline of neighbors: along a line (`pipeline`), on a grid dimension by dimension, in
 * all rows, then in all columns (`dimension`).
 *
 * In a line of s nodes sums run from both ends to the two nodes in the middle, these exchange them, and
 * the total runs back.  Counted from its end a node of either half has the position k = 0 .. h - 1,
 * h = ceil(s/2); for s odd the upper half lacks position 0.  A node sends inward in round k, is told the
 * total in round 2h - 2 - k and tells it in the next.  Both nodes in the middle add lower half to upper,
 * so operands come in rank order, and all nodes have the same sum.
 *
 *   rounds     sum over the dimensions of 2 ceil(s/2) - 1: on a line p - 1 if p is even, else p
 *   messages   2 (s - 1) in every line, of m words
 *   cost       (t_s + t_w m) rounds
 *   memory     one block, and one or two more if there are more dimensions
 *   requires   a grid of any sides, open or wrapped; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar, Introduction to Parallel Computing, section 4.1: reduction,
 *              then broadcast, here with two roots in the middle of the line
 */
#include "collective/bound.h"
#include "collective/grid.h"

/* Sums on their way inward, and in place along one axis a copy of INPUT. */
enum { SUM = LS_SCRATCH + 2 };

static bool supports_line(const struct ls_problem *problem)
{
	return ls_topology_dims(problem->topology) == 1;
}

static bool supports_grid(const struct ls_problem *problem)
{
	return ls_topology_dims(problem->topology) > 1;
}

static int64_t middle(struct ls_axis axis)
{
	return (axis.side + 1) / 2;
}

static int64_t to_and_fro(const struct ls_problem *problem, struct ls_axis axis)
{
	(void)problem;
	return 2 * middle(axis) - 1;
}

static int phases(const struct ls_problem *problem)
{
	int count = 0;

	for (int d = 0; d < ls_topology_dims(problem->topology); d++)
		count += ls_topology_side(problem->topology, d) > 1;
	return count;
}

static bool copies_input(const struct ls_problem *problem)
{
	return problem->in_place && phases(problem) == 1;
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int count = phases(problem);

	return (struct ls_frame){ .rounds = ls_phases_rounds(problem, to_and_fro), .blocks = 1,
		.lead = copies_input(problem),
		.scratch = { { count > 1, 1 }, { problem->in_place && count > 2, 1 }, { 1, 1 } } };
}

/* The value of a node when a phase begins. */
static struct ls_slice value(const struct ls_problem *problem, int phase)
{
	if (phase == 0 && copies_input(problem))
		return ls_one(SUM, 0);
	return ls_one(ls_place(phase, phases(problem), problem->in_place), 0);
}

/* Where a node stands in its half of the line; `first` is the least position that its half has. */
struct stand { bool lower; int64_t at, position, first, half; };

static struct stand stand(struct ls_axis axis, int64_t rank)
{
	const int64_t at = ls_axis_coordinate(axis, rank), half = middle(axis);
	const bool lower = at < half;

	return (struct stand){ lower, at, lower ? at : 2 * half - 1 - at, !lower && axis.side % 2, half };
}

/* The coordinate one nearer to the middle, or across it; one farther from it. */
static int64_t inner(struct stand s)
{
	return s.lower ? s.at + 1 : s.at - 1;
}

static int64_t outer(struct stand s)
{
	return s.lower ? s.at - 1 : s.at + 1;
}

/* What a node does in a round of a phase; only in the exchange in the middle two of them at once. */
struct deed { bool gathers, sends, told, tells; };

static struct deed deed(struct stand s, int64_t round)
{
	const bool has_outer = s.position > s.first;

	return (struct deed){ has_outer && round == s.position - 1, round == s.position,
		round == 2 * s.half - 2 - s.position, has_outer && round == 2 * s.half - 1 - s.position };
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, to_and_fro, round);
	const struct stand s = stand(phase.axis, rank);
	const struct deed d = deed(s, phase.round);

	if (d.sends)
		out->to[0] = ls_axis_node(phase.axis, rank, inner(s));
	if (d.told)
		out->from[0] = ls_axis_node(phase.axis, rank, inner(s));
	if (d.gathers)
		out->from[0] = ls_axis_node(phase.axis, rank, outer(s));
	if (d.tells)
		out->to[0] = ls_axis_node(phase.axis, rank, outer(s));
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct ls_axis axis = ls_phase_at(&plan->problem, to_and_fro, round).axis;

	return ls_axis_coordinate(axis, rank) * axis.stride;
}

/* dst := mine and what arrived, in rank order; it came from below or above. */
static void join(struct ls_step *step, struct ls_slice dst, struct ls_slice mine, bool from_below)
{
	if (from_below)
		ls_step_combine(step, dst, ls_arrival(step), mine);
	else
		ls_step_combine(step, dst, mine, ls_arrival(step));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_problem *problem = &plan->problem;

	if (round < 0) {
		ls_step_copy(step, ls_one(SUM, 0), ls_one(LS_INPUT, 0));
		return;
	}
	const struct ls_phase phase = ls_phase_at(problem, to_and_fro, round);
	const struct stand s = stand(phase.axis, rank);
	const struct deed d = deed(s, phase.round);
	const struct ls_slice before = value(problem, phase.before), total = value(problem, phase.before + 1);
	const struct ls_slice sum = s.position > s.first ? ls_one(SUM, 0) : before;

	if (d.sends)
		ls_step_send(step, sum);
	if (d.tells)
		ls_step_send(step, total);
	if (d.gathers || d.told)
		ls_step_receive(step, 1);
	if (d.gathers)
		join(step, ls_one(SUM, 0), before, s.lower);
	if (d.told && d.sends)
		join(step, total, sum, !s.lower);
	else if (d.told)
		ls_step_copy(step, total, ls_arrival(step));
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };

	for (int d = 0; d < ls_topology_dims(problem->topology); d++) {
		const int64_t side = ls_topology_side(problem->topology, d);

		counts.rounds += side == 1 ? 0 : side - 1 + side % 2;
		counts.messages += problem->nodes / side * 2 * (side - 1);
	}
	counts.words = counts.messages * (int64_t)n;
	counts.volume = counts.rounds * (int64_t)n;
	return counts;
}

#define COMMON \
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER), .claim = LS_ORDERED, .identical = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1, from the middle of the line", \
	.bound = "diameter, ceil(log2 p); linear: p if p is odd", \
	.frame = frame, .peers = peers, .shape = shape, .body = body, \
	.predict = predict, .lower_bound = ls_lower_bound

const struct ls_algorithm ls_allreduce_pipeline = {
	COMMON, .name = "pipeline", .networks = "linear:P ring:P", .supports = supports_line,
	.rounds = "2 ceil(p/2) - 1",
};

const struct ls_algorithm ls_allreduce_dimension = {
	COMMON, .name = "dimension", .networks = "mesh:AxB.. torus:AxB..", .supports = supports_grid,
	.rounds = "sum of 2 ceil(s/2) - 1 over the sides s > 1",
};
