/*
 * Threads execute the plans: every algorithm on each kind of network, a pairwise covering array
 * over all options of a call, and large machines.  Each cell is checked in full by
 * test/support/collective_job.h, in lockstep and in free rounds, by the nodes' own threads and
 * cooperatively.
 *
 * LS_LONG=1 runs every cell of the table on every network of up to 32 nodes; LS_LONG_SLICE=k/n
 * every n-th.
 */
/* alone: beside others its nodes wait for processors, up to ten times as long */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include <lockstep/find.h>

#include "collective/algorithm.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/collective_job.h"
#include "support/pairwise.h"
#include "test.h"

/*
 * Fewer cells than this, and something that was tested is not tested any more.  (Long: of which a
 * slice is run.)
 */
enum { CELLS = 8800, CELLS_THIN = 8200, CELLS_LONG = 250000, CELLS_FAST = 2500 };
enum { ALGORITHMS = 256 };

enum { LONG = 4000, LONG_BLOCKS = 16000 }; /* doubles that no slot holds; in p blocks */

static struct element element[ELEMENTS];
static struct cells total;

/* ---- The table of algorithms */

/* Elements of a contribution, of a block where there are p; barrier: none. */
static size_t count_at(int level, size_t p, enum ls_operation operation)
{
	const size_t counts[] = { 1, p - 1, 7 * p + 3, LONG, 0, p + 1, 2, 1000, p, 3 };
	const size_t count = counts[level], most = LONG_BLOCKS / p;

	if (operation == LS_BARRIER)
		return 0;
	return LSI_FOR(operation) & OF_BLOCKS && count > most ? most : count;
}
enum { COUNTS = 10 };

/* Cells in turn: both round modes and both engines, in two runs. */
static struct job job_of(const struct cell *cell, size_t count)
{
	static int turn;
	const struct lsi_problem *p = &cell->problem;

	return (struct job){ .topology = p->topology,
		.operation = p->operation,
		.algorithm = cell->algorithm->name,
		.element = element_for(element, cell->algorithm->claim),
		.count = count,
		.root = p->root,
		.shift = p->shift,
		.mode = p->mode,
		.ports = p->ports,
		.mailbox = 4,
		.in_place = p->in_place,
		.ways =
			turn++ % 2 ? LOCKSTEP_THREADS | FREE_COOPERATIVE : LOCKSTEP_COOPERATIVE | FREE_THREADS,
		.runs = 1 };
}

/* Which algorithms ran, by name: another of the same name may be cheaper. */
static bool ran[ALGORITHMS][LS_OPERATIONS];

static void note(const struct lsi_algorithm *a, enum ls_operation operation)
{
	for (int i = 0; lsi_algorithms[i]; i++)
		ran[i][operation] |= strcmp(lsi_algorithms[i]->name, a->name) == 0;
}

static void check_all_ran(void)
{
	for (int i = 0; lsi_algorithms[i]; i++) {
		for (int o = 0; o < LS_OPERATIONS; o++)
			CHECK(ran[i][o] || !(lsi_algorithms[i]->operations & LSI_FOR(o)), "%s %s never ran",
				ls_operation_name((enum ls_operation)o), lsi_algorithms[i]->name);
	}
}

static void check_cell(const struct cell *cell, size_t count)
{
	const struct job job = job_of(cell, count);
	const struct ls_request request = job_request(&job);
	ls_plan *plan = NULL;

	CHECK(ls_plan_make(&request, &plan, NULL) == LS_OK
			&& strcmp(plan->algorithm->name, cell->algorithm->name) == 0,
		"%s is not what a call gets by its name", cell_name(cell).text);
	ls_plan_destroy(plan);
	CHECK(job_check(&job), "%s: unsupported", cell_name(cell).text);
	note(cell->algorithm, cell->problem.operation);
}

static void test_cell(const struct cell *cell, void *context)
{
	struct cells *run = context;

	if (!is_turn(cell, &run->existing))
		return;
	check_cell(cell,
		count_at(
			(int)(run->covered++ % COUNTS), (size_t)cell->problem.nodes, cell->problem.operation));
}

static void test_cell_at_length(const struct cell *cell, void *index)
{
	const int64_t i = (*(int64_t *)index)++;

	total.existing++;
	if (!in_slice(i))
		return;
	check_cell(
		cell, count_at((int)(i % COUNTS), (size_t)cell->problem.nodes, cell->problem.operation));
	total.covered++;
}

