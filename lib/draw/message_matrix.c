/*
 * The marks of a matrix, as cells or as areas.
 *
 *        dst * px        (dst + 1) * px
 *   src * px  +----+----+----+       A cell for three messages from src to dst: each is a third of
 *             |  0 |  1 |  2 |       it, in the order of the steps.
 *             +----+----+----+
 *
 *   numbered   each message is an element with its number
 *   exact      all messages of a round are one area, whose rectangles are cells or parts of them
 *   counts     all pixels of a level are one area; level l has 2^l to 2^(l+1) - 1 messages
 *
 * A few areas are much smaller in a file than millions of elements, and rectangles that touch in
 * a row are joined.  Their coordinates count cells, and the scale of the part makes them px.
 * SVG prints coordinates to 0.1 and scales to six digits: shared cells are 100 units wide.
 */
#include "draw/message_matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "draw/draw_format.h"

enum {
	COARSE = 1024,     /* most pixels of a side where a pixel is more than one node */
	CROWDED = 1 << 14, /* messages that share cells: more are counted */
	SIDE = 640,        /* px of a side, least .. */
	SIDE_MOST = 1024,
	CELL = 22, /* px of a cell with a number, least .. */
	CELL_MOST = 40,
	LEAST_MARK = 12, /* tenths of a px: smaller marks get a border */
	SHARED = 100     /* units of a cell that messages share */
};
static const double faintest = 0.15; /* shade of the first step; the last one has 1 */

/* ---- Collect */

static bool shows_links(const struct lsi_subject *s)
{
	return s->rounds == 0;
}

bool lsi_matrix_has_others(const struct lsi_subject *s)
{
	return s->rounds > 0 && s->vertices > lsi_subject_inner(s);
}

/* May several messages have one cell? */
static bool shares_cells(const struct lsi_subject *s)
{
	return s->repeats || lsi_matrix_has_others(s);
}

static size_t count_marks(const struct lsi_subject *s)
{
	size_t n = s->messages;

	for (int64_t v = 0; shows_links(s) && v < s->nodes; v++)
		n += (size_t)ls_degree(s->topology, v);
	return n;
}

static int compare_destinations(const void *one, const void *other)
{
	const struct lsi_matrix_mark *a = one, *b = other;

	return (a->dst > b->dst) - (a->dst < b->dst);
}

/* Switches are no sources, and parallel links are one. */
static void collect_links(struct lsi_matrix *m)
{
	const ls_topology *t = m->subject->topology, *network = lsi_subject_network(m->subject);

	for (int64_t v = 0; v < m->subject->nodes; v++) {
		const int64_t from = lsi_subject_rank(m->subject, v);
		const size_t first = m->marks;

		for (int64_t l = 0; l < ls_degree(t, v); l++) {
			const int64_t dst = ls_neighbor(t, v, l);

			if (dst >= m->subject->nodes || ls_link_to(t, v, dst) != l)
				continue;

			const int64_t to = lsi_subject_rank(m->subject, dst);

			m->mark[m->marks++] = (struct lsi_matrix_mark){ .src = v,
				.dst = dst,
				.from = from,
				.to = to,
				.number = ls_link_label(network, ls_link_to(network, from, to)),
				.words = -1,
				.parts = 1 };
		}
		qsort(m->mark + first, m->marks - first, sizeof *m->mark, compare_destinations);
	}
}

/* The row or column of a vertex; the last one is for the stubs. */
static int64_t line_of(const struct lsi_subject *s, int64_t vertex)
{
	return vertex < s->nodes ? vertex : s->nodes;
}

static void collect_messages(struct lsi_matrix *m)
{
	const struct lsi_subject *s = m->subject;

	for (size_t k = 0; k < s->rounds; k++) {
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *r = &s->message[s->round[k].first + i];

			m->mark[m->marks++] = (struct lsi_matrix_mark){ .src = line_of(s, r->src),
				.dst = line_of(s, r->dst),
				.from = lsi_subject_rank(s, r->src),
				.to = lsi_subject_rank(s, r->dst),
				.number = r->round,
				.words = (int64_t)r->words,
				.group = (int32_t)k,
				.parts = 1 };
		}
	}
}

static int compare_cells(const void *one, const void *other)
{
	const struct lsi_matrix_mark *a = *(struct lsi_matrix_mark *const *)one,
								 *b = *(struct lsi_matrix_mark *const *)other;

	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return (a > b) - (a < b);
}

static bool share_cell(const struct lsi_matrix_mark *a, const struct lsi_matrix_mark *b)
{
	return a->src == b->src && a->dst == b->dst;
}

