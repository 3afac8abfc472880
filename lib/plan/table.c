#include "plan/table.h"

#include <stdio.h>

#include "base/alloc.h"
#include "plan/step.h"

static bool is_local(const struct ls_plan *plan, int64_t step)
{
	return ((const struct ls_table *)plan->table)->step[step].local;
}

static struct ls_slice slice_of(const struct ls_table *t, const struct ls_table_blocks *blocks)
{
	return blocks->listed ? ls_indexed(blocks->buffer, t->number + blocks->first, blocks->run)
	                      : ls_blocks(blocks->buffer, blocks->first, blocks->run);
}

/* The row of a node in a step; NULL: it does nothing. */
static const struct ls_table_row *row_of(const struct ls_table *t, int64_t step, int64_t node)
{
	size_t low = t->step[step].row, high = t->step[step + 1].row;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (t->row[middle].node < node)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->step[step + 1].row && t->row[low].node == node ? &t->row[low] : NULL;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct ls_peers *out)
{
	const struct ls_table *t = plan->table;
	const struct ls_table_row *row = row_of(t, step, rank);

	for (size_t i = row ? row->first : 0; row && i < row[1].first; i++) {
		const struct ls_table_action *action = &t->action[i];

		if (action->kind == LS_ACT_SEND)
			out->to[action->port] = action->peer;
		else if (action->kind == LS_ACT_RECEIVE)
			out->from[action->port] = action->peer;
	}
}

static void body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	const struct ls_table *t = plan->table;
	const struct ls_table_row *row = row_of(t, step, rank);

	for (size_t i = row ? row->first : 0; row && i < row[1].first; i++) {
		const struct ls_table_action *action = &t->action[i];
		const struct ls_slice a = slice_of(t, &action->a), dst = slice_of(t, &action->dst);

		switch (action->kind) {
		case LS_ACT_SEND: ls_step_send_on(out, action->port, a); break;
		case LS_ACT_RECEIVE: ls_step_receive_on(out, action->port, action->arrives); break;
		case LS_ACT_COPY: ls_step_copy(out, dst, a); break;
		case LS_ACT_COMBINE: ls_step_combine(out, dst, a, slice_of(t, &action->b)); break;
		default: ls_step_fold(out, dst, a);
		}
	}
}

static void release(struct ls_plan *plan)
{
	struct ls_table *t = plan->table;

	ls_free(t->step);
	ls_free(t->row);
	ls_free(t->action);
	ls_free(t->number);
	ls_free(t);
}

bool ls_table_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	void **at = array;

	if (count < *room)
		return true;

	const size_t more = 2 * *room + 64;
	void *wider = ls_alloc_more(*at, count * bytes, more * bytes);

	if (!wider)
		return false;
	*at = wider;
	*room = more;
	return true;
}

static struct ls_algorithm algorithm_named(const char *name)
{
	return (struct ls_algorithm){ .name = name,
		.networks = "one",
		.rounds = "as written",
		.source = "a file",
		.release = release,
		.is_local = is_local,
		.peers = peers,
		.body = body };
}

struct ls_plan *ls_table_plan(const struct ls_topology *topology)
{
	struct ls_plan *plan = ls_alloc_zero(1, sizeof *plan);
	struct ls_table *t = ls_alloc_zero(1, sizeof *t);

	if (!plan || !t) {
		ls_free(plan);
		ls_free(t);
		return NULL;
	}
	snprintf(t->name, sizeof t->name, "unnamed");
	t->algorithm = algorithm_named(t->name);
	*plan = (struct ls_plan){ .algorithm = &t->algorithm,
		.table = t,
		.problem = { .topology = topology,
			.nodes = ls_topology_nodes(topology),
			.segments = 1,
			.ports = 1 } };
	return plan;
}
