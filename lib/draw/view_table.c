/*
 * A table: a row for each node, a column for each step.
 *
 * A cell tells what the node has after the step; where that is not known, to whom it sends and from
 * whom it receives: ">4", "<2", "<>1".
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/view.h"

enum {
	ROWS = 512,
	STEPS = 64,
	ROW = 17,  /* px */
	GAP = 16,  /* px between columns */
	GROUP = 8, /* rows between two thin rules */
	PEERS = 6, /* of a node in a step, that a cell lists */
	PEER = 24  /* bytes of one */
};

/* What a node does in a round. */
struct doing {
	int sends, receives, listed;
	char peers[PEERS * PEER]; /* ">4 <2" */
};

struct table {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	struct doing *doing; /* by node; of the current round */
	double x;            /* where the next column begins */
};

static bool fits(const struct lsi_subject *s)
{
	return s->nodes <= ROWS && s->rounds >= 1 && s->rounds <= STEPS;
}

static double y_of(int64_t node)
{
	return (double)(node + 1) * ROW;
}

/* ---- Cells */

static void add_peer(struct doing *doing, const char *sign, int64_t peer)
{
	const size_t used = strlen(doing->peers);

	if (doing->listed++ < PEERS)
		snprintf(doing->peers + used, sizeof doing->peers - used, "%s%s%" PRId64, used ? " " : "",
			sign, peer);
}

static void add_message(const struct lsi_subject *s, const struct lsi_drawn_round *round,
	const struct ls_record *m, struct doing *doing)
{
	const bool both = lsi_subject_reply(s, round, m);
	const bool is_second = both && m->src > m->dst;

	if (m->src < s->nodes) {
		doing[m->src].sends++;
		if (!is_second)
			add_peer(&doing[m->src], both ? "<>" : ">", lsi_subject_rank(s, m->dst));
	}
	if (m->dst < s->nodes) {
		doing[m->dst].receives++;
		if (!is_second)
			add_peer(&doing[m->dst], both ? "<>" : "<", lsi_subject_rank(s, m->src));
	}
}

/* The cells of a round. */
static void find_peers(
	const struct table *t, const struct lsi_drawn_round *round, const char **cell)
{
	struct doing *doing = t->doing;

	memset(doing, 0, (size_t)t->s->nodes * sizeof *doing);
	for (size_t i = 0; i < round->n; i++)
		add_message(t->s, round, &t->s->message[round->first + i], doing);
	for (int64_t v = 0; v < t->s->nodes; v++) {
		cell[v] = NULL;
		if (doing[v].listed > PEERS)
			cell[v] = lsi_scene_text(
				t->scene, "sends %d, receives %d", doing[v].sends, doing[v].receives);
		else if (doing[v].listed > 0)
			cell[v] = lsi_scene_text(t->scene, "%s", doing[v].peers);
	}
}

/* ---- Columns */

/* The texts of a column; its width is that of the longest. */
struct column {
	const char *head;
	int64_t round;       /* -1: not a step */
	const char **cell;   /* by node; NULL: empty */
	const char **before; /* cells that are equal to these are not new; NULL: all are new */
};

static double width_of(const struct column *column, int64_t nodes)
{
	double width = column->head ? lsi_text_width(LSI_TEXT_PANEL, column->head) : 0;

	for (int64_t v = 0; v < nodes; v++)
		width =
			fmax(width, column->cell[v] ? lsi_text_width(LSI_TEXT_CONTENTS, column->cell[v]) : 0);
	return width;
}

static bool is_new(const struct column *column, int64_t v)
{
	if (column->round < 0)
		return false;
	return !column->before || !column->before[v] || strcmp(column->cell[v], column->before[v]) != 0;
}

/* What a step changes has the color of the step. */
static void put_column(struct table *t, const struct column *column)
{
	const double width = width_of(column, t->s->nodes);
	const int color = column->round < 0 ? -1 : (int)((column->round - 1) % INT32_MAX);
	struct lsi_element text = lsi_element_at(LSI_SHAPE_TEXT, (struct lsi_point){ 0, 0 });

	text.from.x = t->x + width / 2;
	text.round = column->round;
	t->x += width + GAP;
	if (column->head) {
		text.text = column->head;
		text.style = LSI_TEXT_PANEL;
		text.color = color;
		lsi_scene_add(t->scene, &text);
	}
	text.style = LSI_TEXT_CONTENTS;
	for (int64_t v = 0; v < t->s->nodes; v++) {
		text.from.y = y_of(v);
		text.node = lsi_subject_rank(t->s, v);
		text.text = column->cell[v];
		text.color = text.text && is_new(column, v) ? color : -1;
		if (text.text)
			lsi_scene_add(t->scene, &text);
	}
}

