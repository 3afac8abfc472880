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
#include <string.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

#include "world/agreement.h"

int __wrap_lsi_world_meet(
	ls_world *, int64_t *, const struct lsi_stop *, const struct lsi_stop *, bool *);

enum { DIMENSIONS = 33, LOCAL_DIMENSIONS = 17, PROCESSES = 1 << 16, PROCESS = 40001, SUMMED = 11 };
#define LOCAL  ((int64_t)1 << LOCAL_DIMENSIONS)
#define POINTS UINT64_C(4294967291) /* of the circle of arcs; see sweep_fingerprints.c */

/* What arrives from a process, computed from what this process sends to it. */
struct far_machine {
	struct lsi_transport transport;
	int to[DIMENSIONS], messages; /* whom this process has sent to */
	const uint64_t *sent;
	uint64_t *wanted; /* where what arrives goes; NULL: nothing is expected */
	int from;
	size_t bytes;
};

static struct far_machine *machine_of(struct lsi_transport *t)
{
	return t->state;
}

/* The sum of the 2^k ranks of a node's subcube, modulo 2^64. */
static uint64_t sum_of(int64_t rank, int k)
{
	const uint64_t n = (uint64_t)1 << k, first = (uint64_t)rank & ~(n - 1);

	return n * first + (n / 2) * (n - 1) + (n % 2) * (n - 1) / 2;
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

/* The other process sends the values of its nodes, in rank order, and then their fingerprints. */
static void answer(struct far_machine *m)
{
	const int k = LOCAL_DIMENSIONS + __builtin_ctz((unsigned)(m->from ^ PROCESS));
	const int64_t first = m->from * LOCAL;
	const int64_t by = (m->from > PROCESS ? 1 : -1) * ((int64_t)1 << k);

	for (int64_t i = 0; i < LOCAL; i++) {
		m->wanted[i] = sum_of(first + i, k);
		m->wanted[LOCAL + i] = moved_arc(m->sent[LOCAL + i], by);
	}
	m->wanted = NULL;
}

static int far_send(struct lsi_transport *t, int to, int tag, const void *data, size_t bytes,
	struct lsi_transfer *transfer)
{
	struct far_machine *m = machine_of(t);

	(void)tag;
	(void)transfer; /* complete at once */
	CHECK(m->messages < DIMENSIONS && bytes == 2 * sizeof(uint64_t) * LOCAL,
		"message %d has %zu bytes", m->messages, bytes);
	m->to[m->messages++ % DIMENSIONS] = to;
	m->sent = data;
	CHECK(m->wanted && m->from == to && m->bytes == bytes, "nothing is expected from %d", to);
	if (m->wanted)
		answer(m);
	return LS_OK;
}

static int far_receive(struct lsi_transport *t, int from, int tag, void *into, size_t bytes,
	struct lsi_transfer *transfer)
{
	struct far_machine *m = machine_of(t);

	(void)tag;
	CHECK(!m->wanted, "two messages are expected at a time");
	m->wanted = into;
	m->from = from;
	m->bytes = bytes;
	transfer->begun = true;
	return LS_OK;
}

static int far_test(struct lsi_transport *t, struct lsi_transfer *transfer, bool *done)
{
	*done = !transfer->begun || !machine_of(t)->wanted;
	transfer->begun = !*done;
	return LS_OK;
}

/* The others have the same numbers: those of a meeting, and those of an agreement. */
int __wrap_lsi_world_meet(ls_world *world, int64_t *number, const struct lsi_stop *withdraws,
	const struct lsi_stop *stop, bool *met)
{
	(void)world, (void)number, (void)withdraws, (void)stop;
	*met = true;
	return LS_OK;
}

static int far_least(struct lsi_transport *t, int64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)number, (void)n, (void)transfer;
	return LS_OK;
}

/*
 * The sums over all processes, as far as the sweep needs them.  The last number of an agreement is
 * that of the messages that leave minus those that come: over all processes it is 0.
 */
static int far_sum(struct lsi_transport *t, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)transfer;
	if (n == SUMMED)
		number[n - 1] = 0;
	return LS_OK;
}

static void far_abort(struct lsi_transport *t, int code, const char *text)
{
	(void)t;
	CHECK(false, "aborted with %d: %s", code, text);
}

static void put_rank(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)first, (void)n;
	*(uint64_t *)into = (uint64_t)rank;
}

int main(void)
{
	struct far_machine machine = { .transport = { .size = sizeof machine.transport,
									   .version = LSI_TRANSPORT_VERSION,
									   .processes = PROCESSES,
									   .process = PROCESS,
									   .library = "test",
									   .host = "test",
									   .state = &machine,
									   .send = far_send,
									   .receive = far_receive,
									   .test = far_test,
									   .least = far_least,
									   .sum = far_sum,
									   .abort = far_abort } };
	struct ls_world world = { .transport = &machine.transport, .hosts = 1 };
	ls_topology *t = topology_of("hypercube:33");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = "doubling",
		.type = LS_UINT64,
		.count = 1 };
	ls_plan *plan = plan_for(&request);
	uint64_t *output = calloc((size_t)LOCAL, sizeof *output);
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_UINT64,
		.make = put_rank,
		.output = output,
		.workers = 2,
		.world = &world };
	struct ls_sweep_result out = { .size = sizeof out };
	int64_t wrong = 0;

	CHECK(output && ls_sweep_run(&sweep, &out) == LS_OK && out.proved, "%s", out.error.text);
	CHECK(out.stats.rounds == DIMENSIONS && out.stats.messages == DIMENSIONS * LOCAL,
		"%" PRId64 " rounds, %" PRId64 " messages", out.stats.rounds, out.stats.messages);
	CHECK(out.crossing_messages == (DIMENSIONS - LOCAL_DIMENSIONS) * LOCAL,
		"%" PRId64 " messages cross", out.crossing_messages);
	for (int64_t i = 0; i < LOCAL && output; i++)
		wrong += output[i] != sum_of(0, DIMENSIONS);
	CHECK(wrong == 0, "%" PRId64 " results are wrong", wrong);
	CHECK(machine.messages == DIMENSIONS - LOCAL_DIMENSIONS, "%d messages", machine.messages);
	for (int i = 0; i < machine.messages; i++)
		CHECK(machine.to[i] == (PROCESS ^ 1 << i), "message %d goes to %d", i, machine.to[i]);
	free(output);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
	return test_result();
}
