/*
 * Work sharing: all nodes of a group wait for each other in a collective call; then the nodes that
 * are running execute the work of the call together.
 *
 *   node 0   arrive . wait ..................... take units . wait .. | return
 *   node 1        arrive . wait ................ take units . wait .. | return
 *   node 2               arrive . lead . share . take units . last: open the barrier . return
 *
 *   barrier       the last node to arrive is the leader: it decides the result of the call, or
 *                 opens its work
 *   open_work     epoch + 1: the leader has opened the work of that epoch, and executes it alone or
 *                 together with other nodes
 *   shared_work   epoch << 32 | generation.  The generation counts the calls whose work was shared,
 *                 this one included
 *   ranges        the units of each core, taken in chunks: taken = generation << 32 | chunks taken.
 *                 In every second generation chunks are taken from the back of the range: there the
 *                 caches still hold the data.  A node takes units of its own core first
 *   units_left    units that are not executed yet; the node that executes the last one opens the
 *                 barrier
 *
 * No node returns while work is open, even when the machine stops: other nodes read and write its
 * buffers.  No work begins after a stop.  A node that executes units waits for no other node.
 *
 * Edges  ARRIVE, ROUND, PARK  of barrier.h
 *        WORK  the leader's release of shared_work -> a helper's acquire: the units, and all
 *              arrivals
 *        STOP  the leader stores open_work, then loads `state`.  Another thread stores `state`;
 *              then a node loads `state` and open_work.  All are sequentially consistent.  So if a
 *              node returns because of the stop, having seen no open work, the leader sees the stop
 *        DONE  every subtraction from units_left -> the last one: the results
 * Evidence  test/relacy/work_sharing.cpp
 */
#ifndef LSI_MACHINE_WORK_SHARING_H
#define LSI_MACHINE_WORK_SHARING_H

#include "base/futex.h"
#include "machine/barrier.h"

/* The units begin .. end - 1 of one core, in `chunks` chunks of at most w->chunk units. */
struct lsi_unit_range {
	alignas(64) LSI_ATOMIC(uint64_t) taken; /* generation << 32 | chunks taken */
	LSI_PLAIN(int64_t) begin, end, chunks;
};

/* A result, neither LS_OK nor an error: each node executes its own steps, by engine mailboxes. */
enum { LSI_USE_MAILBOXES = 2 };

struct lsi_work_sharing {
	struct lsi_barrier barrier;
	alignas(64) LSI_PLAIN(int) result; /* the leader's; read after the barrier has opened */
	LSI_PLAIN(int64_t) units;          /* units of all cores */
	LSI_PLAIN(int64_t) chunk;          /* units that a node takes at once */
	LSI_PLAIN(int64_t) start_spins;    /* pauses before other cores take the units of a core */
	uint32_t cores;
	struct lsi_unit_range *ranges; /* one per core */
	LSI_ATOMIC(uint32_t) aborted;  /* 1 + rank of a node whose operator ended its thread; or 0 */
};

/* The node whose operator ended its thread in the last work; LS_NO_RANK (-1): none. */
static inline int64_t lsi_work_aborted_by(struct lsi_work_sharing *w)
{
	return (int64_t)lsi_load(&w->aborted, relaxed) - 1; /* ROUND publishes it */
}

/* Leader.  It does not write an equal value again: so the line stays in the caches of all cores. */
static inline void lsi_work_set_result(struct lsi_work_sharing *w, int result)
{
	if (w->result != result)
		w->result = result;
}

/* Leader: open the work of the epoch, then load ls_machine.state. */
static inline void lsi_work_open(struct lsi_work_sharing *w, uint32_t epoch)
{
	lsi_exchange(&w->barrier.open_work, (uint64_t)epoch + 1, seq_cst); /* STOP */
}

/* Leader: set the number of units to execute. */
static inline void lsi_work_set_units(struct lsi_work_sharing *w, int64_t units)
{
	lsi_store(&w->barrier.units_left, units, relaxed); /* WORK publishes it */
}

/* Leader or helper: the current generation. */
static inline uint32_t lsi_work_generation(struct lsi_work_sharing *w)
{
	return (uint32_t)lsi_load(&w->barrier.shared_work, relaxed); /* by WORK */
}

