/*
 * A sweep gives the same messages, counts and bits as the threads of the nodes, for any workers,
 * any order of nodes, and any layout of operands and results.
 *
 * Both are compared with the interpreter of test/support/play.c, and that with sequential results:
 * sweeps in every cell of the table, threads in some cells and in a pairwise covering array.
 * LS_LONG=1: every 32nd cell of all networks of up to 720 nodes; LS_LONG_SLICE=k/n every n-th.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
#include <inttypes.h>
#include <string.h>

#include "support/cell_job.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/pairwise.h"
#include "support/whole.h"
#include "test.h"

#include "collective/algorithm.h"

/* The least number of cells; fewer, and some are not tested. */
enum { CELLS = 6000, CELLS_THIN = 2000, CELLS_LONG = 6000000, CELLS_FAST = 3500 };
enum { MOST_BYTES = 1 << 20, MOST_MESSAGES = 12000, MOST_HUGE_MESSAGES = 120000, EVERY_LONG = 32 };

static struct element element[ELEMENTS];
static struct cells total;
static int64_t by_threads;

/* ---- Ways */

/* All of them, in an order that nothing else follows. */
static struct way way_of(int workers)
{
	static uint64_t state = 7;
	const uint64_t bits = random_next(&state);

	return (struct way){ workers, bits % 3 ? 0 : bits | 1, bits >> 8 & 1, bits >> 9 & 1,
		bits >> 10 & 1, bits >> 11 & 1, 0, NULL };
}

/* `ways` numbers of workers, in turn, most often few. */
static void check_job(const struct job *job, const ls_plan *plan, const ls_embedding *embedding,
	enum ls_mode mode, int ways, bool threads)
{
	static const int workers[] = { 1, 2, 1, 7, 2, 1 };
	static int turn;
	struct whole whole = whole_make(job, plan, embedding, mode);

	for (int i = 0; i < ways; i++) {
		const struct way way = way_of(workers[turn++ % 6]);

		whole_by_sweep(&whole, &way);
	}
	by_threads += threads && whole_by_threads(&whole);
	whole_destroy(&whole);
}

/* ---- The table of algorithms */

static struct job job_of(const struct cell *cell, int64_t level)
{
	return job_of_cell(cell, element, (struct cell_size){ level, MOST_BYTES, 1000 });
}

/* Large cells are left to long runs; threads run every k-th, on what is small. */
static void check_cell(const struct cell *cell, int64_t number, int64_t every)
{
	const struct job job = job_of(cell, number + number / CELL_COUNTS);
	struct ls_plan *plan = plan_of(cell);
	const bool large = ls_plan_predict(plan, 1).messages > MOST_MESSAGES && !is_long();

	if (!large)
		check_job(&job, plan, NULL, cell->problem.mode, is_long() ? 4 : 1,
			number % every == 0 && cell->problem.nodes <= 64);
	ls_plan_destroy(plan);
	total.covered += !large;
}

struct turn {
	int64_t number, places, every;
};

static void test_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;

	if (is_turn(cell, &turn->places))
		check_cell(cell, turn->number++, turn->every);
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

/* Of a large network one cell of those that differ in mode, ports and place, in turn. */
static void test_large_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;

	if (turn->number++ % 127 == 0)
		check_cell(cell, turn->places++, INT64_MAX);
}

static void test_large(const char *const specs[], size_t n)
{
	struct turn turn = { 0 };

	for (size_t i = 0; i < n; i++) {
		ls_topology *t = topology_of(specs[i]);

		total.existing += each_cell(t, 1, test_large_cell, &turn).existing;
		ls_topology_destroy(t);
	}
}

static void test_huge_cell(const struct cell *cell, int number)
{
	struct job job = job_of(cell, 0);
	struct ls_plan *plan;

	/* Products of that many factors overflow. */
	while (!job.element->exact)
		job.element = element_for(element, cell->algorithm->claim);
	job.count = cell->problem.operation == LS_BARRIER ? 0 : number % 3 == 0 ? 64 : 1;
	plan = plan_of(cell);
	if (ls_plan_predict(plan, 1).messages <= MOST_HUGE_MESSAGES) {
		check_job(&job, plan, NULL, LS_HOP, 3, false);
		total.covered++;
	}
	ls_plan_destroy(plan);
}

