/*
 * Sweep: executes one collective operation of a whole machine without a thread for each node.
 *
 * A few worker threads execute the steps of all nodes, round by round.  So machines of millions of
 * nodes run on real data.  Messages, counts, traces and results equal those of ls_run.  In each
 * round the sweep checks ports, links, and that each send matches a receive.  Fingerprints of the
 * contributions follow the data through the plan; at the end they prove each result.
 *
 * Operands and results are arrays with a row for each node, or callbacks produce and consume single
 * rows.
 *
 * In a world of several processes, all of them call ls_sweep_run with equal arguments, except for
 * buffers, callbacks, workers and memory.  Each executes its local nodes (ls_first_rank), and has
 * memory, rows and callbacks for these only.  All return the same status and error.
 */
#ifndef LOCKSTEP_SWEEP_H
#define LOCKSTEP_SWEEP_H

#include <lockstep/embedding.h>
#include <lockstep/machine.h>
#include <lockstep/world.h>

LS_BEGIN_DECLS

/* Progress of a sweep, in all processes. */
struct ls_sweep_progress {
	int64_t rounds, rounds_total;     /* completed; of the plan */
	int64_t messages, messages_total; /* sent; predicted */
	double seconds;                   /* since the start */
};

/* Set size to the size of the struct, and plan.  Zero in any other field selects its default. */
struct ls_sweep {
	size_t size;
	const ls_plan *plan;
	size_t count; /* m elements, as in struct ls_request */
	ls_type type; /* default double */
	ls_op op;     /* default sum; the claim of the plan must be strong enough for it */

	/*
	 * Row r, at r * stride bytes, is INPUT (OUTPUT) of node r, in the form of the operation (enum
	 * ls_buffer_form).  A buffer that only the root has is row 0.  If the plan is in place, the
	 * rows of the results also hold the operands.  Stride 0: rows are contiguous.  In a world, row
	 * 0 is that of the first local node; a process without the root may leave out its buffers.
	 * Unless the plan is in place, the rows of operands and results do not overlap.
	 */
	const void *input; /* NULL: `make` produces it */
	void *output;      /* NULL: only `take` gets the results */
	size_t input_stride, output_stride;

	/*
	 * make: write elements first .. first+n-1 of the INPUT of node `rank`.  Calls with equal
	 * arguments must write equal elements.  take: read the whole OUTPUT of node `rank`; called once
	 * for each node with a result; a non-zero value ends the sweep.  Several workers call both at
	 * once.
	 */
	void (*make)(void *context, int64_t rank, size_t first, size_t n, void *into);
	int (*take)(void *context, int64_t rank, const void *result);
	void *context;

	int workers;       /* default: one for each core of this process, at most one for each node */
	enum ls_bind bind; /* of the workers */
	bool strict;       /* routed mode: two messages on a link in one round are an error */
	uint64_t order;    /* seed of a random order of nodes in each round; 0: in rank order */
	size_t memory;     /* bytes that the sweep may allocate; 0: no limit */
	/* Not NULL: the plan is for the guest; messages use links and routes of the host, in `mode`. */
	const ls_embedding *embedding;
	enum ls_mode mode;

	/*
	 * Called for every message, by one thread at a time; sorted by round, then src (host ranks).
	 * In a world, process 0 alone calls it, for the messages of all processes.
	 */
	void (*trace)(void *context, const struct ls_record *);
	void *trace_context;
	/*
	 * Called about ten times per second, by the calling thread; a non-zero value ends the sweep, in
	 * all processes.
	 */
	int (*progress)(void *context, const struct ls_sweep_progress *);
	void *progress_context;
	ls_world *world; /* NULL: one process; a world serves one sweep at a time */
};

struct ls_sweep_result {
	size_t size;
	struct ls_stats stats; /* of the completed rounds; the library sets its size */
	int workers;           /* of all processes */
	/*
	 * true: fingerprints prove that each result has all its contributions.  false: the sweep
	 * failed, or the plan has no contents (ls_plan_from_messages), or it is idempotent with more
	 * than 64 nodes: then only the contributions of 64 random nodes were checked.
	 */
	bool proved;
	size_t memory;             /* bytes that the sweep needs, in the process that needs most */
	double seconds;            /* of the rounds */
	double seconds_total;      /* including operands and proof */
	struct ls_error error;     /* kind LS_OK: none; the library sets its size */
	int64_t crossing_messages; /* messages between nodes of different processes */
	int64_t crossing_bytes;    /* their part of stats.bytes */
	int64_t crossing_rounds;   /* that have such messages */
};

/*
 * Run a sweep on worker threads of its own, and wait for its end.  One worker without `progress` is
 * the calling thread.
 *
 * Shape      The caller sets out->size.  The result is written even if the call fails.
 * Owns       All buffers stay the caller's.  output is complete only after LS_OK.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     no plan; elements, but neither input nor `make`; rows too short,
 *                                too far apart or overlapping; a number is out of range
 *            LS_ERR_UNSUPPORTED  the operator needs a stronger claim than the plan makes
 *            LS_ERR_MEMORY       the sweep needs more than `memory` or the memory of the system;
 *                                nothing was run
 *            LS_ERR_THREADS      a worker could not be started; nothing was run
 *            LS_ERR_PORT, LS_ERR_LINK, LS_ERR_MATCH, LS_ERR_UNTAKEN, LS_ERR_CONGESTION
 *                                the first broken law: lowest round, then lowest rank
 *            LS_ERR_LAW          a result lacks a contribution, or has a wrong one
 *            LS_ERR_BUSY         the world has another run or sweep, see ls_run
 *            LS_ERR_LEFT         another process has closed its world
 *            LS_ERR_STOPPED      take or progress ended the sweep, or processes cannot communicate
 */
LS_API LS_MUST_CHECK int ls_sweep_run(const struct ls_sweep *, struct ls_sweep_result *out);

/*
 * The bytes that a sweep needs, without stacks and the caller's rows; in a world, those of this
 * process, without the messages of a round that cross, for which see docs/large-machines.md.
 * SIZE_MAX if they exceed a size_t; 0 if ls_sweep_run would fail with LS_ERR_ARGUMENT or
 * LS_ERR_UNSUPPORTED for another reason than its operands: neither input nor `make` need be set.
 */
LS_API size_t ls_sweep_memory(const struct ls_sweep *);

LS_END_DECLS
#endif
