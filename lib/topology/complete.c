/*
 * Complete network: every two nodes are linked.  Link l of a node leads to the l-th of the others.
 */
#include "topology/topology.h"

#include "base/math.h"

static int init(struct ls_topology *t, struct ls_error *why)
{
	const int64_t p = t->number[0];

	(void)why;
	t->nodes = p;
	t->degree = p - 1;
	t->links = p % 2 ? ls_mul(p, (p - 1) / 2) : ls_mul(p / 2, p - 1);
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return to < from ? to : to - 1;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t;
	return link < rank ? link : link + 1;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return first_hop(t, neighbor(t, rank, link), rank);
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return from != to;
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->nodes > 1;
}

const struct ls_network ls_network_complete = {
	.name = "complete", .form = "P", .text = "complete network: every two of P nodes linked",
	.least = 1, .most = LS_NODES_MAX, .init = init,
	.degree = degree, .neighbor = neighbor, .reverse = reverse,
	.distance = distance, .first_hop = first_hop, .diameter = diameter,
};
