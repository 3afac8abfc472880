/*
 * Any connected graph, from a file: a line `u v` for each edge, `#` before a comment.
 *
 * Every number from 0 to the largest is a node.  Loops and parallel edges are dropped, a loop still
 * naming its node.  Link l of a node leads to its l-th neighbor in the order of their numbers.
 *
 *   distance    a table, by a breadth-first search from every node: 2 bytes for each pair
 *   route       to the lowest-numbered neighbor on a shortest path
 *   diameter    counted
 */
#include "topology/layout.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

enum {
	NODES_MAX = 1 << 14, /* so the table takes 512 MiB at most */
	EDGES_MAX = 1 << 24, /* lines of a file */
	LINE_LONG = 46,      /* characters that no line `u v` has */
	LINE_MAX = LINE_LONG + 2,
	BYTES_MAX = 1 << 30 /* of a file; those of a stream without end are too many */
};

static const uint16_t unreached = UINT16_MAX;

/*
 * The neighbors of all nodes in one array.  The edges 0-1, 0-2 give
 *
 *   list[]       first 0, degree 2 | first 2, degree 1 | first 3, degree 1 | first 4
 *   neighbor[]   1 2               | 0                 | 0
 */
struct graph {
	struct list {
		uint32_t first, degree, farthest;
	} * list;           /* of a node; one more */
	uint16_t *neighbor; /* from first on */
	uint16_t *distance; /* row by row */
	int64_t diameter;
};

/* ---- Reading */

struct reading {
	struct lsi_quote name;
	FILE *file;
	int64_t line, bytes;
	struct edge {
		uint16_t u, v;
	} * edge;
	size_t edges, room;
	int64_t nodes;
	int32_t first_line[NODES_MAX]; /* on which a node is named, of at most BYTES_MAX; 0: on none */
};

/* EOF also after BYTES_MAX. */
static int next_character(struct reading *r)
{
	const int c = getc_unlocked(r->file);

	r->bytes += c != EOF;
	return r->bytes > BYTES_MAX ? EOF : c;
}

/* A line with single blanks and no comment, truncated if too long.  False: the file has ended. */
static bool read_line(struct reading *r, char text[LINE_MAX])
{
	int length = 0, c = next_character(r);
	bool in_comment = false, blank = false;

	if (c == EOF)
		return false;
	for (; c != EOF && c != '\n' && length < LINE_LONG; c = next_character(r)) {
		in_comment |= c == '#';
		if (in_comment && c != '\0')
			continue;
		if (c == ' ' || c == '\t' || c == '\r') {
			blank = length > 0;
			continue;
		}
		if (blank)
			text[length++] = ' ';
		text[length++] = (char)(c ? c : '?');
		blank = false;
	}
	text[length] = '\0';
	return true;
}

/* Two numbers and nothing else. */
static bool read_edge(const char *text, int64_t *u, int64_t *v)
{
	const char *end = strlen(text) < LINE_LONG ? lsi_read_number(text, u) : NULL;

	end = end && *end == ' ' ? lsi_read_number(end + 1, v) : NULL;
	return end && !*end;
}

/* Record an edge, and the line that names a node first, for check_numbers. */
static int add_edge(struct reading *r, int64_t u, int64_t v, struct ls_error *why)
{
	const int64_t larger = u > v ? u : v;

	if (larger >= NODES_MAX)
		return lsi_error_set(why, LS_ERR_SPEC, "%s:%lld: node %lld is out of range; expected 0..%d",
			r->name.text, (long long)r->line, (long long)larger, NODES_MAX - 1);
	if (r->edges == EDGES_MAX)
		return lsi_error_set(why, LS_ERR_SPEC, "%s:%lld: too many edges; expected at most %d",
			r->name.text, (long long)r->line, EDGES_MAX);
	if (r->edges == r->room) {
		const size_t room = r->room ? 2 * r->room : 64;
		struct edge *more = lsi_alloc_grow(r->edge, r->edges * sizeof *more, room * sizeof *more);

		if (!more)
			return lsi_error_set(why, LS_ERR_MEMORY,
				"no memory for the edges of '%s'; try a smaller graph", r->name.text);
		r->edge = more;
		r->room = room;
	}
	r->edge[r->edges++] = (struct edge){ (uint16_t)u, (uint16_t)v };
	r->first_line[u] = r->first_line[u] ? r->first_line[u] : (int32_t)r->line;
	r->first_line[v] = r->first_line[v] ? r->first_line[v] : (int32_t)r->line;
	r->nodes = larger < r->nodes ? r->nodes : larger + 1;
	return LS_OK;
}

