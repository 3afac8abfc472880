/*
 * Edge cases of a sweep: invalid arguments, the memory that it reports, allocations and workers
 * that fail, and a stop on request.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include <lockstep/collective.h>
#include <lockstep/sweep.h>

#include "base/alloc.h"
#include "engine/sweep/kept_memory.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "rank_sweep.h"
#include "test.h"

/* ---- Arguments */

static void combine(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)dst, (void)a, (void)b, (void)n, (void)context;
}

static void test_arguments(void)
{
	const struct ls_op_options options = { .size = sizeof options, .combine = combine };
	struct rank_sweep s = rank_sweep_make("star:4", LS_ALLREDUCE, LS_HOP);
	const struct ls_request commutative = { .size = sizeof commutative,
		.topology = s.topology,
		.operation = LS_ALLREDUCE,
		.algorithm = "paper" };
	ls_topology *ring = topology_of("ring:24"), *other = topology_of("ring:12");
	ls_embedding *e;
	struct ls_sweep bad = s.sweep;
	ls_plan *paper;
	ls_op op;

	if (ls_op_make(&options, &op) != LS_OK || ls_plan_make(&commutative, &paper, NULL) != LS_OK
		|| ls_embedding_make(other, ring, "identity", &e, NULL) != LS_OK)
		exit(1);
	guard("arguments");
	run_sweep(NULL, LS_ERR_ARGUMENT);
	CHECK(ls_sweep_memory(NULL) == 0, "no sweep");
	run_sweep((bad.plan = NULL, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.make = NULL, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.input_stride = 8, bad.input = &bad, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.output_stride = 15, bad.output = &bad, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.op = LS_MINLOC, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.op = op, bad.plan = paper, &bad), LS_ERR_UNSUPPORTED);
	bad = s.sweep;
	run_sweep((bad.embedding = e, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.workers = -1, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.bind = (enum ls_bind)3, &bad), LS_ERR_ARGUMENT);
	bad = s.sweep;
	run_sweep((bad.mode = (enum ls_mode)9, &bad), LS_ERR_ARGUMENT);
	run_sweep(&s.sweep, LS_OK);
	ls_embedding_destroy(e);
	ls_op_destroy(op);
	ls_plan_destroy(paper);
	ls_topology_destroy(other);
	ls_topology_destroy(ring);
	rank_sweep_end(&s);
}

/* Rows of the caller: where those of operands and results lie, in bytes, and their strides. */
static void test_rows(void)
{
	static const struct {
		size_t in, out, in_stride, out_stride;
		int status;
	} rows[] = {
		{ 0, 24 * 16, 0, 0, LS_OK },
		{ 0, 24 * 16 - 1, 0, 0, LS_ERR_ARGUMENT },
		{ 24 * 16, 0, 0, 0, LS_OK },
		{ 24 * 16 - 8, 0, 0, 0, LS_ERR_ARGUMENT },
		{ 8, 8, 0, 0, LS_ERR_ARGUMENT },
		{ 0, 16, 32, 32, LS_OK }, /* in turns */
		{ 16, 0, 32, 32, LS_OK },
		{ 0, 32 + 16, 32, 32, LS_OK },
		{ 0, 8, 32, 32, LS_ERR_ARGUMENT },
		{ 0, 24, 32, 32, LS_ERR_ARGUMENT },
		{ 24, 0, 32, 32, LS_ERR_ARGUMENT },
		{ 0, 16, 32, 16, LS_ERR_ARGUMENT },
		{ 0, 23 * 32 + 16, 32, 0, LS_OK },
		{ 0, 24 * 16, SIZE_MAX, 0, LS_ERR_ARGUMENT },
		{ 0, 24 * 16, 0, SIZE_MAX, LS_ERR_ARGUMENT },
		{ 0, 24 * 16, SIZE_MAX / 4, 0, LS_ERR_ARGUMENT },
		{ 0, 24 * 16, 0, SIZE_MAX / 23, LS_ERR_ARGUMENT },
	};
	struct rank_sweep s = rank_sweep_make("star:4", LS_ALLREDUCE, LS_HOP);
	static char memory[4 * 24 * 32];
	struct ls_sweep sweep = s.sweep;

	CHECK(sweep.count * ls_type_size(sweep.type) == 16, "rows of 16 bytes");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		guard("rows %zu", i);
		sweep.input = memory + rows[i].in;
		sweep.output = memory + rows[i].out;
		sweep.input_stride = rows[i].in_stride;
		sweep.output_stride = rows[i].out_stride;
		sweep.take = NULL;
		run_sweep(&sweep, rows[i].status);
	}
	rank_sweep_end(&s);
}

