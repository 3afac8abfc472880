/*
 * Hamiltonian rings: all nodes in a ring, neighbors on it joined by links of the network.
 *
 * Grids are woven (snake.c), the ring of a hypercube is the reflected Gray code.  On the star graph
 * S_n, for n >= 4, there is a path through all nodes between any two of opposite parity (every link
 * changes the parity), so one to a neighbor makes a ring.  The path from a to b of k >= 5 symbols
 * goes through the k sub-stars S_{k-1} that fix the symbol of one position, in which a and b
 * differ: first that of a, last that of b.  Each is left at a node whose first symbol is that of
 * the next, and of the parity that the path through it needs.  Paths of S_4 are found by search.
 *
 *   source     J. S. Jwo, S. Lakshmivarahan, S. K. Dhall, "Embedding of cycles and grids in star
 *              graphs", J. Circuits, Systems, and Computers 1(1), 1991
 */
#include "topology/snake.h"
#include "topology/topology_internal.h"

enum { BASE = 4, BASE_NODES = 24 };

/* The links of a path from the identity of S_4 to each node that can be its end. */
struct words {
	uint8_t link[BASE_NODES][BASE_NODES - 1];
};

struct walk {
	int64_t *next; /* where the next node is written */
	struct words words;
};

/* Extends a path of `length` links that visits the nodes in `visited` to all nodes, up to `end`. */
static bool search(uint8_t *link, int length, int64_t at, uint32_t visited, int64_t end)
{
	visited |= 1u << at;
	if (length == BASE_NODES - 1)
		return at == end;
	for (int l = 2; l <= BASE; l++) {
		const int64_t to = lsi_star_neighbor(at, l);

		link[length] = (uint8_t)l;
		if (!(visited >> to & 1) && (to != end || length == BASE_NODES - 2)
			&& search(link, length + 1, to, visited, end))
			return true;
	}
	return false;
}

static bool is_odd(int64_t rank)
{
	return (lsi_permutation_digit(rank, 2) + lsi_permutation_digit(rank, 3)
			   + lsi_permutation_digit(rank, 4))
		% 2;
}

static void find_words(struct words *words)
{
	for (int64_t end = 0; end < BASE_NODES; end++)
		if (is_odd(end))
			search(words->link[end], 0, 0, 0, end);
}

static void emit(struct walk *walk, const struct lsi_permutation *at)
{
	*walk->next++ = lsi_permutation_rank(at);
}

/* The path of four symbols, those at position 1 and the three that are open. */
static void base_path(
	struct walk *walk, struct lsi_permutation a, const struct lsi_permutation *b, uint32_t open)
{
	struct lsi_permutation relative = { .n = BASE };
	int position[BASE + 1] = { 0, 1 };

	for (int i = 2; i <= BASE; i++) {
		position[i] = __builtin_ctz(open);
		open &= open - 1;
	}
	for (int i = 1; i <= BASE; i++)
		for (int j = 1; j <= BASE; j++)
			if (b->symbol[position[i]] == a.symbol[position[j]])
				relative.symbol[i] = (uint8_t)j;

	const uint8_t *link = walk->words.link[lsi_permutation_rank(&relative)];

	emit(walk, &a);
	for (int i = 0; i < BASE_NODES - 1; i++) {
		lsi_star_swap(&a, position[link[i]]);
		emit(walk, &a);
	}
}

/* A node of the other parity that differs from u in open positions, `symbol` being its first. */
static struct lsi_permutation leaving(struct lsi_permutation u, uint8_t symbol, uint32_t open)
{
	const int i = __builtin_ctz(open), j = __builtin_ctz(open & (open - 1));
	const uint8_t old = u.symbol[i];

	if (u.symbol[1] == symbol) {
		u.symbol[i] = u.symbol[j];
		u.symbol[j] = old;
		return u;
	}
	for (int k = 2; k <= u.n; k++) {
		if (u.symbol[k] == symbol) {
			lsi_star_swap(&u, k);
			break;
		}
	}
	return u;
}

/* Symbols at position 1 and the open ones, in the order in which their sub-stars are taken. */
static int order(
	const struct lsi_permutation *a, uint8_t first, uint8_t last, uint32_t open, uint8_t *symbol)
{
	int count = 0;

	symbol[count++] = first;
	for (int i = 1; i <= a->n; i++)
		if ((i == 1 || open >> i & 1) && a->symbol[i] != first && a->symbol[i] != last)
			symbol[count++] = a->symbol[i];
	symbol[count++] = last;
	return count;
}

/* The path from a to b, of opposite parity, that differ at position 1 and open positions. */
static void path(
	struct walk *walk, struct lsi_permutation a, const struct lsi_permutation *b, uint32_t open)
{
	uint8_t symbol[LSI_SYMBOLS_MAX];
	int i = 2;

	if (__builtin_popcount(open) < BASE) {
		base_path(walk, a, b, open);
		return;
	}
	while (a.symbol[i] == b->symbol[i]) /* ends, as a and b differ */
		i++;

	const int count = order(&a, a.symbol[i], b->symbol[i], open, symbol);
	const uint32_t rest = open & ~(1u << i);

	for (int k = 0; k + 1 < count; k++) {
		struct lsi_permutation end = leaving(a, symbol[k + 1], rest);

		path(walk, a, &end, rest);
		lsi_star_swap(&end, i);
		a = end;
	}
	path(walk, a, b, rest);
}

/* The ring of S_3 follows its two links in turn. */
static void star_ring(const ls_topology *t, int64_t *ring)
{
	struct walk walk = { .next = ring };
	const int n = (int)t->number[0];
	const struct lsi_permutation first = lsi_permutation_of(0, n);
	struct lsi_permutation last = first;

	if (n < BASE) {
		for (int64_t i = 0, u = 0; i < t->nodes; u = lsi_star_neighbor(u, 2 + (int)(i++ % 2)))
			ring[i] = u;
		return;
	}
	lsi_star_swap(&last, 2);
	find_words(&walk.words);
	path(&walk, first, &last, ((2u << n) - 1) & ~3u);
}

int ls_topology_hamiltonian(const ls_topology *t, int64_t *ring)
{
	if (!t || !ring)
		return LS_ERR_ARGUMENT;
	if (t->nodes < 3)
		return LS_ERR_UNSUPPORTED;
	if (ls_topology_dims(t) > 0)
		return lsi_snake_ring(t, ring) ? LS_OK : LS_ERR_UNSUPPORTED;
	if (lsi_topology_is(t, &lsi_network_star)) {
		star_ring(t, ring);
		return LS_OK;
	}
	if (!lsi_topology_is(t, &lsi_network_hypercube) && !lsi_topology_is(t, &lsi_network_complete))
		return LS_ERR_UNSUPPORTED;
	for (int64_t i = 0; i < t->nodes; i++)
		ring[i] = lsi_topology_is(t, &lsi_network_hypercube) ? i ^ i >> 1 : i;
	return LS_OK;
}
