/*
 * A plan inside: the problem it solves, the algorithm that yields its steps, and the frame of its
 * buffers.
 *
 * An algorithm says who talks to whom about which blocks.  It knows no thread, buffer, lock or
 * error; only `prepare` may allocate.  Rounds are numbered 0 .. rounds-1 here.  A plan may have one
 * local step before them (round -1, when frame.has_prologue) and one after them (round == rounds,
 * when frame.has_epilogue); only `body` is called for those.  An algorithm with local steps
 * elsewhere gives `is_local`, states their number as frame.locals, and is asked by the number of
 * the step, 0 .. rounds+locals-1, in place of the round.  A machine of one node needs nothing from
 * an algorithm: its plan is one local step that copies INPUT to OUTPUT (exscan: does nothing).
 *
 * Counts, roots and whether a call is in place change no peer and no length of a message, so a
 * rooted operation may be in place at its root alone: `in_place` then changes nothing at the other
 * nodes.
 */
#ifndef LSI_PLAN_PLAN_INTERNAL_H
#define LSI_PLAN_PLAN_INTERNAL_H

#include <lockstep/plan.h>

extern const struct ls_operation_info lsi_operations[LS_OPERATIONS];

static inline bool lsi_operation_combines(enum ls_operation operation)
{
	return lsi_operations[operation].combines;
}

static inline bool lsi_operation_is_vector(enum ls_operation operation)
{
	return lsi_operations[operation].input == LS_VECTOR;
}

static inline bool lsi_operation_is_rooted(enum ls_operation operation)
{
	return lsi_operations[operation].from_root || lsi_operations[operation].at_root;
}

/* One block becomes one of each node's, as in an all-gather; the other way round. */
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

/* By which defaults are chosen: the start-up of a round, and a byte of its longest message. */
enum { LSI_STARTUP = 1000, LSI_PER_BYTE = 1 };

enum { LSI_LEVEL_FORM = 3 };

#define LSI_FOR(OPERATION) (1u << (OPERATION))

/* What a plan depends on. */
struct lsi_problem {
	const struct ls_topology *topology;
	int64_t nodes;
	enum ls_operation operation;
	enum ls_mode mode;
	int64_t root, shift, segments;
	int ports;
	bool in_place;
};

/*
 * A scratch buffer of `slots` blocks.  Block i has the length of logical block (i / each) mod B and
 * lies in slot i mod slots.  slots == B * each: the offsets of the operand itself.
 */
struct lsi_scratch {
	int64_t slots, each;
};

struct lsi_frame {
	int64_t rounds;
	int64_t blocks; /* logical blocks: B of the vector operations, else p; shift 1 */
	bool has_prologue, has_epilogue; /* a local step before, after the rounds */
	int64_t locals;                  /* local steps, where the algorithm gives is_local */
	struct lsi_scratch scratch[LS_SCRATCH_BUFFERS];
	const int64_t *order; /* the table's: block i of scratch is as long as block order[i] */
};

/*
 * Whether blocks of scratch lie at the offsets of the operand; else all slots are as wide as the
 * widest.
 */
static inline bool lsi_scratch_is_measured(
	const struct lsi_frame *frame, const struct lsi_scratch *scratch)
{
	return !frame->order && scratch->slots == frame->blocks * scratch->each;
}

struct lsi_peers {
	int64_t to[LS_PORTS], from[LS_PORTS];
}; /* LS_NO_RANK where idle */
/* Slots of a scratch buffer that a node uses. */
struct lsi_window {
	int64_t first, count;
};

struct ls_plan {
	struct lsi_problem problem;
	const struct lsi_algorithm *algorithm;
	struct lsi_frame frame;
	void *table; /* what prepare made */
};

/*
 * How the numbers of a slice become blocks: each listed number stands for `width` blocks, of which
 * the j-th is block(naming, by, listed, j).  Lives in plan->table, at the head of what it needs.
 */
struct ls_block_map {
	int64_t width;
	int64_t (*block)(const struct ls_block_map *, int64_t by, int64_t listed, int64_t j);
};

/*
 * Of a node in a broadcast along a tree: the round in which it hears, and of whom; the root: -1.
 * And its edge in a round: the peer, whether that is its parent, whether it tells none later.
 */
struct lsi_receive_at {
	int64_t round, from;
};
struct lsi_edge {
	int64_t peer; /* LS_NO_RANK: idle in this round */
	bool up;      /* the peer is the parent, not a child */
	bool last;    /* no child is told in a later round */
};

/*
 * What an algorithm along one tree, with one port, can say of all its messages at once: each passes
 * between a node and its parent, in the rounds that mirror or are the one in which the node hears
 * in a broadcast.  For readers that look at all nodes; it agrees with peers and shape.
 */
struct lsi_single_tree {
	struct lsi_receive_at (*hears)(const struct ls_plan *, int64_t rank);
	/* Whether messages go to the parents in this round, and the round of the broadcast. */
	bool (*gathers)(const struct ls_plan *, int64_t round, int64_t *told);
	/* The shape of a node whose edge is known. */
	int64_t (*shape)(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_edge);
};

struct lsi_algorithm {
	uint32_t operations; /* LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_BARRIER) */
	const char *name;
	const char *networks; /* for people: "ring:P, linear:P" */
	const char *rounds;   /* formula, for people: "n(n-1)/2" */
	const char *bound;    /* lower bound, for people; NULL: none known */
	const char *source;   /* paper, equation or algorithm number */
	enum ls_claim claim;
	bool identical; /* every node evaluates the same expression */
	bool nodup;     /* no node receives a contribution twice */
	bool teaching;  /* never chosen by default */
	/* Serves every topology: chosen by default only where nothing else does. */
	bool general;
	int level; /* made of algorithms of lower levels; 0: of none;
				  LSI_LEVEL_FORM: of any on the same network */

