/*
 * Finds the tables of lib/collective/cayley/tseng_links.inc: n-1 spanning trees of the star graph
 * S_n that share no directed link.  Each tree is the image of the one before under the rotation
 * that moves symbols and positions 2..n up by one, n to 2.
 *
 *   cc -O2 -std=gnu11 -Ilib -o build/star_trees \
 *       scripts/star_tree_search.c lib/topology/permutation.c
 *   build/star_trees 7 6 300
 *
 * The arguments are n, the number of seeds, and the changes tried for each seed.  For each orbit of
 * the rotation, in the order of least ranks, the output holds the link over which its nodes receive
 * in the first tree.  It also holds the round in which the last node receives when round r uses
 * link 2 + r mod (n-1).
 *
 * With one link for a whole orbit the trees share no link; it remains to make the first one a tree.
 * The search grows it round by round: a node receives over the link of the round if its orbit has
 * that link, or has none yet and the link closes no circle.  Then it changes the link of some late
 * orbit, breaks the circles and grows the tree again.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topology/permutation.h"

enum { NODES_MAX = 5040, SYMBOLS_MAX = 7, NEVER = 1 << 30 };

static int n, nodes, orbits, neighbor[NODES_MAX][SYMBOLS_MAX + 1];
static int turned[NODES_MAX], orbit[NODES_MAX];
static int link_of[NODES_MAX]; /* of an orbit; 0: none yet */
static int received[NODES_MAX];
static unsigned state;

static int below(int most)
{
	state = state * 1664525u + 1013904223u;
	return (int)((state >> 8) % (unsigned)most);
}

static int turn(int u)
{
	const struct lsi_permutation p = lsi_permutation_of(u, n);
	struct lsi_permutation q = p;

	for (int i = 1; i <= n; i++) {
		const int symbol = p.symbol[i], at = i == 1 ? 1 : i == n ? 2 : i + 1;

		q.symbol[at] = (uint8_t)(symbol == 1 ? 1 : symbol == n ? 2 : symbol + 1);
	}
	return (int)lsi_permutation_rank(&q);
}

static void make_network(void)
{
	nodes = (int)lsi_factorial(n);
	for (int u = 0; u < nodes; u++) {
		orbit[u] = -1;
		turned[u] = turn(u);
		for (int k = 2; k <= n; k++)
			neighbor[u][k] = (int)lsi_star_neighbor(u, k);
	}
	for (int u = 0; u < nodes; u++) {
		for (int v = u; orbit[v] < 0; v = turned[v])
			orbit[v] = orbits;
		orbits += orbit[u] == orbits;
	}
}

static int parent(int u)
{
	return neighbor[u][link_of[orbit[u]]];
}

/* A node of the cycle that the path up from u ends in; 0: it ends elsewhere. */
static int cycle_of(int u)
{
	for (int steps = 0; u > 0 && link_of[orbit[u]] && steps <= nodes; steps++)
		u = parent(u);
	return u > 0 && link_of[orbit[u]] ? u : 0;
}

/* Assign this link to the orbit of u unless that closes a cycle. */
static bool assign_link(int u, int link)
{
	int v = u;

	link_of[orbit[u]] = link;
	do {
		if (cycle_of(v)) {
			link_of[orbit[u]] = 0;
			return false;
		}
		v = turned[v];
	} while (v != u);
	return true;
}

/* Whether a node skips its turn, so that seeds differ. */
static bool passes(int u, int r, unsigned salt)
{
	const unsigned x = ((unsigned)u * 2654435761u ^ (unsigned)r * 3266489917u ^ salt) * 2246822519u;

	return (x ^ x >> 15) * 2654435761u >> 28 == 0;
}

/*
 * The number of nodes that receive in a round; `fresh`: also over links that orbits get only now.
 */
static int receive_in_round(int r, bool fresh, unsigned salt)
{
	const int link = 2 + r % (n - 1);
	int count = 0;

	for (int u = 1; u < nodes; u++) {
		const int known = link_of[orbit[u]];

		if (received[u] < NEVER || received[neighbor[u][link]] >= r)
			continue;
		if (known ? known != link : !fresh || passes(u, r, salt) || !assign_link(u, link))
			continue;
		received[u] = r;
		count++;
	}
	return count;
}

/* The number of nodes that do not receive before `limit`. */
static int grow(int limit, unsigned salt)
{
	int left = nodes - 1, idle = 0;

	for (int u = 1; u < nodes; u++)
		received[u] = NEVER;
	received[0] = -1;
	for (int r = 0; left > 0 && r < limit && idle < 8 * n; r++) {
		const int before = left;

		left -= receive_in_round(r, false, salt);
		left -= receive_in_round(r, true, salt);
		idle = left < before ? 0 : idle + 1;
	}
	return left;
}

static int last_heard(void)
{
	int last = 0;

	for (int u = 1; u < nodes; u++)
		last = received[u] < NEVER && received[u] > last ? received[u] : last;
	return last;
}

/* Remove links of other orbits until no cycle goes through the orbit of u. */
static void break_cycles(int u)
{
	int v = u;

	do {
		for (int at = cycle_of(v); at > 0; at = cycle_of(v)) {
			const int start = at;

			while (orbit[at] == orbit[u] && parent(at) != start)
				at = parent(at);
			link_of[orbit[at]] = 0;
		}
		v = turned[v];
	} while (v != u);
}

/* Give the orbit of a late node another link, to a node that received early enough. */
static void change(bool incomplete, int last)
{
	int u = 1, link = 2;

	for (int tries = 0; tries < 4 * nodes; tries++) {
		u = 1 + below(nodes - 1);
		if (incomplete ? received[u] == NEVER : received[u] >= last - 3)
			break;
	}
	link += below(n - 1);
	for (int i = 2; i <= n; i++, link = link == n ? 2 : link + 1) {
		const int from = received[neighbor[u][link]];

		if (link != link_of[orbit[u]] && orbit[u] != orbit[neighbor[0][2]]
			&& (incomplete ? from < NEVER : from < last - n)) {
			link_of[orbit[u]] = link;
			break_cycles(u);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	static char best[NODES_MAX + 1];
	const int seeds = argc > 3 ? atoi(argv[2]) : 0, changes = argc > 3 ? atoi(argv[3]) : 0;
	int least = NEVER;

	n = argc > 3 ? atoi(argv[1]) : 0;
	if (n < 3 || n > SYMBOLS_MAX)
		return EXIT_FAILURE;
	make_network();
	for (int seed = 0; seed < seeds; seed++) {
		memset(link_of, 0, sizeof link_of);
		state = (unsigned)seed;
		for (int i = 0; i < changes; i++) {
			const int left = grow(least, (unsigned)seed * 97u);
			const int last = last_heard();

			for (int o = 0; left == 0 && o < orbits; o++)
				best[o] = (char)('0' + link_of[o]);
			least = left == 0 ? last : least;
			for (int k = 0; k < (left > 0 ? 3 : 1); k++)
				change(left > 0, last);
		}
	}
	printf("%d %s\n", least, best);
	return least < NEVER ? EXIT_SUCCESS : EXIT_FAILURE;
}
