#include "engine/mailboxes/compiled_plan.h"

#include <string.h>

#include "base/math.h"
#include "machine/channel.h"
#include "machine/port.h"
#include "machine/slot.h"
#include "plan/zero_copy_waits.h"

enum {
	WINDOW = 32,      /* steps */
	STEP_BYTES = 1024 /* of a compiled step, about */
};

/*
 * An upper bound of the number of pieces of a slice.  In slots of equal width a short block leaves
 * a gap before the next one.
 */
static size_t count_pieces_max(const struct ls_plan *plan, const struct ls_slice *slice)
{
	const bool equal_slots = slice->buffer >= LS_SCRATCH
		&& !lsi_scratch_is_measured(&plan->frame, &plan->frame.scratch[slice->buffer - LS_SCRATCH]);

	if (slice->index || slice->map[0] || equal_slots)
		return (size_t)ls_slice_blocks(slice);
	return (size_t)slice->runs * (slice->cycle ? 2 : 1);
}

static bool is_same_slice(const struct ls_slice *a, const struct ls_slice *b)
{
	bool same = a->first == b->first && a->run == b->run && a->stride == b->stride
		&& a->runs == b->runs && a->cycle == b->cycle && a->index == b->index
		&& a->buffer == b->buffer;

	for (int i = 0; i < LS_BLOCK_MAPS; i++)
		same = same && a->map[i] == b->map[i] && a->by[i] == b->by[i];
	return same;
}

/* A copy of the slice, or a recent one that is equal; NULL: no memory. */
static const struct ls_slice *keep_slice(
	struct lsi_compiled_plan *compiled, const struct ls_slice *slice)
{
	struct ls_slice *copy;

	for (int i = 0; i < LSI_RECENT_SLICES && compiled->recent[i]; i++)
		if (is_same_slice(compiled->recent[i], slice))
			return compiled->recent[i];
	copy = lsi_arena_take(&compiled->arena, 1, sizeof *copy);
	if (copy)
		compiled->recent[compiled->slices++ % LSI_RECENT_SLICES] = copy;
	return copy ? memcpy(copy, slice, sizeof *copy) : NULL;
}

static bool operand_make(
	struct lsi_compiled_plan *compiled, const struct ls_slice *slice, struct lsi_operand *out)
{
	out->buffer = slice->buffer;
	out->slice = keep_slice(compiled, slice);
	out->piece = lsi_arena_take(
		&compiled->arena, count_pieces_max(compiled->plan, slice) + 1, sizeof *out->piece);
	return out->slice && out->piece;
}

/* The slice that the peer sends to this node in a step.  LS_ERR_LAW: none. */
static int find_sent_slice(
	struct lsi_compiled_plan *compiled, int64_t peer, int64_t step, const struct ls_slice **out)
{
	struct ls_step theirs;

	ls_plan_step(compiled->plan, peer, step, &theirs);
	for (int q = 0; q < theirs.ports; q++) {
		if (theirs.to[q] == compiled->rank) {
			*out = keep_slice(compiled, &theirs.send[q]);
			return *out ? LS_OK : LS_ERR_MEMORY;
		}
	}
	return LS_ERR_LAW;
}

static int channel_make(struct ls_node *node, int64_t peer, struct lsi_channel *out)
{
	const struct lsi_channel *channel = lsi_channel_to(node->self, lsi_member(node->group, peer));

	if (!channel)
		return LS_ERR_MEMORY;
	*out = *channel;
	return LS_OK;
}

static int port_make(struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s,
	const struct ls_step *step, int q, struct lsi_compiled_port *port)
{
	const struct ls_plan *plan = compiled->plan;
	int failed = LS_OK;

	port->to = step->to[q];
	port->from = step->from[q];
	if (port->to != LS_NO_RANK) {
		failed = channel_make(node, port->to, &port->out);
		port->views = lsi_arena_take(
			&compiled->arena, count_pieces_max(plan, &step->send[q]) + 1, sizeof *port->views);
		if (!port->views || !operand_make(compiled, &step->send[q], &port->send))
			return LS_ERR_MEMORY;
	}
	if (port->from != LS_NO_RANK && !failed) {
		failed = channel_make(node, port->from, &port->in);
		if (!failed)
			failed = find_sent_slice(compiled, port->from, s, &port->arrives);
	}
	return failed;
}

static bool move_make(struct lsi_compiled_plan *compiled, const struct lsi_compiled_step *step,
	const struct ls_move *move, struct lsi_compiled_move *out)
{
	const struct ls_slice *slice[] = { &move->dst, &move->a, &move->b };
	struct lsi_operand *operand[] = { &out->dst, &out->a, &out->b };

	out->action = move->action;
	for (int i = 0; i < (move->action == LS_COMBINE ? 3 : 2); i++) {
		if (!operand_make(compiled, slice[i], operand[i]))
			return false;
		if (slice[i]->buffer >= LS_ARRIVAL && slice[i]->buffer < LS_SCRATCH)
			operand[i]->arrived = &step->port[slice[i]->buffer - LS_ARRIVAL];
	}
	if (move->action == LS_FOLD)
		out->parts = (size_t)(ls_slice_blocks(&move->a) / ls_slice_blocks(&move->dst));
	return true;
}

