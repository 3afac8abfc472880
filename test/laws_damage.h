/*
 * The plan that test/laws.c damages, and the damages.
 *
 * The plan is recursive doubling on a hypercube, for B blocks.  A row says what is damaged at which
 * node and round, and what must be said about it.
 */
#ifndef LOCKSTEP_TEST_LAWS_DAMAGE_H
#define LOCKSTEP_TEST_LAWS_DAMAGE_H

#include <lockstep/check.h>

#include "plan/plan_internal.h"
#include "plan/step.h"

typedef void damage(int64_t rank, int64_t round, struct lsi_peers *, struct ls_step *);

struct row {
	const char *text; /* after "law N (name): "; NULL: the plan is right */
	enum ls_law law;
	int64_t node, round;
	damage *peers, *body;        /* the other of the two arguments is NULL */
	const char *topology;        /* NULL: hypercube:2 */
	int64_t blocks;              /* 0: 1 */
	enum ls_operation operation; /* 0: all-reduce */
	enum ls_claim claim;         /* 0: ordered, unless idempotent */
	int ports;                   /* 0: 1 */
	size_t memory;               /* of sets; 0: enough for all */
	bool routed, strict, in_place, idempotent, nodup, differs, tail, windowed, idle;
	struct ls_counts off; /* added to the formulas */
	int64_t bound;
	ls_wait_steps *waits;
};

/* The row at hand: the functions of an algorithm have no place for it. */
static const struct row *now;

static int64_t blocks(void)
{
	return now->blocks ? now->blocks : 1;
}

static int dimensions(const struct lsi_problem *problem)
{
	int d = 0;

	while ((int64_t)1 << d < problem->nodes)
		d++;
	return d;
}

static struct lsi_frame frame(const struct lsi_problem *problem)
{
	struct lsi_frame f = {
		.rounds = dimensions(problem) + now->idle, .blocks = blocks(), .has_epilogue = now->tail
	};

	f.scratch[0] = (struct lsi_scratch){ blocks(), 1 };
	f.scratch[1] = (struct lsi_scratch){ 4, 1 };
	f.scratch[2] = (struct lsi_scratch){ 1, 1 }; /* one slot, for whatever number of blocks */
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	if (round < dimensions(&plan->problem))
		out->to[0] = out->from[0] = rank ^ (int64_t)1 << round;
	if (now->peers)
		now->peers(rank, round, out, NULL);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t d = dimensions(&plan->problem), B = blocks();

	if (round >= 0 && round < d) {
		const bool in_place = plan->problem.in_place;
		const struct ls_slice mine = lsi_blocks(lsi_alternating_buffer(round, d, in_place), 0, B);
		const struct ls_slice sum =
			lsi_blocks(lsi_alternating_buffer(round + 1, d, in_place), 0, B);

		lsi_step_send(step, mine);
		lsi_step_receive(step, B);
		if (rank & (int64_t)1 << round)
			lsi_step_combine(step, sum, lsi_arrival(step), mine);
		else
			lsi_step_combine(step, sum, mine, lsi_arrival(step));
	}
	if (now->body)
		now->body(rank, round, NULL, step);
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t d = dimensions(problem), p = problem->nodes, m = (int64_t)n;

	return (struct ls_counts){ d + now->off.rounds, d * p + now->off.messages,
		d * p * m + now->off.words, d * m + now->off.volume };
}

static int64_t lower_bound(const struct lsi_problem *problem)
{
	(void)problem;
	return now->bound;
}

static struct lsi_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	return (struct lsi_window){ 0,
		now->windowed && k == 1 && rank == 3 ? 0 : plan->frame.scratch[k].slots };
}

/* No damage: the sum of the last round by a FOLD of parts of B blocks, a COPY that does nothing. */
static void folds(int64_t rank, int64_t round, struct lsi_peers *unused, struct ls_step *step)
{
	const int64_t B = blocks();
	const struct ls_move sum = step->move[0];

	(void)rank, (void)unused;
	if (round != 1)
		return;
	step->n_moves = 0;
	lsi_step_copy(step, lsi_blocks(LS_SCRATCH + 1, 0, B), sum.a);
	lsi_step_copy(step, lsi_blocks(LS_SCRATCH + 1, B, B), sum.b);
	lsi_step_fold(step, sum.dst, lsi_blocks(LS_SCRATCH + 1, 0, 2 * B));
}

static void copies_onto_itself(
	int64_t rank, int64_t round, struct lsi_peers *unused, struct ls_step *step)
{
	const int64_t B = blocks();

	(void)rank, (void)unused;
	if (round == 0)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, B), lsi_blocks(LS_INPUT, 0, B));
}

/* No damage on hypercube:3: sums are not of consecutive nodes, so they are sets. */
static void highest_first(
	int64_t rank, int64_t round, struct lsi_peers *out, struct ls_step *unused)
{
	(void)unused;
	out->to[0] = out->from[0] = rank ^ (int64_t)4 >> round;
}

