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
#ifndef LS_ENGINE_SWEEP_WIRING_H
#define LS_ENGINE_SWEEP_WIRING_H

#include "base/alloc.h"
#include "engine/sweep.h"

enum {
	LS_BATCH = 1024,              /* nodes taken through a move together, at most      */
	LS_ROOM_BYTES = 16384,        /* of their operands, or those of two nodes          */
	LS_STEP_SHAPES = 4096,        /* of a step that is a stage, at most                */
	LS_STAGE_SHAPES = 256,        /* of each step of a longer stage                    */
	LS_STAGE_STEPS = 64,
	LS_KINDS = 64
};

#define LS_IDLE UINT32_MAX        /* in a table of peers */

/* A block of a node's; of scratch, its slot. */
struct ls_cell { int32_t buffer, block; };

enum { LS_CELL_DST, LS_CELL_A, LS_CELL_B, LS_CELLS };

/* FOLD: of the `run` blocks from a on. */
struct ls_cell_move {
	int32_t what, run;
	struct ls_cell cell[LS_CELLS];
};

/* What the nodes of one shape do. */
struct ls_cell_step {
	int32_t moves, sends, receives;
	int32_t rooted;               /* touches a buffer that the root alone has */
	struct ls_cell sent;
	struct ls_cell_move move[LS_MOVES];
};

struct ls_sweep_shape {
	int64_t number;               /* of the algorithm's; where it has none, a hash of `does` */
	struct ls_cell_step does;
};

/* Shapes that differ in blocks alone: their nodes go through the moves together. */
struct ls_sweep_kind {
	uint16_t shape;               /* one of them                    */
	uint16_t varies;              /* bit of an operand: blocks vary */
};

struct ls_sweep_shapes {
	struct ls_sweep_shape *shape;
	uint32_t *block;              /* by operand, then shape: see ls_sweep_operand */
	uint8_t *kind_of;
	int room, count;              /* of shapes                               */
	int kinds, senders;           /* kinds; shapes that send                 */
	uint16_t sender;              /* one of those                            */
	bool sent_buffers, sent_blocks;   /* differ between senders              */
	struct ls_sweep_kind kind[LS_KINDS];
};

/* Numbers of operands: what is sent, then the cells of the moves. */
enum { LS_OPERAND_SENT, LS_OPERAND_MOVES, LS_OPERANDS = LS_OPERAND_MOVES + LS_MOVES * LS_CELLS };
static inline int ls_sweep_operand(int move, int cell)
{
	return LS_OPERAND_MOVES + move * LS_CELLS + cell;
}

/* The tables of a step: of one period, or so many as make a batch. */
struct ls_wired_step {
	int64_t round, period, entries;
	bool local;
	uint32_t *from;               /* from the period's first rank on; LS_IDLE        */
	uint16_t *shape;
	struct ls_sweep_shapes shapes;
	LS_ATOMIC(int64_t) open;      /* sent less taken                                 */
	LS_ATOMIC(bool) one_way;      /* a node does not receive from where it sends     */
	LS_ATOMIC(bool) refused;
};

/* What a worker knows of a shape, in an open hash table by numbers; shape -1: empty. */
struct ls_shape_known { int64_t number; int16_t shape, sends, receives, rooted; };

struct ls_sweep_tree;

struct ls_sweep_wiring {
	int64_t laid;                 /* meetings before the stage that the tables are of     */
	int64_t batch;                /* nodes                                   */
	size_t room;                  /* bytes of each of a worker's rooms       */
	int64_t tile;                 /* ranks that a longer stage may take in a block */
	char *memory;
	pthread_mutex_t mutex;        /* of all shapes                           */
	struct ls_sweep_tree *tree;   /* NULL: the plan is not along one         */
	struct ls_wired_step step[LS_STAGE_STEPS];
};

/* In a worker's `wired`. */
struct ls_sweep_lists {
	uint32_t at[LS_BATCH], from[LS_BATCH];
	uint16_t shape[LS_BATCH], sender[LS_BATCH];
};
enum { LS_ASKED = 8192 };         /* nodes asked in one go: what is alike in them is found once */
struct ls_sweep_asked {
	int64_t from[LS_ASKED], to[LS_ASKED], shape[LS_ASKED], neighbor[LS_ASKED];
};

struct ls_sweep_desk {
	struct ls_sweep_lists mixed, sorted;
	struct ls_sweep_asked asked;
	struct ls_shape_known known[2 * LS_STEP_SHAPES];
	int64_t mask;                 /* of `known`                              */
	int64_t link;                 /* over which a node was found to be last  */
	struct ls_shape_known last;
	char room[] __attribute__((aligned(64)));   /* LS_ROOMS                  */
};
enum { LS_ROOMS = 3 };

static inline struct ls_sweep_desk *ls_sweep_desk(const struct ls_sweep_worker *w)
{
	return (struct ls_sweep_desk *)w->wired;
}

/* ---- sweep_shapes.c */

/* A node's step; false: it is not one of single blocks, or breaks a law. */
bool ls_cell_step(
	const struct ls_plan *, int64_t rank, int64_t round, int64_t shape, struct ls_cell_step *);
/* No shapes, and the memory of so many; clear: none again. */
void ls_sweep_shapes_lay(struct ls_sweep_shapes *, int room, struct ls_layout *);
void ls_sweep_shapes_clear(struct ls_sweep_shapes *);
/* Before a worker asks for shapes of another step. */
void ls_sweep_shapes_begin(const struct ls_sweep_worker *, const struct ls_sweep_shapes *);
/*
 * The shape of a node: by its number, or by what it does, where the algorithm numbers none.
 * `shape` -1: the step is not for the fast path.
 */
struct ls_shape_known ls_sweep_shape_of(
	const struct ls_sweep_worker *, struct ls_sweep_shapes *, int64_t rank, int64_t round,
	int64_t number);
struct ls_shape_known ls_sweep_shape_by_deed(
	const struct ls_sweep_worker *, struct ls_sweep_shapes *, int64_t rank, int64_t round);

/* ---- sweep_wiring.c */

/* A worker's part of the tables; after a meeting, the laws of all messages.  Either may refuse. */
void ls_wired_build(struct ls_sweep_worker *, struct ls_wired_step *);
void ls_wired_match(struct ls_sweep_worker *, struct ls_wired_step *);

/* Is there a wire?  guess: the link over which one was found last. */
bool ls_sweep_linked(const struct ls_sweeping *, int64_t from, int64_t to, int64_t *guess);

/* ---- sweep_columns.c */

/* The moves of the first n nodes of the lists `mixed`, kind by kind. */
void ls_sweep_mixed(
	struct ls_sweep_worker *, const struct ls_sweep_shapes *, int64_t base, int64_t n);
/* One step of the nodes lo .. hi-1; tables begin again every `entries` ranks from origin on. */
void ls_sweep_columns(
	struct ls_sweep_worker *, const struct ls_wired_step *, int64_t origin, int64_t lo, int64_t hi);

#endif
