/*
 * Ports: a node sends, and receives, at most options.ports messages per round.
 *
 * A message occupies a port until the round of its handle ends.
 */
#ifndef LSI_MACHINE_PORT_H
#define LSI_MACHINE_PORT_H

#include "machine/links.h"
#include "machine/trace_records.h"

/*
 * Check that this node may send (receive) one more message over this channel in this round.  LS_OK:
 * the message occupies a port now.  Else the error that stopped the machine.
 */
int lsi_port_check_send(const struct lsi_envelope *, const struct lsi_channel *);
int lsi_port_check_receive(const struct lsi_envelope *, const struct lsi_channel *);

/* Stop the machine: the peer has left. */
int lsi_fail_peer_gone(const struct lsi_envelope *, const struct lsi_channel *, bool sends);

/* ---- The common case, inlined: a free port, and a link to a neighbor while no link is down */

static inline bool lsi_port_is_simple(const struct ls_node *node, const struct lsi_channel *channel)
{
	return node->group->mode == LS_HOP && channel->link >= 0;
}

static inline int lsi_port_send(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;

	if (me->sends == machine->options.ports || !lsi_port_is_simple(e->node, channel)
		|| lsi_load(&machine->links, acquire)) /* DIRECTORY: not NULL: some link is down */
		return lsi_port_check_send(e, channel);
	me->out[me->sends++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

static inline int lsi_port_receive(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;

	if (me->receives == me->machine->options.ports || !lsi_port_is_simple(e->node, channel))
		return lsi_port_check_receive(e, channel);
	me->in[me->receives++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return LS_OK;
}

/* Count a message that was sent. */
static inline void lsi_count_message(struct lsi_node_state *me, size_t words, size_t bytes)
{
	me->count.messages++;
	me->count.words += (int64_t)words;
	me->count.bytes += (int64_t)bytes;
	me->count.load |= me->count.load == 0; /* at least 1 */
}

/*
 * Count and trace the message of the last send port, which is in its mailbox now.  sent_ns:
 * lsi_trace_now before that.
 */
static inline int lsi_port_sent(
	const struct lsi_envelope *e, const struct lsi_channel *channel, size_t bytes, int64_t sent_ns)
{
	struct lsi_node_state *me = e->node->self;
	struct lsi_port *port = &me->out[me->sends - 1];

	port->sent = channel->out;
	port->message = channel->out->tail - 1;
	lsi_count_message(me, e->words, bytes);
	return me->machine->records ? lsi_trace_put_sent(e, channel, bytes, sent_ns) : LS_OK;
}

/*
 * Trace that this node has the oldest message of the channel.  wait_began: lsi_trace_wait_began
 * when it first looked for the message.
 */
static inline int lsi_port_received(
	const struct lsi_envelope *e, const struct lsi_channel *channel, int64_t wait_began)
{
	const bool timed = e->node->self->machine->options.trace_times;

	return timed ? lsi_trace_put_received(e, channel, wait_began) : LS_OK;
}

/* ---- The end of a round */

/* Remove the messages of a handle from n ports; return the number of ports that remain in use. */
static inline int lsi_ports_compact(struct lsi_port *port, int n, const struct ls_node *node)
{
	int others = 0;

	for (int q = 0; q < n; q++) {
		if (port[q].node != node)
			port[others++] = port[q];
	}
	return others;
}

/* Free the ports of all messages that this handle sent or received. */
static inline void lsi_ports_release(struct ls_node *node)
{
	struct lsi_node_state *me = node->self;

	me->sends = lsi_ports_compact(me->out, me->sends, node);
	me->receives = lsi_ports_compact(me->in, me->receives, node);
}

#endif
