/*
 * All-to-all (total exchange) around the rings of every dimension.
 *
 * An axis has two directions, up and down.  A node sends in one message all its blocks for the
 * nodes ahead of it.  Each receiver keeps its own blocks and forwards the rest:
 *
 *   ring of 4, up     round 0   c sends to c + 1 the blocks for c + 1, c + 2, c + 3
 *                     round 1   ..   those from c - 1 for c + 1, c + 2
 *                     round 2   ..   those from c - 2 for c + 1
 *
 * The offset of a block is a vector of coordinates: the source's on finished axes, the
 * destination's on the others.  So there is no regrouping between axes.  `ring` and `dimension` use
 * the direction up alone, which reaches all nodes.  `bidirectional` sends each block in the shorter
 * direction: up before down, or both at once with two ports.
 *
 * On the hypercube, a grid of sides 2, this is dimension exchange: half of the blocks cross a
 * dimension in each round, and the others are copied.
 *
 *   rounds     sum over all sides s: s - 1, but floor(s/2) for bidirectional with two ports
 *   volume     ring m p/2 sum (s - 1); bidirectional half of it: m p/s (f(f+1) + g(g+1))/2 in a
 *              dimension, f = floor(s/2), g = s - 1 - f; two ports: m p/s f(f+1)/2
 *   cost       ring (t_s + t_w m p/2) sum (s - 1); hypercube (t_s + t_w m p/2) log2 p
 *   memory     2 p (f - 1)/s blocks in transit for each direction of length f; p more with several
 *              axes or in place, 2 p more in place with three or more axes
 *   requires   closed rings; `ring` also routed mode on a mesh, in which the message from the last
 *              to the first node of a line uses the links back, which are idle otherwise
 *   source     Grama, Gupta, Karypis, Kumar 2003, section 4.5; their slides to chapter 4,
 *              "Basic Communication Operations", equations (4), (5), (6)
 */
#include "collective/line/alltoall_slabs.h"
#include "collective/requirement.h"
#include "collective/round_bound.h"

extern const struct lsi_algorithm lsi_alltoall_bidirectional;

enum { TRANSIT = LS_SCRATCH + 2 }; /* of port 0; the next one is of port 1 */

/* ---- Axes */

/* The blocks of one direction move `length` nodes far, from round `start` of the phase on. */
struct direction {
	int64_t ahead, length, start;
	int port;
};
struct directions {
	struct direction direction[2];
	int64_t rounds;
};

static struct directions directions_of(const struct lsi_problem *problem, bool both, int64_t s)
{
	const int64_t up = both ? s / 2 : s - 1, down = s - 1 - up;
	const bool at_once = problem->ports > 1;

	return (struct directions){ { { 1, up, 0, 0 }, { -1, down, at_once ? 0 : up, at_once } },
		at_once ? up : s - 1 };
}

/* A round: its axis, its number there, the number of earlier axes and of all axes with rounds. */
struct phase {
	struct lsi_axis axis;
	int64_t round, before, phases;
};

static struct phase find(const struct ls_plan *plan, bool both, int64_t round)
{
	const struct ls_topology *t = plan->problem.topology;
	struct phase phase = { { 1, 1 }, round, 0, 0 };
	struct lsi_axis axis = { 1, 1 };
	bool found = false;

	for (int d = lsi_cube_axes(t) - 1; d >= 0; d--) {
		axis.stride *= axis.side;
		axis.side = lsi_cube_side(t, d);

		const int64_t here = directions_of(&plan->problem, both, axis.side).rounds;

		phase.phases += here > 0;
		if (found || here == 0)
			continue;
		phase.axis = axis;
		found = phase.round < here;
		phase.round -= found ? 0 : here;
		phase.before += !found;
	}
	return phase;
}

static bool goes_both_ways(const struct ls_plan *plan)
{
	return plan->algorithm == &lsi_alltoall_bidirectional;
}

/* ---- Frame */

static struct lsi_frame frame_of(const struct lsi_problem *problem, bool both)
{
	const struct ls_topology *t = problem->topology;
	struct lsi_frame frame = { .blocks = problem->nodes };
	int64_t phases = 0;

