/*
 * Topologies: who is wired to whom.
 *
 * An interconnection network is a symmetric directed graph.  Its processors have the ranks
 * 0 .. nodes-1, its switches, where it has any, nodes .. vertices-1; the links of either have the
 * indices 0 .. degree-1, local to it.  A topology is immutable and takes one or two kilobytes
 * whatever its size, but for graph:FILE, which takes 2 bytes for each pair of nodes; all queries
 * are pure functions, safe from any thread.
 *
 *   symmetric   neighbor(neighbor(r, l), reverse(r, l)) == r
 *   metric      distance(r, s) is 0 iff r == s, and 1 iff s is a neighbor of r
 *   progress    distance(neighbor(r, first_hop(r, s)), s) == distance(r, s) - 1 for r != s
 *
 * The route from r to s follows first_hop; it is deterministic and a shortest path.
 */
#ifndef LOCKSTEP_TOPOLOGY_H
#define LOCKSTEP_TOPOLOGY_H

#include <lockstep/status.h>

LS_BEGIN_DECLS

typedef struct ls_topology ls_topology;

enum { LS_NO_RANK = -1 };               /* where a rank is expected: no node */
#define LS_NODES_MAX ((int64_t)1 << 62) /* most nodes a topology may have */

/*
 * Make the topology that a spec describes: "ring:8", "torus:4x4", "star:5"; "star:4*ring:3*ring:3",
 * the Cartesian product of two or more, the first the most significant of the rank; "graph:FILE",
 * the connected graph with a line `u v` for each edge, the nodes numbered from 0, at most 16,384 of
 * them, with comments from `#` on.  The name of the file ends the spec, or ends before a `*`.
 *
 * Owns       *out is the caller's, to be given to ls_topology_destroy; untouched on failure.
 * Returns    LS_OK
 *            LS_ERR_SPEC      why->text says what is wrong in the spec, or in the file that it
 *                             names, and what would be right
 *            LS_ERR_ARGUMENT  spec or out is NULL
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_topology_make(
	const char *spec, ls_topology **out, struct ls_error *why_or_null);
LS_API void ls_topology_destroy(ls_topology *);

LS_API const char *ls_topology_spec(const ls_topology *); /* "torus:4x4" */
LS_API const char *ls_topology_kind(const ls_topology *); /* "torus" */
LS_API int64_t ls_topology_nodes(const ls_topology *);    /* processors */
LS_API int64_t ls_topology_vertices(const ls_topology *); /* processors, then switches */
LS_API int64_t ls_topology_links(const ls_topology *);    /* undirected; INT64_MAX: or more */
LS_API int64_t ls_topology_degree(const ls_topology *);   /* most links of any vertex */
LS_API int64_t ls_topology_diameter(const ls_topology *); /* hops, between processors */

/*
 * One node, link or pair.
 *
 * Returns    -1 for a rank or link that does not exist, and for the first hop from a node to itself
 */
LS_API int64_t ls_degree(const ls_topology *, int64_t rank);
LS_API int64_t ls_neighbor(const ls_topology *, int64_t rank, int64_t link);
LS_API int64_t ls_reverse(const ls_topology *, int64_t rank, int64_t link); /* link back */
LS_API int64_t ls_distance(const ls_topology *, int64_t from, int64_t to);  /* hops */
LS_API int64_t ls_first_hop(const ls_topology *, int64_t from, int64_t to); /* link */
LS_API int64_t ls_link_to(const ls_topology *, int64_t from, int64_t to);   /* -1: no wire */

/* The network's own number of a link: 2 .. N on permutations of N symbols, the index elsewhere. */
LS_API int64_t ls_link_label(const ls_topology *, int64_t link);

/*
 * Write the label of a rank, as snprintf does; returns its length.  Labels: bits in hypercube:4
 * and debruijn:4, "0110"; coordinates in mesh and torus, "(1,3)"; the permutation in star, pancake
 * and bubblesort, "2134", one character a symbol, a = 10 .. k = 20; those of the factors in a
 * product, "(2134,(1,3))"; of a switch the processors below it, "4-7"; elsewhere the rank.  A rank
 * that does not exist has the label "".
 */
LS_API int ls_label(const ls_topology *, int64_t rank, char *buffer, size_t size);
/* The rank with this label; LS_NO_RANK if there is none. */
LS_API int64_t ls_rank_of(const ls_topology *, const char *label);

/*
 * Grids: linear, ring, mesh, torus.  Dimension 0 is the first of the spec, the most significant of
 * the rank; there are 0 in every other network.
 *
 * Returns    side, coordinate: -1 for a dimension or a rank that does not exist
 */
LS_API int ls_topology_dims(const ls_topology *);
LS_API int64_t ls_topology_side(const ls_topology *, int dim);
LS_API int64_t ls_topology_coordinate(const ls_topology *, int64_t rank, int dim);

/*
 * A Hamiltonian ring: ring[i], 0 <= i < nodes, is the node at position i; nodes at neighboring
 * positions, and at the last and the first, are neighbors in the network.  So a plan for ring:P
 * runs on the network with dilation 1.
 *
 * Returns    LS_OK
 *            LS_ERR_UNSUPPORTED  no ring is known: known are those of star, hypercube, complete,
 *                                ring, and mesh and torus with an even side, of 3 nodes or more
 *            LS_ERR_ARGUMENT     NULL
 */
LS_API LS_MUST_CHECK int ls_topology_hamiltonian(const ls_topology *, int64_t *ring);

/* One kind of network. */
struct ls_topology_info {
	size_t size;
	const char *name;    /* of the spec, before the colon: "mesh" */
	const char *form;    /* of the spec, after the colon: "RxC[xD..]"; of a product: all of it */
	const char *text;    /* one line: "k-dimensional mesh" */
	const char *example; /* a whole spec: "mesh:4x4"; NULL: each needs a file */
};

/*
 * List the kinds of networks.
 *
 * Shape      out->size is set by the caller.
 * Owns       the texts belong to the library and live as long as it.
 * Returns    false: index is past the last kind
 */
LS_API bool ls_topology_list(size_t index, struct ls_topology_info *out);

LS_END_DECLS
#endif
