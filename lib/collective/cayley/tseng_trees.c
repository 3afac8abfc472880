#include "collective/cayley/tseng_trees.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "topology/permutation.h"

/*
 * Links to the parents in tree 0, of the orbits under rotate() in the order of their least ranks.
 */
static const char *const packed[] = {
#include "collective/cayley/tseng_links.inc"
};

enum { UNKNOWN = UINT8_MAX };

/* Move symbols and positions 2..n up by one, n to 2; this automorphism maps link k to k + 1. */
static int64_t rotate(int64_t rank, int n)
{
	const struct lsi_permutation p = lsi_permutation_of(rank, n);
	struct lsi_permutation rotated = p;

	for (int i = 1; i <= n; i++) {
		const int s = p.symbol[i], at = i == 1 ? 1 : i == n ? 2 : i + 1;

		rotated.symbol[at] = (uint8_t)(s == 1 ? 1 : s == n ? 2 : s + 1);
	}
	return lsi_permutation_rank(&rotated);
}

/* All nodes of an orbit receive over the same link, so the trees share no directed link. */
static void unpack_links(struct lsi_tseng *trees, int64_t nodes)
{
	const int n = trees->symbols;
	const char *next = packed[n - 3];

	memset(trees->link, 0, (size_t)nodes);
	for (int64_t u = 1; u < nodes; u++) {
		if (trees->link[u])
			continue;
		for (int64_t v = u; !trees->link[v]; v = rotate(v, n))
			trees->link[v] = (uint8_t)(*next - '0');
		next++;
	}
}

/* Rounds of tree 0: the first turn of the link after the parent has received. */
static void find_rounds(struct lsi_tseng *trees, int64_t nodes)
{
	const int64_t links = trees->symbols - 1;
	bool found = true;

	memset(trees->round, UNKNOWN, (size_t)(nodes * links));
	while (found) {
		found = false;
		for (int64_t u = 1; u < nodes; u++) {
			const int64_t parent = lsi_star_neighbor(u, trees->link[u]);
			const int64_t earliest = parent ? trees->round[parent * links] + 1 : 0;
			const int64_t round = earliest + lsi_wrap(trees->link[u] - 2 - earliest, links);

			if (trees->round[u * links] < UNKNOWN || round >= UNKNOWN)
				continue;
			trees->round[u * links] = (uint8_t)round;
			if (trees->last < round)
				trees->last = (uint8_t)round;
			found = true;
		}
	}
}

struct lsi_tseng *lsi_tseng_make(int n)
{
	const int64_t nodes = lsi_factorial(n), links = n - 1;
	struct lsi_tseng *const trees = lsi_alloc(sizeof *trees + (size_t)(nodes * n));

	if (!trees)
		return NULL;
	*trees = (struct lsi_tseng){ .symbols = n, .link = (uint8_t *)(trees + 1) };
	trees->round = trees->link + nodes;
	unpack_links(trees, nodes);
	find_rounds(trees, nodes);
	for (int64_t u = 1; u < nodes; u++) {
		int64_t v = u;

		for (int64_t i = 1; i < links; i++) {
			v = rotate(v, n);
			trees->round[v * links + i] = (uint8_t)(trees->round[u * links] + i);
		}
	}
	return trees;
}

int64_t lsi_tseng_tree(const struct lsi_tseng *trees, int64_t rank, int link)
{
	return lsi_wrap(link - trees->link[rank], trees->symbols - 1);
}
