/*
 * Barrier of a group, with members that may leave for good.  Arrivals are counted centrally, or
 * first in shards, one for the members that run on a core: then a line goes from core to core once
 * for each of them, and not once for each member.
 *
 *   shard   of the members with one seat: members << 32 | arrived
 *   count   of the members, or of the shards that have any: members << 32 | arrived
 *   epoch   times that the barrier has opened
 *
 * Whoever makes arrived == members in a shard clears it and arrives, for all of it, centrally;
 * whoever makes it so there clears that too, and is the last: it opens the barrier, now or when it
 * has done what all wait for, by stepping the epoch.  A member reads the epoch before it arrives
 * and waits for it to change; until then it cannot arrive again, nor leave.
 *
 * Edges  ARRIVE  every arrival's release of a count -> the last one's acquire: all wrote what they
 *                wrote; through a shard by its last arrival, which acquires and then releases
 *        ROUND   the release of epoch -> the waiter's acquire
 *        PARK    of park.h: the look at the epoch may be a sleeper's second look
 * Evidence  test/relacy/barrier.cpp, epoch starting at 2^32 - 2.
 */
#ifndef LSI_MACHINE_BARRIER_H
#define LSI_MACHINE_BARRIER_H

#include "machine/park.h"

struct lsi_shard {
	alignas(64) LSI_ATOMIC(uint64_t) count;
};

struct lsi_barrier {
	alignas(64) LSI_ATOMIC(uint64_t) count;
	LSI_ATOMIC(uint64_t) open; /* of assembly.h: in lines that are fetched anyway */
	alignas(64) LSI_ATOMIC(uint32_t) epoch;
	LSI_ATOMIC(uint64_t) shared;
	LSI_ATOMIC(int64_t) left;
	struct lsi_shard *shard; /* by seat; NULL: there are none */
};

/* Without members; shards, as many as there are seats, or NULL. */
static inline void lsi_barrier_reset(
	struct lsi_barrier *barrier, struct lsi_shard *shard, uint32_t shards, uint32_t start)
{
	barrier->shard = shard;
	for (uint32_t i = 0; shard && i < shards; i++)
		lsi_store(&shard[i].count, 0u, relaxed); /* before any member knows it */
	lsi_store(&barrier->count, 0u, relaxed);     /* as above */
	lsi_store(&barrier->epoch, start, relaxed);  /* as above */
}

/* Members are added before any of them knows the barrier. */
static inline void lsi_barrier_add(struct lsi_barrier *barrier, uint32_t core)
{
	const uint64_t one = (uint64_t)1 << 32;

	if (barrier->shard
		&& lsi_fetch_add(&barrier->shard[core].count, one, relaxed) > 0) /* as above */
		return;
	lsi_fetch_add(&barrier->count, one, relaxed); /* as above */
}

static inline uint32_t lsi_barrier_epoch(struct lsi_barrier *barrier)
{
	return lsi_load(&barrier->epoch, seq_cst); /* ROUND, PARK */
}

/* All members have arrived: let them go. */
static inline void lsi_barrier_open(struct lsi_barrier *barrier, bool asymmetric)
{
	const uint32_t epoch = lsi_load(&barrier->epoch, relaxed); /* only an opener writes it */

	lsi_publish(&barrier->epoch, epoch + 1, asymmetric); /* ROUND */
}

/* Add to a count; true: all that are left have arrived, and the arrivals are cleared. */
static inline bool lsi_barrier_count(LSI_ATOMIC(uint64_t) * count, uint64_t more, uint64_t *now)
{
	*now = lsi_fetch_add(count, more, acq_rel) + more; /* ARRIVE */

	const uint32_t arrived = (uint32_t)*now;

	if (arrived == 0 || arrived != (uint32_t)(*now >> 32))
		return false;
	lsi_fetch_sub(count, (uint64_t)arrived, relaxed); /* ordered by ROUND */
	return true;
}

/* True: all members have arrived; the caller opens, and wakes who sleeps. */
static inline bool lsi_barrier_arrive(struct lsi_barrier *barrier, uint32_t core)
{
	uint64_t now;

	if (barrier->shard && !lsi_barrier_count(&barrier->shard[core].count, 1u, &now))
		return false;
	return lsi_barrier_count(&barrier->count, 1u, &now);
}

/*
 * A hint to a member that has arrived and was not the last: all that run on its core have, and wait
 * for other cores only.
 */
static inline bool lsi_barrier_awaits_others(struct lsi_barrier *barrier, uint32_t core)
{
	return barrier->shard
		&& (uint32_t)lsi_load(&barrier->shard[core].count, relaxed) == 0; /* hint */
}

/* Leave for good.  True: all that are left have arrived, as above. */
static inline bool lsi_barrier_leave(struct lsi_barrier *barrier, uint32_t core)
{
	const uint64_t one = (uint64_t)1 << 32;
	uint64_t now;

	if (barrier->shard) {
		if (lsi_barrier_count(&barrier->shard[core].count, 0 - one, &now))
			return lsi_barrier_count(&barrier->count, 1u, &now);
		if (now >> 32 != 0)
			return false;
	}
	return lsi_barrier_count(&barrier->count, 0 - one, &now);
}

#endif
