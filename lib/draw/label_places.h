/*
 * Where the label of a node may stand: beside the node, first in the widest gaps between the lines
 * that end there, then in all directions, then farther away.
 */
#ifndef LSI_DRAW_LABEL_PLACES_H
#define LSI_DRAW_LABEL_PLACES_H

#include "draw/scene.h"

enum { LSI_ENDS = 24 };

/* The directions in which lines leave a node; those after the first LSI_ENDS are dropped. */
struct lsi_ends {
	int n;
	double angle[LSI_ENDS];
};
void lsi_ends_add(struct lsi_ends *, struct lsi_point direction);

/* A label of a node: its ends are sorted by their angles. */
struct lsi_node_label {
	struct lsi_ends *ends;
	struct lsi_point node;
	double width, height; /* of the text */
};
/* Both fill in the places of the middle of a text, the best first; see struct lsi_text_places. */
int lsi_label_places(const void *node_label, int reach, struct lsi_point *place);

/*
 * The number of a line: beside it, on both sides, from the middle outwards; the outer side of a
 * curve comes first.  `box` is that of the text around the origin: a wide text is farther from a
 * vertical line than from a horizontal one.
 */
struct lsi_line_number {
	const struct lsi_element *line;
	struct lsi_box box;
};
int lsi_number_places(const void *line_number, int reach, struct lsi_point *place);

#endif
