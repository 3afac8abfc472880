/*
 * Store-and-forward packets: each block travels along the shortest path of first hops.
 *
 * The scheduler works round by round under the one-port rule.  Packets wait at a node for the link
 * of their next hop.  A round serves the packets with the most hops left first, unless their next
 * node already receives in this round.  A message is one packet or, with `together`, all packets
 * that wait for the link.  The schedule serves the all-to-all and the shift, in hop mode, on every
 * network without switches.
 *
 * The number of a packet is source * p + destination in an all-to-all, and the source in a shift.
 */
#ifndef LSI_COLLECTIVE_DIRECT_PACKETS_H
#define LSI_COLLECTIVE_DIRECT_PACKETS_H

#include "collective/algorithm.h"
#include "topology/kept.h"

/*
 * One hop.  `taken` is the slot at `from`.  A packet at its source has no slot, -1; with `together`
 * it has the slot of its destination's number.  `put` is the slot at `to`, -1 if that is its
 * destination.
 */
struct lsi_packet_hop {
	int32_t round, from, to, packet, taken, put;
};

/* The two ends of a message. */
enum { LSI_SENT, LSI_RECEIVED };

struct lsi_packets {
	struct lsi_kept kept; /* where the topology keeps it */
	int64_t rounds, messages, hops;
	int64_t volume;             /* sum over the rounds of the longest message */
	int64_t slots;              /* the most slots of one node */
	struct lsi_packet_hop *hop; /* sorted by round, then by message; in a message, */
								/* packets with more hops left come first */
	int32_t *at[2];             /* hops that node u sends, receives, by round: */
	int64_t *first[2];          /* at[..][first[..][u] .. first[..][u + 1] - 1] */
	int32_t *used;              /* slots of each node */
};

/*
 * For other schedulers: memory for this number of hops, NULL: none; then, when `hops` and the
 * rounds, ends and packets of `hop` are set, the rest, in the same object.  The packets of a node
 * are at first in its slots 0 .. homes-1, packet number mod homes; homes 0: they have no slot.
 * NULL: no memory, and the packets are released.
 */
struct lsi_packets *lsi_packets_allocate(int64_t nodes, int64_t hops);
struct lsi_packets *lsi_packets_finish(struct lsi_packets *, int64_t nodes, int64_t homes);

/* Whether the schedule is small enough to make. */
bool lsi_packets_fit(const struct lsi_problem *);

/* One object, released by lsi_free; NULL: no memory. */
struct lsi_packets *lsi_packets_make(const struct lsi_problem *, bool together);

/* The message that a node sends or receives in a round; count 0: none. */
struct lsi_packet_message {
	const struct lsi_packet_hop *hop;
	int64_t count;
};

/* Of messages with blocks of n elements; rounds -1: NULL, there was no memory. */
struct ls_counts lsi_packets_counts(const struct lsi_packets *, size_t n);
/* The same, and release the packets. */
struct ls_counts lsi_packets_predict_with(struct lsi_packets *, size_t n);
/* The sum of the distances of all packets. */
int64_t lsi_packets_distance_sum(const struct lsi_problem *);

/* `end`: LSI_SENT or LSI_RECEIVED. */
struct lsi_packet_message lsi_packets_at(
	const struct lsi_packets *, int end, int64_t rank, int64_t round);

#endif
