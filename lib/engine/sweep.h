/*
 * The sweep from inside: what its parts share.
 *
 * Workers, the same code on each, go through the stages of the plan: a stage is one step, or
 * consecutive steps whose messages stay inside aligned blocks of ranks that fit into a cache.  In a
 * stage every worker executes the nodes of ranges of its own; workers meet between stages.
 *
 * A node reads what a peer sends from the peer's memory: by law 4 no move of the step overwrites
 * it, so neither the order of nodes nor who executes them matters, and nothing but the meeting
 * orders the memory of the workers.
 *
 *   sweep.c         life of a sweep: workers, stages, meeting, errors, progress, trace
 *   sweep_lanes.c   memory: how the buffers of all nodes lie, how many bytes that takes
 *   sweep_node.c    any step of any plan, node by node
 *   sweep_wiring.c  peers and shapes of a step as tables of one period; the laws of its messages
 *   sweep_columns.c steps whose operands are single blocks: many nodes at a time
 *   sweep_tree.c    steps of a tree: only the nodes that talk
 *   sweep_proof.c   what every result must hold, by fingerprints
 */
#ifndef LS_ENGINE_SWEEP_H
#define LS_ENGINE_SWEEP_H

#include <lockstep/sweep.h>

#include <pthread.h>

#include "base/atomic.h"
#include "op/op.h"
#include "plan/plan.h"

/*
 * Where the blocks of a buffer lie: block b of node r at
 *
 *     base + r * by_rank + (b mod slots) * by_block      by_block > 0: columns, blocks equally long
 *     base + r * by_rank + begin[r] + offset of b        by_block 0: rows, as ls_buffer_offset says
 *
 * Columns: by_rank is a block's bytes and by_block that of all nodes' blocks, so that a block of
 * consecutive nodes is one piece of memory.  base NULL: INPUT, made when it is read.
 */
struct ls_rows {
	char *base;
	size_t by_rank, by_block;
	const int64_t *begin;         /* windows that differ; NULL: 0 */
};

struct ls_sweeping;

/* One kind of contents that goes through the plan: the data, the fingerprints. */
struct ls_lane {
	struct ls_combine combine;
	struct ls_measure measure;    /* fingerprints: one element a block */
	struct ls_rows rows[LS_BUFFERS];
	/* Make block `block` of a node's INPUT, where rows[LS_INPUT].base is NULL. */
	void (*make)(const struct ls_sweeping *, int64_t rank, int64_t block, void *into);
};

enum { LS_LANE_DATA, LS_LANE_PROOF, LS_LANES };

/* What a worker has for itself; no other writes it. */
struct ls_sweep_worker {
	struct ls_sweeping *sweep;
	pthread_t thread;
	int number;
	int64_t messages, words, bytes;       /* of its nodes */
	LS_ATOMIC(int64_t) told;              /* messages, for progress */
	char *scratch;                        /* scratch_bytes of it    */
	size_t scratch_bytes;
};

struct ls_sweeping {
	struct ls_sweep asked;                /* complete: no field stands for a default */
	const struct ls_plan *plan;
	int64_t nodes, steps;
	bool columns;                         /* how the lanes lie */
	int lanes;
	struct ls_lane lane[LS_LANES];
	uint64_t seed;                        /* of the fingerprints */

	int workers;
	struct ls_sweep_worker *worker;
	pthread_barrier_t meeting;

	/* The first violation, by round, then rank; `failed` is read without the lock. */
	pthread_mutex_t mutex;
	struct ls_error error;
	LS_ATOMIC(int) failed;
};

#endif
