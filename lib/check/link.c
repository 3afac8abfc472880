#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "check/checker.h"
#include "topology/topology.h"

/* A directed link as one number. */
static int64_t link_number(const struct ls_topology *t, int64_t at, int64_t link)
{
	return at * ls_topology_degree(t) + link;
}

static int cross(struct ls_checker *c, int64_t at, int64_t link)
{
	if (c->hops == c->hops_room) {
		const int64_t room = 2 * c->hops_room + 64;
		int64_t *crossings = ls_alloc_more(c->crossings,
			(size_t)c->hops * sizeof *crossings, (size_t)room * sizeof *crossings);

		if (!crossings)
			return LS_ERR_MEMORY;
		c->crossings = crossings;
		c->hops_room = room;
	}
	c->crossings[c->hops++] = link_number(c->plan->problem.topology, at, link);
	return LS_OK;
}

static int follow_route(struct ls_checker *c, int64_t from, int64_t to)
{
	const struct ls_topology *t = c->plan->problem.topology;
	struct ls_route route = ls_route_begin(from, to);

	while (ls_route_hop(t, &route)) {
		if (cross(c, route.from, route.link) != LS_OK)
			return LS_ERR_MEMORY;
	}
	return LS_OK;
}

int ls_check_link(struct ls_checker *c, int64_t node, int64_t step, const struct ls_step *does)
{
	const struct ls_problem *problem = &c->plan->problem;

	for (int q = 0; q < does->ports; q++) {
		const int64_t to = does->to[q];

		if (to == LS_NOBODY)
			continue;
		if (to == node
			|| (problem->mode == LS_HOP && ls_link_to(problem->topology, node, to) < 0))
			return ls_check_violated(c, LS_LAW_LINK,
				(struct ls_place){ node, to, step, -1 },
				"sends to node %lld; there is no such link", (long long)to);
		if (problem->mode == LS_ROUTED && follow_route(c, node, to) != LS_OK)
			return LS_ERR_MEMORY;
	}
	return LS_OK;
}

static int by_number(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int congested(struct ls_checker *c, int64_t step, int64_t number, int64_t load)
{
	const struct ls_topology *t = c->plan->problem.topology;
	const int64_t at = number / ls_topology_degree(t), link = number % ls_topology_degree(t);
	const struct ls_place place = { at, ls_neighbor(t, at, link), step,
		ls_link_label(t, link) };

	return ls_check_violated(c, LS_LAW_LINK, place, "%lld messages cross the link to node %lld",
		(long long)load, (long long)place.peer);
}

int ls_check_loads(struct ls_checker *c, int64_t step)
{
	/* By laws 1 and 3 each message has a link for itself. */
	if (c->plan->problem.mode == LS_HOP) {
		if (c->messages > 0)
			c->out->link_load = 1;
		return LS_OK;
	}
	if (c->hops > 0)
		qsort(c->crossings, (size_t)c->hops, sizeof *c->crossings, by_number);
	for (int64_t i = 0, next; i < c->hops; i = next) {
		for (next = i; next < c->hops && c->crossings[next] == c->crossings[i]; )
			next++;
		if (next - i > c->out->link_load)
			c->out->link_load = next - i;
		if (c->options.strict && next - i > 1)
			return congested(c, step, c->crossings[i], next - i);
	}
	c->hops = 0;
	return LS_OK;
}
