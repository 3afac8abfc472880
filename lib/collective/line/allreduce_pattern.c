/*
 * All-reduce and prefix sums with the messages of an all-gather on a ring: nodes add values instead
 * of concatenating them.
 *
 * In every line of the last dimension each value moves around the ring, and every node stores it in
 * the slot of its origin.  When all values have arrived, every node folds them in rank order.  The
 * sums then move along the next dimension in the same way.  So operands come in rank order, and all
 * nodes fold the same values.  On open lines with two ports, values move to both ends instead of
 * around.  A scan also folds the values of lower coordinates, and adds the result to OUTPUT as the
 * left operand.
 *
 *   rounds     sum over all sides s: s - 1; all-reduce on rings with two ports ceil((s - 1)/2)
 *   messages   p sum (side - 1), of m words
 *   cost       (t_s + t_w m) rounds
 *   memory     two buffers of one block per node of the longest side; scan: one more block
 *   ports      two: both directions in every round
 *   requires   closed rings; on a mesh two ports, or routed mode, in which the message from the
 *              last to the first node of a line uses the links back, which are idle otherwise; any
 *              associative operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, sections 4.2 and 4.3
 */
#include "collective/axis.h"
#include "collective/prefix.h"
#include "collective/round_bound.h"

enum { SPARE = LS_SCRATCH + 2 };

/* Whether values move to both ends of open lines. */
static bool is_open(const struct lsi_problem *problem)
{
	return problem->ports >= 2 && !lsi_axes_closed(problem->topology);
}

/*
 * Whether values move in both directions.  In a scan on closed lines of odd side the last round of
 * a phase would need five moves, more than a step can have.
 */
static bool both_ways(const struct lsi_problem *problem)
{
	return problem->ports >= 2 && (is_open(problem) || !lsi_is_prefix(problem));
}

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_axes_linked(t)
		&& (problem->mode == LS_ROUTED || lsi_axes_closed(t) || is_open(problem));
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	return both_ways(problem) && !is_open(problem) ? axis.side / 2 : axis.side - 1;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t longest = lsi_axis_longest(problem->topology);

	const int64_t spare = lsi_is_prefix(problem);

	return (struct lsi_frame){ .rounds = lsi_phases_rounds(problem, rounds_on),
		.blocks = 1,
		.has_prologue = true,
		.scratch = { { longest, longest }, { longest, longest }, { spare, spare } } };
}

/*
 * The values that pass a node in one direction: coordinates of peers and origins; LS_NO_RANK: none.
 */
struct flow {
	int64_t to, sent, from, got;
};

/* The value of a node arrives at `at` and continues until the end of the line. */
static struct flow open_flow(struct lsi_axis axis, int64_t at, int64_t ahead, int64_t round)
{
	const int64_t sent = at - ahead * round, got = sent - ahead;
	const bool sends = sent >= 0 && sent < axis.side && at + ahead >= 0 && at + ahead < axis.side;
	const bool gets = got >= 0 && got < axis.side;

	return (struct flow){ .to = sends ? at + ahead : LS_NO_RANK,
		.sent = sent,
		.from = gets ? at - ahead : LS_NO_RANK,
		.got = got };
}

static struct flow flow_at(
	const struct lsi_problem *problem, struct lsi_axis_phase phase, int64_t rank, int port)
{
	const int64_t side = phase.axis.side, ahead = port == 0 ? 1 : -1;
	const int64_t at = lsi_axis_coordinate(phase.axis, rank);

	if (is_open(problem))
		return open_flow(phase.axis, at, ahead, phase.round);
	/* With an even side only port 0 reaches the opposite node, so port 1 ends a round earlier. */
	if (port == 1 && phase.round >= (side - 1) / 2)
		return (struct flow){ .to = LS_NO_RANK, .from = LS_NO_RANK };
	return (struct flow){ lsi_wrap(at + ahead, side), lsi_wrap(at - ahead * phase.round, side),
		lsi_wrap(at - ahead, side), lsi_wrap(at - ahead * (phase.round + 1), side) };
}

