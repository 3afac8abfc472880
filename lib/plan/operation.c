/*
 * The table of collective operations, with their names and aliases.
 */
#include <string.h>

#include "plan/plan_internal.h"

enum { ALIASES = 3 };

/* The table of operations: their operands, results and properties (include/lockstep/plan.h). */
const struct ls_operation_info lsi_operations[LS_OPERATIONS] = {
	[LS_BROADCAST] = { "broadcast", LS_VECTOR, LS_VECTOR, .from_root = true },
	[LS_REDUCE] = { "reduce", LS_VECTOR, LS_VECTOR, .combines = true, .at_root = true },
	[LS_ALLREDUCE] = { "allreduce", LS_VECTOR, LS_VECTOR, .combines = true },
	[LS_ALLGATHER] = { "allgather", LS_BLOCK, LS_BLOCKS, .combines = false },
	[LS_REDUCE_SCATTER] = { "reduce-scatter", LS_BLOCKS, LS_BLOCK, .combines = true },
	[LS_SCAN] = { "scan", LS_VECTOR, LS_VECTOR, .combines = true },
	[LS_EXSCAN] = { "exscan", LS_VECTOR, LS_VECTOR, .combines = true },
	[LS_SCATTER] = { "scatter", LS_BLOCKS, LS_BLOCK, .from_root = true },
	[LS_GATHER] = { "gather", LS_BLOCK, LS_BLOCKS, .at_root = true },
	[LS_ALLTOALL] = { "alltoall", LS_BLOCKS, LS_BLOCKS, .combines = false },
	[LS_SHIFT] = { "shift", LS_BLOCK, LS_BLOCK, .combines = false },
	[LS_BARRIER] = { "barrier", LS_VECTOR, LS_VECTOR, .combines = false }
};

/* What else the operations are called in the field. */
static const char *const aliases[LS_OPERATIONS][ALIASES] = { [LS_BROADCAST] = { "bcast",
																 "one-to-all-broadcast" },
	[LS_REDUCE] = { "reduction", "all-to-one-reduction" },
	[LS_ALLREDUCE] = { "all-reduce" },
	[LS_ALLGATHER] = { "all-gather", "all-to-all-broadcast" },
	[LS_REDUCE_SCATTER] = { "reduce_scatter", "all-to-all-reduction" },
	[LS_SCAN] = { "prefix-sums" },
	[LS_EXSCAN] = { "exclusive-scan", "exclusive-prefix-sums" },
	[LS_SCATTER] = { "one-to-all-personalized" },
	[LS_GATHER] = { "all-to-one-gather", "concatenation" },
	[LS_ALLTOALL] = { "all-to-all", "total-exchange", "all-to-all-personalized" },
	[LS_SHIFT] = { "circular-shift", "circular-q-shift" } };

const struct ls_operation_info *ls_operation_describe(enum ls_operation operation)
{
	return (unsigned)operation < LS_OPERATIONS ? &lsi_operations[operation] : NULL;
}

const char *ls_operation_name(enum ls_operation operation)
{
	return (unsigned)operation < LS_OPERATIONS ? lsi_operations[operation].name : "unknown";
}

int ls_operation_find(const char *name)
{
	for (int operation = 0; name && operation < LS_OPERATIONS; operation++) {
		bool found = strcmp(name, lsi_operations[operation].name) == 0;

		for (int i = 0; i < ALIASES && aliases[operation][i]; i++)
			found |= strcmp(name, aliases[operation][i]) == 0;
		if (found)
			return operation;
	}
	return -1;
}
