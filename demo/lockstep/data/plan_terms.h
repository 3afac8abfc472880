/*
 * The terms of a plan: the operands that each block of each result combines, and their order.
 *
 * The computation uses only the steps of the plan.
 */
#ifndef LOCKSTEP_DATA_PLAN_TERMS_H
#define LOCKSTEP_DATA_PLAN_TERMS_H

#include "data/term_replay.h"

struct plan_terms {
	struct term_set set;
	bool scatters; /* the result of node r has block r only, else all blocks */
	int64_t rows;  /* results: of all nodes; 1 if all are the same */
	int32_t *result;
};

/* False if the plan exceeds the limits of a replay, or needs more than `memory` bytes for it. */
bool plan_terms_make(const ls_plan *, size_t memory, struct plan_terms *out);
void plan_terms_destroy(struct plan_terms *);

/* The term of a block of a result. */
int32_t result_term(const struct plan_terms *, int64_t row, int64_t block);

#endif
