/*
 * Slices, moves and parts of a plan as text: "OUTPUT[0..3]", "S[1] := ARRIVAL (+) S[0]".
 */
#ifndef LOCKSTEP_STEPS_STEP_TEXT_H
#define LOCKSTEP_STEPS_STEP_TEXT_H

#include <lockstep.h>

#include <stdio.h>

struct job;

/* "INPUT", "OUTPUT", "ARRIVAL", "S" */
void buffer_text(int buffer, char *text, size_t size);

/*
 * A buffer of one block, except scratch, has no block number; nor has the first block of ARRIVAL.
 * ".." ends a text that is cut.
 */
void slice_text(const ls_plan *, const struct ls_slice *, char *text, size_t size);
/* Each slice takes at most `most` - 1 characters. */
void move_text(const ls_plan *, const struct ls_move *, size_t most, char *text, size_t size);

/* "allreduce by substar on star:3, 4 times at once": the part of a step; its number, 0: none. */
size_t part_text(const struct job *, int64_t step, char *text, size_t size);

/* A table of all nodes and rounds, if it fits. */
void step_table(const struct job *, FILE *);

#endif
