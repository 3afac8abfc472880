/*
 * Node programs in several processes end in all of them, without a hang or a leak, whatever fails:
 * an allocation or a thread in one process, a call of the transport, a host; and when one process
 * stops the machine at any moment, or its time limit is over.  Where memory or threads were short,
 * the same machine runs again.  A machine is busy while a node has not returned.
 */
/* nodes: threads fibers */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/spread_machine.h"
#include "test.h"

enum { PROCESSES = 3, NODES = 6, LONG = 400 };

/* ---- The node program: messages of both kinds, calls, a group */

static double operand[NODES][LONG], result[NODES][LONG];

static int pass(ls_node *me, size_t n)
{
	const int64_t rank = ls_rank(me), p = ls_size(me);
	int failed = ls_send(me, (rank + 1) % p, operand[rank], n * sizeof **operand);

	if (!failed)
		failed = ls_receive(me, (rank + p - 1) % p, result[rank], n * sizeof **result);
	return failed ? failed : ls_next_round(me);
}

static int everything(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	ls_node *sub;
	int failed = add_ranks(me);

	(void)unused;
	if (!failed)
		failed = pass(me, 1);
	if (!failed)
		failed = pass(me, LONG);
	if (!failed)
		failed = ls_allreduce(me, operand[rank], result[rank], LONG, LS_DOUBLE, LS_SUM);
	if (!failed)
		failed = ls_split(me, rank % 2, 0, &sub);
	if (!failed)
		failed = add_ranks(sub);
	return failed ? failed : ls_barrier(me);
}

static struct ls_machine_options options_for(enum ls_rounds rounds)
{
	return (struct ls_machine_options){
		.size = sizeof(struct ls_machine_options), .rounds = rounds, .node_kind = node_kind()
	};
}

static const char *rounds_name(enum ls_rounds rounds)
{
	return rounds == LS_FREE ? "free" : "lockstep";
}

/* ---- Memory and threads */

static struct counter *armed;
static long long armed_at;
static bool is_armed;

static void arm_once(void *unused)
{
	(void)unused;
	if (!is_armed)
		arm(armed, armed_at);
	is_armed = true;
}

/* Memory or threads were short in one process; all others say the same, or that they were ended. */
static void check_shortage(const struct spread *s, bool aborted)
{
	for (int i = 0; i < PROCESSES; i++) {
		const int status = s->status[i];

		CHECK(status == LS_ERR_MEMORY || status == LS_ERR_THREADS
				|| (aborted && (status == LS_ERR_STOPPED || status == LS_OK)),
			"%s: process %d: %s: %s", guarded(), i, ls_status_name(status), s->error[i].text);
	}
}

/*
 * The k-th call from the making of the machines on fails, in whatever process.  True: it was made.
 * A process that has no memory for messages that others send ends all.
 */
static bool run_with_failure(const ls_topology *t, enum ls_rounds rounds, struct counter *counter,
	long long k, bool *aborted)
{
	const struct ls_machine_options options = options_for(rounds);
	struct spread s;
	bool failed;

	armed = counter;
	armed_at = k;
	is_armed = false;
	spread_open(&s, PROCESSES, (uint64_t)k);
	s.begins = counter == &memory_calls ? arm_once : NULL;
	if (spread_make(&s, t, &options) == LS_OK) {
		s.begins = arm_once;
		if (spread_run(&s, everything, NULL) != LS_OK)
			check_shortage(&s, network_is_aborted(s.network));
	}
	disarm();
	s.begins = NULL;
	*aborted = network_is_aborted(s.network);
	failed = atomic_load(&counter->failed);
	CHECK(failed || !*aborted, "%s: aborted", guarded());
	if (!*aborted && s.machine[0] && s.machine[1] && s.machine[2])
		CHECK(
			spread_run(&s, everything, NULL) == LS_OK, "%s, then: %s", guarded(), s.error[0].text);
	spread_destroy(&s);
	return failed;
}

