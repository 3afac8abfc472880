/*
 * Operands and expected results without matrices: node by node, so that millions of nodes take
 * little memory.
 *
 * The computation is that of reference_result.h, but ranges of nodes are folded by several threads,
 * each in rank order.
 */
#ifndef LOCKSTEP_DATA_STREAM_H
#define LOCKSTEP_DATA_STREAM_H

#include "data/compared.h"
#include "data/sums.h"

#include <stdatomic.h>

struct stream {
	struct operands operands;
	struct reference request;
	const struct matrix *replayed; /* results in the order of the plan, or without memory */
	bool shared, prefix, combines; /* one result for all; scan and exscan */
	bool is_exact;                 /* results do not depend on the order of operands */
	size_t got;                    /* elements of a result */
	struct sums sums;              /* of operations that combine */
	unsigned char *row; /* the shared result; of a reduce-scatter the blocks of all nodes */
	double *slack;      /* NULL: none */

	pthread_mutex_t mutex; /* of all below; first is read without it once seen is set */
	atomic_bool seen;
	unsigned char *first; /* the first result, if all must be the same */
	int64_t wrong_of_first;
	struct comparison found;
};

/* Bytes that stream_make allocates; SIZE_MAX: the size overflows. */
size_t stream_bytes(const struct operands *, const struct ls_request *);

/* Computes the shared result with `threads` threads; `replayed` must outlive the stream. */
struct stream *stream_make(
	const struct operands *, const struct ls_request *, const struct matrix *replayed, int threads);
void stream_destroy(struct stream *);

/* Forgets the results that were compared. */
void stream_reset(struct stream *);

/* What was compared in this part of a run. */
struct compared stream_compared(const struct stream *);

/* For struct ls_sweep; the context is the stream. */
void stream_operands(void *stream, int64_t rank, size_t first, size_t n, void *into);
int stream_compare(void *stream, int64_t rank, const void *result);

#endif
