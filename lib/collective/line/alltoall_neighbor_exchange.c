/*
 * All-to-all on rings of even length, in the rounds and along the paths of the neighbor exchange.
 *
 * Even nodes exchange with the node above in even rounds, and with the node below in odd rounds.  A
 * node sends on what arrived last, so a block moves in every round:
 *
 *   ring of 6     round 0   0 - 1   2 - 3   4 - 5     node 0 sends its blocks for 1 2 3
 *                 round 1   1 - 2   3 - 4   5 - 0     node 1 those of 0 and its own, for 2 3,
 *                                                     node 0 those of 1 and its own, for 5 4
 *                 round 2   0 - 1   2 - 3   4 - 5     node 2 those of 0 and of 1, for 3
 *
 * So a message after round 0 has the blocks of two sources, the farther one first, for the same
 * s/2 - r coordinates.  Axes follow one another as in alltoall_ring.c.
 *
 *   rounds     sum over all sides s: s/2
 *   traffic    one message per node and round; every block takes a shortest path
 *   volume     m p/4 sum s: no schedule with one port has less
 *   cost       (t_s + t_w m p/2) sum s/2
 *   memory     4 p (s/2 - 1)/s blocks in transit; p more with several axes or in place, 2 p more in
 *              place with three or more axes
 *   requires   closed rings of even sides, one of them above 2
 *   source     rounds: J. Chen, L. Zhang, Y. Zhang, W. Yuan, HPC Asia 2005: neighbor exchange;
 *              dimensions as in Grama, Gupta, Karypis, Kumar 2003, section 4.5
 */
#include "collective/line/alltoall_slabs.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

enum { TRANSIT = LS_SCRATCH + 2 };

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;
	bool is_long = false;

	if (t->network->grid == LSI_GRID_NONE || !lsi_axes_closed(t))
		return false;
	for (int d = 0; d < lsi_axes(t); d++) {
		const int64_t side = lsi_axis_side(t, d);

		if (side > 1 && side % 2)
			return false;
		is_long |= side > 2;
	}
	return is_long;
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return axis.side / 2;
}

/* The number of axes with rounds. */
static int64_t phases_of(const struct lsi_problem *problem)
{
	int64_t phases = 0;

	for (int d = 0; d < lsi_axes(problem->topology); d++)
		phases += lsi_axis_side(problem->topology, d) > 1;
	return phases;
}

/* Two halves, in turn sent and written; each has the blocks of two sources. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes, phases = phases_of(problem);
	struct lsi_frame frame = { .blocks = p, .rounds = lsi_phases_rounds(problem, rounds_on) };

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t s = lsi_axis_side(problem->topology, d);
		const int64_t slots = s > 2 ? 4 * (s / 2 - 1) * (p / s) : 0;

		if (frame.scratch[TRANSIT - LS_SCRATCH].slots < slots)
			frame.scratch[TRANSIT - LS_SCRATCH] = (struct lsi_scratch){ slots, 1 };
	}
	frame.has_prologue = problem->in_place && phases == 1;
	if (phases > 1 || frame.has_prologue)
		frame.scratch[0] = (struct lsi_scratch){ p, 1 };
	if (phases > 2 && problem->in_place)
		frame.scratch[1] = (struct lsi_scratch){ p, 1 };
	return frame;
}

/* The buffer of the p blocks before (k) and after (k + 1) a phase. */
static int storage(const struct ls_plan *plan, int64_t k)
{
	if (k == 0 && plan->frame.has_prologue)
		return LS_SCRATCH;
	return lsi_alternating_buffer(k, phases_of(&plan->problem), plan->problem.in_place);
}

/* The direction in which a node sends: up 1, down -1.  It receives from there, too. */
static int64_t direction_of(int64_t at, int64_t round)
{
	return (at + round) % 2 ? -1 : 1;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);
	const int64_t at = lsi_axis_coordinate(phase.axis, rank);
	const int64_t peer = lsi_wrap(at + direction_of(at, phase.round), phase.axis.side);

	out->to[0] = out->from[0] = lsi_axis_node(phase.axis, rank, peer);
}

