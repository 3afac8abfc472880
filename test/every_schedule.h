/*
 * Every schedule of a small network: who can hear of whom within some rounds, when each node sends
 * to at most one neighbor and receives from at most one in a round.
 */
#ifndef EVERY_SCHEDULE_H
#define EVERY_SCHEDULE_H

#include <lockstep/topology.h>

#include <stdbool.h>
#include <stdint.h>

enum { FEW = 6 };

/* Who has heard of whom, as a bit set for each node. */
struct heard {
	unsigned of[FEW];
};

/* Those of whom each node has to hear. */
static struct heard wanted;

static bool can_spread(const ls_topology *t, struct heard before, int64_t rounds);

/* Choose whom node u and those after it send to, then go on with the next round. */
static bool can_send(
	const ls_topology *t, const struct heard *before, int64_t u, int64_t sender[], int64_t rounds)
{
	const int64_t p = ls_topology_nodes(t);

	if (u == p) {
		struct heard after = *before;

		for (int64_t v = 0; v < p; v++)
			after.of[v] |= sender[v] < 0 ? 0 : before->of[sender[v]];
		return can_spread(t, after, rounds - 1);
	}
	for (int64_t l = 0; l < ls_degree(t, u); l++) {
		const int64_t v = ls_neighbor(t, u, l);

		if (sender[v] >= 0 || !(before->of[u] & ~before->of[v]))
			continue;
		sender[v] = u;
		if (can_send(t, before, u + 1, sender, rounds))
			return true;
		sender[v] = -1;
	}
	return can_send(t, before, u + 1, sender, rounds);
}

static bool can_spread(const ls_topology *t, struct heard before, int64_t rounds)
{
	int64_t sender[FEW] = { -1, -1, -1, -1, -1, -1 };
	unsigned missing = 0;

	for (int64_t v = 0; v < ls_topology_nodes(t); v++)
		missing |= wanted.of[v] & ~before.of[v];
	return !missing || (rounds > 0 && can_send(t, &before, 0, sender, rounds));
}

static bool can_finish(const ls_topology *t, int64_t rounds)
{
	struct heard heard = { { 0 } };

	for (int64_t v = 0; v < ls_topology_nodes(t); v++)
		heard.of[v] = 1u << v;
	return can_spread(t, heard, rounds);
}

#endif
