/*
 * Plans: the sends, receives and computations of every node in each round of a collective
 * operation.
 *
 * A plan is immutable.  It contains no threads, buffers or elements.  The part of any node in any
 * step can be read without allocation.  The checker, the cost model, the pictures and the engines
 * all read the same plan.
 *
 * A node has the buffers INPUT, OUTPUT and scratch, each a row of blocks.  In one step it sends at
 * most one list of blocks on each port, receives at most one message on each port, and does at most
 * LS_MOVES moves.  A received message is the read-only buffer ARRIVAL of its port in this step.
 * Messages carry the contents that blocks had when the step began; moves run in order:
 *
 *              send INPUT[0] ------>                    ------> ARRIVAL
 *     node r   OUTPUT[0] := INPUT[0] (+) ARRIVAL[0]     node s  ..
 *
 * A local step has moves but no messages, and does not count as a round.
 */
#ifndef LOCKSTEP_PLAN_H
#define LOCKSTEP_PLAN_H

#include <lockstep/op.h>
#include <lockstep/topology.h>

LS_BEGIN_DECLS

enum ls_operation {
	LS_BROADCAST,
	LS_REDUCE,
	LS_ALLREDUCE,
	LS_ALLGATHER,
	LS_REDUCE_SCATTER,
	LS_SCAN,
	LS_EXSCAN,
	LS_SCATTER,
	LS_GATHER,
	LS_ALLTOALL,
	LS_SHIFT,
	LS_BARRIER,
	LS_OPERATIONS
};

/*
 * The form of INPUT and OUTPUT:
 *
 *   LS_VECTOR   n elements, cut into the B blocks of the plan
 *   LS_BLOCK    one block of n elements
 *   LS_BLOCKS   a block of n elements for each node
 */
enum ls_buffer_form { LS_VECTOR, LS_BLOCK, LS_BLOCKS };
struct ls_operation_info {
	const char *name; /* "allreduce" */
	enum ls_buffer_form input, output;
	bool combines;  /* an operator combines the operands */
	bool from_root; /* only the root has an operand (INPUT) */
	bool at_root;   /* only the root has a result (OUTPUT) */
};
/* The description of an operation, a constant of the library; NULL if there is no such one. */
LS_API const struct ls_operation_info *ls_operation_describe(enum ls_operation);

/* Hop: each message crosses one link.  Routed: a message follows the route of the topology. */
enum ls_mode { LS_HOP, LS_ROUTED };

/*
 * How contributions enter a result, as a plan claims it.  An operator that is not commutative needs
 * a plan with LS_ORDERED.  One that is not idempotent needs LS_COMMUTATIVE or LS_ORDERED.  A call
 * fails if the claim of its plan is weaker than its operator needs.
 */
enum ls_claim {
	LS_IDEMPOTENT,  /* every contribution at least once: needs x (+) x = x */
	LS_COMMUTATIVE, /* every contribution exactly once, in any order */
	LS_ORDERED,     /* every contribution exactly once, in rank order */
	LS_MOVE         /* data movement: every block arrives unchanged */
};

enum { LS_PORTS = 4, LS_MOVES = 4, LS_SCRATCH_BUFFERS = 4 };

/* Buffers.  ARRIVAL of port q is LS_ARRIVAL + q; scratch buffer k is LS_SCRATCH + k. */
enum {
	LS_INPUT,
	LS_OUTPUT,
	LS_ARRIVAL,
	LS_SCRATCH = LS_ARRIVAL + LS_PORTS,
	LS_BUFFERS = LS_SCRATCH + LS_SCRATCH_BUFFERS
};

/*
 * A list of blocks of one buffer, in order.
 *
 * With an index, the list is index[0 .. run-1].  Without one, it consists of `runs` runs of `run`
 * blocks.  Run i starts at block first + i * stride and counts up.  If cycle > 0, a run wraps in a
 * group of `cycle` blocks: the aligned group that holds `first`, shifted by i * stride.  Example:
 * first 2, run 3, stride 8, runs 2, cycle 4 is the list 2 3 0 10 11 8.
 *
 *     block            0  1  2  3  4  5  6  7  8  9 10 11
 *     place in list    3     1  2              6     4  5
 *
 * Each map that is not NULL then replaces every number by the blocks that map[i] assigns to it at
 * node by[i].  ls_slice_blocks and ls_slice_at return the final list.
 *
 * Owns       index and maps belong to the plan.
 */
struct ls_block_map;
enum { LS_BLOCK_MAPS = 3 };
struct ls_slice {
	int64_t first, run, stride, runs, cycle;
	const int64_t *index;
	const struct ls_block_map *map[LS_BLOCK_MAPS];
	int64_t by[LS_BLOCK_MAPS];
	uint8_t buffer;
};

