/*
 * The rules of every message: ports, wires, rounds, and that both ends mean the same call.
 */
#include "machine/machine_internal.h"

#include <inttypes.h>
#include <string.h>

#include "machine/envelope.h"

static struct lsi_fault fault(
	int kind, const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	const int64_t link = channel && channel->link >= 0
		? ls_link_label(e->node->self->machine->topology, channel->link)
		: -1;

	return (
		struct lsi_fault){ kind, channel ? channel->peer : -1, e->node->round, link, e->operation };
}

/* The wire must exist in hop mode, be up or be gone round, and the peer must still be there. */
static int wire(const struct lsi_envelope *e, const struct lsi_channel *channel, bool send)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;

	if (e->node->group->mode == LS_HOP && channel->link < 0)
		return lsi_machine_fail(me, fault(LS_ERR_LINK, e, channel),
			"node %" PRId64 " has no link %s node %" PRId64 " in round %" PRId64
			" (%s); %s messages reach neighbours only in hop mode",
			me->rank, send ? "to" : "from", channel->peer, e->node->round, e->operation,
			ls_topology_spec(machine->topology));
	if (!send)
		return LS_OK;
	return lsi_link_admit(e, channel);
}

static const char *ports_text(int ports)
{
	return ports == 1 ? "port" : "ports";
}

int lsi_port_check_send(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	const int ports = me->machine->options.ports;

	if (me->sends == ports)
		return lsi_machine_fail(me, fault(LS_ERR_PORT, e, channel),
			"node %" PRId64 " sends to node %" PRId64 " in round %" PRId64
			" (%s), but has sent to node %" PRId64 " in it; a node has %d send %s",
			me->rank, channel->peer, e->node->round, e->operation, me->out[0].peer, ports,
			ports_text(ports));

	const int failed = wire(e, channel, true);

	if (failed)
		return failed;
	me->out[me->sends++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

int lsi_port_check_receive(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	const int ports = me->machine->options.ports;

	if (me->receives == ports)
		return lsi_machine_fail(me, fault(LS_ERR_PORT, e, channel),
			"node %" PRId64 " receives from node %" PRId64 " in round %" PRId64
			" (%s), but has received from node %" PRId64 " in it; a node has %d receive %s",
			me->rank, channel->peer, e->node->round, e->operation, me->in[0].peer, ports,
			ports_text(ports));

	const int failed = wire(e, channel, false);

	if (failed)
		return failed;
	me->in[me->receives++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

/* ---- Lent messages */

static struct lsi_lent_message *loan_of(struct lsi_slot *slot)
{
	return (struct lsi_lent_message *)(void *)(slot + 1);
}

void lsi_slot_lend(struct lsi_slot *slot, const struct lsi_view *views, size_t n)
{
	struct lsi_lent_message *loan = loan_of(slot);

	slot->bytes |= LSI_LENT_FLAG;
	loan->one = views[0];
	loan->views = n == 1 ? &loan->one : views;
	lsi_store(&loan->claim, LSI_LENT_OPEN, relaxed); /* published with the slot */
}

bool lsi_slot_claim(struct lsi_slot *slot, const struct lsi_view **views)
{
	struct lsi_lent_message *loan = loan_of(slot);

	*views = loan->views;
	return lsi_exchange(&loan->claim, LSI_LENT_CLAIMED, acq_rel) == LSI_LENT_OPEN; /* LOAN */
}

bool lsi_slot_revoke(struct lsi_slot *slot)
{
	return lsi_exchange(&loan_of(slot)->claim, LSI_LENT_REVOKED, acq_rel)
		== LSI_LENT_OPEN; /* LOAN */
}

/* ---- What came is not what was expected */

int lsi_slot_reject(const struct lsi_envelope *e, const struct lsi_slot *slot, size_t bytes)
{
	struct lsi_node_state *me = e->node->self;
	const int64_t peer = lsi_member(e->node->group, e->peer), round = e->node->round;
	const int32_t late = (int32_t)(slot->round - (uint32_t)round);
	const size_t arrived = (size_t)(slot->bytes & ~LSI_LENT_FLAG);
	const bool same_group = (uint32_t)slot->call[0] == (uint32_t)e->call[0];
	struct lsi_channel *channel = lsi_channel_to(me, peer);

	if (same_group && late < 0)
		return lsi_machine_fail(me, fault(LS_ERR_UNTAKEN, e, channel),
			"the message of round %" PRId64 " from node %" PRId64 " to node %" PRId64
			" was left untaken; node %" PRId64 " is in round %" PRId64 " (%s)",
			round + late, peer, me->rank, me->rank, round, e->operation);
	if (memcmp(slot->call, e->call, sizeof slot->call) != 0)
		return lsi_machine_fail(me, fault(LS_ERR_MISMATCH, e, channel),
			"node %" PRId64 " is in %s; node %" PRId64 " in %s", me->rank,
			lsi_call_describe(e->call).text, peer, lsi_call_describe(slot->call).text);
	if (late > 0)
		return lsi_machine_fail(me, fault(LS_ERR_MATCH, e, channel),
			"node %" PRId64 " expects a message from node %" PRId64 " in round %" PRId64
			" (%s); its next message is of round %" PRId64,
			me->rank, peer, round, e->operation, round + late);
	/* Of one call to all, but that lengths of blocks are not in the envelope. */
	return lsi_machine_fail(me,
		fault(lsi_call_is_collective(e->call) ? LS_ERR_MISMATCH : LS_ERR_MATCH, e, channel),
		"node %" PRId64 " expects %zu bytes from node %" PRId64 " in round %" PRId64
		" (%s); %zu came",
		me->rank, bytes, peer, round, e->operation, arrived);
}
