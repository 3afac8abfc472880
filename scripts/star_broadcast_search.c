/*
 * Finds the broadcast schedules of lib/collective/cayley/matching_table.c and writes its table:
 *
 *   cc -O2 -std=gnu11 -Ilib -o build/star_broadcast \
 *       scripts/star_broadcast_search.c lib/topology/permutation.c
 *   build/star_broadcast >lib/collective/cayley/matching_links.inc
 *
 * A schedule is a chain of matchings.  In each round as many uninformed nodes as possible are
 * matched with informed neighbors; priorities decide between equal choices.  Sets of nodes that can
 * be matched together form a matroid, so taking nodes in order of priority, by augmenting paths,
 * gives the heaviest of the largest matchings.  The priority of a node grows with the number of its
 * uninformed neighbors, most for those that no other node can inform, plus a key of its own.  Hill
 * climbing searches the keys: it changes some keys near the nodes left out, and keeps the change
 * unless fewer nodes are informed in time.
 *
 * The search is limited to schedules that are symmetric under exchange of symbols 1 and 2.  This
 * halves the table; a node of the search is a pair of mirror images.  Round 1 informs the pair of
 * ranks 0 and 1.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective/cayley/matching_table.h"

enum { NODES_MAX = 20160, LINKS_MAX = 7, ENTRIES_MAX = 2 * NODES_MAX, ROW = 88 };
enum { NEVER = 255, NOBODY = -1 };
enum { KEY = 30, CHANGE = 460, CHANGES = 4, WALK = 4, PATIENCE = 3000 };

/* The pairs of S_n. */
static struct network {
	int n, nodes, links;
	int neighbor[NODES_MAX][LINKS_MAX];
} net;

/* The keys of the search, and the schedule that follows from them. */
static int key[NODES_MAX], received[NODES_MAX], parent[NODES_MAX];

/* One round: priorities of the nodes, and the matching: the node that an informed node sends to. */
static int priority[NODES_MAX], informs[NODES_MAX], visited[NODES_MAX], visit;

/* The output: the links to the parents, of all networks. */
static int entry[ENTRIES_MAX], entries;

static uint64_t state = 1;

static int random_below(int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)((state >> 33) % (uint64_t)limit);
}

static void make_network(int n)
{
	static int64_t rank[NODES_MAX];
	static int pair[2 * NODES_MAX];

	net = (struct network){ .n = n, .links = n - 1 };
	for (int64_t u = 0; u < lsi_factorial(n); u++)
		if (lsi_matching_representative(u, n) == u) {
			pair[u] = net.nodes;
			rank[net.nodes++] = u;
		}
	for (int i = 0; i < net.nodes; i++)
		for (int l = 0; l < net.links; l++) {
			const int64_t v = lsi_star_neighbor(rank[i], l + 2);

			net.neighbor[i][l] = pair[lsi_matching_representative(v, n)];
		}
}

static int informed_neighbors(int u)
{
	int count = 0;

	for (int l = 0; l < net.links; l++)
		count += received[net.neighbor[u][l]] != NEVER;
	return count;
}

/*
 * Collect the uninformed nodes that can receive now, with their priorities; returns their number.
 */
static int find_candidates(int *candidate)
{
	static const int help[LINKS_MAX + 1] = { 374, 49, 19, 16, 16, 16, 16, 16 };
	static int informed[NODES_MAX];
	int count = 0;

	for (int u = 0; u < net.nodes; u++)
		informed[u] = informed_neighbors(u);
	for (int u = 0; u < net.nodes; u++) {
		if (received[u] != NEVER || informed[u] == 0)
			continue;
		priority[u] = key[u];
		for (int l = 0; l < net.links; l++) {
			const int v = net.neighbor[u][l];

			priority[u] += received[v] == NEVER ? help[informed[v]] : 0;
		}
		candidate[count++] = u;
	}
	return count;
}

static int by_priority(const void *a, const void *b)
{
	const int u = *(const int *)a, v = *(const int *)b;

	return priority[u] == priority[v] ? u - v : priority[u] < priority[v] ? 1 : -1;
}

