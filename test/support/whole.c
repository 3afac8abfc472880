#include "support/whole.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/collective.h>

#include "plan/storage.h"
#include "support/guard.h"
#include "support/whole_rows.h"
#include "support/world_sweep.h"
#include "test.h"

/* ---- Comparing */

static void check_stats(const struct whole *w, const struct ls_stats *got)
{
	const struct ls_stats *want = &w->want.stats;

	CHECK(got->rounds == want->rounds && got->messages == want->messages
			&& got->words == want->words && got->bytes == want->bytes
			&& got->link_load == want->link_load && got->reroutes == 0,
		"%s: %" PRId64 " rounds, %" PRId64 " messages, %" PRId64 " words, %" PRId64
		" bytes, load %" PRId64 "; in the plan %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
		", %" PRId64,
		guarded(), got->rounds, got->messages, got->words, got->bytes, got->link_load, want->rounds,
		want->messages, want->words, want->bytes, want->link_load);
}

static void check_bits(const struct whole *w, const char *got)
{
	size_t i = 0;

	while (i < w->want.length && got[i] == w->want.results[i])
		i++;
	CHECK(i == w->want.length, "%s: byte %zu of %zu differs", guarded(), i, w->want.length);
}

/* Is what was played right? */
static void check_played(struct whole *w)
{
	const char *from = w->want.results;

	payload_prepare(&w->load);
	for (int64_t r = 0; r < w->load.p; r++) {
		const struct memory *m = &w->load.memory[r];

		if (m->result > 0)
			memcpy(m->output, from, m->result);
		from += m->result;
	}
	payload_check(&w->load, ls_plan_identical(w->plan));
}

struct whole whole_make(
	const struct job *job, const ls_plan *plan, const ls_embedding *embedding, enum ls_mode mode)
{
	struct whole w = {
		.job = job, .plan = plan, .embedding = embedding, .mode = mode, .load = payload_make(job)
	};

	guard("%s, played", job_name(job).text);
	w.want = play(plan, &w.load, embedding, mode);
	check_played(&w);
	return w;
}

void whole_destroy(struct whole *w)
{
	played_free(&w->want);
	payload_destroy(&w->load);
}

/* ---- Threads */

static void on_message(void *messages, const struct ls_record *record)
{
	messages_add(messages, record);
}

/*
 * A call with a plan that is in place is in place at every node; of rooted operations only the root
 * can be.
 */
static bool by_name(const struct whole *w)
{
	return w->job->in_place && lsi_operation_is_rooted(w->job->operation);
}

static int call(ls_node *me, struct whole *w)
{
	const struct job *job = w->job;
	const struct memory *m = &w->load.memory[ls_rank(me)];
	/* Of a barrier nothing lies anywhere; told to be in place it is. */
	void *const nothing = job->operation == LS_BARRIER && job->in_place ? m->start : NULL;
	const struct ls_call call = { .size = sizeof call,
		.operation = job->operation,
		.plan = by_name(w) ? NULL : w->plan,
		.algorithm = by_name(w) ? job->algorithm : NULL,
		.root = job->root,
		.shift = job->shift,
		.input = nothing ? nothing : m->input,
		.output = nothing ? nothing : m->output,
		.count = job->count,
		.type = job->element->type,
		.op = job->element->op,
		.ports = job->ports };

	return ls_collective(me, &call);
}

static int program(ls_node *me, void *arg)
{
	struct whole *w = arg;
	ls_node *sub = me;

	if (w->embedding) {
		const int failed = ls_embed(me, w->embedding, &sub);

		if (failed || !sub)
			return failed;
	}
	return call(sub, w);
}

static void run_threads(struct whole *w)
{
	struct messages traced = { 0 };
	struct ls_stats stats = { .size = sizeof stats };
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_LOCKSTEP,
		.engine = LS_MAILBOXES,
		.mode = w->mode,
		.ports = w->job->ports,
		.trace = on_message,
		.trace_context = &traced };
	ls_machine *machine =
		machine_on(w->embedding ? ls_embedding_host(w->embedding) : w->job->topology, &options);
	char *results = memory(payload_room(&w->load), 1);
	guard("%s, by threads", job_name(w->job).text);
	payload_prepare(&w->load);
	must_run(machine, program, w);
	ls_machine_stats(machine, &stats);
	messages_check(&w->want.messages, &traced);
	check_stats(w, &stats);
	payload_copy(&w->load, results);
	check_bits(w, results);
	free(results);
	free(traced.record);
	ls_machine_destroy(machine);
}

/* Is the plan the one that a call gets by the name of its algorithm?  Several may share a name. */
static bool is_named(const struct whole *w)
{
	const struct ls_request request = job_request(w->job);
	ls_plan *plan;
	bool same;

	if (!w->job->algorithm || ls_plan_make(&request, &plan, NULL) != LS_OK)
		return false;
	same = plan->algorithm == w->plan->algorithm && ls_plan_blocks(plan) == ls_plan_blocks(w->plan);
	ls_plan_destroy(plan);
	return same;
}

bool whole_by_threads(struct whole *w)
{
	if (by_name(w) && !is_named(w))
		return false;
	run_threads(w);
	return true;
}

/* ---- Made and taken */