static int read_edges(struct reading *r, struct ls_error *why)
{
	char text[LINE_MAX];
	int64_t u, v;
	int status = LS_OK;

	while (status == LS_OK && read_line(r, text)) {
		r->line++;
		if (*text && !read_edge(text, &u, &v))
			return lsi_error_set(why, LS_ERR_SPEC,
				"%s:%lld: '%s' is not an edge; expected two node numbers", r->name.text,
				(long long)r->line, lsi_quote_make(text, strlen(text)).text);
		if (*text)
			status = add_edge(r, u, v, why);
	}
	if (status == LS_OK && r->bytes > BYTES_MAX)
		return lsi_error_set(why, LS_ERR_SPEC, "%s:%lld: more than %d MiB; expected less text",
			r->name.text, (long long)r->line, BYTES_MAX >> 20);
	return status;
}

static int read_file(struct reading *r, const char *name, struct ls_error *why)
{
	bool failed;
	int status, error;

	r->name = lsi_quote_make(name, strlen(name));
	for (const char *c = name; *c; c++)
		if ((*c > 0 && *c < ' ') || *c == 127)
			return lsi_error_set(why, LS_ERR_SPEC,
				"the file name '%s' has a control character; rename the file", r->name.text);
	r->file = fopen(name, "re");
	status = r->file ? read_edges(r, why) : LS_OK;
	error = errno;
	failed = !r->file || ferror(r->file);
	if (r->file)
		fclose(r->file);
	if (status == LS_OK && failed)
		return lsi_error_set(why, error == ENOMEM ? LS_ERR_MEMORY : LS_ERR_SPEC,
			"cannot read '%s': %s", r->name.text, strerror(error));
	if (status == LS_OK && r->edges == 0)
		return lsi_error_set(
			why, LS_ERR_SPEC, "'%s' has no edges; expected a line 'u v' for each", r->name.text);
	return status;
}

/* ---- Making */

static int check_numbers(const struct reading *r, struct ls_error *why)
{
	int64_t missing = 0;

	while (missing < r->nodes && r->first_line[missing])
		missing++;
	if (missing == r->nodes)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_SPEC,
		"%s:%lld: the largest node is %lld, but no line names node %lld; number the nodes from 0 "
		"without gaps",
		r->name.text, (long long)r->first_line[r->nodes - 1], (long long)r->nodes - 1,
		(long long)missing);
}

static void add_neighbor(struct graph *g, uint16_t *neighbor, int64_t u, int64_t v)
{
	neighbor[g->list[u].first + g->list[u].degree++] = (uint16_t)v;
}

/*
 * Lists of neighbors in the order of the file, by a counting sort; sort_lists drops loops and
 * parallel edges.
 */
static void make_lists(struct graph *g, const struct reading *r, uint16_t *unsorted)
{
	for (size_t e = 0; e < r->edges; e++) {
		g->list[r->edge[e].u + 1].first++;
		g->list[r->edge[e].v + 1].first++;
	}
	for (int64_t u = 0; u < r->nodes; u++)
		g->list[u + 1].first += g->list[u].first;
	for (size_t e = 0; e < r->edges; e++) {
		add_neighbor(g, unsorted, r->edge[e].u, r->edge[e].v);
		add_neighbor(g, unsorted, r->edge[e].v, r->edge[e].u);
	}
}

/*
 * The same lists, without loops and parallels, in order: each node in turn is put at the end of the
 * lists of its neighbors.
 */
static void sort_lists(struct graph *g, int64_t nodes, const uint16_t *unsorted)
{
	for (int64_t u = 0; u < nodes; u++)
		g->list[u].degree = 0;
	for (int64_t u = 0; u < nodes; u++)
		for (uint32_t i = g->list[u].first; i < g->list[u + 1].first; i++) {
			const struct list v = g->list[unsorted[i]];

			if (unsorted[i] != u && (v.degree == 0 || g->neighbor[v.first + v.degree - 1] != u))
				add_neighbor(g, g->neighbor, unsorted[i], u);
		}
}

/* Breadth-first search: distances from one node.  Returns the number of nodes that it reaches. */
static int64_t search(struct graph *g, int64_t nodes, int64_t source, uint16_t *queue)
{
	uint16_t *const hops = g->distance + source * nodes;
	int64_t found = 0;

	memset(hops, 0xff, (size_t)nodes * sizeof *hops);
	hops[source] = 0;
	queue[found++] = (uint16_t)source;
	for (int64_t i = 0; i < found && found < nodes; i++) {
		const struct list u = g->list[queue[i]];

		for (uint32_t l = 0; l < u.degree; l++) {
			const uint16_t v = g->neighbor[u.first + l];

			if (hops[v] != unreached)
				continue;
			hops[v] = (uint16_t)(hops[queue[i]] + 1);
			queue[found++] = v;
		}
	}
	g->list[source].farthest = hops[queue[found - 1]];
	if (g->diameter < hops[queue[found - 1]])
		g->diameter = hops[queue[found - 1]];
	return found;
}

