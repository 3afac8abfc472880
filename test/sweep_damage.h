/*
 * The damages that test/sweep_laws.c makes to an algorithm: the change, the plans and nodes that
 * it can hit, and the expected error.
 */
#ifndef LOCKSTEP_TEST_SWEEP_DAMAGE_H
#define LOCKSTEP_TEST_SWEEP_DAMAGE_H

#include <string.h>

#include "base/math.h"
#include "collective/algorithm.h"
#include "plan/plan_internal.h"
#include "plan/step.h"

/* What is wrong in one node v in one round; w is whom it sends to, x another. */
enum damage {
	SENDS_ELSEWHERE, /* v to x, which hears another as well: two sends into one node */
	SENDS_TOO,       /* v, that was to be idle, to x */
	OFF_THE_WIRES,   /* v to x, which is no neighbor */
	NOT_SENT,        /* w expects what v does not send */
	NOT_TAKEN,       /* w does not expect what v sends */
	OTHER_COUNT,     /* v expects two blocks of x, which sends one */
	SECOND_PORT,     /* v has one port and sends to w and x */
	SAME_PEER,       /* v sends to w on two ports */
	HEARS_TWO,       /* v has one port and hears x and another */
	OTHER_BLOCK,     /* v sends its own operand in place of a sum */
	TWICE,           /* v adds its operand once more */
	SWAPPED,         /* v combines in another order */
	FORGOTTEN,       /* v does not move */
	NO_OPERAND,      /* v does as the root, and sends an operand that it does not have */
	DAMAGES
};

static const char *const damage_name[DAMAGES] = { "sends elsewhere", "sends too", "off the wires",
	"not sent", "not taken", "other count", "second port", "same peer", "hears two", "other block",
	"twice", "swapped", "forgotten", "no operand" };

/* Where it is, and what must be said. */
struct spot {
	int64_t node, other, third, round, period; /* 0: this node alone; else all that are alike */
	struct {
		int kind;
		int64_t node, peer, round;
	} want;
};

/* The algorithm at hand, and what is planted in it: its functions have no place for that. */
static const struct lsi_algorithm *base;
static enum damage damage;
static struct spot spot;
static bool claims; /* that rounds repeat as they did, also where one node is damaged */
static _Thread_local int64_t swapped[LS_MOVES][64]; /* of the step that is asked for */

/* ---- The damaged algorithm */

/* Shapes that no algorithm has. */
enum { NODE_SHAPE = -1001, OTHER_SHAPE = -1002 };

static bool is_at(int64_t rank, int64_t place)
{
	return spot.period ? rank % spot.period == place % spot.period : rank == place;
}

/* The node that is to this one as `of` is to `node`. */
static int64_t like(int64_t rank, int64_t node, int64_t of)
{
	return rank - node + of;
}

static void damaged_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	base->peers(plan, rank, round, out);
	if (round != spot.round)
		return;
	if (is_at(rank, spot.node)) {
		const int64_t third = like(rank, spot.node, spot.third);

		switch (damage) {
		case SENDS_ELSEWHERE:
		case SENDS_TOO:
		case OFF_THE_WIRES:
			out->to[0] = third;
			break;
		case NOT_SENT:
			out->to[0] = LS_NO_RANK;
			break;
		case SECOND_PORT:
			out->to[1] = third;
			break;
		case SAME_PEER:
			out->to[1] = out->to[0];
			break;
		case HEARS_TWO:
			out->from[1] = third;
			break;
		default:
			break;
		}
	}
	if (is_at(rank, spot.other) && (damage == NOT_TAKEN || damage == OFF_THE_WIRES))
		out->from[0] = LS_NO_RANK;
}

static int64_t damaged_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	if (round == spot.round && is_at(rank, spot.node))
		return damage == NO_OPERAND ? base->shape(plan, plan->problem.root, round) : NODE_SHAPE;
	if (round == spot.round && is_at(rank, spot.other))
		return OTHER_SHAPE;
	return base->shape(plan, rank, round);
}