static void test_shortage(enum ls_rounds rounds, struct counter *counter, const char *name)
{
	const long long step = is_fast() || is_thin() ? 30 : is_long() ? 1 : 15;
	bool failed = true, aborted;
	int trials = 0, aborts = 0;

	for (long long k = 1; failed; k += step + k / 64) {
		const long long before = atomic_load(&held);
		ls_topology *t = topology_of("ring:6"); /* it keeps schedules */

		guard("%s %lld fails, %s rounds", name, k, rounds_name(rounds));
		failed = run_with_failure(t, rounds, counter, k, &aborted);
		ls_topology_destroy(t);
		trials++;
		aborts += aborted;
		/* Buffers of a transport that was aborted stay its own. */
		CHECK(aborted || atomic_load(&held) == before, "%s: %lld pieces of memory leaked",
			guarded(), atomic_load(&held) - before);
		CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
	}
	printf("%s, %s rounds: %d trials, %d ended all processes\n", name, rounds_name(rounds), trials,
		aborts);
}

/* ---- The transport, and hosts */

/* A call or a host that fails during the run, since node 0 of this process has begun. */
struct failing {
	struct network *network;
	int process;
	int64_t k;
	bool dies;
};

static int everything_until(ls_node *me, void *arg)
{
	const struct failing *f = arg;

	if (ls_rank(me) == f->process * NODES / PROCESSES)
		network_fail_soon(f->network, f->process, f->k, f->dies);
	return everything(me, NULL);
}

/*
 * A call of a process fails; then all are ended.  If its host dies, the others do not learn it:
 * they give up after their time limit, which counts from the begin of the run.
 */
static bool run_until_call(
	const ls_topology *t, enum ls_rounds rounds, int process, int64_t k, bool dies)
{
	struct ls_machine_options options = options_for(rounds);
	struct failing f = { NULL, process, k, dies };
	struct spread s;
	bool failed;

	options.timeout = dies ? 0.2 : 0;
	spread_open(&s, PROCESSES, (uint64_t)k);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	f.network = s.network;
	if (!dies)
		network_fail(s.network, process, k, false);
	spread_run(&s, dies ? everything_until : everything, &f);
	failed = network_failed(s.network) >= 0;
	for (int i = 0; i < PROCESSES; i++)
		CHECK(s.status[i] == LS_OK || s.status[i] == LS_ERR_STOPPED
				|| (dies && s.status[i] == LS_ERR_TIMEOUT),
			"%s: process %d: %s: %s", guarded(), i, ls_status_name(s.status[i]), s.error[i].text);
	spread_destroy(&s);
	return failed;
}

static void test_transport(enum ls_rounds rounds, int process, bool dies)
{
	ls_topology *t = topology_of("ring:6");
	const int64_t step = (dies ? 60 : 5) * (is_fast() || is_thin() ? 14 : is_long() ? 1 : 8);
	bool failed = true;

	for (int64_t k = 1; failed && k < (dies ? 800 : 4000); k += step + k / 8) {
		guard("call %" PRId64 " of process %d fails%s, %s rounds", k, process,
			dies ? " and its host" : "", rounds_name(rounds));
		failed = run_until_call(t, rounds, process, k, dies);
		CHECK(threads_end(ONE_THREAD), "%s: %d threads are left", guarded(), threads_alive());
	}
	ls_topology_destroy(t);
}

/* ---- Stops */

struct stopper {
	struct spread *spread;
	int process;
	double after; /* ms */
	atomic_bool over;
};

static void *stop_later(void *context)
{
	struct stopper *stopper = context;

	do { /* a stop before the run begins does nothing */
		nap(stopper->after);
		ls_machine_stop(stopper->spread->machine[stopper->process], 0);
	} while (!atomic_load(&stopper->over));
	return NULL;
}

static int for_ever(ls_node *me, void *arg)
{
	int failed = LS_OK;

	while (!failed)
		failed = everything(me, arg);
	return failed;
}

/* A process stops the machine at some moment: all return the same. */
static void test_stops(enum ls_rounds rounds)
{
	ls_topology *t = topology_of("ring:6");
	const struct ls_machine_options options = options_for(rounds);
	uint64_t seed = 11;
	struct spread s;

	guard("stops, %s rounds", rounds_name(rounds));
	spread_open(&s, PROCESSES, 1);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	for (int i = 0; i < (is_fast() ? 4 : is_long() ? 60 : 10); i++) {
		struct stopper stopper = { &s, (int)random_below(&seed, PROCESSES),
			(double)random_below(&seed, 8000) / 1000 + 0.1, false };
		pthread_t thread;
		int status;

		guard("stop %d by process %d after %g ms, %s rounds", i, stopper.process, stopper.after,
			rounds_name(rounds));
		thread = start_thread(stop_later, &stopper);
		status = spread_run(&s, i % 2 ? everything : for_ever, NULL);
		atomic_store(&stopper.over, true);
		pthread_join(thread, NULL);
		CHECK(status == LS_ERR_STOPPED || (i % 2 && status == LS_OK), "%s: %s: %s", guarded(),
			ls_status_name(status), s.error[0].text);
		CHECK(
			spread_run(&s, everything, NULL) == LS_OK, "%s, then: %s", guarded(), s.error[0].text);
	}
	spread_destroy(&s);
	ls_topology_destroy(t);
}

