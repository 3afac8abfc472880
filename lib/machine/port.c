/*
 * The full checks of a port.  They are needed when all ports are in use, a link is missing, any
 * link is down, or messages are routed; port.h handles the common case without them.
 */
#include "machine/port.h"

#include "machine/verdict.h"

/* The rules that do not depend on the directory of links. */
static int check_rules(const struct lsi_envelope *e, const struct lsi_channel *channel, bool sends)
{
	const struct ls_node *node = e->node;
	struct lsi_node_state *me = node->self;
	const struct ls_machine *machine = me->machine;
	const int used = sends ? me->sends : me->receives;
	const struct lsi_message_facts facts = { me->rank, channel->peer, machine->nodes, used,
		machine->options.ports, node->group->mode == LS_ROUTED || channel->link >= 0 };
	const enum lsi_message_rule rule = lsi_message_check(&facts);
	struct lsi_message_error error;

	if (rule == LSI_RULES_KEPT)
		return LS_OK;
	error = lsi_message_error_of(e, channel, channel->peer, rule, sends);
	error.other = used == 0 ? LS_NO_RANK : sends ? me->out[0].peer : me->in[0].peer;
	error.limit = machine->options.ports;
	error.name = ls_topology_spec(machine->topology);
	return lsi_message_fail(me, &error);
}

int lsi_port_check_send(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	int failed = check_rules(e, channel, true);

	if (!failed)
		failed = lsi_link_admit(e, channel);
	if (!failed)
		me->out[me->sends++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return failed;
}

int lsi_port_check_receive(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	const int failed = check_rules(e, channel, false);

	if (!failed)
		me->in[me->receives++] = (struct lsi_port){ e->node, channel->peer, NULL, 0 };
	return failed;
}

int lsi_fail_peer_gone(const struct lsi_envelope *e, const struct lsi_channel *channel, bool sends)
{
	struct lsi_message_error error =
		lsi_message_error_of(e, channel, channel->peer, LSI_RULE_PEER_STAYS, sends);

	error.link = -1;
	return lsi_message_fail(e->node->self, &error);
}
