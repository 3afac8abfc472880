/*
 * Operands of all nodes: from a file, r + 1 + e, or random numbers.
 */
#ifndef LOCKSTEP_DATA_OPERANDS_H
#define LOCKSTEP_DATA_OPERANDS_H

#include "base/query.h"
#include "data/matrix.h"

/* Reads query->input; sets the type and count of the query to those of the file. */
int operands_read(struct query *, enum ls_operation, int64_t nodes, struct matrix *out);

/* The operands of a request: the rows of a matrix, or elements computed on demand. */
struct operands {
	struct element element;
	int64_t nodes;
	size_t count, columns; /* m; elements per row */
	bool by_destination, random;
	uint64_t seed;
	const struct matrix *rows; /* NULL: computed */
};
struct operands operands_of(
	const struct query *, const struct ls_request *, const struct matrix *rows);
/* An element of a node's row; elements first .. first + n - 1. */
struct value operand_at(const struct operands *, int64_t rank, size_t column);
void operands_put(const struct operands *, int64_t rank, size_t first, size_t n, void *into);

/*
 * Whether op is a sum of small integers in a floating type, so that no order of it rounds.  The
 * operands are not those of a file.
 */
bool sums_are_exact(const struct operands *, ls_op);

void operands_make(const struct query *, const struct ls_request *, struct matrix *out);

/*
 * Bytes per node: operand, buffer of the result, expected result, and the longer of operand and
 * result again for scratch buffers.  SIZE_MAX: too many to be counted.
 */
size_t operands_bytes(const struct ls_request *);

#endif