static void put_nodes(struct table *t, const char **cell)
{
	struct column column = { .head = "node", .round = -1, .cell = cell };
	bool named = false;

	for (int64_t v = 0; v < t->s->nodes; v++)
		cell[v] = lsi_scene_text(t->scene, "%" PRId64, lsi_subject_rank(t->s, v));
	put_column(t, &column);
	column.head = NULL;
	for (int64_t v = 0; v < t->s->nodes; v++) {
		char name[LSI_NAME];
		const bool has = lsi_subject_name(t->s, v, name);

		cell[v] = has ? lsi_scene_text(t->scene, "%s", name) : NULL;
		named |= has;
	}
	if (named)
		put_column(t, &column);
}

/* What the nodes have before round k, or else their peers in round k - 1. */
static void find_cells(const struct table *t, size_t k, const char **cell)
{
	for (int64_t v = 0; v < t->s->nodes; v++)
		cell[v] = lsi_subject_contents(t->s, k, v);
	if (!t->s->contents && k > 0)
		find_peers(t, &t->s->round[k - 1], cell);
}

static void put_steps(struct table *t, const char **cell, const char **other)
{
	const bool has_contents = t->s->contents != NULL;
	struct column column = { .head = "before", .round = -1, .cell = cell };

	for (size_t k = has_contents ? 0 : 1; k <= t->s->rounds; k++) {
		const char **spare = column.cell;

		find_cells(t, k, column.cell);
		if (k > 0) {
			column.round = t->s->round[k - 1].number;
			column.head = lsi_scene_text(t->scene, "step %" PRId64, column.round);
		}
		put_column(t, &column);
		if (!has_contents)
			continue;
		column.cell = column.before ? column.before : other;
		column.before = spare;
	}
}

/* ---- View */

static void put_rule(const struct table *t, double y, double width)
{
	lsi_scene_put_rule(t->scene, width > 0 ? NULL : "grid", (struct lsi_point){ -GAP / 2.0, y },
		(struct lsi_point){ t->x - GAP / 2.0, y }, width);
}

/* Above and below the head, below the last row, and after each group of rows. */
static void put_rules(const struct table *t)
{
	const int64_t nodes = t->s->nodes;

	put_rule(t, -ROW / 2.0 - 2, 1.6);
	put_rule(t, ROW / 2.0 + 1, 1);
	for (int64_t v = GROUP; v < nodes; v += GROUP)
		put_rule(t, y_of(v) - ROW / 2.0, 0);
	put_rule(t, y_of(nodes - 1) + ROW / 2.0 + 1, 1.6);
}

static int draw(struct lsi_scene *scene, const struct lsi_subject *s, struct ls_error *why)
{
	struct table t = { .scene = scene, .s = s };
	const char **cell = lsi_alloc(2 * (size_t)s->nodes * sizeof *cell);

	(void)why;
	t.doing = lsi_alloc((size_t)s->nodes * sizeof *t.doing);
	if (cell && t.doing) {
		lsi_scene_begin(scene, "table", -1);
		put_nodes(&t, cell);
		put_steps(&t, cell, cell + s->nodes);
		put_rules(&t);
		scene->legend = s->contents
			? "What each node has after each step; what the step changed is colored."
			: ">4: sends to node 4; <2: receives from node 2; <>1: exchanges with node 1.";
		lsi_scene_end_page(scene, s, lsi_scene_arrange(scene, 0, 1, LSI_MARGIN));
	} else {
		scene->no_memory = true;
	}
	lsi_free(cell);
	lsi_free(t.doing);
	return LS_OK;
}

const struct lsi_draw_view lsi_draw_view_table = { .name = "table",
	.text = "a row for each node: what it has after each step",
	.limit = "512 nodes and 1 to 64 steps",
	.fits = fits,
	.lack = lsi_lacks_steps,
	.draw = draw,
	.takes = LSI_TAKES_VALUES | LSI_TAKES_LABELS };
