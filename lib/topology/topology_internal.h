/*
 * The contract of an interconnection network, and the internal queries of a topology.
 *
 * Adding a network is one file with a const struct lsi_network and one line in the table
 * LSI_NETWORKS; it is then parsed, listed, and offered to every algorithm that supports it.
 *
 * Vertices 0 .. nodes-1 are the processors.  A network with switches has further vertices, up to
 * vertices-1; they take part in degrees, links, distances and routes, and have labels.
 */
#ifndef LSI_TOPOLOGY_TOPOLOGY_INTERNAL_H
#define LSI_TOPOLOGY_TOPOLOGY_INTERNAL_H

#include <lockstep/topology.h>

#include "base/atomic.h"
#include "topology/permutation.h"

enum {
	LSI_NUMBERS_MAX = 64, /* numbers in a spec: sides of a grid */
	LSI_LABEL_MAX = 256,  /* bytes of a label, the closing 0 included */
	LSI_UNIT_NODES = 64
};

/* Whether ranks are row-major coordinates in the box whose sides are the numbers of the spec. */
enum lsi_grid { LSI_GRID_NONE, LSI_GRID_OPEN, LSI_GRID_WRAPPED };

struct lsi_layout;

/*
 * One kind of network.
 *
 * Except for init and destroy every function is pure: no allocation, no shared state, any thread.
 * Callers guarantee ranks below vertices, links below degree(rank), and from != to in first_hop.
 *
 * A network whose labels are the ranks leaves label and rank_of NULL; one whose links are labeled
 * from 0 leaves link_label NULL.
 */
struct lsi_network {
	const char *name; /* of the spec, before the colon */
	const char *form; /* of the spec, after it: "RxC[xD..]" */
	const char *text; /* one line for people */
	/*
	 * Specs that tests and lists iterate, up to NULL: the first as people would try it, then
	 * degenerate sizes, odd and even ones, and one of some hundred nodes.
	 */
	const char *const *examples;
	char separator;      /* between the numbers of the spec; 0: there is one number */
	int64_t least, most; /* the range of each number; most 0: no numbers */
	enum lsi_grid grid;

	/* From t->number or t->spec set nodes, links, degree and, when there are switches, vertices. */
	int (*init)(struct ls_topology *t, struct ls_error *why);
	/* Release t->state; NULL: no state. */
	void (*destroy)(struct ls_topology *t);

	int64_t (*degree)(const struct ls_topology *t, int64_t rank);
	int64_t (*neighbor)(const struct ls_topology *t, int64_t rank, int64_t link);
	/* Optional: over one link, which the vertices first .. first+count-1 all have. */
	void (*neighbors)(
		const struct ls_topology *t, int64_t first, int64_t count, int64_t link, int64_t *neighbor);
	int64_t (*reverse)(const struct ls_topology *t, int64_t rank, int64_t link);
	int64_t (*distance)(const struct ls_topology *t, int64_t from, int64_t to);
	int64_t (*first_hop)(const struct ls_topology *t, int64_t from, int64_t to);
	int64_t (*diameter)(const struct ls_topology *t);
	/* Optional: the link between two vertices, -1: none.  NULL: distance and first_hop serve. */
	int64_t (*link_to)(const struct ls_topology *t, int64_t from, int64_t to);
	/* Optional: hops to the farthest processor. */
	int64_t (*eccentricity)(const struct ls_topology *t, int64_t rank);

	/*
	 * Of Cayley graphs, whose ranks are the elements of a group with 0 as the identity: the product
	 * by * x.  Every link is a generator: neighbor(r, l) == product(r, neighbor(0, l)), the same l
	 * everywhere.  NULL for other networks.  A Cartesian product always sets it; it is defined only
	 * if all factors are Cayley graphs, see lsi_topology_is_group.
	 */
	int64_t (*product)(const struct ls_topology *t, int64_t by, int64_t x);
	/* The x with product(rank, x) == 0. */
	int64_t (*inverse)(const struct ls_topology *t, int64_t rank);

	/* Of Cartesian products: the factors, most significant first; NULL for other networks. */
	int (*factors)(const struct ls_topology *t);
	const struct ls_topology *(*factor)(const struct ls_topology *t, int i);

	/*
	 * Optional: the spec of a unit, a network of at most LSI_UNIT_NODES nodes of which this one has
	 * several copies: node r is node r % n of copy r / n, if the unit has n nodes.  The links of
	 * the unit have the same numbers in both.  False: there is no unit.
	 */
	bool (*unit)(const struct ls_topology *t, char *spec, size_t size);

	/*
	 * Optional: the network is cut into parts of equal size, which are ranges of ranks, and each
	 * part again.  The size of the parts of a part of `nodes` nodes, and of the network itself;
	 * called with nodes > 1 only.  NULL: the parts are single nodes.
	 */
	int64_t (*part)(const struct ls_topology *t, int64_t nodes);

