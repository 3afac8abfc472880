/*
 * Costs that the textbook prints: rounds, and the sum over rounds of the longest message.
 */
#include "reproduce/reproduce.h"

static int64_t log_of(int64_t p)
{
	return 63 - __builtin_clzll((uint64_t)p);
}

static int64_t root_of(int64_t p)
{
	int64_t s = 0;

	while (s * s < p)
		s++;
	return s;
}

static struct ls_counts cost(int64_t rounds, int64_t volume)
{
	return (struct ls_counts){ .rounds = rounds, .volume = volume };
}

struct ls_counts cost_log(int64_t p, int64_t m)
{
	return cost(log_of(p), m * log_of(p));
}

struct ls_counts cost_ring(int64_t p, int64_t m)
{
	return cost(p - 1, m * (p - 1));
}

struct ls_counts cost_mesh(int64_t p, int64_t m)
{
	return cost(2 * (root_of(p) - 1), m * (p - 1));
}

struct ls_counts cost_cube(int64_t p, int64_t m)
{
	return cost(log_of(p), m * (p - 1));
}

struct ls_counts cost_ring_exchange(int64_t p, int64_t m)
{
	return cost(p - 1, m * p * (p - 1) / 2);
}

struct ls_counts cost_mesh_exchange(int64_t p, int64_t m)
{
	return cost(2 * (root_of(p) - 1), m * p * (root_of(p) - 1));
}

struct ls_counts cost_cube_exchange(int64_t p, int64_t m)
{
	return cost(log_of(p), m * p / 2 * log_of(p));
}

struct ls_counts cost_step(int64_t p, int64_t m)
{
	(void)p;
	return cost(1, m);
}

struct ls_counts cost_parts(int64_t p, int64_t m)
{
	return cost(2 * log_of(p), 2 * (p - 1) * (m / p));
}
