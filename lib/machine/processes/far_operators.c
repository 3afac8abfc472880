/*
 * Operators that users make, in calls over processes.  Their ids mean nothing to other processes.
 * So a call states the name of the operator, its properties, and its position in the order in which
 * the members of the group first used operators:
 *
 *   calls of the group     average   middle   average   middle
 *   positions              0         1        0         1
 *
 * All members make the same calls, so a position means the same operator in all processes.
 */
#include "base/alloc.h"
#include "base/math.h"
#include "machine/envelope.h"
#include "machine/processes/far_nodes.h"
#include "op/op_internal.h"

enum { REMEMBERED = 64 };

/* When it is full it is emptied: in all processes at the same call.  Positions go on. */
struct lsi_used_operators {
	uint64_t first; /* position of id[0] */
	size_t n;
	uint64_t id[REMEMBERED];
};

/* In the few bits of an envelope: equal names at different positions differ. */
static uint64_t number_of(ls_op op, uint64_t position)
{
	const uint64_t name = lsi_mix_text((uint64_t)op->commutative << 1 | op->idempotent, op->name);

	return lsi_user_operator(name + position);
}

int lsi_far_operator_number(
	struct lsi_used_operators **used, ls_op op, uint64_t *number, bool *emptied)
{
	struct lsi_used_operators *list = *used;
	size_t at = 0;

	*emptied = false;
	if (!list)
		list = *used = lsi_alloc_zero(1, sizeof *list);
	if (!list)
		return LS_ERR_MEMORY;
	while (at < list->n && list->id[at] != op->id)
		at++;
	if (at == REMEMBERED) {
		list->first += REMEMBERED;
		list->n = at = 0;
		*emptied = true;
	}
	if (at == list->n)
		list->id[list->n++] = op->id;
	*number = number_of(op, list->first + at);
	return LS_OK;
}
