/*
 * Sweeps of one plan, again and again, in one and in several processes: results and counts of each
 * are those of a new plan, and from the second sweep on no table is built and no stage agreed on.
 */
/* link: -Wl,--wrap=lsi_peer_table_build,--wrap=lsi_sweep_agree_stage,--wrap=lsi_sweep_step */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/world_sweep.h"
#include "test.h"

#include "engine/sweep/fast/sweep_fast.h"
#include "engine/sweep/sweep_agree.h"

enum { PROCESSES_MOST = 4, NODES_MOST = 1024, MOST_MESSAGES = 20000, RUNS = 3 };

static int64_t cells_repeated, cells_kept, cells_crossing; /* of the kept: in several processes */

/* ---- What is built */

static atomic_long built, agreed, referenced;

void __real_lsi_peer_table_build(struct lsi_sweep_worker *, struct lsi_peer_table *);
void __wrap_lsi_peer_table_build(struct lsi_sweep_worker *, struct lsi_peer_table *);
bool __real_lsi_sweep_agree_stage(
	struct lsi_sweep_worker *, int64_t steps, uint64_t crossing, int64_t *accepted);
bool __wrap_lsi_sweep_agree_stage(
	struct lsi_sweep_worker *, int64_t steps, uint64_t crossing, int64_t *accepted);
bool __real_lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);
bool __wrap_lsi_sweep_step(struct lsi_sweep_worker *, int64_t step);

void __wrap_lsi_peer_table_build(struct lsi_sweep_worker *w, struct lsi_peer_table *t)
{
	atomic_fetch_add(&built, 1);
	__real_lsi_peer_table_build(w, t);
}

bool __wrap_lsi_sweep_agree_stage(
	struct lsi_sweep_worker *w, int64_t steps, uint64_t crossing, int64_t *accepted)
{
	atomic_fetch_add(&agreed, 1);
	return __real_lsi_sweep_agree_stage(w, steps, crossing, accepted);
}

bool __wrap_lsi_sweep_step(struct lsi_sweep_worker *w, int64_t step)
{
	atomic_fetch_add(&referenced, 1);
	return __real_lsi_sweep_step(w, step);
}

/* ---- Operands and results */

struct values {
	uint64_t seed, of_node[NODES_MOST]; /* a number for each result */
	size_t words;                       /* of a result */
};

static uint64_t word_of(uint64_t seed, int64_t rank, size_t i)
{
	return (seed + (uint64_t)rank * 1000003 + i * 97) * UINT64_C(0x9e3779b97f4a7c15);
}

static void put_words(void *values, int64_t rank, size_t first, size_t n, void *into)
{
	for (size_t i = 0; i < n; i++)
		((uint64_t *)into)[i] = word_of(((struct values *)values)->seed, rank, first + i);
}

static int take_words(void *values, int64_t rank, const void *result)
{
	struct values *v = values;
	uint64_t sum = 1;

	for (size_t i = 0; i < v->words; i++)
		sum = (sum ^ ((const uint64_t *)result)[i]) * UINT64_C(0x100000001b3);
	v->of_node[rank] = sum;
	return 0;
}

/* ---- Sweeps; in several processes each has its own plan, as it has its own memory */

static ls_plan *plan_at[PROCESSES_MOST];

static void give_plan(int process, struct ls_sweep *sweep)
{
	sweep->plan = plan_at[process];
}

static struct ls_sweep_result run(const struct ls_sweep *sweep, int processes)
{
	struct ls_sweep_result out = { .size = sizeof out };

	atomic_store(&built, 0);
	atomic_store(&agreed, 0);
	atomic_store(&referenced, 0);
	if (processes == 1) {
		CHECK(ls_sweep_run(sweep, &out) == out.error.kind, "%s: what is returned", guarded());
	} else {
		struct network *network = network_make(processes, 5);

		out = sweep_in_network(network, processes, sweep, give_plan);
		network_destroy(network);
	}
	CHECK(out.error.kind == LS_OK, "%s: %s", guarded(), out.error.text);
	return out;
}

static struct ls_sweep sweep_of(const ls_plan *plan, size_t times, struct values *values)
{
	const enum ls_operation operation = plan->problem.operation;
	const size_t blocks = lsi_operation_is_vector(operation) ? (size_t)ls_plan_blocks(plan) : 1;
	const bool wide = ls_operation_describe(operation)->output == LS_BLOCKS;

