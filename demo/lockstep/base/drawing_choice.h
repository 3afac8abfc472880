/*
 * How a picture is drawn, as the command line chooses it.
 */
#ifndef LOCKSTEP_BASE_DRAWING_CHOICE_H
#define LOCKSTEP_BASE_DRAWING_CHOICE_H

#include <lockstep/draw.h>

struct drawing_choice {
	const char *view, *layout, *focus, *title, *caption; /* NULL: the default */
	const char *axes, *series; /* columns of a chart, NULL: those of bench */
	enum ls_drawn_values values;
	enum ls_drawn_labels labels;
	enum ls_theme theme;
	enum ls_x_axis x_axis;
	int64_t first_round, last_round; /* 0: all */
	int columns;                     /* 0: as many as fit */
	double width;                    /* mm; 0: the size of the drawing */
	bool standalone, beamer, list;
};

#endif
