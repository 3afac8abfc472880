/*
 * Plans: what every node sends, receives and computes in each round of a collective operation.
 *
 * A plan is data.  It holds no threads, buffers or elements, can be read for any node and step
 * without allocation, and means the same to every reader: the checker, the cost model, the tables
 * and pictures, and the engines that run it.
 *
 * A node owns buffers: INPUT, OUTPUT and scratch, cut into blocks.  In one step it sends at most
 * one slice of blocks on each port, sees at most one message a port as ARRIVAL, and does at most
 * LS_MOVES moves.  What is sent, and what ARRIVAL shows, is as it was when the step began; moves
 * run in order.  A step in which no node sends or receives is local: it has moves, but is not a
 * round.
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
 * What an operation takes and gives: INPUT and OUTPUT are a vector of n elements, cut into the B
 * blocks of the plan; or one block of n elements; or such a block for each node.
 */
enum ls_buffer_form { LS_VECTOR, LS_BLOCK, LS_BLOCKS };
struct ls_operation_info {
	const char *name; /* "allreduce" */
	enum ls_buffer_form input, output;
	bool combines;           /* operands are combined by an operator */
	bool from_root, at_root; /* the root alone has an operand; has a result */
};
/* A constant of the library; NULL: no operation. */
LS_API const struct ls_operation_info *ls_operation_describe(enum ls_operation);

/* Hop: a message crosses one link.  Routed: it follows the topology's route. */
enum ls_mode { LS_HOP, LS_ROUTED };

/*
 * What the result is made of; the runtime refuses a plan whose claim is weaker than the operator.
 */
enum ls_claim {
	LS_IDEMPOTENT,  /* every contribution at least once: x (+) x = x needed */
	LS_COMMUTATIVE, /* every contribution exactly once, in any order */
	LS_ORDERED,     /* every contribution exactly once, in rank order */
	LS_MOVE         /* data movement: every block arrives unchanged */
};

enum { LS_PORTS = 4, LS_MOVES = 4, LS_SCRATCH_BUFFERS = 4 };

/* Buffers.  ARRIVAL of port q is LS_ARRIVAL + q; scratch k is LS_SCRATCH + k. */
enum {
	LS_INPUT,
	LS_OUTPUT,
	LS_ARRIVAL,
	LS_SCRATCH = LS_ARRIVAL + LS_PORTS,
	LS_BUFFERS = LS_SCRATCH + LS_SCRATCH_BUFFERS
};

/*
 * A list of blocks: i*stride + wrap(first + j) for 0 <= i < runs, 0 <= j < run, in this order.
 * wrap keeps first + j inside the aligned period of `cycle` blocks that holds first; cycle 0: no
 * wrap.  With index not NULL the list is exactly index[0 .. run-1] instead; the plan owns it.
 *
 * Where map[i] is not NULL the numbers are relative: as seen from the node by[i], each stands
 * for the blocks that map[i] says, and each of those for what map[i + 1] says.  The plan owns
 * them. ls_slice_blocks and ls_slice_at count and number what comes out in the end.
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
 * COPY dst := a.  COMBINE dst := a (+) b.  FOLD dst := a_1 (+) .. (+) a_k, the equal parts of a,
 * left to right.
 */
struct ls_move {
	enum ls_action action;
	struct ls_slice dst, a, b;
};

/*
 * What one node does in one step.  Port q sends send[q] to to[q] and receives arrives[q] blocks
 * from from[q]; LS_NO_RANK: idle.  Only the first `ports` entries and the first `n_moves` moves are
 * set.
 */
struct ls_step {
	int ports, n_moves;
	int64_t to[LS_PORTS], from[LS_PORTS], arrives[LS_PORTS];
	struct ls_slice send[LS_PORTS];
	struct ls_move move[LS_MOVES];
};

/*
 * What a plan is made for.  Zero means the default in every field but size, topology and operation.
 */
struct ls_request {
	size_t size;
	const ls_topology *topology; /* must outlive the plan */
	enum ls_operation operation;
	enum ls_mode mode;
	const char *algorithm; /* NULL: chosen by cost */
	size_t count;          /* m elements; guides the choice only */
	ls_type type;          /* NULL: double */
	ls_op op;              /* NULL: sum */
	int64_t root, shift;
	int ports;     /* 0: one */
	bool in_place; /* INPUT lies in OUTPUT, or OUTPUT in INPUT: collective.h */
};

typedef struct ls_plan ls_plan;