static void test_table(void)
{
	struct cells run = { 0, 0 };

	for (int i = 0; i < SMALL_KINDS; i++) {
		ls_topology *t = topology_of(small_networks[i]);

		total.existing += each_cell(t, 1, test_cell, &run).existing;
		ls_topology_destroy(t);
	}
	total.covered += run.covered;
	printf("%" PRId64 " cells\n", run.covered);
}

static void test_network_at_length(const char *spec, void *index)
{
	ls_topology *t = topology_of(spec);

	each_cell(t, 6, test_cell_at_length, index);
	ls_topology_destroy(t);
}

/* ---- Records, also of users */

/* Of a broadcast and an all-gather on a ring: all operations but scan and shift. */
static const char own_records[] =
	"{ \"ring:5\", LS_BROADCAST, 0, 0, 3, 3, 0, 0x00000000, 0x99cbf97d, "
	"\".1.....1.0...1.\" },\n"
	"{ \"ring:5\", LS_ALLGATHER, 0, 0, 4, 4, 0, 0x00000000, 0x15e280f2, "
	"\".01011.01001.01101.0\" },\n";

static void test_found_cell(const struct cell *cell, void *name)
{
	if (strcmp(cell->algorithm->name, name) == 0)
		check_cell(cell, count_at(2, (size_t)cell->problem.nodes, cell->problem.operation));
}

static void test_found(const ls_topology *t)
{
	char found[] = "found";

	each_cell(t, 1, test_found_cell, found);
}

static void test_records(void)
{
	ls_topology *own = topology_of("ring:5"), *t = topology_of("bintree:3");
	struct ls_error why = { .size = sizeof why };

	CHECK(ls_find_records_add(own, own_records, &why) == LS_OK, "%s", why.text);
	test_found(own);
	test_found(t); /* its records serve shifts and scans */
	ls_topology_destroy(own);
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
	MAILBOX,
	FACTORS
};

/* An algorithm that serves the job, by name; NULL: the default. */
static const char *choice_of(const struct job *job, int k)
{
	const struct ls_request request = job_request(job);

	return k == 0 ? NULL : serving(&request, k - 1, 3);
}

static void test_row(const int row[])
{
	const enum ls_operation operation = (enum ls_operation)row[OPERATION];
	ls_topology *t = topology_of(small_networks[row[NETWORK]]);
	const int64_t p = ls_topology_nodes(t), roots[] = { 0, p - 1, p / 2, p > 1 },
				  shifts[] = { 1, -2, p / 2, 3 };
	struct job job = { .topology = t,
		.operation = operation,
		.element = &element[row[ELEMENT]],
		.count = count_at(row[COUNT], (size_t)p, operation),
		.root = roots[row[ROOT]],
		.shift = shifts[row[ROOT]],
		.mode = row[MODE] || ls_topology_vertices(t) > p ? LS_ROUTED : LS_HOP,
		.ports = 1 + row[PORTS],
		.mailbox = 1 + row[MAILBOX],
		.in_place = row[IN_PLACE],
		.ways = ALL_WAYS,
		.runs = 1 };

	job.algorithm = choice_of(&job, row[CHOICE]);
	job_check(&job);
	ls_topology_destroy(t);
}

static void test_pairs(int n)
{
	static struct pairwise pairs;
	const int levels[FACTORS] = { n, LS_OPERATIONS, 4, ELEMENTS, COUNTS, 4, 2, 2, 2, 4 };
	int row[FACTORS], rows = 0;

	pairwise_init(&pairs, FACTORS, levels);
	for (; pairwise_next(&pairs, row); rows++)
		test_row(row);
	printf("%d rows\n", rows);
	total.covered += pairs.covered;
	total.existing += pairs.existing;
}

/* ---- Large machines, and the same bits again and again */

struct named {
	const char *spec, *algorithm, *element;
	enum ls_operation operation;
	size_t count;
	enum ls_mode mode;
	int ports, runs;
};

