/*
 * Sweeps in several processes end in all of them, with the same error: when arguments differ, when
 * one lacks memory or threads, when a caller stops, and when the transport fails or a host dies.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <string.h>

#include "support/world_sweep.h"
#include "rank_sweep.h"
#include "test.h"

enum { PROCESSES = 3 };

static struct ls_sweep_result run_changed(
	const struct ls_sweep *sweep, void (*change)(int process, struct ls_sweep *), int want)
{
	struct network *network = network_make(PROCESSES, 7);
	const struct ls_sweep_result out = sweep_in_network(network, PROCESSES, sweep, change);

	CHECK(out.error.kind == want && (want == LS_OK || out.error.text[0]), "%s: %s, not %s: %s",
		guarded(), ls_status_name(out.error.kind), ls_status_name(want), out.error.text);
	network_destroy(network);
	return out;
}

/* ---- One process differs */

static const ls_plan *other_plan;
static size_t memory_limit;

static void change_count(int process, struct ls_sweep *sweep)
{
	sweep->count += process == 1;
}

static void change_plan(int process, struct ls_sweep *sweep)
{
	sweep->plan = process == 2 ? other_plan : sweep->plan;
}

static void change_operands(int process, struct ls_sweep *sweep)
{
	sweep->make = process == 1 ? NULL : sweep->make;
}

static void forget_plan(int process, struct ls_sweep *sweep)
{
	sweep->plan = process == 0 ? NULL : sweep->plan;
}

static void limit_memory(int process, struct ls_sweep *sweep)
{
	sweep->memory = process == 2 ? memory_limit : 0;
}

static void limit_memory_of_all(int process, struct ls_sweep *sweep)
{
	(void)process;
	sweep->memory = memory_limit;
}

static void test_differences(void)
{
	struct rank_sweep s = rank_sweep_make("star:5", LS_ALLREDUCE, LS_HOP);
	struct rank_sweep other = rank_sweep_make("star:5", LS_BROADCAST, LS_HOP);
	struct ls_sweep_result out;

	guard("different counts");
	run_changed(&s.sweep, change_count, LS_ERR_ARGUMENT);
	guard("different plans");
	other_plan = other.plan;
	run_changed(&s.sweep, change_plan, LS_ERR_ARGUMENT);
	guard("no operands in one process");
	run_changed(&s.sweep, change_operands, LS_ERR_ARGUMENT);
	guard("no plan in one process");
	run_changed(&s.sweep, forget_plan, LS_ERR_ARGUMENT);
	guard("no memory in one process");
	memory_limit = 1;
	out = run_changed(&s.sweep, limit_memory, LS_ERR_MEMORY);
	CHECK(out.stats.messages == 0, "%s: %" PRId64 " messages", guarded(), out.stats.messages);
	guard("all is equal");
	out = run_changed(&s.sweep, NULL, LS_OK);
	CHECK(out.proved && out.crossing_messages > 0
			&& out.stats.messages == run_sweep(&s.sweep, LS_OK).stats.messages,
		"%s: %" PRId64 " messages cross", guarded(), out.crossing_messages);
	guard("no memory for messages between processes");
	memory_limit = out.memory - 1;
	run_changed(&s.sweep, limit_memory_of_all, LS_ERR_MEMORY);
	memory_limit = out.memory;
	run_changed(&s.sweep, limit_memory_of_all, LS_OK);
	rank_sweep_end(&other);
	rank_sweep_end(&s);
}

/* ---- Stops */

static int take_until(void *context, int64_t rank, const void *result)
{
	(void)context, (void)result;
	return rank == 77;
}

static void test_take(void)
{
	struct rank_sweep s = rank_sweep_make("star:5", LS_ALLREDUCE, LS_HOP);
	struct ls_sweep_result out;

	guard("take ends it");
	s.sweep.take = take_until;
	out = run_changed(&s.sweep, NULL, LS_ERR_STOPPED);
	CHECK(out.error.node == 77 && out.stats.rounds == ls_plan_rounds(s.plan), "%s: node %" PRId64,
		guarded(), out.error.node);
	rank_sweep_end(&s);
}

static atomic_int looks;

/* The operands are late, so that progress is reported before the sweep ends. */
static void put_late(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	put_rank(context, rank, first, n, into);
	while (atomic_load(&looks) == 0)
		nap(1);
}

