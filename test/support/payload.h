/*
 * Operands of the nodes of a job, the memory that their calls get, and the expected results,
 * computed sequentially without code of the library.
 */
#ifndef LOCKSTEP_TEST_PAYLOAD_H
#define LOCKSTEP_TEST_PAYLOAD_H

#include "support/collective_job.h"

/*
 * The memory of a node: operand and result, or both in one, and guard bytes around them.  A node
 * without an operand or a result passes NULL.
 */
struct memory {
	char *start, *before; /* `before`: how it was when the call began */
	size_t bytes;
	char *input, *output;
	size_t result; /* bytes of output that are written */
};

struct payload {
	const struct job *job;
	int64_t p;
	void **given; /* operand of each rank */
	struct memory *memory;
	size_t row; /* words between the results of two ranks; 0: all are equal */
	char *want;
	double *slack;
};

struct payload payload_make(const struct job *);
void payload_destroy(struct payload *);

/* As it is to be when a call begins. */
void payload_prepare(struct payload *);
/* Every result is right, and nothing else was written; identical: results have the same bits. */
void payload_check(const struct payload *, bool identical);

/* Most bytes that all results are; copies what the nodes ended with, and returns how much it is. */
size_t payload_room(const struct payload *);
size_t payload_copy(const struct payload *, char *to);

/* Whether an operator combines the operands. */
bool job_combines(const struct job *);

#endif
