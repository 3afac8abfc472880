/*
 * A sweep in several processes gives the messages, counts and bits of one process: for every
 * operation and algorithm on small networks, 1 to 7 processes, and more processes than nodes.
 *
 * Both are compared with the interpreter of test/support/play.c.  Every cell runs with another
 * number of processes and workers, another order of nodes and another layout of rows.
 */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <string.h>

#include "support/cell_job.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/whole.h"
#include "support/world_sweep.h"
#include "test.h"

#include "collective/algorithm.h"

enum { CELLS = 4000, CELLS_THIN = 400, CELLS_FAST = 1000 };
enum { MOST_BYTES = 1 << 18, MOST_MESSAGES = 4000, MOST_MESSAGES_LARGE = 30000, PROCESSES = 6 };

static struct element element[ELEMENTS];
static struct cells total;
static int64_t crossing, by_processes[PROCESSES];

/* The number of processes at a turn; the last one exceeds the number of nodes. */
static int processes_at(int64_t turn, int64_t nodes)
{
	const int processes[PROCESSES] = { 1, 2, 3, 4, 7, (int)(nodes < 30 ? nodes + 2 : 5) };

	by_processes[turn % PROCESSES]++;
	return processes[turn % PROCESSES];
}

static struct way way_of(int64_t nodes)
{
	static uint64_t state = 11;
	static int64_t turn;
	const uint64_t bits = random_next(&state);

	return (struct way){ 1 + (int)(bits >> 20 & 1), bits % 3 ? 0 : bits | 1, bits >> 8 & 1,
		bits >> 9 & 1, bits >> 10 & 1, bits >> 11 & 3 ? false : true, processes_at(turn++, nodes) };
}

static void check_way(const struct job *job, const ls_plan *plan, const ls_embedding *embedding,
	enum ls_mode mode, struct way way)
{
	struct whole whole = whole_make(job, plan, embedding, mode);
	const struct ls_sweep_result out = whole_by_sweep(&whole, &way);

	CHECK(way.processes > 1 || out.crossing_messages == 0, "%s: messages cross", guarded());
	CHECK((out.crossing_rounds > 0) == (out.crossing_messages > 0)
			&& out.crossing_rounds <= out.stats.rounds,
		"%s: %" PRId64 " rounds cross", guarded(), out.crossing_rounds);
	CHECK(out.crossing_messages <= out.stats.messages && out.crossing_bytes <= out.stats.bytes,
		"%s: %" PRId64 " messages cross", guarded(), out.crossing_messages);
	crossing += out.crossing_messages;
	total.covered++;
	whole_destroy(&whole);
}

static void check_job(
	const struct job *job, const ls_plan *plan, const ls_embedding *embedding, enum ls_mode mode)
{
	check_way(job, plan, embedding, mode, way_of(ls_plan_nodes(plan)));
}

/* ---- The table of algorithms */

static struct job job_of(const struct cell *cell, int64_t level)
{
	return job_of_cell(cell, element, (struct cell_size){ level, MOST_BYTES, 100 });
}

struct turn {
	int64_t number, places, every;
};

static void test_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;

	if (!is_turn(cell, &turn->places) || turn->number++ % turn->every)
		return;

	const struct job job = job_of(cell, turn->number + turn->number / CELL_COUNTS);
	struct ls_plan *plan = plan_of(cell);

	if (ls_plan_predict(plan, 1).messages <= MOST_MESSAGES)
		check_job(&job, plan, NULL, cell->problem.mode);
	ls_plan_destroy(plan);
}

static void test_table(const char *const specs[], size_t n, int64_t every)
{
	struct turn turn = { .every = every };

	for (size_t i = 0; i < n; i++) {
		ls_topology *t = topology_of(specs[i]);

		total.existing += each_cell(t, 1, test_cell, &turn).existing;
		ls_topology_destroy(t);
	}
}

/* ---- Large networks: many nodes at a time, on one port, in rank order */

