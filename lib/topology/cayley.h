/*
 * What the Cayley graphs on the permutations of N symbols share: ranks as in permutation.h, labels,
 * and N - 1 generators, of which link k = 2..N is the k-th.  Each generator rearranges positions,
 * position k and lower ones, and is its own inverse.
 */
#ifndef LS_TOPOLOGY_CAYLEY_H
#define LS_TOPOLOGY_CAYLEY_H

#include "topology/topology.h"

/* Fields of a struct ls_network; most, neighbor, distance, first_hop and diameter are its own. */
#define LS_CAYLEY_FIELDS \
	.form = "N", .least = 1, .init = ls_cayley_init, \
	.degree = ls_cayley_degree, .reverse = ls_cayley_reverse, .link_to = ls_cayley_link_to, \
	.product = ls_cayley_product, .inverse = ls_cayley_inverse, \
	.link_label = ls_cayley_link_label, .label = ls_cayley_label, .rank_of = ls_cayley_rank_of

int ls_cayley_init(struct ls_topology *, struct ls_error *why);
int64_t ls_cayley_degree(const struct ls_topology *, int64_t rank);
int64_t ls_cayley_reverse(const struct ls_topology *, int64_t rank, int64_t link);
int64_t ls_cayley_link_to(const struct ls_topology *, int64_t from, int64_t to);
int64_t ls_cayley_product(const struct ls_topology *, int64_t by, int64_t x);
int64_t ls_cayley_inverse(const struct ls_topology *, int64_t rank);
int64_t ls_cayley_link_label(const struct ls_topology *, int64_t link);
void ls_cayley_label(const struct ls_topology *, int64_t rank, char text[LS_LABEL_MAX]);
int64_t ls_cayley_rank_of(const struct ls_topology *, const char *text);

/*
 * Where each symbol of `from` belongs in `to`.  A route from `from` to `to` takes the same links as
 * one from this permutation to the identity.
 */
struct ls_permutation ls_cayley_homes(const struct ls_topology *, int64_t from, int64_t to);

#endif
