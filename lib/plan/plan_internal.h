/*
 * The contents of a plan: the problem that it solves, the algorithm that yields its steps, and the
 * frame, which states its rounds and buffers.
 *
 * An algorithm states for each round which nodes exchange which blocks.  It knows no thread,
 * buffer, lock or error, and only `prepare` may allocate.  Its functions number the rounds 0 ..
 * rounds-1:
 *
 *     -1           0 .. rounds-1                rounds
 *     prologue     the rounds                   epilogue
 *     (local)      peers, shape, body           (local)
 *
 * A plan has a local step before its rounds if frame.has_prologue, and one after them if
 * frame.has_epilogue.  In these steps only `body` is called, with the rank as the shape.  An
 * algorithm with local steps between its rounds provides `is_local` and sets frame.locals; its
 * functions then get the number of the step, 0 .. rounds+locals-1, in place of the round.
 *
 * A machine of one node does not call the algorithm.  Its plan is one local step that copies INPUT
 * to OUTPUT; for an exscan the step does nothing.
 *
 * in_place changes neither the peers of a node nor the length of a message.  So the root of a
 * rooted operation may be in place alone; in_place then changes nothing at the other nodes.
 */
#ifndef LSI_PLAN_PLAN_INTERNAL_H
#define LSI_PLAN_PLAN_INTERNAL_H

#include <lockstep/plan.h>

#include "base/atomic.h"

extern const struct ls_operation_info lsi_operations[LS_OPERATIONS];

static inline bool lsi_operation_combines(enum ls_operation operation)
{
	return lsi_operations[operation].combines;
}

/*
 * Formulas overflow if all messages with n elements have too many words for an int64_t.  They may,
 * and they do by the counts of LSI_SAMPLE elements: words grow with n.
 */
enum { LSI_SAMPLE = 1 << 16 };
bool lsi_counts_may_overflow(int64_t nodes, size_t n);
bool lsi_counts_overflow(struct ls_counts of_sample, int64_t nodes, size_t n);
/* Whether the words of all messages with n elements can be counted in an int64_t. */
bool lsi_plan_is_countable(const struct ls_plan *, size_t n);

/* Can the operation combine with the operator on the type?  LS_OK, or LS_ERR_ARGUMENT. */
int lsi_op_check(enum ls_operation, ls_op, ls_type, struct ls_error *why_or_null);

/* Whether a result has several contributions; those of a barrier are empty. */
static inline bool lsi_operation_adds(enum ls_operation operation)
{
	return lsi_operation_combines(operation) || operation == LS_BARRIER;
}

static inline bool lsi_operation_is_vector(enum ls_operation operation)
{
	return lsi_operations[operation].input == LS_VECTOR;
}

static inline bool lsi_operation_is_rooted(enum ls_operation operation)
{
	return lsi_operations[operation].from_root || lsi_operations[operation].at_root;
}

/* The weakest claim that suffices for an operator; stronger ones have larger numbers. */
enum ls_claim lsi_claim_required(ls_op);

/* Whether INPUT is one block and OUTPUT one per node, as in an all-gather; and the reverse. */
static inline bool lsi_operation_gathers(enum ls_operation operation)
{
	return lsi_operations[operation].input == LS_BLOCK
		&& lsi_operations[operation].output == LS_BLOCKS;
}

static inline bool lsi_operation_scatters(enum ls_operation operation)
{
	return lsi_operations[operation].input == LS_BLOCKS
		&& lsi_operations[operation].output == LS_BLOCK;
}

/* The constants of the default choice: cost of a round, and of a byte of its longest message. */
enum { LSI_STARTUP = 1000, LSI_PER_BYTE = 1 };

/*
 * The least level (struct lsi_algorithm) of a composition whose parts are other operations, such as
 * scatter and all-gather for a broadcast.
 */
enum { LSI_LEVEL_FORM = 3 };

