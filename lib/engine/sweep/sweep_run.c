/*
 * One sweep from beginning to end: take memory, start the workers, report
 * progress, and collect the result.
 */
#include "engine/sweep/sweep_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cores.h"
#include "base/error.h"
#include "base/sized.h"
#include "base/thread.h"
#include "base/futex.h"
#include "engine/sweep/sweep_payload.h"
#include "engine/sweep/sweep_request.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"
#include "engine/sweep/sweep_fingerprints.h"
#include "engine/sweep/sweep_work.h"
#include "topology/topology_internal.h"
#include "world/use.h"

enum {
	STACK = 1 << 20,
	UNCHECKED_BYTES = 64 << 20,
	SMALL = 1 << 16 /* nodes */
};

/* Workers wait until all have started; then all work, or none does. */
enum { STARTING, WORKING, CANCELLED };

size_t ls_sweep_memory(const struct ls_sweep *given)
{
	struct lsi_sweep_state s;

	return lsi_sweep_prepare(given, &s) == LS_OK ? s.bytes : 0;
}

/* ---- Workers */

static void *worker_main(void *arg)
{
	struct lsi_sweep_worker *w = arg;
	struct lsi_sweep_state *s = w->sweep;
	struct lsi_world_scope scope;
	int phase;

	lsi_world_enter(&scope, s->world);
	pthread_mutex_lock(&s->mutex);
	while (s->phase == STARTING)
		pthread_cond_wait(&s->change, &s->mutex);
	phase = s->phase;
	pthread_mutex_unlock(&s->mutex);
	if (phase == WORKING)
		lsi_sweep_work(w);
	pthread_mutex_lock(&s->mutex);
	s->left++;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->mutex);
	lsi_world_leave(&scope); /* before destructors of the thread run */
	return NULL;
}

/* In several processes, a stop takes effect when all have agreed on it. */
static LSI_ATOMIC(bool) * stop_flag(struct lsi_sweep_state *s)
{
	return s->world ? &s->stop_wanted : &s->stopping;
}

void lsi_sweep_report_progress(struct lsi_sweep_state *s)
{
	struct ls_sweep_progress p = { .rounds = lsi_load(&s->rounds, relaxed), /* counters only */
		.rounds_total = ls_plan_rounds(s->plan),
		.messages_total = s->messages_total,
		.seconds = (double)(lsi_now_ns() - s->began) / 1e9 };

	if (!s->request.progress || lsi_load(stop_flag(s), relaxed)) /* only this thread writes it */
		return;
	if (s->exchange)
		p.messages = lsi_load(&s->exchange->messages, relaxed); /* counter only */
	for (int i = 0; i < s->workers && !s->world; i++)
		p.messages += lsi_load(&s->worker[i].messages_published, relaxed); /* counter only */
	if (s->request.progress(s->request.progress_context, &p) != 0)
		lsi_store(stop_flag(s), true, relaxed); /* a flag without data */
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

/* Wait until all workers have ended; the caller holds the lock. */
static void wait_for_all(struct lsi_sweep_state *s)
{
	while (s->left < s->workers) {
		const struct timespec until = timespec_of(lsi_now_ns() + LSI_SWEEP_PROGRESS_NS);

		if (!s->request.progress) {
			pthread_cond_wait(&s->change, &s->mutex);
			continue;
		}
		pthread_cond_clockwait(&s->change, &s->mutex, CLOCK_MONOTONIC, &until);
		if (s->left == s->workers)
			continue;
		pthread_mutex_unlock(&s->mutex);
		lsi_sweep_report_progress(s);
		pthread_mutex_lock(&s->mutex);
	}
}

/* Processes may share cores: workers are bound only if they fill the part of this process. */
static enum ls_bind bind_of(const struct lsi_sweep_state *s)
{
	return s->world && s->workers < lsi_world_core_count(s->world) ? LS_BIND_NONE : s->request.bind;
}

static int start_workers(struct lsi_sweep_state *s, const struct lsi_stacks *stacks)
{
	const enum ls_bind bind = bind_of(s);
	struct lsi_binding binding;
	int started = 0;

	if (!lsi_binding_make(&binding, bind))
		return 0;
	lsi_binding_restrict(&binding, lsi_world_core_part(s->world));
	for (; started < s->workers; started++) {
		struct lsi_sweep_worker *w = &s->worker[started];

		if (lsi_thread_make(&w->thread, stacks, started,
				lsi_binding_for(&binding, bind, started, s->workers), worker_main, w)
			!= 0)
			break;
	}
	lsi_binding_destroy(&binding);
	return started;
}

/*
 * A thread takes longer than a small sweep.  A large one of several processes has a thread, which
 * is bound: four processes on two cores took 0.92 and 0.99 times the time in two measurements.
 */
static bool runs_in_caller(const struct lsi_sweep_state *s)
{
	const bool is_small = s->last - s->first < SMALL;

	return s->workers == 1 && !s->request.progress && (!s->world || is_small);
}

static void run_in_caller(struct lsi_sweep_state *s)
{
	s->working = lsi_sweep_agree_start(s, true);
	if (s->working)
		lsi_sweep_work(&s->worker[0]);
	s->working = false;
}

static void run_workers(struct lsi_sweep_state *s)
{
	struct lsi_stacks stacks = lsi_stacks_make(s->workers, STACK, true);
	const int started = stacks.base ? start_workers(s, &stacks) : 0;

	s->working = lsi_sweep_agree_start(s, started == s->workers);
	pthread_mutex_lock(&s->mutex);
	s->phase = s->working ? WORKING : CANCELLED;
	pthread_cond_broadcast(&s->change);
	if (s->working)
		wait_for_all(s);
	pthread_mutex_unlock(&s->mutex);
	for (int i = 0; i < started; i++)
		pthread_join(s->worker[i].thread, NULL);
	s->working = false;
	lsi_stacks_destroy(&stacks);
	if (started < s->workers)
		lsi_error_set(
			&s->error, LS_ERR_THREADS, "worker %d of %d could not be started", started, s->workers);
}

/* ---- Memory */

struct size_text {
	char text[24];
};

static struct size_text size_text_of(size_t bytes)
{
	static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	struct size_text text;
	double size = (double)bytes;
	int i = 0;

	for (; size >= 1024; i++)
		size /= 1024;
	snprintf(text.text, sizeof text.text, "%.*f %s", i ? 1 : 0, size, unit[i]);
	return text;
}

static int check_memory(struct lsi_sweep_state *s)
{
	/* The query takes longer than a small sweep. */
	const size_t left = s->bytes > UNCHECKED_BYTES ? lsi_memory_available() : SIZE_MAX;

	if (s->bytes == SIZE_MAX)
		return lsi_error_set(&s->error, LS_ERR_MEMORY,
			"the sweep needs more bytes than can be counted; try fewer nodes or elements");
	if (s->request.memory && s->bytes > s->request.memory)
		return lsi_error_set(&s->error, LS_ERR_MEMORY,
			"the sweep needs %s of memory; `memory` allows %s", size_text_of(s->bytes).text,
			size_text_of(s->request.memory).text);
	if (s->bytes > left)
		return lsi_error_set(&s->error, LS_ERR_MEMORY,
			"the sweep needs %s of memory; %s are available", size_text_of(s->bytes).text,
			size_text_of(left).text);
	return LS_OK;
}

static int make_state(struct lsi_sweep_state *s)
{
	int failed = check_memory(s);

	if (failed)
		return failed;
	s->worker = lsi_alloc_cache_aligned((size_t)s->workers * sizeof *s->worker);
	if (!s->worker || lsi_sweep_payloads_make(s) != LS_OK)
		return lsi_error_set(&s->error, LS_ERR_MEMORY, "no memory for the sweep, which needs %s",
			size_text_of(s->bytes).text);
	for (int i = 0; i < s->workers; i++) {
		struct lsi_sweep_worker *w = &s->worker[i];
		struct lsi_sweep_part part;

		w->sweep = s;
		w->number = i;
		part = lsi_sweep_part_of(w, s->last - s->first);
		w->first = s->first + part.begin;
		w->last = s->first + part.end;
	}
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->change, NULL);
	s->may_spin = s->workers <= lsi_world_core_count(s->world);
	return LS_OK;
}