static void make(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	const struct swept *s = context;
	const struct whole *w = s->whole;
	const size_t size = w->job->element->size;

	if (rank < 0 || rank >= w->load.p || !has(w, rank, LS_INPUT)
		|| (first + n) * size > row_bytes(w, true)) {
		CHECK(false, "%s: asked for %zu elements from %zu of node %" PRId64, guarded(), n, first,
			rank);
		return;
	}
	memcpy(into, (char *)w->load.given[rank] + first * size, n * size);
}

static int take(void *context, int64_t rank, const void *result)
{
	struct swept *s = context;

	CHECK(rank >= 0 && rank < s->whole->load.p && has(s->whole, rank, LS_OUTPUT),
		"%s: the result of node %" PRId64, guarded(), rank);
	if (row_bytes(s->whole, false) > 0)
		memcpy(s->taken + (size_t)rank * s->output.row, result, row_bytes(s->whole, false));
	atomic_fetch_add(&s->takes[rank], 1);
	return 0;
}

static void check_taken(const struct swept *s)
{
	int64_t wrong = 0;

	for (int64_t r = 0; r < s->whole->load.p; r++)
		wrong += atomic_load(&s->takes[r])
			!= (s->way->takes && has(s->whole, r, LS_OUTPUT) && is_local(s, r));
	CHECK(wrong == 0, "%s: %" PRId64 " results not taken once", guarded(), wrong);
}

static const char *swept_result(const struct swept *s, int64_t rank)
{
	return s->way->takes ? s->taken + (size_t)rank * s->output.row : result_at(s, rank);
}

/* Results in the order of payload_copy; those of other processes are not compared. */
static void check_results(const struct swept *s)
{
	const struct whole *w = s->whole;
	char *const results = memory(payload_room(&w->load), 1);
	size_t at = 0;

	for (int64_t r = 0; r < w->load.p; r++) {
		const size_t bytes = w->load.memory[r].result;

		if (bytes > 0)
			memcpy(results + at, is_local(s, r) ? swept_result(s, r) : w->want.results + at, bytes);
		at += bytes;
	}
	check_bits(w, results);
	free(results);
}

/* ---- Sweeping */

static struct ls_sweep sweep_of(struct swept *s)
{
	struct whole *w = s->whole;
	const bool barrier = w->job->operation == LS_BARRIER;
	/* In place all operands lie with the results, unless one of them is the root's alone. */
	const bool apart = !w->job->in_place
		|| (lsi_operation_is_rooted(w->job->operation) && w->job->operation != LS_BROADCAST);

	return (struct ls_sweep){ .size = sizeof(struct ls_sweep),
		.plan = w->plan,
		.count = w->job->count,
		.type = w->job->element->type,
		.op = job_combines(w->job) ? w->job->element->op : NULL,
		.input = s->way->makes || barrier || !apart ? NULL : s->input.at,
		.output = keeps_results(s) || barrier ? NULL : s->output.at,
		.input_stride = s->way->wide ? s->input.stride : 0,
		.output_stride = s->way->wide ? s->output.stride : 0,
		.make = s->way->makes ? make : NULL,
		.take = s->way->takes && !barrier ? take : NULL,
		.context = s,
		.workers = s->way->workers,
		.order = s->way->order,
		.embedding = w->embedding,
		.mode = w->mode,
		.trace = s->way->untraced ? NULL : on_message,
		.trace_context = &s->traced };
}

struct ls_sweep_result whole_by_sweep(struct whole *w, const struct way *way)
{
	const int processes = way->processes ? way->processes : 1;
	struct swept s = { .whole = w,
		.way = way,
		.input = array_of(w, true, way->wide),
		.output = array_of(w, false, way->wide),
		.takes = memory((size_t)w->load.p, sizeof *s.takes) };
	const bool some = ls_plan_claim(w->plan) == LS_IDEMPOTENT && w->load.p > 64;
	struct ls_sweep_result out = { .size = sizeof out };

	s.taken = memory((size_t)w->load.p, s.output.row);
	guard("%s, by a sweep: %d processes, %d workers, order %" PRIu64 "%s%s%s%s",
		job_name(w->job).text, processes, way->workers, way->order, way->wide ? ", wide rows" : "",
		way->makes ? ", made" : "", way->takes ? ", taken" : "", way->untraced ? ", untraced" : "");
	fill(&s);

	const struct ls_sweep sweep = sweep_of(&s);
	const int status = way->processes
		? (out = sweep_in_processes(processes, way->order + 1, &sweep, way->counts)).error.kind
		: ls_sweep_run(&sweep, &out);

	CHECK(status == LS_OK && out.error.kind == LS_OK, "%s: %s: %s", guarded(),
		ls_status_name(status), out.error.text);
	if (status == LS_OK) {
		if (!way->untraced && (!way->processes || ls_world_process(launched_world()) == 0))
			messages_check(&w->want.messages, &s.traced);
		check_stats(w, &out.stats);
		check_results(&s);
		check_taken(&s);
		check_beside(&s);
		CHECK(out.proved == !some, "%s: proved is %d", guarded(), out.proved);
		CHECK(out.workers <= processes * way->workers && out.workers > 0, "%s: %d workers",
			guarded(), out.workers);
		CHECK(way->processes || out.memory == ls_sweep_memory(&sweep), "%s: memory %zu", guarded(),
			out.memory);
	}
	array_free(&s.input);
	array_free(&s.output);
	free(s.taken);
	free(s.takes);
	free(s.traced.record);
	return out;
}
