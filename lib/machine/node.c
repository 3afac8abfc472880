/*
 * The calls of a node program: queries, point-to-point messages, rounds.
 *
 * A point-to-point message takes the same path as a message of a collective call: port, mailbox,
 * slot.  Its envelope holds the group, but no operation and no count.
 */
#include <lockstep/node.h>

#include <inttypes.h>
#include <string.h>

#include "machine/channel.h"
#include "machine/envelope.h"
#include "machine/pending_send.h"
#include "machine/refused_call.h"
#include "machine/round.h"
#include "machine/shared_threads.h"
#include "machine/slot.h"
#include "machine/verdict.h"
#include "machine/wait.h"

int64_t ls_rank(const ls_node *node)
{
	return node ? node->rank : LS_NO_RANK;
}

int64_t ls_size(const ls_node *node)
{
	return node ? node->group->size : 0;
}

int64_t ls_round(const ls_node *node)
{
	return node ? node->round : 0;
}

const ls_topology *ls_node_topology(const ls_node *node)
{
	return node ? node->group->topology : NULL;
}

/* A point-to-point message: words are bytes. */
static struct lsi_envelope make_envelope(
	struct ls_node *node, int64_t peer, size_t bytes, const char *operation)
{
	struct lsi_envelope e = { .node = node, .peer = peer, .words = bytes, .operation = operation };
	const struct lsi_call_id id = { .context = node->group->context, .operation = LS_OPERATIONS };

	lsi_call_pack(&id, e.call);
	return e;
}

/* The peer must be another rank of the group. */
static int check_peer(const struct lsi_envelope *e, bool sends)
{
	struct ls_node *node = e->node;
	const struct lsi_message_facts facts = { node->rank, e->peer, node->group->size, 0, 1, true };
	const enum lsi_message_rule rule = lsi_message_check(&facts);
	struct lsi_message_error error;

	if (rule == LSI_RULES_KEPT)
		return LS_OK;
	error = lsi_message_error_of(
		e, NULL, rule == LSI_RULE_RANK ? e->peer : node->self->rank, rule, sends);
	error.limit = node->group->size - 1;
	return lsi_message_fail(node->self, &error);
}

/* The channel to a rank of the group; LS_OK, or the error. */
static int channel_to(const struct lsi_envelope *e, bool sends, struct lsi_channel *out)
{
	struct ls_node *node = e->node;
	struct lsi_node_state *me = node->self;
	int failed = lsi_machine_status(me);

	if (!failed)
		failed = check_peer(e, sends);
	if (failed)
		return failed;

	const int64_t peer = lsi_member(node->group, e->peer);
	const struct lsi_channel *channel = lsi_channel_to(me, peer);

	if (!channel)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, peer, node->round, -1, e->operation },
			"no memory for the mailbox between node %" PRId64 " and node %" PRId64, me->rank, peer);
	*out = *channel;
	if (me->machine->exceeds_caches) {
		lsi_channel_prefetch(me->machine, channel);
		lsi_channel_note_use(&me->channels, channel);
	}
	return LS_OK;
}

/* Wait for space in the mailbox to the peer, or for a message in that from the peer. */
static int wait_for_peer(struct ls_node *node, enum ls_wait_reason reason, const char *operation,
	struct lsi_mailbox_wait *mailbox_wait)
{
	const struct lsi_wait wait = { { sizeof wait.state, reason, mailbox_wait->peer->rank,
									   node->round, operation },
		reason == LS_WAITS_FOR_SPACE ? lsi_mailbox_has_space : lsi_mailbox_has_message,
		mailbox_wait, NULL, 0, false, false };

	if (reason == LS_WAITS_FOR_MESSAGE && node->self->machine->exceeds_caches) {
		node->self->fiber.first_read[0] =
			(struct lsi_view){ (uintptr_t)&mailbox_wait->box->head, 1 };
		node->self->fiber.first_read[1] =
			(struct lsi_view){ (uintptr_t)lsi_mailbox_next(mailbox_wait->box, mailbox_wait->mine),
				1 };
		node->self->fiber.next_channel = lsi_channel_likely_next(&node->self->channels);
	}
	return lsi_wait_until(node->self, &wait);
}

