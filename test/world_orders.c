/*
 * A sweep in several processes combines in the order of one process, and by the same path.
 *
 * The sums of the operands depend on their order: doubles of very different sizes.  So a node that
 * adds the value of another node's child has other bits, even if the total is right.  Steps on
 * the reference path are counted, so that a step which several processes refuse without need is
 * seen.
 */
/* link: -Wl,--wrap=lsi_sweep_step */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/world_sweep.h"
#include "test.h"

#include "engine/sweep/sweep_internal.h"
#include "plan/plan_internal.h"

enum { MOST_MESSAGES = 30000, NODES_MOST = 1024, SIZES = 48, LEAST = 200, LEAST_FEW = 20 };

static int64_t cells_compared, cells_combined, tree_cells;

/* ---- The path */

static atomic_long reference_steps;

bool __real_lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);
bool __wrap_lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);

/* All processes and workers execute the same steps: those of the first are counted. */
bool __wrap_lsi_sweep_step(struct lsi_sweep_worker *w, int64_t step)
{
	if (w->number == 0 && w->sweep->first == 0)
		atomic_fetch_add(&reference_steps, 1);
	return __real_lsi_sweep_step(w, step);
}

/* ---- Operands and results */

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static void put_sizes(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++) {
		const uint64_t bits = mixed((uint64_t)rank * 1000003 + first + i + 1);

		((double *)into)[i] = ldexp((double)(bits >> 11), (int)(bits % SIZES));
	}
}

/* A number for the bytes of each result. */
struct results {
	size_t bytes;
	uint64_t of_node[NODES_MOST];
};

static int take_result(void *results, int64_t rank, const void *result)
{
	struct results *r = results;
	uint64_t sum = 1;

	for (size_t i = 0; i < r->bytes; i += sizeof sum) {
		uint64_t word;

		memcpy(&word, (const char *)result + i, sizeof word);
		sum = mixed(sum + word);
	}
	r->of_node[rank] = sum;
	return 0;
}

/* ---- Cells */

/* The elements of a call: one for each block of the plan. */
static size_t count_of(const ls_plan *plan)
{
	return lsi_operation_is_vector(plan->problem.operation) ? (size_t)ls_plan_blocks(plan) : 1;
}

static size_t result_bytes(const ls_plan *plan, size_t count)
{
	const struct ls_operation_info *info = ls_operation_describe(plan->problem.operation);
	const size_t rows = info->output == LS_BLOCKS ? (size_t)ls_plan_nodes(plan) : 1;

	return rows * count * sizeof(double);
}

static long run(struct ls_sweep *sweep, struct results *results, int processes, int workers)
{
	struct ls_sweep_result out = { .size = sizeof out };

	atomic_store(&reference_steps, 0);
	memset(results->of_node, 0, sizeof results->of_node);
	sweep->workers = workers;
	sweep->context = results;
	if (processes == 1)
		CHECK(ls_sweep_run(sweep, &out) == out.error.kind, "%s: what is returned", guarded());
	else
		out = sweep_in_processes(processes, 3, sweep, NULL);
	CHECK(out.error.kind == LS_OK, "%s: %s", guarded(), out.error.text);
	return atomic_load(&reference_steps);
}

static void compare(const ls_plan *plan, int64_t turn)
{
	static struct results one, several;
	const int processes = 2 + (int)(turn % 4), workers = 1 + (int)(turn / 4 % 3);
	const size_t count = count_of(plan);
	struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = count,
		.op = ls_plan_claim(plan) == LS_IDEMPOTENT ? LS_MAX : LS_SUM,
		.make = put_sizes,
		.take = take_result };
	long steps, steps_of_several;

	one.bytes = several.bytes = result_bytes(plan, count);
	steps = run(&sweep, &one, 1, 1);
	steps_of_several = run(&sweep, &several, processes, workers);
	CHECK(memcmp(one.of_node, several.of_node, sizeof one.of_node) == 0,
		"%s, %d processes: other bits than one process", guarded(), processes);
	CHECK(steps_of_several <= steps,
		"%s, %d processes: %ld steps on the reference path, in one process %ld", guarded(),
		processes, steps_of_several, steps);
}

struct turn {
	int64_t number, places, every;
};

static void test_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;
	struct ls_plan *plan;

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1 || !is_turn(cell, &turn->places)
		|| turn->number++ % turn->every)
		return;
	plan = plan_of(cell);
	guard("%s", cell_name(cell).text);
	if (ls_plan_predict(plan, 1).messages <= MOST_MESSAGES
		&& cell->problem.operation != LS_BARRIER) {
		compare(plan, turn->number / turn->every);
		cells_compared++;
		cells_combined += lsi_operation_combines(cell->problem.operation);
		tree_cells += lsi_whole_machine_of(cell->algorithm)->tree != NULL;
	}
	ls_plan_destroy(plan);
}

int main(void)
{
	static const char *const specs[] = { "hypercube:8", "star:5", "star:6", "bintree:7",
		"mesh:9x11", "torus:8x8", "debruijn:7", "complete:24", "ring:60", "pancake:5",
		"star:4*star:4" };
	const bool few = is_thin() || is_fast();
	struct turn turn = { .every = is_thin() ? 3 : is_fast() || is_long() ? 1 : 3 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_cell, &turn);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " cells, %" PRId64 " combine, %" PRId64 " along one tree\n", cells_compared,
		cells_combined, tree_cells);
	CHECK(cells_compared >= (few ? LEAST_FEW : LEAST) && cells_combined > 0 && tree_cells > 0,
		"cells were lost");
	return test_result();
}