enum ls_action { LS_COPY, LS_COMBINE, LS_FOLD };

/*
 * One computation of a node:
 *
 *   LS_COPY      dst := a
 *   LS_COMBINE   dst := a (+) b
 *   LS_FOLD      dst := a_1 (+) .. (+) a_k, left to right, where a is k lists as long as dst
 */
struct ls_move {
	enum ls_action action;
	struct ls_slice dst, a, b;
};

/*
 * The part of one node in one step.  Port q sends the blocks send[q] to node to[q], and receives
 * arrives[q] blocks from node from[q].  If to[q] is LS_NO_RANK, port q does not send; if from[q] is
 * LS_NO_RANK, it does not receive.
 *
 * Shape      The first `ports` entries and the first `n_moves` moves are set.
 */
struct ls_step {
	int ports, n_moves;
	int64_t to[LS_PORTS], from[LS_PORTS], arrives[LS_PORTS];
	struct ls_slice send[LS_PORTS];
	struct ls_move move[LS_MOVES];
};

/*
 * The operation that a plan performs, and its conditions.  Set size to the size of the struct,
 * topology and operation.  Zero in any other field selects its default.
 */
struct ls_request {
	size_t size;
	const ls_topology *topology; /* must outlive the plan */
	enum ls_operation operation;
	enum ls_mode mode;
	const char *algorithm; /* NULL: the candidate of least cost */
	size_t count;          /* n, elements of a contribution; only to choose the algorithm */
	ls_type type;          /* NULL: double */
	ls_op op;              /* NULL: sum */
	int64_t root, shift;
	int ports;     /* 0: one */
	bool in_place; /* INPUT and OUTPUT share memory, as collective.h describes */
};

typedef struct ls_plan ls_plan;

/*
 * Make the plan of a request.
 *
 * Owns       The caller owns *out and releases it by ls_plan_destroy.  On failure *out is NULL.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root, ports or another field is out of range
 *            LS_ERR_SPEC         no algorithm has this name; why->text suggests one
 *            LS_ERR_UNSUPPORTED  no algorithm fits the request; why->text gives the remedy
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_plan_make(
	const struct ls_request *, ls_plan **out, struct ls_error *why_or_null);
LS_API void ls_plan_destroy(ls_plan *);

/* The request of a plan, without count, type and op.  The caller sets out->size. */
LS_API void ls_plan_request(const ls_plan *, struct ls_request *out);
LS_API int64_t ls_plan_nodes(const ls_plan *);
LS_API int64_t ls_plan_rounds(const ls_plan *);
LS_API int64_t ls_plan_steps(const ls_plan *); /* rounds and local steps */
LS_API bool ls_plan_is_local(const ls_plan *, int64_t step);
LS_API int64_t ls_plan_round(const ls_plan *, int64_t step); /* 1 ..; 0 for a local step */
/* B: the number of blocks of a vector; in a shift 1, in other operations the number of nodes. */
LS_API int64_t ls_plan_blocks(const ls_plan *);
LS_API void ls_plan_step(const ls_plan *, int64_t rank, int64_t step, struct ls_step *out);
LS_API enum ls_operation ls_plan_operation(const ls_plan *); /* NULL: LS_OPERATIONS */
LS_API enum ls_claim ls_plan_claim(const ls_plan *);
/*
 * Returns LS_OK if the claim of a plan suffices for an operator, else LS_ERR_UNSUPPORTED with the
 * reason.  A plan that combines no operands takes every operator, and NULL.
 */
LS_API int ls_plan_supports_op(const ls_plan *, ls_op, struct ls_error *why_or_null);
/* Whether all nodes get a result with the same bits. */
LS_API bool ls_plan_identical(const ls_plan *);
LS_API const char *ls_plan_algorithm(const ls_plan *);

/*
 * One part of a composed plan.  Disjoint groups of nodes, each linked as `topology`, execute it at
 * the same time.  Steps after those of the last part belong to all nodes.
 */
struct ls_plan_part {
	size_t size;
	enum ls_operation operation;
	const char *algorithm;
	const ls_topology *topology; /* valid as long as that of the request */
	int64_t groups;
	int64_t first, steps; /* steps first .. first+steps-1 of the plan */
};
/*
 * List the parts in order.  Returns false if index is past the last; a plan may have no parts.  The
 * caller sets out->size.
 */
LS_API bool ls_plan_part_list(const ls_plan *, size_t index, struct ls_plan_part *out);

