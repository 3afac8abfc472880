/*
 * Pancake graph: the nodes are the permutations of N symbols; link k = 2..N reverses the first k.
 *
 *   distance    flips that sort the relative permutation, by iterative deepening.  A gap is between
 *               two neighbors, the last of them N + 1, that are not consecutive; a flip closes one
 *               at most
 *   route       over the lowest link of a shortest path, which depends on the relative permutation
 *               alone
 *   diameter    known up to N = 19 (OEIS A058986)
 *   source      S. B. Akers, B. Krishnamurthy, "A group-theoretic model for symmetric
 *               interconnection networks", IEEE Trans. Computers 38(4), 1989; M. Helmert, "Landmark
 *               heuristics for the pancake problem", SoCS 2010
 */
#include "topology/cayley.h"
#include "topology/layout_cayley.h"

static const uint8_t diameters[] = {
	[1] = 0,
	1,
	3,
	4,
	5,
	7,
	8,
	9,
	10,
	11,
	13,
	14,
	15,
	16,
	17,
	18,
	19,
	20,
	22,
};

enum { MOST = sizeof diameters - 1 };

_Static_assert((int)MOST < (int)LSI_SYMBOLS_MAX, "a permutation has room for the symbol N + 1");

static void flip(struct lsi_permutation *p, int k)
{
	for (int i = 1; i < k; i++, k--) {
		const uint8_t left = p->symbol[i];

		p->symbol[i] = p->symbol[k];
		p->symbol[k] = left;
	}
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	struct lsi_permutation p = lsi_permutation_of(rank, (int)t->number[0]);

	flip(&p, (int)link + 2);
	return lsi_permutation_rank(&p);
}

/* What is to be sorted, with N + 1 after the last symbol. */
static struct lsi_permutation homes(const struct ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_permutation p = lsi_cayley_homes(t, from, to);

	p.symbol[p.n + 1] = (uint8_t)(p.n + 1);
	return p;
}

static int is_gap(int a, int b)
{
	return a - b != 1 && b - a != 1;
}

/* 0 only for the identity, 1 only for its neighbors. */
static int gaps(const struct lsi_permutation *p)
{
	int count = 0;

	for (int i = 1; i <= p->n; i++)
		count += is_gap(p->symbol[i], p->symbol[i + 1]);
	return count;
}

/*
 * The least k whose flip begins a sort of p by at most `flips` flips; 0: none.  p has `open` > 0
 * gaps.
 */
static int begin(struct lsi_permutation *p, int open, int flips)
{
	for (int k = 2; k <= p->n; k++) {
		const int after = p->symbol[k + 1];
		const int left = open - is_gap(p->symbol[k], after) + is_gap(p->symbol[1], after);

		if (left >= flips)
			continue;
		flip(p, k);

		const bool sorted = left == 0 || begin(p, left, flips - 1);

		flip(p, k);
		if (sorted)
			return k;
	}
	return 0;
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_permutation p = homes(t, from, to);
	const int open = gaps(&p);
	int flips = open;

	while (open > 0 && !begin(&p, open, flips))
		flips++;
	return flips;
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_permutation p = homes(t, from, to);
	const int open = gaps(&p);
	int k = 0;

	for (int flips = open; k == 0; flips++) /* ends, as from != to */
		k = begin(&p, open, flips);
	return k - 2;
}

static int64_t diameter(const struct ls_topology *t)
{
	return diameters[t->number[0]];
}

const struct lsi_network lsi_network_pancake = {
	LSI_CAYLEY_FIELDS,
	.name = "pancake",
	.text = "N! nodes, link k flips the first k",
	.examples =
		LSI_EXAMPLES("pancake:4", "pancake:1", "pancake:2", "pancake:3", "pancake:5", "pancake:6"),
	.most = MOST,
	.neighbor = neighbor,
	.distance = distance,
	.first_hop = first_hop,
	.diameter = diameter,
	.layouts = LSI_LAYOUTS({ .name = "hexagons", .place = lsi_pancake_hexagons }),
};
