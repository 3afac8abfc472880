/*
 * A row for each node, time to the right: when the node waits, for whom, and which messages are on
 * their way to it.  If the cores of the nodes are known, the nodes of a core stand below its row.
 *
 *               1             2         steps
 *              ----------  ---------
 *   core 0    ####      ########        of the nodes of the core, the share that does not wait
 *      0      :::::::::::;;;;;;;;      a step, from its first event to that of the next one; by
 *      1      [0  ]::::::;;;;;;;;      turns in two shades.  [0 ]: the node waits for node 0
 *              ===                      a message is on its way, or in the mailbox
 *             |      |      |      |
 *             0    10 us  20 us  30 us
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "draw/gantt.h"
#include "draw/view.h"

enum {
	NODES = 256,
	ROUNDS = 64,
	CORE = 24,    /* px of the row of a core .. */
	CORE_GAP = 8, /* .. and above it */
};
static const double shortest = 0.5; /* px of a message, so that it is seen */

static bool fits(const struct lsi_subject *s)
{
	return s->timed && s->nodes <= NODES && s->rounds <= ROUNDS;
}

static const char *lack(const struct lsi_subject *s)
{
	if (lsi_lacks_steps(s))
		return lsi_lacks_steps(s);
	if (s->whole)
		return "takes no focus";
	if (s->drawing->x_axis == LS_X_AXIS_ROUNDS)
		return "needs times, which --x-axis rounds leaves out";
	return s->timed ? NULL : "needs times, which LOCKSTEP_TRACE_TIMES=1 and run --times record";
}

/* ---- Rows */

static double row_height(int64_t nodes)
{
	return nodes <= 32 ? LSI_GANTT_NAMED : nodes <= 64 ? 14 : 7;
}

int lsi_gantt_core(const struct lsi_gantt *g, int64_t node)
{
	return g->s->drawing->core ? g->s->drawing->core[node] : -1;
}

/* Nodes by core, then rank. */
static int compare_rows(const void *one, const void *other)
{
	const struct lsi_gantt_row *a = one, *b = other;

	return a->core != b->core ? (a->core > b->core) - (a->core < b->core)
							  : (a->node > b->node) - (a->node < b->node);
}

/* A row for each node, and one for each core, which sorts before its nodes. */
static void collect_rows(struct lsi_gantt *g)
{
	const size_t nodes = (size_t)g->s->nodes;

	for (size_t i = 0; i < nodes; i++)
		g->row[i] =
			(struct lsi_gantt_row){ .node = (int64_t)i, .core = lsi_gantt_core(g, (int64_t)i) };
	qsort(g->row, nodes, sizeof *g->row, compare_rows);
	g->rows = nodes;
	for (size_t i = 0; i < nodes; i++) {
		if (g->row[i].core >= 0 && (i == 0 || g->row[i].core != g->row[i - 1].core))
			g->row[g->rows++] = (struct lsi_gantt_row){ .node = -1, .core = g->row[i].core };
	}
	qsort(g->row, g->rows, sizeof *g->row, compare_rows);
}

static void place_rows(struct lsi_gantt *g)
{
	const double height = row_height(g->s->nodes);

	for (size_t i = 0; i < g->rows; i++) {
		struct lsi_gantt_row *row = &g->row[i];

		row->height = row->node < 0 ? CORE : height;
		g->bottom += row->node < 0 && i > 0 ? CORE_GAP : 0;
		row->top = g->bottom;
		g->bottom += row->height;
		if (row->node >= 0)
			g->of[row->node] = row;
	}
}

/* ---- What nodes do */

/* Waits and steps are in the upper part of a row, messages below. */
static double middle_of(const struct lsi_gantt_row *row)
{
	return row->top + floor(0.72 * row->height);
}

static struct lsi_element cell_at(
	const struct lsi_gantt *g, double top, double bottom, int64_t begin, int64_t end)
{
	struct lsi_element cell = lsi_element_at(
		LSI_SHAPE_CELL, (struct lsi_point){ lsi_time_axis_place(&g->axis, begin), top });

	cell.to = (struct lsi_point){ lsi_time_axis_place(&g->axis, end), bottom };
	cell.begin_ns = begin;
	cell.end_ns = end;
	return cell;
}

static void put_step(
	const struct lsi_gantt *g, int64_t node, int64_t round, int64_t begin, int64_t end)
{
	const struct lsi_gantt_row *row = g->of[node];
	struct lsi_element band = cell_at(g, row->top + 1, middle_of(row), begin, end);

	band.variant = round % 2 ? "band odd" : "band";
	band.node = node;
	band.round = round;
	lsi_scene_add(g->scene, &band);
}

static struct lsi_gantt_step joined(struct lsi_gantt_step a, int64_t begin, int64_t end)
{
	return (struct lsi_gantt_step){ begin < a.begin ? begin : a.begin, end > a.end ? end : a.end };
}

/* The events of each node in a step. */
static void find_steps(
	const struct lsi_gantt *g, const struct lsi_drawn_round *round, struct lsi_gantt_step *step)
{
	for (int64_t v = 0; v < g->s->nodes; v++)
		step[v] = (struct lsi_gantt_step){ INT64_MAX, -1 };
	for (size_t i = round->first; i < round->first + round->n; i++) {
		const struct ls_record *m = &g->s->message[i];

		if (lsi_is_timed(m))
			step[m->src] = joined(step[m->src], m->sent_ns, m->sent_ns);
		if (lsi_is_received(m))
			step[m->dst] = joined(step[m->dst], lsi_wait_begin(m), m->received_ns);
	}
}

