/*
 * Parking: how a node sleeps until another makes its condition true, and how that is counted.
 *
 *   word     1 while its owner is asleep or about to be, else 0; the owner sets it, owner or waker
 *            clears it
 *   census   parked << 32 | live: nodes whose condition was false after their word was 1, and nodes
 *            that have not left; one word, so that the verdict sees both at the same moment
 *
 * Sleeper   word := 1;  look at the condition again;  false: parked + 1, sleep while word == 1
 * Waker     make the condition true;  word was 1: parked - 1, word := 0, wake
 *
 * Whoever clears a word pays the count, and pays before: parked never exceeds the nodes that are
 * parked, for a woken node may park again before its waker goes on.  (It may fall below, even below
 * 0, while a waker is at work; the live half is not touched by that.)  A waker is a live node that
 * is not parked, so parked == live only when every live node found its condition false after it had
 * announced itself and no wake is under way: the verdict "deadlock" is exact.
 *
 * Edges  PARK    word := 1 and the second look, against the condition and the look at word, are a
 *                store and a load on each side: all four sequentially consistent, or ordered by the
 *                asymmetric barrier (the sleeper's lsi_membarrier pairs with the waker's
 *                lsi_compiler_barrier)
 *        WAKE    a waker's exchange of word -> the owner's: the waker has paid
 *        CENSUS  every addition to the census -> the one that makes parked == live: what each node
 *                waits for
 * Evidence       test/relacy/park.cpp
 */
#ifndef LSI_MACHINE_PARK_H
#define LSI_MACHINE_PARK_H

#include "base/atomic.h"

struct lsi_parking {
	LSI_ATOMIC(uint32_t) word;
};

/* Shared by all nodes of a machine. */
struct lsi_census {
	LSI_ATOMIC(uint64_t) count;
};

static inline void lsi_census_reset(struct lsi_census *census, uint32_t live)
{
	lsi_store(&census->count, (uint64_t)live, relaxed); /* before any node knows it */
}

static inline uint32_t lsi_census_live(struct lsi_census *census)
{
	return (uint32_t)lsi_load(&census->count, acquire); /* CENSUS */
}

/* Add to the census; true: every live node is parked. */
static inline bool lsi_census_add(struct lsi_census *census, int parked, int live)
{
	const uint64_t more = ((uint64_t)parked << 32) + (uint64_t)live;
	const uint64_t count = lsi_fetch_add(&census->count, more, acq_rel) + more; /* CENSUS */

	return (uint32_t)count != 0 && (uint32_t)count == (uint32_t)(count >> 32);
}

static inline void lsi_park_announce(struct lsi_parking *place)
{
	lsi_exchange(&place->word, 1u, seq_cst); /* PARK: then the second look */
}

/* The second look found the condition true. */
static inline void lsi_park_retract(struct lsi_parking *place, struct lsi_census *census)
{
	if (lsi_exchange(&place->word, 0u, acq_rel) == 0) /* WAKE: a waker has paid for it */
		lsi_census_add(census, 1, 0);
}

/* The second look found it false; true: every live node is parked. */
static inline bool lsi_park_commit(struct lsi_census *census)
{
	return lsi_census_add(census, 1, 0);
}

static inline bool lsi_park_asleep(struct lsi_parking *place)
{
	return lsi_load(&place->word, acquire) == 1; /* WAKE */
}

/*
 * After the condition became true: true when the owner was parked and must be woken.
 * The owner itself calls it when its time is over.
 */
static inline bool lsi_park_wake(struct lsi_parking *place, struct lsi_census *census)
{
	if (lsi_load(&place->word, seq_cst) == 0) /* PARK: the waker's look */
		return false;
	lsi_census_add(census, -1, 0);
	if (lsi_exchange(&place->word, 0u, acq_rel) == 1) /* WAKE */
		return true;
	lsi_census_add(census, 1, 0);
	return false;
}

/* A node leaves; true: every node that stays is parked. */
static inline bool lsi_park_leave(struct lsi_census *census)
{
	return lsi_census_add(census, 0, -1);
}

/*
 * Publish a 32-bit flag and make the look at a parking word that follows it safe (edge PARK).
 * With the asymmetric barrier a release store and a compiler barrier do; without it, an exchange.
 */
static inline void lsi_publish(LSI_ATOMIC(uint32_t) * flag, uint32_t value, bool asymmetric)
{
	if (!asymmetric) {
		lsi_exchange(flag, value, seq_cst); /* FULL, FREE, ROUND; PARK */
		return;
	}
	lsi_store(flag, value, release); /* FULL, FREE, ROUND */
	lsi_compiler_barrier();          /* PARK: pairs with lsi_membarrier */
}

#endif