static int look(void *stops, const struct ls_sweep_progress *p)
{
	CHECK(p->messages >= 0 && p->messages <= p->messages_total && p->rounds <= p->rounds_total,
		"%s: %" PRId64 " of %" PRId64 " messages", guarded(), p->messages, p->messages_total);
	atomic_fetch_add(&looks, 1);
	return stops != NULL;
}

/* One process looks at the progress. */
static void look_in_one(int process, struct ls_sweep *sweep)
{
	sweep->progress = process == 1 ? look : NULL;
}

static void test_progress(void)
{
	struct rank_sweep s = rank_sweep_make("star:5", LS_ALLREDUCE, LS_HOP);
	bool stops = true;

	s.sweep.make = put_late;
	for (int i = 0; i < 2; i++) {
		guard(i ? "progress ends it" : "progress goes on");
		atomic_store(&looks, 0);
		s.sweep.progress_context = i ? &stops : NULL;
		run_changed(&s.sweep, look_in_one, i ? LS_ERR_STOPPED : LS_OK);
	}
	rank_sweep_end(&s);
}

/* ---- Allocations and threads that fail */

static struct counter *armed;
static long long armed_at;

static void arm_last(int process, struct ls_sweep *sweep)
{
	(void)sweep;
	if (process == PROCESSES - 1)
		arm(armed, armed_at);
}

static void test_injected(
	const char *name, struct counter *counter, const char *spec, enum ls_operation operation)
{
	struct rank_sweep s = rank_sweep_make(spec, operation, LS_HOP);
	bool failed = true;

	s.sweep.memory = SIZE_MAX; /* keeps nothing with the plan */
	armed = counter;
	for (armed_at = 1; failed; armed_at++) {
		const long long before = atomic_load(&held);
		struct network *network = network_make(PROCESSES, (uint64_t)armed_at);
		struct ls_sweep_result out;

		guard("%s fails: %s on %s, %lld", name, ls_operation_name(operation), spec, armed_at);
		out = sweep_in_network(network, PROCESSES, &s.sweep, arm_last);
		disarm();
		failed = atomic_load(&counter->failed);
		CHECK(failed ? out.error.kind == LS_ERR_MEMORY || out.error.kind == LS_ERR_THREADS
					 : out.error.kind == LS_OK && armed_at > 1,
			"%s: %s: %s", guarded(), ls_status_name(out.error.kind), out.error.text);
		network_destroy(network);
		CHECK(atomic_load(&held) == before, "%s: leaked", guarded());
	}
	rank_sweep_end(&s);
}

/* ---- A limit of memory */

static size_t beside; /* what a process may allocate for messages */

static void allow_beside(int process, struct ls_sweep *sweep)
{
	(void)process;
	sweep->memory = ls_sweep_memory(sweep) + beside;
}

enum { DATA = 16, FINGERPRINT = 8, LINE = 64 };

/* Messages of one direction in memory; data and fingerprints begin at a cache line. */
static size_t lanes_of(size_t messages)
{
	return (messages * DATA + LINE - 1) / LINE * LINE
		+ (messages * FINGERPRINT + LINE - 1) / LINE * LINE;
}

/* What one turn of the processes holds in each direction, and two if there are more. */
static size_t turns_of(size_t messages)
{
	const size_t most = (LSI_MESSAGE_BYTES - 2 * LINE) / (DATA + FINGERPRINT);

	return messages <= most ? 2 * lanes_of(messages) : 2 * 2 * lanes_of(most);
}

/*
 * In a round of a hypercube all nodes of a process exchange messages with others.  It has lists of
 * those that send and of those that receive, of 4 bytes each, and the messages of at most two turns
 * in each direction.  A byte less is not enough.
 */
static void test_limit(int64_t n)
{
	const size_t nodes = ((size_t)1 << n) / 2, needed = nodes * 2 * 4 + turns_of(nodes);

	for (int lacks = 0; lacks < 2; lacks++) {
		char spec[16];
		struct rank_sweep s;
		struct network *network = network_make(2, (uint64_t)n);
		struct ls_sweep_result out;

		snprintf(spec, sizeof spec, "hypercube:%d", (int)n);
		guard("%s, %zu bytes, %d too few", spec, needed, lacks);
		s = rank_sweep_make(spec, LS_ALLREDUCE, LS_HOP);
		beside = needed - (size_t)lacks;
		out = sweep_in_network(network, 2, &s.sweep, allow_beside);
		CHECK(out.error.kind == (lacks ? LS_ERR_MEMORY : LS_OK), "%s: %s: %s", guarded(),
			ls_status_name(out.error.kind), out.error.text);
		network_destroy(network);
		rank_sweep_end(&s);
	}
}

