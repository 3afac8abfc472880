/*
 * Embeddings: assign each node of one network (the guest) to a node of another (the host).
 *
 * A plan for the guest then runs on the host, where its messages follow the host's routes.  In hop
 * mode every link of the guest must be a link of the host.  Three maps have a name:
 *
 *   identity      node r on node r
 *   gray          by reflected Gray codes: a linear array, a mesh, or a ring or torus with even
 *                 sides on a hypercube, with dilation 1; or a hypercube on a grid of as many nodes
 *                 whose sides are powers of 2
 *   hamiltonian   a ring along a Hamiltonian ring of the host; a linear array along a Hamiltonian
 *                 path, or a part of it
 */
#ifndef LOCKSTEP_EMBEDDING_H
#define LOCKSTEP_EMBEDDING_H

#include <lockstep/topology.h>

LS_BEGIN_DECLS

typedef struct ls_embedding ls_embedding; /* immutable */

/*
 * Make an embedding.  ls_embedding_make takes the name of a map; ls_embedding_from_map places node
 * r of the guest on node place[r] of the host.
 *
 * Shape      place has an entry for each node of the guest; all entries are different.
 * Owns       The caller owns *out and releases it by ls_embedding_destroy.  Guest and host must
 *            outlive it.  On failure *out is unchanged.
 * Returns    LS_OK
 *            LS_ERR_SPEC         no map has this name; why->text suggests one
 *            LS_ERR_UNSUPPORTED  the map does not fit these networks; why->text gives the remedy
 *            LS_ERR_ARGUMENT     two nodes share a place, a place is out of range, or an argument
 *                                is NULL
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_embedding_make(const ls_topology *guest, const ls_topology *host,
	const char *map, ls_embedding **out, struct ls_error *why_or_null);
LS_API LS_MUST_CHECK int ls_embedding_from_map(const ls_topology *guest, const ls_topology *host,
	const int64_t *place, ls_embedding **out, struct ls_error *why_or_null);
LS_API void ls_embedding_destroy(ls_embedding *);

LS_API const ls_topology *ls_embedding_guest(const ls_embedding *);
LS_API const ls_topology *ls_embedding_host(const ls_embedding *);
/* The rank on the host of a node of the guest, and the reverse; LS_NO_RANK if there is none. */
LS_API int64_t ls_embedding_host_rank(const ls_embedding *, int64_t guest_rank);
LS_API int64_t ls_embedding_guest_rank(const ls_embedding *, int64_t host_rank);

/* Maximum distance on the host between two neighbors of the guest, in hops. */
LS_API int64_t ls_embedding_dilation(const ls_embedding *);
/* Maximum number of messages on a directed link of the host if each guest link carries one. */
LS_API int64_t ls_embedding_congestion(const ls_embedding *);
/* Nodes of the host divided by nodes of the guest. */
LS_API double ls_embedding_expansion(const ls_embedding *);

/* One map by name. */
struct ls_embedding_info {
	size_t size;
	const char *name; /* "gray" */
	const char *text; /* one line */
};
/* List the maps.  Returns false if index is past the last. */
LS_API bool ls_embedding_list(size_t index, struct ls_embedding_info *out);

LS_END_DECLS
#endif
