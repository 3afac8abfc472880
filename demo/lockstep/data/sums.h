/*
 * Prefix sums (by any operator) of the operands of many nodes, in little memory.
 *
 * Several threads fold ranges of nodes; this gives the sum before each range.  From there a cursor
 * of the range advances rank by rank.
 */
#ifndef LOCKSTEP_DATA_SUMS_H
#define LOCKSTEP_DATA_SUMS_H

#include "data/operands.h"
#include "data/reference_result.h"

#include <pthread.h>

/* Rows of values and sizes of struct partial; the number of their operands follows from the row. */
struct partials {
	unsigned char *value;
	struct magnitude *size; /* NULL: the order of operands does not matter */
};

/* With cursor i, row i of `here` is the sum of all ranks before `next`. */
struct cursor {
	pthread_mutex_t mutex;
	int64_t next;
};

struct sums {
	const struct operands *operands;
	ls_op op;
	int64_t spacing, ranges;      /* ranks per range */
	struct partials before, here; /* row i: the sum before range i, and at its cursor */
	struct cursor *cursor;        /* NULL: only the sum of all, row `ranges`, is needed */
};

/* Computes spacing and ranges only.  each: for sums of every rank, with cursors. */
struct sums sums_shape(const struct operands *, ls_op, bool each);
/* Bytes that sums_make allocates; SIZE_MAX: the size overflows. */
size_t sums_bytes(const struct sums *, bool each);

void sums_make(struct sums *, bool each, int threads);
void sums_destroy(struct sums *);

/* Of all operands: elements, and the error bound of each. */
const unsigned char *sums_total(const struct sums *);
double sums_total_slack(const struct sums *, size_t column);

/*
 * The sum of the ranks before `next`, which is rank or rank + 1.  The range of the rank is locked
 * until sums_leave.
 */
const unsigned char *sums_enter(struct sums *, int64_t rank, int64_t next);
double sums_slack(const struct sums *, int64_t rank, size_t column);
void sums_leave(struct sums *, int64_t rank);

#endif
