/*
 * Messages keep the route of the topology while nothing on it is down; else they take a shortest
 * path that avoids what is down, and without one the cut that the error names separates the nodes.
 * The truth is a search of this file over the links that are left.
 *
 *   all sets of faults      of nodes, of links and of both, on small networks
 *   random sets of faults   near a route, on larger ones; LS_LONG=1: 10^5 on each
 *
 * Fewer faults than the degree of a hypercube or a star never separate two nodes, and lengthen
 * their path by 2 hops and 4 hops at most.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/live_paths.h"
#include "support/guard.h"
#include "test.h"

enum { FAULTS = 24, LONG_SETS = 100000, SETS = 300, SETS_FAST = 40 };

struct fault {
	int64_t u, v; /* u == v: a node */
};

/* A network, all that may fail there, and what has failed. */
struct board {
	ls_topology *t;
	int64_t vertices;
	int longest_detour; /* hops more than the distance; -1: no bound */
	struct fault *part;
	int64_t parts, nodes; /* part[0 .. nodes - 1] are the vertices, the others the links */
	struct fault down[FAULTS];
	int n;
	int64_t *hops, *queue; /* of the search */
	long long pairs, detours, cuts;
};

static struct board board_of(const char *spec, int longest_detour)
{
	struct board b = { .longest_detour = longest_detour };

	if (ls_topology_make(spec, &b.t, NULL) != LS_OK)
		exit(1);
	b.vertices = ls_topology_vertices(b.t);
	b.part = memory((size_t)(b.vertices + ls_topology_links(b.t)), sizeof *b.part);
	b.hops = memory((size_t)b.vertices, sizeof *b.hops);
	b.queue = memory((size_t)b.vertices, sizeof *b.queue);
	for (int64_t v = 0; v < b.vertices; v++)
		b.part[b.parts++] = (struct fault){ v, v };
	b.nodes = b.parts;
	for (int64_t u = 0; u < b.vertices; u++)
		for (int64_t link = 0; link < ls_degree(b.t, u); link++) {
			const int64_t v = ls_neighbor(b.t, u, link);

			if (u < v && ls_link_to(b.t, u, v) == link)
				b.part[b.parts++] = (struct fault){ u, v };
		}
	return b;
}

static void board_destroy(struct board *b)
{
	free(b->part);
	free(b->hops);
	free(b->queue);
	ls_topology_destroy(b->t);
}

/* ---- The truth */

static bool crosses(const struct fault *f, int64_t a, int64_t b)
{
	if (f->u == f->v)
		return f->u == a || f->u == b;
	return (f->u == a && f->v == b) || (f->u == b && f->v == a);
}

static bool is_broken(const struct fault *faults, int n, int64_t a, int64_t b)
{
	int i = 0;

	while (i < n && !crosses(&faults[i], a, b))
		i++;
	return i < n;
}

/* Sets b->hops: from `from` to each vertex; -1: no path. */
static void search(struct board *b, const struct fault *faults, int n, int64_t from)
{
	int64_t first = 0, last = 0;

	for (int64_t v = 0; v < b->vertices; v++)
		b->hops[v] = -1;
	if (is_broken(faults, n, from, from))
		return;
	b->hops[from] = 0;
	b->queue[last++] = from;
	while (first < last) {
		const int64_t at = b->queue[first++];

		for (int64_t link = 0; link < ls_degree(b->t, at); link++) {
			const int64_t to = ls_neighbor(b->t, at, link);

			if (b->hops[to] < 0 && !is_broken(faults, n, at, to)) {
				b->hops[to] = b->hops[at] + 1;
				b->queue[last++] = to;
			}
		}
	}
}

static bool own_route_is_whole(const struct board *b, int64_t from, int64_t to)
{
	for (int64_t at = from; at != to;) {
		const int64_t next = ls_neighbor(b->t, at, ls_first_hop(b->t, at, to));

		if (is_broken(b->down, b->n, at, next))
			return false;
		at = next;
	}
	return true;
}

/* ---- Check a pair of nodes */

/* The faults that a text names; LS_ERR_ARGUMENT: a word is unknown, or a fault is not down. */
static int read_cut(const struct board *b, const char *text, struct fault *faults, int *n)
{
	struct fault f;
	int used;

	for (*n = 0; strncmp(text, " around ", 8) != 0; text += used) {
		text += strncmp(text, ", ", 2) == 0 ? 2 : 0;
		if (sscanf(text, "link %" SCNd64 "-%" SCNd64 "%n", &f.u, &f.v, &used) != 2) {
			if (sscanf(text, "node %" SCNd64 "%n", &f.u, &used) != 1)
				return LS_ERR_ARGUMENT;
			f.v = f.u;
		}
		if (*n == FAULTS || !is_broken(b->down, b->n, f.u, f.v))
			return LS_ERR_ARGUMENT;
		faults[(*n)++] = f;
	}
	return LS_OK;
}

