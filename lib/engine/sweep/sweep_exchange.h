/*
 * Messages between processes: in each step, one stream per pair of processes and direction.
 *
 * Both ends find all messages that cross in the plan, so streams have no headers.  A stream holds
 * the blocks of its messages, sorted by sender, then port: first the data of all blocks, then their
 * fingerprints.
 *
 *     process 0 -> process 1      | 3 -> 5 | 3 -> 6 | 4 -> 5 |   data
 *                                 | 3 -> 5 | 3 -> 6 | 4 -> 5 |   fingerprints
 *
 * The streams of a step lie in one piece of memory.  A receiver reads a block there as it reads the
 * memory of a local sender.  The transport carries a stream in pieces of LSI_MESSAGE_BYTES.
 *
 * Worker 0 alone calls the transport.  It waits without blocking in it.
 *
 * The fast path exchanges the messages of a step in chunks, see fast/sweep_chunks.c; then a stream
 * is one chunk.
 *
 * A step on the reference path with several processes:
 *
 *     all workers   check the rules of their nodes, list the messages that cross, and execute the
 *                   moves of the nodes that receive none of them
 *     worker 0      gives each listed message its place in a stream, takes memory, and agrees with
 *                   the other processes that no rule is broken (sweep_agree.h)
 *     all workers   pack the messages that their nodes send
 *     worker 0      exchanges the streams
 *     all workers   execute the moves that are left
 *
 * By law 4, no move overwrites what its node sends in the step, so it may be packed after moves.
 */
#ifndef LSI_ENGINE_SWEEP_SWEEP_EXCHANGE_H
#define LSI_ENGINE_SWEEP_SWEEP_EXCHANGE_H

#include "engine/sweep/crossing_rounds.h"
#include "engine/sweep/process_wait.h"
#include "engine/sweep/sweep_rules.h"

enum { LSI_STREAM_PIECES = 2 }; /* of a stream at the same time under way */

/* What processes count, and sum in each agreement. */
enum {
	LSI_COUNT_MESSAGES,
	LSI_COUNT_WORDS,
	LSI_COUNT_BYTES,
	LSI_COUNT_CROSSING_MESSAGES,
	LSI_COUNT_CROSSING_BYTES,
	LSI_COUNT_WORKERS,
	LSI_COUNTS
};

struct lsi_sweep_stream {
	int64_t blocks; /* in this step */
	char *base;
	char *next; /* not yet passed to the transport: `left` bytes */
	size_t left;
	struct lsi_transfer piece[LSI_STREAM_PIECES];
};

struct lsi_sweep_exchange {
	int64_t *first_rank;               /* by process, and the number of nodes */
	struct lsi_sweep_stream *out, *in; /* by process at the other end */
	size_t width[LSI_PAYLOADS];        /* bytes of a block, of the longest if lengths differ */
	char *memory;                      /* of all streams: `bytes` bytes */
	size_t bytes;
	size_t lists;                 /* bytes of the lists of a step at most, on the fast path */
	struct lsi_crossing **sorted; /* arrivals of all workers, sorted by sender: room for `room` */
	int64_t room;
	lsi_step_mark *crossed;       /* by step */
	bool crosses;                 /* this process has messages that cross in this step */
	struct lsi_step_sums sums;    /* of a step, over all processes */
	int64_t accepted;             /* steps of a stage that all processes accept */
	uint64_t counts[LSI_COUNTS];  /* of all processes, at the last agreement */
	bool counted;                 /* there was an agreement */
	uint64_t agreed, longest;     /* when the last agreement was; the longest time between two */
	LSI_ATOMIC(int64_t) messages; /* sent by all processes before the last agreement */
};

/* Lay out s->exchange; one process has none. */
void lsi_exchange_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
void lsi_exchange_release(struct lsi_sweep_state *);

/* Add a message whose end `peer` is not local; the caller has set all fields but stream and at. */
bool lsi_exchange_add(
	struct lsi_sweep_worker *, struct lsi_crossings *, struct lsi_crossing, int64_t step);
/*
 * Worker 0, after a barrier: find the place of each message in its stream, and take memory.  False:
 * no memory; it is reported.
 */
bool lsi_exchange_prepare(struct lsi_sweep_worker *, int64_t step);
/* Worker 0: send and receive all streams.  False: the transport failed; it is reported. */
bool lsi_exchange_run(struct lsi_sweep_worker *);

/*
 * The parts of lsi_exchange_run: begin to send or receive the bytes of a stream; pass pieces to the
 * transport, and set *open to whether an operation is under way.  False: the transport failed; the
 * processes can agree on nothing more.
 */
void lsi_stream_begin(struct lsi_sweep_stream *, char *base, size_t bytes);
bool lsi_exchange_advance(struct lsi_sweep_state *, bool *open);
/* Worker 0: advance until all streams are complete.  False: the transport failed; reported. */
bool lsi_exchange_finish(struct lsi_sweep_worker *);

/* Whether the caller of the sweep lets it allocate these bytes besides its own. */
bool lsi_exchange_allows(const struct lsi_sweep_state *, size_t bytes);
/*
 * Worker 0: take memory for `bytes` bytes of streams, e->memory.  The caller will take `lists` more
 * bytes, for lists of the nodes at their ends.  False: no memory.
 */
bool lsi_exchange_reserve(struct lsi_sweep_state *, size_t bytes, size_t lists);

/* The bytes of a stream of `blocks` blocks; the address of block number `at` in a payload. */
size_t lsi_stream_bytes(const struct lsi_sweep_state *, int64_t blocks);
char *lsi_stream_at(
	const struct lsi_sweep_state *, char *base, int64_t blocks, int payload, int64_t at);

/* The process whose local nodes include this one. */
int lsi_exchange_process_of(const struct lsi_sweep_state *, int64_t rank);

#endif
