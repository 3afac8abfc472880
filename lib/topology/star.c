/*
 * Star graph S_N: the nodes are the permutations of N symbols; link k = 2..N swaps
 * the symbols in positions 1 and k.
 *
 *   distance    m + c, m symbols being misplaced, in c cycles; 2 less if the first is one of them
 *   route       the first symbol goes home; if it is there, the lowest misplaced one is fetched
 *   diameter    floor(3 (N - 1) / 2)
 *   source      S. B. Akers, D. Harel, B. Krishnamurthy, "The star graph: an attractive alternative
 *               to the n-cube", ICPP 1987; ranks as in permutation.h
 */
#include "topology/cayley.h"
#include "topology/layout_cayley.h"

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	(void)t;
	return lsi_star_neighbor(rank, (int)link + 2);
}

static void neighbors(
	const struct ls_topology *t, int64_t first, int64_t count, int64_t link, int64_t *neighbor_of)
{
	(void)t;
	lsi_star_neighbors(first, count, (int)link + 2, neighbor_of);
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct lsi_permutation home = lsi_cayley_homes(t, from, to);
	uint32_t visited = 0;
	int misplaced = 0, cycles = 0;

	for (int start = 1; start <= home.n; start++) {
		if (home.symbol[start] == start || visited >> start & 1)
			continue;
		cycles++;
		for (int i = start; !(visited >> i & 1); i = home.symbol[i], misplaced++)
			visited |= 1u << i;
	}
	return misplaced + cycles - (home.symbol[1] == 1 ? 0 : 2);
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct lsi_permutation home = lsi_cayley_homes(t, from, to);
	int k = home.symbol[1];

	if (k == 1)
		for (k = 2; home.symbol[k] == k; k++) /* ends, as from != to */
			;
	return k - 2;
}

static int64_t diameter(const struct ls_topology *t)
{
	return 3 * t->degree / 2;
}

const struct lsi_network lsi_network_star = {
	LSI_CAYLEY_FIELDS,
	.name = "star",
	.text = "N! nodes, link k swaps p[1], p[k]",
	.examples = LSI_EXAMPLES("star:4", "star:1", "star:2", "star:3", "star:5", "star:6"),
	.most = LSI_SYMBOLS_MAX,
	.neighbor = neighbor,
	.neighbors = neighbors,
	.distance = distance,
	.first_hop = first_hop,
	.diameter = diameter,
	.layouts = LSI_LAYOUTS({ .name = "hexagons", .place = lsi_star_hexagons },
		{ .name = "ring", .fits = lsi_star_has_ring, .place = lsi_star_ring }),
};
