/*
 * Shared by the files of the view gantt.
 */
#ifndef LSI_DRAW_GANTT_H
#define LSI_DRAW_GANTT_H

#include "draw/time_axis.h"
#include "draw/waits.h"

/* The row of a node, or of a core. */
struct lsi_gantt_row {
	int64_t node; /* -1: the row is of a core */
	int core;     /* -1: not known */
	double top, height;
};

/* From the first to the last event of a node in a step; begin > end: it has none. */
struct lsi_gantt_step {
	int64_t begin, end;
};

struct lsi_gantt {
	struct lsi_scene *scene;
	const struct lsi_subject *s;
	struct lsi_time_axis axis;
	struct lsi_waits waits;
	struct lsi_gantt_row *row; /* from the top */
	size_t rows;
	const struct lsi_gantt_row **of; /* [node] */
	struct lsi_gantt_step *step;     /* [2 * nodes] */
	double bottom;
};

enum {
	LSI_GANTT_NAMED = 20 /* px: the least height of a row whose waits are named */
};

/* -1: not known. */
int lsi_gantt_core(const struct lsi_gantt *, int64_t node);

/* gantt_cores.c: the curves of the rows of cores; LS_OK or LS_ERR_MEMORY. */
int lsi_gantt_put_cores(const struct lsi_gantt *);

/* gantt_labels.c: beside the rows; and what the marks mean, below `top`. */
void lsi_gantt_put_labels(const struct lsi_gantt *);
void lsi_gantt_put_keys(const struct lsi_gantt *, double top);

#endif
