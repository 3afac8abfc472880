/*
 * The fast path of the sweep: what its files share.
 *
 * A step suits it when each node moves single blocks and talks on one port.  Nodes then differ in
 * their peers, which tables hold, and in few shapes.  What looks wrong is not explained here: the
 * step is refused, and the reference path finds the node and names the law.
 *
 *   sweep_shapes.c    the steps of nodes as moves of single blocks
 *   sweep_wiring.c    tables of a step, and the laws of its messages
 *   sweep_stage.c     steps that go together, and the way through them
 *   sweep_columns.c   the moves of many nodes at a time, with sweep_places.h
 *   sweep_tree.c      the same along a tree, for only those nodes that talk
 */
#ifndef LSI_ENGINE_SWEEP_FAST_SWEEP_FAST_H
#define LSI_ENGINE_SWEEP_FAST_SWEEP_FAST_H

#include "base/alloc.h"
#include "engine/sweep/sweep_internal.h"

enum {
	LSI_BATCH = 1024,          /* nodes taken through a move together, at most */
	LSI_STAGING_BYTES = 16384, /* of their operands, or those of two nodes */
	LSI_STEP_SHAPES = 4096,    /* of a step that is a stage, at most */
	LSI_STAGE_SHAPES = 256,    /* of each step of a longer stage */
	LSI_STAGE_STEPS = 64,
	LSI_SHAPE_CLASSES = 64
};

#define LSI_IDLE UINT32_MAX /* in a table of peers */

/* A block of a node's; of scratch, its slot. */
struct lsi_cell {
	int32_t buffer, block;
};

enum { LSI_CELL_DST, LSI_CELL_A, LSI_CELL_B, LSI_CELLS };

/* FOLD: of the `run` blocks from a on. */
struct lsi_cell_move {
	int32_t what, run;
	struct lsi_cell cell[LSI_CELLS];
};

/* What the nodes of one shape do. */
struct lsi_cell_step {
	int32_t moves, sends, receives;
	int32_t rooted; /* touches a buffer that the root alone has */
	struct lsi_cell sent;
	struct lsi_cell_move move[LS_MOVES];
};

struct lsi_sweep_shape {
	int64_t number; /* of the algorithm's; where it has none, a hash of `does` */
	struct lsi_cell_step step;
};

/* Shapes that differ in blocks alone: their nodes go through the moves together. */
struct lsi_shape_class {
	uint16_t shape;  /* one of them */
	uint16_t varies; /* bit of an operand: blocks vary */
};

struct lsi_sweep_shapes {
	struct lsi_sweep_shape *shape;
	uint32_t *block; /* by operand, then shape: see lsi_sweep_operand */
	uint8_t *class_of;
	int capacity, count;            /* of shapes */
	int classes, senders;           /* kinds; shapes that send */
	uint16_t sender;                /* one of those */
	bool sent_buffers, sent_blocks; /* differ between senders */
	struct lsi_shape_class class[LSI_SHAPE_CLASSES];
};

/* Numbers of operands: what is sent, then the cells of the moves. */
enum {
	LSI_OPERAND_SENT,
	LSI_OPERAND_MOVES,
	LSI_OPERANDS = LSI_OPERAND_MOVES + LS_MOVES * LSI_CELLS
};
static inline int lsi_sweep_operand(int move, int cell)
{
	return LSI_OPERAND_MOVES + move * LSI_CELLS + cell;
}

/* The tables of a step: of one period, or so many as make a batch. */
struct lsi_peer_table {
	int64_t round, period, entries;
	bool local;
	uint32_t *from; /* from the period's first rank on; LSI_IDLE */
	uint16_t *shape;
	struct lsi_sweep_shapes shapes;
	LSI_ATOMIC(int64_t) unmatched; /* sent less taken */
	LSI_ATOMIC(bool) one_way;      /* a node does not receive from where it sends */
	LSI_ATOMIC(bool) refused;
};

/* What a worker knows of a shape, in an open hash table by numbers; shape -1: empty. */
struct lsi_known_shape {
	int64_t number;
	int16_t shape, sends, receives, rooted;
};

