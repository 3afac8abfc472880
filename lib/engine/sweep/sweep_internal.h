/*
 * The sweep from inside: what its parts share.
 *
 * Workers, the same code on each, go through the stages of the plan: a stage is one step, or
 * consecutive steps whose messages stay inside aligned blocks of ranks that fit into a cache.  In a
 * stage every worker executes nodes of its own; workers meet between stages.
 *
 * A node reads what a peer sends from the peer's memory: by law 4 no move of the step overwrites
 * it, so neither the order of nodes nor who executes them matters, and nothing but the meeting
 * orders the memory of the workers.
 *
 *   sweep.c         life of a sweep: what was asked, workers, progress
 *   sweep_meet.c    meeting, violations
 *   sweep_work.c    the way of one worker through operands, stages, results
 *   sweep_lanes.c   memory: how the buffers of all nodes lie, how many bytes that takes
 *   sweep_node.c    any step of any plan, node by node: its laws
 *   sweep_moves.c   its moves
 *   sweep_proof.c   what every result must hold, by fingerprints
 *   sweep_stage.c   the fast path, see sweep_wiring.h: steps that go together
 *   sweep_wiring.c  peers and shapes of a step as tables of one period; the laws of its messages
 *   sweep_shapes.c  what the nodes of a shape do, in single blocks
 *   sweep_columns.c its moves, many nodes at a time
 *   sweep_tree.c    steps of a tree: only the nodes that talk
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_INTERNAL_H
#define LSI_ENGINE_SWEEP_SWEEP_INTERNAL_H

#include <lockstep/sweep.h>

#include <pthread.h>

#include "base/atomic.h"
#include "op/op_internal.h"
#include "plan/plan_from_trace.h"

/*
 * Where the blocks of a buffer lie: block b of node r at
 *
 *     base + r * by_rank + begin[r] + (b mod slots) * by_block    by_block > 0: equal lengths
 *     base + r * by_rank + begin[r] + the plan's offset of b      by_block 0
 *
 * In columns by_rank is a block's bytes, so that a block of consecutive nodes is one piece of
 * memory; in rows by_block is.  A root's alone: by_rank is 0.  base NULL: INPUT, made when it is
 * read.
 */
struct lsi_sweep_buffer {
	char *base;
	size_t by_rank, by_block;
	int64_t slots;
	const int64_t *begin; /* bytes, where nodes differ; NULL: 0 */
};

/*
 * Memory is laid out twice by the same functions: without any, to count it, then in what was taken.
 */
struct lsi_memory_layout {
	char *memory; /* NULL: to count */
	size_t used;  /* SIZE_MAX: too much */
};

struct lsi_sweep_state;

/* One kind of contents that goes through the plan: the data, the fingerprints. */
struct lsi_payload {
	const struct ls_plan *plan;
	struct lsi_operator combine; /* size is always set, the kernel where the plan combines */
	struct lsi_measure measure;  /* fingerprints: one element a block */
	bool uniform;                /* all blocks are of `length` elements, `bytes` bytes; else 0 */
	size_t length, bytes;        /* even, and 0: nothing is to be moved in this lane */
	struct lsi_sweep_buffer rows[LS_BUFFERS];
	/*
	 * Make block `block` of INPUT of the nodes rank .. rank+n-1, one after another; where
	 * rows[LS_INPUT].base is NULL.
	 */
	void (*make)(
		const struct lsi_sweep_state *, int64_t rank, int64_t n, int64_t block, void *into);
};

enum { LSI_PAYLOAD_DATA, LSI_PAYLOAD_FINGERPRINTS, LSI_PAYLOADS };

static inline char *lsi_payload_at(
	const struct lsi_payload *payload, int64_t rank, int buffer, int64_t block)
{
	const struct lsi_sweep_buffer *rows = &payload->rows[buffer];
	char *row = rows->base + (size_t)rank * rows->by_rank + (rows->begin ? rows->begin[rank] : 0);

	if (rows->by_block == 0)
		return row
			+ payload->combine.size
			* lsi_buffer_offset(payload->plan, buffer, block, &payload->measure);
	return row + (size_t)(block < rows->slots ? block : block % rows->slots) * rows->by_block;
}

/* What a worker has for itself; others read it after a meeting, and `told` at any time. */
struct lsi_sweep_worker {
	struct lsi_sweep_state *sweep;
	pthread_t thread;
	int number;
	int64_t first, last;            /* its ranks: first .. last-1 */
	int64_t barriers;               /* that it has been to */
	int64_t messages, words, bytes; /* sent by its nodes */
	int64_t load;                   /* most on a link */
	/*
	 * By the parity of `meetings`: the sends of its nodes less their receives; whether a link that
	 * they send over is crowded.
	 */
	int64_t unmatched[2];
	bool crowded[2];
	LSI_ATOMIC(int64_t) messages_published; /* messages, for progress */
	char *scratch;                          /* of this worker alone */
	char *tables;      /* lsi_sweep_worker_table_bytes of it, by a cache line */
	int64_t *shuffled; /* order: its nodes */
} __attribute__((aligned(64)));