/* Divide the cells that several messages share. */
static int divide_cells(struct lsi_matrix *m)
{
	struct lsi_matrix_mark **by_cell = lsi_alloc((m->marks + 1) * sizeof *by_cell);

	if (!by_cell)
		return LS_ERR_MEMORY;
	for (size_t i = 0; i < m->marks; i++)
		by_cell[i] = &m->mark[i];
	qsort(by_cell, m->marks, sizeof *by_cell, compare_cells);
	for (size_t i = 0, next; i < m->marks; i = next) {
		for (next = i; next < m->marks && share_cell(by_cell[i], by_cell[next]); next++)
			by_cell[next]->part = (int32_t)(next - i);
		for (size_t k = i; k < next; k++)
			by_cell[k]->parts = (int32_t)(next - i);
	}
	lsi_free(by_cell);
	return LS_OK;
}

/* The side of a cell: 22 to 40 px with a number; else the whole matrix has 640 to 1024 px. */
static double cell_px(const struct lsi_matrix *m)
{
	if (lsi_matrix_is_numbered(m))
		return fmin(CELL_MOST, fmax(CELL, floor(SIDE / 2.0 / (double)m->side)));
	return fmin(SIDE_MOST, fmax(SIDE, (double)m->side)) / (double)m->side;
}

int lsi_matrix_make(struct lsi_scene *scene, const struct lsi_subject *s, struct lsi_matrix *m)
{
	*m = (struct lsi_matrix){ .scene = scene, .subject = s, .block = 1 };
	if (s->nodes > LSI_MATRIX_EXACT)
		m->block = (s->nodes + COARSE - 1) / COARSE;
	m->counts = m->block > 1 || (s->repeats && s->messages > CROWDED && !lsi_matrix_has_others(s));
	m->side = (s->nodes + m->block - 1) / m->block + lsi_matrix_has_others(s);
	m->px = cell_px(m);
	if (m->counts)
		return LS_OK;
	m->mark = lsi_alloc((count_marks(s) + 1) * sizeof *m->mark);
	if (!m->mark)
		return LS_ERR_MEMORY;
	if (shows_links(s))
		collect_links(m);
	else
		collect_messages(m);
	return shares_cells(s) ? divide_cells(m) : LS_OK;
}

void lsi_matrix_release(struct lsi_matrix *m)
{
	lsi_free(m->mark);
}

/* ---- Look */

bool lsi_matrix_is_numbered(const struct lsi_matrix *m)
{
	return m->subject->nodes <= LSI_MATRIX_NUMBERED && !m->counts;
}

/* Steps have colors while these differ; many steps, and those in black and white, have shades. */
void lsi_matrix_paint(const struct lsi_subject *s, size_t group, struct lsi_element *element)
{
	if (shows_links(s))
		element->color = LSI_COLORS - 1;
	else if (s->rounds <= LSI_COLORS && s->drawing->theme != LS_THEME_MONO)
		element->color = (int)((s->round[group].number - 1) % LSI_COLORS);
	else
		element->shade =
			faintest + (1 - faintest) * (double)group / (double)(s->rounds > 1 ? s->rounds - 1 : 1);
}

void lsi_matrix_paint_level(int level, int levels, struct lsi_element *element)
{
	element->shade = faintest + (1 - faintest) * (double)(level + 1) / levels;
}

/* ---- Cells with numbers */

static void put_cell(const struct lsi_matrix *m, const struct lsi_matrix_mark *mark)
{
	const double width = m->px / mark->parts;
	struct lsi_element cell = lsi_element_at(LSI_SHAPE_CELL,
		(struct lsi_point){
			(double)mark->dst * m->px + mark->part * width, (double)mark->src * m->px });
	const char *text = lsi_scene_text(m->scene, "%" PRId64, mark->number);

	cell.to = (struct lsi_point){ cell.from.x + width, cell.from.y + m->px };
	cell.style = LSI_TEXT_AXIS;
	if (text && lsi_text_width(cell.style, text) + 2 <= width)
		cell.text = text;
	cell.src = mark->from;
	cell.dst = mark->to;
	cell.words = mark->words;
	if (mark->words >= 0) {
		cell.round = mark->number;
		cell.variant = "message";
		cell.color = (int)((mark->number - 1) % LSI_COLORS);
	} else {
		cell.color = (int)(mark->number % LSI_COLORS);
		cell.link = mark->number;
	}
	lsi_scene_add(m->scene, &cell);
}

/* ---- Pixels */

/* The coordinates of a cell that messages share have room for their parts. */
static double unit_of(const struct lsi_matrix *m)
{
	return shares_cells(m->subject) && !m->counts ? SHARED : 1;
}

/* An area that grows. */
struct area {
	struct lsi_element element;
	struct lsi_point *corner;
};

/* Marks that are too small to be seen get a border. */
static struct area begin_area(const struct lsi_matrix *m, size_t rectangles)
{
	const double least = LEAST_MARK / 10.0;
	struct area area = { .element = lsi_element_at(LSI_SHAPE_AREA, (struct lsi_point){ 0, 0 }) };

