/*
 * The fast path of a sweep, shared by its files.
 *
 * The reference path reads the full step of each node, which takes hundreds of ns.  Most steps are
 * simpler: each node uses one port and moves single blocks, and the nodes differ only in their
 * peers and in a few shapes.  The fast path stores peers and shapes in tables, groups the nodes of
 * a class, and executes a move for a whole group with one call of a kernel.
 *
 * The fast path, too, checks the ports, links and matches of every node.  But it does not report a
 * violation.  It refuses the step; then the reference path names the node and the rule.
 *
 *   block_gather.h    copies of scattered blocks
 *   step_shapes.c     steps of nodes as moves of single blocks; shapes and their classes
 *   peer_table.c      the tables of a step, and the rules of its messages
 *   kept_tables.c     tables of a plan that stay for its next sweep
 *   stage_tables.c    stages: steps that execute together, and their tables
 *   sweep_stage.c     memory, and the execution of a stage
 *   node_group.c      the operands of nodes that move together
 *   sweep_columns.c   the moves of many nodes at a time
 *   sweep_tree.c      plans along one tree: visits only the nodes that use a port
 *   tree_moves.c      their moves
 *   remote_edges.c    several processes: the edges of a tree between them
 *   crossing_lists.c  several processes: the nodes of a step whose messages cross
 *   crossing_sort.c   several processes: sorts them
 *   sweep_chunks.c    several processes: exchanges their messages, and moves what has arrived
 */
#ifndef LSI_ENGINE_SWEEP_FAST_SWEEP_FAST_H
#define LSI_ENGINE_SWEEP_FAST_SWEEP_FAST_H

#include "base/alloc.h"
#include "engine/sweep/sweep_internal.h"

enum {
	LSI_BATCH = 1024,          /* maximum number of nodes in one kernel call */
	LSI_STAGING_BYTES = 16384, /* of a staging buffer, unless two blocks are longer */
	LSI_STEP_SHAPES = 4096,    /* maximum number of shapes in a stage of one step */
	LSI_STAGE_SHAPES = 256,    /* the same per step of a longer stage, and in a tree */
	LSI_STAGE_STEPS = 64,
	LSI_SHAPE_CLASSES = 64
};

#define LSI_IDLE      UINT32_MAX       /* no peer */
#define LSI_ELSEWHERE (UINT32_MAX - 1) /* the peer is in another process */

/* A block of a buffer of a node; in a scratch buffer, a slot. */
struct lsi_cell {
	int32_t buffer, block;
};

enum { LSI_CELL_DST, LSI_CELL_A, LSI_CELL_B, LSI_CELLS };

/* A move of single blocks.  LS_FOLD combines the `run` blocks that begin at cell A. */
struct lsi_cell_move {
	int32_t what, run;
	struct lsi_cell cell[LSI_CELLS];
};

/* The step of all nodes of one shape. */
struct lsi_cell_step {
	int32_t moves, sends, receives;
	int32_t rooted; /* 1: uses a buffer that only the root has */
	struct lsi_cell sent;
	struct lsi_cell_move move[LS_MOVES];
};

struct lsi_sweep_shape {
	int64_t number; /* given by the algorithm, or a hash of `step` */
	struct lsi_cell_step step;
};

/*
 * Shapes whose moves differ only in their blocks; their sends may differ, too.  The nodes of a
 * class form one group.
 */
struct lsi_shape_class {
	uint16_t shape;  /* one of its shapes */
	uint16_t varies; /* bit i is set: the blocks of operand i differ between shapes */
};

struct lsi_sweep_shapes {
	struct lsi_sweep_shape *shape;
	uint32_t *block; /* by operand, then shape; see lsi_sweep_operand */
	uint8_t *class_of;
	int capacity, count;            /* maximum number of shapes; number of shapes */
	int classes, senders;           /* number of classes; number of shapes that send */
	uint16_t sender;                /* one shape that sends */
	bool sent_buffers, sent_blocks; /* whether they differ between shapes that send */
	struct lsi_shape_class class[LSI_SHAPE_CLASSES];
};

/* Whether the shape of a sender decides which block it sends. */
static inline bool lsi_sent_varies(const struct lsi_sweep_shapes *shapes)
{
	return shapes->sent_buffers || shapes->sent_blocks;
}

