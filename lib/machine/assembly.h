/*
 * Assembly: all nodes of a group come together for a collective call, and those that run share out
 * its work.
 *
 *   barrier   the last to arrive leads: it says what becomes of the call, and may open work
 *   open      epoch + 1 while the work of that epoch is done, by the leader at least
 *   shared    epoch << 32 | times that work was shared, this time, too: by all who wait
 *   claims    of each seat: that number << 32 | grains of its units that are taken, from the front
 *             or, each other time, from the back: there the caches hold what was done last.
 *             Whoever takes them, of its own seat first, executes them
 *   left      units that are not executed; who executes the last opens the barrier
 *
 * No node is let go while work is open, even when the machine stops, for the others read and write
 * its buffers; and work is not begun once it stops.  What executes units waits for nobody.
 *
 * Edges  ARRIVE, ROUND, PARK  of barrier.h
 *        WORK  the leader's release of shared -> a helper's look: the units, and all that arrived
 *        STOP  open := work, then the leader's look whether the machine has stopped, against the
 *              stop, then a node's looks at the stop and at open: all sequentially consistent, so
 *              that the leader sees the stop for which a node goes that saw no work
 *        DONE  every subtraction from left -> the last: results are there
 * Evidence  test/relacy/assembly.cpp
 */
#ifndef LSI_MACHINE_ASSEMBLY_H
#define LSI_MACHINE_ASSEMBLY_H

#include "base/futex.h"
#include "machine/barrier.h"

/* Units of one seat, begin .. end - 1: what is shared again is not written again. */
struct lsi_unit_range {
	alignas(64) LSI_ATOMIC(uint64_t) taken;
	LSI_PLAIN(int64_t) begin, end, grains;
};

/* A verdict beside LS_OK and errors: each node executes the call itself. */
enum { LSI_BY_NODES = 2 };

struct lsi_assembly {
	struct lsi_barrier barrier;
	alignas(64) LSI_PLAIN(int) verdict; /* by the leader; read when the barrier has opened */
	LSI_PLAIN(int64_t) units, grain;    /* units that there are, and that are taken at once */
	LSI_PLAIN(int64_t) start_spins;     /* pauses that a seat is given to begin */
	uint32_t cores;
	struct lsi_unit_range *claims; /* by seat */
	LSI_ATOMIC(uint32_t) aborted;  /* some unit was not finished: its operator ended the thread */
};

/* Leader: what is as it was is not written again, and stays in the caches of all. */
static inline void lsi_assembly_set_result(struct lsi_assembly *a, int verdict)
{
	if (a->verdict != verdict)
		a->verdict = verdict;
}

/* Leader: open the work of the epoch; then it looks whether the machine has stopped. */
static inline void lsi_assembly_open(struct lsi_assembly *a, uint32_t epoch)
{
	lsi_exchange(&a->barrier.open, (uint64_t)epoch + 1, seq_cst); /* STOP */
}

/* Leader: so many units are to be executed. */
static inline void lsi_assembly_set_units(struct lsi_assembly *a, int64_t units)
{
	lsi_store(&a->barrier.left, units, relaxed); /* WORK publishes it */
}

/* Leader or helper: the number of the work that is shared. */
static inline uint32_t lsi_assembly_share_number(struct lsi_assembly *a)
{
	return (uint32_t)lsi_load(&a->barrier.shared, relaxed); /* by WORK */
}

/* Leader: in equal ranges for the seats. */
static inline void lsi_assembly_divide(struct lsi_assembly *a, int64_t units, int64_t grain)
{
	const int64_t cores = (int64_t)a->cores;

	a->units = units;
	a->grain = grain;
	for (int64_t i = 0; i < cores; i++) {
		struct lsi_unit_range *claims = &a->claims[i];

		claims->begin = units * i / cores;
		claims->end = units * (i + 1) / cores;
		claims->grains = (claims->end - claims->begin + grain - 1) / grain;
	}
}

/* Leader: share it; a seat is given so many pauses to begin before others take its units. */
static inline void lsi_assembly_share(
	struct lsi_assembly *a, uint32_t epoch, int64_t units, int64_t grain, int64_t start_spins)
{
	if (a->units != units || a->grain != grain)
		lsi_assembly_divide(a, units, grain);
	if (a->start_spins != start_spins)
		a->start_spins = start_spins;
	lsi_store(&a->barrier.shared, (uint64_t)epoch << 32 | (lsi_assembly_share_number(a) + 1),
		release); /* WORK */
}

/* Leader: nothing was begun, nor will be. */
static inline void lsi_assembly_close(struct lsi_assembly *a)
{
	lsi_store(&a->barrier.open, 0u, release); /* STOP */
}

/* Is the work of an epoch open, and are there units to take? */
static inline bool lsi_assembly_is_open(struct lsi_assembly *a, uint32_t epoch)
{
	return lsi_load(&a->barrier.open, seq_cst) == (uint64_t)epoch + 1; /* STOP */
}

static inline bool lsi_assembly_is_shared(struct lsi_assembly *a, uint32_t epoch)
{
	const uint64_t shared = lsi_load(&a->barrier.shared, acquire); /* WORK */

	return shared >> 32 == epoch && (uint32_t)shared != 0;
}

/* Is work done from the back to the front? */
static inline bool lsi_assembly_runs_backward(struct lsi_assembly *a)
{
	return lsi_assembly_share_number(a) % 2;
}

/* The next grain of a seat; false: all of this share are taken. */
static inline bool lsi_claim_grain(struct lsi_unit_range *claims, uint32_t share, int64_t *grain)
{
	uint64_t taken = lsi_load(&claims->taken, relaxed), now; /* a claim is only unique */

	do {
		*grain = (int64_t)(taken >> 32 == share ? (uint32_t)taken : 0);
		if (*grain >= claims->grains)
			return false;
		now = (uint64_t)share << 32 | (uint64_t)(*grain + 1);
	} while (!lsi_compare_swap(&claims->taken, &taken, now, relaxed)); /* as above */
	return true;
}

/* Until a seat has begun with its units of this share, or has had its time. */
static inline void lsi_assembly_let_start(
	const struct lsi_assembly *a, struct lsi_unit_range *claims, uint32_t share)
{
	for (int64_t i = 0; i < a->start_spins; i++) {
		if (lsi_load(&claims->taken, relaxed) >> 32 == share) /* a hint */
			return;
		lsi_pause();
	}
}

/* Helper, in shared work: take units of its own seat, or else of another; false: all are taken. */
static inline bool lsi_assembly_take(
	struct lsi_assembly *a, uint32_t core, int64_t *first, int64_t *last)
{
	const uint32_t share = lsi_assembly_share_number(a);

	for (uint32_t i = 0; i < a->cores; i++) {
		const uint32_t its = core + i < a->cores ? core + i : core + i - a->cores;
		struct lsi_unit_range *claims = &a->claims[its];
		int64_t skip;

		if (i > 0)
			lsi_assembly_let_start(a, claims, share);
		if (!lsi_claim_grain(claims, share, &skip))
			continue;
		skip *= a->grain;

		const int64_t left = claims->end - claims->begin - skip;
		const int64_t n = left < a->grain ? left : a->grain;

		*first = lsi_assembly_runs_backward(a) ? claims->end - skip - n : claims->begin + skip;
		*last = *first + n;
		return true;
	}
	return false;
}

/* So many units were executed; true: they were the last, and the caller opens the barrier. */
static inline bool lsi_assembly_units_done(struct lsi_assembly *a, int64_t units)
{
	return lsi_fetch_sub(&a->barrier.left, units, acq_rel) == units; /* DONE */
}

#endif
