/*
 * As test/fault, without threads: the k-th allocation fails while the library makes a network, a
 * plan, a proof, a type or an operator, for every k until none fails.
 */
/* variants: release checked asan chaos */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <lockstep.h>

#include "support/guard.h"
#include "support/inject.h"
#include "test.h"

enum { LONG = 3000 }; /* elements */

static int row(void *context, const struct ls_record *record)
{
	(void)context;
	(void)record;
	return 0;
}

static int make(const void *spec)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *topology = NULL;
	const int failed = ls_topology_make(spec, &topology, &why);

	CHECK(!failed || (why.kind == failed && why.text[0]), "%s: %s", guarded(), why.text);
	ls_topology_destroy(topology);
	return failed;
}

/* Use a network, unless it cannot be made. */
static int with_network(
	const char *spec, int (*use)(const ls_topology *, void *context), void *context)
{
	ls_topology *topology;
	int failed = ls_topology_make(spec, &topology, NULL);

	if (failed)
		return failed;
	failed = use(topology, context);
	ls_topology_destroy(topology);
	return failed;
}

static void put_rank(void *context, int64_t rank, int64_t block, void *out)
{
	(void)context, (void)block;
	*(int64_t *)out = rank;
}

static void add(void *context, const void *a, const void *b, void *out)
{
	(void)context;
	*(int64_t *)out = *(const int64_t *)a + *(const int64_t *)b;
}

/* The text and the value of the result, as soon as there is one. */
static int observe(void *context, const ls_replay *replay)
{
	const struct ls_slice output = {
		.run = ls_replay_blocks(replay, LS_OUTPUT), .runs = 1, .buffer = LS_OUTPUT
	};
	const int64_t length = ls_replay_text(replay, 0, &output, NULL, 0);
	int64_t sum;

	(void)context;
	if (length < 0)
		return (int)length;
	for (int64_t b = 0; b < output.run; b++) {
		const int status = ls_replay_value(replay, 0, LS_OUTPUT, b, &sum);

		if (status == LS_ERR_MEMORY)
			return status;
	}
	return LS_OK;
}

static const struct ls_observer observer = { .size = sizeof observer,
	.observe = observe,
	.bytes = sizeof(int64_t),
	.operand = put_rank,
	.combine = add };
static const struct ls_check_options observed = { .size = sizeof observed, .observer = &observer };

/* A plan is made, proved before an observer, and traced. */
static int prove_on(const ls_topology *topology, void *unused)
{
	const struct ls_request request = {
		.size = sizeof request, .topology = topology, .operation = LS_ALLREDUCE, .count = LONG
	};
	struct ls_certificate certificate = { .size = sizeof certificate };
	ls_plan *plan;
	int failed = ls_plan_make(&request, &plan, NULL);

	(void)unused;
	if (!failed) {
		failed = ls_check(plan, LONG, &observed, &certificate);
		CHECK(failed || certificate.broken_law < 0, "%s: %s", guarded(), certificate.text);
		if (!failed)
			failed = ls_trace_plan(plan, LONG, row, NULL);
		ls_plan_destroy(plan);
	}
	return failed;
}

static int prove(const void *spec)
{
	return with_network(spec, prove_on, NULL);
}

struct rows {
	struct ls_message row[256];
	size_t count;
};

static int collect(void *context, const struct ls_record *record)
{
	struct rows *rows = context;

	rows->row[rows->count++] = (struct ls_message){
		.round = record->round, .src = record->src, .dst = record->dst, .words = record->words
	};
	return 0;
}

/* Plans are inferred from the messages of a plan: values of an operation that adds, or blocks. */
static int infer_on(const ls_topology *topology, void *unused)
{
	static const enum ls_operation operations[] = { LS_ALLREDUCE, LS_ALLGATHER };
	int failed = LS_OK;

	(void)unused;
	for (size_t i = 0; i < sizeof operations / sizeof *operations && !failed; i++) {
		struct ls_request request = {
			.size = sizeof request, .topology = topology, .operation = operations[i], .count = 1
		};
		struct rows rows = { .count = 0 };
		ls_plan *plan, *inferred;

		failed = ls_plan_make(&request, &plan, NULL);
		if (failed)
			break;
		failed = ls_trace_plan(plan, 1, collect, &rows);
		if (!failed)
			failed = ls_plan_infer(&request, rows.row, rows.count, &inferred, NULL);
		if (!failed)
			ls_plan_destroy(inferred);
		ls_plan_destroy(plan);
	}
	return failed;
}

static int infer(const void *spec)
{
	return with_network(spec, infer_on, NULL);
}

