/*
 * Charts as files: SVG, and PNG and PDF by rsvg-convert.
 */
#ifndef LOCKSTEP_CHART_CHART_FILE_H
#define LOCKSTEP_CHART_CHART_FILE_H

#include "chart/chart_build.h"
#include "report/format.h"

extern const struct format chart_formats[];

/* One of both; their pages are set when they are written. */
struct chart_document {
	const struct drawing_choice *choice;
	const char *title, *caption; /* the defaults */
	const struct ls_chart *chart;
	const struct ls_heat_map *map;
};

/* Exit code: a file has an ending that is that of no picture. */
int chart_check_files(const struct output *, const char *const *path);
/* Write to each file, in the format of its ending; exit code. */
int chart_write_files(
	const struct output *, const struct chart_document *, const char *const *path);

/* The chart of rows, to each file; exit code. */
int chart_write_rows(const struct output *, const struct drawing_choice *,
	const struct chart_rows *, const char *model, const char *const *path);

#endif
