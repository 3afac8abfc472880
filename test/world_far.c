/*
 * One process of 65,536 executes its part of an all-reduce on hypercube:33, which has 2^33 nodes.
 *
 * The other processes are imitated: the messages of a step come from one of them, and follow from
 * the definition of the algorithm.  In round k a node holds the sum, and the arc of fingerprints,
 * of the 2^k ranks that agree with its own in all bits from k on.
 */
/* link: -Wl,--wrap=lsi_world_meet */
#include <inttypes.h>
#include <stdlib.h>

#include "support/cells.h"
#include "support/far_machine.h"
#include "support/guard.h"
#include "test.h"

enum { DIMENSIONS = 33, LOCAL_DIMENSIONS = 17, PROCESSES = 1 << 16, PROCESS = 40001 };
#define LOCAL  ((int64_t)1 << LOCAL_DIMENSIONS)
#define POINTS UINT64_C(4294967291) /* of the circle of arcs; see sweep_fingerprints.c */

struct cube {
	int to[DIMENSIONS];
	uint64_t *wanted; /* where what arrives goes */
	int from;
};

/* The sum of the 2^k ranks of a node's subcube. */
static uint64_t sum_of_subcube(int64_t rank, int k)
{
	const int64_t n = (int64_t)1 << k;

	return sum_of_ranks(rank & ~(n - 1), n);
}

static uint64_t moved_point(uint64_t point, int64_t by)
{
	const uint64_t distance = (uint64_t)(by < 0 ? -by : by) % POINTS;

	return (point + (by < 0 ? POINTS - distance : distance)) % POINTS;
}

/* An arc is its first point, and its end in the upper half. */
static uint64_t moved_arc(uint64_t arc, int64_t by)
{
	return moved_point(arc & UINT32_MAX, by) | moved_point(arc >> 32, by) << 32;
}

static void expect_from_cube(struct far_machine *m, int from, uint64_t *into, size_t bytes)
{
	struct cube *cube = m->state;

	CHECK(!m->waits && bytes == 2 * sizeof *into * LOCAL, "%zu bytes are expected", bytes);
	m->waits = true;
	cube->wanted = into;
	cube->from = from;
}

/* The other process sends the values of its nodes, in rank order, and then their fingerprints. */
static void answer_as_cube(struct far_machine *m, int to, const uint64_t *sent, size_t bytes)
{
	struct cube *cube = m->state;
	const int k = LOCAL_DIMENSIONS + __builtin_ctz((unsigned)(to ^ PROCESS));
	const int64_t by = (to > PROCESS ? 1 : -1) * ((int64_t)1 << k);

	CHECK(m->waits && cube->from == to && bytes == 2 * sizeof *sent * LOCAL
			&& m->messages <= DIMENSIONS,
		"message %d of %zu bytes goes to %d", m->messages, bytes, to);
	cube->to[(m->messages - 1) % DIMENSIONS] = to;
	for (int64_t i = 0; i < LOCAL && m->waits; i++) {
		cube->wanted[i] = sum_of_subcube(to * LOCAL + i, k);
		cube->wanted[LOCAL + i] = moved_arc(sent[LOCAL + i], by);
	}
	m->waits = false;
}

int main(void)
{
	struct cube cube = { .wanted = NULL };
	struct far_machine m = far_machine(PROCESSES, PROCESS, &cube);
	ls_topology *t = topology_of("hypercube:33");
	ls_plan *plan = far_plan(t, "doubling");
	uint64_t *output = memory((size_t)LOCAL, sizeof *output);
	struct ls_sweep_result out;
	int64_t wrong = 0;

	m.receive = expect_from_cube;
	m.send = answer_as_cube;
	out = far_run(&m, plan, output);
	CHECK(out.error.kind == LS_OK && out.proved, "%s", out.error.text);
	CHECK(out.stats.rounds == DIMENSIONS && out.stats.messages == DIMENSIONS * LOCAL,
		"%" PRId64 " rounds, %" PRId64 " messages", out.stats.rounds, out.stats.messages);
	CHECK(out.crossing_messages == (DIMENSIONS - LOCAL_DIMENSIONS) * LOCAL,
		"%" PRId64 " messages cross", out.crossing_messages);
	for (int64_t i = 0; i < LOCAL; i++)
		wrong += output[i] != sum_of_subcube(0, DIMENSIONS);
	CHECK(wrong == 0, "%" PRId64 " results are wrong", wrong);
	CHECK(m.messages == DIMENSIONS - LOCAL_DIMENSIONS, "%d messages", m.messages);
	for (int i = 0; i < m.messages; i++)
		CHECK(cube.to[i] == (PROCESS ^ 1 << i), "message %d goes to %d", i, cube.to[i]);
	free(output);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return test_result();
}
