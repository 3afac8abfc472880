/*
 * An all-to-all of blocks of unequal lengths, where messages pass through nodes that do not know
 * the lengths: every block is padded to the longest, and begins with its length.
 *
 *   given    | block 0 | block 1        | block 2 |
 *   sent     | length, block 0, padding | length, block 1 | length, block 2, padding |
 */
#include "call/call.h"

#include <inttypes.h>
#include <string.h>

struct padding {
	struct ls_node *node;
	const struct ls_call *call;
	size_t head;    /* bytes of a length, rounded up to whole elements */
	size_t stride;  /* bytes of a padded block */
	char *out, *in; /* p padded blocks each */
};

/* Copy every block into its padded block, after its length. */
static void pack_blocks(const struct padding *padding)
{
	const struct ls_call *call = padding->call;
	const char *from = call->input;

	for (int64_t to = 0; to < padding->node->group->size; to++) {
		char *block = padding->out + (size_t)to * padding->stride;
		const size_t bytes = call->counts[to] * call->type->size;

		memcpy(block, &call->counts[to], sizeof call->counts[to]);
		if (bytes > 0)
			memcpy(block + padding->head, from, bytes);
		from += bytes;
	}
}

/* The counts of two nodes disagree. */
static int report_mismatch(struct ls_node *node, int64_t from, size_t expected, size_t arrived)
{
	const int64_t peer = lsi_member(node->group, from);

	return lsi_machine_fail(node->self,
		(struct lsi_fault){ LS_ERR_MISMATCH, peer, node->round, -1, "alltoall" },
		"node %" PRId64 " expects %zu elements from node %" PRId64 " (alltoall), but %zu arrived",
		node->self->rank, expected, peer, arrived);
}

/* Check the length of every padded block, then copy its block to the output. */
static int unpack_blocks(const struct padding *padding)
{
	const struct ls_call *call = padding->call;
	char *to = call->output;

	for (int64_t from = 0; from < padding->node->group->size; from++) {
		const char *block = padding->in + (size_t)from * padding->stride;
		const size_t bytes = call->result_counts[from] * call->type->size;
		size_t arrived;

		memcpy(&arrived, block, sizeof arrived);
		if (arrived != call->result_counts[from])
			return report_mismatch(padding->node, from, call->result_counts[from], arrived);
		if (bytes > 0)
			memcpy(to, block + padding->head, bytes);
		to += bytes;
	}
	return LS_OK;
}

/* One all-to-all of padded blocks. */
static int exchange_blocks(struct padding *padding)
{
	const struct ls_call *call = padding->call;
	int failed;

	pack_blocks(padding);
	failed = lsi_call_execute(padding->node,
		&(struct ls_call){ .operation = LS_ALLTOALL,
			.algorithm = call->algorithm,
			.input = padding->out,
			.output = padding->in,
			.count = padding->stride / call->type->size,
			.type = call->type,
			.ports = call->ports });
	return failed ? failed : unpack_blocks(padding);
}

/* The longest block of all nodes, in elements. */
static int find_longest(struct ls_node *node, const struct ls_call *call, uint64_t *most)
{
	*most = 0;
	for (int64_t to = 0; to < node->group->size; to++)
		*most = call->counts[to] > *most ? call->counts[to] : *most;
	return ls_allreduce(node, most, most, 1, LS_UINT64, LS_MAX);
}

int lsi_call_execute_padded(struct ls_node *node, const struct ls_call *call)
{
	const size_t size = call->type->size, p = (size_t)node->group->size;
	struct padding padding = { .node = node, .call = call };
	uint64_t most;
	size_t bytes;
	int failed = find_longest(node, call, &most);

	if (failed)
		return failed;
	padding.head = (sizeof most + size - 1) / size * size;
	if (__builtin_mul_overflow(most, size, &bytes)
		|| __builtin_add_overflow(bytes, padding.head, &padding.stride)
		|| __builtin_mul_overflow(padding.stride, 2 * p, &bytes)
		|| !(padding.out = lsi_alloc_cache_aligned(bytes)))
		return lsi_call_no_memory(node, "alltoall");
	padding.in = padding.out + bytes / 2;
	failed = exchange_blocks(&padding);
	lsi_free(padding.out);
	return failed;
}
