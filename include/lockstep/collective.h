/*
 * Collective operations.  Called by every node of the handle's group, in the same order, with equal
 * arguments where "equal" is said; a message that shows otherwise stops the machine with LS_ERR_MISMATCH.
 *
 * Shape      counts are in elements of `type`.  Operand and result: disjoint, or the same buffer (in place);
 *            equal at all nodes, as is whether they are the same.
 * Owns       buffers stay the caller's; none is read or written after return.
 * Order      what a node wrote to its operand before the call is visible in every result after it.
 * Bits       the plan fixes the order of operands, so results have the same bits in every run, engine and
 *            round mode; with an algorithm that is `identical`, and by default, also at every node.
 * Returns    LS_OK
 *            LS_ERR_ARGUMENT     root or count out of range, operator not defined for the type
 *            LS_ERR_UNSUPPORTED  no algorithm for this topology and operator; no round was used
 *            LS_ERR_MEMORY, LS_ERR_PORT, LS_ERR_LINK, LS_ERR_MISMATCH, LS_ERR_LEFT, LS_ERR_DEADLOCK, ..
 *                                the machine is stopped; ls_last_error says who, where and why
 * Undefined  an operator that is not associative.
 */
#ifndef LOCKSTEP_COLLECTIVE_H
#define LOCKSTEP_COLLECTIVE_H

#include <lockstep/node.h>

LS_BEGIN_DECLS

/* One-to-all broadcast: data of the root reaches data of every node. */
LS_API LS_MUST_CHECK int ls_broadcast(ls_node *, void *data, size_t n, ls_type, int64_t root);

/* All-to-one reduction: result (at the root; others may pass NULL) is operand_0 (+) .. (+) operand_p-1. */
LS_API LS_MUST_CHECK int ls_reduce(ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op, int64_t root);

/* All-reduce: every node's result is operand_0 (+) .. (+) operand_p-1. */
LS_API LS_MUST_CHECK int ls_allreduce(ls_node *, const void *mine, void *result, size_t n, ls_type, ls_op);

/* Barrier: no node returns before every node has called. */
LS_API LS_MUST_CHECK int ls_barrier(ls_node *);

/*
 * Any operation, with everything said: what the tool and tests use.
 * Zero means the default in every field but size and operation.
 */
struct ls_call {
	size_t size;
	enum ls_operation operation;
	const char *algorithm;        /* NULL: chosen by cost; else equal at all nodes */
	const void *input;
	void *output;
	size_t count;
	ls_type type;
	ls_op op;
	int64_t root, shift;
	int ports;                    /* 0: the machine's */
};
LS_API LS_MUST_CHECK int ls_collective(ls_node *, const struct ls_call *);

LS_END_DECLS
#endif