	values->words = blocks * times * (wide ? (size_t)ls_plan_nodes(plan) : 1);
	return (struct ls_sweep){ .size = sizeof(struct ls_sweep),
		.plan = plan,
		.count = blocks * times,
		.type = LS_UINT64,
		.op = ls_plan_claim(plan) == LS_IDEMPOTENT ? LS_MAX : LS_SUM,
		.make = put_words,
		.take = take_words,
		.context = values };
}

/* The same sweep with a new plan, in one process. */
static void compare_with_new(const struct cell *cell, const struct ls_sweep *like,
	const struct values *values, const struct ls_sweep_result *out)
{
	static struct values expected;
	struct ls_plan *plan = plan_of(cell);
	struct ls_sweep sweep = *like;
	struct ls_sweep_result other;

	memset(&expected, 0, sizeof expected);
	expected.seed = values->seed;
	expected.words = values->words;
	sweep.plan = plan;
	sweep.context = &expected;
	other = run(&sweep, 1);
	CHECK(memcmp(expected.of_node, values->of_node, sizeof expected.of_node) == 0,
		"%s: other results", guarded());
	CHECK(other.stats.messages == out->stats.messages && other.stats.words == out->stats.words
			&& other.stats.rounds == out->stats.rounds && other.stats.bytes == out->stats.bytes
			&& other.stats.link_load == out->stats.link_load && other.proved == out->proved,
		"%s: other counts", guarded());
	ls_plan_destroy(plan);
}

/* Sweeps of the same length use the tables; a longer one, and one of a new plan, make new ones. */
static void repeat(const struct cell *cell, int processes, int workers)
{
	static struct values values;
	long first_built = 0, first_referenced = 0;
	int64_t crossing = 0;

	for (int i = 0; i < processes; i++)
		plan_at[i] = plan_of(cell);
	for (int i = 0; i < 2 * RUNS; i++) {
		struct ls_sweep sweep = sweep_of(plan_at[0], i < RUNS ? 1 : 3, &values);
		struct ls_sweep_result out;
		bool uses;

		guard(
			"%s, %d processes, %d workers, sweep %d", cell_name(cell).text, processes, workers, i);
		memset(values.of_node, 0, sizeof values.of_node);
		values.seed = (uint64_t)i * 77 + 1;
		sweep.workers = workers;
		if (i == RUNS - 1 && processes > 1) { /* the others have tables, this one has none */
			ls_plan_destroy(plan_at[processes - 1]);
			plan_at[processes - 1] = plan_of(cell);
		}
		out = run(&sweep, processes);
		first_built = i == 0 ? built : first_built;
		first_referenced = i == 0 ? referenced : first_referenced;
		crossing = i == 0 ? out.crossing_messages : crossing;
		uses = first_referenced == 0 && (i % RUNS == 1 || (i == RUNS - 1 && processes == 1));
		if (uses && !lsi_whole_machine_of(cell->algorithm)->tree && first_built > 0) {
			CHECK(built == 0 && agreed == 0, "%s: %ld tables, %ld agreements", guarded(),
				(long)built, (long)agreed);
			cells_kept += i == 1;
			cells_crossing += i == 1 && processes > 1;
		}
		CHECK(out.crossing_messages == crossing, "%s: %" PRId64 " messages cross", guarded(),
			out.crossing_messages);
		compare_with_new(cell, &sweep, &values, &out);
	}
	for (int i = 0; i < processes; i++)
		ls_plan_destroy(plan_at[i]);
	cells_repeated++;
}

struct turn {
	int64_t number, places, every;
};

static void test_cell(const struct cell *cell, void *context)
{
	struct turn *turn = context;
	struct ls_plan *plan;
	bool small;

	if (cell->problem.mode != LS_HOP || cell->problem.ports > 1
		|| cell->problem.operation == LS_BARRIER || !is_turn(cell, &turn->places)
		|| turn->number++ % turn->every)
		return;
	plan = plan_of(cell);
	small = ls_plan_predict(plan, 1).messages <= MOST_MESSAGES;
	ls_plan_destroy(plan);
	if (small)
		repeat(cell, 1 + (int)(turn->number / turn->every % PROCESSES_MOST),
			1 + (int)(turn->number / turn->every % 3));
}