#define LSI_FOR(OPERATION) (1u << (OPERATION))

/* All that a plan depends on. */
struct lsi_problem {
	const struct ls_topology *topology;
	int64_t nodes;
	enum ls_operation operation;
	enum ls_mode mode;
	int64_t root, shift, segments;
	int ports;
	bool in_place;
};

/* The request of a problem, for any algorithm. */
static inline struct ls_request lsi_problem_request(const struct lsi_problem *problem)
{
	return (struct ls_request){ .size = sizeof(struct ls_request),
		.topology = problem->topology,
		.operation = problem->operation,
		.mode = problem->mode,
		.root = problem->root,
		.shift = problem->shift,
		.ports = problem->ports,
		.in_place = problem->in_place };
}

/*
 * A scratch buffer of `slots` blocks.  Block i has the length of logical block (i / each) mod B,
 * where B is the frame's `blocks`, and lies in slot i mod slots.  If slots == B * each, without an
 * `order`, each slot has exactly this length; else all are as wide as the widest block:
 *
 *     lengths 3 3 2, each 1     slots 3   | 0   | 1   | 2 |
 *                               slots 2   | 0, 2 | 1   |       both of length 3
 */
struct lsi_scratch {
	int64_t slots, each;
};

struct lsi_frame {
	int64_t rounds;
	int64_t blocks; /* logical blocks: B of the vector operations; 1 of a shift; else p */
	bool has_prologue, has_epilogue; /* a local step before, after the rounds */
	bool out_of_memory;              /* there was no memory to find the rest */
	int64_t locals;                  /* local steps, where the algorithm gives is_local */
	struct lsi_scratch scratch[LS_SCRATCH_BUFFERS];
	const int64_t *order; /* in plan->table: scratch block i is as long as logical block order[i] */
};

/* Whether each slot has the length of its block; else all slots are as wide as the widest. */
static inline bool lsi_scratch_is_measured(
	const struct lsi_frame *frame, const struct lsi_scratch *scratch)
{
	return !frame->order && scratch->slots == frame->blocks * scratch->each;
}

/* The peers of a node in a round, by port; LS_NO_RANK: no message. */
struct lsi_peers {
	int64_t to[LS_PORTS], from[LS_PORTS];
};

/* Slots of a scratch buffer that a node uses. */
struct lsi_window {
	int64_t first, count;
};

/* What an engine keeps with a plan for its next call. */
struct lsi_plan_state {
	void (*destroy)(struct lsi_plan_state *);
};

struct ls_plan {
	struct lsi_problem problem;
	const struct lsi_algorithm *algorithm;
	struct lsi_frame frame;
	bool is_copy; /* one node copies its operand; the functions of the algorithm are not called */
	void *table;  /* the data that prepare made */
	LSI_ATOMIC(struct lsi_plan_state *) kept; /* NULL: none, or a call uses it */
};

/*
 * How the numbers that a slice lists become blocks, seen from the node `by` of the slice: each
 * number stands for `width` blocks, of which the j-th is block(map, by, number, j).  An algorithm
 * embeds the map as the first member of its own data in plan->table.
 */
struct ls_block_map {
	int64_t width;
	int64_t (*block)(const struct ls_block_map *, int64_t by, int64_t number, int64_t j);
};

/* The round in which a node of a broadcast tree receives, and the sender. */
struct lsi_receive_at {
	int64_t round, from; /* the root: -1, LS_NO_RANK */
};

/* The tree edge that a node uses in a round. */
struct lsi_edge {
	int64_t peer; /* LS_NO_RANK: idle in this round */
	bool up;      /* the peer is the parent, not a child */
	bool last;    /* in the broadcast the node sends to no child in a later round */
};

/*
 * An algorithm along one tree, with one port.  Every message passes between a node and its parent.
 * It passes in the round of the broadcast in which the node receives, or in the round that mirrors
 * it.  Agrees with `peers` and `shape`.
 */
