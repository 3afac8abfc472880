/*
 * The page of a chart or of a map of numbers: its words, its check, and its print.
 */
#ifndef LSI_DRAW_CHART_PAGE_H
#define LSI_DRAW_CHART_PAGE_H

#include <lockstep/chart.h>

#include "draw/draw_format.h"

struct lsi_chart_output {
	const char *format; /* its name */
	int (*put)(void *context, const char *text);
	void *context;
	struct ls_error *why;
};

/* LS_OK, or an error with its reason: no such format, or one that draws no charts. */
int lsi_chart_output_check(const struct lsi_chart_output *);

/* Begin a part whose axis, marks or cells have coordinates of the chart. */
void lsi_chart_part(struct lsi_scene *, const char *name);
/* A line of text; NULL or "": nothing. */
void lsi_chart_text(struct lsi_scene *, enum lsi_anchor, double x, double y, const char *text);

/* Move all parts onto the page, add title and caption, print, and release the scene. */
int lsi_chart_print(struct lsi_scene *, const struct ls_page *, const struct lsi_chart_output *);

/* chart_check.c: LS_OK, or LS_ERR_ARGUMENT with its reason. */
int lsi_chart_check(const struct ls_chart *, struct ls_error *why);

#endif
