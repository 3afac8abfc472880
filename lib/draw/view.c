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

#include "base/alloc.h"
#include "draw/character.h"

enum {
	CAPTION_LEAST = 600, /* px: a caption is not wrapped below it */
	LINE = 16
};

static void scale_positions(const struct lsi_subject *s, const double *xy, struct lsi_point *place)
{
	for (int64_t v = 0; v < s->vertices; v++)
		place[v] = (struct lsi_point){ xy[2 * v], xy[2 * v + 1] };
}

int lsi_place_vertices(const struct lsi_subject *s, struct lsi_placed *out, struct ls_error *why)
{
	const struct ls_drawing *d = s->drawing;
	int failed = LS_OK;

	*out = (struct lsi_placed){ .place = lsi_alloc((size_t)s->vertices * sizeof *out->place) };
	if (!out->place)
		return LS_ERR_MEMORY;
	if (d->positions) {
		scale_positions(s, d->positions, out->place);
	} else {
		failed = lsi_layout_make(s->topology, d->layout, out->place, &out->layout, why);
	}
	for (int64_t v = 0; v < s->vertices && !failed; v++) {
		out->place[v].x *= LSI_UNIT;
		out->place[v].y *= LSI_UNIT;
	}
	if (failed) {
		lsi_free(out->place);
		out->place = NULL;
	}
	return failed;
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