static int search_all(
	struct graph *g, const struct reading *r, uint16_t *queue, struct ls_error *why)
{
	int64_t cut_off = 0;

	for (int64_t u = 0; u < r->nodes; u++)
		if (search(g, r->nodes, u, queue) < r->nodes)
			break;
	while (cut_off < r->nodes && g->distance[cut_off] != unreached)
		cut_off++;
	if (cut_off == r->nodes)
		return LS_OK;
	return lsi_error_set(why, LS_ERR_SPEC,
		"%s:%lld: node %lld cannot be reached from node 0; add the missing edges", r->name.text,
		(long long)r->first_line[cut_off], (long long)cut_off);
}

static int make_graph(struct graph *g, const struct reading *r, struct ls_error *why)
{
	const size_t nodes = (size_t)r->nodes, ends = 2 * r->edges;
	uint16_t *const scratch = lsi_alloc((ends > nodes ? ends : nodes) * sizeof *scratch);
	int status = LS_ERR_MEMORY;

	g->list = lsi_alloc_zero(nodes + 1, sizeof *g->list);
	g->neighbor = lsi_alloc(ends * sizeof *g->neighbor);
	g->distance = lsi_alloc(nodes * nodes * sizeof *g->distance);
	if (scratch && g->list && g->neighbor && g->distance) {
		make_lists(g, r, scratch);
		sort_lists(g, r->nodes, scratch);
		status = search_all(g, r, scratch, why);
	} else {
		lsi_error_set(why, LS_ERR_MEMORY, "no memory for the %lld nodes of '%s'",
			(long long)r->nodes, r->name.text);
	}
	lsi_free(scratch);
	return status;
}

static int init(struct ls_topology *t, struct ls_error *why)
{
	struct reading *const r = lsi_alloc_zero(1, sizeof *r);
	struct graph *const g = t->state = lsi_alloc_zero(1, sizeof *g);
	int status = r && g ? read_file(r, t->spec + strlen("graph:"), why)
						: lsi_error_set(why, LS_ERR_MEMORY, "no memory to read a graph");

	if (status == LS_OK)
		status = check_numbers(r, why);
	if (status == LS_OK)
		status = make_graph(g, r, why);
	if (status == LS_OK)
		t->nodes = r->nodes;
	for (int64_t u = 0; u < t->nodes; u++) {
		t->links += g->list[u].degree;
		t->degree = t->degree < g->list[u].degree ? g->list[u].degree : t->degree;
	}
	t->links /= 2;
	if (r)
		lsi_free(r->edge);
	lsi_free(r);
	return status;
}

static void destroy(struct ls_topology *t)
{
	struct graph *const g = t->state;

	if (g) {
		lsi_free(g->list);
		lsi_free(g->neighbor);
		lsi_free(g->distance);
	}
	lsi_free(g);
}

/* ---- Asking */

static int64_t degree(const struct ls_topology *t, int64_t rank)
{
	const struct graph *const g = t->state;

	return g->list[rank].degree;
}

static int64_t neighbor(const struct ls_topology *t, int64_t rank, int64_t link)
{
	const struct graph *const g = t->state;

	return g->neighbor[g->list[rank].first + link];
}

static int64_t distance(const struct ls_topology *t, int64_t from, int64_t to)
{
	const struct graph *const g = t->state;

	return g->distance[to * t->nodes + from];
}

static int64_t first_hop(const struct ls_topology *t, int64_t from, int64_t to)
{
	int64_t link = 0;

	while (distance(t, neighbor(t, from, link), to) >= distance(t, from, to))
		link++; /* ends, as from != to */
	return link;
}

static int64_t reverse(const struct ls_topology *t, int64_t rank, int64_t link)
{
	return first_hop(t, neighbor(t, rank, link), rank);
}

static int64_t eccentricity(const struct ls_topology *t, int64_t rank)
{
	const struct graph *const g = t->state;

	return g->list[rank].farthest;
}

static int64_t diameter(const struct ls_topology *t)
{
	const struct graph *const g = t->state;

	return g->diameter;
}

const struct lsi_network lsi_network_graph = {
	.name = "graph",
	.form = "FILE",
	.text = "any: FILE has a line for each link",
	.examples = LSI_EXAMPLES(NULL), /* each needs a file */
	.init = init,
	.destroy = destroy,
	.degree = degree,
	.neighbor = neighbor,
	.reverse = reverse,
	.distance = distance,
	.first_hop = first_hop,
	.diameter = diameter,
	.eccentricity = eccentricity,
	.layouts = LSI_LAYOUTS(LSI_LAYOUT_FORCES),
};
