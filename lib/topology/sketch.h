/*
 * A graph while it is laid out by forces (layout_forces.c), and the steps of that.
 *
 * Random numbers come from a generator with a fixed seed, and limits count operations, not time.
 * So the same graph always gets the same layout.
 */
#ifndef LSI_TOPOLOGY_SKETCH_H
#define LSI_TOPOLOGY_SKETCH_H

#include "topology/layout.h"

struct lsi_sketch {
	int n, links;
	int *first;    /* the neighbors of u are neighbor[first[u]] .. neighbor[first[u + 1] - 1] */
	int *neighbor; /* those of u in rising order */
	int (*end)[2]; /* of each link, the smaller first */
	struct lsi_point *at;
	int *hops;  /* n for each source that a step searches from */
	int *queue; /* n */
	uint64_t random;
};

/* In 0 .. 1. */
double lsi_sketch_random(struct lsi_sketch *);
/* Hops from one vertex to all others; returns a farthest one. */
int lsi_sketch_search(struct lsi_sketch *, int source, int *hops);

/* ---- Small graphs: hops has n * n entries, the distances of all pairs */

/* Random places, then as far apart as the distances say: stress majorization. */
void lsi_sketch_stress(struct lsi_sketch *);
/* A shortest cycle outside, all others amid their neighbors; false: there is no cycle. */
bool lsi_sketch_barycentric(struct lsi_sketch *);
int64_t lsi_sketch_crossings(const struct lsi_sketch *);
/* Move single vertices so that links do not cross, have one length and pass third vertices. */
void lsi_sketch_anneal(struct lsi_sketch *, double operations);
/* The same by small moves, none of which makes it worse. */
void lsi_sketch_polish(struct lsi_sketch *, double operations);

/* ---- Large graphs: hops has LSI_LANDMARKS * n entries */

enum {
	LSI_LANDMARKS = 24,
	LSI_SKETCH_SMALL = 96 /* most vertices of a graph that is annealed */
};
void lsi_sketch_landmarks(struct lsi_sketch *);

#endif