static void test_large_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1 || !is_turn(cell, &turn->places)
		|| turn->number++ % turn->every)
		return;

	const struct job job = job_of(cell, turn->number % 3 ? 0 : 3);
	const int64_t p = cell->problem.nodes;
	struct ls_plan *plan = plan_of(cell);
	struct way way = way_of(p);

	way.order = 0;
	way.workers = 1 + (int)(turn->number / turn->every % 3);
	if (way.processes == 1)
		way.processes = 5;
	if (ls_plan_predict(plan, 1).messages <= MOST_MESSAGES_LARGE)
		check_way(&job, plan, NULL, LS_HOP, way);
	ls_plan_destroy(plan);
}

static void test_large(int64_t every)
{
	static const char *const specs[] = { "star:5", "star:6", "pancake:6", "hypercube:9",
		"debruijn:8", "mesh:15x17", "torus:12x12", "bintree:8", "ring:200", "star:4*star:4" };
	struct turn turn = { .every = every };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_large_cell, &turn);
		ls_topology_destroy(t);
	}
}

/* ---- Guests, and plans as text */

struct guest {
	const ls_embedding *embedding;
	enum ls_mode mode;
	struct turn turn;
};

static void test_guest_cell(const struct cell *cell, void *context)
{
	struct guest *guest = context;
	const struct job job = job_of(cell, guest->turn.number);

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1
		|| !is_turn(cell, &guest->turn.places) || guest->turn.number++ % guest->turn.every)
		return;

	struct ls_plan *plan = plan_of(cell);

	check_job(&job, plan, guest->embedding, guest->mode);
	ls_plan_destroy(plan);
}

static void test_guests(int64_t every)
{
	struct guest guest = { .turn.every = every };

	for (size_t i = 0; i < PLACEMENTS; i++) {
		ls_topology *t = topology_of(placements[i].guest), *host = topology_of(placements[i].host);
		ls_embedding *embedding;

		if (ls_embedding_make(t, host, placements[i].map, &embedding, NULL) != LS_OK)
			exit(1);
		guest.embedding = embedding;
		guest.mode = placements[i].mode;
		each_cell(t, 1, test_guest_cell, &guest);
		ls_embedding_destroy(embedding);
		ls_topology_destroy(host);
		ls_topology_destroy(t);
	}
}

static void test_text_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;
	const struct job job = job_of(cell, turn->number);

	if (!is_turn(cell, &turn->places) || turn->number++ % turn->every)
		return;

	struct ls_plan *plan = plan_of(cell);
	struct text text = text_of(plan);
	ls_plan *read;

	CHECK(ls_plan_read(text.at, text.length, cell->problem.topology, &read, NULL) == LS_OK,
		"%s: not read", cell_name(cell).text);
	check_job(&job, read, NULL, cell->problem.mode);
	ls_plan_destroy(read);
	ls_plan_destroy(plan);
	free(text.at);
}

static void test_texts(int64_t every)
{
	static const char *const specs[] = { "ring:5", "mesh:2x3", "hypercube:3", "star:3", "tree:4" };
	struct turn turn = { .every = every };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_text_cell, &turn);
		ls_topology_destroy(t);
	}
}

/* ---- Numbers of messages of the transport */

static void put_ranks(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank + (int64_t)(first + i);
}

static int take_sum(void *context, int64_t rank, const void *result)
{
	const struct ls_sweep *sweep = *(struct ls_sweep **)context;
	const int64_t p = ls_plan_nodes(sweep->plan), *sum = result;
	size_t i = 0;

	while (i < sweep->count && sum[i] == p * (p - 1) / 2 + p * (int64_t)i)
		i++;
	CHECK(i == sweep->count, "%s: element %zu of node %" PRId64, guarded(), i, rank);
	return 0;
}

/*
 * Doubling: in the last q rounds of a hypercube, every node sends to another of 2^q processes, all
 * nodes of a process to the same.
 */
