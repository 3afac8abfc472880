#include <string.h>

#include "plan/plan.h"

enum { ALIASES = 5 };

/* The name on the command line, then what else the operation is called in the field. */
static const char *const names[LS_OPERATIONS][ALIASES] = {
	[LS_BROADCAST] = { "broadcast", "bcast", "one-to-all-broadcast" },
	[LS_REDUCE] = { "reduce", "reduction", "all-to-one-reduction" },
	[LS_ALLREDUCE] = { "allreduce", "all-reduce" },
	[LS_ALLGATHER] = { "allgather", "all-gather", "all-to-all-broadcast" },
	[LS_REDUCE_SCATTER] = { "reduce-scatter", "reduce_scatter", "all-to-all-reduction" },
	[LS_SCAN] = { "scan", "prefix-sums" },
	[LS_EXSCAN] = { "exscan", "exclusive-scan", "exclusive-prefix-sums" },
	[LS_SCATTER] = { "scatter", "one-to-all-personalized" },
	[LS_GATHER] = { "gather", "all-to-one-gather", "concatenation" },
	[LS_ALLTOALL] = { "alltoall", "all-to-all", "total-exchange", "all-to-all-personalized" },
	[LS_SHIFT] = { "shift", "circular-shift", "circular-q-shift" },
	[LS_BARRIER] = { "barrier" }
};

const char *ls_operation_name(enum ls_operation operation)
{
	return (unsigned)operation < LS_OPERATIONS ? names[operation][0] : "unknown";
}

bool ls_operation_combines(enum ls_operation operation)
{
	return LS_FOR(operation) & (LS_FOR(LS_REDUCE) | LS_FOR(LS_ALLREDUCE) | LS_FOR(LS_REDUCE_SCATTER)
		| LS_FOR(LS_SCAN) | LS_FOR(LS_EXSCAN));
}

bool ls_operation_is_vector(enum ls_operation operation)
{
	return LS_FOR(operation) & (LS_FOR(LS_BROADCAST) | LS_FOR(LS_REDUCE) | LS_FOR(LS_ALLREDUCE)
		| LS_FOR(LS_SCAN) | LS_FOR(LS_EXSCAN) | LS_FOR(LS_BARRIER));
}

int ls_operation_find(const char *name)
{
	for (int operation = 0; operation < LS_OPERATIONS; operation++) {
		for (int i = 0; i < ALIASES && names[operation][i]; i++) {
			if (strcmp(name, names[operation][i]) == 0)
				return operation;
		}
	}
	return -1;
}
