/*
 * The blocks that go over the links of a word, round by round: one list for all nodes.
 *
 * A list names nodes by their relation: x stands for the node u.x as seen from a node u.  All
 * tables are of one piece of memory, headed by the naming, and live in plan->table.
 */
#ifndef LS_COLLECTIVE_WORD_PATH_H
#define LS_COLLECTIVE_WORD_PATH_H

#include "collective/word.h"

/* x as seen from `by` is product(by, x). */
struct ls_relation {
	struct ls_naming naming;
	const struct ls_topology *topology;
};

/*
 * Spreading: entries first[r] .. first[r+1]-1 are the origins of the blocks that every node sends
 * in round r, as seen from the sender, which holds them and whose receiver does not.
 */
struct ls_word_spread {
	struct ls_relation relation;
	int64_t *first, *origin;
};

bool ls_word_spread_supports(const struct ls_problem *);
int ls_word_spread_prepare(struct ls_plan *);
/* The blocks of a buffer that `by` sends in a round. */
struct ls_slice ls_word_spread_slice(const struct ls_plan *, int buffer, int64_t by, int64_t round);

/*
 * Gathering: which of the blocks that spread reach one node, the root, and over which nodes.
 * Entries are in order of the node, the round in which it sends, and the origin, its own first;
 * nodes and origins as seen from the root.
 */
struct ls_word_hop { int64_t key, origin; };      /* key: node * rounds + round */
struct ls_word_gather {
	struct ls_relation relation;
	int64_t entries, rounds;
	struct ls_word_hop *hop;
	int64_t *origin;                          /* of each entry */
};
struct ls_word_range { int64_t first, count; };

bool ls_word_gather_supports(const struct ls_problem *);
int ls_word_gather_prepare(struct ls_plan *);
/* The entries of a node in one round; in all. */
struct ls_word_range ls_word_gather_sent(
	const struct ls_word_gather *, int64_t node, int64_t round);
struct ls_word_range ls_word_gather_all(const struct ls_word_gather *, int64_t node);

/*
 * Exchanging: a block of type g goes from any u to u.g.  In round r every node sends the blocks of
 * the types listed in first[r] .. first[r+1]-1; those before last[r] arrive where they belong.  A
 * block lies in slot g or p + g of the scratch, in turn: sent[i] is its slot, and then kept[i] the
 * other, or the origin as seen from where it has arrived.
 */
struct ls_word_exchange {
	struct ls_relation relation;
	int64_t *first, *last, *sent, *kept;
};

bool ls_word_exchange_supports(const struct ls_problem *);
int ls_word_exchange_prepare(struct ls_plan *);

#endif
