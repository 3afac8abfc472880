/*
 * Parking: how a node sleeps until another makes its condition true, and how that is counted.
 *
 *   word     1 while its owner is asleep or about to be, else 0; the owner sets it, owner or waker clears it
 *   parked   nodes that are parked: whose condition was false after their word was 1
 *   live     nodes that have not left
 *
 * Sleeper   word := 1;  look at the condition again;  false: parked + 1, sleep while word == 1
 * Waker     make the condition true;  word was 1: word := 0, parked - 1, wake
 *
 * Whoever clears a word pays the count: so parked == live only when every live node found its condition
 * false after it had announced itself and nobody has been woken since.  A waker is a live node that is not
 * parked, so no wake is under way then: the verdict "deadlock" is exact.
 *
 * Edges  PARK   word := 1 and the second look, against the condition and the look at word, are a
 *               store and a load on each side: sequentially consistent, or ordered by the asymmetric
 *               barrier (the sleeper's ls_barrier_heavy pairs with the waker's ls_light).
 *        WAKE   the waker's exchange of word (release) -> the sleeper's load (acquire)
 * Evidence      test/relacy/park.cpp
 */
#ifndef LS_MACHINE_PARK_H
#define LS_MACHINE_PARK_H

#include "base/atomic.h"

struct ls_parking {
	LS_ATOMIC(uint32_t) word;
};

/* Shared by all nodes of a machine. */
struct ls_census {
	LS_ATOMIC(int64_t) parked;
	LS_ATOMIC(int64_t) live;
};

static inline void ls_park_announce(struct ls_parking *place)
{
	ls_exchange(&place->word, 1u, seq_cst);                    /* PARK: then the second look */
}

/* The second look found the condition true. */
static inline void ls_park_retract(struct ls_parking *place, struct ls_census *census)
{
	if (ls_exchange(&place->word, 0u, seq_cst) == 0)           /* WAKE: a waker came between, and has counted */
		ls_fetch_add(&census->parked, 1, seq_cst);             /* CENSUS */
}

/* The second look found it false; true: every live node is parked. */
static inline bool ls_park_count(struct ls_census *census)
{
	const int64_t parked = ls_fetch_add(&census->parked, 1, seq_cst) + 1;  /* CENSUS */

	return parked == ls_load(&census->live, seq_cst);          /* CENSUS: against a node that leaves */
}

static inline bool ls_park_asleep(struct ls_parking *place)
{
	return ls_load(&place->word, acquire) == 1;                /* WAKE */
}

/* The sleeper gives up by itself (its time is over). */
static inline void ls_park_rise(struct ls_parking *place, struct ls_census *census)
{
	if (ls_exchange(&place->word, 0u, seq_cst) == 1)           /* WAKE */
		ls_fetch_sub(&census->parked, 1, seq_cst);             /* CENSUS */
}

/* After the condition became true: true when the owner was parked and must be woken. */
static inline bool ls_park_wake(struct ls_parking *place, struct ls_census *census)
{
	if (ls_load(&place->word, seq_cst) == 0)                   /* PARK: the waker's look */
		return false;
	if (ls_exchange(&place->word, 0u, seq_cst) == 0)           /* WAKE */
		return false;
	ls_fetch_sub(&census->parked, 1, seq_cst);                 /* CENSUS */
	return true;
}

/* A node leaves; true: every node that stays is parked. */
static inline bool ls_park_leave(struct ls_census *census)
{
	const int64_t live = ls_fetch_sub(&census->live, 1, seq_cst) - 1;      /* CENSUS */

	return live > 0 && live == ls_load(&census->parked, seq_cst);          /* CENSUS */
}

/*
 * Publish a 32-bit flag and make the look at a parking word that follows it safe (edge PARK).
 * With the asymmetric barrier a release store and a compiler barrier do; without it, an exchange.
 */
static inline void ls_publish(LS_ATOMIC(uint32_t) *flag, uint32_t value, bool asymmetric)
{
	if (!asymmetric) {
		ls_exchange(flag, value, seq_cst);                     /* FULL, FREE, ROUND: with the order of PARK */
		return;
	}
	ls_store(flag, value, release);                            /* FULL, FREE, ROUND */
	ls_light();                                                /* PARK: pairs with ls_barrier_heavy */
}

#endif
