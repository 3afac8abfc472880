/*
 * A sweep in several processes gives the messages, counts and bits of one process: for every
 * operation and algorithm on small networks, 1 to 7 processes, and more processes than nodes.  In
 * each step, a pair of processes exchanges one message of the transport in each direction.
 *
 * Both are compared with the interpreter of test/support/play.c.  Every cell runs with another
 * number of processes and workers, another order of nodes and another layout of rows.  The long
 * form runs every cell with 2, 3 and 4 processes, and with one of the other numbers.  Under mpirun,
 * they are its processes.
 */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <string.h>

#include "support/cell_job.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/pair_messages.h"
#include "support/whole.h"
#include "support/world_sweep.h"
#include "test.h"

#include "collective/algorithm.h"

enum { CELLS = 4000, CELLS_THIN = 400, CELLS_FAST = 1000 };
enum { MOST_BYTES = 1 << 18, MOST_MESSAGES = 4000, MOST_MESSAGES_LARGE = 30000 };
enum { PROCESSES = 6, ALWAYS = 3 };

static struct element element[ELEMENTS];
static struct cells total;
static int64_t crossing, transported, by_processes[PROCESSES];

/*
 * The numbers of processes, of which the long form runs each cell with the first ones and one more;
 * the last one exceeds the number of nodes.
 */
static int processes_at(int turn, int64_t nodes)
{
	const int processes[PROCESSES] = { 2, 3, 4, 1, 7, (int)(nodes < 30 ? nodes + 2 : 5) };

	return or_launched(processes[turn]);
}

static struct way way_of(int64_t nodes, int turn)
{
	static uint64_t state = 11;
	const uint64_t bits = random_next(&state);

	by_processes[turn]++;
	return (struct way){ 1 + (int)(bits >> 20 & 1), bits % 3 ? 0 : bits | 1, bits >> 8 & 1,
		bits >> 9 & 1, bits >> 10 & 1, bits >> 11 & 3 ? false : true, processes_at(turn, nodes),
		NULL };
}

/* All messages of these sweeps fit into one of the transport. */
static void check_transport(
	const struct whole *whole, const struct way *way, const struct ls_sweep_result *out)
{
	const int64_t meetings = MEETING_MESSAGES * (int64_t)(way->processes - 1);
	const int64_t edges = edge_messages_most(whole->plan, way->order, way->processes);
	const struct pair_messages pairs = count_pair_messages(
		whole->plan, whole->job->count, whole->job->element->size, way->processes);
	const int64_t more = way->counts->messages - pairs.messages - meetings;

	CHECK(more >= 0 && more <= edges, "%s: %" PRId64 " messages of the transport, for %" PRId64,
		guarded(), way->counts->messages, pairs.messages);
	CHECK(out->crossing_rounds == pairs.rounds, "%s: %" PRId64 " rounds cross, not %" PRId64,
		guarded(), out->crossing_rounds, pairs.rounds);
	transported += pairs.messages;
}

static void check_way(struct whole *whole, struct way way)
{
	struct network_counts counts;
	struct ls_sweep_result out;

	way.counts = &counts;
	out = whole_by_sweep(whole, &way);
	if (!launched_world())
		check_transport(whole, &way, &out);
	CHECK(way.processes > 1 || out.crossing_messages == 0, "%s: messages cross", guarded());
	CHECK((out.crossing_rounds > 0) == (out.crossing_messages > 0)
			&& out.crossing_rounds <= out.stats.rounds,
		"%s: %" PRId64 " rounds cross", guarded(), out.crossing_rounds);
	CHECK(out.crossing_messages <= out.stats.messages && out.crossing_bytes <= out.stats.bytes,
		"%s: %" PRId64 " messages cross", guarded(), out.crossing_messages);
	crossing += out.crossing_messages;
	total.covered++;
}

/* Of the sweeps of a cell, `number` counts all of them. */
static int turn_of(int64_t number, int sweep)
{
	if (!is_long() || launched_world())
		return (int)(number % PROCESSES);
	return sweep < ALWAYS ? sweep : ALWAYS + (int)(number / (ALWAYS + 1) % (PROCESSES - ALWAYS));
}

static int sweeps_of_cell(void)
{
	return is_long() && !launched_world() ? ALWAYS + 1 : 1;
}

static void check_job(
	const struct job *job, const ls_plan *plan, const ls_embedding *embedding, enum ls_mode mode)
{
	struct whole whole = whole_make(job, plan, embedding, mode);
	static int64_t number;

	for (int i = 0; i < sweeps_of_cell(); i++)
		check_way(&whole, way_of(ls_plan_nodes(plan), turn_of(number++, i)));
	whole_destroy(&whole);
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

static void check_large(const struct job *job, const ls_plan *plan, int workers)
{
	struct whole whole = whole_make(job, plan, NULL, LS_HOP);
	static int64_t number;

	for (int i = 0; i < sweeps_of_cell(); i++) {
		struct way way = way_of(ls_plan_nodes(plan), turn_of(number++, i));

		way.order = 0;
		way.workers = workers;
		if (way.processes == 1)
			way.processes = 5;
		check_way(&whole, way);
	}
	whole_destroy(&whole);
}

static void test_large_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1 || !is_turn(cell, &turn->places)
		|| turn->number++ % turn->every)
		return;

	const struct job job = job_of(cell, turn->number % 3 ? 0 : 3);
	const int workers = 1 + (int)(turn->number / turn->every % 3);
	struct ls_plan *plan = plan_of(cell);

	if (ls_plan_predict(plan, 1).messages <= MOST_MESSAGES_LARGE)
		check_large(&job, plan, workers);
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

int main(void)
{
	const bool few = is_thin() || is_fast();
	const int64_t least = is_thin() ? CELLS_THIN
		: is_fast()                 ? CELLS_FAST
		: is_long()                 ? CELLS
									: CELLS / 2;

	open_launched_world();
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
	close_launched_world();
	printf("%" PRId64 " sweeps, %" PRId64 " messages crossed in %" PRId64 " of the transport\n",
		total.covered, crossing, transported);
	CHECK(
		total.covered >= least && crossing > least, "cells were lost: %" PRId64 " at least", least);
	for (int i = 0; i < PROCESSES; i++)
		CHECK(by_processes[i] > least / PROCESSES / 2, "few cells with processes number %d", i);
	return test_result();
}
