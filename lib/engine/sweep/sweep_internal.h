/*
 * The internal interface of the sweep engine.
 *
 * All workers run the same code.  They execute the plan in stages.  A stage is one step, or several
 * consecutive steps whose messages stay inside aligned blocks of ranks that fit into a cache.  In a
 * stage, each worker executes its own nodes; a barrier separates stages.
 *
 * A node reads a message directly from the memory of its sender.  By law 4, no move of the step
 * overwrites that memory; so nodes may run in any order and on any worker.  Only the barriers order
 * the memory accesses of the workers.
 *
 * Whoever sweeps one plan again and again, with operands and results at addresses of each node,
 * calls ls_sweep_run with `make` and `take`: `make` copies from the address of a local node, and
 * `take` copies to it.  With one worker and without `progress` no thread starts.  The memory of a
 * sweep and the tables of a small plan stay for the next call (kept_memory.h, fast/kept_tables.h).
 * So a later call only moves data; in several processes it agrees three times.
 *
 * There are two paths.  The reference path executes any step of any plan, node by node, and names
 * the node that breaks a rule.  The fast path executes steps of single blocks on one port, many
 * nodes at a time: 26 ns per message instead of 600 (all-reduce on star:9, one worker).  It only
 * detects that a step is not suitable or breaks a rule; the reference path then executes the step.
 *
 *   sweep_run.c           starts and joins workers, reports progress
 *   sweep_request.c       checks a request
 *   sweep_barrier.c       the barrier of the workers, the first violation
 *   sweep_work.c          one worker: operands, stages, trace, results
 *   kept_memory.c         memory, some of which stays for the next sweep
 *   sweep_payload.c       the layout of the buffers of all nodes, and their bytes
 *   sweep_fingerprints.c  the proof of results
 *   sweep_rules.c         the rules of messages and their texts
 *   sweep_node.c          reference path: one step of any plan, node by node
 *   sweep_moves.c         reference path: the moves of a node
 *   sweep_messages.c      one step of a plan without contents
 *   sweep_agree.c         what the processes of a world agree on
 *   sweep_exchange.c      messages between processes
 *   process_wait.c        waits for other processes
 *   fast/                 the fast path; see fast/sweep_fast.h
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_INTERNAL_H
#define LSI_ENGINE_SWEEP_SWEEP_INTERNAL_H

#include <lockstep/sweep.h>

#include <pthread.h>

#include "base/atomic.h"
#include "engine/sweep/kept_memory.h"
#include "op/op_internal.h"
#include "plan/plan_from_messages.h"
#include "world/agreement.h"

/*
 * The location of a buffer's blocks.  Block b of node r is at
 *
 *     base + r * by_rank + begin[r] + (b mod slots) * by_block     where by_block > 0
 *     base + r * by_rank + begin[r] + the plan's offset of b       where by_block is 0
 *
 * Only local nodes have memory; base and begin are where the row of rank 0 would be.
 *
 * by_block is > 0 if all blocks have the same length.  In columns, by_rank is the length of a
 * block, so block b of consecutive nodes is one piece of memory.  In rows, by_block is the length
 * of a block.  by_rank is 0 if only the root has the buffer.  base is NULL for an INPUT that is
 * computed when it is read.
 *
 * Three nodes with two blocks each, (node, block):
 *
 *     rows      (0,0) (0,1) | (1,0) (1,1) | (2,0) (2,1)      a node's buffer is one piece
 *     columns   (0,0) (1,0) (2,0) | (0,1) (1,1) (2,1)        block b of all nodes is one piece
 */
struct lsi_sweep_buffer {
	char *base;
	size_t by_rank, by_block;
	int64_t slots;
	const int64_t *begin; /* bytes, if the rows are irregular; NULL: all 0 */
};

/* The same functions lay out memory twice: once to count bytes, then in the allocated memory. */
struct lsi_memory_layout {
	char *memory; /* NULL: count only */
	size_t used;  /* SIZE_MAX: overflow */
};

struct lsi_sweep_state;

/* The values on which the plan is executed: the data, or the fingerprints. */
struct lsi_payload {
	const struct ls_plan *plan;
	struct lsi_operator combine; /* `size` is always set; the kernel only if the plan combines */
	struct lsi_measure measure;  /* fingerprints: one element per block */
	bool uniform;                /* all blocks have `length` elements in `bytes` bytes */
	size_t length, bytes;        /* 0 if the lengths differ, or if no data moves */
	struct lsi_sweep_buffer buffer[LS_BUFFERS];
	/*
	 * Compute block `block` of INPUT for the nodes rank .. rank+n-1, one after another.  Needed if
	 * buffer[LS_INPUT].base is NULL; in place, it fills INPUT before the first step.
	 */
	void (*make)(
		const struct lsi_sweep_state *, int64_t rank, int64_t n, int64_t block, void *into);
};

