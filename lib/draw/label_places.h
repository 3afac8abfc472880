/*
 * Where the label of a node may stand: beside the node, first in the widest gaps between the lines
 * that end there, then in all directions, then farther away.
 */
#ifndef LSI_DRAW_LABEL_PLACES_H
#define LSI_DRAW_LABEL_PLACES_H

#include "draw/scene.h"

enum { LSI_ENDS = 24, LSI_LABEL_PLACES = 52 };

/* The directions in which lines leave a node; those after the first LSI_ENDS are dropped. */
struct lsi_ends {
	int n;
	double angle[LSI_ENDS];
};
void lsi_ends_add(struct lsi_ends *, struct lsi_point direction);

/* Fill in the places of the middle of a text, the best first; return their number. */
int lsi_label_places(struct lsi_ends *, struct lsi_point node, double width, double height,
	struct lsi_point place[LSI_LABEL_PLACES]);

enum { LSI_NUMBER_PLACES = 14 };

/*
 * Beside the line of an element, on both sides, from the middle outwards; the outer side of a curve
 * comes first.  `chord` is positive if the curve bulges to its left.  `text` is the box of the text
 * around the origin: a wide text is farther from a vertical line than from a horizontal one.
 */
int lsi_places_beside(const struct lsi_element *, struct lsi_box text, struct lsi_point *place);

#endif
