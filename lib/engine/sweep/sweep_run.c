/*
 * One sweep from beginning to end: check the request, take memory, start the workers, report
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
#include "engine/sweep/sweep_fingerprints.h"
#include "engine/sweep/sweep_work.h"
#include "topology/topology_internal.h"

enum { STACK = 1 << 20, PROGRESS_MS = 100, UNCHECKED_BYTES = 64 << 20 };

/* Workers wait until all have started; then all work, or none does. */
enum { STARTING, WORKING, CANCELLED };

/* ---- The request */

/* Set the plan, and replace zeros by defaults. */
static int set_defaults(struct lsi_sweep_state *s)
{
	struct ls_sweep *request = &s->request;
	const struct ls_plan *plan = s->plan = request->plan;
	const ls_embedding *embedding = request->embedding;

	if (!plan)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no plan; expected one of ls_plan_make");
	if (embedding && ls_embedding_guest(embedding)->nodes != plan->problem.nodes)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan has %" PRId64 " nodes, but the guest of the embedding has %" PRId64,
			plan->problem.nodes, ls_embedding_guest(embedding)->nodes);
	s->message_index = lsi_message_index_of(plan);
	if (embedding && s->message_index)
		return lsi_error_set(&s->error, LS_ERR_UNSUPPORTED,
			"a plan of messages without contents cannot be embedded; try without an embedding");
	s->operation = s->message_index ? NULL : ls_operation_name(plan->problem.operation);
	s->nodes = plan->problem.nodes;
	s->steps = ls_plan_steps(plan);
	s->topology = embedding ? ls_embedding_host(embedding) : plan->problem.topology;
	s->mode = embedding ? request->mode : plan->problem.mode;
	if (!lsi_topology_is_direct(s->topology))
		s->mode = LS_ROUTED;
	request->type = request->type ? request->type : LS_DOUBLE;
	request->op = request->op ? request->op : LS_SUM;
	if (plan->problem.operation == LS_BARRIER || s->message_index)
		request->count = 0;
	s->workers = request->workers > 0 ? request->workers : lsi_core_count();
	if (s->workers > s->nodes)
		s->workers = (int)s->nodes;
	return LS_OK;
}

static int check_operator(struct lsi_sweep_state *s)
{
	const struct ls_sweep *request = &s->request;

	if (!lsi_operation_combines(s->plan->problem.operation))
		return LS_OK;
	if (!ls_op_defined(request->op, request->type))
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "operator %s is not defined on %s",
			ls_op_name(request->op), ls_type_name(request->type));
	return ls_plan_supports_op(s->plan, request->op, &s->error);
}

/*
 * Whether all operands are stored in the rows of results: the plan is in place, and not only at the
 * root.
 */
static bool shares_rows(const struct lsi_problem *problem)
{
	return problem->in_place
		&& (problem->operation == LS_BROADCAST || !lsi_operation_is_rooted(problem->operation));
}

static int check_rows(struct lsi_sweep_state *s)
{
	struct ls_sweep *request = &s->request;
	const bool shared = shares_rows(&s->plan->problem);
	const bool widens = shared && lsi_operation_scatters(s->plan->problem.operation);
	const int widest = widens ? LS_INPUT : LS_OUTPUT;
	const size_t in = lsi_sweep_row_bytes(s, LS_INPUT), out = lsi_sweep_row_bytes(s, widest);

	request->input_stride = request->input_stride ? request->input_stride : in;
	request->output_stride = request->output_stride ? request->output_stride : out;
	if (request->input_stride < in || request->output_stride < out) {
		const bool input = request->input_stride < in;

		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"rows of %zu bytes are too short for %s of %zu bytes; try a stride of 0",
			input ? request->input_stride : request->output_stride,
			input || widens ? "INPUT" : "OUTPUT", input ? in : out);
	}
	if (shared && request->input && request->input != request->output)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan is in place; expected operands in the rows of output");
	if (shared)
		request->input = NULL;
	return LS_OK;
}

static int check_operands(struct lsi_sweep_state *s)
{
	const struct lsi_problem *problem = &s->plan->problem;
	const struct ls_sweep *request = &s->request;
	const bool shared = shares_rows(problem) && request->output;

	if (request->count == 0)
		return LS_OK;
	if (!request->input && !request->make && !shared)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no operands; expected input or make");
	if (request->input && request->input == request->output && !problem->in_place)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"operands and results are the same rows; expected a plan in place");
	if (problem->in_place && lsi_operations[problem->operation].at_root && request->input
		&& !request->output)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the plan is in place; expected the root's operand in output");
	return LS_OK;
}

/* Set up all but the memory: LS_OK, or a status with the reason in s->error. */
static int prepare_sweep(const struct ls_sweep *given, struct lsi_sweep_state *s)
{
	int failed;

	*s = (struct lsi_sweep_state){ .error = { sizeof s->error, LS_OK, -1, -1, -1, -1, NULL, "" } };
	if (!given)
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT, "no sweep; expected a struct ls_sweep");
	if (!lsi_sized_read(&s->request, sizeof s->request, given))
		return lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"ls_sweep.size is %zu; expected %zu, and 0 in all fields beyond it", given->size,
			sizeof s->request);
	failed = set_defaults(s);
	if (!failed)
		failed = check_operator(s);
	if (failed)
		return failed;
	lsi_sweep_payloads_measure(s);
	failed = check_rows(s);
	if (!failed)
		lsi_sweep_payloads_count(s);
	return failed;
}

