/*
 * What many views share: the places of the vertices, and the texts below the picture.
 *
 * Layouts, and positions of the caller, count in units of about the length of a link.  Here they
 * become pixels: LSI_UNIT px for each unit.
 *
 *   picture
 *                       LSI_MARGIN px
 *   Title
 *   caption ..          wrapped to the width of the picture, but not narrower than 600 px
 *   legend ..
 */
#include "draw/view.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/character.h"
#include "topology/subgraph.h"

enum {
	CAPTION_LEAST = 600, /* px: a caption is not wrapped below it */
	LINE = 16,
	CUT_VERTICES = 1024 /* of a network whose picture a part is cut from */
};

/* ---- Places */

/* Is it the name of a layout of the network? */
static bool has_layout(const ls_topology *t, const char *name)
{
	const char *known;

	for (size_t i = 0; (known = ls_layout_list(t, i)); i++)
		if (strcmp(known, name) == 0)
			return true;
	return false;
}

/* Is the network drawn as a whole, and not as a circle? */
static bool has_picture(const ls_topology *t)
{
	return ls_topology_vertices(t) <= CUT_VERTICES && t->network->layouts
		&& lsi_layout_at(t, 0)->place != lsi_place_circle;
}

/*
 * The network whose layout places a subject: itself; the model of a part; or the whole, from whose
 * picture the part is cut: always in a grid, else if there is no model.
 */
static const ls_topology *network_of(const struct lsi_subject *s)
{
	const ls_topology *whole = lsi_subject_network(s);
	const ls_topology *model = s->whole ? lsi_subgraph_model(s->topology) : s->topology;
	const ls_topology *part = model ? model : s->topology;
	const char *name = s->drawing->layout;
	const bool prefers_whole = !model || whole->network->grid != LSI_GRID_NONE;

	if (s->drawing->positions)
		return whole;
	return (name ? !has_layout(part, name) : prefers_whole && has_picture(whole)) ? whole : part;
}

static int place_network(const struct lsi_subject *s, struct lsi_point *place,
	struct lsi_placed *out, struct ls_error *why)
{
	const double *xy = s->drawing->positions;

	if (!xy)
		return lsi_layout_make(out->of, s->drawing->layout, place, &out->layout, why);
	for (int64_t v = 0; v < out->of->vertices; v++)
		place[v] = (struct lsi_point){ xy[2 * v], xy[2 * v + 1] };
	return LS_OK;
}

bool lsi_is_cut(const struct lsi_subject *s, const struct lsi_placed *placed)
{
	return placed->of == lsi_subject_network(s);
}

/* In a picture of the whole, stubs get the places of the partners first. */
int lsi_place_vertices(const struct lsi_subject *s, struct lsi_placed *out, struct ls_error *why)
{
	const int64_t inner = lsi_subject_inner(s);
	struct lsi_point *place;
	int failed = LS_ERR_MEMORY;

	*out = (struct lsi_placed){ .of = network_of(s) };
	place = lsi_alloc((size_t)out->of->vertices * sizeof *place);
	out->place = lsi_alloc((size_t)s->vertices * sizeof *out->place);
	if (place && out->place)
		failed = place_network(s, place, out, why);
	for (int64_t v = 0; v < (lsi_is_cut(s, out) ? s->vertices : inner) && !failed; v++) {
		const int64_t i = lsi_is_cut(s, out) ? lsi_subject_rank(s, v) : v;

		out->place[v] = (struct lsi_point){ place[i].x * LSI_UNIT, place[i].y * LSI_UNIT };
	}
	if (!failed)
		failed = lsi_place_stubs(s, out);
	lsi_free(place);
	if (failed) {
		lsi_free(out->place);
		out->place = NULL;
	}
	return failed;
}

/* Lines to stubs are short, and so are their arcs. */
double lsi_placed_bend(const struct lsi_subject *s, const struct lsi_placed *placed,
	enum lsi_line line, int64_t from, int64_t to)
{
	const int64_t inner = lsi_subject_inner(s);
	const bool is_cut = lsi_is_cut(s, placed);

	if (from >= inner || to >= inner)
		return line == LSI_LINE_LINK ? 0 : LSI_UNIT * lsi_arc_height(1) / 2;
	if (!placed->layout)
		return line == LSI_LINE_LINK ? 0 : LSI_UNIT * lsi_arc_height(1);
	return LSI_UNIT
		* lsi_layout_bend(placed->layout, placed->of, line,
			is_cut ? lsi_subject_rank(s, from) : from, is_cut ? lsi_subject_rank(s, to) : to);
}

/* ---- Captions */

const char *lsi_lacks_steps(const struct lsi_subject *s)
{
	return s->drawing->plan || s->drawing->records
		? NULL
		: "draws the steps of an operation, and none is named";
}

/*
 * The bytes of the part of a text that fits a line of `most` characters.  It is broken between
 * words, but not after a number ("7 messages"), and in the second half of a line better after a
 * semicolon.  A word that is too long for a line is broken between any two characters.
 */
static size_t fitting(const char *text, size_t most)
{
	const char *at = text, *space = text, *semicolon = text;

	for (size_t n = 0; *at && *at != '\n'; n++) {
		if (*at == ' ' && at > text && !isdigit((unsigned char)at[-1]))
			space = at;
		if (*at == ' ' && n > most / 2 && at[-1] == ';')
			semicolon = at;
		if (n == most)
			return (size_t)((semicolon > text ? semicolon : space > text ? space : at) - text);
		lsi_character_next(&at);
	}
	return (size_t)(at - text);
}

/* Lines of text from at->y on, broken to fit the width. */
static void put_lines(struct lsi_scene *scene, const char *text, struct lsi_point *at, double width)
{
	const size_t most = (size_t)(width / lsi_text_width(LSI_TEXT_CAPTION, "x"));

	while (text && *text) {
		const size_t length = fitting(text, most);

		at->y += LINE;
		lsi_scene_put_text(scene, LSI_TEXT_CAPTION, LSI_ANCHOR_START, *at,
			lsi_scene_text(scene, "%.*s", (int)length, text));
		text += length;
		text += *text == ' ' || *text == '\n';
	}
}

void lsi_scene_put_caption(
	struct lsi_scene *scene, const struct lsi_subject *s, double top, double width)
{
	struct lsi_point at = { LSI_MARGIN, top + LSI_MARGIN };
	const double room = width > CAPTION_LEAST ? width : CAPTION_LEAST;

	if (s->drawing->caption && !*s->drawing->caption)
		return;
	lsi_scene_begin(scene, "captions", -1);
	lsi_scene_put_text(scene, LSI_TEXT_TITLE, LSI_ANCHOR_START, at, s->title);
	at.y += 4;
	put_lines(scene, s->caption, &at, room);
	put_lines(scene, scene->legend, &at, room);
}

/*
 * The size is found twice: its width wraps the caption, and the caption then adds to its height.
 * A picture that is narrower than its caption moves to the middle.
 */
void lsi_scene_end_page(struct lsi_scene *scene, const struct lsi_subject *s, double bottom)
{
	const size_t parts = scene->parts;
	double width;

	lsi_scene_fit(scene);
	width = scene->width;
	lsi_scene_put_caption(scene, s, bottom, width - 2 * LSI_MARGIN);
	lsi_scene_fit(scene);
	for (size_t i = 0; i < parts; i++)
		scene->part[i].x += floor((scene->width - width) / 2);
}
