/*
 * Broadcast trees whose rounds are largest matchings.
 *
 * In each round as many uninformed nodes as possible receive, from informed neighbors.  Among the
 * largest matchings the search takes one whose receivers have most to do: the time that the
 * shortest paths behind them need, then the uninformed neighbors that few others can inform.
 * Several tries with random ties are made, with fixed seeds.  The first tree of the fewest rounds
 * is kept with the topology.  The order of sends on the tree is that of spanning_tree.h.
 */
#ifndef LSI_COLLECTIVE_MATCHING_MATCHING_TREE_H
#define LSI_COLLECTIVE_MATCHING_MATCHING_TREE_H

#include "topology/kept.h"

enum { LSI_MATCHING_NODES = 2048 };

struct lsi_matching_tree {
	struct lsi_kept kept;
	int64_t rounds;
	int64_t volume, hops; /* of a gather that sends whole subtrees; see spanning_tree.h */
	int32_t parent[];     /* the root: -1 */
};

/* At most LSI_MATCHING_NODES nodes and no switches; NULL: no memory. */
const struct lsi_matching_tree *lsi_matching_tree_of(const struct ls_topology *, int64_t root);

#endif
