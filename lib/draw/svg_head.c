/*
 * The begin of an SVG drawing: its size, title, description and command.
 */
#include <inttypes.h>

#include "draw/draw_format.h"

enum { DESCRIBED = 200 /* messages */ };

/* The steps in words, for readers who do not see the picture. */
static void write_description(struct lsi_writer *w, const struct lsi_subject *s)
{
	lsi_write_xml(w, s->caption);
	for (size_t k = 0; k < s->rounds && s->messages <= DESCRIBED; k++) {
		lsi_write(w, "\nStep %" PRId64 ":", s->round[k].number);
		for (size_t i = 0; i < s->round[k].n; i++) {
			const struct ls_record *m = &s->message[s->round[k].first + i];

			lsi_write(w, "%s %" PRId64 " to %" PRId64, i ? "," : "", m->src, m->dst);
		}
		lsi_write(w, ".");
	}
}

/* In an HTML page an SVG element needs no name space. */
void lsi_svg_write_head(struct lsi_writer *w, const struct lsi_scene *scene,
	const struct lsi_subject *s, bool is_document)
{
	const double mm = s->drawing->width;

	lsi_write(w, "<svg%s", is_document ? " xmlns=\"http://www.w3.org/2000/svg\"" : "");
	if (mm > 0)
		lsi_write(w, " width=\"%gmm\" height=\"%.1fmm\"", mm, mm * scene->height / scene->width);
	else
		lsi_write(w, " width=\"%.0f\" height=\"%.0f\"", scene->width, scene->height);
	lsi_write(w, " viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-labelledby=\"title description\">\n",
		scene->width, scene->height);
	lsi_write(w, "<title id=\"title\">");
	lsi_write_xml(w, s->title);
	lsi_write(w, "</title>\n<desc id=\"description\">");
	write_description(w, s);
	lsi_write(w, "</desc>\n");
	if (s->drawing->command) {
		lsi_write(w, "<metadata>");
		lsi_write_xml(w, s->drawing->command);
		lsi_write(w, "</metadata>\n");
	}
}
