#include "engine/sweep/sweep_rules.h"

#include <lockstep/topology.h>

#include "base/math.h"
#include "topology/link_traffic.h"

static int64_t host_rank(const struct lsi_message_end *end, int64_t rank)
{
	return lsi_sweep_host_rank(end->worker->sweep, rank);
}

bool lsi_message_report(const struct lsi_message_end *end, struct lsi_message_error error)
{
	const struct lsi_sweep_state *s = end->worker->sweep;
	const bool exists = error.rule != LSI_RULE_RANK;
	char text[sizeof s->error.text];
	int kind;

	error.sends = end->sends;
	error.node = host_rank(end, end->node);
	error.peer = exists ? host_rank(end, end->peer) : end->peer;
	error.round = ls_plan_round(s->plan, end->step);
	error.operation = end->operation;
	if (error.rule == LSI_RULE_PORT)
		error.other = host_rank(end, error.other);
	kind = lsi_message_describe(&error, text, sizeof text);
	return lsi_sweep_report(end->worker,
		(struct lsi_sweep_fault){
			kind, end->node, exists ? end->peer : LS_NO_RANK, end->step, end->operation },
		"%s", text);
}

bool lsi_message_has_link(const struct lsi_sweep_state *s, int64_t node, int64_t peer)
{
	const int64_t here = lsi_sweep_host_rank(s, node), there = lsi_sweep_host_rank(s, peer);

	return here != there && (s->mode == LS_ROUTED || ls_link_to(s->topology, here, there) >= 0);
}

bool lsi_message_holds(const struct lsi_message_end *end, int64_t used, int64_t first, bool linked)
{
	const struct lsi_sweep_state *s = end->worker->sweep;
	const int ports = s->plan->problem.ports;
	struct lsi_message_facts facts = { end->node, end->peer, s->nodes, (int)lsi_min(used, ports),
		ports, true };
	enum lsi_message_rule rule = lsi_message_check(&facts);

	/* Only the ranks of existing nodes have links. */
	if (rule == LSI_RULES_KEPT && linked) {
		facts.is_linked = lsi_message_has_link(s, end->node, end->peer);
		rule = lsi_message_check(&facts);
	}
	return rule == LSI_RULES_KEPT
		|| lsi_message_report(end,
			(struct lsi_message_error){ .rule = rule,
				.other = first,
				.limit = rule == LSI_RULE_RANK ? s->nodes - 1 : ports,
				.name = ls_topology_spec(s->topology) });
}

/* ---- Load of links */

/* Messages on a link in this step, with this one.  The upper half of `load` holds step + 1. */
static int64_t add_load(LSI_ATOMIC(uint64_t) * load, int64_t step)
{
	const uint64_t tag = (uint64_t)(step + 1) << 32;
	uint64_t old = lsi_load(load, relaxed), now; /* counter only */

	do {
		now = (old >> 32 == tag >> 32 ? old : tag) + 1;
	} while (!lsi_compare_swap(load, &old, now, relaxed)); /* counter only */
	return (int64_t)(now & UINT32_MAX);
}

/* Find the most loaded link of a route; `add`: count this message first. */
static struct lsi_link_load find_most_loaded(const struct lsi_message_end *end, bool add)
{
	const struct lsi_sweep_state *s = end->worker->sweep;
	struct lsi_route route = lsi_route_begin(host_rank(end, end->node), host_rank(end, end->peer));
	struct lsi_link_load most = { 0 };

	while (lsi_route_hop(s->topology, &route)) {
		LSI_ATOMIC(uint64_t) *load =
			&s->load[lsi_link_traffics_number(s->topology, route.from, route.link)];
		const int64_t messages = add
			? add_load(load, end->step)
			: (int64_t)(lsi_load(load, relaxed) & UINT32_MAX); /* after a barrier */

		if (messages > most.messages)
			most = (struct lsi_link_load){ route.from, route.at, messages };
	}
	return most;
}

void lsi_message_add_load(const struct lsi_message_end *end)
{
	struct lsi_sweep_worker *w = end->worker;
	const int64_t load = w->sweep->mode == LS_ROUTED ? find_most_loaded(end, true).messages : 1;

	if (load > w->load)
		w->load = load;
	w->crowded[w->barriers % 2] |= load > 1;
}

bool lsi_message_has_free_links(const struct lsi_message_end *end)
{
	const struct lsi_link_load load = find_most_loaded(end, false);

	return load.messages <= 1
		|| lsi_message_report(end,
			(struct lsi_message_error){ .rule = LSI_RULE_STRICT,
				.count = load.messages,
				.other = load.from,
				.limit = load.to });
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