struct lsi_single_tree {
	struct lsi_receive_at (*receives)(const struct ls_plan *, int64_t rank);
	/* Whether messages go to the parents in this round; *broadcast_round: the one it mirrors. */
	bool (*moves_up)(const struct ls_plan *, int64_t round, int64_t *broadcast_round);
	/* The shape of a node whose edge is known. */
	int64_t (*shape)(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
};

/*
 * Optional statements of an algorithm about many nodes at once, for readers of whole machines: the
 * sweep engine and the layout of scratch memory.  They save time or memory and change no result.
 */
struct lsi_whole_machine {
	/*
	 * The number of ranks after which a round repeats; it divides the number of nodes.  Peers lie
	 * in the same aligned block of that many ranks.  Nodes at the same offset of two blocks have
	 * peers at the same offset and the same shape; in a local step they have the same body.
	 * NULL: no round repeats.
	 */
	int64_t (*period)(const struct ls_plan *, int64_t round);
	/*
	 * The peers and shapes of `count` nodes from `first` on, in a round in which every node sends
	 * to and receives from one peer on port 0.  Returns false in any other round.
	 */
	bool (*exchanges)(const struct ls_plan *, int64_t first, int64_t count, int64_t round,
		int64_t *peer, int64_t *shape);
	const struct lsi_single_tree *tree; /* NULL: not along one tree */
	/* The slots of scratch k that this node touches; only they get memory.  NULL: all. */
	struct lsi_window (*window)(const struct ls_plan *, int64_t rank, int k);
};

/*
 * One algorithm; the head comment explains its rounds.  Two fields state the least number of rounds
 * that any algorithm of this operation needs: `bound` is a formula, as text for people, and
 * `lower_bound` computes the number for one problem.  The tools print both, and the gap to
 * `rounds`.
 */
struct lsi_algorithm {
	const char *name;     /* what users type */
	const char *networks; /* text: "ring:P, linear:P" */
	const char *rounds;   /* text: "n(n-1)/2" */
	const char *bound;    /* text; NULL: none known */
	const char *source;   /* text: paper, equation or algorithm number */
	uint32_t operations;  /* LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER) */
	enum ls_claim claim;
	bool identical; /* all nodes evaluate the same expression */
	bool nodup;     /* no node receives a contribution twice */
	bool teaching;  /* never chosen by default */
	bool general;   /* serves every topology; the default only where nothing else serves */
	int level;      /* of a plan made of plans: above the level of each part; else 0 */

