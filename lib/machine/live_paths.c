/*
 * Distances are searched breadth first, from the target.  A path goes from each vertex to a
 * neighbor that is one hop nearer.
 */
#include "machine/live_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lockstep/status.h>

#include "base/alloc.h"

enum {
	KEPT = 64 << 20, /* bytes of the tables of one list; further ones are not kept */
	FAULT_TEXT = 64,
	END_TEXT = 60 /* of a cut: what follows the faults that it names */
};

/* ---- Lists */

struct lsi_links *lsi_links_changed(
	const struct ls_topology *t, const struct lsi_links *old, int64_t u, int64_t v, bool up)
{
	const size_t n = old ? old->n : 0;
	struct lsi_links *links = lsi_alloc_zero(1, sizeof *links + (n + 1) * sizeof links->down[0]);

	if (!links)
		return NULL;
	links->topology = t;
	for (size_t i = 0; i < n; i++) {
		if (old->down[i].u != u || old->down[i].v != v)
			links->down[links->n++] = old->down[i];
	}
	if (!up) {
		links->down[links->n].u = u;
		links->down[links->n++].v = v;
	}
	return links;
}

void lsi_links_free(struct lsi_links *links)
{
	struct lsi_distances *tables;

	if (!links)
		return;
	tables = lsi_load(&links->distances, relaxed); /* no node uses the list */
	for (int64_t v = 0; tables && v < links->topology->vertices; v++)
		lsi_free(lsi_load(&tables->to[v], relaxed)); /* as above */
	lsi_free(tables);
	lsi_free(links);
}

/* A linear search, for the list is short. */
bool lsi_is_down(const struct lsi_links *links, int64_t a, int64_t b)
{
	const int64_t low = a < b ? a : b, high = a < b ? b : a;

	for (size_t i = 0; i < links->n; i++) {
		const int64_t u = links->down[i].u, v = links->down[i].v;

		if (u == v ? u == a || u == b : u == low && v == high)
			return true;
	}
	return false;
}

/* ---- Distances */

/* The live distance of each vertex to `to`; -1: no path.  NULL: no memory. */
static int32_t *search_distances(const struct lsi_links *links, int64_t to)
{
	const struct ls_topology *t = links->topology;
	const size_t n = (size_t)t->vertices;
	int32_t *distance = lsi_alloc(n * sizeof *distance);
	int64_t *queue = lsi_alloc(n * sizeof *queue), head = 0, tail = 0;

	if (!distance || !queue) {
		lsi_free(distance);
		lsi_free(queue);
		return NULL;
	}
	memset(distance, 0xff, n * sizeof *distance);
	distance[to] = 0;
	queue[tail++] = to;
	while (head < tail) {
		const int64_t v = queue[head++], degree = ls_degree(t, v);

		for (int64_t link = 0; link < degree; link++) {
			const int64_t w = ls_neighbor(t, v, link);

			if (distance[w] >= 0 || lsi_is_down(links, v, w))
				continue;
			distance[w] = distance[v] + 1;
			queue[tail++] = w;
		}
	}
	lsi_free(queue);
	return distance;
}

/* Made when the first message leaves its route.  NULL: no memory. */
static struct lsi_distances *tables_of(struct lsi_links *links)
{
	struct lsi_distances *tables = lsi_load(&links->distances, acquire), *none = NULL; /* TABLE */
	struct lsi_distances *made;

	if (tables)
		return tables;
	made = lsi_alloc_zero(1, sizeof *made + (size_t)links->topology->vertices * sizeof made->to[0]);
	if (!made || lsi_compare_swap(&links->distances, &none, made, acq_rel)) /* TABLE */
		return made;
	lsi_free(made);
	return lsi_load(&links->distances, acquire); /* TABLE: a swap that fails is relaxed */
}

/* The distances to a target.  NULL: no memory.  Not NULL, *own is the same: the caller frees it. */
static const int32_t *distances_to(struct lsi_links *links, int64_t to, int32_t **own)
{
	const size_t bytes = (size_t)links->topology->vertices * sizeof **own;
	struct lsi_distances *const tables = tables_of(links);
	int32_t *found, *none = NULL;

	*own = NULL;
	if (!tables)
		return NULL;
	found = lsi_load(&tables->to[to], acquire); /* TABLE */
	if (found)
		return found;
	found = search_distances(links, to);
	if (!found)
		return NULL;
	if (lsi_fetch_add(&tables->kept, bytes, relaxed) + bytes <= KEPT /* counter only */
		&& lsi_compare_swap(&tables->to[to], &none, found, acq_rel)) /* TABLE */
		return found;
	lsi_fetch_sub(&tables->kept, bytes, relaxed); /* counter only */
	return *own = found;
}

/* ---- Paths */

