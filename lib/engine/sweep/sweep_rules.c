#include "engine/sweep/sweep_rules.h"

#include <inttypes.h>
#include <stdio.h>

#include "topology/link_traffic.h"

/* ---- Texts */

struct lsi_message_when lsi_message_when(const struct lsi_message_end *end)
{
	struct lsi_message_when when;

	snprintf(when.text, sizeof when.text, "in round %" PRId64 " (%s)",
		ls_plan_round(end->worker->sweep->plan, end->step), end->operation);
	return when;
}

static int64_t host_rank(const struct lsi_message_end *end, int64_t rank)
{
	return lsi_sweep_host_rank(end->worker->sweep, rank);
}

static const char *verb(const struct lsi_message_end *end)
{
	return end->sends ? "sends to" : "receives from";
}

#define VIOLATION(kind, peer, ...) \
	lsi_sweep_report(end->worker, \
		(struct lsi_sweep_fault){ kind, end->node, peer, end->step, end->operation }, __VA_ARGS__)

/* ---- Peers and ports */

bool lsi_rule_peer(const struct lsi_message_end *end)
{
	const int64_t nodes = end->worker->sweep->nodes, here = host_rank(end, end->node);

	if (end->peer < 0 || end->peer >= nodes)
		return VIOLATION(LS_ERR_LINK, LS_NO_RANK,
			"node %" PRId64 " %s node %" PRId64 " %s, which does not exist", here, verb(end),
			end->peer, lsi_message_when(end).text);
	if (end->peer == end->node)
		return VIOLATION(LS_ERR_LINK, end->peer,
			"node %" PRId64 " names itself %s; no node has a link to itself", here,
			lsi_message_when(end).text);
	return true;
}

bool lsi_rule_port(const struct lsi_message_end *end, int64_t used, int64_t first)
{
	const int ports = end->worker->sweep->plan->problem.ports;

	if (used < ports)
		return true;
	return VIOLATION(LS_ERR_PORT, end->peer,
		"node %" PRId64 " %s node %" PRId64 " %s, but has %s node %" PRId64
		" in it; a node has %d %s port%s",
		host_rank(end, end->node), verb(end), host_rank(end, end->peer), lsi_message_when(end).text,
		end->sends ? "sent to" : "received from", host_rank(end, first), ports,
		end->sends ? "send" : "receive", ports == 1 ? "" : "s");
}

/* ---- Links */

bool lsi_message_has_link(const struct lsi_sweep_state *s, int64_t node, int64_t peer)
{
	const int64_t here = lsi_sweep_host_rank(s, node), there = lsi_sweep_host_rank(s, peer);

	return here != there && (s->mode == LS_ROUTED || ls_link_to(s->topology, here, there) >= 0);
}

bool lsi_rule_link(const struct lsi_message_end *end)
{
	const struct lsi_sweep_state *s = end->worker->sweep;

	if (lsi_message_has_link(s, end->node, end->peer))
		return true;
	return VIOLATION(LS_ERR_LINK, end->peer,
		"node %" PRId64 " has no link %s node %" PRId64
		" %s; %s messages reach neighbours only in hop mode",
		host_rank(end, end->node), end->sends ? "to" : "from", host_rank(end, end->peer),
		lsi_message_when(end).text, ls_topology_spec(s->topology));
}

/* ---- Load of links */

/* Messages on a link in this step, with this one; `load` counts steps in its upper half. */
static int64_t add_load(LSI_ATOMIC(uint64_t) * load, int64_t step)
{
	const uint64_t tag = (uint64_t)(step + 1) << 32;
	uint64_t old = lsi_load(load, relaxed), now; /* counter only */

	do {
		now = (old >> 32 == tag >> 32 ? old : tag) + 1;
	} while (!lsi_compare_swap(load, &old, now, relaxed)); /* counter only */
	return (int64_t)(now & UINT32_MAX);
}

/* Most messages on a link of the route; `add`: this one is counted first. */
static int64_t route_load(const struct lsi_message_end *end, bool add)
{
	const struct lsi_sweep_state *s = end->worker->sweep;
	struct lsi_route route = lsi_route_begin(host_rank(end, end->node), host_rank(end, end->peer));
	int64_t most = 0;

	while (lsi_route_hop(s->topology, &route)) {
		LSI_ATOMIC(uint64_t) *load =
			&s->load[lsi_link_traffics_number(s->topology, route.from, route.link)];
		const int64_t messages = add
			? add_load(load, end->step)
			: (int64_t)(lsi_load(load, relaxed) & UINT32_MAX); /* after a barrier */

		most = messages > most ? messages : most;
	}
	return most;
}

void lsi_message_add_load(const struct lsi_message_end *end)
{
	struct lsi_sweep_worker *w = end->worker;
	const int64_t load = w->sweep->mode == LS_ROUTED ? route_load(end, true) : 1;

	if (load > w->load)
		w->load = load;
	w->crowded[w->barriers % 2] |= load > 1;
}

bool lsi_rule_congestion(const struct lsi_message_end *end)
{
	const int64_t load = route_load(end, false);

	if (load <= 1)
		return true;
	return VIOLATION(LS_ERR_CONGESTION, end->peer,
		"%" PRId64 " messages cross one link %s"
		", one of them from node %" PRId64 " to node %" PRId64 "; --strict allows one",
		load, lsi_message_when(end).text, host_rank(end, end->node), host_rank(end, end->peer));
}

struct lsi_step_sums lsi_step_sums_of(const struct lsi_sweep_state *s, int parity)
{
	struct lsi_step_sums sums = { 0, false };

	for (int i = 0; i < s->workers; i++) {
		sums.unmatched += s->worker[i].unmatched[parity];
		sums.crowded |= s->worker[i].crowded[parity];
	}
	sums.crowded &= s->request.strict;
	return sums;
}
