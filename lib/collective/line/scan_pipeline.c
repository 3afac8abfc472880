/*
 * Prefix sums by a pipeline of neighbors: along a line (`pipeline`), or on a grid dimension by
 * dimension, in all rows, then in all columns (`dimension`).
 *
 * The first dimension of the spec comes last.  In it sums move up the line: every node adds the sum
 * that it receives, as the left operand, to its own value, and sends the result on.  In the other
 * dimensions a node also needs the total of its line, so the messages are those of
 * line_allreduce.h.  In the lower half the sums that move inward are the prefix sums, and the total
 * moves outward.  In the upper half the sums of the nodes above move inward, and the prefix sums
 * move outward.  There the total is the prefix sum that arrives, plus the sum that the node sent
 * inward.
 *
 *   rounds     s - 1 + S - 1 on the first side s > 1, with S segments; on every other side
 *              2 ceil(s/2) - 1 + 2 (S - 1)
 *   messages   (s - 1) S in every line of the first dimension, 2 (s - 1) S in the others, of m/S
 *              words
 *   cost       t_s rounds + t_w m (1 + (s - 2)/S) for the first dimension, and
 *              t_w m (2 + (2 ceil(s/2) - 3)/S) for each other
 *   memory     none on a line; exscan: two segments; on a grid two more vectors, with three
 *              dimensions three
 *   requires   a grid of any sides, open or wrapped; along a line also a complete network, and in
 *              routed mode any; any associative operator
 *   source     this project, after Grama, Gupta, Karypis, Kumar 2003, section 4.1, hop by hop
 */
#include "collective/line/line_allreduce.h"
#include "collective/prefix.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

/* Sums of the lower nodes of the line with the node itself; of it and the upper nodes; totals. */
enum { PREFIX = LS_SCRATCH, SUFFIX, TOTAL };

static bool supports_line(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return ls_topology_dims(t) <= 1 && (problem->mode == LS_ROUTED || lsi_axes_linked(t));
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	if (lsi_axis_is_last(problem, axis))
		return axis.side - 1 + problem->segments - 1;
	return lsi_line_allreduce_rounds(problem, axis);
}

/* The buffer of a phase's prefix sums; in the first phase of a scan they are those of OUTPUT. */
static int prefix(const struct lsi_problem *problem, struct lsi_axis_phase phase)
{
	return problem->operation == LS_SCAN && phase.before == 0 ? LS_OUTPUT : PREFIX;
}

/*
 * Whether a node must send a copy of INPUT: in place, in a row of two or three, the last node sends
 * INPUT in the round in which it writes OUTPUT.
 */
static bool copies_input(const struct lsi_problem *problem, struct lsi_axis_phase phase)
{
	return problem->in_place && phase.before == 0 && phase.axis.side <= 3
		&& !lsi_axis_is_last(problem, phase.axis);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t S = problem->segments;
	struct lsi_frame f = { .rounds = lsi_phases_rounds(problem, rounds_on), .blocks = S };
	const int phases = lsi_phase_at(problem, rounds_on, f.rounds - 1).before + 1;

	f.has_prologue = copies_input(problem, lsi_phase_at(problem, rounds_on, 0));
	if (problem->operation == LS_EXSCAN || phases > 1)
		f.scratch[PREFIX - LS_SCRATCH] = (struct lsi_scratch){ S > 1 ? 2 : 1, 1 };
	for (int k = 0; k < phases && phases > 1 && k < 3; k++)
		f.scratch[SUFFIX - LS_SCRATCH + k] = (struct lsi_scratch){ S, 1 };
	return f;
}

/* The last axis is a line with a lower half only. */
static struct lsi_line_position position_of(
	const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank)
{
	const int64_t at = lsi_axis_coordinate(axis, rank);

	if (lsi_axis_is_last(problem, axis))
		return (
			struct lsi_line_position){ .lower = true, .at = at, .position = at, .half = axis.side };
	return lsi_line_position_of(axis, rank);
}

static struct lsi_line_action action(
	const struct lsi_problem *problem, struct lsi_axis_phase phase, struct lsi_line_position s)
{
	const int64_t S = problem->segments;
	struct lsi_line_action d = { LSI_NO_SEGMENT, LSI_NO_SEGMENT, LSI_NO_SEGMENT, LSI_NO_SEGMENT };

	if (!lsi_axis_is_last(problem, phase.axis))
		return lsi_line_allreduce_action(problem, phase, s);
	if (s.at > 0)
		d.inward_received = lsi_segment_at(S, 1, phase.round, s.at - 1);
	if (s.at < phase.axis.side - 1)
		d.inward_sent = lsi_segment_at(S, 1, phase.round, s.at);
	return d;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct lsi_line_position s = position_of(&plan->problem, phase.axis, rank);

	lsi_line_allreduce_peers(phase.axis, rank, s, action(&plan->problem, phase, s), out);
}

/* A rank that agrees in the coordinate on the axis, and in whether an earlier one is not 0. */
static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const struct lsi_axis axis = lsi_phase_at(&plan->problem, rounds_on, round).axis;

	return lsi_axis_coordinate(axis, rank) * axis.stride + (rank % axis.stride > 0);
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	return lsi_axis_block(lsi_phase_at(&plan->problem, rounds_on, round < 0 ? 0 : round).axis);
}