static void test_transport(const char *spec, size_t count, int processes, int rounds)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = "doubling",
		.type = LS_INT64,
		.count = count };
	ls_plan *plan = plan_for(&request);
	struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = count,
		.type = LS_INT64,
		.make = put_ranks,
		.take = take_sum,
		.workers = 1 };
	const struct ls_sweep *self = &sweep;
	const int64_t p = ls_topology_nodes(t), each = p / processes;
	const int64_t bytes = each * ((int64_t)count + 1) * 8;
	const int64_t pieces = (bytes + LSI_MESSAGE_BYTES - 1) / LSI_MESSAGE_BYTES;
	const int64_t messages = processes * rounds * pieces + 4 * (processes - 1); /* two meetings */
	struct network_counts counts;
	struct ls_sweep_result out;

	guard("%s, %zu elements, %d processes", spec, count, processes);
	sweep.context = &self;
	out = sweep_in_processes(processes, 3, &sweep, &counts);
	CHECK(out.error.kind == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
	CHECK(out.crossing_messages == p * rounds
			&& out.crossing_bytes == p * rounds * (int64_t)count * 8
			&& out.crossing_rounds == rounds,
		"%s: %" PRId64 " messages cross", guarded(), out.crossing_messages);
	CHECK(counts.messages == messages && counts.longest <= LSI_MESSAGE_BYTES,
		"%s: %" PRId64 " messages of the transport, the longest of %zu bytes", guarded(),
		counts.messages, counts.longest);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/*
 * On a star, messages from another process do not arrive in the order of their senders.  With a
 * worker for each node, no worker alone sees that.
 */
static void test_order(const char *spec, int processes, int workers)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = "paper",
		.type = LS_INT64,
		.count = 1 };
	ls_plan *plan = plan_for(&request);
	struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_INT64,
		.make = put_ranks,
		.take = take_sum,
		.workers = workers };
	const struct ls_sweep *self = &sweep;
	struct ls_sweep_result out;

	guard("%s, %d processes, %d workers", spec, processes, workers);
	sweep.context = &self;
	out = sweep_in_processes(processes, 5, &sweep, NULL);
	CHECK(out.error.kind == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- A trace in one process */

static void count_message(void *context, const struct ls_record *message)
{
	(void)message;
	++*(int64_t *)context;
}

static int64_t traced;

static void trace_in_first(int process, struct ls_sweep *sweep)
{
	sweep->trace = process == 0 ? count_message : NULL;
	sweep->trace_context = &traced;
}

/* All processes execute the same stages, whoever traces. */
static void test_trace(void)
{
	ls_topology *t = topology_of("hypercube:8");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.type = LS_INT64,
		.count = 1 };
	ls_plan *plan = plan_for(&request);
	struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_INT64,
		.make = put_ranks,
		.take = take_sum,
		.workers = 2 };
	const struct ls_sweep *self = &sweep;
	struct network *network = network_make(3, 9);
	struct ls_sweep_result out;

	sweep.context = &self;
	out = sweep_in_network(network, 3, &sweep, trace_in_first);
	CHECK(out.error.kind == LS_OK && out.proved && traced == out.stats.messages,
		"%s, %" PRId64 " messages traced", out.error.text, traced);
	network_destroy(network);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	const bool few = is_thin() || is_fast();
	const int64_t least = is_thin() ? CELLS_THIN
		: is_fast()                 ? CELLS_FAST
		: is_long()                 ? CELLS
									: CELLS / 2;

	elements_make(element);
	test_table(small_networks,
		is_fast()       ? SMALL_KINDS
			: is_thin() ? SMALL_THIN
						: SMALL,
		is_thin() && is_fast()       ? 2
			: is_thin()              ? 16
			: is_fast() || is_long() ? 1
									 : 7); /* prime: no operation is left out */
	test_large(few ? 8 : is_long() ? 1 : 6);
	test_guests(few ? 8 : is_long() ? 1 : 4);
	test_texts(few ? 8 : is_long() ? 1 : 4);
	elements_destroy(element);
	test_trace();
	for (int processes = 2; processes < PROCESSES; processes++) {
		test_order("star:4", processes, 24);
		test_order(few ? "star:5" : "star:7", processes, processes % 3 + 1);
	}
	test_transport("hypercube:8", 1, 2, 1);
	test_transport("hypercube:8", 3, 4, 2);
	test_transport("hypercube:8", 1 << 14, 2, 1);
	test_transport("hypercube:2", 1 << 20, 2, 1);
	printf("%" PRId64 " cells covered, %" PRId64 " messages crossed\n", total.covered, crossing);
	CHECK(
		total.covered >= least && crossing > least, "cells were lost: %" PRId64 " at least", least);
	for (int i = 0; i < PROCESSES; i++)
		CHECK(by_processes[i] > least / PROCESSES / 2, "few cells with processes number %d", i);
	return test_result();
}