static bool route_is_up(const struct lsi_links *links, int64_t from, int64_t to)
{
	struct lsi_route route = lsi_route_begin(from, to);

	while (lsi_route_hop(links->topology, &route)) {
		if (lsi_is_down(links, route.from, route.at))
			return false;
	}
	return true;
}

/* The link from `at` to a neighbor that is nearer to the target. */
static int64_t nearer_link(const struct lsi_links *links, const int32_t *distance, int64_t at)
{
	for (int64_t link = 0;; link++) {
		const int64_t to = ls_neighbor(links->topology, at, link);

		if (distance[to] == distance[at] - 1 && !lsi_is_down(links, at, to))
			return link;
	}
}

int lsi_live_path(struct lsi_links *links, int64_t from, int64_t to, int64_t **link)
{
	const int32_t *distance;
	int32_t *own;
	int status = LS_ERR_LINK;

	*link = NULL;
	if (route_is_up(links, from, to))
		return LS_OK;
	distance = distances_to(links, to, &own);
	if (!distance)
		return LS_ERR_MEMORY;
	if (distance[from] >= 0) {
		*link = lsi_alloc((size_t)distance[from] * sizeof **link);
		status = *link ? LS_OK : LS_ERR_MEMORY;
	}
	for (int64_t hop = 0, at = from; *link && at != to; hop++) {
		(*link)[hop] = nearer_link(links, distance, at);
		at = ls_neighbor(links->topology, at, (*link)[hop]);
	}
	lsi_free(own);
	return status;
}

/* ---- Cuts */

static int64_t count_reached(const struct lsi_links *links, const int32_t *distance)
{
	int64_t n = 0;

	for (int64_t v = 0; v < links->topology->vertices; v++)
		n += distance[v] >= 0;
	return n;
}

/* Does fault i separate the part of vertices with a distance from the others? */
static bool is_at_border(const struct lsi_links *links, const int32_t *distance, size_t i)
{
	const int64_t u = links->down[i].u, v = links->down[i].v;

	for (int64_t link = 0; u == v && link < ls_degree(links->topology, u); link++) {
		if (distance[ls_neighbor(links->topology, u, link)] >= 0)
			return true;
	}
	return u != v && (distance[u] >= 0) != (distance[v] >= 0) && !lsi_is_down(links, u, u)
		&& !lsi_is_down(links, v, v);
}

/* Append to the text, as far as there is room. */
static void append_cut(struct lsi_cut_text *cut, const char *words)
{
	const size_t used = strlen(cut->text);

	snprintf(cut->text + used, sizeof cut->text - used, "%s", words);
}

/* The faults around the part of `center`, which has n vertices, as many as there is room for. */
static struct lsi_cut_text describe_border(
	const struct lsi_links *links, const int32_t *distance, int64_t center, int64_t n)
{
	struct lsi_cut_text cut = { "" };
	char words[FAULT_TEXT];
	int named = 0, others = 0;

	for (size_t i = 0; i < links->n; i++) {
		const int64_t u = links->down[i].u, v = links->down[i].v;
		const char *comma = named > 0 ? ", " : "";

		if (!is_at_border(links, distance, i))
			continue;
		if (u == v)
			snprintf(words, sizeof words, "%snode %" PRId64, comma, u);
		else
			snprintf(words, sizeof words, "%slink %" PRId64 "-%" PRId64, comma, u, v);
		if (others > 0 || strlen(cut.text) + strlen(words) >= sizeof cut.text - END_TEXT) {
			others++;
			continue;
		}
		append_cut(&cut, words);
		named++;
	}
	if (others > 0) {
		snprintf(words, sizeof words, " and %d more", others);
		append_cut(&cut, words);
	}
	snprintf(words, sizeof words, " around node %" PRId64, center);
	append_cut(&cut, words);
	if (n > 1) {
		snprintf(words, sizeof words, " and %" PRId64 " more", n - 1);
		append_cut(&cut, words);
	}
	return cut;
}

struct lsi_cut_text lsi_cut_describe(struct lsi_links *links, int64_t from, int64_t to)
{
	struct lsi_cut_text cut = { "links or nodes that no memory is left to name" };
	int32_t *own_of_from = NULL, *own_of_to = NULL;
	const int32_t *near_from = distances_to(links, from, &own_of_from);
	const int32_t *near_to = distances_to(links, to, &own_of_to);

	if (near_from && near_to) {
		const int64_t n_from = count_reached(links, near_from);
		const int64_t n_to = count_reached(links, near_to);

		cut = n_from < n_to ? describe_border(links, near_from, from, n_from)
							: describe_border(links, near_to, to, n_to);
	}
	lsi_free(own_of_from);
	lsi_free(own_of_to);
	return cut;
}
