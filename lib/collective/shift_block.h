/*
 * Shifts in which every node holds exactly one block at any time.
 *
 * In each of its K active rounds a node sends the block that it holds and receives another.
 * lsi_shift_block gives the buffer of its k-th block, 0 <= k <= K.  That of k = 0 is INPUT, or
 * scratch 0 for K = 1 in place; that of k = K is OUTPUT.
 */
#ifndef LSI_COLLECTIVE_SHIFT_BLOCK_H
#define LSI_COLLECTIVE_SHIFT_BLOCK_H

#include "collective/algorithm.h"

/* The frame of a plan in which every node has at least `least` active rounds. */
static inline struct lsi_frame lsi_shift_frame(
	const struct lsi_problem *problem, int64_t rounds, int64_t least)
{
	const bool in_place = problem->in_place;

	return (struct lsi_frame){
		.rounds = rounds,
		.blocks = 1,
		.has_prologue = least == 0 || (in_place && least == 1),
		.scratch = { { rounds > !in_place, 1 }, { in_place && rounds > 2, 1 } },
	};
}

static inline struct ls_slice lsi_shift_block(
	const struct lsi_problem *problem, int64_t k, int64_t K)
{
	const bool is_moved = problem->in_place && k == 0 && K == 1;

	return lsi_block(is_moved ? LS_SCRATCH : lsi_alternating_buffer(k, K, problem->in_place), 0);
}

/* The local step before the rounds. */
static inline void lsi_shift_begin(
	const struct lsi_problem *problem, int64_t K, struct ls_step *step)
{
	if (K == 0)
		lsi_step_copy(step, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, 0));
	if (K == 1 && problem->in_place)
		lsi_step_copy(step, lsi_block(LS_SCRATCH, 0), lsi_block(LS_INPUT, 0));
}

static inline void lsi_shift_step(
	const struct lsi_problem *problem, int64_t k, int64_t K, struct ls_step *step)
{
	lsi_step_send(step, lsi_shift_block(problem, k, K));
	lsi_step_receive(step, 1);
	lsi_step_copy(step, lsi_shift_block(problem, k + 1, K), lsi_arrival(step));
}

/* The body of a shift in which every node is active in every round. */
static inline void lsi_shift_body(
	const struct ls_plan *plan, int64_t round, int64_t any, struct ls_step *step)
{
	(void)any;
	if (round < 0)
		lsi_shift_begin(&plan->problem, plan->frame.rounds, step);
	else
		lsi_shift_step(&plan->problem, round, plan->frame.rounds, step);
}

#endif
