/*
 * Sweep: one collective operation of a whole machine, without threads for its nodes.
 *
 * A few workers step the plan of all nodes round by round, on the nodes' buffers as they lie in
 * memory; so machines of millions of nodes run on real data.  Messages, counts, traces and bits are
 * those of ls_run.  In every round the ports, the match of sends and receives and the links of all
 * nodes are checked; in the end each result is proved by a fingerprint of the contributions in it,
 * which goes through the plan beside the data.
 *
 * Operands and results are arrays, a row a node; or they are made and taken one by one, when they
 * would not fit all at once.
 */
#ifndef LOCKSTEP_SWEEP_H
#define LOCKSTEP_SWEEP_H

#include <lockstep/embedding.h>
#include <lockstep/machine.h>

LS_BEGIN_DECLS

/* How far a sweep has come. */
struct ls_sweep_progress {
	int64_t rounds, rounds_total;     /* ended; of the plan */
	int64_t messages, messages_total; /* sent; as the algorithm foresees */
	double seconds;                   /* since it began */
};

/* Zero means the default in every field but size and plan. */
struct ls_sweep {
	size_t size;
	const ls_plan *plan;
	size_t count; /* m elements, as in struct ls_request */
	ls_type type; /* double */
	ls_op op;     /* sum; its claim is the plan's, or weaker */

	/*
	 * Row r, at r * stride bytes, is node r's INPUT (OUTPUT): as many blocks of m elements, or
	 * vectors of m elements, as the operation says (plan.h).  Rows of a root's alone are row 0.
	 * Where the plan is in place, operands are given in the rows that they share with the results.
	 * A stride of 0: the rows lie densely.
	 */
	const void *input; /* NULL: made by `make` */
	void *output;      /* NULL: kept until `take` has seen it */
	size_t input_stride, output_stride;

	/*
	 * Make elements first .. first+n-1 of a node's INPUT; the same whenever it is asked.  Take the
	 * result of a node, its whole OUTPUT; other than 0 ends the sweep.  Each is called by several
	 * workers at once, take once for every node that has a result.
	 */
	void (*make)(void *context, int64_t rank, size_t first, size_t n, void *into);
	int (*take)(void *context, int64_t rank, const void *result);
	void *context;

	int workers;       /* the cores allowed, at most a worker a node */
	enum ls_bind bind; /* of the workers */
	bool strict;       /* routed: two messages on a link in one round: an error */
	uint64_t order;    /* other than 0: nodes of a round in a random order, its seed */
	size_t memory;     /* bytes that it may take; 0: no limit */
	/* The plan is one for the guest; links and routes are the host's, in this mode. */
	const ls_embedding *embedding;
	enum ls_mode mode;

	/* Every message, by one thread at a time, sorted by round, then src; of the host's nodes. */
	void (*trace)(void *context, const struct ls_record *);
	void *trace_context;
	/* Now and then, by the calling thread; other than 0 ends the sweep. */
	int (*progress)(void *context, const struct ls_sweep_progress *);
	void *progress_context;
};

struct ls_sweep_result {
	size_t size;
	struct ls_stats stats; /* of what was done; size is set by the call */
	int workers;
	bool proved;           /* every contribution in every result, by fingerprints; false: of 64
							  nodes drawn at random (idempotent plans) */
	size_t memory;         /* bytes that were planned */
	double seconds;        /* of the rounds */
	double seconds_total;  /* operands made and results proved included */
	struct ls_error error; /* size is set by the call; kind LS_OK: none */
};

/*
 * Run the sweep.  Blocks; its workers are threads of its own.
 *
 * Shape      out->size is set by the caller; all else is written, whatever is returned.
 * Owns       all stays the caller's; output is complete only after LS_OK.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     no plan, no input and no `make`, rows too short; error.text says
 *            LS_ERR_UNSUPPORTED  the plan's claim is weaker than the operator
 *            LS_ERR_MEMORY       more than `memory`, or than there is: nothing was run
 *            LS_ERR_THREADS      a worker could not be started: nothing was run
 *            LS_ERR_PORT, LS_ERR_LINK, LS_ERR_MATCH, LS_ERR_UNTAKEN, LS_ERR_CONGESTION
 *                                a node breaks the law: the first round, then the lowest rank
 *            LS_ERR_LAW          a result does not hold the contributions that it should
 *            LS_ERR_STOPPED      take or progress ended it
 */
LS_API LS_MUST_CHECK int ls_sweep_run(const struct ls_sweep *, struct ls_sweep_result *out);

/*
 * The bytes that a sweep takes, but for stacks; rows that are given not counted.  SIZE_MAX: too
 * many to be counted, and more than there is; 0: ls_sweep_run refuses what was asked.
 */
LS_API size_t ls_sweep_memory(const struct ls_sweep *);

LS_END_DECLS
#endif
