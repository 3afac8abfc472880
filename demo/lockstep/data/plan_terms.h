/*
 * The terms of a plan: the operands that each block of each result combines, and their order.
 *
 * The computation uses only the steps of the plan.
 */
#ifndef LOCKSTEP_DATA_PLAN_TERMS_H
#define LOCKSTEP_DATA_PLAN_TERMS_H

#include <lockstep.h>

enum { NO_TERM = -1 };

/* left (+) right, of elements of one block of the operands */
struct combination {
	int32_t left, right, block;
};

/*
 * Term r * blocks + b is block b of the operand of node r.  Later ones are combinations of terms
 * with lower numbers.
 */
struct plan_terms {
	int64_t blocks, operands; /* blocks of an operand; of all operands */
	struct combination *combination;
	int32_t combinations;
	bool scatters; /* the result of node r has block r only, else all blocks */
	int64_t rows;  /* results: of all nodes; 1 if all are the same */
	int32_t *result;
};

/* False if the plan exceeds the limits of a replay; they depend on nothing else. */
bool plan_terms_make(const ls_plan *, struct plan_terms *out);
void plan_terms_destroy(struct plan_terms *);

/* The combination of a term; NULL: it is an operand. */
const struct combination *combination_of(const struct plan_terms *, int32_t term);

/* The term of a block of a result. */
int32_t result_term(const struct plan_terms *, int64_t row, int64_t block);

#endif
