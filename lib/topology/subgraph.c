/*
 * A part of a network, and the network of a spec that it equals, its model:
 *
 *   star:6, nodes with 5 at position 2      star:5
 *   mesh:8x8, a row, a box of 3 x 2         linear:8, mesh:3x2
 *   hypercube:10, nodes 1xx0..0             hypercube:2
 *   A*B*C, a copy of B*C                    B*C
 *
 * The model is guessed from the number of nodes, or from the coordinates that occur, and then
 * compared link by link.
 */
#include "topology/subgraph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "topology/layout.h"

enum { SPEC = 1024 };

struct part {
	const ls_topology *whole;
	int64_t *member;
	int64_t *first;    /* the neighbors of u are neighbor[first[u]] .. neighbor[first[u + 1] - 1] */
	int64_t *neighbor; /* those of u in rising order */
	ls_topology *model;
	bool is_connected;
};

/* ---- Queries */

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	const struct part *p = t->state;

	return p->first[rank + 1] - p->first[rank];
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct part *p = t->state;

	return p->neighbor[p->first[rank] + link];
}

static int64_t link_to(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct part *p = t->state;
	int64_t low = p->first[from], high = p->first[from + 1];

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (p->neighbor[middle] < to)
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->first[from + 1] && p->neighbor[low] == to ? low - p->first[from] : -1;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return link_to(t, neighbor(t, rank, link), rank);
}

static void label(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX])
{
	const struct part *p = t->state;

	ls_label(p->whole, p->member[rank], text, LSI_LABEL_MAX);
}

static void destroy(struct ls_topology *t)
{
	struct part *p = t->state;

	if (!p)
		return;
	ls_topology_destroy(p->model);
	lsi_free(p->member);
	lsi_free(p->first);
	lsi_free(p->neighbor);
	lsi_free(p);
}

/* ---- The model */

/* Has the model the same links? */
static bool equals(const ls_topology *t, const ls_topology *model)
{
	if (model->vertices != t->vertices || model->nodes != t->nodes)
		return false;
	for (int64_t u = 0; u < t->vertices; u++) {
		if (ls_degree(model, u) != degree(t, u))
			return false;
		for (int64_t l = 0; l < degree(t, u); l++)
			if (link_to(t, u, ls_neighbor(model, u, l)) < 0)
				return false;
	}
	return true;
}

/* Take the network of a spec as the model if it is one; false: no memory. */
static bool try_model(const ls_topology *t, const char *spec)
{
	struct part *p = t->state;
	ls_topology *model = NULL;
	const int failed = p->model ? LS_OK : ls_topology_make(spec, &model, NULL);

	if (model && equals(t, model))
		p->model = model;
	else
		ls_topology_destroy(model);
	return failed != LS_ERR_MEMORY;
}

/* The same kind of network with a smaller number. */
static bool try_numbers(const ls_topology *t, const char *kind)
{
	bool right = true;

	for (int64_t number = 1; number <= t->nodes && right; number++) {
		ls_topology *model = NULL;
		int64_t nodes;
		char spec[SPEC];

		snprintf(spec, sizeof spec, "%s:%" PRId64, kind, number);
		if (ls_topology_make(spec, &model, NULL) == LS_ERR_MEMORY)
			return false;
		nodes = model ? model->nodes : 0;
		ls_topology_destroy(model);
		if (nodes == t->nodes)
			right = try_model(t, spec);
		if (nodes >= t->nodes)
			break;
	}
	return right;
}

/* The number of values of a coordinate that occur, if they are consecutive. */
static int64_t side_of(const ls_topology *t, int dim)
{
	const struct part *p = t->state;
	int64_t least = INT64_MAX, most = 0;

	for (int64_t u = 0; u < t->nodes; u++) {
		const int64_t at = ls_topology_coordinate(p->whole, p->member[u], dim);

		least = at < least ? at : least;
		most = at > most ? at : most;
	}
	return most - least + 1;
}

/* A box of a grid; sides of 1 are left out. */
static bool try_box(const ls_topology *t, bool is_wrapped)
{
	static const char *const kind[2][2] = { { "mesh", "torus" }, { "linear", "ring" } };
	const struct part *p = t->state;
	char sides[SPEC] = "", spec[SPEC + 8];
	size_t length = 0;
	int shown = 0;

	for (int d = 0; d < ls_topology_dims(p->whole); d++) {
		const int64_t side = side_of(t, d);

		if (side == 1 || length >= sizeof sides)
			continue;
		length += (size_t)snprintf(
			sides + length, sizeof sides - length, "%s%" PRId64, shown++ ? "x" : "", side);
	}
	snprintf(spec, sizeof spec, "%s:%s", kind[shown <= 1][is_wrapped], shown ? sides : "1");
	return try_model(t, spec);
}

/* Some neighboring factors of a product. */
static bool try_factors(const ls_topology *t)
{
	const ls_topology *whole = ((struct part *)t->state)->whole;
	const int factors = lsi_topology_factors(whole);
	bool right = true;

	for (int first = 0; first < factors; first++) {
		char spec[SPEC] = "";
		size_t length = 0;
		int64_t nodes = 1;

		for (int i = first; i < factors && nodes <= t->nodes && right && length < SPEC; i++) {
			const ls_topology *factor = lsi_topology_factor(whole, i);

			nodes *= factor->nodes < t->nodes ? factor->nodes : t->nodes + 1;
			length += (size_t)snprintf(
				spec + length, sizeof spec - length, "%s%s", i > first ? "*" : "", factor->spec);
			if (nodes == t->nodes && length < SPEC)
				right = try_model(t, spec);
		}
	}
	return right;
}

