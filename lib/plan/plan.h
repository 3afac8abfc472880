/*
 * A plan inside: the problem it solves, the algorithm that yields its steps, and the frame of its buffers.
 *
 * An algorithm says who talks to whom about which blocks.  It knows no thread, buffer, lock or error;
 * only `prepare` may allocate.  Rounds are numbered 0 .. rounds-1 here.  A plan may have one local step
 * before them (round -1, when frame.lead) and one after them (round == rounds, when frame.tail); only
 * `body` is called for those.  A machine of one node needs nothing from an algorithm: its plan is one
 * local step OUTPUT := INPUT.
 */
#ifndef LS_PLAN_PLAN_H
#define LS_PLAN_PLAN_H

#include <lockstep/plan.h>

#define LS_FOR(OPERATION) (1u << (OPERATION))

/* What a plan depends on. */
struct ls_problem {
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
struct ls_scratch { int64_t slots, each; };

struct ls_frame {
	int64_t rounds, blocks;           /* blocks: B                                  */
	bool lead, tail;                  /* a local step before, after the rounds      */
	struct ls_scratch scratch[LS_SCRATCHES];
};

struct ls_peers { int64_t to[LS_PORTS], from[LS_PORTS]; };     /* LS_NOBODY where idle */
struct ls_window { int64_t first, count; };                    /* slots of a scratch buffer that a node uses */

struct ls_plan {
	struct ls_problem problem;
	const struct ls_algorithm *algorithm;
	struct ls_frame frame;
	void *table;                      /* what prepare made; released by free()      */
};

struct ls_algorithm {
	uint32_t operations;              /* LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_BARRIER)  */
	const char *name;
	const char *networks;             /* for people: "ring:P, linear:P"             */
	const char *rounds;               /* formula, for people: "n(n-1)/2"            */
	const char *bound;                /* lower bound, for people; NULL: none known  */
	const char *source;               /* paper, equation or algorithm number        */
	enum ls_claim claim;
	bool identical;                   /* every node evaluates the same expression   */
	bool nodup;                       /* no node receives a contribution twice      */
	bool teaching;                    /* never chosen by default                    */
	bool general;                     /* serves every topology: chosen by default only where nothing else does */

	/* Everything the algorithm needs of the problem: network, mode, ports, in_place. */
	bool (*supports)(const struct ls_problem *);
	struct ls_frame (*frame)(const struct ls_problem *);
	/* Optional: fill plan->table with one malloc'ed object (base/alloc.h); LS_OK or LS_ERR_MEMORY. */
	int (*prepare)(struct ls_plan *);
	/* Who talks to whom; every entry arrives as LS_NOBODY. */
	void (*peers)(const struct ls_plan *, int64_t rank, int64_t round, struct ls_peers *);
	/* Nodes of one shape have the same body in this round.  NULL: every rank is its own shape. */
	int64_t (*shape)(const struct ls_plan *, int64_t rank, int64_t round);
	/* What is sent, arrives and moves; the step arrives cleared. */
	void (*body)(const struct ls_plan *, int64_t round, int64_t shape, struct ls_step *);

	/* Optional: the slots of scratch k that this node touches; only they get memory.  NULL: all. */
	struct ls_window (*window)(const struct ls_plan *, int64_t rank, int k);

	/* Formulas, written apart from the functions above; law 6 compares. */
	struct ls_counts (*predict)(const struct ls_problem *, size_t n);
	/* Least number of rounds any algorithm of this operation can take here; NULL: none known. */
	int64_t (*lower_bound)(const struct ls_problem *);
};

/*
 * Make the plan of one algorithm; the problem is complete and supported.  Segments and operation are
 * kept in the problem, so equal problems give equal plans.
 */
int ls_plan_from(const struct ls_algorithm *, const struct ls_problem *, struct ls_plan **out);

/* Who talks to whom in a step; false for a local step (peers are then all LS_NOBODY). */
bool ls_plan_peers(const struct ls_plan *, int64_t rank, int64_t step, struct ls_peers *out);

/* The slots of scratch k that a node uses; {0, slots} unless the algorithm says less. */
struct ls_window ls_plan_window(const struct ls_plan *, int64_t rank, int k);

/* Elements of logical block b of n elements cut into B, and where it begins (plan.md section 2). */
static inline size_t ls_cut_length(size_t n, int64_t B, int64_t b)
{
	return n / (size_t)B + ((size_t)b < n % (size_t)B);
}

static inline size_t ls_cut_offset(size_t n, int64_t B, int64_t b)
{
	const size_t rest = n % (size_t)B;

	return (size_t)b * (n / (size_t)B) + ((size_t)b < rest ? (size_t)b : rest);
}

/* Blocks of a buffer that is not ARRIVAL, and the logical block whose length block i has. */
int64_t ls_buffer_blocks(const struct ls_plan *, int buffer);
int64_t ls_buffer_label(const struct ls_plan *, int buffer, int64_t block);
/* Elements of block i and of the whole buffer, and where block i begins in it, for n elements. */
size_t ls_buffer_length(const struct ls_plan *, int buffer, int64_t block, size_t n);
size_t ls_buffer_offset(const struct ls_plan *, int buffer, int64_t block, size_t n);
size_t ls_buffer_size(const struct ls_plan *, int buffer, size_t n);

#endif