/* ---- Failures: what cannot be kept is no error */

static int sweep_twice(const ls_topology *topology)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = topology,
		.operation = LS_ALLREDUCE,
		.type = LS_UINT64,
		.count = 1 };
	static struct values values;
	ls_plan *plan;
	int status = ls_plan_make(&request, &plan, NULL);

	if (status != LS_OK)
		return status;
	for (int i = 0; i < 2 && status == LS_OK; i++) {
		struct ls_sweep sweep = sweep_of(plan, 1, &values);
		struct ls_sweep_result out = { .size = sizeof out };

		sweep.workers = 1;
		status = ls_sweep_run(&sweep, &out);
		CHECK(status != LS_OK || out.stats.messages == 64 * 6, "%s: messages", guarded());
	}
	ls_plan_destroy(plan);
	return status;
}

static void test_memory(void)
{
	ls_topology *t = topology_of("hypercube:6");
	bool failed = true;
	int survived = 0;

	guard("memory fails");
	CHECK(sweep_twice(t) == LS_OK, "%s", guarded()); /* memory that stays with the process */
	for (long long k = 1; failed; k++) {
		const long long before = atomic_load(&held);
		int status;

		arm(&memory_calls, k);
		status = sweep_twice(t);
		disarm();
		failed = atomic_load(&memory_calls.failed);
		survived += failed && status == LS_OK;
		CHECK(status == LS_OK || (failed && status == LS_ERR_MEMORY), "%s: %lld: %s", guarded(), k,
			ls_status_name(status));
		CHECK(atomic_load(&held) == before, "%s: %lld: leaked", guarded(), k);
	}
	CHECK(survived > 0, "%s: all failures are errors", guarded());
	ls_topology_destroy(t);
}

/* The number of the allocation that fails in the first sweep, once the last process begins it. */
static long long armed_at;

static void give_plan_and_arm(int process, struct ls_sweep *sweep)
{
	give_plan(process, sweep);
	if (process == 1)
		arm(&memory_calls, armed_at);
}

/* In two processes; the first status that is not LS_OK. */
static int sweep_twice_in_two(const struct ls_request *request)
{
	static struct values values;
	struct network *network;
	struct ls_sweep_result out = { .error.kind = LS_OK };

	for (int i = 0; i < 2; i++)
		plan_at[i] = plan_for(request);
	network = network_make(2, 5);
	for (int i = 0; i < 2 && out.error.kind == LS_OK; i++) {
		struct ls_sweep sweep = sweep_of(plan_at[0], 1, &values);

		sweep.workers = 1;
		out = sweep_in_network(network, 2, &sweep, i == 0 ? give_plan_and_arm : give_plan);
		disarm();
	}
	network_destroy(network);
	for (int i = 0; i < 2; i++)
		ls_plan_destroy(plan_at[i]);
	return out.error.kind;
}

static void test_memory_of_two(void)
{
	ls_topology *t = topology_of("hypercube:6");
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.type = LS_UINT64,
		.count = 1 };
	bool failed = true;
	int survived = 0;

	for (armed_at = 1; failed; armed_at++) {
		const long long before = atomic_load(&held);
		int status;

		guard("memory fails in two processes: %lld", armed_at);
		status = sweep_twice_in_two(&request);
		failed = atomic_load(&memory_calls.failed);
		survived += failed && status == LS_OK;
		CHECK(status == LS_OK || (failed && status == LS_ERR_MEMORY), "%s: %s", guarded(),
			ls_status_name(status));
		CHECK(atomic_load(&held) == before, "%s: leaked", guarded());
	}
	CHECK(survived > 0, "%s: all failures are errors", guarded());
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "hypercube:6", "star:4", "star:5", "mesh:5x6", "ring:24",
		"debruijn:5", "torus:4x6", "complete:16" };
	const bool few = is_thin() || is_fast();
	struct turn turn = { .every = few || is_long() ? 1 : 2 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 1, test_cell, &turn);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " plans, %" PRId64 " with tables that are kept, %" PRId64
		   " of these in several processes\n",
		cells_repeated, cells_kept, cells_crossing);
	CHECK(cells_repeated >= (few ? 20 : 100) && cells_kept >= (few ? 3 : 40)
			&& cells_crossing >= (few ? 2 : 30),
		"cells were lost");
	test_memory();
	test_memory_of_two();
	return test_result();
}