enum { LSI_PAYLOAD_DATA, LSI_PAYLOAD_FINGERPRINTS, LSI_PAYLOADS };

static inline char *lsi_payload_at(
	const struct lsi_payload *payload, int64_t rank, int buffer, int64_t block)
{
	const struct lsi_sweep_buffer *b = &payload->buffer[buffer];
	char *begin = b->base + (size_t)rank * b->by_rank + (b->begin ? b->begin[rank] : 0);

	if (b->by_block == 0)
		return begin
			+ payload->combine.size
			* lsi_buffer_offset(payload->plan, buffer, block, &payload->measure);
	return begin + (size_t)(block < b->slots ? block : block % b->slots) * b->by_block;
}

/*
 * A message of a step whose ends are in different processes, seen from its local end.  `stream` is
 * the stream of sweep_exchange.h that carries it; its blocks have the numbers at .. at+blocks-1 in
 * the stream.
 */
struct lsi_crossing {
	int64_t node, peer; /* the local end, and the other one */
	int64_t blocks, at;
	int send_port, receive_port; /* the latter for arrivals only */
	struct lsi_sweep_stream *stream;
};
struct lsi_crossings {
	struct lsi_crossing *item;
	int64_t n, room;
};

/* The state of one worker.  Others read it after a barrier, and messages_published at any time. */
struct lsi_sweep_worker {
	struct lsi_sweep_state *sweep;
	pthread_t thread;
	int number;
	int64_t first, last;                       /* its nodes: first .. last-1 */
	int64_t barriers;                          /* barriers that this worker has passed */
	int64_t messages, words, bytes;            /* sent by its nodes */
	int64_t crossing_messages, crossing_bytes; /* those to other processes */
	int64_t load;                              /* largest number of messages on a link */
	/*
	 * By parity of `barriers`: sends minus receives of its nodes.  Without contents: -1 if a node
	 * waits forever, else 0.
	 */
	int64_t unmatched[2];
	bool crowded[2]; /* by parity of `barriers`: two messages of a step use the same link */
	LSI_ATOMIC(int64_t) messages_published; /* for reports of progress */
	char *scratch;                          /* memory of this worker */
	char *tables;      /* tables of the fast path, of lsi_sweep_worker_table_bytes */
	int64_t *shuffled; /* its nodes in random order */
	struct lsi_crossings departures, arrivals; /* messages of a step between processes */
} __attribute__((aligned(64)));

struct lsi_sweep_fast;
struct lsi_sweep_exchange;

struct lsi_sweep_state {
	struct ls_sweep request; /* with all defaults filled in */
	const struct ls_plan *plan;
	const char *operation; /* name in texts; NULL: a plan without contents */
	const struct lsi_message_index *message_index; /* NULL: the plan has contents */
	const struct ls_topology *topology; /* the network of the messages; an embedding's host */
	enum ls_mode mode;
	int64_t nodes, steps;
	int64_t first, last; /* local nodes: all nodes, unless there are several processes */
	int64_t unit;        /* the first ranks of all processes are multiples of it */
	int64_t most_local;  /* nodes of the process that has most */
	int most_workers;    /* of a process; 1 until several processes agree on it */
	bool traced;         /* a process traces the messages */
	ls_world *world;     /* NULL: one process */
	struct lsi_sweep_exchange *exchange; /* NULL: one process */
	bool columns; /* the layout of the buffers that the sweep allocates is columns, else rows */
	struct lsi_payload payload[LSI_PAYLOADS];
	char *sums;          /* sums of fingerprints, by worker and block */
	uint64_t seed;       /* seed of the fingerprints */
	int64_t sampled[64]; /* idempotent plans, by bit of a fingerprint: the rank that sets it */
	struct lsi_sweep_fast *fast; /* NULL: no step of the plan suits the fast path */

	struct lsi_sweep_memory memory; /* all buffers and tables */
	size_t bytes, cleared;          /* wanted bytes of `memory`; those that are initially zero */
	size_t scratch_bytes;           /* of the scratch memory of one worker */
	LSI_ATOMIC(uint64_t)
	*load; /* routed mode, per link: step + 1 in the upper half, messages in the lower half */
	uint64_t *load_sums; /* several processes: the sums over all, per link */

