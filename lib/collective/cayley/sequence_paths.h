/*
 * The blocks that cross the links of a sequence, round by round: one list serves all nodes.
 *
 * A list names nodes relative to a node u: x stands for u.x (link_sequence.h).  All tables of a
 * plan are one piece of memory in plan->table, which begins with the relation.
 */
#ifndef LSI_COLLECTIVE_CAYLEY_SEQUENCE_PATHS_H
#define LSI_COLLECTIVE_CAYLEY_SEQUENCE_PATHS_H

#include "collective/cayley/link_sequence.h"

/* The frame of a plan that stores a block of every node in scratch, in the slot of its origin. */
static inline struct lsi_frame lsi_sequence_frame(const struct lsi_problem *problem)
{
	const int64_t p = problem->nodes;

	return (struct lsi_frame){ .rounds = lsi_sequence_rounds(problem->topology),
		.blocks = p,
		.has_prologue = true,
		.scratch[0] = { p, 1 } };
}

/* x relative to `by` is product(by, x). */
struct lsi_relation {
	struct ls_block_map map;
	const struct ls_topology *topology;
};

/*
 * Spread: the entries first[r] .. first[r+1]-1 are the origins, relative to the sender, of the
 * blocks that every node sends in round r.  The sender has these blocks, and the receiver does not.
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
 * Gather: the blocks that one node, the root, receives in the spread, and their paths.  Entries are
 * sorted by the node, the round in which it sends, and the origin, with its own block first.  Nodes
 * and origins are relative to the root.
 */
struct lsi_sequence_hop {
	int64_t key; /* node * rounds + round */
	int64_t origin;
};
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
/* The entries of a node in one round; in all rounds. */
struct lsi_sequence_range lsi_sequence_gather_sent(
	const struct lsi_sequence_gather *, int64_t node, int64_t round);
struct lsi_sequence_range lsi_sequence_gather_all(const struct lsi_sequence_gather *, int64_t node);

/*
 * Exchange: a block of type g goes from each u to u.g.  In round r every node sends the blocks of
 * the types in first[r] .. first[r+1]-1.  From passing[r] on, they must hop again; the types before
 * have reached their destination.  A block alternates between the scratch slots g and p + g.
 * sent[i] is its slot before the hop.  kept[i] is its slot after the hop or, at its destination,
 * its origin relative to the receiver.
 */
struct lsi_sequence_exchange {
	struct lsi_relation relation;
	int64_t *first, *passing, *sent, *kept;
};

bool lsi_sequence_exchange_supports(const struct lsi_problem *);
int lsi_sequence_exchange_prepare(struct ls_plan *);

#endif
