/*
 * The blocks that go over the links of a word, round by round: one list for all nodes.
 *
 * A list names nodes by their relation: x stands for the node u.x as seen from a node u.  All
 * tables are of one piece of memory, headed by the naming, and live in plan->table.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_SEQUENCE_PATHS_H
#define LSI_COLLECTIVE_CAYLEY_SEQUENCE_PATHS_H

#include "collective/cayley/link_sequence.h"

/* x as seen from `by` is product(by, x). */
struct lsi_relation {
	struct ls_block_map map;
	const struct ls_topology *topology;
};

/*
 * Spreading: entries first[r] .. first[r+1]-1 are the origins of the blocks that every node sends
 * in round r, as seen from the sender, which holds them and whose receiver does not.
 */
struct lsi_sequence_spread {
	struct lsi_relation relation;
	int64_t *first, *origin;
};

bool lsi_sequence_spread_supports(const struct lsi_problem *);
int lsi_sequence_spread_prepare(struct ls_plan *);
/* The blocks of a buffer that `by` sends in a round. */
struct ls_slice lsi_sequence_spread_slice(
	const struct ls_plan *, int buffer, int64_t by, int64_t round);

/*
 * Gathering: which of the blocks that spread reach one node, the root, and over which nodes.
 * Entries are in order of the node, the round in which it sends, and the origin, its own first;
 * nodes and origins as seen from the root.
 */
struct lsi_sequence_hop {
	int64_t key, origin;
}; /* key: node * rounds + round */
struct lsi_sequence_gather {
	struct lsi_relation relation;
	int64_t entries, rounds;
	struct lsi_sequence_hop *hop;
	int64_t *origin; /* of each entry */
};
struct lsi_sequence_range {
	int64_t first, count;
};

bool lsi_sequence_gather_supports(const struct lsi_problem *);
int lsi_sequence_gather_prepare(struct ls_plan *);
/* The entries of a node in one round; in all. */
struct lsi_sequence_range lsi_sequence_gather_sent(
	const struct lsi_sequence_gather *, int64_t node, int64_t round);
struct lsi_sequence_range lsi_sequence_gather_all(const struct lsi_sequence_gather *, int64_t node);

/*
 * Exchanging: a block of type g goes from any u to u.g.  In round r every node sends the blocks of
 * the types listed in first[r] .. first[r+1]-1; those before last[r] arrive where they belong.  A
 * block lies in slot g or p + g of the scratch, in turn: sent[i] is its slot, and then kept[i] the
 * other, or the origin as seen from where it has arrived.
 */
struct lsi_sequence_exchange {
	struct lsi_relation relation;
	int64_t *first, *last, *sent, *kept;
};

bool lsi_sequence_exchange_supports(const struct lsi_problem *);
int lsi_sequence_exchange_prepare(struct ls_plan *);

#endif
