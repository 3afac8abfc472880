/*
 * All-reduce and prefix sums by the pattern of all-to-all broadcast, adding instead of
 * concatenating.
 *
 * In every line of the last dimension each value travels round the ring and is kept at every node
 * in the place of its origin; when all have come they are folded in rank order, and the sums travel
 * along the next dimension in the same way. So operands come in rank order, and every node folds
 * the same values. On open lines with two ports, values go both ways to the ends instead of round.
 * In a scan the values of lower coordinates are folded apart, and go before what OUTPUT has.
 *
 *   rounds     sum over the dimensions of (side - 1); all-reduce with two ports, closed: of
 *              ceil((side - 1)/2)
 *   messages   p sum (side - 1), of m words
 *   cost       (t_s + t_w m) rounds
 *   memory     two banks of the longest side; scan: one block more
 *   requires   closed rings; on a mesh two ports, or routed mode, where the message from the last
 *              to the first node of a line takes the links back, idle otherwise; any associative
 *              operator
 *   source     Grama, Gupta, Karypis, Kumar 2003, sections 4.2 and
 *              4.3
 */
#include "collective/bound.h"
#include "collective/grid.h"
#include "collective/scan/prefix.h"

enum { SPARE = LS_SCRATCH + 2 };

/* Do values go to both ends of open lines? */
static bool is_open(const struct ls_problem *problem)
{
	return problem->ports >= 2 && !ls_axes_closed(problem->topology);
}

/*
 * Do values go both ways? In a scan on closed lines of odd side the last round of a phase would
 * then take five moves.
 */
static bool both_ways(const struct ls_problem *problem)
{
	return problem->ports >= 2 && (is_open(problem) || !ls_is_prefix(problem));
}

static bool supports(const struct ls_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return ls_axes_linked(t)
		&& (problem->mode == LS_ROUTED || ls_axes_closed(t) || is_open(problem));
}

static int64_t lap(const struct ls_problem *problem, struct ls_axis axis)
{
	return both_ways(problem) && !is_open(problem) ? axis.side / 2 : axis.side - 1;
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	const int64_t longest = ls_axis_longest(problem->topology);

	const int64_t spare = ls_is_prefix(problem);

	return (struct ls_frame){ .rounds = ls_phases_rounds(problem, lap), .blocks = 1, .lead = true,
		.scratch = { { longest, longest }, { longest, longest }, { spare, spare } } };
}

/*
 * What passes a node in one direction: the coordinates of whom it goes to and comes from, and of
 * the origins of the values; LS_NOBODY: nothing.
 */
struct flow { int64_t to, sent, from, got; };

/* The value of `origin` comes to `at` and goes on from there, unless its way ends. */
static struct flow open_flow(struct ls_axis axis, int64_t at, int64_t ahead, int64_t round)
{
	const int64_t sent = at - ahead * round, got = sent - ahead;
	const bool sends = sent >= 0 && sent < axis.side && at + ahead >= 0 && at + ahead < axis.side;
	const bool gets = got >= 0 && got < axis.side;

	return (struct flow){ .to = sends ? at + ahead : LS_NOBODY, .sent = sent,
		.from = gets ? at - ahead : LS_NOBODY, .got = got };
}

static struct flow flow_at(const struct ls_problem *problem, struct ls_phase phase, int64_t rank,
	int port)
{
	const int64_t side = phase.axis.side, ahead = port == 0 ? 1 : -1;
	const int64_t at = ls_axis_coordinate(phase.axis, rank);

	if (is_open(problem))
		return open_flow(phase.axis, at, ahead, phase.round);
	/* The way down is one shorter where both ways lead to the opposite node. */
	if (port == 1 && phase.round >= (side - 1) / 2)
		return (struct flow){ .to = LS_NOBODY, .from = LS_NOBODY };
	return (struct flow){ ls_wrap(at + ahead, side), ls_wrap(at - ahead * phase.round, side),
		ls_wrap(at - ahead, side), ls_wrap(at - ahead * (phase.round + 1), side) };
}

