/*
 * Parking: how a node sleeps until another node makes its condition true, and how sleeping nodes
 * are counted.
 *
 *   word           1 while its owner is asleep or about to sleep, else 0.  The owner sets it; the
 *                  owner or a waker clears it
 *   park counter   parked << 32 | live.  parked: nodes whose condition was false after their word
 *                  was 1.  live: nodes that have not left.  One addition sees both numbers at once
 *   elsewhere      live nodes whose threads are parked in another machine; see shared_threads.h
 *   wakes          counts the subtractions from parked
 *
 *   Sleeper                               Waker
 *   word := 1                             make the condition true
 *   check the condition again             if word == 1:
 *   if false:                                 parked -= 1
 *       parked += 1                           word := 0
 *       sleep while word == 1                 wake the owner
 *
 * A waker subtracts the owner from parked before it clears the word.  If the word is 0 by then, it
 * adds 1 again.  An owner that does not sleep clears its word itself.  If the word is 0 by then, a
 * waker has subtracted the owner, so the owner adds 1.  So parked never exceeds the number of
 * parked nodes, even when a woken node parks again before its waker continues.  While a waker
 * works, parked may be too low, even below 0; the addition does not carry into live.
 *
 * A waker is a live node that is not parked, or a thread that has stopped the machine.  So in a
 * machine that has not stopped, parked == live only if every live node has found its condition
 * false after it had set its word, and no wake is in progress.  A stopped machine reports no
 * deadlock.  Therefore a reported deadlock is always real.
 *
 * Edges  PARK    word := 1 and the second check, against the condition and the waker's load of
 *                word, are a store and a load on each side: all four sequentially consistent, or
 *                ordered by the asymmetric barrier (lsi_membarrier of the sleeper pairs with
 *                lsi_compiler_barrier of the waker)
 *        WAKE    a waker's exchange of word -> the owner's: the waker has subtracted
 *        COUNT   every addition to the park counter -> the one that makes parked == live: the wait
 *                state of each node
 * Evidence       test/relacy/park.cpp
 */
#ifndef LSI_MACHINE_PARK_H
#define LSI_MACHINE_PARK_H

#include "base/atomic.h"

struct lsi_parking {
	LSI_ATOMIC(uint32_t) word;
};

/* One per machine. */
struct lsi_park_counter {
	LSI_ATOMIC(uint64_t) count;
	LSI_ATOMIC(uint32_t) elsewhere, wakes;
};

static inline void lsi_park_counter_reset(struct lsi_park_counter *counter, uint32_t live)
{
	lsi_store(&counter->count, (uint64_t)live, relaxed); /* no node has it yet */
	lsi_store(&counter->elsewhere, 0u, relaxed);         /* as above */
	lsi_store(&counter->wakes, 0u, relaxed);             /* as above */
}

static inline uint32_t lsi_park_counter_live(struct lsi_park_counter *counter)
{
	return (uint32_t)lsi_load(&counter->count, acquire); /* COUNT */
}

/* Add to both numbers.  True: every live node is parked. */
static inline bool lsi_park_counter_add(struct lsi_park_counter *counter, int parked, int live)
{
	const uint64_t more = ((uint64_t)parked << 32) + (uint64_t)live;
	const uint64_t count = lsi_fetch_add(&counter->count, more, seq_cst) + more; /* COUNT, LINK */

	return (uint32_t)count != 0 && (uint32_t)count == (uint32_t)(count >> 32);
}

static inline void lsi_park_announce(struct lsi_parking *parking)
{
	lsi_exchange(&parking->word, 1u, seq_cst); /* PARK: before the second check */
}

/* The second check found the condition true: do not sleep. */
static inline void lsi_park_retract(struct lsi_parking *parking, struct lsi_park_counter *counter)
{
	if (lsi_exchange(&parking->word, 0u, acq_rel) == 0) /* WAKE: a waker has subtracted for it */
		lsi_park_counter_add(counter, 1, 0);
}

/* The second check found the condition false.  True: every live node is parked. */
static inline bool lsi_park_commit(struct lsi_park_counter *counter)
{
	return lsi_park_counter_add(counter, 1, 0);
}

static inline bool lsi_park_asleep(struct lsi_parking *parking)
{
	return lsi_load(&parking->word, acquire) == 1; /* WAKE */
}

/*
 * Waker: the condition is true now.  True: the owner was parked, and the caller must wake it.  The
 * owner itself calls it when its time limit is over.
 */
static inline bool lsi_park_wake(struct lsi_parking *parking, struct lsi_park_counter *counter)
{
	if (lsi_load(&parking->word, seq_cst) == 0) /* PARK: the waker's load */
		return false;
	lsi_park_counter_add(counter, -1, 0);
	lsi_fetch_add(&counter->wakes, 1u, release);        /* LINK */
	if (lsi_exchange(&parking->word, 0u, acq_rel) == 1) /* WAKE */
		return true;
	lsi_park_counter_add(counter, 1, 0);
	return false;
}

/* A node leaves.  True: every node that stays is parked. */
static inline bool lsi_park_leave(struct lsi_park_counter *counter)
{
	return lsi_park_counter_add(counter, 0, -1);
}

/*
 * Publish a 32-bit flag, ordered before the caller's next load of a parking word (edge PARK).  With
 * the asymmetric barrier, a release store and a compiler barrier suffice; without it, this takes an
 * exchange.
 */
static inline void lsi_publish(LSI_ATOMIC(uint32_t) * flag, uint32_t value, bool asymmetric)
{
	if (!asymmetric) {
		lsi_exchange(flag, value, seq_cst); /* FULL, ROUND; PARK */
		return;
	}
	lsi_store(flag, value, release); /* FULL, ROUND */
	lsi_compiler_barrier();          /* PARK: pairs with lsi_membarrier */
}

/* The same for a count of 64 bits. */
static inline void lsi_publish_count(LSI_ATOMIC(int64_t) * count, int64_t value, bool asymmetric)
{
	if (!asymmetric) {
		lsi_exchange(count, value, seq_cst); /* FREE; PARK */
		return;
	}
	lsi_store(count, value, release); /* FREE */
	lsi_compiler_barrier();           /* PARK: pairs with lsi_membarrier */
}

#endif
