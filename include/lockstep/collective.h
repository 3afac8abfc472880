/*
 * Collective operations.  Called by every node of the handle's group, in the same order, with equal
 * arguments where "equal" is said; a message that shows otherwise stops the machine with
 * LS_ERR_MISMATCH.
 *
 * Shape      counts are in elements of `type`.  Operand and result: disjoint, or the same buffer
 *            (in place); equal at all nodes, as is whether they are the same.
 * Owns       buffers stay the caller's; none is read or written after return.
 * Order      what a node wrote to its operand before the call is visible in every result after it.
 * Bits       the plan fixes the order of operands, so results have the same bits in every run,
 *            engine and round mode; with an algorithm that is `identical`, and by default, also at
 *            every node.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root or count out of range, operator not defined for the type, no
 *                                buffer, or buffers that overlap otherwise than in place
 *            LS_ERR_UNSUPPORTED  no algorithm for this topology and operator; no round was used
 *            LS_ERR_MEMORY, LS_ERR_PORT, LS_ERR_LINK, LS_ERR_MISMATCH, LS_ERR_LEFT,
 *            LS_ERR_DEADLOCK, ..
 *                                the machine is stopped; ls_last_error says who, where and why
 * Undefined  an operator that is not associative.
 */
#ifndef LOCKSTEP_COLLECTIVE_H
#define LOCKSTEP_COLLECTIVE_H

#include <lockstep/node.h>

LS_BEGIN_DECLS

/* One-to-all broadcast: data of the root reaches data of every node. */
LS_API LS_MUST_CHECK int ls_broadcast(ls_node *, void *data, size_t n, ls_type, int64_t root);

/*
 * All-to-one reduction: result (at the root; others may pass NULL) is operand_0 (+) .. (+)
 * operand_p-1.
 */
LS_API LS_MUST_CHECK int ls_reduce(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op, int64_t root);

/* All-reduce: every node's result is operand_0 (+) .. (+) operand_p-1. */
LS_API LS_MUST_CHECK int ls_allreduce(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Prefix sums: the result of node r is operand_0 (+) .. (+) operand_r. */
LS_API LS_MUST_CHECK int ls_scan(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);
/*
 * The same without the node's own: operand_0 (+) .. (+) operand_r-1.  That of node 0 is untouched.
 */
LS_API LS_MUST_CHECK int ls_exscan(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Circular shift: the operand of node r is the result of node (r + q) mod p; q may be negative. */
LS_API LS_MUST_CHECK int ls_shift(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t q);

/* Barrier: no node returns before every node has called. */
LS_API LS_MUST_CHECK int ls_barrier(ls_node *);

/*
 * Operations on blocks.  A buffer of one block has n elements; one of p blocks has p * n, block i
 * for, or from, node i.
 *
 * In place   the one block is the node's own block of the p: all-gather and gather at the root
 *            mine == result + rank * n elements; reduce-scatter and scatter at the root
 *            result == mine + rank * n.  All-to-all: mine == result.
 */

/* All-to-all broadcast: every node's result is the p operands, in rank order. */
LS_API LS_MUST_CHECK int ls_allgather(ls_node *, const void *mine, void *result, size_t n, ls_type);
/* The same at the root alone; others may pass NULL as result. */
LS_API LS_MUST_CHECK int ls_gather(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t root);

/* One-to-all personalized: the result of node r is block r of the root's; others may pass NULL. */
LS_API LS_MUST_CHECK int ls_scatter(
	ls_node *, const void *mine, void *result, size_t n, ls_type, int64_t root);

/* All-to-all reduction: the result of node r is the reduction of block r of all operands. */
LS_API LS_MUST_CHECK int ls_reduce_scatter(
	ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Total exchange: block s of node r's result is block r of node s's operand. */
LS_API LS_MUST_CHECK int ls_alltoall(ls_node *, const void *mine, void *result, size_t n, ls_type);

/*
 * The same with blocks of unequal lengths: block i has counts[i] elements, and lies behind the
 * blocks before it.  The p counts are equal at all nodes.
 *
 * Choice     by the mean length of a block
 * Owns       the counts are not read after return
 */
LS_API LS_MUST_CHECK int ls_allgatherv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type);
LS_API LS_MUST_CHECK int ls_gatherv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, int64_t root);
LS_API LS_MUST_CHECK int ls_scatterv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, int64_t root);
LS_API LS_MUST_CHECK int ls_reduce_scatterv(
	ls_node *, const void *mine, void *result, const size_t counts[], ls_type, ls_op);

/*
 * Total exchange in which a node knows its own lengths only: what it gives to each node, and what
 * it gets from each.  Two nodes that disagree: LS_ERR_MISMATCH.
 *
 * Cost       where an algorithm takes every block straight to its node (complete networks, routed
 *            mode): as ls_alltoall, words as given.  Elsewhere an all-reduce, which finds the
 *            longest block, and an all-to-all of blocks of that length and a word; twice p such
 *            blocks of memory.
 */
LS_API LS_MUST_CHECK int ls_alltoallv(ls_node *, const void *mine, const size_t mine_counts[],
	void *result, const size_t result_counts[], ls_type);

/*
 * Any operation, with everything said: what the tool and tests use.
 * Zero means the default in every field but size and operation.
 */
struct ls_call {
	size_t size;
	enum ls_operation operation;
	const char *algorithm; /* NULL: chosen by cost; else equal at all nodes */
	const void *input;
	void *output;
	size_t count; /* ignored where there are counts */
	ls_type type;
	ls_op op;
	int64_t root, shift;
	int ports;                   /* 0: the machine's */
	const size_t *counts;        /* p lengths of blocks; all-to-all: of those given */
	const size_t *result_counts; /* all-to-all: of those got */
	/*
	 * A plan for the group's topology and mode (ls_embed: either mode), the same at all nodes, in
	 * place of an algorithm; it says the root and the shift.  It must outlive the group (that of
	 * all nodes: the machine), and ls_check must have proved it: a plan that breaks a law may
	 * read and write outside the buffers.
	 */
	const ls_plan *plan;
};
LS_API LS_MUST_CHECK int ls_collective(ls_node *, const struct ls_call *);

LS_END_DECLS
#endif
