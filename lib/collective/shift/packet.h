/*
 * Shifts in which a node holds one block at all times.
 *
 * In each of the rounds that it takes part in a node sends the block that it holds and takes
 * another; its k-th block, 0 <= k <= K, lies in place k of K.
 */
#ifndef LS_COLLECTIVE_SHIFT_PACKET_H
#define LS_COLLECTIVE_SHIFT_PACKET_H

#include "collective/algorithm.h"

/* Of a plan whose nodes take part in `least` rounds or more. */
static inline struct ls_frame ls_packet_frame(const struct ls_problem *problem, int64_t rounds,
	int64_t least)
{
	const bool in_place = problem->in_place;

	return (struct ls_frame){
		.rounds = rounds, .blocks = 1, .lead = least == 0 || (in_place && least == 1),
		.scratch = { { rounds > !in_place, 1 }, { in_place && rounds > 2, 1 } },
	};
}

static inline struct ls_slice ls_packet(const struct ls_problem *problem, int64_t k, int64_t K)
{
	const bool is_moved = problem->in_place && k == 0 && K == 1;

	return ls_one(is_moved ? LS_SCRATCH : ls_place(k, K, problem->in_place), 0);
}

/* The local step before the rounds. */
static inline void ls_packet_begin(const struct ls_problem *problem, int64_t K,
	struct ls_step *step)
{
	if (K == 0)
		ls_step_copy(step, ls_one(LS_OUTPUT, 0), ls_one(LS_INPUT, 0));
	if (K == 1 && problem->in_place)
		ls_step_copy(step, ls_one(LS_SCRATCH, 0), ls_one(LS_INPUT, 0));
}

static inline void ls_packet_step(const struct ls_problem *problem, int64_t k, int64_t K,
	struct ls_step *step)
{
	ls_step_send(step, ls_packet(problem, k, K));
	ls_step_receive(step, 1);
	ls_step_copy(step, ls_packet(problem, k + 1, K), ls_arrival(step));
}

/* Counts of a plan in which `messages` messages of one block are sent. */
static inline struct ls_counts ls_packet_counts(int64_t rounds, int64_t messages, size_t n)
{
	return (struct ls_counts){ rounds, messages, ls_mul(messages, (int64_t)n),
		ls_mul(rounds, (int64_t)n) };
}

#endif