struct lsi_sweep_tree;

struct lsi_sweep_fast {
	int64_t built_for;    /* meetings before the stage that the tables are of */
	int64_t batch;        /* nodes */
	size_t staging_bytes; /* bytes of each of a worker's rooms */
	int64_t tile;         /* ranks that a longer stage may take in a block */
	char *memory;
	pthread_mutex_t mutex;       /* of all shapes */
	struct lsi_sweep_tree *tree; /* NULL: the plan is not along one */
	struct lsi_peer_table step[LSI_STAGE_STEPS];
};

/* In a worker's `tables`. */
struct lsi_sweep_lists {
	uint32_t at[LSI_BATCH], from[LSI_BATCH];
	uint16_t shape[LSI_BATCH], sender[LSI_BATCH];
};
enum { LSI_QUERY_BATCH = 8192 }; /* nodes asked in one go: what is alike in them is found once */
struct lsi_sweep_batch_query {
	int64_t from[LSI_QUERY_BATCH], to[LSI_QUERY_BATCH], shape[LSI_QUERY_BATCH],
		neighbor[LSI_QUERY_BATCH];
};

struct lsi_sweep_worker_tables {
	struct lsi_sweep_lists in_order, by_class;
	struct lsi_sweep_batch_query query;
	struct lsi_known_shape shape_cache[2 * LSI_STEP_SHAPES];
	int64_t mask; /* of `known` */
	int64_t link; /* over which a node was found to be last */
	struct lsi_known_shape last_shape;
	char staging[] __attribute__((aligned(64))); /* LSI_STAGING_BUFFERS */
};
enum { LSI_STAGING_BUFFERS = 3 };

static inline struct lsi_sweep_worker_tables *lsi_sweep_worker_tables_of(
	const struct lsi_sweep_worker *w)
{
	return (struct lsi_sweep_worker_tables *)w->tables;
}

/* ---- sweep_shapes.c */

/* A node's step; false: it is not one of single blocks, or breaks a law. */
bool lsi_cell_step_make(
	const struct ls_plan *, int64_t rank, int64_t round, int64_t shape, struct lsi_cell_step *);
/* No shapes, and the memory of so many; clear: none again. */
void lsi_sweep_shapes_layout(struct lsi_sweep_shapes *, int room, struct lsi_memory_layout *);
void lsi_sweep_shapes_clear(struct lsi_sweep_shapes *);
/* Before a worker asks for shapes of another step. */
void lsi_sweep_shapes_begin(const struct lsi_sweep_worker *, const struct lsi_sweep_shapes *);
/*
 * The shape of a node: by its number, or by what it does, where the algorithm numbers none.
 * `shape` -1: the step is not for the fast path.
 */
struct lsi_known_shape lsi_sweep_shape_of(const struct lsi_sweep_worker *,
	struct lsi_sweep_shapes *, int64_t rank, int64_t round, int64_t number);
struct lsi_known_shape lsi_sweep_shape_by_content(
	const struct lsi_sweep_worker *, struct lsi_sweep_shapes *, int64_t rank, int64_t round);

/* ---- sweep_wiring.c */

/* A worker's part of the tables; after a meeting, the laws of all messages.  Either may refuse. */
void lsi_peer_table_build(struct lsi_sweep_worker *, struct lsi_peer_table *);
void lsi_peer_table_check(struct lsi_sweep_worker *, struct lsi_peer_table *);

/* Is there a wire?  guess: the link over which one was found last. */
bool lsi_sweep_has_link(const struct lsi_sweep_state *, int64_t from, int64_t to, int64_t *guess);

/* ---- sweep_columns.c */

/* The moves of the first n nodes of the lists `mixed`, kind by kind. */
void lsi_sweep_columns_by_class(
	struct lsi_sweep_worker *, const struct lsi_sweep_shapes *, int64_t base, int64_t n);
/* One step of the nodes lo .. hi-1; tables begin again every `entries` ranks from origin on. */
void lsi_sweep_columns(struct lsi_sweep_worker *, const struct lsi_peer_table *, int64_t origin,
	int64_t lo, int64_t hi);

#endif