	area.corner = lsi_arena_take(&m->scene->arena, 2 * rectangles + 1, sizeof *area.corner);
	m->scene->no_memory |= !area.corner;
	area.element.points = area.corner;
	area.element.width = m->px < least ? (least - m->px) * unit_of(m) / m->px : 0;
	return area;
}

/* Append a rectangle; one that continues the last one to the right makes it longer. */
static void add_rectangle(struct area *area, struct lsi_point from, struct lsi_point to)
{
	const int n = area->element.n_points;
	struct lsi_point *end = area->corner + n;

	if (n > 0 && end[-1].x == from.x && end[-1].y == to.y && end[-2].y == from.y) {
		end[-1].x = to.x;
		return;
	}
	end[0] = from;
	end[1] = to;
	area->element.n_points = n + 2;
}

static void add_mark(
	const struct lsi_matrix *m, const struct lsi_matrix_mark *mark, struct area *area)
{
	const double unit = unit_of(m), width = unit / mark->parts;
	const struct lsi_point from = { (double)mark->dst * unit + mark->part * width,
		(double)mark->src * unit };

	add_rectangle(area, from, (struct lsi_point){ from.x + width, from.y + unit });
}

/* The marks first .. end - 1, which have one look. */
static void put_group(const struct lsi_matrix *m, size_t first, size_t end)
{
	const struct lsi_matrix_mark *mark = &m->mark[first];
	struct area area = begin_area(m, end - first);

	if (!area.corner)
		return;
	for (size_t i = first; i < end; i++)
		add_mark(m, &m->mark[i], &area);
	if (mark->words >= 0)
		area.element.round = mark->number;
	lsi_matrix_paint(m->subject, (size_t)mark->group, &area.element);
	lsi_scene_add(m->scene, &area.element);
}

static void put_groups(const struct lsi_matrix *m)
{
	for (size_t i = 0, end; i < m->marks; i = end) {
		for (end = i; end < m->marks && m->mark[end].group == m->mark[i].group;)
			end++;
		put_group(m, i, end);
	}
}

/* ---- Levels: pixels of many messages */

/* The messages, or links, of each pixel; 0 .. side * side - 1. */
static uint32_t *count_pixels(const struct lsi_matrix *m)
{
	const struct lsi_subject *s = m->subject;
	uint32_t *count = lsi_alloc_zero((size_t)(m->side * m->side), sizeof *count);

	for (size_t i = 0; count && i < s->messages; i++)
		count[s->message[i].src / m->block * m->side + s->message[i].dst / m->block]++;
	for (int64_t v = 0; count && shows_links(s) && v < s->nodes; v++) {
		for (int64_t l = 0; l < ls_degree(s->topology, v); l++) {
			const int64_t to = ls_neighbor(s->topology, v, l);

			if (to < s->nodes)
				count[v / m->block * m->side + to / m->block]++;
		}
	}
	return count;
}

/* floor(log2(count)); of 0: -1 */
static int level_of(uint32_t count)
{
	return count ? 31 - __builtin_clz(count) : -1;
}

static void put_level(const struct lsi_matrix *m, const uint32_t *count, int level)
{
	const int64_t pixels = m->side * m->side;
	size_t n = 0;

	for (int64_t i = 0; i < pixels; i++)
		n += level_of(count[i]) == level;
	if (n == 0)
		return;

	struct area area = begin_area(m, n);

	for (int64_t i = 0; area.corner && i < pixels; i++) {
		const struct lsi_point at = { (double)(i % m->side), (double)(i / m->side) };

		if (level_of(count[i]) == level)
			add_rectangle(&area, at, (struct lsi_point){ at.x + 1, at.y + 1 });
	}
	area.element.count = (int64_t)1 << level;
	lsi_matrix_paint_level(level, m->levels, &area.element);
	lsi_scene_add(m->scene, &area.element);
}

static void put_levels(struct lsi_matrix *m)
{
	uint32_t *count = count_pixels(m);

	m->scene->no_memory |= !count;
	for (int64_t i = 0; count && i < m->side * m->side; i++)
		m->levels = m->levels > level_of(count[i]) ? m->levels : level_of(count[i]) + 1;
	for (int level = 0; count && level < m->levels; level++)
		put_level(m, count, level);
	lsi_free(count);
}

void lsi_matrix_put_marks(struct lsi_matrix *m)
{
	lsi_scene_begin(m->scene, "matrix", -1)->scale =
		lsi_matrix_is_numbered(m) ? 1 : m->px / unit_of(m);
	if (m->counts) {
		put_levels(m);
	} else if (lsi_matrix_is_numbered(m)) {
		for (size_t i = 0; i < m->marks; i++)
			put_cell(m, &m->mark[i]);
	} else {
		put_groups(m);
	}
}
