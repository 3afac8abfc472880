/*
 * Periodic schedules: a vector of B blocks follows a fixed list of hops, block after block.
 *
 * A hop is a directed link and the round `start` in which it carries block 0; it carries block b in
 * round start + b L, where L is the period.  So a node must be free to send, and to receive, in one
 * round of each period for each of its hops.  Plans leave out the rounds without a message, so
 * their rounds are not numbered as those of the schedule, which are called times.
 */
#ifndef LSI_COLLECTIVE_MATCHING_PERIODIC_H
#define LSI_COLLECTIVE_MATCHING_PERIODIC_H

#include "collective/algorithm.h"
#include "topology/kept.h"

struct lsi_periodic_hop {
	int32_t from, to;
	int64_t start;
};

enum lsi_hop_end { LSI_HOP_SENT, LSI_HOP_RECEIVED };

struct lsi_periodic {
	struct lsi_kept kept; /* for schedules that are kept with a topology */
	int64_t nodes, period, hops;
	int64_t last; /* the latest start */
	struct lsi_periodic_hop *hop;
	int64_t *sorted; /* the starts: by start mod period, then by start */
	int32_t *at[2];  /* by node and round mod period: the hop that it sends, receives; or -1 */
};

/* Room for this number of hops; released by lsi_free.  NULL: no memory. */
struct lsi_periodic *lsi_periodic_make(int64_t nodes, int64_t period, int64_t hops);
/* Add a hop; both of its ends are free at its start. */
void lsi_periodic_add(struct lsi_periodic *, int64_t from, int64_t to, int64_t start);
/* After the last hop. */
void lsi_periodic_finish(struct lsi_periodic *);

/* All times from 0 to the last message. */
int64_t lsi_periodic_span(const struct lsi_periodic *, int64_t blocks);

/*
 * For the functions of algorithms, whose schedules are NULL without memory.
 *
 * The blocks of a plan: at most `segments`, so that it has a limited number of times; 0: no memory.
 */
int64_t lsi_periodic_blocks(const struct lsi_periodic *, int64_t segments);
/* -1 each: no memory for the schedule, or for that which gave the blocks. */
struct ls_counts lsi_periodic_counts(const struct lsi_periodic *, int64_t blocks, size_t n);

/* The table of a plan begins with this; zero at first, released by lsi_periodic_release. */
struct lsi_periodic_table {
	const struct lsi_periodic *schedule;
	int64_t *times; /* per round */
};
/* Set the schedule, the times and the number of rounds.  LS_OK or LS_ERR_MEMORY. */
LS_MUST_CHECK int lsi_periodic_prepare(struct ls_plan *, const struct lsi_periodic *);
void lsi_periodic_release(struct ls_plan *);
void lsi_periodic_peers(const struct ls_plan *, int64_t rank, int64_t round, struct lsi_peers *);
/* The hop that a node sends or receives in a round, and its block; -1: none. */
int64_t lsi_periodic_at(
	const struct ls_plan *, enum lsi_hop_end, int64_t rank, int64_t round, int64_t *block);

#endif
