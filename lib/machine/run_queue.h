/*
 * Queues of fibers: the fibers of a worker that can continue, and how other threads add to them.
 *
 *   run queue   fibers that can run, first in, first out; only their worker uses it
 *   inbox       fibers that other threads have made runnable, newest first; the worker takes all of
 *               them at once, and adds them to its run queue, oldest first
 *   wait list   fibers that wait at a barrier; only their worker uses it (see barrier.h)
 *
 * A fiber is in at most one of these, and in none while it runs.  Its next pointer links it.
 *
 * A fiber that waits for anything but a barrier sets its parking word to 1 and checks its condition
 * again.  A waker sets the word to 0 by an exchange.  The one that finds 1 may add the fiber to a
 * queue, and must: to the run queue if it runs on the worker of the fiber, else to the inbox.  If
 * the fiber finds its condition true in the second check, and then its word 0, a waker adds it to a
 * queue; so it waits until the worker takes it from there.
 *
 *   waker on another worker                 worker of the fiber
 *
 *   condition := true                       fiber: word := 1
 *   if word == 1:                           fiber: check the condition again
 *       if exchange(word, 0) == 1:          take from the run queue, else from the inbox
 *           inbox := fiber, inbox           if both are empty:
 *           wake the worker if it sleeps        park, as a node that is a thread (park.h)
 *
 * Edges  PARK   of park.h, twice: the word of the fiber against its condition, and the word of the
 *               worker against its inbox
 *        INBOX  the release of `newest` -> the acquire of the worker that takes the fiber
 * Evidence  test/relacy/run_queue.cpp
 */
#ifndef LSI_MACHINE_RUN_QUEUE_H
#define LSI_MACHINE_RUN_QUEUE_H

#include "machine/park.h"

/* What links a fiber; it is part of a struct that has the rest. */
struct lsi_fiber_link {
	LSI_PLAIN(struct lsi_fiber_link *) next; /* INBOX */
};

struct lsi_run_queue {
	struct lsi_fiber_link *first, *last; /* last is undefined if first is NULL */
};

struct lsi_inbox {
	LSI_ATOMIC(struct lsi_fiber_link *) newest;
};

/* ---- The run queue */

static inline void lsi_run_queue_put(struct lsi_run_queue *queue, struct lsi_fiber_link *fiber)
{
	fiber->next = NULL;
	if (queue->first)
		queue->last->next = fiber;
	else
		queue->first = fiber;
	queue->last = fiber;
}

/* The fiber that was put first; NULL: none. */
static inline struct lsi_fiber_link *lsi_run_queue_take(struct lsi_run_queue *queue)
{
	struct lsi_fiber_link *fiber = queue->first;

	if (fiber)
		queue->first = fiber->next;
	return fiber;
}

/* Move all fibers of a queue to the end of another one. */
static inline void lsi_run_queue_append(struct lsi_run_queue *queue, struct lsi_run_queue *more)
{
	if (!more->first)
		return;
	if (queue->first)
		queue->last->next = more->first;
	else
		queue->first = more->first;
	queue->last = more->last;
	more->first = NULL;
}

/* ---- The inbox */

/* Any thread: the caller has set the word of the fiber from 1 to 0. */
static inline void lsi_inbox_put(struct lsi_inbox *inbox, struct lsi_fiber_link *fiber)
{
	struct lsi_fiber_link *newest = lsi_load(&inbox->newest, relaxed); /* a first guess */

	do
		fiber->next = newest;
	while (!lsi_compare_swap(&inbox->newest, &newest, fiber, seq_cst)); /* INBOX, PARK */
}

/* A hint for the worker; if its word was 1 before, exact (PARK). */
static inline bool lsi_inbox_is_empty(struct lsi_inbox *inbox)
{
	return !lsi_load(&inbox->newest, seq_cst); /* PARK */
}

/* The worker: add all fibers to the run queue, oldest first. */
static inline void lsi_inbox_take(struct lsi_inbox *inbox, struct lsi_run_queue *queue)
{
	struct lsi_fiber_link *newest = lsi_exchange(&inbox->newest, NULL, acquire); /* INBOX */
	struct lsi_run_queue taken = { NULL, newest };

	while (newest) {
		struct lsi_fiber_link *older = newest->next;

		newest->next = taken.first;
		taken.first = newest;
		newest = older;
	}
	lsi_run_queue_append(queue, &taken);
}

/* ---- Wake a fiber */

/*
 * A fiber that waits for a message of a fiber of its own worker, or for it to read one, uses a
 * second word.  Only their worker reads and writes it, so there is nothing to order.
 */
static inline void lsi_fiber_announce_local(struct lsi_parking *parking)
{
	lsi_store(&parking->word, 1u, relaxed); /* only this thread uses it */
}

/* True: the caller must add the fiber to the run queue. */
static inline bool lsi_fiber_claim_local(struct lsi_parking *parking)
{
	if (lsi_load(&parking->word, relaxed) == 0) /* only this thread uses it */
		return false;
	lsi_store(&parking->word, 0u, relaxed); /* as above */
	return true;
}

/* The condition of a fiber is true now.  True: the caller must add the fiber to a queue. */
static inline bool lsi_fiber_claim(struct lsi_parking *parking)
{
	if (lsi_load(&parking->word, seq_cst) == 0) /* PARK: the waker's load */
		return false;
	return lsi_exchange(&parking->word, 0u, acq_rel) == 1; /* WAKE: of several wakers, one */
}

#endif
