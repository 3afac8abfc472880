/*
 * Are the arguments of a collective call valid?  Each reason describes the argument and its value.
 */
#include "call/call.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "machine/refused_call.h"

/* Whether an operand has one block per node; their lengths may differ. */
static bool has_blocks(enum ls_operation operation)
{
	return lsi_operations[operation].input == LS_BLOCKS
		|| lsi_operations[operation].output == LS_BLOCKS;
}

/* "ls_reduce_scatter" of "reduce-scatter"; with counts "ls_reduce_scatterv". */
static void name_function(enum ls_operation operation, bool counts, char *name, size_t size)
{
	snprintf(name, size, "ls_%s%s", ls_operation_name(operation),
		counts && has_blocks(operation) ? "v" : "");
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

int lsi_call_refuse(
	const struct ls_node *node, const struct ls_call *call, int status, const char *format, ...)
{
	char name[40], reason[160];
	va_list arguments;

	name_function(call->operation, call->counts || call->result_counts, name, sizeof name);
	va_start(arguments, format);
	vsnprintf(reason, sizeof reason, format, arguments);
	va_end(arguments);
	return lsi_refuse_call(node->self, status, name, "%s", reason);
}

int lsi_call_refuse_handle(enum ls_operation operation, bool counts)
{
	char name[40];

	name_function(operation, counts, name, sizeof name);
	return lsi_refuse_handle(name);
}

size_t lsi_add_counts(const size_t *counts, int64_t n)
{
	size_t total = 0;

	for (int64_t i = 0; i < n; i++)
		total = counts[i] > SIZE_MAX - total ? SIZE_MAX : total + counts[i];
	return total;
}

/* The largest count that is allowed: no buffer may take half of the address space. */
static size_t largest_count(const struct ls_node *node, const struct ls_call *call)
{
	const size_t elements = SIZE_MAX / 2 / call->type->size;
	const bool each = has_blocks(call->operation) && !call->counts;

	return each ? elements / (size_t)node->group->size : elements;
}

int lsi_call_check(const struct ls_node *node, const struct ls_call *call)
{
	if (!call->type)
		return lsi_call_refuse(node, call, LS_ERR_ARGUMENT, "type is NULL");
	if (call->root < 0 || call->root >= node->group->size)
		return lsi_call_refuse(node, call, LS_ERR_ARGUMENT,
			"root is %" PRId64 "; expected 0 .. %" PRId64, call->root, node->group->size - 1);
	if (call->count > largest_count(node, call))
		return lsi_call_refuse(node, call, LS_ERR_ARGUMENT,
			"the count is %zu; expected at most %zu", call->count, largest_count(node, call));
	if (lsi_operation_combines(call->operation) && !call->op)
		return lsi_call_refuse(node, call, LS_ERR_ARGUMENT, "op is NULL");
	return LS_OK;
}

int lsi_call_refuse_buffers(
	const struct ls_node *node, const struct lsi_call_extent *extent, const struct ls_call *call)
{
	const char *reason = "operand and result overlap; expected separate buffers, or in place";

	if (extent->input && !call->input)
		reason = "the operand is NULL";
	else if (extent->output && !call->output)
		reason = "the result is NULL";
	return lsi_call_refuse(node, call, LS_ERR_ARGUMENT, "%s", reason);
}

/* Set the count to the sum of the counts, or to 0 with result_counts; false: a sum is too large. */
static bool set_count(const struct ls_node *node, struct ls_call *call)
{
	const size_t limit = SIZE_MAX / 2 / call->type->size;
	const size_t sum = lsi_add_counts(call->counts, node->group->size);

	call->count = call->result_counts ? 0 : sum;
	return sum <= limit
		&& (!call->result_counts
			|| lsi_add_counts(call->result_counts, node->group->size) <= limit);
}

int lsi_call_check_counts(const struct ls_node *node, struct ls_call *call)
{
	const int64_t rank = node->rank;
	const bool is_exchange = call->operation == LS_ALLTOALL;
	const char *reason = NULL;
	char name[40];

	if (!has_blocks(call->operation))
		reason = "counts were passed, but the operation has no blocks; leave them NULL";
	else if (!call->counts)
		reason = is_exchange ? "the counts of the operand are NULL" : "counts is NULL";
	else if (is_exchange && !call->result_counts)
		reason = "result_counts is NULL";
	else if (!is_exchange && call->result_counts)
		reason = "result_counts were passed, but only an all-to-all has them";
	else if (!call->type)
		reason = "type is NULL";
	else if (is_exchange && call->counts[rank] != call->result_counts[rank])
		reason = "the counts of this node for itself differ";
	else if (!set_count(node, call))
		reason = "the sum of the counts exceeds the address space";
	if (!reason)
		return LS_OK;
	name_function(call->operation, true, name, sizeof name);
	return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, name, "%s", reason);
}
