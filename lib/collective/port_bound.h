/*
 * Lower bounds of the blocks at the busiest port in an all-to-all or a shift, in hop mode.
 *
 * Give every port, for sending and for receiving, a price.  A block pays at least the price of the
 * cheapest path.  All ports together receive at most the load of the busiest port times the sum of
 * their prices.  So the cheapest paths of all blocks together, divided by the sum of the prices,
 * are a bound, whatever the prices are: equal prices give the sum of the distances divided by p,
 * the price of a single port the blocks that cannot avoid it, and prices on one side of a cut the
 * blocks that cross it.  A search raises the prices of ports with high loads on cheapest paths.
 * The best prices solve the dual of the linear program of flows.  An all-to-all on a group has the
 * same loads at all ports, so equal prices are best there.
 *
 * The longest messages of all rounds have at least this many blocks together.  Schedules with one
 * block per message take at least this many rounds.
 */
#ifndef LSI_COLLECTIVE_PORT_BOUND_H
#define LSI_COLLECTIVE_PORT_BOUND_H

#include "topology/topology_internal.h"

/* Kept with the topology; -1 if unknown: switches, more than 256 nodes, or no memory. */
int64_t lsi_alltoall_port_bound(const struct ls_topology *);
int64_t lsi_shift_port_bound(const struct ls_topology *, int64_t shift);

#endif