/* An older caller knows fewer fields: those are as if they were 0. */
static void test_older(void)
{
	struct rank_sweep s = rank_sweep_make("ring:5", LS_ALLREDUCE, LS_HOP);
	struct {
		struct ls_sweep_result out;
		char beyond[16];
	} small;
	struct ls_sweep older = s.sweep;

	guard("older callers");
	memset(&small, 0x5a, sizeof small);
	small.out.size = offsetof(struct ls_sweep_result, seconds);
	older.size = offsetof(struct ls_sweep, trace);
	older.trace = (void (*)(void *, const struct ls_record *))(uintptr_t)1;
	CHECK(ls_sweep_run(&older, &small.out) == LS_OK, "%s", guarded());
	CHECK(small.out.stats.messages > 0 && *(unsigned char *)&small.out.seconds == 0x5a
			&& small.beyond[0] == 0x5a,
		"%s: written beyond", guarded());
	rank_sweep_end(&s);
}

/* ---- Memory */

static int take_nothing(void *context, int64_t rank, const void *result)
{
	(void)context, (void)rank, (void)result;
	return 0;
}

static void record_nothing(void *context, const struct ls_record *record)
{
	(void)context, (void)record;
}

/*
 * What is taken is what was said, but for the workers' stacks and what is the same for all; a byte
 * less is not enough.
 */
enum { STACK = (1 << 20) + (1 << 14) + (1 << 16), BESIDE = 1 << 17 };

/* Free the memory that the last sweep has left for the next one. */
static void drop_kept_memory(void)
{
	const struct lsi_sweep_memory memory = lsi_sweep_memory_take(1, 0);

	lsi_free_pages(memory.at, memory.bytes);
}

static void check_memory(struct rank_sweep *s)
{
	const size_t bytes = ls_sweep_memory(&s->sweep);
	struct ls_sweep_result out;
	long long before;

	drop_kept_memory();
	before = atomic_load(&held);
	s->sweep.memory = bytes;
	arm(&memory_calls, 0);
	out = run_sweep(&s->sweep, LS_OK);
	CHECK(
		out.memory == bytes && bytes > 0, "%s: %zu bytes, said %zu", guarded(), out.memory, bytes);
	CHECK(atomic_load(&taken) <= (long long)bytes + out.workers * STACK + BESIDE,
		"%s: %lld bytes, said %zu", guarded(), atomic_load(&taken), bytes);
	CHECK(atomic_load(&taken) >= (long long)bytes, "%s: said %zu bytes of %lld", guarded(), bytes,
		atomic_load(&taken));
	drop_kept_memory();
	s->sweep.memory = bytes - 1;
	arm(&memory_calls, 0);
	out = run_sweep(&s->sweep, LS_ERR_MEMORY);
	CHECK(out.stats.messages == 0 && out.memory == bytes && atomic_load(&taken) < BESIDE,
		"%s: %lld bytes were taken", guarded(), atomic_load(&taken));
	CHECK(atomic_load(&held) == before, "%s: leaked", guarded());
	s->sweep.memory = 0;
}

