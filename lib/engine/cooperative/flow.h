/*
 * A flow: the values that a plan computes, for all nodes at once.
 *
 * One walk over all nodes and steps of a plan makes its flow, by value numbering as in a compiler:
 * an operand has a number, a copy keeps it, and equal expressions have equal numbers.  The result
 * is a list of moves between INPUTs, OUTPUTs and temporaries.  It computes every value that a
 * result needs once, from the same operands in the same order as the nodes do, so the bits are the
 * same.  The walk also checks the ports, matches and links of the plan.
 *
 * A flow is bound to a length of blocks.  Then it consists of units, which threads may execute in
 * any order and at the same time.  A unit is one strip of the blocks in all moves, or the whole
 * blocks in the moves of some components (flow_moves.h):
 *
 *            0                             block length     0            block length
 *   move 0   |  unit 0 | unit 1 | unit 2 |                  |      unit 0      |
 *   move 1   |  unit 0 | unit 1 | unit 2 |        or        |      unit 0      |
 *   move 2   |  unit 0 | unit 1 | unit 2 |                  |      unit 1      |
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_H
#define LSI_ENGINE_COOPERATIVE_FLOW_H

#include "op/op_internal.h"
#include "plan/plan_internal.h"

struct lsi_flow;

/* The work of a bound flow. */
struct lsi_flow_shape {
	int64_t units;
	size_t temporaries; /* bytes of temporaries that each thread needs */
	size_t bytes;       /* bytes that all units read and write, without temporaries */
};

/*
 * Make the flow of a plan.  The plan must outlive the flow.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 *            LS_ERR_LAW          the plan breaks one of laws 0 to 4 (law 3: links and messages to
 *                                oneself, not loads), or reads a block that was never written, or
 *                                leaves such a block as a result
 *            LS_ERR_UNSUPPORTED  more than LSI_FLOW_CELLS blocks or different sums
 * Cost       time: the blocks of all messages and moves; memory: a few words for each block of each
 *            node's buffers
 */
enum { LSI_FLOW_CELLS = 1 << 24 };
int lsi_flow_make(const struct ls_plan *, struct lsi_flow **out);
void lsi_flow_destroy(struct lsi_flow *);

/*
 * Bind a flow to blocks of these lengths and elements of `size` bytes, for up to `workers` threads.
 * The counts of a measure must stay valid until the next bind.  Without counts, a second bind with
 * equal arguments costs nothing.  Units with adjacent numbers write to adjacent memory, so a thread
 * should take ranges of units.
 *
 * Returns    LS_OK, LS_ERR_MEMORY
 */
int lsi_flow_bind(struct lsi_flow *, const struct lsi_measure *, size_t size, int workers);
struct lsi_flow_shape lsi_flow_get_shape(const struct lsi_flow *);

/*
 * Execute the units first .. last - 1.  base[2 r] is INPUT of node r, base[2 r + 1] its OUTPUT; in
 * place both are equal.  `temporaries` is memory of this thread, aligned to a cache line.
 * The operator is not used if the plan combines nothing.
 *
 *   LSI_FORWARD    units in order
 *   LSI_BACKWARD   units in reverse order: after a forward call, caches still hold its last data
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