/* Take a port, wait for space, fill the slot. */
static int send_message(struct ls_node *node, int64_t to, const void *data, size_t bytes)
{
	const struct lsi_envelope e = make_envelope(node, to, bytes, "send");
	struct lsi_node_state *me = node->self;
	struct ls_machine *machine = me->machine;
	const struct lsi_view view = { (uintptr_t)data, bytes };
	struct lsi_channel channel;
	int failed = channel_to(&e, true, &channel);

	if (!failed)
		failed = lsi_port_send(&e, &channel);
	if (failed)
		return failed;

	struct lsi_mailbox_wait wait = { channel.out, &channel.out->sender,
		&machine->node_state[channel.peer] };

	if (!lsi_mailbox_space(channel.out)
		&& (failed = wait_for_peer(node, LS_WAITS_FOR_SPACE, "send", &wait)))
		return failed;

	struct lsi_slot *slot = lsi_mailbox_space(channel.out);

	if (!slot || lsi_load(&wait.peer->gone, acquire)) /* GONE */
		return lsi_fail_peer_gone(&e, &channel, true);
	if (lsi_slot_fill(&channel, slot, &e, &view, bytes > 0, bytes))
		lsi_pending_add(me, channel.out, channel.out->tail, INT64_MAX);

	const int64_t sent_ns = lsi_trace_now(machine); /* not later than received_ns */

	lsi_mailbox_send(machine, channel.out);
	return lsi_port_sent(&e, &channel, bytes, sent_ns);
}

/* Take a port, wait for the message, check it, copy it. */
static int receive_message(struct ls_node *node, int64_t from, void *data, size_t bytes)
{
	const struct lsi_envelope e = make_envelope(node, from, bytes, "receive");
	struct lsi_node_state *me = node->self;
	struct ls_machine *machine = me->machine;
	struct lsi_channel channel;
	int failed = channel_to(&e, false, &channel);

	if (!failed)
		failed = lsi_port_receive(&e, &channel);
	if (failed)
		return failed;

	const struct lsi_mailbox_end *mine = &channel.out->sender;
	struct lsi_mailbox_wait wait = { channel.in, mine, &machine->node_state[channel.peer] };
	const int64_t wait_began = lsi_trace_wait_began(machine, &channel);

	if (!lsi_mailbox_oldest(channel.in, mine)
		&& (failed = wait_for_peer(node, LS_WAITS_FOR_MESSAGE, "receive", &wait)))
		return failed;

	struct lsi_slot *slot = lsi_mailbox_oldest(channel.in, mine);
	struct lsi_view one;
	const struct lsi_view *views;

	if (!slot)
		return lsi_fail_peer_gone(&e, &channel, false);
	failed = lsi_slot_check(&e, slot, bytes);
	if (failed)
		return failed;
	if (!lsi_slot_views(&channel, slot, &one, &views))
		return lsi_machine_status(me);
	failed = lsi_port_received(&e, &channel, wait_began);
	if (!failed && bytes > 0)
		memcpy(data, (const void *)views->at, bytes);
	lsi_mailbox_consume(machine, channel.in, mine);
	return failed;
}

/*
 * In lockstep mode the barrier also separates the reads of zero-copy messages from the next round.
 * In free mode the node waits for its readers.
 */
static int end_round(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	int failed = lsi_machine_status(me);

	if (!failed && me->machine->options.rounds == LS_LOCKSTEP)
		failed = lsi_barrier_wait_all(node, &node->group->barrier, "next_round");
	else if (!failed)
		failed = lsi_pending_wait(node, INT64_MAX, "next_round");
	if (!failed)
		failed = lsi_round_end(node, "next_round");
	return failed;
}

/* A call that fails leaves no send pending: the caller may free the memory of its messages. */
static int cancel_if_failed(struct ls_node *node, int status)
{
	if (status)
		lsi_pending_cancel(node->self);
	return status;
}

int ls_send(ls_node *node, int64_t to, const void *data, size_t bytes)
{
	if (!lsi_handle_is_valid(node))
		return lsi_refuse_handle("ls_send");
	if (!data && bytes > 0)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, "ls_send", "data is NULL");
	return cancel_if_failed(node, send_message(node, to, data, bytes));
}

int ls_receive(ls_node *node, int64_t from, void *data, size_t bytes)
{
	if (!lsi_handle_is_valid(node))
		return lsi_refuse_handle("ls_receive");
	if (!data && bytes > 0)
		return lsi_refuse_call(node->self, LS_ERR_ARGUMENT, "ls_receive", "data is NULL");
	return cancel_if_failed(node, receive_message(node, from, data, bytes));
}

int ls_next_round(ls_node *node)
{
	return lsi_handle_is_valid(node) ? cancel_if_failed(node, end_round(node))
									 : lsi_refuse_handle("ls_next_round");
}
