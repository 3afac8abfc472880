/*
 * Requirements that several algorithms share; each function fits the field `supports`.
 */
#ifndef LSI_COLLECTIVE_REQUIREMENT_H
#define LSI_COLLECTIVE_REQUIREMENT_H

#include "plan/plan_internal.h"
#include "topology/topology_internal.h"

static inline bool lsi_is_hypercube(const struct lsi_problem *problem)
{
	return lsi_topology_is(problem->topology, &lsi_network_hypercube);
}

static inline bool lsi_is_star(const struct lsi_problem *problem)
{
	return lsi_topology_is(problem->topology, &lsi_network_star);
}

/* A linear array or ring; a mesh or torus. */
static inline bool lsi_is_line(const struct lsi_problem *problem)
{
	return ls_topology_dims(problem->topology) == 1;
}

static inline bool lsi_is_grid(const struct lsi_problem *problem)
{
	return ls_topology_dims(problem->topology) > 1;
}

/* Every node can send to every other node in one round. */
static inline bool lsi_reaches_all(const struct lsi_problem *problem)
{
	return problem->mode == LS_ROUTED || lsi_topology_is(problem->topology, &lsi_network_complete);
}

/* Every node can send in one round to the nodes whose ranks differ from its own in one bit. */
static inline bool lsi_reaches_across_bits(const struct lsi_problem *problem)
{
	return lsi_reaches_all(problem) || lsi_is_hypercube(problem);
}

static inline bool lsi_has_power_of_two_nodes(const struct lsi_problem *problem)
{
	return (problem->nodes & (problem->nodes - 1)) == 0;
}

#endif