/* The numbers of operands: the sent block, then the cells of all moves. */
enum {
	LSI_OPERAND_SENT,
	LSI_OPERAND_MOVES,
	LSI_OPERANDS = LSI_OPERAND_MOVES + LS_MOVES * LSI_CELLS
};
static inline int lsi_sweep_operand(int move, int cell)
{
	return LSI_OPERAND_MOVES + move * LSI_CELLS + cell;
}

/*
 * The table of a step: one period of ranks, or as many periods as fill a batch.  An entry holds the
 * shape of a node, and the rank of the peer from which it receives, relative to the first rank of
 * the table, the first local one.
 */
struct lsi_peer_table {
	int64_t round, origin, period, entries;
	bool local;
	bool whole;     /* one entry for each local node */
	bool crosses;   /* `whole`, and messages may cross */
	uint32_t *from; /* LSI_IDLE: no peer */
	uint16_t *shape;
	struct lsi_sweep_shapes shapes;
	LSI_ATOMIC(int64_t) unmatched; /* sends minus receives */
	LSI_ATOMIC(bool) one_way;      /* some node sends to one peer and receives from another */
	LSI_ATOMIC(bool) refused;
};

/* An entry of a worker's shape cache, a hash table by number.  shape -1: empty. */
struct lsi_known_shape {
	int64_t number;
	int16_t shape, sends, receives, rooted;
};

struct lsi_sweep_tree;
struct lsi_crossing_lists;
struct lsi_kept_tables;

struct lsi_sweep_fast {
	int64_t built_for;    /* number of barriers before the stage for which the tables are built */
	int64_t batch;        /* maximum number of nodes in a group */
	size_t staging_bytes; /* of each staging buffer */
	int64_t tile;         /* maximum number of ranks in an aligned block of a longer stage */
	char *memory;
	pthread_mutex_t mutex;       /* protects built_for, the layout of tables, and all shapes */
	struct lsi_sweep_tree *tree; /* NULL: the plan does not follow a tree */
	struct lsi_crossing_lists *crossings; /* NULL: one process */
	struct lsi_kept_tables *kept;         /* NULL: the plan does not suit, or no memory */
	bool uses_kept;                       /* else they are made */
	struct lsi_peer_table step[LSI_STAGE_STEPS];
};

/* Lists of nodes, of their senders, and of the shapes of both. */
struct lsi_sweep_lists {
	uint32_t at[LSI_BATCH], from[LSI_BATCH];
	uint16_t shape[LSI_BATCH], sender[LSI_BATCH];
};
enum { LSI_QUERY_BATCH = 8192 }; /* nodes per query */
struct lsi_sweep_batch_query {
	int64_t from[LSI_QUERY_BATCH], to[LSI_QUERY_BATCH], shape[LSI_QUERY_BATCH],
		neighbor[LSI_QUERY_BATCH];
	uint16_t selected[LSI_QUERY_BATCH]; /* numbers of some of these nodes */
	bool exchange;                      /* `to` is `from` */
};

struct lsi_sweep_worker_tables {
	struct lsi_sweep_lists in_order, by_class;
	struct lsi_sweep_batch_query query;
	struct lsi_known_shape shape_cache[2 * LSI_STEP_SHAPES];
	int64_t mask; /* entries of shape_cache - 1 */
	int64_t link; /* the link that was found last */
	struct lsi_known_shape last_shape;
	char staging[] __attribute__((aligned(64))); /* LSI_STAGING_BUFFERS buffers */
};
enum { LSI_STAGING_BUFFERS = 3 };

static inline struct lsi_sweep_worker_tables *lsi_sweep_worker_tables_of(
	const struct lsi_sweep_worker *w)
{
	return (struct lsi_sweep_worker_tables *)w->tables;
}

/* ---- step_shapes.c */

/* Read the step of a node.  False: it does not suit the fast path, or breaks a law. */
bool lsi_cell_step_make(
	const struct ls_plan *, int64_t rank, int64_t round, int64_t shape, struct lsi_cell_step *);
