/*
 * The envelope of a message: three words that identify the call that it belongs to.
 *
 *   call[0]  sequence number of the call in its group << 32 | the group's number
 *   call[1]  count; with LSI_CALL_COUNTED a hash of the lengths of all blocks | their sum, 24 + 40
 *            bits
 *   call[2]  operation | algorithm | root | type | operator, 8 + 8 + 16 + 16 + 16 bits
 */
#ifndef LSI_MACHINE_ENVELOPE_H
#define LSI_MACHINE_ENVELOPE_H

#include <stdio.h>

#include "op/op_internal.h"
#include <lockstep/plan.h>

/* A flag of the operation: all nodes know the lengths of its blocks, which may differ. */
enum { LSI_CALL_COUNTED = 0x80 };

/* The number of an operator in 16 bits: a built-in one has its id, all others this bit and more. */
enum { LSI_USER_OPERATOR = 1 << 15 };
static inline uint64_t lsi_user_operator(uint64_t id)
{
	return LSI_USER_OPERATOR | (id & (LSI_USER_OPERATOR - 1));
}

struct lsi_call_id {
	uint32_t context, sequence;
	uint64_t count;     /* elements; 0 in a point-to-point message, whose size is in the slot */
	unsigned operation; /* enum ls_operation; LS_OPERATIONS: a point-to-point message */
	unsigned algorithm; /* index in the table of algorithms */
	int64_t root;       /* the root; in a shift, the distance */
	uint64_t type;      /* id */
	uint64_t op;        /* see LSI_USER_OPERATOR; 0 if the operation does not combine */
};

static inline void lsi_call_pack(const struct lsi_call_id *id, uint64_t call[3])
{
	call[0] = (uint64_t)id->sequence << 32 | id->context;
	call[1] = id->count;
	call[2] = (uint64_t)(id->operation & 0xff) << 56 | (uint64_t)(id->algorithm & 0xff) << 48
		| ((uint64_t)id->root & 0xffff) << 32 | ((id->type ^ id->type >> 16) & 0xffff) << 16
		| (id->op & 0xffff);
}

/* The word call[1] for n blocks of these lengths. */
static inline uint64_t lsi_call_lengths(const size_t *counts, int64_t n)
{
	uint64_t hash = 0, sum = 0;

	for (int64_t i = 0; i < n; i++) {
		sum += counts[i];
		hash = (hash ^ counts[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash >> 40 << 40 | (sum & (((uint64_t)1 << 40) - 1));
}

static inline bool lsi_call_is_collective(const uint64_t call[3])
{
	return call[2] >> 56 != LS_OPERATIONS;
}

/* The text of a call: "call 3 of group 0: allreduce of 4 double by sum, root 0, algorithm ring". */
struct lsi_call_text {
	char text[256];
};
struct lsi_call_text lsi_call_describe(const uint64_t call[3]);

#endif
