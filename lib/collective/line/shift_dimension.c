/*
 * Circular shift around the rings of every dimension, on natural labels.
 *
 * A block moves from rank to rank + q.  In the mixed radix of the sides, this adds the digits of q
 * from the last dimension to the first, with a carry.  So a line along a dimension shifts by the
 * digit of q there, or by one more if a carry arrives.  A carry arrives if the position on the
 * later dimensions, which the block has already reached, is below that of q.  Each line shifts by
 * its own amount in the shorter direction, all lines shift at the same time, and each node holds
 * one block.
 *
 * On the hypercube, a grid of sides 2, node w takes part in bit j if that bit of w xor (w - q) is
 * set. `textbook` shifts all lines by the digit of q.  Blocks that have passed the end of a line
 * then move one step along the next dimension, before that one is shifted.
 *
 *   rounds     sum over all dimensions of the largest cost of a line; cost(a) = min(a, s - a) for a
 *              shift by a on side s
 *              ring: min(q mod p, -q mod p); torus: at most the sum of floor(s/2)
 *              hypercube: log2 p - (trailing zero bits of q)
 *              textbook: the cost of each digit, and 1 for each dimension with a carry
 *   cost       (t_s + t_w m) rounds
 *   memory     one block; in place two
 *   requires   closed rings; or routed mode on a mesh, in which the message from the last to the
 *              first node of a line uses the links back and meets others
 *   source     ring, textbook: Grama, Gupta, Karypis, Kumar 2003, section 4.6; own amounts: this
 *              project
 */
#include "collective/axis.h"
#include "collective/shift_block.h"
#include "collective/shift_bound.h"

extern const struct lsi_algorithm lsi_shift_textbook;

/*
 * The rounds in which the lines along an axis shift.  Lines with a position of `below` or more on
 * the later axes shift by `amount`, the others by `carried`.
 */
struct leg {
	struct lsi_axis axis;
	int64_t amount, carried, below;
};

static int64_t cost(struct lsi_axis axis, int64_t amount)
{
	const int64_t up = lsi_wrap(amount, axis.side);

	return up < axis.side - up ? up : axis.side - up;
}

static int64_t leg_rounds(const struct leg *leg)
{
	const int64_t plain = cost(leg->axis, leg->amount), more = cost(leg->axis, leg->carried);

	return leg->below > 0 && more > plain ? more : plain;
}

static int64_t least_rounds(const struct leg *leg)
{
	const int64_t plain = cost(leg->axis, leg->amount), more = cost(leg->axis, leg->carried);

	return leg->below > 0 && more < plain ? more : plain;
}

/*
 * One leg per axis, from the last to the first; if carries come first, they are a leg of their own.
 */
struct legs {
	const struct lsi_problem *problem;
	bool carries_first;
	int64_t next;
	struct lsi_axis axis;
};

static bool next_leg(struct legs *legs, struct leg *leg)
{
	const struct ls_topology *t = legs->problem->topology;
	const int64_t each = legs->carries_first ? 2 : 1, i = legs->next++;
	const bool carries = i % each == 0;

	if (i == lsi_cube_axes(t) * each)
		return false;
	if (carries) {
		legs->axis.stride *= legs->axis.side;
		legs->axis.side = lsi_cube_side(t, lsi_cube_axes(t) - 1 - (int)(i / each));
	}

	const int64_t digit = legs->problem->shift / legs->axis.stride % legs->axis.side;
	const int64_t amount = legs->carries_first && carries ? 0 : digit;

	*leg = (struct leg){ legs->axis, amount, amount + carries,
		legs->problem->shift % legs->axis.stride };
	return true;
}

static struct legs legs_of(const struct lsi_problem *problem, bool carries_first)
{
	return (struct legs){ problem, carries_first, 0, { 1, 1 } };
}

static bool carries_come_first(const struct ls_plan *plan)
{
	return plan->algorithm == &lsi_shift_textbook;
}

/* The axis of a round, and the direction in which a node's line moves; 0: it rests. */
struct part {
	struct lsi_axis axis;
	int64_t ahead;
};

static struct part part_of(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	struct legs legs = legs_of(&plan->problem, carries_come_first(plan));
	struct leg leg;

	while (next_leg(&legs, &leg) && round >= leg_rounds(&leg))
		round -= leg_rounds(&leg);

	const int64_t amount = rank % leg.axis.stride < leg.below ? leg.carried : leg.amount;
	const int64_t up = lsi_wrap(amount, leg.axis.side);

	if (round >= cost(leg.axis, amount))
		return (struct part){ leg.axis, 0 };
	return (struct part){ leg.axis, up <= leg.axis.side - up ? 1 : -1 };
}

/* The number of earlier rounds in which a node takes part. */
static int64_t parts_before(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	struct legs legs = legs_of(&plan->problem, carries_come_first(plan));
	struct leg leg;
	int64_t parts = 0;

	while (round > 0 && next_leg(&legs, &leg)) {
		const int64_t mine =
			cost(leg.axis, rank % leg.axis.stride < leg.below ? leg.carried : leg.amount);

		parts += round < mine ? round : mine;
		round -= leg_rounds(&leg);
	}
	return parts;
}

static struct lsi_frame frame_of(const struct lsi_problem *problem, bool carries_first)
{
	struct legs legs = legs_of(problem, carries_first);
	struct leg leg;
	int64_t rounds = 0, least = 0;

	while (next_leg(&legs, &leg)) {
		rounds += leg_rounds(&leg);
		least += least_rounds(&leg);
	}
	return lsi_shift_frame(problem, rounds, least);
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	return frame_of(problem, false);
}

