#include "collective/cayley/sequence_families.h"

/* ---- Rings and tori: a dimension of side s has a link up and, for s > 2, one down */

static int64_t torus_rounds(const struct ls_topology *t)
{
	int64_t rounds = 0;

	for (int d = 0; d < t->numbers; d++)
		rounds = lsi_add_sat(rounds, t->number[d] - 1);
	return rounds;
}

static int64_t torus_link(const struct ls_topology *t, int64_t round)
{
	int64_t link = 0;
	int d = t->numbers - 1;

	for (; round >= t->number[d] - 1; d--) {
		round -= t->number[d] - 1;
		link += t->number[d] > 2 ? 2 : t->number[d] - 1;
	}
	return link;
}

static int64_t torus_period(const struct ls_topology *t, int64_t link)
{
	int64_t block = 1;

	for (int d = t->numbers - 1; link >= 0; d--) {
		link -= t->number[d] > 2 ? 2 : t->number[d] - 1;
		block *= t->number[d];
	}
	return block;
}

struct lsi_sequence_costs lsi_sequence_costs_join(int64_t inner_nodes,
	struct lsi_sequence_costs inner, int64_t outer_nodes, struct lsi_sequence_costs outer)
{
	return (struct lsi_sequence_costs){ lsi_add_sat(lsi_mul_sat(outer_nodes, inner.first_path_hops),
											lsi_mul_sat(inner_nodes, outer.first_path_hops)),
		lsi_add_sat(lsi_mul_sat(outer_nodes, inner.first_path_messages), outer.first_path_messages),
		lsi_add_sat(lsi_mul_sat(outer_nodes, inner.shortest_path_hops),
			lsi_mul_sat(inner_nodes, outer.shortest_path_hops)) };
}

static struct lsi_sequence_costs torus_costs(const struct ls_topology *t)
{
	struct lsi_sequence_costs all = { 0, 0, 0 };
	int64_t nodes = 1;

	for (int d = t->numbers - 1; d >= 0; d--) {
		const int64_t s = t->number[d];
		const int64_t hops = s % 2 ? lsi_mul_sat(s, (s - 1) / 2) : lsi_mul_sat(s / 2, s - 1);

		all =
			lsi_sequence_costs_join(nodes, all, s, (struct lsi_sequence_costs){ hops, hops, hops });
		nodes = lsi_mul_sat(nodes, s);
	}
	return all;
}

/* ---- Hypercubes and complete networks: displacements are binary numbers */

static int64_t binary_rounds(const struct ls_topology *t)
{
	return lsi_log2_ceil(t->nodes);
}

static int64_t cube_link(const struct ls_topology *t, int64_t round)
{
	(void)t;
	return round;
}

static int64_t cube_period(const struct ls_topology *t, int64_t link)
{
	(void)t;
	return (int64_t)2 << link;
}

static int64_t complete_period(const struct ls_topology *t, int64_t link)
{
	(void)link;
	return t->nodes;
}

static int64_t complete_link(const struct ls_topology *t, int64_t round)
{
	(void)t;
	return ((int64_t)1 << round) - 1;
}

static struct lsi_sequence_costs cube_costs(const struct ls_topology *t)
{
	const int64_t ones = lsi_mul_sat(t->degree, t->nodes / 2);

	return (struct lsi_sequence_costs){ ones, t->nodes - 1, ones };
}

static int64_t ones(int64_t x)
{
	return __builtin_popcountll((unsigned long long)x);
}

/* The links are 1, 2, 4, .. ranks long, so a sum of them goes less than twice around. */
static struct lsi_sequence_costs complete_costs(const struct ls_topology *t)
{
	const int64_t p = t->nodes, all = (int64_t)1 << lsi_log2_ceil(p);
	struct lsi_sequence_costs costs = { 0, p - 1, 0 };

	if (p > (int64_t)1 << 24)
		return (struct lsi_sequence_costs){ INT64_MAX, INT64_MAX, INT64_MAX };
	for (int64_t g = 0; g < p; g++) {
		const int64_t round = g + p < all ? ones(g + p) : INT64_MAX;

		costs.first_path_hops += ones(g);
		costs.shortest_path_hops += round < ones(g) ? round : ones(g);
	}
	return costs;
}

/* ---- Permutations: sequences found by search, then levels */

/* A sequence is a text with digit k for link k. */
struct found {
	const char *links;
	struct lsi_sequence_costs costs;
};

#define UNCOUNTED \
	{ \
		INT64_MAX, INT64_MAX, INT64_MAX \
	}

enum { STAR_FOUND = 9, PANCAKE_FOUND = 8 };

static const struct found star_found[STAR_FOUND + 1] = {
	{ "", { 0, 0, 0 } },
	{ "", { 0, 0, 0 } },
	{ "2", { 1, 1, 1 } },
	{ "232", { 9, 6, 9 } },
	{ "232423", { 66, 29, 64 } },
	{ "234254352", { 486, 154, 468 } },
	{ "2324526356432", { 4164, 938, 3920 } },
	{ "23452675247356342", { 36506, 6817, 33156 } },
	{ "2345678264837524765342", { 373870, 55537, 313914 } },
	{ "234567829638597426537298463", UNCOUNTED },
};