/*
 * Networks of more nodes than a sweep takes at a time: every k-th of what algorithms do there with
 * vectors, that say something of all nodes at once.
 */
static void test_huge(const char *const specs[], size_t n, int every)
{
	int number = 0;

	for (size_t i = 0; i < n; i++) {
		ls_topology *t = topology_of(specs[i]);

		for (int k = 0; lsi_algorithms[k / LS_OPERATIONS / 2]; k++) {
			const struct cell cell = { lsi_algorithms[k / LS_OPERATIONS / 2],
				{ .topology = t,
					.nodes = ls_topology_nodes(t),
					.segments = 1,
					.ports = 1,
					.operation = (enum ls_operation)(k / 2 % LS_OPERATIONS),
					.in_place = k % 2,
					.root = k % 3,
					.shift = k % 5 } };
			const uint32_t operation = LSI_FOR(cell.problem.operation);

			if (cell.algorithm->operations & operation && !(operation & OF_BLOCKS)
				&& (lsi_whole_machine_of(cell.algorithm)->period
					|| lsi_whole_machine_of(cell.algorithm)->tree)
				&& cell.algorithm->supports(&cell.problem) && ++number % every == 0)
				test_huge_cell(&cell, number / every);
		}
		ls_topology_destroy(t);
	}
}

static void test_cell_at_length(const struct cell *cell, void *index)
{
	const int64_t i = (*(int64_t *)index)++;

	if (i % EVERY_LONG == 0 && in_slice(i / EVERY_LONG))
		check_cell(cell, i / EVERY_LONG, EVERY_LONG);
}

static void test_network_at_length(const char *spec, void *index)
{
	ls_topology *t = topology_of(spec);

	total.existing += each_cell(t, 6, test_cell_at_length, index).existing;
	ls_topology_destroy(t);
}

/* ---- The covering array */

enum factor {
	NETWORK,
	OPERATION,
	CHOICE,
	ELEMENT,
	COUNT,
	ROOT,
	MODE,
	PORTS,
	IN_PLACE,
	WORKERS,
	ORDER,
	ARRAYS,
	FACTORS
};

static void test_row(const int row[])
{
	const enum ls_operation operation = (enum ls_operation)row[OPERATION];
	ls_topology *t = topology_of(small_networks[row[NETWORK]]);
	const int64_t p = ls_topology_nodes(t), roots[] = { 0, p - 1, p / 2, p > 1 },
				  shifts[] = { 1, -2, p / 2, 3 };
	struct job job = { .topology = t,
		.operation = operation,
		.element = &element[row[ELEMENT]],
		.count = cell_count(p, operation, (struct cell_size){ row[COUNT], MOST_BYTES, 1000 }),
		.root = roots[row[ROOT]],
		.shift = shifts[row[ROOT]],
		.mode = row[MODE] || ls_topology_vertices(t) > p ? LS_ROUTED : LS_HOP,
		.ports = 1 + row[PORTS],
		.in_place = row[IN_PLACE] };
	const struct way way = { 1 + 3 * row[WORKERS], (uint64_t)row[ORDER] * 99, row[ARRAYS] & 1,
		row[ARRAYS] & 2, row[ARRAYS] & 4, false, 0, NULL };
	struct ls_request request = job_request(&job);
	ls_plan *plan;

	request.algorithm = job.algorithm = serving(&request, row[CHOICE], 4);
	if (job.algorithm && ls_plan_make(&request, &plan, NULL) == LS_OK) {
		struct whole whole = whole_make(&job, plan, NULL, job.mode);

		whole_by_sweep(&whole, &way);
		by_threads += whole_by_threads(&whole);
		whole_destroy(&whole);
		ls_plan_destroy(plan);
	}
	ls_topology_destroy(t);
}

static void test_pairs(int n)
{
	static struct pairwise pairs;
	const int levels[FACTORS] = { n, LS_OPERATIONS, 4, ELEMENTS, CELL_COUNTS, 4, 2, LS_PORTS, 2, 3,
		2, 8 };
	int row[FACTORS], rows = 0;

	pairwise_init(&pairs, FACTORS, levels);
	for (; pairwise_next(&pairs, row); rows++)
		test_row(row);
	printf("%d rows\n", rows);
	total.covered += pairs.covered;
	total.existing += pairs.existing;
}

