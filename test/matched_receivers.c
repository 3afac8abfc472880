/*
 * Largest matchings against a search over all matchings, on random links: a receiver is added
 * exactly if it can be matched together with those that were added before, also after more links
 * become usable.  Of the largest matchings, the one by weights is the heaviest.
 */
#include "test.h"

#include "base/alloc.h"
#include "collective/matching/heaviest_matching.h"
#include "support/guard.h"

enum { NODES = 6, LINKS = NODES * NODES, TRIALS = 4000 };

/* Every node has a link to every node, itself too; `usable` selects some. */
static int32_t first[NODES + 1], node[LINKS], neighbor[LINKS];
static bool usable[LINKS];

static void make_links(void)
{
	for (int u = 0; u <= NODES; u++)
		first[u] = u * NODES;
	for (int l = 0; l < LINKS; l++) {
		node[l] = l / NODES;
		neighbor[l] = (l % NODES + l / NODES) % NODES;
	}
}

/* Whether the receivers from v on have different senders, none of them in `busy`. */
static bool can_match(unsigned receivers, int v, unsigned busy)
{
	if (v == NODES)
		return true;
	if (!(receivers >> v & 1))
		return can_match(receivers, v + 1, busy);
	for (int l = first[v]; l < first[v + 1]; l++)
		if (usable[l] && !(busy >> neighbor[l] & 1)
			&& can_match(receivers, v + 1, busy | 1u << neighbor[l]))
			return true;
	return false;
}

static void check_pairs(const struct lsi_matching *m, unsigned receivers)
{
	for (int v = 0; v < NODES; v++) {
		bool linked = false;

		for (int l = first[v]; l < first[v + 1]; l++)
			linked |= usable[l] && neighbor[l] == m->sender[v];
		CHECK(receivers >> v & 1 ? linked && m->receiver[m->sender[v]] == v : m->sender[v] < 0,
			"%s: node %d receives from %d", guarded(), v, m->sender[v]);
	}
}

/* Add all receivers, some of them again; returns the set of those that are in the matching. */
static unsigned add_all(struct lsi_matching *m, unsigned receivers)
{
	for (int i = 0; i < 2 * NODES; i++) {
		const int v = i % NODES;

		if (receivers >> v & 1)
			continue;
		const bool added = lsi_matching_add(m, v);

		CHECK(added == can_match(receivers | 1u << v, 0, 0), "%s: receiver %d %s", guarded(), v,
			added ? "added" : "left out");
		receivers |= added ? 1u << v : 0;
		check_pairs(m, receivers);
	}
	return receivers;
}

/* The largest matching of the receivers v and above, as pairs * 2^32 + weight; -1: none so far. */
static int64_t heaviest_from(const int64_t weight[], int v, unsigned busy)
{
	int64_t best;

	if (v == NODES)
		return 0;
	best = heaviest_from(weight, v + 1, busy);
	for (int l = first[v]; l < first[v + 1]; l++) {
		const unsigned sender = 1u << neighbor[l];
		int64_t with;

		if (!usable[l] || busy & sender)
			continue;
		with = (INT64_C(1) << 32) + weight[l] + heaviest_from(weight, v + 1, busy | sender);
		best = best < with ? with : best;
	}
	return best;
}

/* Weights that are often equal, on the links that are usable. */
static void check_heaviest(struct lsi_heaviest *h, struct lsi_matching *m, uint64_t *random)
{
	unsigned receivers = 0;
	int64_t found = 0;

	for (int l = 0; l < LINKS; l++)
		h->weight[l] = random_below(random, 10);
	lsi_matching_begin(m, usable);
	lsi_heaviest_match(h, m);
	for (int v = 0; v < NODES; v++) {
		receivers |= m->sender[v] < 0 ? 0 : 1u << v;
		found += m->sender[v] < 0 ? 0 : (INT64_C(1) << 32) + h->weight[h->paired[v]];
	}
	check_pairs(m, receivers);
	CHECK(found == heaviest_from(h->weight, 0, 0), "%s: %lld pairs of weight %lld", guarded(),
		(long long)(found >> 32), (long long)(found & UINT32_MAX));
}

int main(void)
{
	const struct lsi_link_table table = {
		.nodes = NODES, .links = LINKS, .first = first, .node = node, .neighbor = neighbor
	};
	struct lsi_arena arena = { 0 };
	struct lsi_heaviest heaviest;
	struct lsi_matching m;
	uint64_t random = 1;

	make_links();
	CHECK(lsi_matching_make(&m, &table, &arena), "no memory");
	CHECK(lsi_heaviest_make(&heaviest, &table, &arena), "no memory");
	for (int trial = 0; trial < TRIALS; trial++) {
		const int64_t denominator = 2 + random_below(&random, 5);
		unsigned receivers;

		guard("trial %d", trial);
		for (int l = 0; l < LINKS; l++)
			usable[l] = random_below(&random, denominator) == 0;
		lsi_matching_begin(&m, usable);
		receivers = add_all(&m, 0);
		for (int l = 0; l < LINKS; l++)
			usable[l] |= random_below(&random, denominator) == 0;
		lsi_matching_widen(&m);
		add_all(&m, receivers);
		check_heaviest(&heaviest, &m, &random);
	}
	lsi_arena_release(&arena);
	return test_result();
}
