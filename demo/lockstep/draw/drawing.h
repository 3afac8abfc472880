/*
 * Pictures of a job, in every format that the library draws, and PNG and PDF by rsvg-convert.
 */
#ifndef LOCKSTEP_DRAW_DRAWING_H
#define LOCKSTEP_DRAW_DRAWING_H

#include "base/drawing_choice.h"
#include "report/format.h"
#include "steps/steps.h"

/* Writers for tables of formats; the document is a struct shown_plan. */
int write_svg(const struct output *, const void *shown_plan);
int write_html(const struct output *, const void *shown_plan);
int write_png(const struct output *, const void *shown_plan);
int write_pdf(const struct output *, const void *shown_plan);

/* The rows of these formats in a table. */
#define DRAWN_FORMATS \
	{ "svg", ".svg", write_svg }, { "html", ".html", write_html }, { "png", ".png", write_png }, \
	{ \
		"pdf", ".pdf", write_pdf \
	}

/* convert.c: pass an SVG file through rsvg-convert; exit code. */
int convert_svg(FILE *svg, const char *format, FILE *out);

#endif
