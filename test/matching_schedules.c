/*
 * The stored broadcasts of the star graphs, replayed on permutations without use of the library.
 * The predicted counts of scatters along them.
 */
#include "collective/cayley/matching_table.h"

#include <stdbool.h>
#include <inttypes.h>
#include <string.h>

#include <lockstep/trace.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { SYMBOLS = 8, NODES = 40320 };

struct permutation {
	char symbol[SYMBOLS + 1];
}; /* as text, position 1 first */

/* In order of ranks: the last symbol is most significant, n before n-1 before .. 1. */
static struct permutation node[NODES];
static int nodes;

static void list(int n, int position, struct permutation p)
{
	if (position == 0) {
		node[nodes++] = p;
		return;
	}
	for (int symbol = n; symbol >= 1; symbol--)
		if (!strchr(p.symbol + position, '0' + symbol)) {
			p.symbol[position - 1] = (char)('0' + symbol);
			list(n, position - 1, p);
		}
}

static void make_star(int n)
{
	struct permutation p = { "" };

	memset(p.symbol, ' ', (size_t)n);
	nodes = 0;
	list(n, n, p);
}

/* The order of the list, for bsearch. */
static int compare(const void *a, const void *b)
{
	const char *x = a, *y = b;
	int i = (int)strlen(x) - 1;

	while (i > 0 && x[i] == y[i])
		i--;
	return y[i] - x[i];
}

static int across(int u, int k)
{
	struct permutation p = node[u];
	const char first = p.symbol[0];
	const struct permutation *found;

	p.symbol[0] = p.symbol[k - 1];
	p.symbol[k - 1] = first;
	found = bsearch(&p, node, (size_t)nodes, sizeof p, compare);
	return found ? (int)(found - node) : -1;
}

/* sent[u]: a bit for each round in which u has sent. */
static uint32_t sent[NODES];

static void check_node(int n, int u, const uint8_t *link, const uint8_t *round, int rounds)
{
	int from;

	CHECK(link[u] >= 2 && link[u] <= n, "S_%d node %d: link %d", n, u, link[u]);
	CHECK(round[u] >= 1 && round[u] <= rounds, "S_%d node %d receives in round %d", n, u, round[u]);
	if (link[u] < 2 || link[u] > n || round[u] > 31)
		return;
	from = across(u, link[u]);
	CHECK(from >= 0 && from != u, "S_%d node %d: no neighbor on link %d", n, u, link[u]);
	if (from < 0)
		return;
	CHECK(round[from] < round[u], "S_%d: %d receives in round %d from %d, which receives in %d", n,
		u, round[u], from, round[from]);
	CHECK(!(sent[from] >> round[u] & 1), "S_%d: %d sends twice in round %d", n, from, round[u]);
	sent[from] |= 1u << round[u];
}

static void check_schedule(int n, int rounds)
{
	static uint8_t link[NODES + 1], round[NODES + 1];
	int last = 0;

	make_star(n);
	memset(sent, 0, sizeof sent);
	memset(link, 0xee, sizeof link);
	memset(round, 0xee, sizeof round);
	lsi_matching_schedule(n, link, round);
	CHECK(link[nodes] == 0xee && round[nodes] == 0xee, "S_%d: written past the end", n);
	CHECK(link[0] == 0 && round[0] == 0, "S_%d: the root receives in round %d on link %d", n,
		round[0], link[0]);
	for (int u = 1; u < nodes; u++) {
		check_node(n, u, link, round, rounds);
		last = round[u] > last ? round[u] : last;
	}
	CHECK(last == rounds, "S_%d takes %d rounds, not %d", n, last, rounds);
	CHECK(lsi_matching_rounds(n) == rounds, "S_%d says %d rounds, not %d", n,
		lsi_matching_rounds(n), rounds);
}

/* ---- Scatters */

struct measured {
	int64_t messages, words, longest[32]; /* longest: by round */
};

static int measure(void *context, const struct ls_record *record)
{
	struct measured *m = context;
	const int64_t words = (int64_t)record->words;

	m->messages++;
	m->words += words;
	if (words > m->longest[record->round])
		m->longest[record->round] = words;
	return 0;
}

static int64_t depth_of(int u, const uint8_t *link)
{
	int64_t depth = 0;

	for (; u > 0; depth++)
		u = across(u, link[u]);
	return depth;
}

/* Each block goes over all links between the root and its node. */
static void check_scatter(int n, int rounds)
{
	static uint8_t link[NODES], round[NODES];
	const char spec[] = { 's', 't', 'a', 'r', ':', (char)('0' + n), '\0' };
	ls_topology *t = topology_of(spec);
	ls_plan *plan = plan_for(&(struct ls_request){ .size = sizeof(struct ls_request),
		.topology = t,
		.operation = LS_SCATTER,
		.algorithm = "matching",
		.root = ls_topology_nodes(t) / 3 });
	const struct ls_counts predicted = ls_plan_predict(plan, 1);
	struct measured m = { .words = 0 };
	int64_t volume = 0, hops = 0;

	make_star(n);
	lsi_matching_schedule(n, link, round);
	for (int u = 1; u < nodes; u++)
		hops += depth_of(u, link);
	CHECK(ls_trace_plan(plan, 1, measure, &m) == LS_OK, "S_%d: the trace", n);
	for (int r = 0; r < 32; r++)
		volume += m.longest[r];
	CHECK(predicted.rounds == rounds, "S_%d: %" PRId64 " rounds", n, predicted.rounds);
	CHECK(predicted.messages == nodes - 1 && m.messages == nodes - 1, "S_%d: messages", n);
	CHECK(predicted.words == hops && m.words == hops,
		"S_%d: %" PRId64 " words predicted, %" PRId64 " sent, not %" PRId64, n, predicted.words,
		m.words, hops);
	CHECK(predicted.volume == volume, "S_%d: volume %" PRId64 ", not %" PRId64, n, predicted.volume,
		volume);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const int rounds[SYMBOLS + 1] = { 0, 0, 1, 3, 5, 8, 10, 13, 16 };

	for (int n = 1; n <= SYMBOLS; n++)
		check_schedule(n, rounds[n]);
	for (int n = 1; n <= SYMBOLS; n++)
		check_scatter(n, rounds[n]);
	return test_result();
}
