/*
 * Truth without matrices: operands are made, and results compared, a node at a time, so that what
 * is expected of millions of nodes takes next to no memory.
 *
 * It is the computation of truth.h; but what is combined is folded in ranges of nodes, in rank
 * order all the same.
 */
#ifndef LOCKSTEP_DATA_STREAM_H
#define LOCKSTEP_DATA_STREAM_H

#include "data/sums.h"

#include <stdatomic.h>

struct stream {
	struct operands operands;
	struct reference asked;
	bool shared, prefix, combines; /* one row for all; a row made of the one before */
	size_t got;                    /* elements of a result */
	struct sums sums;              /* where it combines */
	unsigned char *row;            /* expected of all; in reduce-scatter block r of node r */
	double *slack;                 /* NULL: none */

	pthread_mutex_t mutex; /* of all below, but that first is only read once it is there */
	atomic_bool seen;
	unsigned char *first; /* the result that came first, where all are the same */
	int64_t wrong_of_first;
	struct comparison found;
	char got_text[120], want_text[120];
};

/* Bytes that stream_make takes; SIZE_MAX: too many to be counted. */
size_t stream_bytes(const struct operands *, const struct ls_request *);

/* Fold what is shared; by so many threads. */
struct stream *stream_make(const struct operands *, const struct ls_request *, int threads);
void stream_destroy(struct stream *);

/* Forget the results that were taken. */
void stream_reset(struct stream *);

/* For struct ls_sweep; the context is the stream. */
void stream_put(void *stream, int64_t rank, size_t first, size_t n, void *into);
int stream_take(void *stream, int64_t rank, const void *result);

/* Name the first wrong element on stderr; node: how its node is called. */
void stream_complain(const struct stream *, const char *node);

#endif
