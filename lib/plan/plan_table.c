#include "plan/plan_table.h"

#include <stdio.h>

#include "base/alloc.h"
#include "plan/step.h"

/* ---- The algorithm of a table: its functions look up rows */

static bool is_local(const struct ls_plan *plan, int64_t step)
{
	return ((const struct lsi_table *)plan->table)->step[step].local;
}

/* A slice of the table as a slice of a step. */
static struct ls_slice slice_of(const struct lsi_table *t, const struct lsi_table_blocks *blocks)
{
	return blocks->listed ? lsi_indexed(blocks->buffer, t->number + blocks->first, blocks->run)
						  : lsi_blocks(blocks->buffer, blocks->first, blocks->run);
}

/* The row of a node in a step, by binary search; NULL: the node is idle. */
static const struct lsi_table_row *row_of(const struct lsi_table *t, int64_t step, int64_t node)
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

static void peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct lsi_peers *out)
{
	const struct lsi_table *t = plan->table;
	const struct lsi_table_row *row = row_of(t, step, rank);

	for (size_t i = 0; row && i < row->actions; i++) {
		const struct lsi_table_action *action = &t->action[row->first + i];

		if (action->kind == LSI_ACT_SEND)
			out->to[action->port] = action->peer;
		else if (action->kind == LSI_ACT_RECEIVE)
			out->from[action->port] = action->peer;
	}
}

/* The actions in the order of the text.  Peers come from peers(). */
static void body(const struct ls_plan *plan, int64_t step, int64_t rank, struct ls_step *out)
{
	const struct lsi_table *t = plan->table;
	const struct lsi_table_row *row = row_of(t, step, rank);

	for (size_t i = 0; row && i < row->actions; i++) {
		const struct lsi_table_action *action = &t->action[row->first + i];
		const struct ls_slice a = slice_of(t, &action->a), dst = slice_of(t, &action->dst);

		switch (action->kind) {
		case LSI_ACT_SEND:
			lsi_step_send_on(out, action->port, a);
			break;
		case LSI_ACT_RECEIVE:
			lsi_step_receive_on(out, action->port, action->arrives);
			break;
		case LSI_ACT_COPY:
			lsi_step_copy(out, dst, a);
			break;
		case LSI_ACT_COMBINE:
			lsi_step_combine(out, dst, a, slice_of(t, &action->b));
			break;
		default:
			lsi_step_fold(out, dst, a);
		}
	}
}

static void release(struct ls_plan *plan)
{
	struct lsi_table *t = plan->table;

	lsi_free(t->step);
	lsi_free(t->row);
	lsi_free(t->action);
	lsi_free(t->number);
	lsi_free(t);
}

/* ---- Making a table */

/* `array` points at the pointer to the array, of elements of `bytes` bytes. */
bool lsi_table_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	void **at = array;

	if (count < *room)
		return true;

	const size_t more = 2 * *room + 64;
	void *wider = lsi_alloc_grow(*at, count * bytes, more * bytes);

	if (!wider)
		return false;
	*at = wider;
	*room = more;
	return true;
}

static struct lsi_algorithm algorithm_named(const char *name)
{
	return (struct lsi_algorithm){ .name = name,
		.networks = "one",
		.rounds = "as written",
		.source = "a file",
		.release = release,
		.is_local = is_local,
		.peers = peers,
		.body = body };
}

/* The plan points at the algorithm inside its own table, so each table can have its own claim. */
struct ls_plan *lsi_table_plan(const struct ls_topology *topology)
{
	struct ls_plan *plan = lsi_alloc_zero(1, sizeof *plan);
	struct lsi_table *t = lsi_alloc_zero(1, sizeof *t);

	if (!plan || !t) {
		lsi_free(plan);
		lsi_free(t);
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
