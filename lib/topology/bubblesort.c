/*
 * Bubble-sort graph: the nodes are the permutations of N symbols; link k = 2..N swaps those at
 * positions k - 1 and k.
 *
 *   distance    inversions: pairs of symbols in the wrong order
 *   route       over the lowest link that takes an inversion away, which depends on the relative
 *               permutation alone
 *   diameter    N (N - 1) / 2
 *   source      S. B. Akers, B. Krishnamurthy, "A group-theoretic model for symmetric
 *               interconnection networks", IEEE Trans. Computers 38(4), 1989
 */
#include "topology/cayley.h"

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	struct ls_permutation p = ls_permutation_of(rank, (int)t->number[0]);
	const uint8_t left = p.symbol[link + 1];

	p.symbol[link + 1] = p.symbol[link + 2];
	p.symbol[link + 2] = left;
	return ls_permutation_rank(&p);
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct ls_permutation home = ls_cayley_homes(t, from, to);
	int64_t inversions = 0;

	for (int k = 2; k <= home.n; k++)
		for (int i = 1; i < k; i++)
			inversions += home.symbol[i] > home.symbol[k];
	return inversions;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct ls_permutation home = ls_cayley_homes(t, from, to);
	int64_t link = 0;

	while (home.symbol[link + 1] < home.symbol[link + 2])   /* ends, as from != to */
		link++;
	return link;
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->number[0] * (t->number[0] - 1) / 2;
}

const struct ls_network ls_network_bubblesort = {
	LS_CAYLEY_FIELDS,
	.name = "bubblesort", .text = "N! nodes, link k swaps k-1 and k",
	.most = LS_SYMBOLS_MAX, .neighbor = neighbor,
	.distance = distance, .first_hop = first_hop, .diameter = diameter,
};