static int directions(const struct lsi_problem *problem)
{
	return both_ways(problem) ? 2 : 1;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);

	for (int q = 0; q < directions(&plan->problem); q++) {
		const struct flow flow = flow_at(&plan->problem, phase, rank, q);

		if (flow.to != LS_NO_RANK)
			out->to[q] = lsi_axis_node(phase.axis, rank, flow.to);
		if (flow.from != LS_NO_RANK)
			out->from[q] = lsi_axis_node(phase.axis, rank, flow.from);
	}
}

/* The slot of a node's own value when a phase begins. */
static struct ls_slice own(struct lsi_axis_phase phase, int64_t rank)
{
	return lsi_block(lsi_phase_bank(phase), lsi_axis_coordinate(phase.axis, rank));
}

/* The end of a phase. */
static void fold(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round);
	const int64_t at = lsi_axis_coordinate(phase.axis, rank);
	const struct ls_slice values = lsi_blocks(lsi_phase_bank(phase), 0, phase.axis.side);

	if (round + 1 < plan->frame.rounds)
		lsi_step_fold(step, own(lsi_phase_at(problem, rounds_on, round + 1), rank), values);
	else if (!lsi_is_prefix(problem))
		lsi_step_fold(step, lsi_block(LS_OUTPUT, 0), values);
	if (lsi_is_prefix(problem) && at > 0)
		lsi_prefix_combine_all(problem, rank % phase.axis.stride > 0,
			lsi_blocks(lsi_phase_bank(phase), 0, at), lsi_block(SPARE, 0), step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;

	if (round < 0) {
		lsi_step_copy(step, own(lsi_phase_at(problem, rounds_on, 0), rank), lsi_block(LS_INPUT, 0));
		if (rank == 0)
			lsi_prefix_first(problem, 1, step);
		return;
	}
	const struct lsi_axis_phase phase = lsi_phase_at(problem, rounds_on, round);

	for (int q = 0; q < directions(problem); q++) {
		const struct flow flow = flow_at(problem, phase, rank, q);

		if (flow.to != LS_NO_RANK)
			lsi_step_send_on(step, q, lsi_block(lsi_phase_bank(phase), flow.sent));
		if (flow.from == LS_NO_RANK)
			continue;
		lsi_step_receive_on(step, q, 1);
		lsi_step_copy(step, lsi_block(lsi_phase_bank(phase), flow.got), lsi_arrival_on(step, q));
	}
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

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);
		const bool both =
			problem->ports >= 2 && !lsi_is_prefix(problem) && lsi_axes_closed(problem->topology);

		counts.rounds += both ? side / 2 : side - 1;
		counts.messages = lsi_add_sat(counts.messages, lsi_mul_sat(problem->nodes, side - 1));
	}
	counts.words = lsi_mul_sat(counts.messages, (int64_t)n);
	counts.volume = lsi_mul_sat(counts.rounds, (int64_t)n);
	return counts;
}

static const struct lsi_whole_machine whole = { .period = period };

#define COMMON \
	.name = "pattern", \
	.networks = "ring:P torus:RxC.. complete:P; routed or with two ports linear:P mesh:RxC..", \
	.bound = LSI_ROUND_BOUND, .claim = LS_ORDERED, .nodup = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.3 on Algorithms 4.4 and 4.6", \
	.supports = supports, .frame = frame, .peers = peers, .shape = shape, .whole = &whole, \
	.body = body, .predict = predict, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_allreduce_pattern = {
	COMMON,
	.operations = LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER),
	.identical = true,
	.rounds = "sum over all sides s: s - 1, but ceil((s - 1)/2) on rings with two ports",
};

const struct lsi_algorithm lsi_scan_pattern = {
	COMMON,
	.operations = LSI_PREFIXES,
	.rounds = "sum over all sides s: s - 1",
};