/* Find an informed neighbor for u; it may be that of another node that finds a further one. */
static bool augment(int u)
{
	for (int l = 0; l < net.links; l++) {
		const int v = net.neighbor[u][l];

		if (received[v] == NEVER || visited[v] == visit)
			continue;
		visited[v] = visit;
		if (informs[v] == NOBODY || augment(informs[v])) {
			informs[v] = u;
			parent[u] = v;
			return true;
		}
	}
	return false;
}

/* Returns the number of nodes that receive in this round. */
static int match(int round)
{
	static int candidate[NODES_MAX];
	const int count = find_candidates(candidate);
	int matched = 0;

	qsort(candidate, (size_t)count, sizeof *candidate, by_priority);
	memset(informs, 0xff, sizeof informs);
	visit++;
	for (int i = 0; i < count; i++)
		if (augment(candidate[i])) {
			candidate[matched++] = candidate[i];
			visit++; /* nodes visited by a failed search cannot help later ones */
		}
	for (int i = 0; i < matched; i++)
		received[candidate[i]] = round;
	return matched;
}

static int broadcast(int rounds)
{
	int informed = 1;

	memset(parent, 0xff, sizeof parent);
	for (int u = 0; u < net.nodes; u++)
		received[u] = NEVER;
	received[0] = 1;
	for (int round = 2; round <= rounds; round++)
		informed += match(round);
	return informed;
}

/* A node near one of those left out, or any node. */
static int pick(const int *missed, int count)
{
	int u = count && random_below(5) ? missed[random_below(count)] : random_below(net.nodes);

	for (int steps = random_below(WALK); steps > 0; steps--)
		u = net.neighbor[u][random_below(net.links)];
	return u;
}

/* Climb until there is no gain for a long time; true if every node receives in time. */
static bool climb(int rounds)
{
	static int missed[NODES_MAX];
	int best = 0, count = 0, informed;

	for (int u = 0; u < net.nodes; u++)
		key[u] = random_below(KEY);
	for (int idle = 0; idle < PATIENCE; idle++) {
		int node[CHANGES], old[CHANGES], changes = best ? 1 + random_below(CHANGES) : 0;

		for (int i = 0; i < changes; i++) {
			node[i] = pick(missed, count);
			old[i] = key[node[i]];
			key[node[i]] += random_below(2 * CHANGE) - CHANGE;
		}
		informed = broadcast(rounds);
		if (informed == net.nodes)
			return true;
		if (informed < best) {
			while (changes-- > 0)
				key[node[changes]] = old[changes];
			continue;
		}
		idle = informed > best ? 0 : idle;
		best = informed;
		count = 0;
		for (int u = 0; u < net.nodes; u++)
			if (received[u] == NEVER)
				missed[count++] = u;
	}
	return false;
}

static void keep_links(void)
{
	for (int u = 1; u < net.nodes; u++) {
		int l = 0;

		while (net.neighbor[u][l] != parent[u])
			l++;
		entry[entries++] = l;
	}
}

/* Two links per character, as matching_table.c unpacks them. */
static void write_table(void)
{
	for (int i = 0; i < entries; i += 2) {
		const int code = '@' + entry[i] + LINKS_MAX * entry[i + 1];
		const bool begins = i % (2 * ROW) == 0;
		const bool ends = (i + 2) % (2 * ROW) == 0 || i + 2 >= entries;

		printf("%s%c%s", begins ? "\t\"" : "", code + (code >= '\\'), ends ? "\",\n" : "");
	}
}

int main(void)
{
	static const int rounds[] = { 0, 0, 1, 3, 5, 8, 10, 13, 16 };

	for (int n = 3; n <= LSI_MATCHING_SYMBOLS_MAX; n++) {
		make_network(n);
		while (!climb(rounds[n]))
			;
		keep_links();
		fprintf(stderr, "S_%d: %d rounds\n", n, rounds[n]);
	}
	write_table();
	return EXIT_SUCCESS;
}