	/* Whether it can solve the problem: network, mode, ports, in_place. */
	bool (*supports)(const struct lsi_problem *);
	struct lsi_frame (*frame)(const struct lsi_problem *);
	/* The peers of a node in a round; all entries arrive as LS_NO_RANK. */
	void (*peers)(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
	/* Nodes of one shape have the same body in this round.  NULL: the shape is the rank. */
	int64_t (*shape)(const struct ls_plan *, int64_t rank, int64_t round);
	/* The blocks that a node sends, receives and moves; the step arrives cleared. */
	void (*body)(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);
	/* Counts by formulas, not by the steps: law 6 compares both.  Rounds < 0: out of memory. */
	struct ls_counts (*predict)(const struct lsi_problem *, size_t n);
	/*
	 * Optional, where predict computes a schedule: counts by formulas that predict never goes
	 * below.  The choice then computes no schedule that could not be the cheapest.
	 */
	struct ls_counts (*predict_least)(const struct lsi_problem *, size_t n);
	int64_t (*lower_bound)(const struct lsi_problem *); /* NULL, or negative: none known */

	/* Optional: allocate (base/alloc.h) and fill plan->table; LS_OK or LS_ERR_MEMORY. */
	int (*prepare)(struct ls_plan *);
	/* Optional: free the table, also after a failed prepare.  NULL: lsi_free does. */
	void (*release)(struct ls_plan *);
	/* Optional: whether a step is local, where local steps lie between rounds. */
	bool (*is_local)(const struct ls_plan *, int64_t step);
	/* Optional: the parts of a plan that is made of plans; as ls_plan_part. */
	bool (*part)(const struct ls_plan *, size_t index, struct ls_plan_part *);
	/* Optional: the counts of a finished plan, where predict is inexact for some n. */
	struct ls_counts (*predict_exactly)(const struct ls_plan *, size_t n);
	const struct lsi_whole_machine *whole; /* NULL: no statements; see lsi_whole_machine_of */
};

/* algorithm->whole, or one without any field set. */
static inline const struct lsi_whole_machine *lsi_whole_machine_of(
	const struct lsi_algorithm *algorithm)
{
	static const struct lsi_whole_machine nothing;

	return algorithm->whole ? algorithm->whole : &nothing;
}

/* Make the plan of an algorithm; the problem is complete and supported.  LS_OK or LS_ERR_MEMORY. */
int lsi_plan_make_from(
	const struct lsi_algorithm *, const struct lsi_problem *, struct ls_plan **out);

/* The counts of a plan, message by message. */
struct ls_counts lsi_plan_count(const struct ls_plan *, size_t n);

/* The peers of a node in a step; false for a local step, all peers then LS_NO_RANK. */
bool lsi_plan_peers(const struct ls_plan *, int64_t rank, int64_t step, struct lsi_peers *out);

/* The slots of scratch k that a node uses; {0, slots} unless the algorithm states fewer. */
struct lsi_window lsi_plan_window(const struct ls_plan *, int64_t rank, int k);

/* n elements cut into B blocks, of which the first n mod B are longer by 1: length, offset of b. */
static inline size_t lsi_cut_length(size_t n, int64_t B, int64_t b)
{
	return n / (size_t)B + ((size_t)b < n % (size_t)B);
}

static inline size_t lsi_cut_offset(size_t n, int64_t B, int64_t b)
{
	const size_t rest = n % (size_t)B;

	return (size_t)b * (n / (size_t)B) + ((size_t)b < rest ? (size_t)b : rest);
}

/*
 * How long blocks are.  The vector operations cut n elements into B blocks; in the others each
 * block has n elements, or counts[logical block] where counts differ.  All-to-all: counts[d]
 * elements go to node d, counts[p + s] come from node s; such a plan has no scratch.
 */
struct lsi_measure {
	size_t n;
	const size_t *counts;  /* NULL: equal */
	const size_t *offsets; /* offsets[b]: sum of the counts before b; all-to-all: in each half */
};

/*
 * Blocks of a buffer that is not ARRIVAL, and the logical block whose length block i has at a node.
 * The latter is always 0 in an all-to-all or a shift: without counts their blocks have one length;
 * lsi_buffer_length looks counts up by block.
 */
int64_t lsi_buffer_blocks(const struct ls_plan *, int buffer);
int64_t lsi_buffer_label(const struct ls_plan *, int64_t rank, int buffer, int64_t block);
/* Elements of block i at a node, elements before it in its buffer, and elements of the buffer. */
size_t lsi_buffer_length(
	const struct ls_plan *, int64_t rank, int buffer, int64_t block, const struct lsi_measure *);
size_t lsi_buffer_offset(
	const struct ls_plan *, int buffer, int64_t block, const struct lsi_measure *);
size_t lsi_buffer_size(
	const struct ls_plan *, int64_t rank, int buffer, const struct lsi_measure *);
/* Capacity of a slot of a scratch buffer, in elements. */
size_t lsi_slot_width(const struct ls_plan *, int buffer, int64_t slot, const struct lsi_measure *);
/* Elements of all blocks of a slice of a node's buffers. */
size_t lsi_slice_words(
	const struct ls_plan *, int64_t rank, const struct ls_slice *, const struct lsi_measure *);

#endif
