/*
 * Common functions of the Cayley graphs on the permutations of N symbols: ranks as in
 * permutation.h, labels, and N - 1 generators, the links k = 2..N.  Generator k rearranges
 * position k and lower ones, and is its own inverse.
 */
#ifndef LSI_TOPOLOGY_CAYLEY_H
#define LSI_TOPOLOGY_CAYLEY_H

#include "topology/topology_internal.h"

/* Fields of a struct lsi_network; most, neighbor, distance, first_hop and diameter are its own. */
#define LSI_CAYLEY_FIELDS \
	.form = "N", .least = 1, .init = lsi_cayley_init, .degree = lsi_cayley_degree, \
	.reverse = lsi_cayley_reverse, .link_to = lsi_cayley_link_to, .product = lsi_cayley_product, \
	.inverse = lsi_cayley_inverse, .unit = lsi_cayley_unit, .part = lsi_cayley_part, \
	.link_label = lsi_cayley_link_label, .label = lsi_cayley_label, .rank_of = lsi_cayley_rank_of

int lsi_cayley_init(struct ls_topology *, struct ls_error *why);
int64_t lsi_cayley_degree(const struct ls_topology *, int64_t rank);
int64_t lsi_cayley_reverse(const struct ls_topology *, int64_t rank, int64_t link);
int64_t lsi_cayley_link_to(const struct ls_topology *, int64_t from, int64_t to);
int64_t lsi_cayley_product(const struct ls_topology *, int64_t by, int64_t x);
int64_t lsi_cayley_inverse(const struct ls_topology *, int64_t rank);
bool lsi_cayley_unit(const struct ls_topology *, char *spec, size_t size);
int64_t lsi_cayley_part(const struct ls_topology *, int64_t nodes);
int64_t lsi_cayley_link_label(const struct ls_topology *, int64_t link);
void lsi_cayley_label(const struct ls_topology *, int64_t rank, char text[LSI_LABEL_MAX]);
int64_t lsi_cayley_rank_of(const struct ls_topology *, const char *text);

/*
 * Where each symbol of `from` belongs in `to`.  A route from `from` to `to` takes the same links as
 * one from this permutation to the identity.
 */
struct lsi_permutation lsi_cayley_homes(const struct ls_topology *, int64_t from, int64_t to);

#endif