static void release_state(struct lsi_sweep_state *s)
{
	lsi_sweep_fast_release(s);
	lsi_exchange_release(s);
	lsi_sweep_memory_release(s->memory);
	lsi_free(s->worker);
}

static void collect_results(const struct lsi_sweep_state *s, struct ls_sweep_result *result)
{
	result->stats.rounds = lsi_load(&s->rounds, relaxed); /* all have ended */
	for (int i = 0; i < s->workers; i++) {
		const struct lsi_sweep_worker *w = &s->worker[i];

		result->stats.messages += w->messages;
		result->stats.words += w->words;
		result->stats.bytes += w->bytes;
		result->crossing_messages += w->crossing_messages;
		result->crossing_bytes += w->crossing_bytes;
		if (w->load > result->stats.link_load)
			result->stats.link_load = w->load;
	}
	result->seconds = s->seconds;
}

int ls_sweep_run(const struct ls_sweep *given, struct ls_sweep_result *out)
{
	const uint64_t began = lsi_now_ns();
	struct ls_sweep_result result = { .size = sizeof result, .stats.size = sizeof result.stats };
	struct lsi_sweep_state s;
	int failed;

	if (!out)
		return LS_ERR_ARGUMENT;
	failed = lsi_sweep_prepare(given, &s);
	s.began = began;
	if (s.world && lsi_world_take(s.world, &s.error) != LS_OK) {
		failed = s.error.kind;
		s.world = NULL;
	}
	if (!failed && s.request.progress)
		s.messages_total = ls_plan_predict(s.plan, s.request.count).messages;
	if (!failed)
		failed = lsi_sweep_check_operands(&s);
	result.workers = s.workers;
	result.memory = s.bytes;
	if (!failed && make_state(&s) == LS_OK) {
		(runs_in_caller(&s) ? run_in_caller : run_workers)(&s);
		collect_results(&s, &result);
		pthread_cond_destroy(&s.change);
		pthread_mutex_destroy(&s.mutex);
	} else {
		lsi_sweep_agree_start(&s, false);
	}
	lsi_sweep_agree_end(&s, &result);
	result.proved = s.error.kind == LS_OK && lsi_fingerprints_are_complete(&s);
	release_state(&s);
	result.error = s.error;
	result.seconds_total = (double)(lsi_now_ns() - began) / 1e9;
	lsi_sized_write(out, &result, sizeof result);
	return s.error.kind;
}
