/*
 * Assembly: all nodes of a group come together for a collective call, and those that run share out
 * its work.
 *
 *   barrier   the last to arrive leads: it says what becomes of the call, and may open work
 *   open      epoch << 2 | how, while the work of that epoch is done: by the leader alone, or shared
 *   claims    of each seat: its units from `next` on are not taken; whoever takes them, of its own
 *             seat first, executes them
 *   left      units that are not executed; who executes the last opens the barrier
 *
 * No node is let go while work is open, even when the machine stops, for the others read and write
 * its buffers; and work is not begun once it stops.  What executes units waits for nobody.
 *
 * Edges  ARRIVE, ROUND, PARK  of barrier.h
 *        WORK  the leader's release of open -> a helper's look: the claims, and all that arrived
 *        STOP  open := work, then the leader's look whether the machine has stopped, against the
 *              stop, then a node's looks at the stop and at open: all sequentially consistent, so
 *              that the leader sees the stop for which a node goes that saw no work
 *        DONE  every subtraction from left -> the last: results are there
 * Evidence  test/relacy/assembly.cpp
 */
#ifndef LS_MACHINE_ASSEMBLY_H
#define LS_MACHINE_ASSEMBLY_H

#include "machine/barrier.h"

enum { GRAINS_PER_SEAT = 8 };

/* Units of one seat that nobody has taken: next .. end - 1. */
struct ls_claims {
	alignas(64) LS_ATOMIC(int64_t) next;
	LS_PLAIN(int64_t) end;
};

enum { LS_WORK_ALONE = 1, LS_WORK_SHARED = 2 };

/* A verdict beside LS_OK and errors: each node executes the call itself. */
enum { LS_BY_THREADS = 2 };

struct ls_assembly {
	struct ls_barrier barrier;
	alignas(64) LS_ATOMIC(uint64_t) open;
	LS_PLAIN(int) verdict;            /* by the leader; read when the barrier has opened   */
	LS_PLAIN(int64_t) grain;          /* units that are taken at once                       */
	uint32_t seats;
	struct ls_claims *claims;         /* by seat */
	alignas(64) LS_ATOMIC(int64_t) left;
	LS_ATOMIC(uint32_t) spoilt;       /* some unit was not finished: its operator ended the thread */
};

/* Leader: open the work of the epoch, for itself; then it looks whether the machine has stopped. */
static inline void ls_assembly_open(struct ls_assembly *a, uint32_t epoch, int64_t units)
{
	ls_store(&a->left, units, relaxed);                                /* WORK publishes it */
	ls_exchange(&a->open, (uint64_t)epoch << 2 | LS_WORK_ALONE, seq_cst);      /* STOP */
}

/* Leader: share it, in equal ranges for the seats. */
static inline void ls_assembly_share(struct ls_assembly *a, uint32_t epoch, int64_t units)
{
	const int64_t seats = (int64_t)a->seats;

	for (int64_t i = 0; i < seats; i++) {
		ls_store(&a->claims[i].next, units * i / seats, relaxed);      /* WORK publishes it */
		a->claims[i].end = units * (i + 1) / seats;
	}
	a->grain = units / (GRAINS_PER_SEAT * seats) + 1;
	ls_store(&a->open, (uint64_t)epoch << 2 | LS_WORK_SHARED, release);        /* WORK */
}

/* Leader: nothing was begun, nor will be. */
static inline void ls_assembly_shut(struct ls_assembly *a)
{
	ls_store(&a->open, 0u, release);                                   /* WORK */
}

/* How the work of an epoch is open; 0: it is not. */
static inline uint64_t ls_assembly_work(struct ls_assembly *a, uint32_t epoch)
{
	const uint64_t open = ls_load(&a->open, seq_cst);                  /* WORK, STOP */

	return open >> 2 == epoch ? open & 3 : 0;
}

/* Helper, in shared work: take units of its own seat, or else of another; false: all are taken. */
static inline bool ls_assembly_take(
	struct ls_assembly *a, uint32_t seat, int64_t *first, int64_t *last)
{
	for (uint32_t i = 0; i < a->seats; i++) {
		struct ls_claims *claims = &a->claims[(seat + i) % a->seats];

		if (ls_load(&claims->next, relaxed) >= claims->end)            /* a hint */
			continue;
		*first = ls_fetch_add(&claims->next, a->grain, relaxed);       /* a claim is only unique */
		*last = *first + a->grain < claims->end ? *first + a->grain : claims->end;
		if (*first < *last)
			return true;
	}
	return false;
}

/* So many units were executed; true: they were the last, and the caller opens the barrier. */
static inline bool ls_assembly_done(struct ls_assembly *a, int64_t units)
{
	return ls_fetch_sub(&a->left, units, acq_rel) == units;            /* DONE */
}

#endif
