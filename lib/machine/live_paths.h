/*
 * The links and nodes that are down, and the paths that avoid them.
 *
 * A list of faults never changes: a change makes a new one.  A list keeps what was searched with
 * it: the distances to the targets of messages whose route meets a fault.
 *
 * Edges  TABLE  compare-swap of distances -> acquire load: the distances
 */
#ifndef LSI_MACHINE_LIVE_PATHS_H
#define LSI_MACHINE_LIVE_PATHS_H

#include "base/atomic.h"
#include "topology/topology_internal.h"

/* The live distances of all vertices to targets. */
struct lsi_distances {
	LSI_ATOMIC(size_t) kept;    /* bytes */
	LSI_ATOMIC(int32_t *) to[]; /* TABLE: by target; NULL: not searched */
};

struct lsi_links {
	const struct ls_topology *topology;
	LSI_ATOMIC(struct lsi_distances *) distances; /* TABLE: NULL: all routes were up */
	size_t n;
	struct {
		int64_t u, v; /* u < v: a link; u == v: a node */
	} down[];
};

/*
 * Copy a list (NULL: an empty one), with the link {u, v} added or removed, or the node u == v.
 * NULL: no memory.
 */
struct lsi_links *lsi_links_changed(
	const struct ls_topology *, const struct lsi_links *, int64_t u, int64_t v, bool up);
void lsi_links_free(struct lsi_links *);

/* Is the link between two neighbors, or one of them, down?  a == b: a node. */
bool lsi_is_down(const struct lsi_links *, int64_t a, int64_t b);

/*
 * Find the way of a message: the route of the topology if no link and no node of it is down, else a
 * shortest path without those, and of these the one over the links with the lowest numbers.
 *
 * Owns       *link, the link of each hop, is the caller's; NULL: the route of the topology.
 * Returns    LS_OK, LS_ERR_MEMORY, LS_ERR_LINK: there is no such path
 */
int lsi_live_path(struct lsi_links *, int64_t from, int64_t to, int64_t **link);

/*
 * The faults that separate two vertices without a live path: those around the smaller of their
 * parts of the network, as "node 1, link 0-4 around node 0 and 2 more".
 */
struct lsi_cut_text {
	char text[160];
};
struct lsi_cut_text lsi_cut_describe(struct lsi_links *, int64_t from, int64_t to);

#endif