/* Blocks that a node has at `count` coordinates next to its own, in one direction. */
static struct ls_slice ahead(const struct ls_plan *plan, struct lsi_axis axis, int buffer,
	int64_t at, int64_t direction, int64_t count)
{
	return lsi_slabs(plan, axis, buffer, direction > 0 ? at + 1 : at - count, count);
}

/* The blocks of one source in the message that arrives, which moves against `direction`. */
static void take(const struct ls_plan *plan, const struct lsi_axis_phase *phase, int64_t at,
	int64_t source, struct ls_step *step)
{
	const struct lsi_axis axis = phase->axis;
	const int64_t each = plan->problem.nodes / axis.side,
				  direction = direction_of(at, phase->round);
	const int64_t count = axis.side / 2 - phase->round, from = source * count * each;
	const int64_t half = plan->frame.scratch[TRANSIT - LS_SCRATCH].slots / 2;
	const bool up = direction < 0;
	struct ls_slice mine = lsi_slab_parts(plan, axis, LS_ARRIVAL, count, up ? 0 : count - 1, 1);
	struct ls_slice rest = lsi_slab_parts(plan, axis, LS_ARRIVAL, count, up, count - 1);

	mine.first += from;
	rest.first += from;
	lsi_step_copy(step,
		lsi_slabs(plan, axis, storage(plan, phase->before + 1),
			at + direction * (phase->round + 1 - source), 1),
		mine);
	if (count > 1)
		lsi_step_copy(step,
			lsi_blocks(TRANSIT, (phase->round + 1) % 2 * half + source * (count - 1) * each,
				(count - 1) * each),
			rest);
}

static void exchange(const struct ls_plan *plan, const struct lsi_axis_phase *phase, int64_t at,
	struct ls_step *step)
{
	const struct lsi_axis axis = phase->axis;
	const int64_t each = plan->problem.nodes / axis.side,
				  direction = direction_of(at, phase->round);
	const int64_t count = axis.side / 2 - phase->round, sources = phase->round ? 2 : 1;
	const int64_t half = plan->frame.scratch[TRANSIT - LS_SCRATCH].slots / 2;
	const int src = storage(plan, phase->before);

	lsi_step_send(step,
		phase->round ? lsi_blocks(TRANSIT, phase->round % 2 * half, sources * count * each)
					 : ahead(plan, axis, src, at, direction, count));
	lsi_step_receive(step, sources * count * each);
	for (int64_t source = 0; source < sources; source++)
		take(plan, phase, at, source, step);
	/* In round 1 its own blocks for the other direction follow those that arrived. */
	if (phase->round == 0 && count > 1)
		lsi_step_copy(step, lsi_blocks(TRANSIT, half + (count - 1) * each, (count - 1) * each),
			ahead(plan, axis, src, at, -direction, count - 1));
	if (count == 1)
		lsi_step_copy(step, lsi_slabs(plan, axis, storage(plan, phase->before + 1), at, 1),
			lsi_slabs(plan, axis, src, at, 1));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}

	const struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, round);

	exchange(plan, &phase, lsi_axis_coordinate(phase.axis, rank), step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	struct ls_counts c = { 0 };

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);

		c.rounds += side / 2;
		c.volume = lsi_add_sat(c.volume, lsi_mul_sat(p / side, side / 2 * (side / 2)));
	}
	c.messages = lsi_mul_sat(p, c.rounds);
	c.volume = lsi_mul_sat(c.volume, (int64_t)n);
	c.words = lsi_mul_sat(p, c.volume);
	return c;
}

const struct lsi_algorithm lsi_alltoall_neighbor_exchange = {
	.operations = LSI_FOR(LS_ALLTOALL),
	.name = "neighbor-exchange",
	.networks = "ring:P torus:RxC.. with even sides, one above 2",
	.rounds = "sum over all sides s: s/2",
	.bound = LSI_ROUND_BOUND,
	.source = "Chen, Zhang, Zhang, Yuan 2005",
	.claim = LS_MOVE,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