/* Every algorithm of an operation is asked for its plan; those that do not fit say so. */
static int plan_each(const ls_topology *topology, enum ls_operation operation, uint64_t *made)
{
	struct ls_request request = {
		.size = sizeof request, .topology = topology, .operation = operation, .shift = 2
	};
	struct ls_algorithm_info info = { .size = sizeof info };
	int failed = LS_OK;

	for (size_t i = 0; !failed && ls_algorithm_list(i, &info); i++) {
		ls_plan *plan = NULL;

		request.algorithm = info.name;
		if (info.operations & 1u << operation)
			failed = ls_plan_make(&request, &plan, NULL);
		*made = *made * 31 + (plan ? (uint64_t)ls_plan_steps(plan) : 0);
		ls_plan_destroy(plan);
		if (failed == LS_ERR_UNSUPPORTED)
			failed = LS_OK;
	}
	return failed;
}

static int plan_all(const ls_topology *topology, void *context)
{
	uint64_t *made = context;
	int failed = LS_OK;

	*made = 1;
	for (int o = 0; o < LS_OPERATIONS && !failed; o++)
		failed = plan_each(topology, (enum ls_operation)o, made);
	return failed;
}

/* A failure that is not told has changed no choice. */
static int plan(const void *spec)
{
	uint64_t made, again;
	int failed = with_network(spec, plan_all, &made);

	if (!failed && atomic_load(&memory_calls.failed)) {
		disarm();
		CHECK(with_network(spec, plan_all, &again) == LS_OK && made == again, "%s: another plan",
			guarded());
		failed = LS_ERR_MEMORY;
	}
	return failed;
}

struct named {
	const char *spec;
	enum ls_operation operation;
	const char *algorithm;
};

/* A plan that reads a table has it, or there is none. */
static int make_named_on(const ls_topology *topology, void *context)
{
	struct ls_request *request = context;
	ls_plan *plan;
	int failed;

	request->topology = topology;
	failed = ls_plan_make(request, &plan, NULL);
	if (!failed) {
		CHECK(ls_plan_rounds(plan) > 0, "%s: no rounds", guarded());
		ls_plan_destroy(plan);
	}
	return failed;
}

static int make_named(const void *context)
{
	const struct named *named = context;
	struct ls_request request = { .size = sizeof request,
		.operation = named->operation,
		.algorithm = named->algorithm,
		.count = 1 };

	return with_network(named->spec, make_named_on, &request);
}

/* The cost of two messages that share a link; -1: no memory to count the loads of links. */
static int price_on(const ls_topology *topology, void *unused)
{
	static const struct ls_message shared[] = { { .round = 1, .src = 0, .dst = 2, .words = 5 },
		{ .round = 1, .src = 1, .dst = 3, .words = 5 } };
	static const struct ls_cost_model model = { .t_s = 100, .t_w = 1 };
	const struct ls_request request = {
		.size = sizeof request, .topology = topology, .mode = LS_ROUTED
	};
	ls_plan *plan;
	int failed = ls_plan_from_messages(&request, shared, 2, &plan, NULL);

	(void)unused;
	if (!failed) {
		const double cost = ls_plan_cost(plan, 1, 1, model);

		CHECK(cost == -1 || cost == 100 + 2 * 5, "%s: %g", guarded(), cost);
		failed = cost < 0 ? LS_ERR_MEMORY : LS_OK;
		ls_plan_destroy(plan);
	}
	return failed;
}

static int price(const void *spec)
{
	return with_network(spec, price_on, NULL);
}

static void keep(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)dst, (void)a, (void)b, (void)n, (void)context;
}

/* A type and an operator of the program's own. */
static int define(const void *spec)
{
	const struct ls_op_options own = { .size = sizeof own, .name = "keep", .combine = keep };
	ls_type type;
	ls_op op;
	int failed = ls_type_make(3, &type);

	(void)spec;
	if (failed)
		return failed;
	failed = ls_op_make(&own, &op);
	if (!failed)
		ls_op_destroy(op);
	ls_type_destroy(type);
	return failed;
}

int main(void)
{
	static const struct named packets = { "ring:4", LS_ALLTOALL, "combining" },
							  record = { "bintree:2*ring:4", LS_ALLGATHER, "found" };
	static const struct faulty scenarios[] = {
		{ "a proof", prove, "star:4", 0 },
		{ "a proof of a pipeline", prove, "linear:5", 0 },
		{ "plans of messages", infer, "hypercube:3", 0 },
		{ "plans", plan, "star:4", 0 },
		{ "plans of products", plan, "star:3*linear:2", 0 },
		{ "a plan of packets", make_named, &packets, 0 },
		{ "a plan of a record", make_named, &record, 80 }, /* without its counts */
		{ "a cost", price, "linear:4", 0 },
		{ "networks", make, "graph:test/data/claw*mct:2,1*ring:2", 0 },
		{ "a type and an operator", define, NULL, 0 },
	};

	setvbuf(stdout, NULL, _IOLBF, 0); /* what was done is seen if it hangs */
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		fail_memory(&scenarios[i]);
	return test_result();
}
