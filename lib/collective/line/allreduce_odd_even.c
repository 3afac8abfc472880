/*
 * All-reduce for long vectors on lines, in rank order: reduce-scatter, then all-gather, by odd-even
 * exchanges, dimension by dimension.
 *
 * The vector is cut into p blocks.  On an axis of side s the blocks of a line form s runs.  In the
 * all-gather each run moves to both ends as in odd_even.h, in s rounds.  The last messages contain
 * one run each.  The variant with s - 1 rounds and two runs per message would cost s/2 - 2 more
 * runs of volume.
 *
 * The reduce-scatter is the all-gather reversed: rounds in reverse order, senders and receivers
 * exchanged.  So sums move from both ends to the origin of a run, where the sum of lower ranks
 * meets that of higher ranks.  Run 2 on a line of 5 nodes, all-gather from top to bottom,
 * reduce-scatter from bottom to top:
 *
 *   coordinate    0         1         2         3         4
 *   round 0                           o ------> o
 *   round 1                 o <------ o         o ------> o
 *   round 2       o <------ o
 *
 * Rows are added before columns, so operands are added in rank order.  Each column then splits the
 * run that its row phase assigned to it.  The first addition to a block reads INPUT and writes
 * OUTPUT, so the plan needs no scratch.
 *
 *   rounds     sum over all sides s > 1: 2 s, but 2 (s - 1) if s is 2 or 4 or with two ports
 *   messages   2 floor(5 s^2/8) in every line, 16 for s = 4; 2 s (s - 1) with two ports
 *   traffic    2 (p - 1) m words in total
 *   cost       on a line, s > 4: 2 s t_s + t_w m (3 - 1/s), 3 - 2/s for s even; with two ports
 *              2 (s - 1) (t_s + t_w m/s)
 *   ports      two: both directions in every round, with one run per message
 *   requires   hop mode, a grid of any sides, open or wrapped; any associative operator
 *   source     gossiping on a path by odd-even exchanges, and its reversal
 */
#include "collective/line/odd_even.h"
#include "collective/round_bound.h"

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = 2 * lsi_phases_rounds(problem, lsi_odd_even_rounds),
		.blocks = problem->nodes };
}

static bool is_reduce_scatter(const struct ls_plan *plan, int64_t round)
{
	return round < plan->frame.rounds / 2;
}

/* The axis, and the round of its all-gather that this round performs or reverses. */
static struct lsi_axis_phase phase_at(const struct ls_plan *plan, int64_t round)
{
	const int64_t mirrored =
		is_reduce_scatter(plan, round) ? round : plan->frame.rounds - 1 - round;
	struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, lsi_odd_even_rounds, mirrored);

	phase.round = lsi_odd_even_rounds(&plan->problem, phase.axis) - 1 - phase.round;
	return phase;
}

struct action {
	struct lsi_runs sends, received;
};

/* In the reduce-scatter sends and receives of the all-gather change places. */
static struct action action_of(
	const struct ls_plan *plan, int64_t rank, int64_t round, int direction)
{
	const struct lsi_axis_phase phase = phase_at(plan, round);
	const int64_t at = lsi_odd_even_position(direction, phase.axis, rank);
	const int64_t rounds = lsi_odd_even_rounds(&plan->problem, phase.axis);
	const struct lsi_runs sent =
		lsi_odd_even_sent(&plan->problem, phase.axis, rounds, direction, at, phase.round);
	const struct lsi_runs received =
		lsi_odd_even_sent(&plan->problem, phase.axis, rounds, direction, at - 1, phase.round);

	return is_reduce_scatter(plan, round) ? (struct action){ received, sent }
										  : (struct action){ sent, received };
}

static int port(const struct lsi_problem *problem, int direction)
{
	return problem->ports > 1 ? direction : 0;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const int64_t stride = phase_at(plan, round).axis.stride;

	for (int direction = 0; direction < LSI_CHAINS; direction++) {
		const struct action a = action_of(plan, rank, round, direction);
		const int64_t ahead =
			(direction == LSI_UP) != is_reduce_scatter(plan, round) ? stride : -stride;
		const int q = port(&plan->problem, direction);

		if (lsi_runs_any(a.sends))
			out->to[q] = rank + ahead;
		if (lsi_runs_any(a.received))
			out->from[q] = rank - ahead;
	}
}

/* The first block of a line; the coordinates on the axes that are added earlier determine it. */
static int64_t line_first(const struct lsi_problem *problem, struct lsi_axis axis, int64_t rank)
{
	struct lsi_axis before = { 1, 1 };
	int64_t first = 0;

	for (int d = lsi_axes(problem->topology) - 1; before.stride < axis.stride; d--) {
		before.side = lsi_axis_side(problem->topology, d);
		first += lsi_axis_coordinate(before, rank) * (problem->nodes / before.stride / before.side);
		before.stride *= before.side;
	}
	return first;
}

static struct ls_slice slice(const struct lsi_problem *problem, struct lsi_axis axis, int direction,
	int64_t rank, struct lsi_runs runs)
{
	const int64_t run = problem->nodes / axis.stride / axis.side;

	return lsi_blocks(LS_OUTPUT,
		line_first(problem, axis, rank) + lsi_runs_first(runs, direction, axis) * run,
		(runs.last - runs.first + 1) * run);
}