/* Take memory for `capacity` shapes. */
void lsi_sweep_shapes_layout(struct lsi_sweep_shapes *, int capacity, struct lsi_memory_layout *);
/* Remove all shapes. */
void lsi_sweep_shapes_clear(struct lsi_sweep_shapes *);
/* Reset the shape cache of a worker before each step. */
void lsi_sweep_shapes_begin(const struct lsi_sweep_worker *, const struct lsi_sweep_shapes *);
/*
 * The shape of a node, found by its number or, in steps without numbers, by its content.  shape -1:
 * the step does not suit the fast path.
 */
struct lsi_known_shape lsi_sweep_shape_of(const struct lsi_sweep_worker *,
	struct lsi_sweep_shapes *, int64_t rank, int64_t round, int64_t number);
struct lsi_known_shape lsi_sweep_shape_by_content(
	const struct lsi_sweep_worker *, struct lsi_sweep_shapes *, int64_t rank, int64_t round);

/* ---- peer_table.c */

/* After a barrier: whether each node sends to the node from which it receives. */
static inline bool lsi_peer_table_is_exchange(const struct lsi_peer_table *t)
{
	return !lsi_load(&t->one_way, relaxed); /* after a barrier */
}

/*
 * Build a worker's part of the table; after a barrier, check its messages.  Both may refuse the
 * step.
 */
void lsi_peer_table_build(struct lsi_sweep_worker *, struct lsi_peer_table *);
void lsi_peer_table_check(struct lsi_sweep_worker *, struct lsi_peer_table *);

/* Query peers and shapes of n nodes.  False: not suitable. */
bool lsi_query_peers(
	struct lsi_sweep_worker *, const struct lsi_peer_table *, int64_t first, int64_t n);
/* Read the peers of a node in this step; false: not a node, or more than one port is used. */
bool lsi_read_peers(const struct lsi_sweep_state *, const struct lsi_peer_table *, int64_t rank,
	struct lsi_peers *);

/* Whether a link connects two nodes.  *guess is tried first; it is set to the link found. */
bool lsi_sweep_has_link(const struct lsi_sweep_state *, int64_t from, int64_t to, int64_t *guess);

/* ---- sweep_columns.c */

/* Blocks that have arrived from another process: one per message, by payload. */
struct lsi_arrived_blocks {
	const char *lane[LSI_PAYLOADS];
};
/*
 * Execute the first n nodes of the list `in_order`, class by class.  If `arrived` is not NULL,
 * `from` holds the numbers of their messages there.
 */
void lsi_sweep_columns_by_class(struct lsi_sweep_worker *, const struct lsi_sweep_shapes *,
	int64_t base, int64_t n, const struct lsi_arrived_blocks *arrived);
/*
 * Execute one step of the nodes lo .. hi-1, except for those with peers in other processes.  The
 * table repeats every `entries` ranks, from origin on.
 */
void lsi_sweep_columns(struct lsi_sweep_worker *, const struct lsi_peer_table *, int64_t origin,
	int64_t lo, int64_t hi);
/* A step in which messages cross.  Nodes have numbers from 0 on. */
struct lsi_chunk_step {
	const struct lsi_sweep_shapes *shapes;
	const uint16_t *shape; /* by node */
	int64_t origin;        /* rank of node 0 */
	/* Executes the nodes of a worker whose messages do not cross, while the first chunk travels. */
	void (*move_local)(struct lsi_sweep_worker *, const void *context);
	const void *context;
};
/* Copy what n <= LSI_BATCH nodes send: for each payload, block after block. */
void lsi_sweep_gather_sent(struct lsi_sweep_worker *, const struct lsi_chunk_step *,
	const uint32_t *node, int64_t n, char *const lane[LSI_PAYLOADS]);

/* ---- crossing_lists.c */

enum { LSI_OUT, LSI_IN, LSI_DIRECTIONS };

/*
 * To sort senders by receiver.  What the lists do not hold is in the memory of the chunks, which do
 * not pass meanwhile.
 */
struct lsi_crossing_sort {
	uint32_t *sender;   /* by own rank; in an exchange the receivers of LSI_IN */
	uint32_t *receiver; /* of each, minus the first rank of its process; in the memory of LSI_OUT */
	uint32_t *sorted;   /* the senders to one process */
	/* Of one other process: a bit for each node that receives; how many do before each word. */
	LSI_ATOMIC(uint64_t) * receives;
	uint32_t *before;
	LSI_ATOMIC(bool) unsorted; /* the receivers of some process are not in order */
};

