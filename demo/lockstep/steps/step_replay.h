/*
 * The steps of a plan with what nodes hold after each: the checker's replay, in ranks of the host.
 */
#ifndef LOCKSTEP_STEPS_STEP_REPLAY_H
#define LOCKSTEP_STEPS_STEP_REPLAY_H

#include "data/operands.h"
#include "job/job.h"

/*
 * Calls visit for each step; returns its first value that is not 0.
 *
 * replay is NULL where contents are unknown: from a step that breaks a law on, or for lack of
 * memory.
 * Its values are struct value: the first element of each block of these operands.
 */
int replay_steps(const struct job *, const struct operands *,
	int (*visit)(void *context, int64_t step, const ls_replay *replay), void *context);

/* A text that grows. */
struct held_text {
	char *text;
	size_t size;
};

/*
 * What blocks of a node hold, as ls_replay_text writes it; NULL: unknown, or nothing.  The caller
 * frees out->text at the end.
 */
const char *held_by_slice(const struct job *, const ls_replay *, int64_t host_rank,
	const struct ls_slice *, struct held_text *out);

/* The buffers that the moves of a step write, in ascending order; their number. */
int written_buffers(const struct ls_step *, int out[LS_BUFFERS]);
/* The buffer of the result so far: OUTPUT if a move writes it, else that of the last move. */
int result_buffer(const struct ls_step *);
/*
 * What a node has in a buffer, cut to `size` bytes; ".." ends a text that is cut.  NULL: unknown,
 * or nothing.
 */
const char *held_in_buffer(
	const struct job *, const ls_replay *, int64_t host_rank, int buffer, char *text, size_t size);

/* The first element of a block; false: unknown, or the block is empty. */
bool value_of_block(const struct job *, const ls_replay *, int64_t host_rank, int buffer,
	int64_t block, struct value *out);

#endif
