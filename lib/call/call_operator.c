/*
 * The operator of a call as its envelope states it.
 */
#include "call/call.h"

#include "machine/envelope.h"
#include "machine/processes/far_nodes.h"

/* Forget the calls with operators of the user.  None of them is a last call. */
static void forget_user_operators(struct lsi_call_cache *call_cache)
{
	for (int i = 0; i < LSI_CALL_CACHE_SIZE; i++) {
		if (call_cache->entry[i] && call_cache->entry[i]->op.combine) {
			lsi_free(call_cache->entry[i]);
			call_cache->entry[i] = NULL;
		}
	}
}

int lsi_call_number_operator(struct ls_node *node, const struct ls_call *call, uint64_t *number)
{
	struct lsi_call_cache *call_cache = node->call_cache;
	bool emptied;
	int failed;

	*number = lsi_operation_combines(call->operation) ? call->op->id : 0;
	if (*number < LSI_OPS)
		return LS_OK;
	*number = lsi_user_operator(*number);
	if (!node->self->machine->processes)
		return LS_OK;
	failed = lsi_far_operator_number(&call_cache->operators, call->op, number, &emptied);
	if (!failed && emptied)
		forget_user_operators(call_cache);
	return failed;
}
