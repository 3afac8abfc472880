/*
 * Complete network: every two nodes are linked.  Link l leads l + 1 ranks up, past the last to 0.
 */
#include "topology/topology_internal.h"

#include "base/math.h"

static int init(struct ls_topology *t, struct ls_error *why)
{
	const int64_t p = t->number[0];

	(void)why;
	t->nodes = p;
	t->degree = p - 1;
	t->links = p % 2 ? lsi_mul_sat(p, (p - 1) / 2) : lsi_mul_sat(p / 2, p - 1);
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	return lsi_wrap(to - from, t->nodes) - 1;
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	return from == to ? -1 : first_hop(t, from, to);
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return (rank + link + 1) % t->nodes;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)rank;
	return t->degree - 1 - link;
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

static int64_t product(const struct ls_topology *t, int64_t by, int64_t x)
{
	return (by + x) % t->nodes;
}

static int64_t inverse(const struct ls_topology *t, int64_t rank)
{
	return lsi_wrap(-rank, t->nodes);
}

const struct lsi_network lsi_network_complete = {
	.name = "complete",
	.form = "P",
	.text = "every two of P nodes linked",
	.examples = LSI_EXAMPLES(
		"complete:8", "complete:1", "complete:2", "complete:3", "complete:33", "complete:100"),
	.least = 1,
	.most = LS_NODES_MAX,
	.init = init,
	.degree = degree,
	.neighbor = neighbor,
	.reverse = reverse,
	.distance = distance,
	.first_hop = first_hop,
	.link_to = link_to,
	.diameter = diameter,
	.product = product,
	.inverse = inverse,
};
