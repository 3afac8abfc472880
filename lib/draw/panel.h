/*
 * A panel: the network with the messages of some rounds, as a part of a scene.
 */
#ifndef LSI_DRAW_PANEL_H
#define LSI_DRAW_PANEL_H

#include "draw/scene.h"
#include "draw/subject.h"

struct lsi_link_traffics;

struct lsi_panel {
	const struct lsi_subject *subject;
	struct lsi_placed placed; /* lsi_place_vertices; the caller frees it */
	size_t first, end;        /* rounds of the subject */
	bool numbers;             /* step numbers on the arrows */
	bool link_labels;         /* the numbers of the links */
	int contents;             /* what nodes hold before round `contents`; -1: nothing */
	/* Links are as wide as their loads; NULL: all alike. */
	const struct lsi_link_traffics *loads;
};

/* Add a part with the panel.  A lack of memory is noted in the scene. */
void lsi_panel_draw(struct lsi_scene *, const struct lsi_panel *, const char *name);

/* ---- Panels in rows (panel_rows.c) */

struct lsi_panel_rows {
	size_t first;  /* part; it and all parts after it are panels */
	int columns;   /* 0: as many as fit the page, in rows of about equal length */
	bool lettered; /* "(a) step 1" above a panel, else "step 1" */
	double scale_least, scale_most;
};

/* Place the panels below `top`, and add a part with their titles.  Returns the lower end. */
double lsi_panels_arrange(struct lsi_scene *, struct lsi_panel_rows, double top);

#endif
