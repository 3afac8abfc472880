/*
 * Assembly: all nodes of a group meet for a collective call, and those that run share its work.
 *
 *   barrier   the last to arrive leads: it decides the result of the call, or opens its work
 *   open      epoch + 1 while the work of that epoch is executed, by the leader or by more nodes
 *   shared    epoch << 32 | share number: how often work was shared, this time included
 *   ranges    the units of each core.  taken = share number << 32 | grains taken.  Grains are taken
 *             from the front, and at every other share from the back: there the caches still hold
 *             the data.  A node that takes units executes them, those of its own core first.
 *   left      units that are not executed yet; the node that executes the last opens the barrier
 *
 * No node returns while work is open, even when the machine stops: the others read and write its
 * buffers.  And no work begins after a stop.  A node that executes units waits for no other.
 *
 * Edges  ARRIVE, ROUND, PARK  of barrier.h
 *        WORK  the leader's release of shared -> a helper's acquire: the units, and all arrivals
 *        STOP  open := work, then the leader's load of stopped; against the store of stopped, then
 *              a node's loads of stopped and of open: all sequentially consistent.  A node that
 *              returns because of the stop saw no open work; the leader then sees the stop
 *        DONE  every subtraction from left -> the last: the results
 * Evidence  test/relacy/assembly.cpp
 */
#ifndef LSI_MACHINE_ASSEMBLY_H
#define LSI_MACHINE_ASSEMBLY_H

#include "base/futex.h"
#include "machine/barrier.h"

/* Units of one core, begin .. end - 1.  Equal values are not written again at the next share. */
struct lsi_unit_range {
	alignas(64) LSI_ATOMIC(uint64_t) taken;
	LSI_PLAIN(int64_t) begin, end, grains;
};

/* A result in addition to LS_OK and errors: each node executes its own steps of the call. */
enum { LSI_BY_NODES = 2 };

struct lsi_assembly {
	struct lsi_barrier barrier;
	alignas(64) LSI_PLAIN(int) result; /* by the leader; read after the barrier has opened */
	LSI_PLAIN(int64_t) units, grain;   /* of all cores; that are taken at once */
	LSI_PLAIN(int64_t) start_spins;    /* pauses before others take the units of a core */
	uint32_t cores;
	struct lsi_unit_range *ranges; /* by core */
	LSI_ATOMIC(uint32_t) aborted;  /* a unit was not finished: its operator ended the thread */
};

/* Leader.  An equal value is not written again: it stays in the caches of all cores. */
static inline void lsi_assembly_set_result(struct lsi_assembly *a, int result)
{
	if (a->result != result)
		a->result = result;
}

/* Leader: open the work of the epoch, then load ls_machine.stopped. */
static inline void lsi_assembly_open(struct lsi_assembly *a, uint32_t epoch)
{
	lsi_exchange(&a->barrier.open, (uint64_t)epoch + 1, seq_cst); /* STOP */
}

/* Leader: the number of units to execute. */
static inline void lsi_assembly_set_units(struct lsi_assembly *a, int64_t units)
{
	lsi_store(&a->barrier.left, units, relaxed); /* WORK publishes it */
}

/* Leader or helper: the number of the current share. */
static inline uint32_t lsi_assembly_share_number(struct lsi_assembly *a)
{
	return (uint32_t)lsi_load(&a->barrier.shared, relaxed); /* by WORK */
}

/* Leader: divide units into equal ranges, one per core. */
static inline void lsi_assembly_divide(struct lsi_assembly *a, int64_t units, int64_t grain)
{
	const int64_t cores = (int64_t)a->cores;

	a->units = units;
	a->grain = grain;
	for (int64_t i = 0; i < cores; i++) {
		struct lsi_unit_range *ranges = &a->ranges[i];

		ranges->begin = units * i / cores;
		ranges->end = units * (i + 1) / cores;
		ranges->grains = (ranges->end - ranges->begin + grain - 1) / grain;
	}
}

/* Leader: share the work with all members that wait. */
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

/* Leader: no work has begun, and none will. */
static inline void lsi_assembly_close(struct lsi_assembly *a)
{
	lsi_store(&a->barrier.open, 0u, release); /* STOP */
}

/* Is the work of the epoch open? */
static inline bool lsi_assembly_is_open(struct lsi_assembly *a, uint32_t epoch)
{
	return lsi_load(&a->barrier.open, seq_cst) == (uint64_t)epoch + 1; /* STOP */
}

static inline bool lsi_assembly_is_shared(struct lsi_assembly *a, uint32_t epoch)
{
	const uint64_t shared = lsi_load(&a->barrier.shared, acquire); /* WORK */

	return shared >> 32 == epoch && (uint32_t)shared != 0;
}

/* Are units executed from the back to the front? */
static inline bool lsi_assembly_runs_backward(struct lsi_assembly *a)
{
	return lsi_assembly_share_number(a) % 2;
}

/* The next grain of a core; false: all of this share are taken. */
static inline bool lsi_claim_grain(struct lsi_unit_range *ranges, uint32_t share, int64_t *grain)
{
	uint64_t taken = lsi_load(&ranges->taken, relaxed), now; /* a grain is only taken once */

	do {
		*grain = (int64_t)(taken >> 32 == share ? (uint32_t)taken : 0);
		if (*grain >= ranges->grains)
			return false;
		now = (uint64_t)share << 32 | (uint64_t)(*grain + 1);
	} while (!lsi_compare_swap(&ranges->taken, &taken, now, relaxed)); /* as above */
	return true;
}

/* Until a node of the core has taken units of this share, or the time is over. */
static inline void lsi_assembly_wait_for_start(
	const struct lsi_assembly *a, struct lsi_unit_range *ranges, uint32_t share)
{
	for (int64_t i = 0; i < a->start_spins; i++) {
		if (lsi_load(&ranges->taken, relaxed) >> 32 == share) /* hint */
			return;
		lsi_pause();
	}
}

/* Helper: take units of its own core, or else of another; false: all are taken. */
static inline bool lsi_assembly_take(
	struct lsi_assembly *a, uint32_t core, int64_t *first, int64_t *last)
{
	const uint32_t share = lsi_assembly_share_number(a);

	for (uint32_t i = 0; i < a->cores; i++) {
		const uint32_t index = core + i < a->cores ? core + i : core + i - a->cores;
		struct lsi_unit_range *ranges = &a->ranges[index];
		int64_t skip;

		if (i > 0)
			lsi_assembly_wait_for_start(a, ranges, share);
		if (!lsi_claim_grain(ranges, share, &skip))
			continue;
		skip *= a->grain;

		const int64_t left = ranges->end - ranges->begin - skip;
		const int64_t n = left < a->grain ? left : a->grain;

		*first = lsi_assembly_runs_backward(a) ? ranges->end - skip - n : ranges->begin + skip;
		*last = *first + n;
		return true;
	}
	return false;
}

/* Units were executed.  True: they were the last, and the caller opens the barrier. */
static inline bool lsi_assembly_units_done(struct lsi_assembly *a, int64_t units)
{
	return lsi_fetch_sub(&a->barrier.left, units, acq_rel) == units; /* DONE */
}

#endif
