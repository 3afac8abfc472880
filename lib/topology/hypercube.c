/*
 * Hypercube of D dimensions: bit i of a rank is coordinate i, link i flips bit i.
 *
 *   distance    differing bits (Hamming)
 *   route       lowest differing bit first (E-cube)
 *   diameter    D
 */
#include "topology/topology.h"

#include "base/math.h"

static int init(struct ls_topology *t, struct ls_error *why)
{
	(void)why;
	t->degree = t->number[0];
	t->nodes = (int64_t)1 << t->degree;
	t->links = ls_mul(t->nodes / 2, t->degree);
	return LS_OK;
}

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	(void)rank;
	return t->degree;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t;
	return rank ^ (int64_t)1 << link;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t, (void)rank;
	return link;
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return __builtin_popcountll((unsigned long long)(from ^ to));
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	(void)t;
	return __builtin_ctzll((unsigned long long)(from ^ to));
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->degree;
}

/* The bits, highest first; the one node of hypercube:0 is "0". */
static void label(const struct ls_topology *t, int64_t rank, char text[LS_LABEL_MAX])
{
	const int bits = t->degree ? (int)t->degree : 1;

	for (int i = 0; i < bits; i++)
		text[i] = rank >> (bits - 1 - i) & 1 ? '1' : '0';
	text[bits] = '\0';
}

static int64_t rank_of(const struct ls_topology *t, const char *text)
{
	int64_t rank = 0;

	for (int i = 0; i < t->degree && text[i]; i++)
		rank = 2 * rank + (text[i] == '1');
	return rank;
}

const struct ls_network ls_network_hypercube = {
	.name = "hypercube", .form = "D", .text = "hypercube of D dimensions, 2^D nodes",
	.least = 0, .most = 62, .init = init,
	.degree = degree, .neighbor = neighbor, .reverse = reverse,
	.distance = distance, .first_hop = first_hop, .diameter = diameter,
	.label = label, .rank_of = rank_of,
};
