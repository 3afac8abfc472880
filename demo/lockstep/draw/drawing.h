/*
 * Pictures of a job, in every format that the library draws, and PNG and PDF by rsvg-convert.
 */
#ifndef LOCKSTEP_DRAW_DRAWING_H
#define LOCKSTEP_DRAW_DRAWING_H

#include "base/drawing_choice.h"
#include "cli/option_table.h"
#include "report/format.h"
#include "steps/steps.h"

/* Writers for tables of formats; the document is a struct shown_plan. */
int write_svg(const struct output *, const void *shown_plan);
int write_png(const struct output *, const void *shown_plan);
int write_pdf(const struct output *, const void *shown_plan);
int write_tikz(const struct output *, const void *shown_plan);
int write_dot(const struct output *, const void *shown_plan);

/* The options that have an effect on a graph, on a page, and in LaTeX. */
#define GRAPH_OPTIONS \
	(TAKES(OPTION_STEP) | TAKES(OPTION_LABELS) | TAKES(OPTION_LAYOUT) | TAKES(OPTION_THEME))
#define PAGE_OPTIONS \
	(GRAPH_OPTIONS | TAKES(OPTION_VIEW) | TAKES(OPTION_VALUES) | TAKES(OPTION_COLUMNS) \
		| TAKES(OPTION_CAPTION) | TAKES(OPTION_WIDTH))
#define LATEX_OPTIONS (PAGE_OPTIONS | TAKES(OPTION_STANDALONE) | TAKES(OPTION_BEAMER))

/* The formats of pictures: name, extension, writer, and the options of pictures that it takes. */
#define DRAWN_FORMATS(X) \
	X("svg", ".svg", write_svg, PAGE_OPTIONS) \
	X("png", ".png", write_png, PAGE_OPTIONS) \
	X("pdf", ".pdf", write_pdf, PAGE_OPTIONS) \
	X("tikz", ".tex", write_tikz, LATEX_OPTIONS) \
	X("dot", ".dot", write_dot, GRAPH_OPTIONS)
/* The row of a format in a table. */
#define DRAWN_FORMAT_ROW(name, ending, write, options) { name, ending, write },

/*
 * draw_options.c: refuse an option of pictures that has no effect in any of the formats, which are
 * those of the files, or without files that of stdout; exit code.  `given` has TAKES(id) of each
 * option.
 */
int check_drawing_options(uint64_t given, const struct format *table,
	const struct format *of_stdout, const char *const *path);

/* convert.c: pass an SVG file through rsvg-convert; exit code. */
int convert_svg(FILE *svg, const char *format, FILE *out);

#endif