static void check_cut(struct board *b, struct lsi_links *links, int64_t from, int64_t to)
{
	const struct lsi_cut_text cut = lsi_cut_describe(links, from, to);
	struct fault named[FAULTS];
	int n;

	b->cuts++;
	if (strstr(cut.text, " more around "))
		return;
	CHECK(read_cut(b, cut.text, named, &n) == LS_OK, "%s: %" PRId64 " to %" PRId64 ": '%s'",
		guarded(), from, to, cut.text);
	search(b, named, n, from);
	CHECK(b->hops[to] < 0, "%s: '%s' does not cut %" PRId64 " from %" PRId64, guarded(), cut.text,
		from, to);
	search(b, b->down, b->n, from);
}

/* Walk a detour. */
static void check_detour(const struct board *b, const int64_t *link, int64_t from, int64_t to)
{
	int64_t at = from;

	for (int64_t i = 0; i < b->hops[to]; i++) {
		const int64_t next = ls_neighbor(b->t, at, link[i]);

		CHECK(next >= 0 && !is_broken(b->down, b->n, at, next),
			"%s: hop %" PRId64 " of %" PRId64 " to %" PRId64, guarded(), i, from, to);
		at = next;
	}
	CHECK(at == to, "%s: a path from %" PRId64 " ends at %" PRId64 ", not %" PRId64, guarded(),
		from, at, to);
}

/* b->hops are those of `from`. */
static void check_pair(struct board *b, struct lsi_links *links, int64_t from, int64_t to)
{
	const bool own = b->hops[to] >= 0 && own_route_is_whole(b, from, to);
	int64_t *link;
	const int status = lsi_live_path(links, from, to, &link);

	b->pairs++;
	CHECK((status == LS_OK) == (b->hops[to] >= 0) && (status == LS_OK || status == LS_ERR_LINK),
		"%s: %" PRId64 " to %" PRId64 ": %s", guarded(), from, to, ls_status_name(status));
	CHECK((link == NULL) == (own || status != LS_OK),
		"%s: %" PRId64 " to %" PRId64 ": %s, own route %d", guarded(), from, to,
		link ? "a detour" : "no detour", own);
	if (link && status == LS_OK) {
		b->detours++;
		check_detour(b, link, from, to);
	}
	CHECK(b->longest_detour < 0
			|| (status == LS_OK && b->hops[to] <= ls_distance(b->t, from, to) + b->longest_detour),
		"%s: %" PRId64 " hops from %" PRId64 " to %" PRId64, guarded(), b->hops[to], from, to);
	lsi_free(link);
	if (status == LS_ERR_LINK)
		check_cut(b, links, from, to);
}

/* The list of what is down, as the machine makes it: one after another; an extra one comes up. */
static struct lsi_links *links_of(const struct board *b)
{
	struct lsi_links *links = lsi_links_changed(b->t, NULL, 0, 0, false);

	for (int i = 0; i <= b->n; i++) {
		const bool is_last = i == b->n;
		struct lsi_links *next = lsi_links_changed(
			b->t, links, is_last ? 0 : b->down[i].u, is_last ? 0 : b->down[i].v, is_last);

		lsi_links_free(links);
		links = next;
	}
	for (int i = 0; i < b->n; i++) { /* node 0 itself */
		if (b->down[i].u == 0 && b->down[i].v == 0) {
			struct lsi_links *next = lsi_links_changed(b->t, links, 0, 0, false);

			lsi_links_free(links);
			links = next;
		}
	}
	return links;
}

/* ---- All sets */

static void check_set(struct board *b)
{
	struct lsi_links *links = links_of(b);
	const int64_t nodes = ls_topology_nodes(b->t);

	for (int64_t from = 0; from < nodes; from++) {
		search(b, b->down, b->n, from);
		for (int64_t to = 0; to < nodes; to++) {
			if (from != to && !is_broken(b->down, b->n, from, from)
				&& !is_broken(b->down, b->n, to, to))
				check_pair(b, links, from, to);
		}
	}
	lsi_links_free(links);
}

/* All sets of up to `most` of those that are down and parts first .. end - 1.  Their number. */
static long long check_sets(struct board *b, int64_t first, int64_t end, int most)
{
	long long sets = 1;

	check_set(b);
	for (int64_t i = first; i < end && b->n < most; i++) {
		b->down[b->n++] = b->part[i];
		sets += check_sets(b, i + 1, end, most);
		b->n--;
	}
	return sets;
}

