/*
 * Slices and moves as text: "OUTPUT[0..3]", "S0[1] := ARRIVAL (+) S0[0]".
 */
#ifndef LOCKSTEP_STEPS_STEP_TEXT_H
#define LOCKSTEP_STEPS_STEP_TEXT_H

#include <lockstep.h>

#include <stdio.h>

/* Block numbers are left out where every buffer has one block.  Long texts end with "..". */
void slice_text(const ls_plan *, const struct ls_slice *, char *text, size_t size);
void move_text(const ls_plan *, const struct ls_move *, char *text, size_t size);

/* A table of all nodes and rounds, if it fits. */
struct job;
void step_table(const struct job *, FILE *);

#endif