static const struct {
	const char *spec;
	enum ls_operation operation;
	enum ls_mode mode;
} cases[] = {
	{ "star:6", LS_ALLREDUCE, LS_HOP },
	{ "star:6", LS_BROADCAST, LS_HOP },
	{ "star:5", LS_GATHER, LS_HOP },
	{ "hypercube:7", LS_ALLTOALL, LS_HOP },
	{ "ring:64", LS_SCATTER, LS_ROUTED },
	{ "tree:32", LS_REDUCE_SCATTER, LS_ROUTED },
	{ "mesh:9x9", LS_SCAN, LS_HOP },
	{ "linear:1", LS_ALLREDUCE, LS_HOP },
	{ "ring:1", LS_SHIFT, LS_HOP },
	{ "torus:4x5", LS_BARRIER, LS_HOP },
};
enum { CASES = sizeof cases / sizeof *cases };

static void test_memory(void)
{
	for (size_t i = 0; i < CASES; i++) {
		struct rank_sweep s = rank_sweep_make(cases[i].spec, cases[i].operation, cases[i].mode);

		for (int way = 0; way < 6; way++) {
			s.sweep.workers = way == 5 ? 1000 : 1 + way;
			s.sweep.order = way % 3 == 2;
			s.sweep.take = way % 2 ? take_nothing : NULL;
			s.sweep.count = way == 4 ? 1000 : 2;
			guard("memory of %s on %s, way %d", ls_operation_name(cases[i].operation),
				cases[i].spec, way);
			check_memory(&s);
		}
		rank_sweep_end(&s);
	}
}

/* Sweeps that no machine holds. */
static void test_too_large(void)
{
	struct rank_sweep s = rank_sweep_make("hypercube:20", LS_ALLREDUCE, LS_HOP);
	struct ls_sweep_result out;

	guard("too large");
	s.sweep.count = (size_t)1 << 40;
	out = run_sweep(&s.sweep, LS_ERR_MEMORY);
	CHECK(out.memory > (size_t)1 << 60, "%s: %zu", guarded(), out.memory);
	s.sweep.count = SIZE_MAX / 8;
	CHECK(ls_sweep_memory(&s.sweep) == SIZE_MAX, "%s: can be counted", guarded());
	run_sweep(&s.sweep, LS_ERR_MEMORY);
	s.sweep.count = SIZE_MAX;
	CHECK(ls_sweep_memory(&s.sweep) == SIZE_MAX, "%s: can be counted", guarded());
	run_sweep(&s.sweep, LS_ERR_MEMORY);
	rank_sweep_end(&s);
}

/* ---- Failures */

/* The k-th call fails, for every k until there is none. */
static void check_failures(const struct rank_sweep *s, struct counter *counter, int want)
{
	const int threads = threads_alive();

	drop_kept_memory();
	for (long long k = 1;; k++) {
		const long long before = atomic_load(&held);
		struct ls_sweep_result out = { .size = sizeof out };

		arm(counter, k);

		const int status = ls_sweep_run(&s->sweep, &out);

		disarm();
		drop_kept_memory();
		CHECK(atomic_load(&held) == before, "%s, %lld: leaked", guarded(), k);
		CHECK(threads_end(threads), "%s, %lld: %d threads", guarded(), k, threads_alive());
		CHECK(status == out.error.kind && (status == LS_OK || out.error.text[0]), "%s, %lld: text",
			guarded(), k);
		if (!atomic_load(&counter->failed)) {
			CHECK(status == LS_OK && (k > 1 || (counter == &thread_calls && out.workers == 1)),
				"%s: %s", guarded(), out.error.text);
			return;
		}
		/* Without memory for its stack a worker cannot be started. */
		CHECK((status == want || status == LS_ERR_THREADS) && out.stats.messages == 0,
			"%s, %lld: %s: %s", guarded(), k, ls_status_name(status), out.error.text);
	}
}

