/*
 * The barrier of a group; members may leave.
 *
 * Arrivals are counted in one place, or first in shards, one shard for the members of each core.
 * With shards, the central cache line moves between cores once per core, not once per member:
 *
 *   core 0   node 0, node 1 --> shard 0 --.
 *                                         +--> central count --> open: epoch + 1
 *   core 1   node 2, node 3 --> shard 1 --'
 *
 *   shard   members of the core << 32 | arrived
 *   count   members, or shards that have members << 32 | arrived
 *   epoch   how often the barrier has opened
 *
 * The arrival that makes arrived == members in a shard clears the arrivals of the shard, and then
 * arrives centrally for the whole shard.  The arrival that makes them equal centrally clears those,
 * and is the last: its member opens the barrier by incrementing the epoch, at once or after some
 * work.  A member reads the epoch before it arrives and waits until it changes; until then the
 * member can neither arrive again nor leave.
 *
 * Members that are fibers of one worker wait in the list of their shard, except its leader, the
 * last one to arrive.  The leader waits by its parking word: the member that opens the barrier
 * wakes it, and it then moves the list to the run queue.  So an opening wakes one fiber per worker.
 *
 * Edges  ARRIVE  every arrival's release of a count -> the acquire of the last arrival: all writes
 *                of the members before it.  With shards: the last arrival of a shard acquires the
 *                count of the shard, then releases the central count
 *        ROUND   the release of epoch -> the waiter's acquire
 *        LEADER  the leader's addition to ls_machine.sleepers, when its shard names it -> the load
 *                of sleepers by the member that opens the barrier
 *        PARK    of park.h: the load of the epoch may be a sleeper's second check
 * Evidence  test/relacy/barrier.cpp, epoch starting at 2^32 - 2; test/relacy/run_queue.cpp
 */
#ifndef LSI_MACHINE_BARRIER_H
#define LSI_MACHINE_BARRIER_H

#include "machine/run_queue.h"

/* The fibers of one worker that wait for the end of an epoch.  Only this worker uses it. */
struct lsi_wait_list {
	struct lsi_run_queue fibers;
	struct lsi_wait_list *next, **at; /* among the lists of the worker that are not empty */
	uint32_t epoch;
};

struct lsi_shard {
	alignas(64) LSI_ATOMIC(uint64_t) count;
	/* Fibers: the member that waits by its word, for those in the list; NULL: none. */
	LSI_ATOMIC(struct lsi_parking *) leader; /* LEADER */
	struct lsi_wait_list waiting;
	bool of_fibers; /* only one thread uses the shard, the worker of its members */
};

struct lsi_barrier {
	alignas(64) LSI_ATOMIC(uint64_t) count;
	LSI_ATOMIC(uint64_t) open_work; /* of work_sharing.h, in a line that is fetched anyway */
	alignas(64) LSI_ATOMIC(uint32_t) epoch;
	LSI_ATOMIC(uint64_t) shared_work; /* of work_sharing.h, as above */
	LSI_ATOMIC(int64_t) units_left;   /* of work_sharing.h, as above */
	struct lsi_shard *shard;          /* one per core; NULL: none */
};

/* Reset the barrier to no members; `shard` is an array of one per core, or NULL. */
static inline void lsi_barrier_reset(struct lsi_barrier *barrier, struct lsi_shard *shard,
	uint32_t shards, bool of_fibers, uint32_t start)
{
	barrier->shard = shard;
	for (uint32_t i = 0; shard && i < shards; i++) {
		lsi_store(&shard[i].count, 0u, relaxed);    /* no member has it yet */
		lsi_store(&shard[i].leader, NULL, relaxed); /* as above */
		shard[i].waiting.fibers.first = NULL;
		shard[i].of_fibers = of_fibers;
	}
	lsi_store(&barrier->count, 0u, relaxed);    /* as above */
	lsi_store(&barrier->epoch, start, relaxed); /* as above */
}

/* Add a member, before any member has the barrier. */
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

/* All members have arrived: release them. */
static inline void lsi_barrier_open(struct lsi_barrier *barrier, bool asymmetric)
{
	const uint32_t epoch = lsi_load(&barrier->epoch, relaxed); /* only an opener writes it */

	lsi_publish(&barrier->epoch, epoch + 1, asymmetric); /* ROUND */
}

/* Have all members arrived? */
static inline bool lsi_barrier_is_complete(uint64_t count)
{
	const uint32_t arrived = (uint32_t)count;

	return arrived != 0 && arrived == (uint32_t)(count >> 32);
}

/* Add to a count.  True: all members it has now have arrived, and the arrivals are cleared. */
static inline bool lsi_barrier_count(LSI_ATOMIC(uint64_t) * count, uint64_t more, uint64_t *now)
{
	*now = lsi_fetch_add(count, more, acq_rel) + more; /* ARRIVE */
	if (!lsi_barrier_is_complete(*now))
		return false;
	lsi_fetch_sub(count, *now & UINT32_MAX, relaxed); /* ordered by ROUND */
	return true;
}

/* The same in a shard. */
static inline bool lsi_shard_count(struct lsi_shard *shard, uint64_t more, uint64_t *now)
{
	if (!shard->of_fibers)
		return lsi_barrier_count(&shard->count, more, now);
	*now = lsi_load(&shard->count, relaxed) + more; /* only this thread uses it */

	const bool is_complete = lsi_barrier_is_complete(*now);

	lsi_store(&shard->count, is_complete ? *now >> 32 << 32 : *now, relaxed); /* as above */
	return is_complete;
}

/* Arrive.  True: all have arrived, and the caller must open the barrier and wake the sleepers. */
static inline bool lsi_barrier_arrive(struct lsi_barrier *barrier, uint32_t core)
{
	uint64_t now;

	if (barrier->shard && !lsi_shard_count(&barrier->shard[core], 1u, &now))
		return false;
	return lsi_barrier_count(&barrier->count, 1u, &now);
}

/* Fibers, before it arrives: is this member the first of its core to arrive in this epoch? */
static inline bool lsi_barrier_is_first(struct lsi_barrier *barrier, uint32_t core)
{
	return (uint32_t)lsi_load(&barrier->shard[core].count, relaxed) == 0; /* this thread's shard */
}

/* After the last arrival: has the core members? */
static inline bool lsi_barrier_has_members(struct lsi_barrier *barrier, uint32_t core)
{
	return lsi_load(&barrier->shard[core].count, relaxed) >> 32 != 0; /* ARRIVE */
}

/*
 * A member that has arrived: have all other members of its core arrived, too?  A hint, but exact
 * for fibers.
 */
static inline bool lsi_barrier_waits_for_other_cores(struct lsi_barrier *barrier, uint32_t core)
{
	return barrier->shard
		&& (uint32_t)lsi_load(&barrier->shard[core].count, relaxed) == 0; /* hint */
}

/* Leave.  True: all remaining members have arrived; the caller must open the barrier, as above. */
static inline bool lsi_barrier_leave(struct lsi_barrier *barrier, uint32_t core)
{
	const uint64_t one = (uint64_t)1 << 32;
	uint64_t now;

	if (barrier->shard) {
		if (lsi_shard_count(&barrier->shard[core], 0 - one, &now))
			return lsi_barrier_count(&barrier->count, 1u, &now);
		if (now >> 32 != 0)
			return false;
	}
	return lsi_barrier_count(&barrier->count, 0 - one, &now);
}

#endif
