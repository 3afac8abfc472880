/*
 * Point-to-point calls.
 */
#include <lockstep/node.h>

#include <inttypes.h>
#include <string.h>

#include "machine/envelope.h"
#include "machine/machine.h"

int64_t ls_rank(const ls_node *node)
{
	return node->rank;
}

int64_t ls_size(const ls_node *node)
{
	return node->group->size;
}

int64_t ls_round(const ls_node *node)
{
	return node->round;
}

const ls_topology *ls_node_topology(const ls_node *node)
{
	return node->group->topology;
}

static struct ls_envelope envelope(
	struct ls_node *node, int64_t peer, size_t bytes, const char *operation)
{
	struct ls_envelope e = { .node = node, .peer = peer, .words = bytes, .operation = operation };
	const struct ls_call_id id = { .context = node->group->context, .operation = LS_OPERATIONS };

	ls_call_pack(&id, e.call);
	return e;
}

bool ls_has_room(struct ls_processor *me, void *what)
{
	const struct ls_expected *awaited = what;

	(void)me;
	return ls_mailbox_room(awaited->box) || ls_load(&awaited->peer->gone, seq_cst);    /* GONE */
}

bool ls_has_message(struct ls_processor *me, void *what)
{
	const struct ls_expected *awaited = what;

	(void)me;
	return ls_mailbox_first(awaited->box) || ls_load(&awaited->peer->gone, seq_cst);   /* GONE */
}

/* The channel to a rank of the group, or why there is none. */
static int channel_to(const struct ls_envelope *e, struct ls_channel *out)
{
	struct ls_node *node = e->node;
	struct ls_processor *me = node->self;
	const int pulse = ls_pulse(me);

	if (pulse)
		return pulse;
	if (e->peer < 0 || e->peer >= node->group->size)
		return ls_halt(me, (struct ls_fault){ LS_ERR_LINK, e->peer, node->round, -1, e->operation },
			"node %" PRId64 " names node %" PRId64 " in round %" PRId64
			" (%s); ranks are 0 to %" PRId64,
			me->rank, e->peer, node->round, e->operation, node->group->size - 1);

	const int64_t peer = ls_member(node->group, e->peer);

	if (peer == me->rank)
		return ls_halt(me, (struct ls_fault){ LS_ERR_LINK, peer, node->round, -1, e->operation },
			"node %" PRId64 " names itself in round %" PRId64 " (%s); no node has a link to itself",
			me->rank, node->round, e->operation);

	const struct ls_channel *channel = ls_channel_to(me, peer);

	if (!channel)
		return ls_halt(me, (struct ls_fault){ LS_ERR_MEMORY, peer, node->round, -1, e->operation },
			"no memory for the mailbox between node %" PRId64 " and node %" PRId64, me->rank, peer);
	*out = *channel;
	return LS_OK;
}

int ls_left(const struct ls_envelope *e, const struct ls_channel *channel, const char *verb)
{
	struct ls_processor *me = e->node->self;

	return ls_halt(me,
		(struct ls_fault){ LS_ERR_LEFT, channel->peer, e->node->round, -1, e->operation },
		"node %" PRId64 " waits to %s node %" PRId64 " in round %" PRId64
		" (%s); that node has ended",
		me->rank, verb, channel->peer, e->node->round, e->operation);
}

static int send_message(struct ls_node *node, int64_t to, const void *data, size_t bytes)
{
	const struct ls_envelope e = envelope(node, to, bytes, "send");
	struct ls_processor *me = node->self;
	struct ls_machine *machine = me->machine;
	const struct ls_view view = { (uintptr_t)data, bytes };
	struct ls_channel channel;
	int failed = channel_to(&e, &channel);

	if (!failed)
		failed = ls_port_send(&e, &channel);
	if (failed)
		return failed;

	struct ls_expected awaited = { channel.out, &machine->processor[channel.peer] };
	const struct ls_waiting reason = { sizeof reason, LS_AWAITS_SPACE, channel.peer, node->round,
		"send" };

	if (!ls_mailbox_room(channel.out) && (failed = ls_await(me, reason, ls_has_room, &awaited)))
		return failed;

	struct ls_slot *slot = ls_mailbox_room(channel.out);

	if (!slot || ls_load(&awaited.peer->gone, acquire))                /* GONE */
		return ls_left(&e, &channel, "send to");
	if (ls_slot_fill(&channel, slot, &e, &view, bytes > 0, bytes))
		ls_owe(me, channel.out, channel.out->tail, INT64_MAX);
	ls_mailbox_send(machine, channel.out);
	return ls_port_sent(&e, &channel, bytes);
}

static int receive_message(struct ls_node *node, int64_t from, void *data, size_t bytes)
{
	const struct ls_envelope e = envelope(node, from, bytes, "receive");
	struct ls_processor *me = node->self;
	struct ls_machine *machine = me->machine;
	struct ls_channel channel;
	int failed = channel_to(&e, &channel);

	if (!failed)
		failed = ls_port_receive(&e, &channel);
	if (failed)
		return failed;

	struct ls_expected awaited = { channel.in, &machine->processor[channel.peer] };
	const struct ls_waiting reason = { sizeof reason, LS_AWAITS_MESSAGE, channel.peer, node->round,
		"receive" };

	if (!ls_mailbox_first(channel.in) && (failed = ls_await(me, reason, ls_has_message, &awaited)))
		return failed;

	struct ls_slot *slot = ls_mailbox_first(channel.in);
	struct ls_view one;
	const struct ls_view *views;

	if (!slot)
		return ls_left(&e, &channel, "receive from");
	failed = ls_slot_check(&e, slot, bytes);
	if (failed)
		return failed;
	if (!ls_slot_open(&channel, slot, &one, &views))
		return ls_pulse(me);
	if (bytes > 0)
		memcpy(data, (const void *)views->at, bytes);
	ls_mailbox_done(machine, channel.in);
	return LS_OK;
}

static int end_round(struct ls_node *node)
{
	struct ls_processor *me = node->self;
	int failed = ls_pulse(me);

	if (!failed && me->machine->options.rounds == LS_LOCKSTEP)
		failed = ls_meet(node, &node->group->barrier, "next_round");
	else if (!failed)
		failed = ls_settle(node, INT64_MAX, "next_round");
	if (!failed)
		failed = ls_round_close(node, "next_round");
	return failed;
}

/* A call that fails leaves nothing lent: the caller may free what it sent. */
static int result(struct ls_node *node, int status)
{
	if (status)
		ls_revoke(node->self);
	return status;
}

int ls_send(ls_node *node, int64_t to, const void *data, size_t bytes)
{
	if (!node || (!data && bytes > 0))
		return LS_ERR_ARGUMENT;
	return result(node, send_message(node, to, data, bytes));
}

int ls_receive(ls_node *node, int64_t from, void *data, size_t bytes)
{
	if (!node || (!data && bytes > 0))
		return LS_ERR_ARGUMENT;
	return result(node, receive_message(node, from, data, bytes));
}

int ls_next_round(ls_node *node)
{
	return node ? result(node, end_round(node)) : LS_ERR_ARGUMENT;
}