	int64_t (*link_label)(const struct ls_topology *t, int64_t link);
	void (*label)(const struct ls_topology *t, int64_t rank, char text[LSI_LABEL_MAX]);
	/* May return any number for a text that is not a label: compare with label(rank). */
	int64_t (*rank_of)(const struct ls_topology *t, const char *label);

	/* Ways to draw it, as in layout.h: LSI_LAYOUTS(..), the default first.  NULL: a circle. */
	const struct lsi_layout *layouts;
};

#define LSI_EXAMPLES(...) \
	(const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

/* The table of networks, in the order of `lockstep list topologies`. */
#define LSI_NETWORKS(X) \
	X(linear) \
	X(ring) \
	X(mesh) \
	X(torus) \
	X(hypercube) \
	X(complete) \
	X(star) \
	X(tree) \
	X(bintree) \
	X(debruijn) \
	X(pancake) \
	X(bubblesort) \
	X(mct) \
	X(product) \
	X(graph)

#define LSI_DECLARE_NETWORK(name) extern const struct lsi_network lsi_network_##name;
LSI_NETWORKS(LSI_DECLARE_NETWORK)
#undef LSI_DECLARE_NETWORK

struct lsi_kept;

/* Immutable once made, except for the objects of kept.h. */
struct ls_topology {
	const struct lsi_network *network;
	const char *spec;
	int64_t nodes, vertices;
	int64_t links;                        /* undirected; INT64_MAX: at least as many */
	int64_t degree;                       /* the greatest of any vertex */
	void *state;                          /* of networks that the numbers do not fix */
	LSI_ATOMIC(struct lsi_kept *) * kept; /* the first object; NULL: a part of a network */
	int numbers;
	int64_t number[]; /* of the spec, in its order */
};

static inline bool lsi_topology_is(const struct ls_topology *t, const struct lsi_network *network)
{
	return t->network == network;
}

/* Whether every vertex is a processor: hop mode needs neighbors that can receive. */
static inline bool lsi_topology_is_direct(const struct ls_topology *t)
{
	return t->vertices == t->nodes;
}

/*
 * A lower bound on the hops to the farthest processor; exact for networks with `eccentricity`, for
 * Cayley graphs, and for products of these.
 */
int64_t lsi_topology_eccentricity(const ls_topology *, int64_t rank);

/* The neighbors of vertices first .. first+count-1 over one link; LS_NO_RANK: it has none. */
void lsi_neighbors(
	const ls_topology *, int64_t first, int64_t count, int64_t link, int64_t *neighbor);

/*
 * Grids (ls_topology_dims): nodes on one line along a dimension are multiples of its stride apart.
 * The links that a node has are numbered from the last dimension to the first, up before down.  So
 * mesh:2x2x2, torus:2x2x2 and hypercube:3 agree in every link.
 */
int64_t lsi_topology_stride(const ls_topology *, int dim);

/* Whether the network has product and inverse, itself or in all its factors. */
bool lsi_topology_is_group(const ls_topology *);

/* The number of factors of a product or mct, none of them a product; 0 for every other network. */
int lsi_topology_factors(const ls_topology *);
const ls_topology *lsi_topology_factor(const ls_topology *, int i);

/* Make a unit of the network, see the field `unit`; the caller destroys it. */
int lsi_topology_unit(const ls_topology *, ls_topology **out, struct ls_error *why);
bool lsi_topology_has_units(const ls_topology *);
/* The number of last sides that make a unit; 0: none. */
typedef int64_t lsi_side_length(const struct ls_topology *, int dim);
int lsi_unit_sides(const struct ls_topology *, int sides, lsi_side_length *);
/* The field `unit` of a product: the last factors, or a unit of the last one. */
bool lsi_product_unit(const struct ls_topology *, char *spec, size_t size);

/* The field `part`, for every network: `nodes` is that of the network, or a part; 1: no parts. */
int64_t lsi_topology_part(const ls_topology *, int64_t nodes);
/* The field `part` of a product: the last factors, and parts of the factor before them. */
int64_t lsi_product_part(const struct ls_topology *, int64_t nodes);

/*
 * A route, hop by hop:
 *
 *     struct lsi_route route = lsi_route_begin(from, to);
 *     while (lsi_route_hop(t, &route))
 *         ... the hop from route.from over route.link to route.at ...
 */
struct lsi_route {
	int64_t from, link, at, to;
};

static inline struct lsi_route lsi_route_begin(int64_t from, int64_t to)
{
	return (struct lsi_route){ .from = from, .link = -1, .at = from, .to = to };
}

static inline bool lsi_route_hop(const ls_topology *t, struct lsi_route *route)
{
	if (route->at == route->to)
		return false;
	route->from = route->at;
	route->link = t->network->first_hop(t, route->from, route->to);
	route->at = t->network->neighbor(t, route->from, route->link);
	return true;
}

/*
 * Read a decimal number: digits only.  Returns the text after it, or NULL if there is no digit;
 * *number is INT64_MAX when it does not fit.
 */
const char *lsi_read_number(const char *text, int64_t *number);

#endif