/* ---- The damages: a row gives the node and the round, counted from 0 */

#define DAMAGE(name, at_rank, at_round, ...) \
	static void name(int64_t rank, int64_t round, struct lsi_peers *peers, struct ls_step *step) \
	{ \
		(void)peers, (void)step; \
		if (rank == (at_rank) && round == (at_round)) { \
			__VA_ARGS__; \
		} \
	}

static struct ls_slice output(int64_t block)
{
	return lsi_block(LS_OUTPUT, block);
}
static struct ls_slice scratch(int k, int64_t block)
{
	return lsi_block(LS_SCRATCH + k, block);
}
static const int64_t zero_zero[] = { 0, 0 }, zero_seven[] = { 0, 7 }, one_zero[] = { 1, 0 },
					 zero_one_zero[] = { 0, 1, 0 }, negative[] = { -1 };

/* law 0 */
DAMAGE(reads_past_end, 1, 0, step->move[0].a = lsi_block(LS_INPUT, 1))
DAMAGE(sends_past_end, 1, 0, step->send[0] = lsi_block(LS_INPUT, 1))
DAMAGE(reads_negative, 1, 0, step->move[0].b = lsi_indexed(LS_INPUT, negative, 1))
DAMAGE(reads_idle_port, 2, 1, step->move[0].a = lsi_block(LS_ARRIVAL + 1, 0))
DAMAGE(reads_past_arrival, 2, 1, step->move[0].b = lsi_block(LS_ARRIVAL, 1))
DAMAGE(writes_input, 3, 0, step->move[0].dst = lsi_block(LS_INPUT, 0))
DAMAGE(writes_arrival, 3, 0, step->move[0].dst = lsi_arrival(step))
DAMAGE(sends_arrival, 3, 0, step->send[0] = lsi_arrival(step))
DAMAGE(sends_nothing, 3, 0, step->send[0] = lsi_blocks(LS_INPUT, 0, 0))
DAMAGE(no_buffer, 3, 0, step->move[0].dst = lsi_block(LS_BUFFERS, 0))
DAMAGE(no_scratch, 3, 0, step->move[0].dst = scratch(3, 0))
DAMAGE(outside_window, 3, 0, lsi_step_copy(step, scratch(1, 0), lsi_block(LS_INPUT, 0)))
DAMAGE(writes_twice, 0, 0, step->move[0].dst = lsi_indexed(LS_SCRATCH, zero_zero, 2))
DAMAGE(too_short, 0, 0, step->move[0].dst = scratch(0, 0))
DAMAGE(mixes_blocks, 0, 1, lsi_step_copy(step, output(1), lsi_block(LS_INPUT, 0)))
DAMAGE(overlaps, 0, 1,
	lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, 2), lsi_indexed(LS_OUTPUT, one_zero, 2)))
DAMAGE(overlaps_in_part, 0, 1,
	lsi_step_copy(
		step, lsi_blocks(LS_SCRATCH + 1, 0, 2), lsi_indexed(LS_SCRATCH + 1, zero_seven, 2)))
DAMAGE(runs_past_cycle, 0, 1,
	lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, 3), lsi_cyclic(LS_INPUT, 0, 3, 2)))
DAMAGE(runs_past_one, 0, 1,
	lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, 2), lsi_cyclic(LS_INPUT, 0, 2, 1)))
DAMAGE(past_measure, 0, 1, lsi_step_copy(step, scratch(0, 2), lsi_block(LS_INPUT, 0)))
DAMAGE(folds_unevenly, 0, 1,
	lsi_step_fold(step, lsi_blocks(LS_OUTPUT, 0, 2), lsi_blocks(LS_INPUT, 0, 3)))
DAMAGE(folds_itself, 0, 1, lsi_step_fold(step, output(0), output(0)))
DAMAGE(folds_out_of_order, 2, 1, step->arrives[0] = 2;
	   lsi_step_fold(step, output(0), lsi_indexed(LS_ARRIVAL, one_zero, 2)))
DAMAGE(folds_back, 2, 1, step->arrives[0] = 2;
	   lsi_step_fold(step, output(0), lsi_indexed(LS_ARRIVAL, zero_one_zero, 3)))
DAMAGE(does_no_action, 1, 1, step->move[0].action = (enum ls_action)(LS_FOLD + 1))
DAMAGE(peer_is_no_node, 2, 0, peers->to[0] = 4)

static void mistakes_slot(
	int64_t rank, int64_t round, struct lsi_peers *unused, struct ls_step *step)
{
	(void)unused;
	if (rank == 2 && round == 0)
		lsi_step_copy(step, scratch(2, 4), lsi_block(LS_INPUT, 0)); /* block 4 is 0 once more */
	if (rank == 2 && round == 1)
		lsi_step_copy(step, output(1), scratch(2, 1));
}