static int64_t damaged_edge_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	const bool is_damaged = round == spot.round && rank == spot.node && edge.peer != LS_NO_RANK;

	return lsi_whole_machine_of(base)->tree->shape(
		plan, is_damaged ? plan->problem.root : rank, round, edge);
}

static void swap(struct ls_move *move, int64_t *index)
{
	const struct ls_slice a = move->a;

	if (move->action == LS_COMBINE) {
		move->a = move->b;
		move->b = a;
	} else if (move->action == LS_FOLD) {
		const int64_t n = ls_slice_blocks(&a);

		for (int64_t i = 0; i < n; i++)
			index[i] = ls_slice_at(&a, n - 1 - i);
		move->a = lsi_indexed(a.buffer, index, n);
	}
}

static void damage_step(const struct ls_plan *plan, struct ls_step *step)
{
	switch (damage) {
	case SENDS_TOO:
		lsi_step_send(step,
			lsi_block(lsi_operations[plan->problem.operation].at_root ? LS_INPUT : LS_OUTPUT, 0));
		break;
	case OTHER_COUNT:
		step->arrives[0] = 2;
		break;
	case SECOND_PORT:
	case SAME_PEER:
		lsi_step_send_on(step, 1, step->send[0]);
		break;
	case HEARS_TWO:
		lsi_step_receive_on(step, 1, 1);
		break;
	case OTHER_BLOCK:
		step->send[0] = lsi_block(LS_INPUT, 0);
		break;
	case TWICE:
		lsi_step_combine(
			step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, 0));
		break;
	case SWAPPED:
		for (int i = 0; i < step->n_moves; i++)
			swap(&step->move[i], swapped[i]);
		break;
	case FORGOTTEN:
		step->n_moves = 0;
		break;
	default:
		break;
	}
}

static void damaged_body(
	const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	const bool node = shape == NODE_SHAPE, other = shape == OTHER_SHAPE;

	if (node || other)
		shape = base->shape(plan, node ? spot.node : spot.other, round);
	base->body(plan, round, shape, step);
	if (node)
		damage_step(plan, step);
	if (other && (damage == NOT_TAKEN || damage == OFF_THE_WIRES)) {
		step->n_moves = 0;
		step->arrives[0] = 0;
	}
}

static struct lsi_algorithm damaged(void)
{
	struct lsi_algorithm a = *base;
	static struct lsi_whole_machine whole; /* one damaged plan at a time */
	static struct lsi_single_tree tree;

	whole = *lsi_whole_machine_of(base);
	whole.period = spot.period || claims ? whole.period : NULL;
	whole.exchanges = NULL;
	if (whole.tree && damage == NO_OPERAND) { /* its messages are those of the tree */
		tree = *whole.tree;
		tree.shape = damaged_edge_shape;
		whole.tree = &tree;
	} else {
		whole.tree = NULL;
	}
	a.peers = damaged_peers;
	a.shape = damaged_shape;
	a.body = damaged_body;
	a.whole = &whole;
	return a;
}

/* ---- Spots */

static int64_t sends_to(const ls_plan *plan, int64_t rank, int64_t round)
{
	struct lsi_peers peers;

	lsi_plan_peers(plan, rank, round + plan->frame.has_prologue, &peers);
	return peers.to[0];
}

static int64_t hears(const ls_plan *plan, int64_t rank, int64_t round)
{
	struct lsi_peers peers;

	lsi_plan_peers(plan, rank, round + plan->frame.has_prologue, &peers);
	return peers.from[0];
}

/* A node, with a link to v or none, that hears another in the round. */
static int64_t third_of(const ls_plan *plan, int64_t v, int64_t round, bool linked)
{
	const int64_t nodes = ls_plan_nodes(plan), w = sends_to(plan, v, round);

	for (int64_t i = 1; i < nodes; i++) {
		const int64_t x = (v + i) % nodes, from = hears(plan, x, round);

		if (x != w && x != hears(plan, v, round) && from != LS_NO_RANK && from != v
			&& (ls_link_to(plan->problem.topology, v, x) >= 0) == linked)
			return x;
	}
	return LS_NO_RANK;
}

