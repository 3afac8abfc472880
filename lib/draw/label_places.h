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

#endif