/*
 * Plans as text: a header, then the steps.  A step has a line for each node that is active in it:
 *
 *     lockstep plan 1
 *     operation allreduce            # a comment; empty lines are allowed
 *     nodes 4
 *     algorithm doubling             # any name; this line and those below are optional
 *     mode hop                       # or routed
 *     claim ordered identical        # idempotent, commutative, ordered or move; identical, nodup
 *     root 0                         # in the same form: shift, ports, blocks (B)
 *     in-place                       # INPUT and OUTPUT share memory
 *     scratch S 1 each 1             # buffer S, T, U or V: slots, and E of `each E` (default 1)
 *     round                          # or local, for a step without messages
 *     0: send INPUT to 1; receive 1 from 1; S[0] := INPUT (+) ARRIVAL
 *     1: send INPUT to 0; receive 1 from 0; S[0] := ARRIVAL (+) INPUT
 *     round
 *     0: send S[0] to 2; receive 1 from 2; OUTPUT[0] := S[0] (+) ARRIVAL[0]
 *
 *   header     before the first step, in any order; operation and nodes are required
 *   nodes      the lines of a step in any order, at most one for each node
 *   blocks     numbers and ranges: "S[0..3,8]"; a buffer without numbers is all its blocks
 *   scratch    required for each scratch buffer that a step uses.  S[i] lies in slot i mod slots,
 *              and is as long as block floor(i / E) mod B of the operand
 *   receive    the number of blocks, and the sender
 *   fold       "OUTPUT[0] := fold S[0..3]"
 *   ports      "send INPUT[0] to 1 port 1", "receive 1 from 1 port 1", "ARRIVAL1"; default port 0
 *   claim      move, unless the operation combines contributions (a barrier does, too): then one of
 *              the others, default commutative.  identical: all nodes get the same bits; nodup: no
 *              node receives a contribution twice (law 7)
 *
 * No move may write a block that its node sends in the same round (law 4): copy the block to
 * scratch in a local step before the round, and send the copy.
 *
 * A plan read from text has no formulas: it does not claim law 6, and ls_plan_predict counts its
 * steps.
 *
 * Shape      put(context, ..) receives the text in pieces; a non-zero value ends the writing.
 * Owns       The text stays the caller's.  ls_plan_destroy releases the plan.
 * Returns    write: 0, the value of put, or LS_ERR_ARGUMENT
 *            read: LS_OK
 *                  LS_ERR_SPEC    why->text is "LINE: what is wrong and what is expected"
 *                  LS_ERR_MEMORY
 *            ls_plan_read does not check laws: call ls_check before you run a plan.
 */
LS_API int ls_plan_write(
	const ls_plan *, int (*put)(void *context, const char *text), void *context);
LS_API LS_MUST_CHECK int ls_plan_read(const char *text, size_t length, const ls_topology *,
	ls_plan **out, struct ls_error *why_or_null);

/* The number of blocks in a slice, and the number of its k-th block. */
LS_API int64_t ls_slice_blocks(const struct ls_slice *);
LS_API int64_t ls_slice_at(const struct ls_slice *, int64_t k);

/*
 * Counts of one execution with n elements.  A word is an element.  `volume` is the sum, over all
 * rounds, of the words of the longest message: without congestion T = rounds * t_s + volume * t_w,
 * where t_w is the time per word.
 */
struct ls_counts {
	int64_t rounds, messages, words, volume;
};

/*
 * By the formulas of the algorithm.  A plan read from text has none: its steps are counted.  If all
 * messages together may have more than 2^61 words, words and volume are INT64_MAX.
 */
LS_API struct ls_counts ls_plan_predict(const ls_plan *, size_t n);
LS_API int64_t ls_plan_lower_bound(const ls_plan *); /* rounds; -1 if unknown */
/*
 * No plan for n elements has a smaller volume, whatever its algorithm; -1 if unknown.  On networks
 * of up to 1024 nodes it accounts for the links of every set of nodes.
 */
LS_API int64_t ls_plan_words_bound(const ls_plan *, size_t n);

/* An algorithm, independent of a network.  ls_candidate_list gives its cost on one network. */
struct ls_algorithm_info {
	size_t size;
	const char *name;     /* "doubling" */
	const char *networks; /* "hypercube:D" */
	const char *rounds;   /* formula, as text */
	const char *bound;    /* lower bound on the rounds, as text; NULL: unknown */
	const char *source;   /* publication */
	uint32_t operations;  /* bit 1 << LS_BROADCAST, ... */
	enum ls_claim claim;
	bool identical;
};
/* List the algorithms.  Returns false if index is past the last.  The caller sets out->size. */
LS_API bool ls_algorithm_list(size_t index, struct ls_algorithm_info *out);
/* Returns LS_OK if the algorithm at `index` serves the request, else the error of ls_plan_make. */
LS_API int ls_algorithm_supports(size_t index, const struct ls_request *);

LS_API const char *ls_operation_name(enum ls_operation); /* "allreduce" */
LS_API int ls_operation_find(const char *name);          /* by name or alias; -1 if none */

LS_END_DECLS
#endif