static void test_all_sets(void)
{
	enum kind { NODES, LINKS, BOTH };
	static const struct {
		const char *spec;
		enum kind kind;
		int most, longest_detour;
		long long sets, cuts; /* cuts -1: some */
		bool rare;            /* not in fast runs */
	} row[] = {
		{ "hypercube:3", NODES, 2, 2, 37, 0, false },
		{ "hypercube:3", LINKS, 2, 2, 79, 0, false },
		{ "hypercube:3", BOTH, 4, -1, 6196, -1, true },
		{ "hypercube:4", NODES, 3, 2, 697, 0, false },
		{ "hypercube:4", LINKS, 3, 2, 5489, 0, true },
		{ "star:4", NODES, 2, 4, 301, 0, false },
		{ "star:4", LINKS, 2, 4, 667, 0, false },
		{ "star:4", BOTH, 2, 4, 1831, 0, true },
		{ "star:3", BOTH, 3, -1, 299, -1, false },
		{ "torus:3x3", BOTH, 2, -1, 379, 0, false },
		{ "tree:8", BOTH, 2, -1, 436, -1, false },
		{ "linear:2", BOTH, 3, -1, 8, -1, false },
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct board b = board_of(row[i].spec, row[i].longest_detour);
		const int64_t first = row[i].kind == LINKS ? b.nodes : 0;
		const int64_t end = row[i].kind == NODES ? b.nodes : b.parts;

		guard("up to %d faults of %s", row[i].most, row[i].spec);
		if (!row[i].rare || !(is_fast() || is_thin())) {
			const long long sets = check_sets(&b, first, end, row[i].most);

			printf("%s: %lld sets, %lld pairs, %lld detours, %lld cuts\n", guarded(), sets, b.pairs,
				b.detours, b.cuts);
			CHECK(sets == row[i].sets, "%s: %lld sets", guarded(), sets);
			CHECK(row[i].cuts < 0 ? b.cuts > 0 : b.cuts == row[i].cuts, "%s: %lld cuts", guarded(),
				b.cuts);
		}
		board_destroy(&b);
	}
}

/* ---- Random sets */

/* A fault on the route, or beside the target, or anywhere; not an end. */
static struct fault random_fault(const struct board *b, int64_t from, int64_t to, uint64_t *state)
{
	const int64_t hop = random_below(state, 2 * ls_topology_diameter(b->t));
	int64_t at = from, next = from;
	struct fault f;

	for (int64_t i = 0; i <= hop && next != to; i++) {
		at = next;
		next = ls_neighbor(b->t, at, ls_first_hop(b->t, at, to));
	}
	if (hop % 3 == 0) {
		at = to;
		next = ls_neighbor(b->t, to, random_below(state, ls_degree(b->t, to)));
	}
	f = random_below(state, 2) ? (struct fault){ next, next }
		: at < next            ? (struct fault){ at, next }
							   : (struct fault){ next, at };
	if (random_below(state, 4) == 0 || (f.u == f.v && (f.u == from || f.u == to)))
		f = b->part[b->nodes + random_below(state, b->parts - b->nodes)];
	return f;
}

static void check_random_set(struct board *b, int most, uint64_t *state)
{
	const int64_t nodes = ls_topology_nodes(b->t), from = random_below(state, nodes);
	int64_t to = random_below(state, nodes);

	to = to == from ? (to + 1) % nodes : to;
	b->n = 0;
	while (b->n < most) {
		const struct fault f = random_fault(b, from, to, state);

		if (f.u == f.v || !is_broken(b->down, b->n, f.u, f.v) || random_below(state, 8) == 0)
			b->down[b->n++] = f;
	}

	struct lsi_links *links = links_of(b);

	search(b, b->down, b->n, from);
	for (int again = 0; again < 2; again++) /* the table is searched, then found */
		check_pair(b, links, from, to);
	lsi_links_free(links);
}

static void test_random_sets(void)
{
	static const struct {
		const char *spec;
		int most, longest_detour;
	} row[] = { { "hypercube:10", 9, 2 }, { "star:5", 3, 4 }, { "star:6", 4, 4 },
		{ "star:7", 5, 4 }, { "hypercube:4", 12, -1 }, { "star:4", 8, -1 } };
	const int sets = is_long() ? LONG_SETS : is_fast() || is_thin() ? SETS_FAST : SETS;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct board b = board_of(row[i].spec, row[i].longest_detour);
		uint64_t state = 11 + i;

		guard("random faults of %s", row[i].spec);
		for (int k = 0; k < sets; k++)
			check_random_set(&b, 1 + k % row[i].most, &state);
		printf("%s: %d sets, %lld detours, %lld cuts\n", guarded(), sets, b.detours, b.cuts);
		CHECK(b.detours > 0 && (b.cuts > 0) == (row[i].longest_detour < 0),
			"%s: %lld detours, %lld cuts", guarded(), b.detours, b.cuts);
		board_destroy(&b);
	}
}

int main(void)
{
	test_all_sets();
	test_random_sets();
	return test_result();
}
