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

/* The hop that a node sends or receives at a time, and its block; -1: none. */
int64_t lsi_periodic_at(const struct lsi_periodic *, enum lsi_hop_end, int64_t rank, int64_t time,
	int64_t blocks, int64_t *block);

/* All times from 0 to the last message. */
int64_t lsi_periodic_span(const struct lsi_periodic *, int64_t blocks);

/* The blocks of a plan: at most `segments`, so that it has a limited number of times. */
int64_t lsi_periodic_blocks(int64_t segments, int64_t period);

/* For the functions of algorithms. */
struct lsi_times {
	int64_t rounds;
	int64_t of[]; /* per round of the plan */
};
/* Released by lsi_free; NULL: no memory. */
struct lsi_times *lsi_periodic_times(const struct lsi_periodic *, int64_t blocks);
struct ls_counts lsi_periodic_counts(const struct lsi_periodic *, int64_t blocks, size_t n);
void lsi_periodic_peers(
	const struct lsi_periodic *, int64_t rank, int64_t time, int64_t blocks, struct lsi_peers *);

#endif
