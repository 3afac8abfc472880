/*
 * The network and its messages in the language of graphviz.
 *
 * Without messages this is an undirected graph, and the edges have the numbers of the links.  With
 * messages it is a directed graph: a link is an edge without an arrowhead, a message is an edge
 * with its round as the label.  The positions are for `neato -n`: points, y up.  Without -n
 * neato reads inches, unless inputscale says points.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/broken.h"
#include "draw/character.h"
#include "draw/draw_format.h"
#include "draw/view.h"

static const double points_per_px = 0.75;

static void write_quoted(struct lsi_writer *w, const char *text)
{
	lsi_write(w, "\"");
	while (*text) {
		const struct lsi_character c = lsi_character_next(&text);

		lsi_write(w, "%s%s", *c.text == '"' || *c.text == '\\' ? "\\" : "", c.text);
	}
	lsi_write(w, "\"");
}

/* ---- Nodes */

/* "5 101": the rank of a node, and its name if that is another one. */
static void write_label(struct lsi_writer *w, const struct lsi_subject *s, int64_t vertex)
{
	const enum ls_drawn_labels labels = s->drawing->labels;
	char name[LSI_NAME], label[LSI_NAME + 24] = "";
	const bool is_named = lsi_subject_name(s, vertex, name);

	if (vertex < s->nodes && labels != LS_LABELS_NONE && !(labels == LS_LABELS_NAME && is_named))
		snprintf(
			label, sizeof label, "%" PRId64 "%s", lsi_subject_rank(s, vertex), is_named ? " " : "");
	snprintf(label + strlen(label), LSI_NAME, "%s", is_named ? name : "");
	write_quoted(w, label);
}

/* The attributes of the node and the messages of a violation; the last color counts. */
static void write_broken(struct lsi_writer *w, const struct lsi_subject *s)
{
	lsi_write(w, ", penwidth=4, color=\"%s\"", lsi_paint_of(s->drawing->theme)->broken);
}

static void write_node(
	struct lsi_writer *w, const struct lsi_subject *s, int64_t vertex, struct lsi_point place)
{
	const bool is_broken = lsi_is_broken_node(s->drawing, lsi_subject_rank(s, vertex));

	lsi_write(w, "\t%" PRId64 " [label=", lsi_subject_rank(s, vertex));
	write_label(w, s, vertex);
	lsi_write(w, ", pos=\"");
	lsi_write_number(w, place.x * points_per_px);
	lsi_write(w, ",");
	lsi_write_number(w, -place.y * points_per_px);
	lsi_write(w, "!\"%s%s", vertex < s->nodes ? "" : ", shape=box",
		vertex == s->root && !is_broken ? ", penwidth=2" : "");
	if (is_broken)
		write_broken(w, s);
	lsi_write(w, "];\n");
}

static void write_partner(
	struct lsi_writer *w, const struct lsi_subject *s, int64_t stub, struct lsi_point place)
{
	char text[LSI_NAME];

	lsi_stub_text(s, stub, text);
	lsi_write(w, "\t%" PRId64 " [shape=plaintext, label=", s->rank[stub]);
	write_quoted(w, text);
	lsi_write(w, ", pos=\"");
	lsi_write_number(w, place.x * points_per_px);
	lsi_write(w, ",");
	lsi_write_number(w, -place.y * points_per_px);
	lsi_write(w, "!\"];\n");
}

/* Nodes outside of a part: a node of the graph for each, at the place of its first stub. */
static void write_partners(
	struct lsi_writer *w, const struct lsi_subject *s, const struct lsi_point *place)
{
	for (int64_t v = lsi_subject_inner(s); v < s->vertices; v++) {
		bool is_first = true;

		for (int64_t u = lsi_subject_inner(s); u < v && is_first; u++)
			is_first = s->rank[u] != s->rank[v];
		if (is_first)
			write_partner(w, s, v, place[v]);
	}
}

/* ---- Edges */

