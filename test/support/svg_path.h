/*
 * Coordinates and paths of SVG, read as points on the page.
 */
#ifndef LOCKSTEP_TEST_SVG_PATH_H
#define LOCKSTEP_TEST_SVG_PATH_H

#include "support/svg_picture.h"

/* Where the coordinates of an element lie on the page. */
struct place {
	double x, y, scale;
	int part;
};
struct spot on_page(const struct place *, double x, double y);

/* Read "x,y" and go past it. */
bool read_pair(const char **at, double *x, double *y);
/* The points of a path of M, L, l, Q and z; 0: something else.  A pair after l continues it. */
int read_path(const char *d, const struct place *, struct spot point[OUTLINE]);

#endif