/* Does the last move of the node in this round make its result, and of what the damage needs? */
static bool finishes(const ls_plan *plan, int64_t v, int64_t round)
{
	struct ls_step step;
	bool combines = false;

	ls_plan_step(plan, v, round + plan->frame.has_prologue, &step);
	for (int i = 0; i < step.n_moves; i++)
		combines |= step.move[i].action != LS_COPY;
	return step.n_moves > 0 && step.n_moves < LS_MOVES
		&& step.move[step.n_moves - 1].dst.buffer == LS_OUTPUT && (combines || damage == FORGOTTEN)
		&& (damage != SWAPPED || base->claim == LS_ORDERED);
}

/* The first round in which the damage is planted. */
static int64_t first_round(int64_t rounds)
{
	return damage < OTHER_BLOCK || damage == NO_OPERAND ? 0 : rounds - 1;
}

static void want(int kind, int64_t node, int64_t peer)
{
	spot.want.kind = kind;
	spot.want.node = node;
	spot.want.peer = peer;
	spot.want.round = kind == LS_ERR_LAW && damage != NO_OPERAND ? -1 : spot.round + 1;
}

/* Can v be the damaged node?  Then the rest of the spot is set. */
static bool fits(const ls_plan *plan, int64_t v)
{
	const int64_t w = sends_to(plan, v, spot.round), from = hears(plan, v, spot.round);
	const bool linked = damage != OFF_THE_WIRES;

	spot.node = v;
	spot.other = w == LS_NO_RANK ? v : w;
	spot.third = damage <= OFF_THE_WIRES || damage == SECOND_PORT || damage == HEARS_TWO
		? third_of(plan, v, spot.round, linked)
		: LS_NO_RANK;
	switch (damage) {
	case SENDS_ELSEWHERE:
		want(LS_ERR_MATCH, w, v);
		break;
	case SENDS_TOO:
		want(LS_ERR_UNTAKEN, v, spot.third);
		return w == LS_NO_RANK && from == LS_NO_RANK && spot.third != LS_NO_RANK;
	case OFF_THE_WIRES:
		want(LS_ERR_LINK, v, spot.third);
		break;
	case NOT_SENT:
		return want(LS_ERR_MATCH, w, v), w != LS_NO_RANK;
	case NOT_TAKEN:
		return want(LS_ERR_UNTAKEN, v, w), w != LS_NO_RANK;
	case OTHER_COUNT:
		return want(LS_ERR_MATCH, v, from), from != LS_NO_RANK;
	case SECOND_PORT:
		want(LS_ERR_PORT, v, spot.third);
		break;
	case SAME_PEER:
		return want(LS_ERR_PORT, v, w), w != LS_NO_RANK;
	case HEARS_TWO:
		want(LS_ERR_PORT, v, spot.third);
		return from != LS_NO_RANK && spot.third != LS_NO_RANK;
	case OTHER_BLOCK:
		want(LS_ERR_LAW, w, LS_NO_RANK);
		return w != LS_NO_RANK && finishes(plan, w, spot.round);
	case NO_OPERAND:
		if (w == LS_NO_RANK || plan->problem.operation != LS_BROADCAST || v == plan->problem.root
			|| sends_to(plan, plan->problem.root, spot.round) == LS_NO_RANK)
			return false;
		return want(LS_ERR_LAW, v, LS_NO_RANK), true;
	default:
		return want(LS_ERR_LAW, v, LS_NO_RANK), finishes(plan, v, spot.round);
	}
	return w != LS_NO_RANK && spot.third != LS_NO_RANK;
}

/* The first such node from the middle on; false: this plan has none in this round. */
static bool find_spot(const ls_plan *plan, int64_t round)
{
	const int64_t nodes = ls_plan_nodes(plan), tries = nodes < 1000 ? nodes : 1000;

	memset(&spot, 0, sizeof spot);
	spot.round = round;
	for (int64_t i = 0; i < tries; i++) {
		if (fits(plan, (nodes / 2 + 1 + i) % nodes))
			return true;
	}
	return false;
}

#endif