	/* Everything the algorithm needs of the problem: network, mode, ports, in_place. */
	bool (*supports)(const struct lsi_problem *);
	struct lsi_frame (*frame)(const struct lsi_problem *);
	/*
	 * Optional: fill plan->table (base/alloc.h); LS_OK or LS_ERR_MEMORY.  lsi_free releases it,
	 * unless the table owns more than one piece of memory: then `release`, also after a prepare
	 * that failed.
	 */
	int (*prepare)(struct ls_plan *);
	void (*release)(struct ls_plan *);
	/* Optional: whether a step is local; see above. */
	bool (*is_local)(const struct ls_plan *, int64_t step);
	/* Who talks to whom; every entry arrives as LS_NO_RANK. */
	void (*peers)(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
	/* Nodes of one shape have the same body in this round.  NULL: every rank is its own shape. */
	int64_t (*shape)(const struct ls_plan *, int64_t rank, int64_t round);
	/*
	 * Optional: ranks after which a round repeats.  It divides the number of nodes; peers lie in
	 * the aligned block of so many ranks that holds the node, and nodes at one place of two blocks
	 * have peers at one place, and one shape.  Asked also of a local step, by the number that body
	 * gets: there they have one body.  NULL: no round has a period but all nodes.
	 */
	int64_t (*period)(const struct ls_plan *, int64_t round);
	/*
	 * Optional: whom `count` nodes from `first` on exchange with, and their shapes, in a round in
	 * which each sends to and receives from one other on port 0; false: not such a round.
	 */
	bool (*exchanges)(const struct ls_plan *, int64_t first, int64_t count, int64_t round,
		int64_t *peer, int64_t *shape);
	const struct lsi_single_tree *tree; /* NULL: not along one tree */
	/* Optional: the parts of what is made of other plans; as ls_plan_part. */
	bool (*part)(const struct ls_plan *, size_t index, struct ls_plan_part *);
	/* What is sent, arrives and moves; the step arrives cleared. */
	void (*body)(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

	/* Optional: the slots of scratch k that this node touches; only they get memory.  NULL: all. */
	struct lsi_window (*window)(const struct ls_plan *, int64_t rank, int k);

	/*
	 * Formulas, written apart from the functions above; law 6 compares.  Rounds < 0: no memory to
	 * tell.
	 */
	/* NULL: law 6 is not claimed. */
	struct ls_counts (*predict)(const struct lsi_problem *, size_t n);
	/*
	 * Optional, where predict only comes near for some n: the same, exact, of a plan that is made.
	 */
	struct ls_counts (*predict_exactly)(const struct ls_plan *, size_t n);
	/* Least number of rounds any algorithm of this operation can take here; NULL: none known. */
	int64_t (*lower_bound)(const struct lsi_problem *);
};

/*
 * Make the plan of one algorithm; the problem is complete and supported.  Segments and operation
 * are kept in the problem, so equal problems give equal plans.
 */
int lsi_plan_make_from(
	const struct lsi_algorithm *, const struct lsi_problem *, struct ls_plan **out);

/* What a plan takes, message by message. */
struct ls_counts lsi_plan_count(const struct ls_plan *, size_t n);

/* Who talks to whom in a step; false for a local step (peers are then all LS_NO_RANK). */
bool lsi_plan_peers(const struct ls_plan *, int64_t rank, int64_t step, struct lsi_peers *out);

/* The slots of scratch k that a node uses; {0, slots} unless the algorithm says less. */
struct lsi_window lsi_plan_window(const struct ls_plan *, int64_t rank, int k);

/* Elements of logical block b of n elements cut into B, and where it begins (plan.md section 2). */
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
 * block has n elements, or counts[logical block] where counts differ.  All-to-all: counts[d] is
 * what this node sends to d, counts[p + s] what it receives of s; such a plan has no scratch.
 */
struct lsi_measure {
	size_t n;
	const size_t *counts;  /* NULL: equal */
	const size_t *offsets; /* sums of the counts before; all-to-all: of each half */
};

/*
 * Blocks of a buffer that is not ARRIVAL, and the logical block whose length block i has at a node.
 * All blocks of an all-to-all or a shift count as one logical block: they are of equal length.
 */
int64_t lsi_buffer_blocks(const struct ls_plan *, int buffer);
int64_t lsi_buffer_label(const struct ls_plan *, int64_t rank, int buffer, int64_t block);
/* Elements of block i and of the whole buffer at a node, and where block i begins in it. */
size_t lsi_buffer_length(
	const struct ls_plan *, int64_t rank, int buffer, int64_t block, const struct lsi_measure *);
size_t lsi_buffer_offset(
	const struct ls_plan *, int buffer, int64_t block, const struct lsi_measure *);
size_t lsi_buffer_size(
	const struct ls_plan *, int64_t rank, int buffer, const struct lsi_measure *);
/* Elements that a slot of a scratch buffer has room for. */
size_t lsi_slot_width(const struct ls_plan *, int buffer, int64_t slot, const struct lsi_measure *);
/* Elements of all blocks of a slice of a node's buffers. */
size_t lsi_slice_words(
	const struct ls_plan *, int64_t rank, const struct ls_slice *, const struct lsi_measure *);

#endif