/* The state of a node in a round, and its buffers. */
struct node_state {
	const struct lsi_problem *problem;
	struct lsi_line_position s;
	int value, inward, prefix, total; /* its own value; sent inward; of the line */
	bool begun, sends_prefix;
};

static struct node_state node_state(
	const struct lsi_problem *problem, struct lsi_axis_phase phase, int64_t rank)
{
	const struct lsi_line_position s = position_of(problem, phase.axis, rank);
	struct node_state at = { .problem = problem,
		.s = s,
		.prefix = prefix(problem, phase),
		.total = TOTAL + phase.before % 2,
		.begun = rank % phase.axis.stride > 0 };

	at.value = phase.before == 0 ? LS_INPUT : TOTAL + (phase.before - 1) % 2;
	at.sends_prefix = s.lower ? s.at < phase.axis.side - 1 : s.position > s.first;
	at.inward = s.lower ? at.prefix : SUFFIX;
	if (s.position == s.first && (s.lower || !copies_input(problem, phase)))
		at.inward = at.value;
	return at;
}

/* The sum of the lower nodes of the line arrives. */
static void add_lower_sum(struct node_state at, int64_t j, struct ls_step *step)
{
	if (at.sends_prefix && at.prefix != LS_OUTPUT)
		lsi_step_combine(step, lsi_block(at.prefix, j), lsi_arrival(step), lsi_block(at.value, j));
	lsi_prefix_combine(at.problem, j, at.begun, lsi_arrival(step), step);
}

/* A sum or total arrives from the inner neighbor. */
static void receive_outward(struct node_state at, int64_t j, struct ls_step *step)
{
	const struct ls_slice total = lsi_block(at.total, j), inward = lsi_block(at.inward, j);

	if (!at.s.lower) {
		lsi_step_combine(step, total, lsi_arrival(step), inward);
		add_lower_sum(at, j, step);
	} else if (at.s.position == at.s.half - 1) {
		lsi_step_combine(step, total, inward, lsi_arrival(step));
	} else {
		lsi_step_copy(step, total, lsi_arrival(step));
	}
}

static void move(struct node_state at, struct lsi_line_action d, struct ls_step *step)
{
	if (d.inward_sent != LSI_NO_SEGMENT)
		lsi_step_send(step, lsi_block(at.inward, d.inward_sent));
	if (d.outward_sent != LSI_NO_SEGMENT)
		lsi_step_send(step, lsi_block(at.s.lower ? at.total : at.prefix, d.outward_sent));
	if (d.inward_received != LSI_NO_SEGMENT || d.outward_received != LSI_NO_SEGMENT)
		lsi_step_receive(step, 1);
	if (d.inward_received != LSI_NO_SEGMENT && at.s.lower)
		add_lower_sum(at, d.inward_received, step);
	else if (d.inward_received != LSI_NO_SEGMENT)
		lsi_step_combine(step, lsi_block(SUFFIX, d.inward_received),
			lsi_block(at.value, d.inward_received), lsi_arrival(step));
	if (d.outward_received != LSI_NO_SEGMENT)
		receive_outward(at, d.outward_received, step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const int64_t S = problem->segments;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round < 0 ? 0 : round);
	const struct node_state at = node_state(problem, phase, rank);

	if (round < 0) {
		if (!at.s.lower)
			lsi_step_copy(step, lsi_blocks(SUFFIX, 0, S), lsi_blocks(LS_INPUT, 0, S));
		return;
	}
	if (rank == 0 && phase.round == 0 && lsi_axis_is_last(problem, phase.axis))
		lsi_prefix_first(problem, S, step);
	move(at, action(problem, phase, at.s), step);
}

/* Up the line the first segment takes side - 1 rounds; each other ends one round later. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t S = problem->segments, m = (int64_t)n;
	struct ls_counts counts = { 0 };
	int64_t before = 1;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);
		const int64_t transfers = lsi_mul_sat(problem->nodes / side, side - 1);

		if (side > 1 && before > 1)
			lsi_line_allreduce_count(problem, side, n, &counts);
		if (side > 1 && before == 1)
			counts = (struct ls_counts){ side - 1 + S - 1, lsi_mul_sat(transfers, S),
				lsi_mul_sat(transfers, m),
				lsi_add_sat(lsi_mul_sat(side - 2, (int64_t)lsi_cut_length(n, S, 0)), m) };
		before *= side;
	}
	return counts;
}

static const struct lsi_whole_machine whole = { .period = period };

#define COMMON \
	.operations = LSI_PREFIXES, .claim = LS_ORDERED, .bound = LSI_ROUND_BOUND, \
	.source = "this project, after Grama, Gupta, Karypis, Kumar 2003, section 4.1", \
	.frame = frame, .peers = peers, .shape = shape, .whole = &whole, .body = body, \
	.predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_scan_pipeline = {
	COMMON,
	.name = "pipeline",
	.networks = "linear:P ring:P complete:P; any in routed mode",
	.supports = supports_line,
	.nodup = true,
	.rounds = "p + S - 2, S segments",
};

const struct lsi_algorithm lsi_scan_lines = {
	COMMON,
	.name = "dimension",
	.networks = "mesh:RxC.. torus:RxC..",
	.supports = lsi_is_grid,
	.rounds =
		"s + S - 2 for the first side s > 1; 2 ceil(s/2) + 2 S - 3 for each other; S segments",
};