	for (int d = 0; d < lsi_cube_axes(t); d++) {
		const int64_t s = lsi_cube_side(t, d);
		const struct directions directions = directions_of(problem, both, s);

		frame.rounds += directions.rounds;
		phases += s > 1;
		for (int i = 0; i < 2; i++) {
			const struct direction *direction = &directions.direction[i];
			struct lsi_scratch *transit = &frame.scratch[TRANSIT - LS_SCRATCH + direction->port];
			const int64_t slots = 2 * (direction->length - 1) * (problem->nodes / s);

			if (transit->slots < slots)
				*transit = (struct lsi_scratch){ slots, 1 };
		}
	}
	frame.has_prologue = problem->in_place && phases == 1;
	if (phases > 1 || frame.has_prologue)
		frame.scratch[0] = (struct lsi_scratch){ problem->nodes, 1 };
	if (phases > 2 && problem->in_place)
		frame.scratch[1] = (struct lsi_scratch){ problem->nodes, 1 };
	return frame;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return frame_of(problem, false);
}

static struct lsi_frame frame_both(const struct lsi_problem *problem)
{
	return frame_of(problem, true);
}

/* ---- Steps */

static bool is_at_work(const struct direction *direction, int64_t round)
{
	return round >= direction->start && round < direction->start + direction->length;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct phase phase = find(plan, goes_both_ways(plan), round);
	const struct lsi_axis axis = phase.axis;
	const struct directions directions =
		directions_of(&plan->problem, goes_both_ways(plan), axis.side);
	const int64_t at = lsi_axis_coordinate(axis, rank);

	for (int i = 0; i < 2; i++) {
		const struct direction *direction = &directions.direction[i];

		if (!is_at_work(direction, phase.round))
			continue;
		out->to[direction->port] =
			lsi_axis_node(axis, rank, lsi_wrap(at + direction->ahead, axis.side));
		out->from[direction->port] =
			lsi_axis_node(axis, rank, lsi_wrap(at - direction->ahead, axis.side));
	}
}

/* The buffer of the p blocks before (k) and after (k + 1) a phase. */
static int storage(const struct ls_plan *plan, const struct phase *phase, int64_t k)
{
	if (k == 0 && plan->frame.has_prologue)
		return LS_SCRATCH;
	return lsi_alternating_buffer(k, phase->phases, plan->problem.in_place);
}

static void advance(const struct ls_plan *plan, const struct phase *phase,
	const struct direction *direction, int64_t at, struct ls_step *step)
{
	const struct lsi_axis axis = phase->axis;
	const int64_t each = plan->problem.nodes / axis.side; /* blocks for one node */
	const int64_t t = phase->round - direction->start, count = direction->length - t;
	const int64_t half = plan->frame.scratch[TRANSIT - LS_SCRATCH + direction->port].slots / 2;
	const bool up = direction->ahead > 0;
	const int src = storage(plan, phase, phase->before);
	const int dst = storage(plan, phase, phase->before + 1);

	lsi_step_send_on(step, direction->port,
		t == 0 ? lsi_slabs(plan, axis, src, up ? at + 1 : at - count, count)
			   : lsi_blocks(TRANSIT + direction->port, t % 2 * half, count * each));
	lsi_step_receive_on(step, direction->port, count * each);
	lsi_step_copy(step, lsi_slabs(plan, axis, dst, at - direction->ahead * (t + 1), 1),
		lsi_slab_parts(plan, axis, LS_ARRIVAL + direction->port, count, up ? 0 : count - 1, 1));
	if (count > 1)
		lsi_step_copy(step,
			lsi_blocks(TRANSIT + direction->port, (t + 1) % 2 * half, (count - 1) * each),
			lsi_slab_parts(plan, axis, LS_ARRIVAL + direction->port, count, up, count - 1));
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t p = plan->problem.nodes;

	if (round < 0) {
		lsi_step_copy(step, lsi_blocks(LS_SCRATCH, 0, p), lsi_blocks(LS_INPUT, 0, p));
		return;
	}

	const struct phase phase = find(plan, goes_both_ways(plan), round);
	const struct lsi_axis axis = phase.axis;
	const struct directions directions =
		directions_of(&plan->problem, goes_both_ways(plan), axis.side);
	const int64_t at = lsi_axis_coordinate(axis, rank);

	for (int i = 0; i < 2; i++) {
		if (is_at_work(&directions.direction[i], phase.round))
			advance(plan, &phase, &directions.direction[i], at, step);
	}
	/* The node's own blocks move last: no direction forwards blocks then, so four moves suffice. */
	if (phase.round + 1 == directions.rounds)
		lsi_step_copy(step, lsi_slabs(plan, axis, storage(plan, &phase, phase.before + 1), at, 1),
			lsi_slabs(plan, axis, storage(plan, &phase, phase.before), at, 1));
}