static void test_fails(void)
{
	for (size_t i = 0; i < CASES; i++) {
		struct rank_sweep s = rank_sweep_make(cases[i].spec, cases[i].operation, cases[i].mode);

		s.sweep.workers = 3;
		s.sweep.trace = record_nothing;
		guard(
			"an allocation fails: %s on %s", ls_operation_name(cases[i].operation), cases[i].spec);
		check_failures(&s, &memory_calls, LS_ERR_MEMORY);
		guard("a worker fails: %s on %s", ls_operation_name(cases[i].operation), cases[i].spec);
		check_failures(&s, &thread_calls, LS_ERR_THREADS);
		run_sweep(&s.sweep, LS_OK);
		rank_sweep_end(&s);
	}
}

/* ---- Ends */

struct ends {
	atomic_llong calls;
	int64_t last, stop_at;
	bool in_order;
};
static struct ends *awaited;

static int look(void *context, const struct ls_sweep_progress *p)
{
	struct ends *e = context;

	e->in_order &= p->messages >= e->last && p->rounds <= p->rounds_total
		&& p->messages <= p->messages_total && p->seconds >= 0;
	e->last = p->messages;
	return atomic_fetch_add(&e->calls, 1) + 1 == e->stop_at;
}

/* Makes an operand as soon as progress has been reported often enough. */
static void make_late(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	put_rank(context, rank, first, n, into);
	while (atomic_load(&awaited->calls) < (awaited->stop_at ? awaited->stop_at : 1))
		nap(1);
}

static void test_progress(void)
{
	struct rank_sweep s = rank_sweep_make("star:6", LS_ALLREDUCE, LS_HOP);
	struct ls_sweep_result out;

	for (int64_t stop = 0; stop < 3; stop++) {
		struct ends ends = { .stop_at = stop, .in_order = true };

		guard("progress, to be stopped at call %" PRId64, stop);
		s.sweep.make = make_late;
		awaited = &ends;
		s.sweep.progress = look;
		s.sweep.progress_context = &ends;
		out = run_sweep(&s.sweep, stop ? LS_ERR_STOPPED : LS_OK);
		CHECK(ends.in_order && ends.calls > 0, "%s: %lld calls", guarded(), ends.calls);
		CHECK(stop == 0 || ends.calls <= stop + 1, "%s: goes on", guarded());
		CHECK(stop == 0
				|| (!out.proved && out.stats.rounds < ls_plan_rounds(s.plan)
					&& out.stats.messages <= ls_plan_predict(s.plan, 2).messages),
			"%s: %" PRId64 " rounds, %" PRId64 " messages", guarded(), out.stats.rounds,
			out.stats.messages);
	}
	rank_sweep_end(&s);
}

static int take_some(void *context, int64_t rank, const void *result)
{
	atomic_int *taken_ranks = context;

	(void)result;
	atomic_fetch_add(taken_ranks, 1);
	return rank == 77;
}

static void test_take(void)
{
	struct rank_sweep s = rank_sweep_make("star:5", LS_ALLREDUCE, LS_HOP);

	for (int workers = 1; workers < 8; workers++) {
		atomic_int ranks = 0;
		struct ls_sweep_result out;

		guard("take ends it, %d workers", workers);
		s.sweep.workers = workers;
		s.sweep.take = take_some;
		s.sweep.context = &ranks;
		out = run_sweep(&s.sweep, LS_ERR_STOPPED);
		CHECK(out.error.node == 77 && atomic_load(&ranks) <= s.p, "%s: node %" PRId64, guarded(),
			out.error.node);
		CHECK(out.stats.rounds == ls_plan_rounds(s.plan), "%s: %" PRId64 " rounds", guarded(),
			out.stats.rounds);
	}
	rank_sweep_end(&s);
}

int main(void)
{
	test_arguments();
	test_rows();
	test_older();
	test_memory();
	test_too_large();
	test_fails();
	test_take();
	test_progress();
	return test_result();
}
