/*
 * Loads: the network with the loads of the busiest step, and a table of links and steps.
 *
 * A message loads each link of its route.  In larger networks, or with more steps, the table tells
 * how many links have which load.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "draw/count_table.h"
#include "draw/panel.h"
#include "draw/view.h"
#include "topology/link_traffic.h"

enum {
	LINKS = 128,
	ROUNDS = 64,
	DRAWN_NODES = 64, /* most nodes of the drawing */
	DRAWN_ARROWS = 64,
	ROWS = 32,    /* of a block of the table */
	COLUMNS = 24, /* of the histogram */
	BINS = 16,    /* rows of the histogram */
	GAP = 40,
	TITLE_GAP = 6,
	WIDEST = 560 /* px of the drawing */
};

static bool fits(const struct lsi_subject *s)
{
	return s->rounds >= 1 && s->messages > 0;
}

/* The links with an end in the part, or all. */
static int64_t count_links(const struct lsi_subject *s)
{
	int64_t ends = 0;

	if (!s->whole)
		return ls_topology_links(s->topology);
	for (int64_t v = 0; v < lsi_subject_inner(s); v++)
		ends += ls_degree(s->whole->topology, s->rank[v]);
	return ends - ls_topology_links(s->topology);
}

/* Is there a row for each link?  Else the table is a histogram. */
static bool lists_links(const struct lsi_subject *s)
{
	return count_links(s) <= LINKS && s->rounds <= ROUNDS;
}

/* ---- Loads of a round */