static const struct named large[] = {
	{ "star:6", "substar", "double sum", LS_ALLREDUCE, 5, LS_HOP, 1, 1 },
	{ "star:6", "matching", "uint64 sum", LS_BROADCAST, 300, LS_HOP, 1, 1 },
	{ "hypercube:9", "halving-doubling", "sequence", LS_ALLREDUCE, 700, LS_HOP, 1, 1 },
	{ "hypercube:8", "binomial", "matrix product", LS_REDUCE, 60, LS_HOP, 1, 1 },
	{ "ring:33", "ring", "double sum", LS_ALLREDUCE, 100001, LS_HOP, 2, 1 },
	{ "linear:64", NULL, "float prod", LS_ALLREDUCE, 20000, LS_HOP, 1, 1 },
	{ "torus:8x8", "pattern", "double sum", LS_ALLREDUCE, 1000, LS_HOP, 1, 1 },
	{ "mesh:3x5x7", "dimension", "sequence", LS_ALLREDUCE, 40, LS_HOP, 1, 1 },
	{ "complete:100", "doubling", "cdouble prod", LS_ALLREDUCE, 33, LS_HOP, 1, 1 },
	{ "ring:240", "dissemination", "uint8 max", LS_BARRIER, 0, LS_ROUTED, 1, 1 },
	{ "star:5", NULL, "int32 sum", LS_ALLTOALL, 3, LS_HOP, 1, 1 },
	{ "star:5", NULL, "sequence", LS_SCAN, 20, LS_HOP, 1, 1 },
	{ "hypercube:8", NULL, "uint8 max", LS_ALLGATHER, 5, LS_HOP, 1, 1 },
	{ "torus:8x8", NULL, "matrix product", LS_REDUCE_SCATTER, 30, LS_HOP, 1, 1 },
	{ "debruijn:7", NULL, "float min", LS_SCATTER, 11, LS_HOP, 1, 1 },
	{ "tree:128", NULL, "double pair minloc", LS_GATHER, 3, LS_ROUTED, 1, 1 },
	{ "mesh:7x9", NULL, "double sum", LS_SHIFT, 5000, LS_HOP, 1, 1 },
};

static const struct named repeated[] = {
	{ "complete:13", "doubling", "double sum", LS_ALLREDUCE, 200, LS_HOP, 1, 100 },
	{ "ring:7", "ring", "float prod", LS_ALLREDUCE, LONG, LS_HOP, 1, 100 },
	{ "star:4", "paper", "double sum", LS_ALLREDUCE, 3, LS_HOP, 1, 100 },
	{ "hypercube:3", NULL, "cdouble prod", LS_REDUCE, 500, LS_ROUTED, 1, 100 },
	{ "star:4", NULL, "float prod", LS_SCAN, 70, LS_HOP, 1, 100 },
	{ "ring:7", NULL, "double sum", LS_REDUCE_SCATTER, 600, LS_HOP, 2, 100 },
};

static const struct element *element_named(const char *name)
{
	const struct element *e = element;

	while (strcmp(e->name, name))
		e++;
	return e;
}

static void test_named(const struct named *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct named *c = &list[i];
		ls_topology *t = topology_of(c->spec);
		const struct job job = { .topology = t,
			.operation = c->operation,
			.algorithm = c->algorithm,
			.element = element_named(c->element),
			.count = c->count,
			.shift = 5,
			.mode = c->mode,
			.ports = c->ports,
			.mailbox = 4,
			.ways = LOCKSTEP_THREADS | FREE_COOPERATIVE | LOCKSTEP_COOPERATIVE,
			.runs = (is_thin() || is_fast()) && c->runs > 1 ? c->runs / 10 : c->runs };

		CHECK(job_check(&job), "%s", job_name(&job).text);
		ls_topology_destroy(t);
	}
	total.covered += (int64_t)n;
	total.existing += (int64_t)n;
}

int main(void)
{
	const int n = is_fast() ? SMALL_FAST : is_thin() ? SMALL_THIN : SMALL;
	const int64_t least = is_long() ? CELLS_LONG
		: is_fast()                 ? CELLS_FAST
		: is_thin()                 ? CELLS_THIN
									: CELLS;
	int64_t index = 0;

	elements_make(element);
	if (is_long()) {
		each_network(32, 12, test_network_at_length, &index);
	} else {
		test_table();
		test_records();
		test_pairs(n);
	}
	test_named(large, is_thin() || is_fast() ? 0 : sizeof large / sizeof *large);
	test_named(repeated, is_fast_repeat() ? 2 : sizeof repeated / sizeof *repeated);
	if (!is_long())
		check_all_ran();
	elements_destroy(element);
	printf("%" PRId64 " of %" PRId64 " cells covered\n", total.covered, total.existing);
	CHECK((is_long() ? total.existing : total.covered) >= least,
		"cells were lost: %" PRId64 " at least", least);
	return test_result();
}
