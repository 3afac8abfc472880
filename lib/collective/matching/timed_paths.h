/*
 * Shifts in few rounds, for any network: a path for each block that states its round for each hop.
 *
 * The number of rounds is fixed, and a block takes the cheapest path to its destination in time.  A
 * port that several messages would use in one round has a price, which grows while this is so.  In
 * every sweep the blocks at such ports choose again, until no port has two messages in a round.
 * The least number of rounds for which this succeeds in a limited time is kept with the topology.
 *
 * With `together`, blocks that cross a link in the same round are one message.
 */
#ifndef LSI_COLLECTIVE_MATCHING_TIMED_PATHS_H
#define LSI_COLLECTIVE_MATCHING_TIMED_PATHS_H

#include "collective/direct/packets.h"

enum { LSI_TIMED_NODES = 128 };

/* A shift in hop mode on a network without switches; NULL: no memory. */
const struct lsi_packets *lsi_timed_packets(const struct lsi_problem *, bool together);

#endif