/* law 1 */
DAMAGE(second_port, 3, 1, peers->to[1] = 2)
DAMAGE(receives_on_second_port, 3, 1, peers->from[1] = 2)
DAMAGE(skips_port, 3, 1, peers->to[1] = peers->to[0]; peers->to[0] = LS_NO_RANK)
DAMAGE(sends_to_one_twice, 3, 1, peers->to[1] = peers->to[0])
DAMAGE(receives_of_one_twice, 1, 0, peers->from[1] = peers->from[0])

/* law 2 */
DAMAGE(does_not_send, 3, 0, peers->to[0] = LS_NO_RANK)
DAMAGE(expects_two, 1, 1, lsi_step_receive(step, 2))
DAMAGE(sends_other_block, 1, 0, step->send[0] = lsi_indexed(LS_INPUT, one_zero, 2))

static void does_not_receive(
	int64_t rank, int64_t round, struct lsi_peers *out, struct ls_step *step)
{
	if (rank == 2 && round == 1 && out)
		out->from[0] = LS_NO_RANK;
	if (rank == 2 && round == 1 && step)
		step->n_moves = 0;
}

/* law 3 */
DAMAGE(sends_across, 0, 1, peers->to[0] = 3)
DAMAGE(sends_to_itself, 1, 0, peers->to[0] = 1)

/* law 4 */
DAMAGE(writes_sent, 2, 1, step->move[0].dst = scratch(0, 0))
DAMAGE(writes_sent_alias, 2, 0, lsi_step_copy(step, output(0), lsi_arrival(step)))
DAMAGE(writes_sent_slot, 1, 1, step->send[0] = scratch(2, 0);
	   lsi_step_copy(step, scratch(2, 2), lsi_block(LS_ARRIVAL, 0)))
DAMAGE(writes_sent_run, 3, 1, lsi_step_copy(step, scratch(0, 1), lsi_block(LS_ARRIVAL, 1)))

/* law 5 */
DAMAGE(forgets_to_add, 3, 1,
	step->move[0] = (struct ls_move){ LS_COPY, output(0), lsi_arrival(step), { 0 } })
DAMAGE(forgets_in_last_round, 3, 2,
	step->move[0] = (struct ls_move){ LS_COPY, output(0), lsi_arrival(step), { 0 } })
DAMAGE(adds_twice, 1, 1, lsi_step_combine(step, output(0), output(0), lsi_block(LS_INPUT, 0)))
DAMAGE(swaps_operands, 2, 1, step->move[0].a = lsi_block(LS_SCRATCH, 0);
	   step->move[0].b = lsi_arrival(step))
DAMAGE(reads_unwritten, 2, 0, step->move[0].a = lsi_block(LS_OUTPUT, 0))
DAMAGE(sends_unwritten, 1, 1, step->send[0] = scratch(1, 0))
DAMAGE(does_not_write, 1, 1, step->n_moves = 0)
DAMAGE(tail_writes, 2, 2, lsi_step_copy(step, output(0), lsi_block(LS_INPUT, 0)))

/* law 7 */
static void meet_again(int64_t rank, int64_t round, struct lsi_peers *out, struct ls_step *unused)
{
	(void)unused;
	if (round == 1)
		out->to[0] = out->from[0] = rank ^ 1;
}

static void two_meet_again(
	int64_t rank, int64_t round, struct lsi_peers *out, struct ls_step *unused)
{
	(void)unused;
	if (round == 1)
		out->to[0] = out->from[0] = rank < 2 ? LS_NO_RANK : rank ^ 1;
}

static void one_receives_again(
	int64_t rank, int64_t round, struct lsi_peers *out, struct ls_step *unused)
{
	(void)unused;
	if (round == 1) {
		out->to[0] = rank == 0 ? 1 : LS_NO_RANK;
		out->from[0] = rank == 1 ? 0 : LS_NO_RANK;
	}
}

/* Idempotent: node 3 adds its sum to itself, and sends the result in the next round. */
DAMAGE(doubles_sent, 3, 0, lsi_step_combine(step, scratch(0, 0), scratch(0, 0), scratch(0, 0)))

static void second_block_again(
	int64_t rank, int64_t round, struct lsi_peers *unused, struct ls_step *step)
{
	(void)rank, (void)unused;
	if (round == 1) {
		step->send[0] = lsi_block(LS_SCRATCH, 1);
		step->arrives[0] = 1;
		step->n_moves = 0;
	}
}

/* law 8 */
static int no_waits(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	(void)rank;
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = -1;
	return LS_OK;
}

static int one_too_few(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = rank == 5 && t > 0 ? t - 2 : t - 1;
	return LS_OK;
}

static int for_itself(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = rank == 2 ? t : t - 1;
	return LS_OK;
}

static int simplest(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	(void)rank;
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = t - 1;
	return LS_OK;
}

#endif