/* The nodes of one process wait, and the time limit ends the run in all. */
static int wait_or_compute(ls_node *me, void *unused)
{
	const double end = seconds() + 1.2; /* before ls_run returns without this node */
	int64_t word;

	(void)unused;
	if (ls_rank(me) > 0)
		return ls_receive(me, ls_rank(me) - 1, &word, sizeof word);
	while (seconds() < end)
		nap(1);
	return ls_next_round(me);
}

static void test_time_limit(enum ls_rounds rounds)
{
	ls_topology *t = topology_of("linear:6");
	struct ls_machine_options options = options_for(rounds);
	struct spread s;

	guard("a time limit, %s rounds", rounds_name(rounds));
	options.timeout = 1;
	spread_open(&s, PROCESSES, 1);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	CHECK(spread_run(&s, wait_or_compute, NULL) == LS_ERR_TIMEOUT, "%s: %s: %s", guarded(),
		ls_status_name(s.status[0]), s.error[0].text);
	spread_destroy(&s);
	ls_topology_destroy(t);
}

/* ---- A node that has not returned: the machine is busy */

static atomic_bool begun, released;

static int wait_for_release(ls_node *me, void *unused)
{
	int64_t word;

	(void)unused;
	if (ls_rank(me) > 0)
		return ls_receive(me, ls_rank(me) - 1, &word, sizeof word);
	atomic_store(&begun, true);
	while (!atomic_load(&released))
		nap(1);
	return LS_OK;
}

static void *run_busy(void *machine)
{
	CHECK(ls_run(machine, wait_for_release, NULL) == LS_ERR_BUSY, "%s: not busy", guarded());
	return NULL;
}

/* Two calls at once in each process. */
static void check_busy(const struct spread *s)
{
	pthread_t thread[2 * PROCESSES];
	struct ls_error e = { .size = sizeof e };

	for (int i = 0; i < 2 * PROCESSES; i++)
		thread[i] = start_thread(run_busy, s->machine[i / 2]);
	for (int i = 0; i < 2 * PROCESSES; i++)
		pthread_join(thread[i], NULL);
	CHECK(ls_last_error(s->machine[0], &e) == LS_ERR_TIMEOUT && e.node == 0
			&& strstr(e.text, "is still running"),
		"%s: %s", guarded(), e.text);
}

static void test_busy(enum ls_rounds rounds)
{
	ls_topology *t = topology_of("ring:6");
	struct ls_machine_options options = options_for(rounds);
	struct spread s;
	int status;

	guard("a node that has not returned, %s rounds", rounds_name(rounds));
	options.timeout = 0.05;
	atomic_store(&begun, false);
	atomic_store(&released, false);
	spread_open(&s, PROCESSES, 1);
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	while (!atomic_load(&begun)) /* on a busy computer the limit may come before */
		CHECK(spread_run(&s, wait_for_release, NULL) == LS_ERR_TIMEOUT, "%s: %s", guarded(),
			s.error[0].text);
	check_busy(&s);
	atomic_store(&released, true);
	while (ls_machine_busy(s.machine[0]))
		nap(1);
	status = spread_run(&s, everything, NULL);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s, then: %s", guarded(), s.error[0].text);
	spread_destroy(&s);
	ls_topology_destroy(t);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_shortage((enum ls_rounds)rounds, &memory_calls, "allocation");
		test_shortage((enum ls_rounds)rounds, &thread_calls, "thread");
		for (int process = 0; process < PROCESSES; process++) {
			test_transport((enum ls_rounds)rounds, process, false);
			if (!is_fast() || process == rounds)
				test_transport((enum ls_rounds)rounds, process, true);
		}
		test_stops((enum ls_rounds)rounds);
		if (!is_fast() || rounds == (node_kind() == LS_NODE_FIBER ? LS_LOCKSTEP : LS_FREE))
			test_time_limit((enum ls_rounds)rounds);
		test_busy((enum ls_rounds)rounds);
	}
	return test_result();
}
