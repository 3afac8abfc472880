/*
 * Parcels: blocks that travel each along the shortest path of first hops, alone or together.
 *
 * The schedule is made round by round under the one-port rule: of the packets that wait, those with
 * the most hops to go are served first, as far as their next node is still free to receive.  Either
 * a message is one parcel, or it takes along all that wait for its link.  Serves every operation
 * that brings blocks from one node to another, on every network in hop mode.
 *
 * A parcel of the all-to-all is called source * p + destination, one of a shift source.
 */
#ifndef LSI_COLLECTIVE_DIRECT_PACKETS_H
#define LSI_COLLECTIVE_DIRECT_PACKETS_H

#include "collective/algorithm.h"

/*
 * One hop.  The parcel is taken from a slot at `from`, -1 where it is at home, and put into one at
 * `to`, -1 where it is at its destination.  Together, a parcel for d is at home in slot d.
 */
struct lsi_packet_hop {
	int32_t round, from, to, packet, taken, put;
};

struct lsi_packets {
	int64_t rounds, messages, hops;
	int64_t volume;             /* sum over the rounds of the longest message */
	int64_t slots;              /* most at one node */
	struct lsi_packet_hop *hop; /* by rounds, in these by messages; of a message */
								/* those with the most hops to go first */
	int32_t *at[2];             /* hops that node u sends, receives, by rounds: */
	int64_t *first[2];          /* at[..][first[..][u] .. first[..][u + 1] - 1] */
	int32_t *used;              /* slots of each node */
};

/* Whether the schedule is of a size that memory holds. */
bool lsi_packets_fit(const struct lsi_problem *);

/* One object, released by lsi_free; NULL: no memory. */
struct lsi_packets *lsi_packets_make(const struct lsi_problem *, bool together);

/* The message that a node sends, receives in a round; count 0: none. */
struct lsi_packet_message {
	const struct lsi_packet_hop *hop;
	int64_t count;
};

struct lsi_packet_message lsi_packets_sent(const struct lsi_packets *, int64_t rank, int64_t round);
struct lsi_packet_message lsi_packets_received(
	const struct lsi_packets *, int64_t rank, int64_t round);

#endif
