/*
 * The link sequence of each kind of network that is not a product, as functions of the numbers in
 * its spec.
 *
 * link_sequence.h lists the sequences; a product uses those of its factors.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_SEQUENCE_FAMILIES_H
#define LSI_COLLECTIVE_CAYLEY_SEQUENCE_FAMILIES_H

#include "collective/cayley/link_sequence.h"

struct lsi_sequence_family {
	const struct lsi_network *network;
	int64_t (*rounds)(const struct ls_topology *);
	int64_t (*link)(const struct ls_topology *, int64_t round);
	int64_t (*period)(const struct ls_topology *, int64_t link);
	struct lsi_sequence_costs (*costs)(const struct ls_topology *);
};

/* The family of a network; NULL: it has no link sequence, or is a product. */
const struct lsi_sequence_family *lsi_sequence_family_of(const struct ls_topology *);

/*
 * The costs of a product of two networks, `inner` with the earlier links.  A displacement of the
 * product is a pair of displacements.  A gather first runs in all copies of `inner`, one per node
 * of `outer`, and then once in `outer`.
 */
struct lsi_sequence_costs lsi_sequence_costs_join(int64_t inner_nodes,
	struct lsi_sequence_costs inner, int64_t outer_nodes, struct lsi_sequence_costs outer);

#endif
