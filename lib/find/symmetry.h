/*
 * Schedules that stay as they are under a group H of automorphisms of the network.
 *
 * If a schedule uses a link, it uses all its images in the same round; if v knows x, then h(v)
 * knows h(x).  So one variable stands for an orbit, and the formula shrinks by the size of H.
 * Such schedules are balanced: where H moves every node to every other, all messages of a round
 * have the same length.  Without one, other schedules may still exist.
 *
 * No member of H but the identity keeps a node.  So all orbits have the size of H, and no two
 * images of a link leave, or enter, the same node.  Other groups would not serve: what keeps a node
 * must keep the sender of each of its messages, hence all nodes of which it hears.
 *
 *   ring:4, H = { +0, +2 }     orbits of nodes 0 2 | 1 3     of pairs 00 22 | 01 23 | 02 20 | ..
 */
#ifndef LSI_FIND_SYMMETRY_H
#define LSI_FIND_SYMMETRY_H

#include "schedule/link_schedule.h"

enum { LSI_SYMMETRIES = 8 };

struct lsi_symmetry {
	int order; /* the size of H */
	int *arc;  /* by arc: the least arc of its orbit */
	int *pair; /* by v * nodes + x: the least pair of its orbit */
};

/* Groups from large to small, without the trivial one. */
struct lsi_symmetries {
	int count;
	struct lsi_symmetry at[LSI_SYMMETRIES];
};

/* Some groups under which the goal stays as it is.  LS_OK or LS_ERR_MEMORY; release it in both. */
int lsi_symmetries_init(
	struct lsi_symmetries *, const ls_topology *, const struct lsi_arcs *, const struct lsi_goal *);
void lsi_symmetries_fini(struct lsi_symmetries *);

#endif