	int workers;
	struct lsi_sweep_worker *worker;
	bool may_spin;                                 /* each worker has its own core */
	LSI_ATOMIC(uint32_t) arrived, epoch, sleepers; /* see sweep_barrier.c */
	LSI_ATOMIC(int64_t) rounds;                    /* rounds that are over */
	uint64_t began;                                /* ns of lsi_now_ns */
	int64_t messages_total;                        /* predicted, for reports of progress */
	double seconds;                                /* time spent in rounds */
	LSI_ATOMIC(bool) stopping;                     /* the caller ends the sweep */
	bool uses_world;                               /* see world/use.h */
	bool broken;                                   /* the processes can agree on nothing more */
	LSI_ATOMIC(bool) stop_wanted; /* several processes: the caller asks all of them to stop */

	/* The first violation, by step, then rank.  failed: 1 + the barriers before it; 0: none. */
	pthread_mutex_t mutex;
	pthread_cond_t change;
	int phase;                /* see sweep_run.c */
	bool working;             /* the workers work: only they call the transport */
	int left;                 /* workers that have ended */
	int64_t step, error_rank; /* of the first violation; step -1: before the first step */
	struct ls_error error;
	LSI_ATOMIC(int64_t) failed;
};

/* ---- Shared by all parts */

/*
 * Wait for all workers; all of them make the same calls.  False: the sweep ends, because of an
 * error before this barrier, or because the caller stops it.
 */
bool lsi_sweep_barrier(struct lsi_sweep_worker *);

/*
 * Report a violation before the next barrier; returns false.  Nodes are ranks of the plan, or
 * LS_NO_RANK; texts name nodes by lsi_sweep_host_rank.
 */
struct lsi_sweep_fault {
	int kind;
	int64_t node, peer, step;
	const char *operation; /* NULL: none */
};
bool lsi_sweep_report(struct lsi_sweep_worker *, struct lsi_sweep_fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Publish progress.  True: the caller must go to the next barrier at once.  Workers call it once
 * per LSI_SWEEP_POLL_NODES nodes.
 */
enum { LSI_SWEEP_POLL_NODES = 2048 };
bool lsi_sweep_poll(struct lsi_sweep_worker *);

/* The items begin .. end-1, of n items, that a worker handles. */
struct lsi_sweep_part {
	int64_t begin, end;
};
static inline struct lsi_sweep_part lsi_sweep_part_of(const struct lsi_sweep_worker *w, int64_t n)
{
	const int64_t workers = w->sweep->workers, i = w->number;

	return (struct lsi_sweep_part){ n / workers * i + n % workers * i / workers,
		n / workers * (i + 1) + n % workers * (i + 1) / workers };
}

/* The calling thread: report progress once per LSI_SWEEP_PROGRESS_NS, also while it waits. */
enum { LSI_SWEEP_PROGRESS_NS = 100000000 };
void lsi_sweep_report_progress(struct lsi_sweep_state *);

/* Take n * bytes bytes, aligned to a cache line.  NULL: they were only counted. */
void *lsi_memory_layout_take(struct lsi_memory_layout *, size_t n, size_t bytes);

/* The rank of the host node that executes a node of the plan; the same rank without embedding. */
static inline int64_t lsi_sweep_host_rank(const struct lsi_sweep_state *s, int64_t rank)
{
	return s->request.embedding && rank >= 0 ? ls_embedding_host_rank(s->request.embedding, rank)
											 : rank;
}

static inline bool lsi_sweep_is_local(const struct lsi_sweep_state *s, int64_t rank)
{
	return rank >= s->first && rank < s->last;
}

/* ---- Reference path: sweep_node.c */

/* Execute one step of this worker's nodes, and its barrier.  False: the sweep ends. */
bool lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);

/* ---- Fast path: fast/sweep_stage.c */

/*
 * Make s->fast, if the sweep suits the fast path.  Payloads, workers and mode must be set.
 * lsi_sweep_fast_release must follow, also after a failure.
 */
int lsi_sweep_fast_make(struct lsi_sweep_state *);
/*
 * The number of the sweep that made the tables which are kept with the plan; 0: none are.  When all
 * have started: use them, if they come from one sweep in all processes.
 */
int64_t lsi_sweep_fast_kept(const struct lsi_sweep_state *);
void lsi_sweep_fast_begin(struct lsi_sweep_state *, bool kept);
void lsi_sweep_fast_release(struct lsi_sweep_state *);
/* Lay out its memory: what must be zero, and the tables of stages and of workers. */
void lsi_sweep_fast_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
void lsi_sweep_fast_layout_tables(struct lsi_sweep_state *, struct lsi_memory_layout *);
/*
 * Execute the stage that begins with this step, and its barriers.  All workers return the same.
 *
 * Returns    the step after the stage
 *            `step`: the stage does not suit the fast path, and nothing was done
 *            -1: the sweep ends
 */
int64_t lsi_sweep_stage(struct lsi_sweep_worker *, int64_t step);

#endif
