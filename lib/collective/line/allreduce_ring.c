/*
 * All-reduce for long vectors: reduce-scatter, then all-gather, around the rings of every
 * dimension.
 *
 * The vector is cut into p blocks.  On an axis of side s the blocks of a line form s runs, which
 * move around the ring at the same time.  In round t of an axis of the reduce-scatter, the node at
 * coordinate c sends run c - t and receives run c - t - 1.  A run gains one operand per hop; run
 * c + 1 is complete at c.  The next axis divides it further.  In the all-gather, with the axes in
 * reverse order, the node sends run c + 1 - t and stores run c - t.  With two ports one half of the
 * vector moves up and the other down.
 *
 *   rounds     sum over all sides s: 2 (s - 1)
 *   traffic    one message per node and round, two with two ports; 2 m (p - 1)/p words
 *   cost       2 t_s sum (side - 1) + 2 t_w m (p - 1)/p; two ports halve the volume
 *   ports      two, if every side is 1 or at least 3 and the rings are closed
 *   requires   closed rings, or routed mode on a mesh, in which the message from the last to the
 *              first node of a line uses the links back, which are idle otherwise; a commutative
 *              operation
 *   source     P. Patarasuk, X. Yuan, J. Parallel Distrib. Comput. 69(2), 2009; Grama, Gupta,
 *              Karypis, Kumar 2003, section 4.3
 */
#include "collective/axis.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_axes_linked(t) && (problem->mode == LS_ROUTED || lsi_axes_closed(t));
}

/* The number of directions at once; on a side of 2 both would use the same link. */
static int directions(const struct lsi_problem *problem)
{
	if (problem->ports < 2 || !lsi_axes_closed(problem->topology)
		|| problem->nodes > LS_NODES_MAX / 2)
		return 1;
	for (int d = 0; d < lsi_axes(problem->topology); d++)
		if (lsi_axis_side(problem->topology, d) == 2)
			return 1;
	return 2;
}

static int64_t rounds_on(const struct lsi_problem *problem, struct lsi_axis axis)
{
	(void)problem;
	return axis.side - 1;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return (struct lsi_frame){ .rounds = 2 * lsi_phases_rounds(problem, rounds_on),
		.blocks = directions(problem) * problem->nodes };
}

/* Does the round belong to the reduce-scatter? */
static bool adds(const struct ls_plan *plan, int64_t round)
{
	return round < plan->frame.rounds / 2;
}

/* The reduce-scatter is the all-gather in reverse time order: axes from first to last. */
static struct lsi_axis_phase phase_at(const struct ls_plan *plan, int64_t round)
{
	const int64_t half = plan->frame.rounds / 2;
	const int64_t mirrored = adds(plan, round) ? half - 1 - round : round - half;
	struct lsi_axis_phase phase = lsi_phase_at(&plan->problem, rounds_on, mirrored);

	if (adds(plan, round))
		phase.round = phase.axis.side - 2 - phase.round;
	return phase;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct lsi_axis axis = phase_at(plan, round).axis;
	const int64_t at = lsi_axis_coordinate(axis, rank);

	for (int q = 0; q < directions(&plan->problem); q++) {
		const int64_t ahead = q == 0 ? 1 : -1;

		out->to[q] = lsi_axis_node(axis, rank, lsi_wrap(at + ahead, axis.side));
		out->from[q] = lsi_axis_node(axis, rank, lsi_wrap(at - ahead, axis.side));
	}
}

/* The position of a node in a direction; direction 1 is the mirror image of direction 0. */
static int64_t position(int direction, struct lsi_axis axis, int64_t rank)
{
	const int64_t at = lsi_axis_coordinate(axis, rank);

	return direction == 0 ? at : axis.side - 1 - at;
}

/* The first block of a line; the coordinates of its nodes on earlier axes determine it. */
static int64_t line_first(
	const struct lsi_problem *problem, int direction, struct lsi_axis axis, int64_t rank)
{
	struct lsi_axis outer = { 1, problem->nodes };
	int64_t first = direction * problem->nodes;

	for (int d = 0; outer.stride > axis.stride * axis.side; d++) {
		outer.side = lsi_axis_side(problem->topology, d);
		outer.stride /= outer.side;
		first += (position(direction, outer, rank) + 1) % outer.side * outer.stride;
	}
	return first;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct lsi_problem *problem = &plan->problem;
	const struct lsi_axis_phase phase = phase_at(plan, round);
	const struct lsi_axis axis = phase.axis;

	for (int q = 0; q < directions(problem); q++) {
		const int64_t first = line_first(problem, q, axis, rank);
		const int64_t sent = position(q, axis, rank) - phase.round + !adds(plan, round);
		const int64_t to = first + lsi_wrap(sent, axis.side) * axis.stride;
		const int64_t from = first + lsi_wrap(sent - 1, axis.side) * axis.stride;
		const struct ls_slice got = lsi_blocks(LS_OUTPUT, from, axis.stride);
		struct ls_slice mine = got;

		/* On the first axis the node's own operand is still in its input. */
		if (axis.stride * axis.side == problem->nodes)
			mine.buffer = LS_INPUT;
		lsi_step_send_on(step, q, lsi_blocks(round == 0 ? LS_INPUT : LS_OUTPUT, to, axis.stride));
		lsi_step_receive_on(step, q, axis.stride);
		if (adds(plan, round))
			lsi_step_combine(step, got, lsi_arrival_on(step, q), mine);
		else
			lsi_step_copy(step, got, lsi_arrival_on(step, q));
	}
}

/*
 * `run` is the number of blocks in a message.  Each block is in `run` messages of a round, so
 * n * run words move.  The sum of (side - 1) * run over all axes is p - 1.
 */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t ways = directions(problem), p = problem->nodes;
	struct ls_counts counts = { 0 };
	int64_t run = p;

	for (int d = 0; d < lsi_axes(problem->topology); d++) {
		const int64_t side = lsi_axis_side(problem->topology, d);

		run /= side;
		counts.rounds += 2 * (side - 1);
		counts.volume = lsi_add_sat(
			counts.volume, lsi_mul_sat(2 * (side - 1), (int64_t)lsi_cut_offset(n, ways * p, run)));
	}
	counts.messages = lsi_mul_sat(ways * p, counts.rounds);
	counts.words = lsi_mul_sat(2 * (p - 1), (int64_t)n);
	return counts;
}

const struct lsi_algorithm lsi_allreduce_ring = {
	.operations = LSI_FOR(LS_ALLREDUCE),
	.name = "ring",
	.networks = "ring:P torus:RxC.. complete:P; linear:P mesh:RxC.. in routed mode",
	.rounds = "sum over all sides s: 2 (s - 1)",
	.bound = LSI_ROUND_BOUND,
	.source = "Patarasuk, Yuan 2009; Grama, Gupta, Karypis, Kumar 2003, section 4.3",
	.claim = LS_COMMUTATIVE,
	.identical = true,
	.supports = supports,
	.frame = frame,
	.peers = peers,
	.body = body,
	.predict = predict,
	.lower_bound = lsi_round_lower_bound,
};