static int step_make(struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s)
{
	struct lsi_compiled_step *out = &compiled->step[s - compiled->first];
	struct ls_step step;
	int failed = LS_OK;

	ls_plan_step(compiled->plan, node->rank, s, &step);
	out->local = ls_plan_is_local(compiled->plan, s);
	out->ports = step.ports;
	out->moves = step.n_moves;
	out->port = lsi_arena_take(&compiled->arena, (size_t)step.ports, sizeof *out->port);
	out->move = lsi_arena_take(&compiled->arena, (size_t)step.n_moves, sizeof *out->move);
	if (!out->port || !out->move)
		return LS_ERR_MEMORY;
	for (int q = 0; q < step.ports && !failed; q++)
		failed = port_make(node, compiled, s, &step, q, &out->port[q]);
	for (int i = 0; i < step.n_moves && !failed; i++)
		failed = move_make(compiled, out, &step.move[i], &out->move[i]) ? LS_OK : LS_ERR_MEMORY;
	return failed;
}

static int waits_make(struct lsi_compiled_plan *compiled)
{
	compiled->waits = lsi_alloc((size_t)compiled->steps * sizeof *compiled->waits);
	return compiled->waits
		? lsi_plan_zero_copy_waits(compiled->plan, compiled->rank, compiled->waits)
		: LS_ERR_MEMORY;
}

/*
 * Whether the fast path may execute the steps if their lengths are suitable: free rounds, no trace,
 * direct links, and at most one message in each direction per round.
 */
static bool is_plain(const struct ls_node *node, const struct lsi_compiled_plan *compiled)
{
	const struct ls_machine *machine = node->self->machine;
	bool plain = machine->options.rounds == LS_FREE && !machine->records;

	for (int64_t s = 0; s < compiled->steps && plain; s++) {
		const struct lsi_compiled_step *step = &compiled->step[s];
		const struct lsi_compiled_port *port = step->port;

		plain = step->ports == 0
			|| (step->ports == 1 && !step->local
				&& (port->to == LS_NO_RANK || lsi_port_is_simple(node, &port->out))
				&& (port->from == LS_NO_RANK || lsi_port_is_simple(node, &port->in)));
	}
	return plain;
}

/* Make the steps first .. first + held - 1. */
static int steps_make(struct ls_node *node, struct lsi_compiled_plan *compiled)
{
	int failed = LS_OK;

	compiled->step =
		lsi_arena_take(&compiled->arena, (size_t)compiled->held, sizeof *compiled->step);
	if (!compiled->step)
		return LS_ERR_MEMORY;
	for (int64_t i = 0; i < compiled->held && !failed; i++)
		failed = step_make(node, compiled, compiled->first + i);
	return failed;
}

static void set_waits(struct lsi_compiled_plan *compiled)
{
	for (int64_t i = 0; i < compiled->held; i++)
		compiled->step[i].wait = compiled->waits[compiled->first + i];
}

/* Do the steps of all nodes of this process exceed the memory for them? */
static bool needs_window(const struct ls_node *node, int64_t steps)
{
	return steps > WINDOW
		&& (uint64_t)steps
		> node->self->machine->compiled_bytes_most / STEP_BYTES / (uint64_t)node->group->locals;
}

int lsi_compiled_plan_make(
	struct ls_node *node, const struct ls_plan *plan, struct lsi_compiled_plan *out)
{
	const int64_t steps = ls_plan_steps(plan);
	const bool window = needs_window(node, steps);
	int failed;

	*out = (struct lsi_compiled_plan){ .plan = plan,
		.rank = node->rank,
		.steps = steps,
		.held = window ? WINDOW : steps,
		/* A source keeps what its arenas release. */
		.arena = { .source = window ? NULL : &node->group->plan_memory } };
	failed = steps_make(node, out);
	if (!failed)
		failed = waits_make(out);
	if (!failed)
		set_waits(out);
	if (!window) {
		lsi_free(out->waits);
		out->waits = NULL;
	}
	out->is_plain = !failed && !window && is_plain(node, out);
	if (failed)
		lsi_compiled_plan_release(out);
	return failed;
}

void lsi_compiled_plan_release(struct lsi_compiled_plan *compiled)
{
	lsi_arena_release(&compiled->arena);
	lsi_free(compiled->waits);
	compiled->waits = NULL;
}

int lsi_compiled_plan_move_window(
	struct ls_node *node, struct lsi_compiled_plan *compiled, int64_t s)
{
	int failed;

	lsi_arena_release(&compiled->arena);
	memset(compiled->recent, 0, sizeof compiled->recent);
	compiled->slices = 0;
	compiled->first = s;
	compiled->held = lsi_min(WINDOW, compiled->steps - s);
	failed = steps_make(node, compiled);
	if (failed) {
		compiled->held = 0;
		return failed;
	}
	set_waits(compiled);
	lsi_compiled_plan_bind(compiled, &compiled->measure, compiled->size);
	return LS_OK;
}
