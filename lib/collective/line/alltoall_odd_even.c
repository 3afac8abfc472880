/*
 * All-to-all on lines, dimension by dimension, by odd-even exchanges.
 *
 * In round t of a dimension the neighbors c and c + 1 exchange if c + t is even:
 *
 *   round 0     0 - 1   2 - 3   4
 *   round 1     0   1 - 2   3 - 4
 *   round 2     0 - 1   2 - 3   4
 *
 * Node c sends up all its blocks for coordinates beyond it, and node c + 1 sends down all its
 * blocks for those below it.  So a block that has started moves in every round.  Every second node
 * starts in round 1.  Blocks of two origins then move together, those of the earlier start first.
 * Between two rounds blocks wait in transit; a node's own late blocks are stored behind those that
 * arrive.
 *
 *   rounds     sum over all sides s > 1: s if s is odd, s - 1 if even
 *   volume     m p/s ((s - 1)^2 + s mod 2) in a dimension
 *   cost       rounds t_s + volume t_w; the words that cross the middle are the least possible
 *   memory     4 p (s - 2)/s blocks in transit; p more with several dimensions, and in place
 *   requires   linear array or mesh
 *   source     this project; pattern: gossiping on a path by odd-even exchanges
 */
#include "collective/axis.h"
#include "collective/round_bound.h"

enum { TRANSIT = LS_SCRATCH + 2 };

static bool supports(const struct lsi_problem *problem)
{
	return problem->topology->network->grid == LSI_GRID_OPEN;
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return axis.side - 1 + axis.side % 2;
}

static int64_t phases(const struct ls_topology *t)
{
	int64_t count = 0;

	for (int d = 0; d < lsi_axes(t); d++)
		count += lsi_axis_side(t, d) > 1;
	return count;
}

/* The most blocks between two rounds: of two origins, for all but two coordinates. */
static int64_t most_in_transit(const struct lsi_problem *problem)
{
	int64_t most = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t s = lsi_axis_side(problem->topology, d);
		const int64_t here = s > 2 ? 2 * (s - 2) * (problem->nodes / s) : 0;

		most = here > most ? here : most;
	}
	return most;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes, k = phases(problem->topology);
	const int64_t half = most_in_transit(problem);
	const bool lead = problem->in_place && k == 1;

	return (struct lsi_frame){
		.rounds = lsi_phases_rounds(problem, rounds_on),
		.blocks = p,
		.has_prologue = lead,
		.scratch = { { k > 1 || lead ? p : 0, 1 }, { k > 2 && problem->in_place ? p : 0, 1 },
			{ 2 * half, 1 } },
	};
}

/*
 * A message between neighbors: the origins of its blocks, the earlier start first, and the number
 * of coordinates that they are for.  origins 0: no message.
 */
struct message {
	int64_t first, origins, coordinates;
};

static struct message message_from(struct lsi_axis axis, int64_t at, bool up, int64_t round)
{
	const int64_t back = up ? -1 : 1, early = at + back * round, late = early - back;
	struct message m = { .coordinates = up ? axis.side - 1 - at : at };

	if (m.coordinates == 0 || lsi_wrap(at - !up + round, 2) != 0)
		return m;
	m.origins = (early >= 0 && early < axis.side) + (round > 0 && late >= 0 && late < axis.side);
	m.first = early >= 0 && early < axis.side ? early : late;
	return m;
}

/* Whether a node exchanges with the next coordinate in a round, or with the one before. */
static bool talks_up(int64_t at, int64_t round)
{
	return (at + round) % 2 == 0;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_axis_coordinate(axis, rank);
	const bool up = talks_up(at, phase.round);
	const int64_t other = up ? at + 1 : at - 1;

	if (other < 0 || other >= axis.side)
		return;
	if (message_from(axis, at, up, phase.round).origins > 0)
		out->to[0] = lsi_axis_node(axis, rank, other);
	if (message_from(axis, other, !up, phase.round).origins > 0)
		out->from[0] = lsi_axis_node(axis, rank, other);
}

/* The buffer of the p blocks before (k) and after (k + 1) a phase. */
static int storage(const struct ls_plan *plan, int64_t k)
{
	if (k == 0 && plan->frame.has_prologue)
		return LS_SCRATCH;
	return lsi_alternating_buffer(k, phases(plan->problem.topology), plan->problem.in_place);
}

/* The blocks at `count` coordinates from `from` on, in a buffer of p blocks. */
static struct ls_slice slabs(
	const struct ls_plan *plan, struct lsi_axis axis, int buffer, int64_t from, int64_t count)
{
	const int64_t block = axis.side * axis.stride;

	return lsi_strided(
		buffer, from * axis.stride, count * axis.stride, block, plan->problem.nodes / block);
}