/* The last node of a line has nothing to add: it sends its operands as they are. */
static bool sends_input(const struct ls_plan *plan, struct lsi_axis axis, int64_t round, int64_t at)
{
	return is_reduce_scatter(plan, round) && lsi_axis_is_first(axis) && at == axis.side - 1;
}

/*
 * Whether a node adds to INPUT: in the first phase, unless OUTPUT already has the sum that came
 * from the other end of the line.
 */
static bool adds_to_input(
	const struct lsi_problem *problem, struct lsi_axis_phase phase, int direction, int64_t at)
{
	const bool inner = at > 0 && at < phase.axis.side - 1;
	const bool second = phase.round == 0 && inner && (problem->ports == 1 || direction == LSI_DOWN);

	return lsi_axis_is_first(phase.axis) && !second;
}

static void store(bool sums, int direction, struct ls_slice dst, struct ls_slice mine,
	struct ls_slice arrival, struct ls_step *step)
{
	if (!sums)
		lsi_step_copy(step, dst, arrival);
	else if (direction == LSI_UP) /* from higher ranks */
		lsi_step_combine(step, dst, mine, arrival);
	else
		lsi_step_combine(step, dst, arrival, mine);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = phase_at(plan, round);

	for (int direction = 0; direction < LSI_CHAINS; direction++) {
		const struct action a = action_of(plan, rank, round, direction);
		const int64_t at = lsi_odd_even_position(direction, phase.axis, rank);
		const int q = port(problem, direction);

		if (lsi_runs_any(a.sends)) {
			struct ls_slice sent = slice(problem, phase.axis, direction, rank, a.sends);

			if (sends_input(plan, phase.axis, round, at))
				sent.buffer = LS_INPUT;
			lsi_step_send_on(step, q, sent);
		}
		if (lsi_runs_any(a.received)) {
			const struct ls_slice got = slice(problem, phase.axis, direction, rank, a.received);
			struct ls_slice mine = got;

			if (adds_to_input(problem, phase, direction, at))
				mine.buffer = LS_INPUT;
			lsi_step_receive_on(step, q, got.run);
			store(is_reduce_scatter(plan, round), direction, got, mine, lsi_arrival_on(step, q),
				step);
		}
	}
}

/*
 * The volume of an all-gather on a line: the sum over the rounds of the longest message.  The runs
 * in this message, and the sum, with h = ceil(side/2):
 *
 *   side    longest message by round                          sum
 *   2       0                                                 one
 *   3       0   01   2                                        one + three
 *   4       0   01   01                                       one + 2 two
 *   5       0   01   01   1   0                               one + 3 two
 *   s > 4   0   01 (h - 1 times)   1   0 (s - 1 - h times)    (s - 1 - h) one + h two
 *
 * `one`, `two` and `three` are the words of run 0, of runs 0 and 1, of runs 0 to 2.  With two ports
 * each of the s - 1 messages contains one run.
 */
static int64_t volume(int64_t side, bool two_ports, int64_t one, int64_t two, int64_t three)
{
	const int64_t h = side - side / 2;

	if (two_ports || side == 2)
		return lsi_mul_sat(side - 1, one);
	return side == 3 ? one + three
					 : lsi_add_sat(lsi_mul_sat(h, two), lsi_mul_sat(side - 1 - h, one));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	const bool two_ports = problem->ports > 1;
	struct ls_counts counts = { .words = lsi_mul_sat(2 * (p - 1), (int64_t)n) };
	int64_t run = p;

	for (int d = ls_topology_dims(problem->topology) - 1; d >= 0; d--) {
		const int64_t side = ls_topology_side(problem->topology, d);
		int64_t length[3];

		if (side == 1)
			continue;
		run /= side;
		for (int k = 0; k < 3; k++)
			length[k] = (int64_t)lsi_cut_offset(n, p, (k < side ? k + 1 : side) * run);
		counts.rounds += 2 * (two_ports || side == 2 || side == 4 ? side - 1 : side);
		counts.messages = lsi_add_sat(
			counts.messages, lsi_mul_sat(2 * (p / side), lsi_odd_even_messages(side, two_ports)));
		counts.volume = lsi_add_sat(counts.volume,
			lsi_mul_sat(2, volume(side, two_ports, length[0], length[1], length[2])));
	}
	return counts;
}

const struct lsi_algorithm lsi_allreduce_odd_even = {
	.operations = LSI_FOR(LS_ALLREDUCE),
	.name = "odd-even",
	.networks = "linear:P ring:P mesh:RxC.. torus:RxC..",
	.rounds = "sum over all sides s > 1: 2 s, but 2 (s - 1) if s is 2 or 4 or with two ports",
	.bound = LSI_ROUND_BOUND,
	.source = "gossiping on a path by odd-even exchanges: reversed, then forward",
	.claim = LS_ORDERED,
	.identical = true,
	.supports = lsi_odd_even_supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
