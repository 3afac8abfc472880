/*
 * A flow: the values that a plan computes, for all nodes at once.
 *
 * A flow is made by one walk over all nodes and steps of a plan, in which every value is a number.
 * An operand has a number, a copy keeps it, and an expression has one number wherever a node
 * evaluates it.  The result is a list of moves between the INPUTs and OUTPUTs of all nodes and
 * temporaries.  Every value that a result needs is computed once, from the same operands in the
 * same order as by the nodes themselves, so the bits are the same.  The walk also proves ports,
 * matches and links of the plan.
 *
 * A flow is bound to a length of blocks.  It then consists of units that threads may execute in any
 * order and at the same time: strips of all moves, or some moves over their whole length.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_H
#define LSI_ENGINE_COOPERATIVE_FLOW_H

#include "op/op_internal.h"
#include "plan/plan_internal.h"

struct lsi_flow;

/* The work of a bound flow. */
struct lsi_flow_shape {
	int64_t units;
	size_t temporaries; /* bytes that each thread needs */
	size_t bytes;       /* read and written by all units, without temporaries */
};

/*
 * Make the flow of a plan, which must outlive it.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 *            LS_ERR_LAW          the plan breaks one of laws 0 to 4 (law 3: links and messages to
 *                                oneself, not loads), or reads a block that was never written, or
 *                                leaves such a block as a result
 *            LS_ERR_UNSUPPORTED  more than LSI_FLOW_CELLS blocks
 * Cost       time: the blocks of all messages and moves; memory: a few words for each block of each
 *            node's buffers
 */
enum { LSI_FLOW_CELLS = 1 << 24 };
int lsi_flow_make(const struct ls_plan *, struct lsi_flow **out);
void lsi_flow_destroy(struct lsi_flow *);

/*
 * Bind a flow to blocks of these lengths and elements of `size` bytes, for up to `workers` threads.
 * The counts of a measure must last until the next bind.  Without counts, a second bind with equal
 * arguments costs nothing.  Neighboring units write near each other, so a thread should take
 * ranges.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 */
int lsi_flow_bind(struct lsi_flow *, const struct lsi_measure *, size_t size, int workers);
struct lsi_flow_shape lsi_flow_get_shape(const struct lsi_flow *);

/*
 * Execute the units first .. last - 1.  base[2 r] is INPUT of node r, base[2 r + 1] its OUTPUT; in
 * place, the start of each as in the call.  `temporaries` belongs to this thread, aligned to a
 * cache line.  The operator is unused where the plan combines nothing.
 *
 *   LSI_FORWARD    units in order
 *   LSI_BACKWARD   units in reverse order: a call after a forward one finds its last data in the
 *                  cache
 *   LSI_STREAMING  results bypass the caches, and are in memory on return
 */
enum lsi_flow_direction { LSI_FORWARD, LSI_BACKWARD, LSI_STREAMING };
struct lsi_flow_memory {
	void *const *base;
	char *temporaries;
};
void lsi_flow_execute(const struct lsi_flow *, const struct lsi_operator *, struct lsi_flow_memory,
	int64_t first, int64_t last, enum lsi_flow_direction);

#endif
