/*
 * Automorphisms: renamings of the nodes that keep all links, and the goal of a search.
 *
 *   mesh:2x3    0 1 2    turned by half a circle    5 4 3
 *               3 4 5                               2 1 0
 *
 * Only those of which no power but the identity keeps any node serve a search: a schedule that
 * stays as it is under others leaves nodes without links.
 */
#ifndef LSI_FIND_AUTOMORPHISM_H
#define LSI_FIND_AUTOMORPHISM_H

#include "schedule/link_schedule.h"

enum { LSI_RENAMINGS = LSI_FIND_NODES };

/* Node v becomes image[i * nodes + v]. */
struct lsi_renamings {
	int nodes, count;
	uint8_t *image;
};

static inline const uint8_t *lsi_renaming(const struct lsi_renamings *r, int i)
{
	return &r->image[i * r->nodes];
}

/*
 * Of a Cayley graph the left translations that keep the goal.  Of other networks a selection of
 * their automorphisms, the same for every call.  LS_OK or LS_ERR_MEMORY; release it in both cases.
 */
int lsi_renamings_init(
	struct lsi_renamings *, const ls_topology *, const struct lsi_arcs *, const struct lsi_goal *);
void lsi_renamings_fini(struct lsi_renamings *);

#endif
