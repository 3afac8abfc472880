/*
 * The messages of transport_memory.c: sends and receives that wait for each other, in lanes.
 */
#ifndef LOCKSTEP_TEST_MESSAGE_LANES_H
#define LOCKSTEP_TEST_MESSAGE_LANES_H

#include <stdbool.h>
#include <stddef.h>

/* Memory that is freed at once. */
struct chunk {
	struct chunk *earlier;
	size_t used, room;
	_Alignas(16) char at[];
};
void *chunk_take(struct chunk **, size_t bytes); /* zeroed */
void chunks_free(struct chunk *);

/* A send or a receive. */
struct operation {
	struct operation *next; /* of the same lane and direction */
	struct operation *sent; /* that a receive of `take` completes */
	char *at, *copy;        /* copy: of a send whose sender need not wait */
	size_t bytes;
	int ticks;
	bool done;        /* the transport no longer needs the caller's buffer */
	const bool *dead; /* whether the caller's process is */
};
struct operation *operation_make(
	struct chunk **, const void *at, size_t bytes, int ticks, const bool *dead);
/* What the caller's buffer holds is gone with its process. */
bool operation_is_lost(const struct operation *);

/* Operations by the order in which they began. */
struct queue {
	struct operation *first, **last;
};
void queue_add(struct queue *, struct operation *);
struct operation *queue_take(struct queue *);

/* One direction of a pair with one tag.  A pair has LANES tags in use at the same time. */
struct lane {
	int tag;
	struct queue sent, received;
};
enum { LANES = 4 };
bool lane_is_empty(const struct lane *);
/* The lane of a pair for a tag. */
struct lane *lane_for(struct lane *lanes, int tag);

/* The first message of a lane without receives, once it has been under way long enough, or NULL. */
struct operation *lane_take(struct lane *);
/* Deliver the first message to the first receive, once both have been under way long enough. */
void lane_advance(struct lane *);
void deliver_message(struct operation *send, struct operation *receive);

#endif