static bool find_model(const ls_topology *t)
{
	const ls_topology *whole = ((struct part *)t->state)->whole;
	char unit[SPEC];
	bool right = true;

	if (whole->network->grid == LSI_GRID_WRAPPED)
		right = try_box(t, true);
	if (right && whole->network->grid != LSI_GRID_NONE)
		right = try_box(t, false);
	if (right && lsi_topology_factors(whole) > 0)
		right = try_factors(t);
	if (right && whole->network->unit && whole->network->unit(whole, unit, sizeof unit))
		right = try_model(t, unit);
	if (right && whole->network->grid == LSI_GRID_NONE && whole->numbers == 1)
		right = try_numbers(t, whole->network->name);
	return right;
}

const ls_topology *lsi_subgraph_model(const ls_topology *t)
{
	return ((const struct part *)t->state)->model;
}

/* ---- Make */

static int64_t number_of(const struct part *p, int64_t n, int64_t vertex)
{
	int64_t low = 0, high = n;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (p->member[middle] < vertex)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && p->member[low] == vertex ? low : -1;
}

static int compare(const void *one, const void *other)
{
	const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Of parallel links the first stands for all. */
static void find_neighbors(struct ls_topology *t)
{
	struct part *p = t->state;
	int64_t at = 0;

	for (int64_t u = 0; u < t->vertices; u++) {
		const int64_t vertex = p->member[u];

		p->first[u] = at;
		for (int64_t l = 0; l < ls_degree(p->whole, vertex); l++) {
			const int64_t to = ls_neighbor(p->whole, vertex, l);
			const int64_t number = number_of(p, t->vertices, to);

			if (number >= 0 && ls_link_to(p->whole, vertex, to) == l)
				p->neighbor[at++] = number;
		}
		qsort(p->neighbor + p->first[u], (size_t)(at - p->first[u]), sizeof *p->neighbor, compare);
		t->degree = at - p->first[u] > t->degree ? at - p->first[u] : t->degree;
	}
	p->first[t->vertices] = at;
	t->links = at / 2;
}

/* Each vertex that is reached marks its neighbors; a queue of vertices. */
static bool find_connected(const struct ls_topology *t, int64_t *queue, bool *reached)
{
	const struct part *p = t->state;
	int64_t found = 1;

	queue[0] = 0;
	reached[0] = true;
	for (int64_t i = 0; i < found; i++) {
		for (int64_t k = p->first[queue[i]]; k < p->first[queue[i] + 1]; k++) {
			if (reached[p->neighbor[k]])
				continue;
			reached[p->neighbor[k]] = true;
			queue[found++] = p->neighbor[k];
		}
	}
	return found == t->vertices;
}

static int fill(struct ls_topology *t, const int64_t *member)
{
	const size_t n = (size_t)t->vertices;
	struct part *p = t->state;
	int64_t *queue;
	bool *reached;
	size_t ends = 0;

	for (size_t i = 0; i < n; i++) {
		ends += (size_t)ls_degree(p->whole, member[i]);
		t->nodes += member[i] < p->whole->nodes;
	}
	p->member = lsi_alloc(n * sizeof *p->member);
	p->first = lsi_alloc((n + 1) * sizeof *p->first);
	p->neighbor = lsi_alloc((ends + 1) * sizeof *p->neighbor);
	queue = lsi_alloc(n * sizeof *queue);
	reached = lsi_alloc_zero(n, sizeof *reached);

	const bool has_memory = p->member && p->first && p->neighbor && queue && reached;

	if (has_memory) {
		memcpy(p->member, member, n * sizeof *member);
		find_neighbors(t);
		p->is_connected = find_connected(t, queue, reached);
	}
	lsi_free(queue);
	lsi_free(reached);
	return has_memory && find_model(t) ? LS_OK : LS_ERR_MEMORY;
}

/* ---- Layout: forces need a connected graph */

static bool is_connected(const struct ls_topology *t)
{
	return ((const struct part *)t->state)->is_connected;
}

static int place(const struct ls_topology *t, struct lsi_point *place)
{
	return is_connected(t) ? lsi_place_forces(t, place) : lsi_place_circle(t, place);
}

static double bend(const struct ls_topology *t, enum lsi_line line, int64_t from, int64_t to)
{
	if (!is_connected(t))
		return lsi_bend_circle(t, line, from, to);
	return line == LSI_LINE_LINK ? 0 : lsi_arc_height(1);
}

static const struct lsi_network subgraph = {
	.degree = degree,
	.neighbor = neighbor,
	.reverse = reverse,
	.link_to = link_to,
	.destroy = destroy,
	.label = label,
	.layouts =
		LSI_LAYOUTS({ .name = "forces", .fits = lsi_fits_forces, .place = place, .bend = bend }),
};

int lsi_subgraph_make(const ls_topology *whole, const int64_t *member, int64_t n, ls_topology **out)
{
	struct ls_topology *t = lsi_alloc_zero(1, sizeof *t);
	int failed = LS_ERR_MEMORY;

	if (!t)
		return LS_ERR_MEMORY;
	t->network = &subgraph;
	t->spec = whole->spec;
	t->vertices = n;
	t->state = lsi_alloc_zero(1, sizeof(struct part));
	if (t->state) {
		((struct part *)t->state)->whole = whole;
		failed = fill(t, member);
	}
	if (failed)
		ls_topology_destroy(t);
	else
		*out = t;
	return failed;
}
