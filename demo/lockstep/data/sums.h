/*
 * Sums (by any operator) of the operands of nodes 0 .. r, of many nodes, in little memory.
 *
 * Nodes are cut into ranges, which several threads fold; then what is before each range is known.
 * From there a cursor of the range goes on, rank by rank.
 */
#ifndef LOCKSTEP_DATA_SUMS_H
#define LOCKSTEP_DATA_SUMS_H

#include "data/operands.h"
#include "data/reference_result.h"

#include <pthread.h>

/* Rows of partial results; of how many operands follows from the place.  size: struct partial. */
struct partials {
	unsigned char *value;
	double *size;
};

/* Of the ranks before `next`, in row i of `here`. */
struct cursor {
	pthread_mutex_t mutex;
	int64_t next;
};

struct sums {
	const struct operands *operands;
	ls_op op;
	int64_t spacing, ranges;      /* ranks of a range */
	struct partials before, here; /* row i: what is before range i, and its cursor's */
	struct cursor *cursor;        /* NULL: only the sum of all, row `ranges`, is asked for */
};

/* What does not depend on the operands; each: cursors are asked for. */
struct sums sums_shape(const struct operands *, ls_op, bool each);
/* Bytes that sums_make takes; SIZE_MAX: too many to be counted. */
size_t sums_bytes(const struct sums *, bool each);

void sums_make(struct sums *, bool each, int threads);
void sums_destroy(struct sums *);

/* Of all operands: elements, and what each may differ by. */
const unsigned char *sums_total(const struct sums *);
double sums_total_slack(const struct sums *, size_t column);

/*
 * Of the ranks before `next`, as said for rank `rank`, next - 1 or next; no other may ask for its
 * range until sums_leave.
 */
const unsigned char *sums_enter(struct sums *, int64_t rank, int64_t next);
double sums_slack(const struct sums *, int64_t rank, size_t column);
void sums_leave(struct sums *, int64_t rank);

#endif