/* The numbers of a link at its ends; beside messages they would be in the way. */
static void write_link(struct lsi_writer *w, const struct lsi_subject *s, int64_t from, int64_t to)
{
	const ls_topology *t = lsi_subject_network(s);
	const int64_t tail = ls_link_label(t, ls_link_to(t, from, to));
	const int64_t head = ls_link_label(t, ls_link_to(t, to, from));

	if (s->messages > 0)
		lsi_write(w, "\t%" PRId64 " -> %" PRId64 " [dir=none];\n", from, to);
	else if (tail == head)
		lsi_write(w, "\t%" PRId64 " -- %" PRId64 " [label=\"%" PRId64 "\"];\n", from, to, tail);
	else
		lsi_write(w,
			"\t%" PRId64 " -- %" PRId64 " [taillabel=\"%" PRId64 "\", headlabel=\"%" PRId64
			"\"];\n",
			from, to, tail, head);
}

/* Of parallel links the first stands for all. */
static void write_links(struct lsi_writer *w, const struct lsi_subject *s)
{
	const int64_t inner = lsi_subject_inner(s);

	for (int64_t u = 0; u < inner; u++) {
		for (int64_t l = 0; l < ls_degree(s->topology, u); l++) {
			const int64_t to = ls_neighbor(s->topology, u, l);

			if (to > u && ls_link_to(s->topology, u, to) == l)
				write_link(w, s, lsi_subject_rank(s, u), lsi_subject_rank(s, to));
		}
	}
	for (int64_t v = inner; v < s->vertices; v++) {
		const int64_t node = s->rank[s->stub_node[v - inner]];

		if (ls_link_to(lsi_subject_network(s), node, s->rank[v]) >= 0)
			write_link(w, s, node, s->rank[v]);
	}
}

static void write_message(
	struct lsi_writer *w, const struct lsi_subject *s, const struct ls_record *m)
{
	const enum ls_theme theme = s->drawing->theme;
	const int color = (int)((m->round - 1) % LSI_COLORS);
	const int64_t src = lsi_subject_rank(s, m->src), dst = lsi_subject_rank(s, m->dst);

	lsi_write(w,
		"\t%" PRId64 " -> %" PRId64 " [label=\"%" PRId64
		"\", style=dashed, color=\"%s\", fontcolor=\"%s\"",
		src, dst, m->round, lsi_color_on(theme, color, false), lsi_color_on(theme, color, true));
	if (lsi_is_broken_message(s->drawing, m->round, src, dst))
		write_broken(w, s);
	lsi_write(w, "];\n");
}

/* ---- Graph */

static void write_head(struct lsi_writer *w, const struct lsi_subject *s)
{
	const struct lsi_paint *paint = lsi_paint_of(s->drawing->theme);

	lsi_write(w, s->messages > 0 ? "digraph " : "graph ");
	write_quoted(w, ls_topology_spec(s->topology));
	lsi_write(w, " {\n");
	if (s->drawing->command) {
		lsi_write(w, "\tcomment=");
		write_quoted(w, s->drawing->command);
		lsi_write(w, ";\n");
	}
	lsi_write(w, "\tgraph [inputscale=72, splines=true, bgcolor=\"%s\"];\n", paint->background);
	if (s->drawing->violation) {
		lsi_write(w, "\tlabel=");
		write_quoted(w, s->drawing->violation->text);
		lsi_write(w, ";\n");
	}
	lsi_write(w, "\tnode [margin=0.03, width=0.35, height=0.35, color=\"%s\", fontcolor=\"%s\"];\n",
		paint->ink, paint->ink);
	lsi_write(w, "\tedge [color=\"%s\", fontcolor=\"%s\"];\n", paint->faint, paint->soft);
}

static void write_graph(
	struct lsi_writer *w, const struct lsi_scene *unused, const struct lsi_subject *s)
{
	struct lsi_placed placed;

	(void)unused;
	w->failed = lsi_place_vertices(s, &placed, w->why);
	if (w->failed)
		return;
	write_head(w, s);
	for (int64_t v = 0; v < lsi_subject_inner(s); v++)
		write_node(w, s, v, placed.place[v]);
	write_partners(w, s, placed.place);
	write_links(w, s);
	for (size_t i = 0; i < s->messages; i++)
		write_message(w, s, &s->message[i]);
	lsi_write(w, "}\n");
	lsi_free(placed.place);
}

const struct lsi_draw_format lsi_draw_format_dot = {
	.name = "dot", .text = "a graph for graphviz", .write = write_graph, .prints_subject = true
};
