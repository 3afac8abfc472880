/*
 * Embeddings: the nodes of one network, the guest, placed on nodes of another, the host.
 *
 * A plan made for the guest runs on the host: its messages follow the routes of the host, in hop
 * mode where every link of the guest is a link of the host.
 *
 *   identity      node r on node r
 *   gray          by reflected Gray codes: linear arrays, meshes, and rings and tori with even
 *                 sides, on a hypercube with dilation 1; a hypercube on a grid of as many nodes
 *                 with sides that are powers of 2
 *   hamiltonian   a ring along a Hamiltonian ring of the host, a linear array along a part of it
 */
#ifndef LOCKSTEP_EMBEDDING_H
#define LOCKSTEP_EMBEDDING_H

#include <lockstep/topology.h>

LS_BEGIN_DECLS

typedef struct ls_embedding ls_embedding; /* immutable */

/*
 * ls_embedding_make places by the name of a map; ls_embedding_from_map puts node r on node
 * place[r], which must all be different.
 *
 * Owns       *out is the caller's, to be given to ls_embedding_destroy; guest and host stay the
 *            caller's and must outlive it; untouched on failure
 * Returns    LS_OK
 *            LS_ERR_SPEC         no map of this name; why->text names the nearest
 *            LS_ERR_UNSUPPORTED  the map does not fit the networks; why->text says what would
 *            LS_ERR_ARGUMENT     place is no placement; something is NULL
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_embedding_make(const ls_topology *guest, const ls_topology *host,
	const char *map, ls_embedding **out, struct ls_error *why_or_null);
LS_API LS_MUST_CHECK int ls_embedding_from_map(const ls_topology *guest, const ls_topology *host,
	const int64_t *place, ls_embedding **out, struct ls_error *why_or_null);
LS_API void ls_embedding_destroy(ls_embedding *);

LS_API const ls_topology *ls_embedding_guest(const ls_embedding *);
LS_API const ls_topology *ls_embedding_host(const ls_embedding *);
LS_API int64_t ls_embedding_host_rank(
	const ls_embedding *, int64_t rank); /* of the guest; -1: none */
LS_API int64_t ls_embedding_guest_rank(
	const ls_embedding *, int64_t place); /* of the host; -1: none */

LS_API int64_t ls_embedding_dilation(const ls_embedding *); /* most hops of a link of the guest */
/* Most messages on a directed link of the host when each of the guest is crossed by one. */
LS_API int64_t ls_embedding_congestion(const ls_embedding *);
LS_API double ls_embedding_expansion(const ls_embedding *); /* nodes of the host : of the guest */

/* The maps; false past the last. */
struct ls_embedding_info {
	size_t size;
	const char *name, *text;
};
LS_API bool ls_embedding_list(size_t index, struct ls_embedding_info *out);

LS_END_DECLS
#endif
