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
#include "topology/layout_cayley.h"

/*
 * Digits k - 1 and k change places; the smaller symbol, on the right, has one more above it then.
 */
static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const int k = (int)link + 2;
	int digit[LSI_SYMBOLS_MAX + 1];

	(void)t;
	lsi_permutation_digits(rank, k, digit);

	const int left = digit[k - 1], right = digit[k], falls = right > left;
	const int64_t run = lsi_factorial(k - 2); /* k = 2: digit 1 stays 0 */

	return rank + (right - falls - left) * run + (left + !falls - right) * lsi_factorial(k - 1);
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct lsi_permutation home = lsi_cayley_homes(t, from, to);
	int64_t inversions = 0;

	for (int k = 2; k <= home.n; k++)
		for (int i = 1; i < k; i++)
			inversions += home.symbol[i] > home.symbol[k];
	return inversions;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct lsi_permutation home = lsi_cayley_homes(t, from, to);
	int64_t link = 0;

	while (home.symbol[link + 1] < home.symbol[link + 2]) /* ends, as from != to */
		link++;
	return link;
}

static int64_t diameter(const struct ls_topology *t)
{
	return t->number[0] * (t->number[0] - 1) / 2;
}

const struct lsi_network lsi_network_bubblesort = {
	LSI_CAYLEY_FIELDS,
	.name = "bubblesort",
	.text = "N! nodes, link k swaps p[k-1], p[k]",
	.examples = LSI_EXAMPLES("bubblesort:4", "bubblesort:1", "bubblesort:2", "bubblesort:3",
		"bubblesort:5", "bubblesort:6"),
	.most = LSI_SYMBOLS_MAX,
	.neighbor = neighbor,
	.distance = distance,
	.first_hop = first_hop,
	.diameter = diameter,
	.layouts = LSI_LAYOUTS({ .name = "octahedra", .place = lsi_bubblesort_octahedra }),
};