static struct ls_slice transit(
	const struct ls_plan *plan, int64_t round, int64_t first, int64_t blocks)
{
	const int64_t half = plan->frame.scratch[TRANSIT - LS_SCRATCH].slots / 2;

	return lsi_blocks(TRANSIT, round % 2 * half + first, blocks);
}

/* Deliver the blocks of each origin for this node; the others wait for the next round. */
static void receive(const struct ls_plan *plan, struct lsi_axis_phase phase, struct message m,
	bool up, struct ls_step *step)
{
	const struct lsi_axis axis = phase.axis;
	const int64_t outer = plan->problem.nodes / axis.side / axis.stride;
	const int64_t width = m.coordinates * axis.stride, rest = width - axis.stride;

	lsi_step_receive(step, m.origins * outer * width);
	for (int64_t i = 0; i < m.origins; i++)
		lsi_step_copy(step,
			slabs(plan, axis, storage(plan, phase.before + 1), m.first + (up ? i : -i), 1),
			lsi_strided(
				LS_ARRIVAL, i * outer * width + (up ? 0 : rest), axis.stride, width, outer));
	if (rest > 0)
		lsi_step_copy(step, transit(plan, phase.round + 1, 0, m.origins * outer * rest),
			lsi_strided(LS_ARRIVAL, up ? axis.stride : 0, rest, width, m.origins * outer));
}

/* Round 0: keep the node's own block, and store the late blocks behind those that arrive. */
static void begin(
	const struct ls_plan *plan, struct lsi_axis_phase phase, int64_t at, struct ls_step *step)
{
	const struct lsi_axis axis = phase.axis;
	const int src = storage(plan, phase.before), dst = storage(plan, phase.before + 1);
	const bool up = !talks_up(at, 0);
	const int64_t count = up ? axis.side - 1 - at : at, each = plan->problem.nodes / axis.side;
	const int64_t other = up ? at - 1 : at + 1;
	const bool is_behind = other >= 0 && other < axis.side;

	lsi_step_copy(step, slabs(plan, axis, dst, at, 1), slabs(plan, axis, src, at, 1));
	if (count > 0)
		lsi_step_copy(step, transit(plan, 1, is_behind ? count * each : 0, count * each),
			slabs(plan, axis, src, up ? at + 1 : 0, count));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}

	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const struct lsi_axis axis = phase.axis;
	const int64_t at = lsi_axis_coordinate(axis, rank);
	const bool up = talks_up(at, phase.round);
	const int64_t other = up ? at + 1 : at - 1;
	const struct message sent = message_from(axis, at, up, phase.round);
	struct message got = { 0 };

	if (other >= 0 && other < axis.side)
		got = message_from(axis, other, !up, phase.round);
	if (sent.origins > 0 && phase.round == 0)
		lsi_step_send(step,
			slabs(plan, axis, storage(plan, phase.before), up ? at + 1 : 0, sent.coordinates));
	else if (sent.origins > 0)
		lsi_step_send(
			step, transit(plan, phase.round, 0, sent.origins * sent.coordinates * (p / axis.side)));
	if (got.origins > 0)
		receive(plan, phase, got, !up, step);
	if (phase.round == 0)
		begin(plan, phase, at, step);
}

/* (s - 1) s (s + 1) / 3 */
static int64_t third(int64_t s)
{
	const int64_t rest = s % 3;

	return lsi_mul_sat(rest == 1 ? (s - 1) / 3 : s - 1,
		lsi_mul_sat(rest == 0 ? s / 3 : s, rest == 2 ? (s + 1) / 3 : s + 1));
}

/* Messages up leave c = 0 .. s-2 in every second round up to round c; down they mirror this. */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	struct ls_counts c = { 0 };

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t s = lsi_axis_side(problem->topology, d), odd = s % 2;
		const int64_t lines = p / s;

		if (s == 1)
			continue;
		c.rounds += s - 1 + odd;
		c.messages = lsi_add_sat(c.messages,
			lsi_mul_sat(lines, odd ? lsi_mul_sat((s - 1) / 2, s + 2) : lsi_mul_sat(s / 2, s)));
		c.volume =
			lsi_add_sat(c.volume, lsi_mul_sat(lines, lsi_add_sat(lsi_mul_sat(s - 1, s - 1), odd)));
		c.words = lsi_add_sat(c.words, lsi_mul_sat(lines, lsi_mul_sat(lines, third(s))));
	}
	c.volume = lsi_mul_sat(c.volume, (int64_t)n);
	c.words = lsi_mul_sat(c.words, (int64_t)n);
	return c;
}

const struct lsi_algorithm lsi_alltoall_odd_even = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "odd-even",
	.networks = "linear:P mesh:RxC..",
	.rounds = "sum over all sides s > 1: s if s is odd, s - 1 if even",
	.bound = LSI_ROUND_BOUND,
	.source = "this project; pattern: gossiping on a path by odd-even exchanges",
	.claim = LS_MOVE,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