/* ---- Guests */

struct guest {
	const ls_embedding *embedding;
	enum ls_mode mode;
	struct turn turn;
};

/* A plan of the guest for hops: what the links of the host take is not its business. */
static void test_guest_cell(const struct cell *cell, void *context)
{
	struct guest *guest = context;
	const struct job job = job_of(cell, guest->turn.number);

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1
		|| !is_turn(cell, &guest->turn.places))
		return;

	struct ls_plan *plan = plan_of(cell);

	check_job(&job, plan, guest->embedding, guest->mode, 1, guest->turn.number++ % 2 == 0);
	ls_plan_destroy(plan);
	total.covered++;
}

static void test_guests(void)
{
	struct guest guest = { 0 };

	for (size_t i = 0; i < PLACEMENTS; i++) {
		ls_topology *t = topology_of(placements[i].guest), *host = topology_of(placements[i].host);
		ls_embedding *embedding;

		if (ls_embedding_make(t, host, placements[i].map, &embedding, NULL) != LS_OK)
			exit(1);
		guest.embedding = embedding;
		guest.mode = placements[i].mode;
		total.existing += each_cell(t, 1, test_guest_cell, &guest).existing;
		ls_embedding_destroy(embedding);
		ls_topology_destroy(host);
		ls_topology_destroy(t);
	}
}

/* ---- Plans as text */

static void test_text_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;
	const struct job job = job_of(cell, turn->number);
	struct ls_plan *plan;
	struct text text;
	ls_plan *read;

	if (!is_turn(cell, &turn->places))
		return;
	plan = plan_of(cell);
	text = text_of(plan);
	CHECK(ls_plan_read(text.at, text.length, cell->problem.topology, &read, NULL) == LS_OK,
		"%s: not read", cell_name(cell).text);
	check_job(&job, read, NULL, cell->problem.mode, 1, turn->number++ % 8 == 0);
	ls_plan_destroy(read);
	ls_plan_destroy(plan);
	free(text.at);
	total.covered++;
}

static void test_texts(void)
{
	static const char *const specs[] = { "ring:5", "mesh:2x3", "hypercube:3", "star:3",
		"complete:6", "tree:4" };
	struct turn turn = { 0 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		total.existing += each_cell(t, 1, test_text_cell, &turn).existing;
		ls_topology_destroy(t);
	}
}

int main(void)
{
	static const char *const large[] = { "star:5", "star:6", "pancake:5", "pancake:6",
		"bubblesort:5", "bubblesort:6", "hypercube:6", "hypercube:9", "debruijn:7", "debruijn:9",
		"bintree:7", "tree:256", "ring:64", "ring:719", "linear:300", "complete:96", "mesh:15x17",
		"torus:16x16", "mesh:4x5x6x6", "torus:8x8x8", "mct:3,2", "star:5*linear:6",
		"star:4*star:4" };
	static const char *const huge[] = { "star:7", "hypercube:11", "pancake:7", "mesh:40x50",
		"bintree:11", "star:5*star:4" };
	const int n = is_fast() ? SMALL_FAST : is_thin() ? SMALL_THIN : SMALL;
	const int64_t least = is_long() ? CELLS_LONG
		: is_fast()                 ? CELLS_FAST
		: is_thin()                 ? CELLS_THIN
									: CELLS;
	int64_t index = 0;

	elements_make(element);
	if (is_long()) {
		each_network(720, 16, test_network_at_length, &index);
	} else {
		test_table(small_networks,
			is_fast()       ? SMALL_KINDS
				: is_thin() ? SMALL_THIN
							: SMALL,
			is_thin() ? 16 : 4);
		test_pairs(n);
		test_large(large, is_thin() || is_fast() ? 2 : sizeof large / sizeof *large);
		test_huge(huge, is_thin() ? 1 : sizeof huge / sizeof *huge,
			is_thin()       ? 9
				: is_fast() ? 19
							: 2);
	}
	test_guests();
	test_texts();
	elements_destroy(element);
	printf("%" PRId64 " of %" PRId64 " cells covered, %" PRId64 " by mailboxes\n", total.covered,
		total.existing, by_threads);
	CHECK((is_long() ? total.existing : total.covered) >= least,
		"cells were lost: %" PRId64 " at least", least);
	return test_result();
}