/* ---- The transport fails */

static void test_transport(
	const char *spec, enum ls_operation operation, enum ls_mode mode, int process, int64_t each)
{
	struct rank_sweep s = rank_sweep_make(spec, operation, mode);
	bool failed = true;

	for (int64_t k = 1; failed; k += k / each + 1) {
		struct network *network = network_make(PROCESSES, (uint64_t)k);
		struct ls_sweep_result out;

		guard("%s on %s: call %" PRId64 " of process %d fails", ls_operation_name(operation), spec,
			k, process);
		network_fail(network, process, k, false);
		out = sweep_in_network(network, PROCESSES, &s.sweep, NULL);
		failed = network_failed(network) >= 0;
		CHECK(out.error.kind == (failed ? LS_ERR_STOPPED : LS_OK)
				&& (!failed || strstr(out.error.text, " in process ")),
			"%s: %s: %s", guarded(), ls_status_name(out.error.kind), out.error.text);
		network_destroy(network);
	}
	rank_sweep_end(&s);
}

static int refuse(void *context, int64_t rank, const void *result)
{
	(void)context, (void)rank, (void)result;
	return 1;
}

/* All fail, and agree on the first error; the transport fails before, while or after they do. */
static void test_error_and_transport(void)
{
	struct rank_sweep s = rank_sweep_make("hypercube:2", LS_ALLREDUCE, LS_HOP);
	bool failed = true;

	s.sweep.take = refuse;
	for (int64_t k = 1; failed; k++) {
		struct network *network = network_make(PROCESSES, (uint64_t)k);
		struct ls_sweep_result out;

		guard("an error, and call %" PRId64 " fails", k);
		network_fail(network, 0, k, false);
		out = sweep_in_network(network, PROCESSES, &s.sweep, NULL);
		failed = network_failed(network) >= 0;
		CHECK(out.error.kind == LS_ERR_STOPPED && (failed || out.error.node == 0), "%s: %s: %s",
			guarded(), ls_status_name(out.error.kind), out.error.text);
		network_destroy(network);
	}
	rank_sweep_end(&s);
}

static int stop_soon(void *context, const struct ls_sweep_progress *p)
{
	(void)context;
	return p->seconds > 0.2;
}

/* The others do not learn that a host has died.  They end when their callers stop them. */
static void test_dead_host(void)
{
	struct rank_sweep s = rank_sweep_make("hypercube:6", LS_ALLREDUCE, LS_HOP);

	s.sweep.progress = stop_soon;
	for (int64_t k = 1; k < 300; k += 120) {
		struct network *network = network_make(PROCESSES, (uint64_t)k);
		struct ls_sweep_result out;

		guard("the host of process 1 dies in call %" PRId64, k);
		network_fail(network, 1, k, true);
		out = sweep_in_network(network, PROCESSES, &s.sweep, NULL);
		CHECK(network_failed(network) < 0 || out.error.kind == LS_ERR_STOPPED, "%s: %s: %s",
			guarded(), ls_status_name(out.error.kind), out.error.text);
		network_destroy(network);
	}
	rank_sweep_end(&s);
}

int main(void)
{
	test_differences();
	test_take();
	test_progress();
	test_injected("an allocation", &memory_calls, "star:4", LS_ALLREDUCE);
	test_injected("an allocation", &memory_calls, "ring:8", LS_ALLTOALL);
	test_injected("a thread", &thread_calls, "star:4", LS_ALLREDUCE);
	for (int process = 0; process < PROCESSES; process++)
		test_transport("star:4", LS_ALLREDUCE, LS_HOP, process, 16);
	test_transport("ring:7", LS_SCATTER, LS_HOP, 1, 16);
	test_transport("ring:4", LS_BARRIER, LS_ROUTED, 0, 1000);
	test_transport("hypercube:2", LS_BROADCAST, LS_HOP, 0, 1000);
	test_error_and_transport();
	test_limit(8);
	test_limit(10);
	test_limit(19);
	test_dead_host();
	return test_result();
}
