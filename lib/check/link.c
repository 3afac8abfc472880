/*
 * Law 3: messages follow the links of the network.
 *
 * hop mode     every message crosses one link, to a neighbor
 * routed mode  every message follows its route; strict: no two messages of a round share a
 *              directed link
 */
#include <stdio.h>

#include "check/checker.h"
#include "topology/rank_text.h"

/* The vertex of law 3's network that executes a node of the plan. */
static int64_t host_rank(const struct lsi_checker *c, int64_t node)
{
	return c->options.embedding ? ls_embedding_host_rank(c->options.embedding, node) : node;
}

int lsi_check_link(struct lsi_checker *c, int64_t node, int64_t step, const struct ls_step *actions)
{
	for (int q = 0; q < actions->ports; q++) {
		if (actions->to[q] == LS_NO_RANK)
			continue;

		const int64_t from = host_rank(c, node), to = host_rank(c, actions->to[q]);

		const struct lsi_violation_at where = { from, to, step, -1 };

		if (to == from)
			return lsi_check_fail(c, LS_LAW_LINK, where, "sends to itself");
		if (c->mode == LS_HOP && ls_link_to(c->loads.topology, from, to) < 0)
			return lsi_check_fail(
				c, LS_LAW_LINK, where, "%s", lsi_no_link_text(c->loads.topology, from, to).text);
		if (c->mode == LS_ROUTED && lsi_link_traffics_add(&c->loads, from, to, 0) != LS_OK)
			return LS_ERR_MEMORY;
	}
	return LS_OK;
}

/* Fail with the lowest-numbered link that more than one message crosses. */
static int report_congestion(struct lsi_checker *c, int64_t step)
{
	const struct ls_topology *t = c->loads.topology;
	int64_t number = INT64_MAX;

	for (size_t i = 0; i < c->loads.n; i++) {
		const int64_t other = c->loads.loaded[i];

		if (other < number && c->loads.of[other].messages > 1)
			number = other;
	}

	const int64_t at = number / t->degree, link = number % t->degree;
	const struct lsi_violation_at where = { at, ls_neighbor(t, at, link), step,
		ls_link_label(t, link) };

	return lsi_check_fail(c, LS_LAW_LINK, where, "%lld messages cross the link to node %lld",
		(long long)c->loads.of[number].messages, (long long)where.peer);
}

int lsi_check_loads(struct lsi_checker *c, int64_t step)
{
	/* In hop mode, by laws 1 and 3, each message has a link for itself. */
	const int64_t most = c->mode == LS_HOP ? c->messages > 0 : c->loads.most.messages;

	if (most > c->out->link_load)
		c->out->link_load = most;
	if (c->options.strict && most > 1)
		return report_congestion(c, step);
	lsi_link_traffics_clear(&c->loads);
	return LS_OK;
}