static bool is_inside(const struct lsi_subject *s, int64_t rank)
{
	int64_t low = 0, high = lsi_subject_inner(s);

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (s->rank[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low < lsi_subject_inner(s) && s->rank[low] == rank;
}

/* Leave only the links with an end in the part. */
static void keep_part(const struct lsi_subject *s, struct lsi_link_traffics *loads)
{
	const ls_topology *t = loads->topology;
	const int64_t degree = ls_topology_degree(t);
	size_t kept = 0;

	loads->most = (struct lsi_link_traffic){ 0 };
	for (size_t i = 0; i < loads->n; i++) {
		struct lsi_link_traffic *of = &loads->of[loads->loaded[i]];
		const int64_t from = loads->loaded[i] / degree;

		if (!is_inside(s, from) && !is_inside(s, ls_neighbor(t, from, loads->loaded[i] % degree))) {
			*of = (struct lsi_link_traffic){ 0 };
			continue;
		}
		loads->loaded[kept++] = loads->loaded[i];
		if (of->messages > loads->most.messages)
			loads->most = *of;
	}
	loads->n = kept;
}

/* All messages count, also those that pass through a part. */
static int add_round(const struct lsi_subject *s, size_t k, struct lsi_link_traffics *loads)
{
	const struct lsi_subject *all = s->whole ? s->whole : s;
	int failed = LS_OK;

	lsi_link_traffics_clear(loads);
	for (size_t i = 0; i < all->round[k].n && !failed; i++) {
		const struct ls_record *m = &all->message[all->round[k].first + i];

		failed = lsi_link_traffics_add(loads, m->src, m->dst, (int64_t)m->words);
	}
	if (s->whole && !failed)
		keep_part(s, loads);
	return failed;
}

/* The round with the greatest load. */
struct busiest {
	size_t k;
	int64_t load;
};

static int find_busiest(
	const struct lsi_subject *s, struct lsi_link_traffics *loads, struct busiest *out)
{
	*out = (struct busiest){ 0 };
	for (size_t k = 0; k < s->rounds; k++) {
		const int failed = s->whole ? add_round(s, k, loads) : LS_OK;
		const int64_t load = s->whole ? loads->most.messages : s->round[k].load;

		if (failed)
			return failed;
		if (load > out->load)
			*out = (struct busiest){ k, load };
	}
	return LS_OK;
}

/* ---- Rows for links */

/*
 * The rows of the links that carry a message.  Where all nodes have the same links, by link, then
 * node: a direction stays together.  Elsewhere by node.
 */
struct link_rows {
	int rows;
	int32_t *of; /* by number of the link, see lsi_link_traffics_number; -1: no message */
};

static bool is_regular(const ls_topology *t)
{
	for (int64_t v = 0; v < ls_topology_vertices(t); v++)
		if (ls_degree(t, v) != ls_topology_degree(t))
			return false;
	return true;
}

static int find_rows(
	const struct lsi_subject *s, struct lsi_link_traffics *loads, struct link_rows *rows)
{
	const ls_topology *t = loads->topology;
	const int64_t degree = ls_topology_degree(t), vertices = ls_topology_vertices(t);
	const int64_t links = vertices * degree;
	const bool by_link = is_regular(t);
	int failed = LS_OK;

	rows->of = lsi_alloc_zero((size_t)links + 1, sizeof *rows->of);
	if (!rows->of)
		return LS_ERR_MEMORY;
	for (size_t k = 0; k < s->rounds && !failed; k++) {
		failed = add_round(s, k, loads);
		for (size_t i = 0; i < loads->n; i++)
			rows->of[loads->loaded[i]] = 1;
	}
	for (int64_t i = 0; i < links; i++) {
		int32_t *row = &rows->of[by_link ? i % vertices * degree + i / vertices : i];

		*row = *row ? rows->rows++ : -1;
	}
	return failed;
}

static void name_rows(const struct lsi_count_table *t, const struct link_rows *rows)
{
	const ls_topology *topology = lsi_subject_network(t->subject);
	const int64_t degree = ls_topology_degree(topology);

	for (int64_t i = 0; i < ls_topology_vertices(topology) * degree; i++) {
		if (rows->of[i] < 0)
			continue;

		struct lsi_count_row *row = &t->row[rows->of[i]];

		row->src = i / degree;
		row->dst = ls_neighbor(topology, row->src, i % degree);
		row->text = lsi_scene_text(t->scene, "%" PRId64 " to %" PRId64, row->src, row->dst);
	}
}

static int tabulate_links(
	struct lsi_scene *scene, const struct lsi_subject *s, struct lsi_link_traffics *loads)
{
	struct link_rows rows = { 0 };
	struct lsi_count_table t;
	int failed = find_rows(s, loads, &rows);

	if (!failed && lsi_count_table_make(scene, s, rows.rows, ROUNDS, &t)) {
		name_rows(&t, &rows);
		for (size_t k = 0; k < s->rounds && !failed; k++) {
			failed = add_round(s, k, loads);
			for (size_t i = 0; i < loads->n; i++)
				*lsi_count_table_at(&t, rows.of[loads->loaded[i]], k) =
					loads->of[loads->loaded[i]].messages;
		}
		t.title = "messages on each link, by step";
		lsi_count_table_split(&t, ROWS, INFINITY);
		lsi_count_table_draw(&t);
	}
	lsi_free(rows.of);
	return failed;
}

/* ---- Rows for loads */

/* Row 0 has the greatest loads. */
static void name_bins(const struct lsi_count_table *t, int64_t width)
{
	for (int i = 0; i < t->rows; i++) {
		const int64_t least = (t->rows - 1 - i) * width + 1;

		t->row[i].link = least;
		t->row[i].text = width == 1
			? lsi_scene_text(t->scene, "load %" PRId64, least)
			: lsi_scene_text(t->scene, "load %" PRId64 "-%" PRId64, least, least + width - 1);
	}
}

static int tabulate_loads(struct lsi_scene *scene, const struct lsi_subject *s,
	struct lsi_link_traffics *loads, int64_t most)
{
	const int64_t width = (most + BINS - 1) / BINS;
	const int bins = (int)((most + width - 1) / width);
	struct lsi_count_table t;
	int failed = LS_OK;

	if (!lsi_count_table_make(scene, s, bins, COLUMNS, &t))
		return LS_ERR_MEMORY;
	name_bins(&t, width);
	for (size_t k = 0; k < s->rounds && !failed; k++) {
		failed = add_round(s, k, loads);
		for (size_t i = 0; i < loads->n; i++) {
			const int64_t load = loads->of[loads->loaded[i]].messages;

			++*lsi_count_table_at(&t, bins - 1 - (int)((load - 1) / width), k);
		}
	}
	t.title = "number of links with each load, by step";
	lsi_count_table_draw(&t);
	return failed;
}

/* ---- View */

static bool draws_network(const struct lsi_subject *s)
{
	return lsi_subject_inner(s) <= DRAWN_NODES && lists_links(s);
}

/* The network in the busiest step, as a part, and its title as the next one. */
static int draw_network(struct lsi_scene *scene, const struct lsi_subject *s,
	struct lsi_link_traffics *loads, size_t k, struct ls_error *why)
{
	struct lsi_placed placed;
	int failed = add_round(s, k, loads);

	if (!failed)
		failed = lsi_place_vertices(s, &placed, why);
	if (failed)
		return failed;
	lsi_panel_draw(scene,
		&(struct lsi_panel){ .subject = s,
			.placed = placed,
			.first = k,
			.end = s->round[k].n <= DRAWN_ARROWS ? k + 1 : k,
			.loads = loads,
			.contents = -1 },
		"drawing");
	lsi_free(placed.place);
	lsi_scene_begin(scene, "panel-titles", -1);
	lsi_scene_put_text(scene, LSI_TEXT_PANEL, LSI_ANCHOR_START, (struct lsi_point){ 0, 0 },
		lsi_scene_text(scene, "step %" PRId64 ": up to %" PRId64 " message%s on a link",
			s->round[k].number, loads->most.messages, loads->most.messages == 1 ? "" : "s"));
	return LS_OK;
}

/* The network on the left, the table on the right. */
static double arrange(struct lsi_scene *scene, bool has_network)
{
	const size_t table = has_network ? 2 : 0;
	struct lsi_point corner = { LSI_MARGIN - GAP, 0 };
	double bottom = 0;

	if (scene->no_memory)
		return 0;
	if (has_network) {
		struct lsi_scene_part *drawing = &scene->part[0];
		struct lsi_point title;

		drawing->scale = fmin(1, WIDEST / (drawing->box.right - drawing->box.left));
		title = lsi_scene_put_part(scene, 1, LSI_MARGIN, LSI_MARGIN);
		corner = lsi_scene_put_part(scene, 0, LSI_MARGIN, title.y + TITLE_GAP);
		bottom = corner.y;
		corner.x = fmax(corner.x, title.x);
	}
	corner = lsi_scene_put_part(scene, table, corner.x + GAP, LSI_MARGIN);
	return fmax(bottom, corner.y);
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct lsi_link_traffics loads = { .topology = lsi_subject_network(s) };
	const bool has_network = draws_network(s);
	struct busiest busiest;
	int failed = find_busiest(s, &loads, &busiest);

	if (!failed && has_network)
		failed = draw_network(scene, s, &loads, busiest.k, why);

	if (!failed) {
		lsi_scene_begin(scene, "loads", -1);
		failed = lists_links(s) ? tabulate_links(scene, s, &loads)
								: tabulate_loads(scene, s, &loads, busiest.load);
	}
	lsi_link_traffics_fini(&loads);
	if (failed)
		return failed;
	scene->legend = lists_links(s)
		? "A message counts on each link of its route; links without messages have no row."
		: "A message counts on each link of its route; a cell is the number of links with the load "
		  "of its row.";
	lsi_scene_end_page(scene, s, arrange(scene, has_network));
	return LS_OK;
}

const struct lsi_draw_view lsi_draw_view_load = { .name = "load",
	.text = "messages on each link, by step, along the routes",
	.limit = "steps with messages",
	.fits = fits,
	.lack = lsi_lacks_steps,
	.draw = draw,
	.takes = LSI_TAKES_LAYOUT | LSI_TAKES_LABELS };