/*
 * A step of a node lasts until its next one begins; the last one until its last event.  From the
 * last round to the first, so that the next step is known: where it begins before the step ends,
 * rounds of different groups overlap.
 */
static void put_steps(const struct lsi_gantt *g)
{
	struct lsi_gantt_step *step = g->step, *next = g->step + g->s->nodes;

	for (int64_t v = 0; v < g->s->nodes; v++)
		next[v] = (struct lsi_gantt_step){ -1, -1 };
	for (size_t k = g->s->rounds; k-- > 0;) {
		find_steps(g, &g->s->round[k], step);
		for (int64_t v = 0; v < g->s->nodes; v++) {
			if (step[v].begin > step[v].end)
				continue;
			put_step(g, v, g->s->round[k].number, step[v].begin,
				next[v].begin > step[v].end ? next[v].begin : step[v].end);
			next[v] = step[v];
		}
	}
}

/* The node that is waited for stands in the wait, if there is room. */
static void name_wait(
	const struct lsi_gantt *g, const struct lsi_gantt_row *row, struct lsi_element *wait)
{
	const char *text = lsi_scene_text(g->scene, "%" PRId64, wait->src);

	if (!text || row->height < LSI_GANTT_NAMED || g->s->drawing->labels == LS_LABELS_NONE
		|| wait->to.x - wait->from.x < lsi_text_width(LSI_TEXT_AXIS, text) + 2)
		return;
	wait->text = text;
	wait->style = LSI_TEXT_AXIS;
}

static void put_waits(const struct lsi_gantt *g)
{
	for (size_t i = 0; i < g->s->messages; i++) {
		const struct ls_record *m = &g->s->message[i];
		struct lsi_element wait;

		if (!lsi_is_received(m) || m->waited_ns == 0)
			continue;
		wait = lsi_time_axis_wait(
			&g->axis, g->scene, m, g->of[m->dst]->top + 1, middle_of(g->of[m->dst]));
		name_wait(g, g->of[m->dst], &wait);
		lsi_scene_add(g->scene, &wait);
	}
}

static void put_messages(const struct lsi_gantt *g)
{
	for (size_t i = 0; i < g->s->messages; i++) {
		const struct ls_record *m = &g->s->message[i];
		const struct lsi_gantt_row *row = g->of[m->dst];
		struct lsi_element way;

		if (!lsi_is_timed(m))
			continue;
		way = cell_at(
			g, middle_of(row), row->top + row->height - 1, m->sent_ns, lsi_receipt_ns(g->s, m));
		way.to.x = fmax(way.to.x, way.from.x + shortest);
		way.variant = lsi_is_received(m) ? "message way" : "message way unreceived";
		lsi_timed_message(g->scene, m, &way);
		lsi_scene_add(g->scene, &way);
	}
}

/* A thin line through the row of each node: beside its marks nothing is known of it. */
static void put_lines(const struct lsi_gantt *g)
{
	for (int64_t v = 0; v < g->s->nodes; v++) {
		struct lsi_element line =
			lsi_element_at(LSI_SHAPE_RULE, (struct lsi_point){ 0, middle_of(g->of[v]) });

		line.to = (struct lsi_point){ g->axis.width, line.from.y };
		line.variant = "grid";
		lsi_scene_add(g->scene, &line);
	}
}

/* ---- View */

static int allocate(struct lsi_gantt *g)
{
	const size_t nodes = (size_t)g->s->nodes;

	g->row = lsi_alloc(2 * nodes * sizeof *g->row);
	g->of = lsi_alloc(nodes * sizeof *g->of);
	g->step = lsi_alloc(2 * nodes * sizeof *g->step);
	return g->row && g->of && g->step ? lsi_waits_make(g->s, &g->waits) : LS_ERR_MEMORY;
}

static void release(struct lsi_gantt *g)
{
	lsi_waits_release(&g->waits);
	lsi_free(g->step);
	lsi_free(g->of);
	lsi_free(g->row);
}

static int put_all(struct lsi_gantt *g)
{
	int failed;

	collect_rows(g);
	place_rows(g);
	lsi_scene_begin(g->scene, "gantt", -1);
	lsi_time_axis_put_grid(&g->axis, g->scene, 0, g->bottom, 1);
	put_lines(g);
	failed = lsi_gantt_put_cores(g);
	put_steps(g);
	put_waits(g);
	put_messages(g);
	lsi_scene_begin(g->scene, "axes", -1);
	lsi_time_axis_put_rounds(&g->axis, g->scene, 0);
	lsi_gantt_put_labels(g);
	lsi_gantt_put_keys(g, lsi_time_axis_put_ticks(&g->axis, g->scene, g->bottom));
	return failed;
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct lsi_gantt g = { .scene = scene, .s = s };
	int failed = allocate(&g);

	(void)why;
	if (!failed) {
		lsi_time_axis_make(&g.axis, s);
		failed = put_all(&g);
		scene->legend = s->drawing->core
			? "Where it does not wait for a message, a node computes, moves data, is ready to "
			  "run, or waits for the end of a step. Grey: how many nodes of the core do not wait."
			: "Where it does not wait for a message, a node computes, moves data, is ready to "
			  "run, or waits for the end of a step.";
		lsi_scene_end_page(scene, s, lsi_scene_put_origin(scene, LSI_MARGIN, LSI_MARGIN));
	}
	release(&g);
	return failed;
}

const struct lsi_draw_view lsi_draw_view_gantt = { .name = "gantt",
	.text = "a row for each node and core: waits, steps and messages over time",
	.limit = "256 nodes and 64 steps of messages with times, without a focus",
	.fits = fits,
	.lack = lack,
	.draw = draw,
	.takes = LSI_TAKES_TIME | LSI_TAKES_LABELS };