/*
 * The nodes that send to other processes, or receive from them, in a step: for each process at the
 * other end, in the order of receivers, so that both ends number the messages alike.
 */
struct lsi_crossing_lists {
	uint32_t *node[LSI_DIRECTIONS];    /* by number in the table */
	int64_t *begin[LSI_DIRECTIONS];    /* by process: its part of `node`; and the end of the last */
	int64_t *end[LSI_DIRECTIONS];      /* by process, then worker: counts, then where it appends */
	uint64_t *number;                  /* by worker: the sum of the numbers of its messages */
	int64_t turns;                     /* see sweep_chunks.c */
	size_t turn_bytes[LSI_DIRECTIONS]; /* of the longest turn */

	struct lsi_crossing_sort sort;
	uint32_t *memory[LSI_DIRECTIONS];
	size_t bytes[LSI_DIRECTIONS];
};

void lsi_crossing_lists_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
void lsi_crossing_lists_release(struct lsi_crossing_lists *);
/* A worker: forget its messages; count one message of a node and its peer. */
void lsi_crossing_lists_clear(struct lsi_sweep_worker *);
void lsi_crossing_lists_count(struct lsi_sweep_worker *, int64_t node, int64_t peer, int direction);
/* The same for all messages of the n nodes of a query, of which `first` is the first. */
void lsi_crossing_lists_count_query(struct lsi_sweep_worker *, int64_t first, int64_t n);
/* How the nodes that send are listed. */
enum lsi_crossing_order {
	LSI_IN_ORDER, /* the caller appends both ends in the same order */
	LSI_EXCHANGE, /* each node sends to the node from which it receives: one list by own rank */
	LSI_ONE_WAY   /* by own rank, then sorted by receiver */
};
/* Worker 0: begin empty lists of what was counted; returns their bytes. */
size_t lsi_crossing_lists_begin(const struct lsi_sweep_state *);
/* Worker 0: take memory for the lists; false: no memory. */
bool lsi_crossing_lists_reserve(const struct lsi_sweep_state *);
/* A worker: append a node of a message to or from a peer, which it has counted: LSI_IN_ORDER. */
void lsi_crossing_lists_append(
	const struct lsi_sweep_worker *, int direction, uint32_t node, int64_t peer);
/* Whether there are messages that cross. */
bool lsi_crossing_lists_have_any(const struct lsi_sweep_state *);
/* The sum of the numbers of messages to other processes minus those from other processes. */
uint64_t lsi_crossing_lists_number(const struct lsi_sweep_state *);
/* Lay out what sorting needs besides the lists; nothing for LSI_IN_ORDER. */
void lsi_crossing_sort_layout(
	const struct lsi_sweep_state *, enum lsi_crossing_order, struct lsi_memory_layout *);
/*
 * All workers, after a barrier: list the nodes of a table.  Includes barriers.  False: the sweep
 * ends.
 */
bool lsi_crossing_lists_make(struct lsi_sweep_worker *, const struct lsi_peer_table *);
/* All workers, after a barrier: list the senders sorted by receiver.  As above. */
bool lsi_crossing_lists_sort(struct lsi_sweep_worker *, bool exchange);
/* A copy of the lists in one piece of memory, and its bytes; NULL: no memory. */
size_t lsi_crossing_lists_bytes(const struct lsi_sweep_state *);
struct lsi_crossing_lists *lsi_crossing_lists_copy(const struct lsi_sweep_state *);
/* The nodes with messages to, or from, a process; known as soon as the memory is taken. */
struct lsi_sweep_part lsi_crossing_lists_of(
	const struct lsi_sweep_state *, int direction, int process);

/* ---- sweep_chunks.c */

/*
 * All workers, after all messages of a stage of `steps` steps are counted: agree on the steps that
 * all processes accept, as lsi_sweep_agree_stage does.  Worker 0 takes the memory for lists and
 * chunks before.  False: the sweep ends.
 */
bool lsi_sweep_chunks_agree(struct lsi_sweep_worker *, int64_t first, int64_t steps,
	enum lsi_crossing_order, int64_t *accepted);
/*
 * All workers, when the lists are made: exchange the messages, and execute the nodes that receive
 * them.
 */
void lsi_sweep_chunks_run(struct lsi_sweep_worker *, const struct lsi_chunk_step *);

#endif
