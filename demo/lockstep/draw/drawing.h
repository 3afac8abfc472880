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
int write_tikz(const struct output *, const void *shown_plan);
int write_dot(const struct output *, const void *shown_plan);

/* The rows of these formats in a table. */
#define DRAWN_FORMATS \
	{ "svg", ".svg", write_svg }, { "html", ".html", write_html }, { "png", ".png", write_png }, \
		{ "pdf", ".pdf", write_pdf }, { "tikz", ".tex", write_tikz }, \
	{ \
		"dot", ".dot", write_dot \
	}

/*
 * draw_options.c: refuse an option of pictures that has no effect in any of the formats, which are
 * those of the files, or without files that of stdout; exit code.  `given` has TAKES(id) of each
 * option.
 */
int check_drawing_options(uint64_t given, const struct format *table,
	const struct format *of_stdout, const char *const *path);

/* convert.c: write a document as SVG, and pass it through rsvg-convert; exit code. */
int convert_drawing(const struct output *, const void *document,
	int (*write)(const struct output *, const void *document), const char *format);

/* ls_error.kind LS_ERR_STOPPED: the file cannot be written. */
int put_file_text(void *file, const char *text);
/* The command that makes the picture, quoted for a shell; the caller frees it. */
char *command_text(const struct output *);

#endif