/*
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root, ports or another field out of range
 *            LS_ERR_SPEC         no algorithm of this name; why->text names the nearest
 *            LS_ERR_UNSUPPORTED  none fits; why->text names what would
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_plan_make(
	const struct ls_request *, ls_plan **out, struct ls_error *why_or_null);
LS_API void ls_plan_destroy(ls_plan *);

/* What the plan was made for, as far as it goes into the plan; sets *out but its size. */
LS_API void ls_plan_request(const ls_plan *, struct ls_request *out);
LS_API int64_t ls_plan_nodes(const ls_plan *);
LS_API int64_t ls_plan_rounds(const ls_plan *);
LS_API int64_t ls_plan_steps(const ls_plan *); /* rounds and local steps */
LS_API bool ls_plan_is_local(const ls_plan *, int64_t step);
LS_API int64_t ls_plan_round(const ls_plan *, int64_t step); /* 1 ..; 0 for a local step */
/* B: blocks that a vector is cut into. */
LS_API int64_t ls_plan_blocks(const ls_plan *);
LS_API void ls_plan_step(const ls_plan *, int64_t rank, int64_t step, struct ls_step *out);
LS_API enum ls_operation ls_plan_operation(const ls_plan *);
LS_API enum ls_claim ls_plan_claim(const ls_plan *);
/* All nodes end with the same bits. */
LS_API bool ls_plan_identical(const ls_plan *);
LS_API const char *ls_plan_algorithm(const ls_plan *);

/*
 * The parts of a plan that is made of plans, in order; false past the last, and at once where the
 * plan is of one piece.  A part is executed by disjoint lines of nodes at once, each wired as
 * `topology`; steps after those of the last part belong to the whole.
 */
struct ls_plan_part {
	size_t size;
	enum ls_operation operation;
	const char *algorithm;
	const ls_topology *topology; /* lives as long as that of the request */
	int64_t groups;
	int64_t first, steps; /* step 0 is the first of the plan */
};
LS_API bool ls_plan_part_list(const ls_plan *, size_t index, struct ls_plan_part *out);

/*
 * Plans as text, one line a node and step that does something:
 *
 *     lockstep plan 1
 *     operation allreduce            # comments, empty lines and blanks count for nothing
 *     nodes 4
 *     algorithm doubling             # any name; optional, as all below, in any order
 *     mode hop                       # or routed
 *     claim ordered identical        # idempotent, commutative, ordered or move; identical, nodup
 *     root 0                         # shift, ports, blocks (B) likewise
 *     in-place                       # INPUT and OUTPUT are one buffer
 *     scratch S 1 each 1             # S, T, U, V: slots, and how many for a logical block
 *     round                          # or: local
 *     0: send INPUT[0] to 1; receive 1 from 1; S[0] := INPUT[0] (+) ARRIVAL[0]
 *     round
 *     0: send S[0] to 2; receive 1 from 2; OUTPUT[0] := S[0] (+) ARRIVAL[0]
 *
 * Blocks are numbers and ranges, "0..3,8"; a fold is "OUTPUT[0] := fold S[0..3]"; further ports are
 * "send INPUT[0] to 1 port 1", "receive 1 from 1 port 1" and ARRIVAL1.  Without a claim a plan that
 * combines is commutative, any other a move.  A plan read from a file has no formulas: law 6 is not
 * claimed, and what is foreseen is counted.
 *
 * Shape      `put` gets pieces of text in order, and stops the writing by a value other than 0
 * Owns       the text stays the caller's; the plan of ls_plan_read is released by ls_plan_destroy
 * Returns    write: 0, or what put returned
 *            read: LS_OK; LS_ERR_SPEC: why->text names the line; LS_ERR_MEMORY.  Laws are not
 *            looked at: ls_check proves them, and no plan should be run that it has not proved.
 */
LS_API int ls_plan_write(
	const ls_plan *, int (*put)(void *context, const char *text), void *context);
LS_API LS_MUST_CHECK int ls_plan_read(const char *text, size_t length, const ls_topology *,
	ls_plan **out, struct ls_error *why_or_null);

/* Blocks of a slice, and the number of its k-th. */
LS_API int64_t ls_slice_blocks(const struct ls_slice *);
LS_API int64_t ls_slice_at(const struct ls_slice *, int64_t k);

/*
 * Counts of a whole execution with n elements.  `volume` is the sum over the rounds of the longest
 * message in each, so T = rounds t_s + volume t_w on a machine without congestion.
 */
struct ls_counts {
	int64_t rounds, messages, words, volume;
};

/* By the algorithm's formulas; of a plan from a file, which has none, counted. */
LS_API struct ls_counts ls_plan_predict(const ls_plan *, size_t n);
LS_API int64_t ls_plan_lower_bound(const ls_plan *); /* rounds; -1: none known */

/*
 * The table of algorithms, as it is for all networks; false past the last.  What one of them takes
 * on a network, and which is the default there: ls_candidate_list (cost.h).
 */
struct ls_algorithm_info {
	size_t size;
	const char *name, *networks, *rounds, *bound, *source; /* texts */
	uint32_t operations;                                   /* bit 1 << LS_BROADCAST, ... */
	enum ls_claim claim;
	bool identical;
};
LS_API bool ls_algorithm_list(size_t index, struct ls_algorithm_info *out);
/* Is there an algorithm of this name for the request?  LS_OK or what ls_plan_make would return. */
LS_API int ls_algorithm_supports(size_t index, const struct ls_request *);

LS_API const char *ls_operation_name(enum ls_operation); /* "allreduce" */
LS_API int ls_operation_find(const char *name);          /* by name or alias; -1 */

LS_END_DECLS
#endif
