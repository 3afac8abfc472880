/*
 * The caller stops a sweep at each barrier of its workers and between them: all workers end, with
 * the error of a stop unless the sweep was already complete, and nothing leaks.  The next sweep of
 * the plan, which finds the tables that the plan keeps, has the right results.
 */
/* variants: release checked asan chaos */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap,--wrap=pthread_create */
/* link: -Wl,--wrap=lsi_sweep_poll,--wrap=lsi_sweep_barrier */
#include <stdatomic.h>

#include "engine/sweep/sweep_internal.h"
#include "rank_sweep.h"

/* ---- A stop in the k-th call of a worker */

static atomic_llong calls, stop_at; /* 0: never */

static void count_call(struct lsi_sweep_worker *w)
{
	if (atomic_fetch_add(&calls, 1) + 1 == atomic_load(&stop_at))
		lsi_store(&w->sweep->stopping, true, relaxed); /* as the calling thread does */
}

__typeof__(lsi_sweep_poll) __real_lsi_sweep_poll, __wrap_lsi_sweep_poll;
bool __wrap_lsi_sweep_poll(struct lsi_sweep_worker *w)
{
	count_call(w);
	return __real_lsi_sweep_poll(w);
}

__typeof__(lsi_sweep_barrier) __real_lsi_sweep_barrier, __wrap_lsi_sweep_barrier;
bool __wrap_lsi_sweep_barrier(struct lsi_sweep_worker *w)
{
	count_call(w);
	return __real_lsi_sweep_barrier(w);
}

static long long calls_since(long long stop)
{
	const long long before = atomic_load(&calls);

	atomic_store(&calls, 0);
	atomic_store(&stop_at, stop);
	return before;
}

/* ---- Sweeps */

static atomic_llong results;

static int take(void *context, int64_t rank, const void *result)
{
	(void)context, (void)rank, (void)result;
	atomic_fetch_add(&results, 1);
	return 0;
}

/* A sweep without a stop, and a result of each node that has one. */
static struct ls_sweep_result test_whole(const struct ls_sweep *sweep, int64_t expected)
{
	struct ls_sweep_result out;

	calls_since(0);
	atomic_store(&results, 0);
	out = run_sweep(sweep, LS_OK);
	CHECK(out.proved && atomic_load(&results) == expected, "%s: %lld results", guarded(),
		atomic_load(&results));
	return out;
}

static void test_stops(const struct ls_sweep *sweep, int64_t expected, int stops)
{
	const struct ls_sweep_result first = test_whole(sweep, expected), /* tables are kept */
		all = test_whole(sweep, expected);
	const long long most = calls_since(0);
	long long stopped = 0, runs = 0;

	CHECK(first.stats.messages == all.stats.messages, "%s: other messages", guarded());
	for (long long k = 1; k <= most; k += 1 + most / stops, runs++) {
		const long long before = atomic_load(&held);
		struct ls_sweep_result out = { .size = sizeof out };

		calls_since(k);
		if (ls_sweep_run(sweep, &out) == LS_ERR_STOPPED)
			stopped++;
		else
			CHECK(out.error.kind == LS_OK && out.proved, "%s, call %lld: %s", guarded(), k,
				out.error.text);
		CHECK(out.stats.rounds <= all.stats.rounds && out.stats.messages <= all.stats.messages,
			"%s, call %lld: too many messages", guarded(), k);
		CHECK(atomic_load(&held) <= before, "%s, call %lld: leaked", guarded(), k);
	}
	CHECK(stopped * 2 > runs, "%s: %lld of %lld sweeps stopped", guarded(), stopped, runs);
	test_whole(sweep, expected);
}

/* Kinds of plans; on the large networks workers also look between barriers. */
static const struct job {
	const char *spec;
	enum ls_operation operation;
	const char *algorithm;
	bool in_place, of_root;
	int stops; /* about as many */
} jobs[] = {
	{ "star:4", LS_ALLREDUCE, NULL, false, false, 40 },
	{ "hypercube:4", LS_BROADCAST, "binomial", false, false, 40 },
	{ "hypercube:4", LS_REDUCE, "binomial", false, true, 40 },
	{ "ring:9", LS_ALLGATHER, NULL, false, false, 40 },
	{ "ring:8", LS_ALLTOALL, NULL, false, false, 40 },
	{ "hypercube:12", LS_ALLREDUCE, NULL, true, false, 12 },
};

static void test_job(const struct job *job, int workers, uint64_t order)
{
	struct rank_sweep s = rank_sweep_for(job->spec,
		(struct ls_request){
			.operation = job->operation, .algorithm = job->algorithm, .in_place = job->in_place });

	s.sweep.take = take;
	s.sweep.order = order;
	s.sweep.workers = workers;
	guard("%s on %s, %d workers, order %d", ls_operation_name(job->operation), job->spec, workers,
		(int)order);
	test_stops(&s.sweep, job->of_root ? 1 : s.p, job->stops);
	rank_sweep_end(&s);
}

int main(void)
{
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		for (int way = 0; way < 4; way++)
			test_job(&jobs[i], 1 + way % 2, way < 2 ? 0 : 5);
	return test_result();
}
