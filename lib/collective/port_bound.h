/*
 * Lower bound of the blocks that the busiest port carries in an all-to-all, in hop mode.
 *
 * Give every port, for sending and for receiving, a price.  A block pays at least the price of the
 * cheapest path.  All ports together receive at most the load of the busiest port times the sum of
 * their prices.  So the sum over all pairs of the cheapest paths, divided by the sum of the prices,
 * is a bound, whatever the prices are: equal prices give the mean distance sum of a node, the price
 * of a single port the blocks that cannot avoid it.  A search raises the prices of ports with
 * high loads on cheapest paths; it computes with integers, so it is the same everywhere.  The best
 * prices are those of the dual linear program.  On groups these are equal prices.
 *
 * The longest messages of all rounds have at least this many blocks together.  Schedules with one
 * block per message take at least this many rounds.
 */
#ifndef LSI_COLLECTIVE_PORT_BOUND_H
#define LSI_COLLECTIVE_PORT_BOUND_H

#include "topology/topology_internal.h"

/* Kept with the topology; -1 if unknown: switches, more than 256 nodes, or no memory. */
int64_t lsi_port_bound(const struct ls_topology *);

#endif
