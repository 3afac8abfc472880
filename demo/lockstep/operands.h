/*
 * Operands: a file, r + 1 + e, or random numbers.
 */
#ifndef LOCKSTEP_OPERANDS_H
#define LOCKSTEP_OPERANDS_H

#include "job.h"
#include "matrix.h"

/* Read options->input; sets options->type and options->count to what the file holds. */
int operands_read(struct options *, enum ls_operation, int64_t nodes, struct matrix *out);

void operands_make(const struct options *, const struct job *, struct matrix *out);

/*
 * Bytes that a node needs: operand, result, what it must be, and as much as the longest for what is
 * kept between rounds.  SIZE_MAX: too many to be counted.
 */
size_t operands_bytes(const struct job *);

#endif
