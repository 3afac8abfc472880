/*
 * The operands of a group of nodes, which execute one move together.
 *
 * Operands are used in their place where they are one piece of memory, else gathered into a staging
 * buffer.
 */
#ifndef LSI_ENGINE_SWEEP_FAST_NODE_GROUP_H
#define LSI_ENGINE_SWEEP_FAST_NODE_GROUP_H

#include "engine/sweep/fast/sweep_fast.h"

/*
 * Nodes of one class: node j is base + at[j], its sender base + from[j].  `shape` and `sender` are
 * the shapes of both.  If all shapes send the same block, the contents of `sender` may be unset.
 * If `arrived` is not NULL, the message of node j is block from[j] there; `sender` may be unset.
 */
struct lsi_node_group {
	struct lsi_sweep_worker *worker;
	const struct lsi_sweep_shapes *shapes;
	const struct lsi_shape_class *class;
	int64_t base, n;
	bool consecutive;
	const uint32_t *at, *from;
	const uint16_t *shape, *sender;
	const struct lsi_arrived_blocks *arrived;
};

/* One cell of each node of a group, or of its sender, `after` blocks further. */
struct lsi_group_cells {
	int buffer, block, after;
	bool buffer_varies; /* it depends on the shape */
	bool consecutive;
	const uint32_t *at;
	const uint16_t *shape; /* of the nodes in `at`; only read if buffers or blocks vary */
	const uint32_t *slot;  /* the block by shape; NULL: blocks do not vary */
	const struct lsi_arrived_blocks *arrived; /* the cells lie there; NULL: in memory of nodes */
};

/* The operand of a move; and what the senders of the group send. */
struct lsi_group_cells lsi_group_cells_of(const struct lsi_node_group *, int move, int cell);
struct lsi_group_cells lsi_group_sent(const struct lsi_node_group *);

/* Whether the blocks are one piece of memory. */
bool lsi_group_is_contiguous(const struct lsi_payload *, const struct lsi_group_cells *);
/* The blocks of an operand as one piece: in their place, or copied to `staging`. */
const char *lsi_group_gather(const struct lsi_node_group *, const struct lsi_payload *,
	const struct lsi_group_cells *, char *staging);
/* Copy blocks, one after another, to the cells of an operand. */
void lsi_group_scatter(const struct lsi_node_group *, const struct lsi_payload *,
	const struct lsi_group_cells *, const char *blocks);

#endif
