/*
 * Element types with an operator, operands that can be recomputed from a seed, and their reduction
 * in rank order, computed sequentially without code of the library.
 */
#ifndef LOCKSTEP_TEST_OPERAND_H
#define LOCKSTEP_TEST_OPERAND_H

#include <lockstep/op.h>

struct element {
	const char *name;
	ls_type type;
	ls_op op;
	size_t size;
	bool exact; /* else the result may differ by rounding */
	bool commutative, idempotent;
};

/* The table, made with its user-defined members; ends the test when there is no memory. */
enum { ELEMENTS = 13 };
void elements_make(struct element out[ELEMENTS]);
void elements_destroy(struct element[ELEMENTS]);

/* The operand of a rank: n elements. */
void operand_fill(const struct element *, void *out, size_t n, int64_t rank, uint64_t seed);

/*
 * The reduction of operands 0 .. p-1, each n elements; `slack` n numbers: by how much a right
 * result may differ.
 */
void operand_reduce(
	const struct element *, void *const *operands, int64_t p, size_t n, void *out, double *slack);

/* The same of operands 0 .. r for every r: p rows of n results, and p rows of n numbers. */
void operand_scan(
	const struct element *, void *const *operands, int64_t p, size_t n, void *out, double *slack);

/* The first element that is not right, n when all are. */
size_t operand_wrong(
	const struct element *, const void *got, const void *want, const double *slack, size_t n);

#endif