/* Leader: divide units into equal ranges, one per core. */
static inline void lsi_work_divide(struct lsi_work_sharing *w, int64_t units, int64_t chunk)
{
	const int64_t cores = (int64_t)w->cores;

	w->units = units;
	w->chunk = chunk;
	for (int64_t i = 0; i < cores; i++) {
		struct lsi_unit_range *range = &w->ranges[i];

		range->begin = units * i / cores;
		range->end = units * (i + 1) / cores;
		range->chunks = (range->end - range->begin + chunk - 1) / chunk;
	}
}

/* Leader: share the work with all members that wait. */
static inline void lsi_work_share(
	struct lsi_work_sharing *w, uint32_t epoch, int64_t units, int64_t chunk, int64_t start_spins)
{
	if (w->units != units || w->chunk != chunk)
		lsi_work_divide(w, units, chunk);
	if (w->start_spins != start_spins)
		w->start_spins = start_spins;
	lsi_store(&w->barrier.shared_work, (uint64_t)epoch << 32 | (lsi_work_generation(w) + 1),
		release); /* WORK */
}

/* Leader: no work has begun, and none will. */
static inline void lsi_work_close(struct lsi_work_sharing *w)
{
	lsi_store(&w->barrier.open_work, 0u, release); /* STOP */
}

/* Is the work of the epoch open? */
static inline bool lsi_work_is_open(struct lsi_work_sharing *w, uint32_t epoch)
{
	return lsi_load(&w->barrier.open_work, seq_cst) == (uint64_t)epoch + 1; /* STOP */
}

/* Is the work of the epoch shared? */
static inline bool lsi_work_is_shared(struct lsi_work_sharing *w, uint32_t epoch)
{
	const uint64_t shared = lsi_load(&w->barrier.shared_work, acquire); /* WORK */

	return shared >> 32 == epoch && (uint32_t)shared != 0;
}

/* Are units executed from the back to the front? */
static inline bool lsi_work_runs_backward(struct lsi_work_sharing *w)
{
	return lsi_work_generation(w) % 2;
}

/* Claim the next chunk of a range.  False: all chunks of this generation are taken. */
static inline bool lsi_work_claim_chunk(
	struct lsi_unit_range *range, uint32_t generation, int64_t *chunk)
{
	uint64_t taken = lsi_load(&range->taken, relaxed), now; /* one node takes each chunk */

	do {
		*chunk = (int64_t)(taken >> 32 == generation ? (uint32_t)taken : 0);
		if (*chunk >= range->chunks)
			return false;
		now = (uint64_t)generation << 32 | (uint64_t)(*chunk + 1);
	} while (!lsi_compare_swap(&range->taken, &taken, now, relaxed)); /* as above */
	return true;
}

/* Spin until a node of the core has taken units of this generation, at most start_spins times. */
static inline void lsi_work_wait_for_start(
	const struct lsi_work_sharing *w, struct lsi_unit_range *range, uint32_t generation)
{
	for (int64_t i = 0; i < w->start_spins; i++) {
		if (lsi_load(&range->taken, relaxed) >> 32 == generation) /* hint */
			return;
		lsi_pause();
	}
}

/*
 * Leader or helper on a core: take the next chunk of this core's range, else of another core's.
 * False: all units are taken.
 */
static inline bool lsi_work_take_units(
	struct lsi_work_sharing *w, uint32_t core, int64_t *first, int64_t *last)
{
	const uint32_t generation = lsi_work_generation(w);

	for (uint32_t i = 0; i < w->cores; i++) {
		const uint32_t index = core + i < w->cores ? core + i : core + i - w->cores;
		struct lsi_unit_range *range = &w->ranges[index];
		int64_t chunk;

		if (i > 0)
			lsi_work_wait_for_start(w, range, generation);
		if (!lsi_work_claim_chunk(range, generation, &chunk))
			continue;

		const int64_t skip = chunk * w->chunk;
		const int64_t left = range->end - range->begin - skip;
		const int64_t n = left < w->chunk ? left : w->chunk;

		*first = lsi_work_runs_backward(w) ? range->end - skip - n : range->begin + skip;
		*last = *first + n;
		return true;
	}
	return false;
}

/* Count executed units.  True: they were the last, and the caller opens the barrier. */
static inline bool lsi_work_complete_units(struct lsi_work_sharing *w, int64_t units)
{
	return lsi_fetch_sub(&w->barrier.units_left, units, acq_rel) == units; /* DONE */
}

#endif