/* ---- Formulas */

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const struct ls_topology *t = problem->topology;
	const int64_t p = problem->nodes;
	struct ls_counts c = { 0 };

	for (int d = 0; d < lsi_cube_axes(t); d++)
		c.rounds += lsi_cube_side(t, d) - 1;
	c.messages = lsi_mul_sat(p, c.rounds);
	/* If p is odd, all sides are odd, so the number of rounds is even. */
	c.volume = p % 2 ? lsi_mul_sat(p, c.rounds / 2) : lsi_mul_sat(p / 2, c.rounds);
	c.volume = lsi_mul_sat(c.volume, (int64_t)n);
	c.words = lsi_mul_sat(p, c.volume);
	return c;
}

static struct ls_counts predict_both(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	struct ls_counts c = { 0 };

	for (int d = 0; d < lsi_cube_axes(problem->topology); d++) {
		const int64_t s = lsi_cube_side(problem->topology, d), f = s / 2, g = s - 1 - f;
		const int64_t up = lsi_mul_sat(p / s, lsi_mul_sat(f, f + 1) / 2);
		const int64_t down = lsi_mul_sat(p / s, lsi_mul_sat(g, g + 1) / 2);

		c.rounds += problem->ports > 1 ? f : s - 1;
		c.messages = lsi_add_sat(c.messages, lsi_mul_sat(p, s - 1));
		c.volume = lsi_add_sat(c.volume, problem->ports > 1 ? up : lsi_add_sat(up, down));
		c.words = lsi_add_sat(c.words, lsi_mul_sat(p, lsi_add_sat(up, down)));
	}
	c.volume = lsi_mul_sat(c.volume, (int64_t)n);
	c.words = lsi_mul_sat(c.words, (int64_t)n);
	return c;
}

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return t->network->grid != LSI_GRID_NONE && (problem->mode == LS_ROUTED || lsi_axes_closed(t));
}

static bool supports_both(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return t->network->grid != LSI_GRID_NONE && lsi_axes_closed(t);
}

#define COMMON \
	.operations = LSI_FOR(LS_ALLTOALL), .bound = LSI_ROUND_BOUND, .claim = LS_MOVE, \
	.identical = true, .peers = peers, .body = body, .lower_bound = lsi_round_lower_bound

const struct lsi_algorithm lsi_alltoall_ring = {
	COMMON,
	.name = "ring",
	.networks = "ring:P torus:RxC..; linear:P mesh:RxC.. in routed mode",
	.rounds = "sum over all sides s: s - 1",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.5; their slides to chapter 4, "
			  "equations (4), (5)",
	.supports = supports,
	.frame = frame,
	.predict = predict,
};

const struct lsi_algorithm lsi_alltoall_bidirectional = {
	COMMON,
	.name = "bidirectional",
	.networks = "ring:P torus:RxC..",
	.rounds = "sum over all sides s: s - 1, but floor(s/2) with two ports",
	.source = "shorter direction around the ring; slides to chapter 4 of Grama, Gupta, Karypis, "
			  "Kumar 2003",
	.supports = supports_both,
	.frame = frame_both,
	.predict = predict_both,
};

const struct lsi_algorithm lsi_alltoall_dimension = {
	COMMON,
	.name = "dimension",
	.networks = "hypercube:D",
	.rounds = "log2 p",
	.source =
		"Grama, Gupta, Karypis, Kumar 2003, section 4.5; their slides to chapter 4, equation (6)",
	.supports = lsi_is_hypercube,
	.frame = frame,
	.predict = predict,
};