size_t ls_sweep_memory(const struct ls_sweep *given)
{
	struct lsi_sweep_state s;

	return prepare_sweep(given, &s) == LS_OK ? s.bytes : 0;
}

/* ---- Workers */

static void *worker_main(void *arg)
{
	struct lsi_sweep_worker *w = arg;
	struct lsi_sweep_state *s = w->sweep;
	int phase;

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
	return NULL;
}

static void report_progress(struct lsi_sweep_state *s, int64_t messages_total, uint64_t began)
{
	struct ls_sweep_progress p = { .rounds = lsi_load(&s->rounds, relaxed), /* counters only */
		.rounds_total = ls_plan_rounds(s->plan),
		.messages_total = messages_total,
		.seconds = (double)(lsi_now_ns() - began) / 1e9 };

	for (int i = 0; i < s->workers; i++)
		p.messages += lsi_load(&s->worker[i].messages_published, relaxed); /* counter only */
	if (s->request.progress(s->request.progress_context, &p) != 0)
		lsi_store(&s->stopping, true, relaxed); /* a flag without data */
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
}

/* Wait until all workers have ended; the caller holds the lock. */
static void wait_for_all(struct lsi_sweep_state *s, int64_t messages, uint64_t began)
{
	while (s->left < s->workers) {
		const struct timespec until = timespec_of(lsi_now_ns() + PROGRESS_MS * 1000000u);

		if (!s->request.progress) {
			pthread_cond_wait(&s->change, &s->mutex);
			continue;
		}
		pthread_cond_clockwait(&s->change, &s->mutex, CLOCK_MONOTONIC, &until);
		if (s->left == s->workers
			|| lsi_load(&s->stopping, relaxed)) /* only this thread writes it */
			continue;
		pthread_mutex_unlock(&s->mutex);
		report_progress(s, messages, began);
		pthread_mutex_lock(&s->mutex);
	}
}

static int start_workers(struct lsi_sweep_state *s, const struct lsi_stacks *stacks)
{
	struct lsi_binding binding;
	int started = 0;

	if (!lsi_binding_make(&binding, s->request.bind))
		return 0;
	for (; started < s->workers; started++) {
		struct lsi_sweep_worker *w = &s->worker[started];

		if (lsi_thread_make(&w->thread, stacks, started,
				lsi_binding_for(&binding, s->request.bind, started, s->workers), worker_main, w)
			!= 0)
			break;
	}
	lsi_binding_destroy(&binding);
	return started;
}

static int run_workers(struct lsi_sweep_state *s, uint64_t began)
{
	const int64_t messages =
		s->request.progress ? ls_plan_predict(s->plan, s->request.count).messages : 0;
	struct lsi_stacks stacks = lsi_stacks_make(s->workers, STACK, true);
	const int started = stacks.base ? start_workers(s, &stacks) : 0;

	pthread_mutex_lock(&s->mutex);
	s->phase = started == s->workers ? WORKING : CANCELLED;
	pthread_cond_broadcast(&s->change);
	if (s->phase == WORKING)
		wait_for_all(s, messages, began);
	pthread_mutex_unlock(&s->mutex);
	for (int i = 0; i < started; i++)
		pthread_join(s->worker[i].thread, NULL);
	lsi_stacks_destroy(&stacks);
	if (s->phase == CANCELLED)
		return lsi_error_set(
			&s->error, LS_ERR_THREADS, "worker %d of %d could not be started", started, s->workers);
	return s->error.kind;
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
	s->seed = lsi_now_ns() ^ (uint64_t)(uintptr_t)s->memory;
	lsi_fingerprints_begin(s);
	for (int i = 0; i < s->workers; i++) {
		struct lsi_sweep_worker *w = &s->worker[i];
		struct lsi_sweep_part part;

		w->sweep = s;
		w->number = i;
		part = lsi_sweep_part_of(w, s->nodes);
		w->first = part.begin;
		w->last = part.end;
	}
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->change, NULL);
	s->may_spin = s->workers <= lsi_core_count();
	return LS_OK;
}

static void release_state(struct lsi_sweep_state *s)
{
	lsi_sweep_fast_release(s);
	lsi_free_pages(s->memory, s->bytes);
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
		if (w->load > result->stats.link_load)
			result->stats.link_load = w->load;
	}
	result->proved = s->error.kind == LS_OK && lsi_fingerprints_are_complete(s);
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
	failed = prepare_sweep(given, &s);
	if (!failed)
		failed = check_operands(&s);
	result.workers = s.workers;
	result.memory = s.bytes;
	if (!failed && (failed = make_state(&s)) == LS_OK) {
		failed = run_workers(&s, began);
		collect_results(&s, &result);
		pthread_cond_destroy(&s.change);
		pthread_mutex_destroy(&s.mutex);
	}
	release_state(&s);
	result.error = s.error;
	result.seconds_total = (double)(lsi_now_ns() - began) / 1e9;
	lsi_sized_write(out, &result, sizeof result);
	return failed;
}
