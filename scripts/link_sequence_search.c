/*
 * Finds short link sequences on a Cayley graph, the rows of
 * lib/collective/cayley/sequence_families.c:
 *
 *   cc -O2 -std=gnu11 -D_GNU_SOURCE -Iinclude -Ilib -o build/link_sequences \
 *       scripts/link_sequence_search.c build/release/liblockstep.a \
 *       -lurcu-qsbr -lurcu-common -pthread
 *   build/link_sequences pancake:6 2000
 *
 * A sequence reaches a node when some of its links, left to right, lead to it from node 0.  It is
 * complete when it reaches all nodes.  The search appends one link at a time and keeps the
 * sequences that reach the most nodes; the second argument limits their number.  Of sequences that
 * reach the same set of nodes one is kept.  If the limit never left a sequence out, the result is
 * the shortest that exists, and the program reports that.
 *
 * The output is the sequence, link k as digit k.  The lengths of the table need a limit of 8000 for
 * star:7, 100 for star:8, 40 for star:9, 2000 for pancake:7, 600 for pancake:8, and 100000 for
 * smaller networks; up to star:6 and pancake:5 they are the shortest that exist.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep.h>

enum { LENGTH_MAX = 64 };

struct state {
	uint64_t hash;
	int32_t reached;
	int8_t sequence[LENGTH_MAX];
	uint64_t *set;
};

static struct network {
	int32_t nodes, links;
	int32_t *next;    /* next[node * links + link] */
	uint64_t *random; /* of each node */
	size_t words;
	bool symmetric; /* any permutation of the links is an automorphism: a star graph */
} net;

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		exit(EXIT_FAILURE);
	return p;
}

static void make_network(const char *spec)
{
	struct ls_error why = { .size = sizeof why };
	uint64_t state = 1;
	ls_topology *t;

	if (ls_topology_make(spec, &t, &why) != LS_OK) {
		fprintf(stderr, "%s\n", why.text);
		exit(EXIT_FAILURE);
	}
	net.nodes = (int32_t)ls_topology_nodes(t);
	net.links = (int32_t)ls_degree(t, 0);
	net.words = (size_t)net.nodes / 64 + 1;
	net.symmetric = strncmp(spec, "star:", 5) == 0;
	net.next = allocate((size_t)net.nodes * (size_t)net.links, sizeof *net.next);
	net.random = allocate((size_t)net.nodes, sizeof *net.random);
	for (int32_t u = 0; u < net.nodes; u++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		net.random[u] = (state ^ state >> 29) * 0x94d049bb133111ebu;
		for (int32_t l = 0; l < net.links; l++)
			net.next[u * net.links + l] = (int32_t)ls_neighbor(t, u, l);
	}
	ls_topology_destroy(t);
}

static bool has(const uint64_t *set, int32_t node)
{
	return set[node / 64] >> (node % 64) & 1;
}

/* Add the nodes that one more link reaches: their number, and the sum of their random numbers. */
static void extend(const struct state *from, int32_t link, struct state *to, uint64_t *set)
{
	to->hash = from->hash;
	to->reached = from->reached;
	if (set)
		memcpy(set, from->set, net.words * sizeof *set);
	for (size_t w = 0; w < net.words; w++) {
		for (uint64_t rest = from->set[w]; rest; rest &= rest - 1) {
			const int32_t u = (int32_t)w * 64 + __builtin_ctzll(rest);
			const int32_t v = net.next[u * net.links + link];

			if (has(from->set, v))
				continue;
			to->reached++;
			to->hash += net.random[v];
			if (set)
				set[v / 64] |= (uint64_t)1 << (v % 64);
		}
	}
}

struct offer {
	int32_t reached, from, link;
	uint64_t hash;
};

static int by_reached(const void *a, const void *b)
{
	const struct offer *x = a, *y = b;

	if (x->reached != y->reached)
		return x->reached > y->reached ? -1 : 1;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->link - y->link;
}

/* If the links are symmetric, their first uses are in rising order. */
static int32_t usable(const struct state *s, int length)
{
	int32_t links = 1;

	for (int i = 0; i < length; i++)
		links = s->sequence[i] + 2 > links ? s->sequence[i] + 2 : links;
	return net.symmetric && links < net.links ? links : net.links;
}

/* Make the states that are one link longer; returns their number. */
static int32_t grow(const struct state *old, int32_t count, int round, struct state *young,
	int32_t width, bool *all)
{
	struct offer *offers = allocate((size_t)count * (size_t)net.links, sizeof *offers);
	int32_t made = 0, kept = 0;

	for (int32_t i = 0; i < count; i++)
		for (int32_t l = 0; l < usable(&old[i], round); l++) {
			struct state next;

			extend(&old[i], l, &next, NULL);
			offers[made++] = (struct offer){ next.reached, i, l, next.hash };
		}
	qsort(offers, (size_t)made, sizeof *offers, by_reached);
	for (int32_t i = 0; i < made; i++) {
		const struct offer *o = &offers[i];

		if (o->reached == old[o->from].reached || (i && o->hash == offers[i - 1].hash))
			continue;
		if (kept == width) {
			*all = false;
			break;
		}
		extend(&old[o->from], o->link, &young[kept], young[kept].set);
		memcpy(young[kept].sequence, old[o->from].sequence, sizeof young[kept].sequence);
		young[kept].sequence[round] = (int8_t)o->link;
		kept++;
	}
	free(offers);
	return kept;
}

/* Search for a complete sequence, in out[]; returns its length. */
static int search(int32_t width, int8_t out[LENGTH_MAX], bool *all)
{
	struct state *states[2];
	int32_t count = 1;
	int length = 0;

	for (int k = 0; k < 2; k++) {
		states[k] = allocate((size_t)width, sizeof *states[k]);
		for (int32_t i = 0; i < width; i++)
			states[k][i].set = allocate(net.words, sizeof(uint64_t));
	}
	states[0][0].set[0] = 1;
	states[0][0].reached = 1;
	*all = true;
	while (states[length % 2][0].reached < net.nodes && length < LENGTH_MAX) {
		count = grow(states[length % 2], count, length, states[(length + 1) % 2], width, all);
		length++;
	}
	memcpy(out, states[length % 2][0].sequence, LENGTH_MAX);
	return length;
}

int main(int argc, char **argv)
{
	int8_t sequence[LENGTH_MAX];
	bool all;

	if (argc != 3)
		return EXIT_FAILURE;
	make_network(argv[1]);

	const int length = search(atoi(argv[2]), sequence, &all);

	printf("%s: %d links%s: ", argv[1], length, all ? ", a shortest sequence" : "");
	for (int i = 0; i < length; i++)
		printf("%d", sequence[i] + 2);
	printf("\n");
	return EXIT_SUCCESS;
}