struct lsi_sweep_fast;

struct lsi_sweep_state {
	struct ls_sweep request; /* complete: no field stands for a default */
	const struct ls_plan *plan;
	const char *operation;                     /* of the plan; NULL: it is a trace */
	const struct lsi_trace_index *trace_index; /* of a plan that is a trace; else NULL */
	const struct ls_topology *topology; /* whose links are used: the host's, where embedded */
	enum ls_mode mode;
	int64_t nodes, steps;
	bool columns; /* scratch and what is internal lies in columns */
	struct lsi_payload payload[LSI_PAYLOADS];
	char *sums;                  /* fingerprints of whole ranges, see sweep_proof.c */
	uint64_t seed;               /* of the fingerprints */
	int64_t sampled[64];         /* idempotent: ranks that have a bit; LS_NO_RANK */
	struct lsi_sweep_fast *fast; /* of the fast path; NULL: not for this plan */

	char *memory;                /* all of it, zero at first */
	size_t bytes, scratch_bytes; /* all; of a worker's scratch */
	LSI_ATOMIC(uint64_t) * load; /* routed: of links, the step + 1 and the messages */

	int workers;
	struct lsi_sweep_worker *worker;
	bool may_spin;                                 /* workers have a core each */
	LSI_ATOMIC(uint32_t) arrived, epoch, sleepers; /* see sweep_meet.c */
	LSI_ATOMIC(int64_t) rounds;                    /* ended */
	double seconds;                                /* of the rounds */
	LSI_ATOMIC(bool) stopping;                     /* asked to, from outside */

	/* The first violation, by round, then rank; `failed`: 1 + the meetings before it; 0: none. */
	pthread_mutex_t mutex;
	pthread_cond_t change;
	int phase;                /* of the workers, see sweep.c */
	int left;                 /* workers that have ended */
	int64_t step, error_rank; /* of the error */
	struct ls_error error;
	LSI_ATOMIC(int64_t) failed;
};

/* ---- For every part */

/*
 * Wait for all workers; every one of them calls it equally often.  False: the sweep ends, for an
 * error before this meeting or because it was told to stop.
 */
bool lsi_sweep_barrier(struct lsi_sweep_worker *);

/*
 * Note a violation, before the next meeting; false.  Nodes are ranks of the plan, -1 where there is
 * none; texts name nodes by lsi_sweep_host_rank.
 */
struct lsi_sweep_fault {
	int kind;
	int64_t node, peer, step;
	const char *operation; /* NULL: none */
};
bool lsi_sweep_report(struct lsi_sweep_worker *, struct lsi_sweep_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* For progress, and whether to hurry to the next meeting; to be asked every so many nodes. */
enum { LSI_SWEEP_POLL_NODES = 2048 };
bool lsi_sweep_poll(struct lsi_sweep_worker *);

/* A worker's part of n things in order. */
struct lsi_sweep_part {
	int64_t begin, end;
};
static inline struct lsi_sweep_part lsi_sweep_part_of(const struct lsi_sweep_worker *w, int64_t n)
{
	const int64_t workers = w->sweep->workers, i = w->number;

	return (struct lsi_sweep_part){ n / workers * i + n % workers * i / workers,
		n / workers * (i + 1) + n % workers * (i + 1) / workers };
}

/* n pieces of so many bytes, from a cache line on; NULL: they are only counted. */
void *lsi_memory_layout_take(struct lsi_memory_layout *, size_t n, size_t bytes);

/* The node of the network on which a node of the plan is. */
static inline int64_t lsi_sweep_host_rank(const struct lsi_sweep_state *s, int64_t rank)
{
	return s->request.embedding && rank >= 0 ? ls_embedding_host_rank(s->request.embedding, rank)
											 : rank;
}

/* ---- sweep_node.c: the reference path */

/* One step of this worker's nodes, one meeting; false: the sweep ends. */
bool lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);

/* ---- sweep_stage.c: the fast path */

/*
 * Bytes that the fast path takes in all, and for each worker; asked when lanes, workers and mode
 * are known, but not yet in memory.  Then it is made, where `memory` has the first, and released
 * also after a failure.
 */
size_t lsi_sweep_fast_bytes(struct lsi_sweep_state *);
size_t lsi_sweep_worker_table_bytes(const struct lsi_sweep_state *);
int lsi_sweep_fast_make(struct lsi_sweep_state *, char *memory);
void lsi_sweep_fast_release(struct lsi_sweep_state *);
/*
 * Execute, with all meetings that it takes, the stage that begins with this step: the next step;
 * `step` itself: not one for the fast path, nothing was done; -1: the sweep ends.  All workers
 * answer alike.
 */
int64_t lsi_sweep_stage(struct lsi_sweep_worker *, int64_t step);

#endif
