/*
 * The core of a refutation: the clauses of the proof that its contradiction rests on.
 *
 * The check notes for each clause which clauses of the proof gave the contradiction that it follows
 * by.  From the last one backwards this marks what is needed; the other clauses and all deletions
 * are left out.
 *
 *   step of the proof    1    2    3    4    contradiction
 *   rests on             -    1    -    1    2, 4
 *   needed               yes  yes  no   yes
 */
#ifndef LSI_FIND_CORE_H
#define LSI_FIND_CORE_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: empty.  lsi_core_fini releases it. */
struct lsi_core {
	size_t *end, steps, step_room; /* of the uses of each step */
	size_t *use, uses, use_room;   /* numbers of steps, from 1 */
	bool *needed;                  /* by step, from 1; after lsi_core_mark */
	bool no_memory;
};

/* The step in hand rests on an earlier one; 0: on the formula. */
void lsi_core_use(struct lsi_core *, size_t step);
void lsi_core_end_step(struct lsi_core *);
/* Mark what the last step rests on; false: no memory, now or before. */
bool lsi_core_mark(struct lsi_core *);
void lsi_core_fini(struct lsi_core *);

#endif
