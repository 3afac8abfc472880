/*
 * All-reduce by a pipeline of neighbors: along a line (`pipeline`), on a grid dimension by
 * dimension, in all rows, then in all columns (`dimension`).
 *
 * In a line of s nodes sums run from both ends to the two nodes in the middle, these exchange them,
 * and the total runs back. Counted from its end a node of either half has the position k = 0 .. h -
 * 1, h = ceil(s/2); for s odd the upper half lacks position 0. A node sends inward in round k, is
 * told the total in round 2h - 2 - k and tells it in the next. Both nodes in the middle add lower
 * half to upper, so operands come in rank order, and all nodes have the same sum.
 *
 * A long vector is cut into segments: segment j does the same 2j rounds later (s = 2: j rounds).
 * Then a node sends inward and is told in rounds of one parity, gathers and tells in those of the
 * other, so one port suffices.
 *
 *   rounds     sum over the dimensions of 2 ceil(s/2) - 1 + 2 (S - 1) with S segments; one segment
 *              on a line: p - 1 if p is even, else p
 *   messages   2 (s - 1) S in every line, of m/S words
 *   cost       t_s rounds + t_w m (2 + (2 ceil(s/2) - 3)/S) for each dimension
 *   memory     one vector, and one or two more if there are more dimensions
 *   requires   a grid of any sides, open or wrapped; any associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.1:
 *              reduction, then broadcast, here with two roots in the middle of the line
 */
#include "collective/bound.h"
#include "collective/grid.h"

/* Sums on their way inward; in place, with one phase, a copy of INPUT before that. */
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

/* Rounds from one segment to the next. */
static int64_t gap(struct ls_axis axis)
{
	return axis.side > 2 ? 2 : 1;
}

static int64_t to_and_fro(const struct ls_problem *problem, struct ls_axis axis)
{
	return 2 * middle(axis) - 1 + gap(axis) * (problem->segments - 1);
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
	const int64_t S = problem->segments;

	return (struct ls_frame){ .rounds = ls_phases_rounds(problem, to_and_fro), .blocks = S,
		.lead = copies_input(problem),
		.scratch = { { count > 1 ? S : 0, 1 }, { problem->in_place && count > 2 ? S : 0, 1 },
			{ S, 1 } } };
}

/* The buffer of a node's value when a phase begins. */
static int value(const struct ls_problem *problem, int phase)
{
	if (phase == 0 && copies_input(problem))
		return SUM;
	return ls_place(phase, phases(problem), problem->in_place);
}

/* Where a node stands in its half of the line; `first` is the least position that its half has. */
struct stand { bool lower; int64_t at, position, first, half; };

static struct stand stand(struct ls_axis axis, int64_t rank)
{
	const int64_t at = ls_axis_coordinate(axis, rank), half = middle(axis);
	const bool lower = at < half;

	return (struct stand){ .lower = lower, .at = at, .position = lower ? at : 2 * half - 1 - at,
		.first = !lower && axis.side % 2, .half = half };
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

/* What a node does in a round of a phase: the segment that it deals with, or NONE. */
struct deed { int64_t gathers, sends, told, tells; };
enum { NONE = -1 };

/* The segment whose turn comes `due` rounds after that of segment 0 began. */
static int64_t segment(const struct ls_problem *problem, struct ls_phase phase, int64_t due)
{
	const int64_t late = phase.round - due, j = late / gap(phase.axis);

	return late < 0 || late % gap(phase.axis) || j >= problem->segments ? NONE : j;
}

static struct deed deed(const struct ls_problem *problem, struct ls_phase phase, struct stand s)
{
	const int64_t turn = 2 * s.half - 2 - s.position;
	const bool has_outer = s.position > s.first;

	return (struct deed){
		.gathers = has_outer ? segment(problem, phase, s.position - 1) : NONE,
		.sends = segment(problem, phase, s.position),
		.told = segment(problem, phase, turn),
		.tells = has_outer ? segment(problem, phase, turn + 1) : NONE,
	};
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, to_and_fro, round);
	const struct stand s = stand(phase.axis, rank);
	const struct deed d = deed(&plan->problem, phase, s);

	if (d.sends != NONE)
		out->to[0] = ls_axis_node(phase.axis, rank, inner(s));
	if (d.told != NONE)
		out->from[0] = ls_axis_node(phase.axis, rank, inner(s));
	if (d.gathers != NONE)
		out->from[0] = ls_axis_node(phase.axis, rank, outer(s));
	if (d.tells != NONE)
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

/* Move the segments whose turn it is in a phase that takes values from `before` to `total`. */
static void move(struct stand s, struct deed d, int before, int total, struct ls_step *step)
{
	const int sum = s.position > s.first ? SUM : before;

	if (d.sends != NONE)
		ls_step_send(step, ls_one(sum, d.sends));
	if (d.tells != NONE)
		ls_step_send(step, ls_one(total, d.tells));
	if (d.gathers != NONE || d.told != NONE)
		ls_step_receive(step, 1);
	if (d.gathers != NONE)
		join(step, ls_one(SUM, d.gathers), ls_one(before, d.gathers), s.lower);
	if (d.told == NONE)
		return;
	if (s.position == s.half - 1)
		join(step, ls_one(total, d.told), ls_one(sum, d.told), !s.lower);
	else
		ls_step_copy(step, ls_one(total, d.told), ls_arrival(step));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_problem *problem = &plan->problem;

	if (round < 0) {
		ls_step_copy(step, ls_blocks(SUM, 0, problem->segments),
			ls_blocks(LS_INPUT, 0, problem->segments));
		return;
	}
	const struct ls_phase phase = ls_phase_at(problem, to_and_fro, round);
	const struct stand s = stand(phase.axis, rank);

	move(s, deed(problem, phase, s), value(problem, phase.before), value(problem, phase.before + 1),
		step);
}

/* The first, so a longest, segment takes side - 1 + side mod 2 rounds; each other ends `later`. */
static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t S = problem->segments, longest = (int64_t)ls_cut_length(n, S, 0);
	struct ls_counts counts = { 0 };

	for (int d = 0; d < ls_topology_dims(problem->topology); d++) {
		const int64_t side = ls_topology_side(problem->topology, d);
		const int64_t first = side - 1 + side % 2, later = side > 2 ? 2 : 1;
		const int64_t transfers = ls_mul(problem->nodes / side, 2 * (side - 1));

		if (side == 1)
			continue;
		counts.rounds += first + later * (S - 1);
		counts.messages = ls_add(counts.messages, ls_mul(transfers, S));
		counts.words = ls_add(counts.words, ls_mul(transfers, (int64_t)n));
		counts.volume = ls_add(counts.volume,
			ls_add(ls_mul(first, longest), later * ((int64_t)n - longest)));
	}
	return counts;
}

#define COMMON \
	.operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER), \
	.claim = LS_ORDERED, .identical = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.1, from the middle of the line", \
	.bound = "diameter, ceil(log2 p); linear: p if p is odd", \
	.frame = frame, .peers = peers, .shape = shape, .body = body, \
	.predict = predict, .lower_bound = ls_lower_bound

const struct ls_algorithm ls_allreduce_pipeline = {
	COMMON, .name = "pipeline", .networks = "linear:P ring:P", .supports = supports_line,
	.rounds = "2 ceil(p/2) - 1 + 2 (S - 1), S segments",
};

const struct ls_algorithm ls_allreduce_dimension = {
	COMMON, .name = "dimension", .networks = "mesh:AxB.. torus:AxB..", .supports = supports_grid,
	.rounds = "sum of 2 ceil(s/2) - 1 + 2 (S - 1) over the sides s > 1, S segments",
};
