/*
 * Data that are computed from a topology, such as schedules.  They are computed when a thread first
 * needs them, and freed with the topology.
 *
 * An object is one allocation of base/alloc.h that begins with a struct lsi_kept.  Its function and
 * its key identify it, so the function must compute equal objects from equal keys.  Threads that
 * need a missing object at the same time all compute it, and all use the first one.
 */
#ifndef LSI_TOPOLOGY_KEPT_H
#define LSI_TOPOLOGY_KEPT_H

#include "topology/topology_internal.h"

/* Compute an object; NULL: no memory. */
typedef struct lsi_kept *lsi_make_kept(const struct ls_topology *, int64_t key);

struct lsi_kept {
	struct lsi_kept *next;
	lsi_make_kept *make;
	int64_t key;
};

/* The object of this function and key; NULL: no memory. */
const struct lsi_kept *lsi_topology_keep(const struct ls_topology *, lsi_make_kept *, int64_t key);

/* Keep an object that cannot be computed from the topology; its make and key are set. */
void lsi_topology_keep_given(const struct ls_topology *, struct lsi_kept *);
/* The next object of this function after another one, or the first; NULL: there is no further. */
const struct lsi_kept *lsi_topology_kept(
	const struct ls_topology *, lsi_make_kept *, const struct lsi_kept *after_or_null);

/* Free all objects; no other thread uses the topology. */
void lsi_kept_free(const struct ls_topology *);

#endif