static struct lsi_frame frame_carries_first(const struct lsi_problem *problem)
{
	return frame_of(problem, true);
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct part part = part_of(plan, rank, round);
	const int64_t at = lsi_axis_coordinate(part.axis, rank), side = part.axis.side;

	if (part.ahead == 0)
		return;
	out->to[0] = lsi_axis_node(part.axis, rank, lsi_wrap(at + part.ahead, side));
	out->from[0] = lsi_axis_node(part.axis, rank, lsi_wrap(at - part.ahead, side));
}

/*
 * The least number from `least` on with the same parity; the number itself if it is below `least`.
 */
static int64_t alike(int64_t number, int64_t least)
{
	return number < least ? number : least + (number - least) % 2;
}

/*
 * 0 if the node rests.  Else 4 times its active rounds so far, plus those from this one on, both
 * reduced to what the buffers depend on: first or last, odd or even.
 */
static int64_t shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const int64_t before = parts_before(plan, rank, round);
	const int64_t left = parts_before(plan, rank, plan->frame.rounds) - before;

	return part_of(plan, rank, round).ahead == 0 ? 0 : 4 * alike(before, 1) + alike(left, 2);
}

/*
 * Ranks below the last axis determine the shift on each axis; peers are on the axis of the round.
 */
static int64_t period(const struct ls_plan *plan, int64_t round)
{
	struct legs legs = legs_of(&plan->problem, carries_come_first(plan));
	struct leg leg;
	int64_t ranks = round < 0 ? 1 : lsi_axis_block(part_of(plan, 0, round).axis);

	while (next_leg(&legs, &leg)) {
		if (leg.below > 0 && leg.axis.stride > ranks)
			ranks = leg.axis.stride;
	}
	return ranks;
}

static void body(const struct ls_plan *plan, int64_t round, int64_t at, struct ls_step *step)
{
	if (round < 0)
		lsi_shift_begin(&plan->problem, parts_before(plan, at, plan->frame.rounds), step);
	else if (at > 0)
		lsi_shift_step(&plan->problem, at / 4, at / 4 + at % 4, step);
}

/*
 * In each dimension, `low` of `size` lines shift by a digit and a carry, the others by the digit.
 */
static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	int64_t rounds = 0, messages = 0, size = 1;

	for (int d = lsi_cube_axes(problem->topology) - 1; d >= 0; d--) {
		const int64_t s = lsi_cube_side(problem->topology, d);
		const int64_t low = problem->shift % size, a = problem->shift / size % s;
		const int64_t plain = a < s - a ? a : s - a;
		const int64_t more = a + 1 < s - a - 1 ? a + 1 : s - a - 1;

		rounds += low > 0 && more > plain ? more : plain;
		messages = lsi_add_sat(messages, lsi_mul_sat(p / size, plain * (size - low) + more * low));
		size *= s;
	}
	return lsi_equal_counts(rounds, messages, n);
}

static struct ls_counts predict_carries_first(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes;
	int64_t rounds = 0, messages = 0, size = 1;

	for (int d = lsi_cube_axes(problem->topology) - 1; d >= 0; d--) {
		const int64_t s = lsi_cube_side(problem->topology, d);
		const int64_t low = problem->shift % size, a = problem->shift / size % s;
		const int64_t plain = a < s - a ? a : s - a;

		rounds += plain + (low > 0 && s > 1);
		messages = lsi_add_sat(messages, lsi_mul_sat(p, plain));
		messages = lsi_add_sat(messages, s > 1 ? p / size * low : 0);
		size *= s;
	}
	return lsi_equal_counts(rounds, messages, n);
}

static bool supports_ring(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_topology_is(t, &lsi_network_ring)
		|| (problem->mode == LS_ROUTED && lsi_topology_is(t, &lsi_network_linear));
}

static bool supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	return lsi_topology_is(t, &lsi_network_torus) || lsi_topology_is(t, &lsi_network_hypercube)
		|| (problem->mode == LS_ROUTED && lsi_topology_is(t, &lsi_network_mesh));
}

static bool supports_carries_first(const struct lsi_problem *problem)
{
	return supports(problem) && !lsi_topology_is(problem->topology, &lsi_network_hypercube);
}

static const struct lsi_whole_machine whole = { .period = period };

#define COMMON \
	.operations = LSI_FOR(LS_SHIFT), .claim = LS_MOVE, .identical = true, .peers = peers, \
	.shape = shape, .whole = &whole, .body = body, \
	.bound = "longest distance that a block travels; 1 in routed mode", \
	.lower_bound = lsi_shift_bound

const struct lsi_algorithm lsi_shift_ring = {
	COMMON,
	.name = "ring",
	.networks = "ring:P; linear:P in routed mode",
	.rounds = "min(q mod p, -q mod p)",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.6",
	.supports = supports_ring,
	.frame = frame,
	.predict = predict,
};

const struct lsi_algorithm lsi_shift_dimension = {
	COMMON,
	.name = "dimension",
	.networks = "torus:RxC.. hypercube:D; mesh:RxC.. in routed mode",
	.rounds =
		"sum over all sides s: at most floor(s/2); hypercube: log2 p - (trailing zero bits of q)",
	.source = "this project: each line shifts by its own amount",
	.supports = supports,
	.frame = frame,
	.predict = predict,
};

const struct lsi_algorithm lsi_shift_textbook = {
	COMMON,
	.name = "textbook",
	.networks = "torus:RxC..; mesh:RxC.. in routed mode",
	.rounds = "torus s x s: at most s + 1",
	.source = "Grama, Gupta, Karypis, Kumar 2003, section 4.6",
	.teaching = true,
	.supports = supports_carries_first,
	.frame = frame_carries_first,
	.predict = predict_carries_first,
};