static const struct found pancake_found[PANCAKE_FOUND + 1] = {
	{ "", { 0, 0, 0 } },
	{ "", { 0, 0, 0 } },
	{ "2", { 1, 1, 1 } },
	{ "323", { 9, 6, 9 } },
	{ "24324", { 64, 26, 64 } },
	{ "34523454", { 486, 133, 480 } },
	{ "63456345234", { 4056, 842, 3906 } },
	{ "734567234567526", { 36010, 5683, 33168 } },
	{ "6543287654387654857", { 359474, 49586, 320875 } },
};

/* Link k, counted from 2, moves the first k symbols only. */
static int64_t permutation_period(const struct ls_topology *t, int64_t link)
{
	(void)t;
	return lsi_factorial((int)link + 2);
}

static int64_t length(const struct found *found)
{
	int64_t links = 0;

	while (found->links[links])
		links++;
	return links;
}

static int64_t link_at(const struct found *found, int64_t round)
{
	return found->links[round] - '2';
}

/* The number of symbols of the stored sequence that a network uses. */
static int64_t served(const struct ls_topology *t, int64_t most)
{
	return t->number[0] < most ? t->number[0] : most;
}

/* The link, counted from 0, of a round of the levels k, k + 1, ..; each goes down from k to 2. */
static int64_t down_from(int64_t k, int64_t round)
{
	for (; round >= k - 1; k++)
		round -= k - 1;
	return k - 2 - round;
}

static int64_t star_rounds(const struct ls_topology *t)
{
	const int64_t n = t->number[0], k = served(t, STAR_FOUND);

	return length(&star_found[k]) + (n * (n - 1) - k * (k - 1)) / 2;
}

static int64_t star_link(const struct ls_topology *t, int64_t round)
{
	const int64_t k = served(t, STAR_FOUND), links = length(&star_found[k]);

	return round < links ? link_at(&star_found[k], round) : down_from(k + 1, round - links);
}

static struct lsi_sequence_costs star_costs(const struct ls_topology *t)
{
	const int64_t k = served(t, STAR_FOUND);

	return k < t->number[0] ? (struct lsi_sequence_costs)UNCOUNTED : star_found[k].costs;
}

static int64_t pancake_rounds(const struct ls_topology *t)
{
	int64_t k = served(t, PANCAKE_FOUND), rounds = length(&pancake_found[k]);

	while (++k <= t->number[0])
		rounds += 1 + lsi_log2_ceil(k - 1);
	return rounds;
}

static int64_t pancake_link(const struct ls_topology *t, int64_t round)
{
	int64_t k = served(t, PANCAKE_FOUND);

	if (round < length(&pancake_found[k]))
		return link_at(&pancake_found[k], round);
	round -= length(&pancake_found[k++]);
	for (; round > lsi_log2_ceil(k - 1); k++)
		round -= 1 + lsi_log2_ceil(k - 1);
	if (round == 0)
		return k - 2;
	return round < lsi_log2_ceil(k - 1) ? ((int64_t)1 << round) - 2 : k - 3;
}

static struct lsi_sequence_costs pancake_costs(const struct ls_topology *t)
{
	const int64_t k = served(t, PANCAKE_FOUND);

	return k < t->number[0] ? (struct lsi_sequence_costs)UNCOUNTED : pancake_found[k].costs;
}

static int64_t bubblesort_rounds(const struct ls_topology *t)
{
	return t->number[0] * (t->number[0] - 1) / 2;
}

static int64_t bubblesort_link(const struct ls_topology *t, int64_t round)
{
	(void)t;
	return down_from(2, round);
}

/*
 * Every block takes a shortest path, so it makes one hop per inversion of its displacement: half
 * the pairs on average.  At level k blocks arrive from k sub-networks at one node of each, and
 * continue over j = 0 .. k-1 links, each over links of its own.
 */
static struct lsi_sequence_costs bubblesort_costs(const struct ls_topology *t)
{
	struct lsi_sequence_costs costs = { 0, 0, 0 };

	for (int64_t k = 2; k <= t->number[0]; k++)
		costs.first_path_messages =
			lsi_add_sat(lsi_mul_sat(k, costs.first_path_messages), k * (k - 1) / 2);
	costs.first_path_hops = costs.shortest_path_hops =
		lsi_mul_sat(t->nodes / 2, bubblesort_rounds(t));
	return costs;
}

/* ---- The kinds */

static const struct lsi_sequence_family families[] = {
	{ &lsi_network_ring, torus_rounds, torus_link, torus_period, torus_costs },
	{ &lsi_network_torus, torus_rounds, torus_link, torus_period, torus_costs },
	{ &lsi_network_hypercube, binary_rounds, cube_link, cube_period, cube_costs },
	{ &lsi_network_complete, binary_rounds, complete_link, complete_period, complete_costs },
	{ &lsi_network_star, star_rounds, star_link, permutation_period, star_costs },
	{ &lsi_network_pancake, pancake_rounds, pancake_link, permutation_period, pancake_costs },
	{ &lsi_network_bubblesort, bubblesort_rounds, bubblesort_link, permutation_period,
		bubblesort_costs },
};

const struct lsi_sequence_family *lsi_sequence_family_of(const struct ls_topology *t)
{
	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		if (lsi_topology_is(t, families[i].network))
			return &families[i];
	}
	return NULL;
}
