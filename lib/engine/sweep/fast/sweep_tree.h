/*
 * Plans whose messages follow one tree: few nodes use a port in a round.
 *
 * Each message passes between a node and its parent: in the round in which the node receives in a
 * broadcast, or in the mirrored round of a reduction.  The tree is read once.  Nodes are sorted by
 * that round, so a round visits only the nodes that use a port.  `busy` marks both ends of each
 * message: a node that is marked twice in a step breaks the rule of ports.
 *
 *        0            parent          node 1: 0   node 2: 0   node 3: 1
 *       / \           receive_round   node 1: 1   node 2: 2   node 3: 2
 *      1   2          order           1 | 2 3
 *      |
 *      3              a broadcast     round 0: 0 -> 1     round 1: 0 -> 2, 1 -> 3
 *
 * Several processes: each has the tree of its own nodes, which have numbers from 0 on.  A node with
 * a parent in another process is in the second half of `order`.  The process of the parent learns
 * of it once, see remote_edges.c.
 */
#ifndef LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H
#define LSI_ENGINE_SWEEP_FAST_SWEEP_TREE_H

#include "engine/sweep/fast/sweep_fast.h"

/* An edge between a local node and a child in another process; numbers in their processes. */
struct lsi_remote_edge {
	uint32_t parent, child;
};

enum { LSI_CHILD, LSI_PARENT }; /* ends of an edge */

struct lsi_sweep_tree {
	int64_t rounds; /* of a broadcast */
	uint32_t *parent;
	uint32_t *order;             /* nodes, sorted by receive_round */
	uint32_t *receive_round;     /* 1 + the round; 0: the root */
	LSI_ATOMIC(uint32_t) * last; /* 1 + the round in which its last child receives */
	LSI_ATOMIC(uint32_t) * busy; /* 1 + the last step in which the node used its port */
	uint16_t *shape;             /* of the nodes that use their ports in this step */
	/*
	 * By round, then worker: start of its part of `order`.  The rounds from `rounds` on are those
	 * of nodes whose parents are in other processes.
	 */
	int64_t *begin;
	struct lsi_sweep_shapes shapes;
	LSI_ATOMIC(int64_t) root; /* the node that never receives; two are refused */
	int idle;                 /* the root's shape in a step without a message; -1: none */
	bool made;
	LSI_ATOMIC(int64_t) refused; /* 1 + the barriers before the refusal; 0: none */

	/* Several processes: children elsewhere, by their process, then round, then rank. */
	struct lsi_remote_edge *remote;
	int64_t *remote_begin; /* by process, then round: start in `remote` */
	int64_t *sent;         /* by process, then round: edges of own nodes to parents there */
	/* 1 + the last step with messages to children in other processes, and to parents. */
	LSI_ATOMIC(uint32_t) sent_to[2];
};

/* Lay out the tree of the fast path; it takes no bytes if the plan does not follow a tree. */
void lsi_sweep_tree_layout(struct lsi_sweep_state *, struct lsi_memory_layout *);
void lsi_sweep_tree_release(struct lsi_sweep_tree *);
/* The same as lsi_sweep_stage, for a stage of one round. */
int64_t lsi_sweep_tree_round(struct lsi_sweep_worker *, int64_t step);

/* This worker's part of the nodes of a round, in `order`. */
struct lsi_sweep_part lsi_sweep_tree_part(
	const struct lsi_sweep_tree *, const struct lsi_sweep_worker *, int64_t round);
/* Note that a node sends to a child in a round. */
void lsi_sweep_tree_note_child(struct lsi_sweep_tree *, uint32_t node, int64_t round);

struct lsi_tree_step {
	int64_t number, round, tree_round;
};
struct lsi_tree_context {
	struct lsi_sweep_tree *tree;
	const struct lsi_tree_step *step;
};

static inline int64_t lsi_sweep_tree_root(struct lsi_sweep_tree *tree)
{
	return lsi_load(&tree->root, relaxed); /* after a barrier */
}

/* ---- tree_moves.c */

/* Execute a round whose shapes are known.  False: the sweep ends. */
bool lsi_tree_moves_run(struct lsi_sweep_worker *, const struct lsi_tree_context *);

/* ---- remote_edges.c */

/* The local end of an edge to another process. */
struct lsi_remote_end {
	uint32_t node;
	int64_t peer;
	bool up; /* the peer is the parent */
};

void lsi_remote_edges_layout(
	const struct lsi_sweep_state *, struct lsi_sweep_tree *, struct lsi_memory_layout *);
/*
 * Worker 0: whether all processes accept their parts of the tree, and these have the edges of one
 * tree with one root.  All processes make this call.
 */
bool lsi_remote_edges_agree(struct lsi_sweep_worker *, int64_t edges, bool accepted);
/*
 * Worker 0, when `order` is complete: send the edges to the processes of the parents.  All
 * processes make this call.  False: one of them lacks memory, or the transport failed.
 */
bool lsi_remote_edges_exchange(struct lsi_sweep_worker *, struct lsi_sweep_tree *);
/*
 * Visit this worker's part of the ends of a round: for each other process, in the order of
 * children, at both ends of an edge.  False: a visit returned false, and was the last.
 */
bool lsi_remote_edges_visit(struct lsi_sweep_worker *, const struct lsi_sweep_tree *, int64_t round,
	bool (*visit)(struct lsi_sweep_worker *, struct lsi_remote_end, const void *context),
	const void *context);

#endif