static int directions(const struct ls_problem *problem)
{
	return both_ways(problem) ? 2 : 1;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	const struct ls_phase phase = ls_phase_at(&plan->problem, lap, round);

	for (int q = 0; q < directions(&plan->problem); q++) {
		const struct flow flow = flow_at(&plan->problem, phase, rank, q);

		if (flow.to != LS_NOBODY)
			out->to[q] = ls_axis_node(phase.axis, rank, flow.to);
		if (flow.from != LS_NOBODY)
			out->from[q] = ls_axis_node(phase.axis, rank, flow.from);
	}
}

static int bank(struct ls_phase phase)
{
	return LS_SCRATCH + phase.before % 2;
}

/* The place of a node's own value when a phase begins. */
static struct ls_slice own(struct ls_phase phase, int64_t rank)
{
	return ls_one(bank(phase), ls_axis_coordinate(phase.axis, rank));
}

/* The end of a phase. */
static void fold(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_problem *problem = &plan->problem;
	const struct ls_phase phase = ls_phase_at(problem, lap, round);
	const int64_t at = ls_axis_coordinate(phase.axis, rank);
	const struct ls_slice values = ls_blocks(bank(phase), 0, phase.axis.side);

	if (round + 1 < plan->frame.rounds)
		ls_step_fold(step, own(ls_phase_at(problem, lap, round + 1), rank), values);
	else if (!ls_is_prefix(problem))
		ls_step_fold(step, ls_one(LS_OUTPUT, 0), values);
	if (ls_is_prefix(problem) && at > 0)
		ls_prefix_take_all(problem, rank % phase.axis.stride > 0,
			ls_blocks(bank(phase), 0, at), ls_one(SPARE, 0), step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct ls_problem *problem = &plan->problem;

	if (round < 0) {
		ls_step_copy(step, own(ls_phase_at(problem, lap, 0), rank), ls_one(LS_INPUT, 0));
		if (rank == 0)
			ls_prefix_first(problem, 1, step);
		return;
	}
	const struct ls_phase phase = ls_phase_at(problem, lap, round);

	for (int q = 0; q < directions(problem); q++) {
		const struct flow flow = flow_at(problem, phase, rank, q);

		if (flow.to != LS_NOBODY)
			ls_step_send_on(step, q, ls_one(bank(phase), flow.sent));
		if (flow.from == LS_NOBODY)
			continue;
		ls_step_receive_on(step, q, 1);
		ls_step_copy(step, ls_one(bank(phase), flow.got), ls_arrival_on(step, q));
	}
	if (phase.round == lap(problem, phase.axis) - 1)
		fold(plan, round, rank, step);
}

static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	return ls_prefix_shape(plan, lap, rank, round);
}

static int64_t period(const struct ls_plan *plan, int64_t round)
{
	return ls_prefix_period(plan, lap, round);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	struct ls_counts counts = { 0 };

	for (int d = 0; d < ls_axes(problem->topology); d++) {
		const int64_t side = ls_axis_side(problem->topology, d);
		const bool both = problem->ports >= 2 && !ls_is_prefix(problem)
			&& ls_axes_closed(problem->topology);

		counts.rounds += both ? side / 2 : side - 1;
		counts.messages = ls_add(counts.messages, ls_mul(problem->nodes, side - 1));
	}
	counts.words = ls_mul(counts.messages, (int64_t)n);
	counts.volume = ls_mul(counts.rounds, (int64_t)n);
	return counts;
}

#define COMMON \
	.name = "pattern", \
	.networks = "ring:P torus:RxC.. complete:P; routed or with two ports linear:P mesh:RxC..", \
	.bound = "diameter, ceil(log2 p)", .claim = LS_ORDERED, .nodup = true, \
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.3 on Algorithms 4.4 and 4.6", \
	.supports = supports, .frame = frame, .peers = peers, .shape = shape, .period = period, \
	.body = body, .predict = predict, .lower_bound = ls_lower_bound

const struct ls_algorithm ls_allreduce_pattern = {
	COMMON, .operations = LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER), .identical = true,
	.rounds = "sum of (s - 1) over the sides s; two ports, closed: of ceil((s - 1)/2)",
};

const struct ls_algorithm ls_scan_pattern = {
	COMMON, .operations = LS_PREFIXES, .rounds = "sum of (s - 1) over the sides s",
};
