#include "shape.h"

static const struct { bool combines, gives_each, gets_each, at_root, own; } shape[LS_OPERATIONS] = {
	[LS_REDUCE] = { .combines = true, .at_root = true },
	[LS_ALLREDUCE] = { .combines = true },
	[LS_ALLGATHER] = { .gets_each = true },
	[LS_REDUCE_SCATTER] = { .combines = true, .gives_each = true, .own = true },
	[LS_SCAN] = { .combines = true, .own = true },
	[LS_EXSCAN] = { .combines = true, .own = true },
	[LS_SCATTER] = { .gives_each = true, .own = true },
	[LS_GATHER] = { .gets_each = true, .at_root = true },
	[LS_ALLTOALL] = { .gives_each = true, .gets_each = true, .own = true },
	[LS_SHIFT] = { .own = true },
};

size_t blocks_given(enum ls_operation operation, int64_t nodes)
{
	return shape[operation].gives_each ? (size_t)nodes : 1;
}

size_t blocks_got(enum ls_operation operation, int64_t nodes)
{
	return shape[operation].gets_each ? (size_t)nodes : 1;
}

bool has_result(enum ls_operation operation, int64_t root, int64_t rank)
{
	return !shape[operation].at_root || rank == root;
}

bool combines(enum ls_operation operation)
{
	return shape[operation].combines;
}

bool is_shared(enum ls_operation operation)
{
	return !shape[operation].own;
}
