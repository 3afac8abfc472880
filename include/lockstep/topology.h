/*
 * Topologies: the interconnection networks.
 *
 * A network is an undirected graph.  Its processors have the ranks 0 .. nodes-1.  If the network
 * has switches, they have the numbers nodes .. vertices-1.  Each vertex numbers its own links
 * 0 .. degree-1.
 *
 *   symmetric   neighbor(neighbor(r, l), reverse(r, l)) == r
 *   metric      distance(r, s) is 0 iff r == s, and 1 iff s is a neighbor of r
 *   progress    distance(neighbor(r, first_hop(r, s)), s) == distance(r, s) - 1 for r != s
 *
 * The route from r to s follows first_hop.  It is deterministic and a shortest path.
 *
 * A topology is immutable.  All queries are pure functions, and safe from any thread.  A topology
 * takes at most two kilobytes, and a product of k factors about 1 + k/8 kilobytes, however large
 * the network is; graph:FILE takes 2 bytes for each pair of nodes.
 */
#ifndef LOCKSTEP_TOPOLOGY_H
#define LOCKSTEP_TOPOLOGY_H

#include <lockstep/status.h>

LS_BEGIN_DECLS

typedef struct ls_topology ls_topology;

enum { LS_NO_RANK = -1 };               /* no node, in place of a rank */
#define LS_NODES_MAX ((int64_t)1 << 62) /* maximum number of nodes of a topology */

/*
 * Make the topology that a spec describes.
 *
 *   "ring:8", "torus:4x4", "star:5"   one network; ls_topology_list lists the kinds
 *   "star:4*ring:3*ring:3"            Cartesian product; the first factor is the most significant
 *                                     part of the rank
 *   "graph:FILE"                      a connected graph; FILE has a line `u v` for each edge, nodes
 *                                     numbered from 0, at most 16,384, and comments after `#`
 *
 * Owns       The caller owns *out and releases it by ls_topology_destroy.  On failure *out is
 *            unchanged.
 * Returns    LS_OK
 *            LS_ERR_SPEC      the spec or its file is malformed; why->text gives the remedy
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
LS_API int64_t ls_topology_links(const ls_topology *);    /* undirected; saturates at INT64_MAX */
LS_API int64_t ls_topology_degree(const ls_topology *);   /* maximum over all vertices */
LS_API int64_t ls_topology_diameter(const ls_topology *); /* maximum distance of two processors */

/*
 * Queries about one vertex, one link or one pair of vertices; each may also be a switch.
 *
 * Returns    -1 for a vertex or link that does not exist, and for the first hop from a vertex to
 *            itself
 */
LS_API int64_t ls_degree(const ls_topology *, int64_t rank);
LS_API int64_t ls_neighbor(const ls_topology *, int64_t rank, int64_t link);
/* The neighbor's link that leads back. */
LS_API int64_t ls_reverse(const ls_topology *, int64_t rank, int64_t link);
LS_API int64_t ls_distance(const ls_topology *, int64_t from, int64_t to);  /* hops */
LS_API int64_t ls_first_hop(const ls_topology *, int64_t from, int64_t to); /* link at `from` */
LS_API int64_t ls_link_to(const ls_topology *, int64_t from, int64_t to);   /* -1: not a neighbor */

/*
 * The number of a link in the literature: 2 .. N in networks of permutations of N symbols.  In all
 * other networks it is the link's index.
 */
LS_API int64_t ls_link_label(const ls_topology *, int64_t link);

/*
 * Write the label of a rank; returns its length, as snprintf does.
 *
 *   hypercube, debruijn         bits: "0110"
 *   mesh, torus                 coordinates: "(1,3)"
 *   star, pancake, bubblesort   the permutation: "2134"; the symbols 10 .. 20 are a .. k
 *   product                     labels of the factors: "(2134,(1,3))"
 *   a switch                    the processors below it: "4-7"
 *   all others                  the rank
 *   a rank that does not exist  ""
 */
LS_API int ls_label(const ls_topology *, int64_t rank, char *buffer, size_t size);
/* The rank with this label; LS_NO_RANK if no rank has it. */
LS_API int64_t ls_rank_of(const ls_topology *, const char *label);

/*
 * Dimensions of a grid: linear, ring, mesh or torus.  Dimension 0 is the first side in the spec and
 * the most significant part of the rank.  All other networks have 0 dimensions.
 *
 * Returns    For side and coordinate: -1 for a dimension or a rank that does not exist.
 */
LS_API int ls_topology_dims(const ls_topology *);
LS_API int64_t ls_topology_side(const ls_topology *, int dim);
LS_API int64_t ls_topology_coordinate(const ls_topology *, int64_t rank, int dim);

/*
 * Find a Hamiltonian ring: each node ring[i] is a neighbor of ring[(i + 1) mod nodes].  A plan for
 * ring:P runs along it with dilation 1.
 *
 * Shape      ring has ls_topology_nodes() entries.
 * Returns    LS_OK
 *            LS_ERR_UNSUPPORTED  no ring is known.  Rings are known for star, hypercube, complete
 *                                and ring, for torus with an even side, and for mesh with an even
 *                                side and another side above 1, each with at least 3 nodes.
 *            LS_ERR_ARGUMENT     an argument is NULL
 */
LS_API LS_MUST_CHECK int ls_topology_hamiltonian(const ls_topology *, int64_t *ring);

/*
 * Compute where to draw each vertex.
 *
 * The same call always gives the same positions.  A link is a straight line between its vertices,
 * except for the links around a torus and short links beside a circle, which a drawing bends.
 *
 * layout     a name of ls_layout_list, or else a file with a line `rank x y` for each vertex, y
 *            down; or the output of `neato -Tplain`.  NULL: the first name of ls_layout_list
 * Shape      xy has 2 * ls_topology_vertices() entries: x and y of vertex 0, of vertex 1, ..
 * Units      x to the right, y down; short links are about 1 long, and vertices at least 0.4 apart.
 * Returns    LS_OK
 *            LS_ERR_SPEC      no such layout and no such file, or the file is malformed; why->text
 *                             gives the line and the remedy
 *            LS_ERR_ARGUMENT  the topology or xy is NULL
 *            LS_ERR_MEMORY
 */
LS_API LS_MUST_CHECK int ls_layout(
	const ls_topology *, const char *layout_or_null, double *xy, struct ls_error *why_or_null);

/* The name of a layout of this network: index 0 is the default; NULL: index is past the last. */
LS_API const char *ls_layout_list(const ls_topology *, size_t index);

/* One kind of network. */
struct ls_topology_info {
	size_t size;
	const char *name;    /* before the colon of a spec: "mesh" */
	const char *form;    /* after the colon: "RxC[xD..]"; of a product, the whole spec */
	const char *text;    /* one line: "k-dimensional mesh" */
	const char *example; /* a whole spec: "mesh:4x4"; NULL if every spec needs a file */
};

/*
 * List the kinds of networks.
 *
 * Shape      The caller sets out->size.
 * Owns       The texts are constants of the library.
 * Returns    false if index is past the last kind
 */
LS_API bool ls_topology_list(size_t index, struct ls_topology_info *out);

LS_END_DECLS
#endif
