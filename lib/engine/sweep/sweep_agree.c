/*
 * An agreement is a reduction over all processes, between two barriers of the workers:
 *
 *     worker 0     barrier | sum over all processes | barrier | next step
 *     worker 1     barrier |                        | barrier | next step
 *
 * It writes `failed` and `stopping` as a worker of this process would, so the second barrier ends
 * the sweep for all workers, in every process after the same step.
 */
#include "engine/sweep/sweep_agree.h"

#include <string.h>

#include "base/error.h"
#include "base/futex.h"
#include "base/math.h"
#include "engine/sweep/sweep_exchange.h"
#include "engine/sweep/sweep_fingerprints.h"
#include "engine/sweep/sweep_payload.h"
#include "topology/topology_internal.h"
#include "world/flat_error.h"
#include "world/use.h"

static bool set_broken(struct lsi_sweep_state *s)
{
	if (s->error.kind == LS_OK)
		lsi_world_failure(s->world, &s->error);
	return false;
}

/* ---- The start */

/* A number for all that must be equal in all processes. */
static int64_t mark_of(const struct lsi_sweep_state *s)
{
	const struct lsi_problem *problem = &s->plan->problem;
	const struct ls_sweep *request = &s->request;
	const int64_t number[] = { problem->nodes, s->steps, problem->operation, s->mode, problem->root,
		problem->shift, problem->segments, problem->ports, problem->in_place, request->strict,
		(int64_t)request->count, (int64_t)request->order, (int64_t)ls_type_size(request->type),
		ls_plan_blocks(s->plan), ls_plan_claim(s->plan) };
	uint64_t mark = lsi_mix_text(LSI_TRANSPORT_VERSION, ls_topology_spec(problem->topology));

	mark = lsi_mix_text(mark, ls_topology_spec(s->topology));
	mark = lsi_mix_text(mark, ls_plan_algorithm(s->plan));
	mark = lsi_mix_text(mark, ls_type_name(request->type));
	mark = lsi_mix_text(mark, ls_op_name(request->op));
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		mark = lsi_mix(mark + (uint64_t)number[i]);
	return (int64_t)(mark >> 1);
}

/* Whether all are ready, and for the same sweep; all get the seed of process 0. */
static bool compare_processes(struct lsi_sweep_state *s, bool ready, bool *kept)
{
	enum { LEAST, GREATEST, READY, WORKERS, TRACED, SEED, KEPT, NOT_KEPT, NUMBERS };
	_Static_assert((int)NUMBERS <= (int)LSI_USE_NUMBERS, "too many numbers for a use");
	const int64_t mark = ready ? mark_of(s) : 0;
	int64_t least[NUMBERS] = { ready ? mark : INT64_MAX, ready ? -mark : INT64_MAX, ready - 1,
		-s->workers, -(int64_t)s->traced,
		ls_world_process(s->world) == 0 ? (int64_t)(s->seed >> 1) : INT64_MAX,
		lsi_sweep_fast_kept(s), -lsi_sweep_fast_kept(s) };

	if (!lsi_exchange_begin(s, least, NUMBERS))
		return set_broken(s);
	if (least[READY] < 0)
		return false;
	s->most_workers = (int)-least[WORKERS];
	s->traced = least[TRACED] < 0;
	s->seed = (uint64_t)least[SEED];
	*kept = least[KEPT] == -least[NOT_KEPT];
	if (least[LEAST] != -least[GREATEST])
		lsi_error_set(&s->error, LS_ERR_ARGUMENT,
			"the processes of the world run different sweeps; expected equal arguments");
	return least[LEAST] == -least[GREATEST];
}

bool lsi_sweep_agree_start(struct lsi_sweep_state *s, bool ready)
{
	bool kept = true;

	s->seed = lsi_now_ns() ^ (uint64_t)(uintptr_t)s->memory.at;
	if (s->world && !compare_processes(s, ready, &kept))
		return false;
	if (!ready)
		return false;
	lsi_sweep_fast_begin(s, kept);
	if (s->exchange)
		lsi_exchange_note_agreement(s);
	lsi_fingerprints_begin(s);
	return true;
}

/* ---- A step */

bool lsi_sweep_sum_numbers(struct lsi_sweep_worker *w, uint64_t *numbers, size_t n)
{
	return lsi_exchange_sum(w->sweep, numbers, n) || lsi_exchange_report(w);
}

/* Whether no process has failed or stops, after `vote`. */
static bool goes_on(const struct lsi_sweep_state *s)
{
	return lsi_load(&s->failed, relaxed) == 0 /* between two barriers */
		&& !lsi_load(&s->stopping, relaxed);  /* as above */
}

/*
 * What all processes sum.  A process refuses a stage that does not suit its fast path.  CROSSING:
 * numbers of the messages to others minus those from others; 0 if both ends agree on them.
 */
enum vote { FAILED, STOPPING, UNMATCHED, REFUSED, COUNTS, CROSSING = COUNTS + LSI_COUNTS, VOTES };

/* The counts of this process so far. */
static void add_counts(const struct lsi_sweep_state *s, uint64_t counts[LSI_COUNTS])
{
	counts[LSI_COUNT_WORKERS] = (uint64_t)s->workers;
	for (int i = 0; i < s->workers && s->worker; i++) {
		counts[LSI_COUNT_MESSAGES] += (uint64_t)s->worker[i].messages;
		counts[LSI_COUNT_WORDS] += (uint64_t)s->worker[i].words;
		counts[LSI_COUNT_BYTES] += (uint64_t)s->worker[i].bytes;
		counts[LSI_COUNT_CROSSING_MESSAGES] += (uint64_t)s->worker[i].crossing_messages;
		counts[LSI_COUNT_CROSSING_BYTES] += (uint64_t)s->worker[i].crossing_bytes;
	}
}

/*
 * Worker 0, between two barriers: replace the votes by their sums, and learn whether a process has
 * failed, stops, or lacks a match.  False: the transport failed.
 */
static bool vote(struct lsi_sweep_worker *w, uint64_t votes[VOTES])
{
	struct lsi_sweep_state *s = w->sweep;

	votes[FAILED] = lsi_load(&s->failed, relaxed) != 0;   /* after a barrier */
	votes[STOPPING] = lsi_load(&s->stop_wanted, relaxed); /* a flag without data */
	add_counts(s, votes + COUNTS);
	if (!lsi_sweep_sum_numbers(w, votes, VOTES))
		return false;
	memcpy(s->exchange->counts, votes + COUNTS, sizeof s->exchange->counts);
	s->exchange->counted = true;
	lsi_exchange_note_agreement(s);
	if (votes[FAILED] > 0 && lsi_load(&s->failed, relaxed) == 0) /* as above */
		lsi_store(&s->failed, w->barriers + 1, release);         /* a barrier follows */
	if (votes[STOPPING] > 0)
		lsi_store(&s->stopping, true, relaxed); /* the barrier that follows acts on it */
	s->exchange->sums = (struct lsi_step_sums){ (int64_t)votes[UNMATCHED], false };
	lsi_store(&s->exchange->messages, (int64_t)s->exchange->counts[LSI_COUNT_MESSAGES],
		relaxed); /* counter only */
	return true;
}

bool lsi_sweep_meet(struct lsi_sweep_worker *w)
{
	const bool going = lsi_sweep_barrier(w);

	if (!w->sweep->exchange)
		return going;
	if (w->number == 0)
		vote(w, (uint64_t[VOTES]){ 0 });
	return lsi_sweep_barrier(w);
}

bool lsi_sweep_agree_stage(
	struct lsi_sweep_worker *w, int64_t steps, uint64_t crossing, int64_t *accepted)
{
	struct lsi_sweep_exchange *e = w->sweep->exchange;
	uint64_t votes[VOTES] = { [REFUSED] = *accepted < steps, [CROSSING] = crossing };

	if (w->number == 0) {
		e->accepted = *accepted;
		if (vote(w, votes) && votes[REFUSED] > 0 && !lsi_exchange_least(w->sweep, &e->accepted, 1))
			lsi_exchange_report(w);
		if (votes[CROSSING] != 0)
			e->accepted = 0;
	}
	if (!lsi_sweep_barrier(w))
		return false;
	*accepted = e->accepted;
	return true;
}

/* Worker 0, between two barriers: the messages of all processes on each link. */
static void sum_loads(struct lsi_sweep_worker *w, int64_t step)
{
	struct lsi_sweep_state *s = w->sweep;
	const uint64_t tag = (uint64_t)(step + 1) << 32;
	const size_t links = lsi_sweep_loads(s);

	for (size_t i = 0; i < links; i++) {
		const uint64_t load = lsi_load(&s->load[i], relaxed); /* after a barrier */

		s->load_sums[i] = load >> 32 == tag >> 32 ? load & UINT32_MAX : 0;
	}
	if (!lsi_sweep_sum_numbers(w, s->load_sums, links))
		return;
	for (size_t i = 0; i < links; i++) {
		lsi_store(&s->load[i], tag | s->load_sums[i], relaxed); /* a barrier follows */
		w->load = s->load_sums[i] > (uint64_t)w->load ? (int64_t)s->load_sums[i] : w->load;
		s->exchange->sums.crowded |= s->load_sums[i] > 1 && s->request.strict;
	}
}

bool lsi_sweep_agree_step(
	struct lsi_sweep_worker *w, int64_t step, int parity, struct lsi_step_sums *out)
{
	struct lsi_sweep_state *s = w->sweep;
	const bool going = lsi_sweep_barrier(w);

	if (!s->exchange) {
		*out = lsi_step_sums_of(s, parity);
		return going;
	}
	if (w->number == 0) {
		if (going)
			lsi_exchange_prepare(w, step);
		vote(w, (uint64_t[VOTES]){ [UNMATCHED] = lsi_step_sums_of(s, parity).unmatched != 0 });
		if (goes_on(s))
			sum_loads(w, step);
	}
	if (!lsi_sweep_barrier(w))
		return false;
	*out = s->exchange->sums;
	return true;
}

/* ---- The end */

/* The operation of an error, in this process; NULL: none. */
static const char *known_operation(const struct lsi_sweep_state *s, const char *operation)
{
	const char *const known[] = { s->operation, "send", "receive" };

	for (int i = 0; i < 3; i++)
		if (known[i] && strcmp(known[i], operation) == 0)
			return known[i];
	return NULL;
}

/* All get the error of one process. */
static bool share_error(struct lsi_sweep_state *s, bool is_mine)
{
	union {
		struct lsi_flat_error error;
		uint64_t word[LSI_FLAT_ERROR_WORDS];
	} flat = { .word = { 0 } };

	if (is_mine)
		lsi_error_flatten(&s->error, &flat.error);
	if (!lsi_exchange_sum(s, flat.word, LSI_FLAT_ERROR_WORDS))
		return false;
	s->error = lsi_error_unflatten(&flat.error, known_operation(s, flat.error.operation));
	return true;
}

/*
 * What all processes need to know at the end, in one reduction: the first error, the greatest load,
 * memory and time, the calls that were refused (world/use.h), and the steps with messages that
 * cross.
 */
enum at_end { STEP, LOAD, MEMORY, TIME, REFUSED_CALLS, AT_END };

/* All get the first error: of the lowest step, then of the lowest rank, then process. */
static bool agree_error(struct lsi_sweep_state *s, int64_t step)
{
	const int64_t key[] = { s->error_rank < 0 ? INT64_MAX - 1 : s->error_rank,
		ls_world_process(s->world) };
	bool is_mine = s->error.kind != LS_OK && s->step == step;

	for (int i = 0; i < 2; i++) {
		int64_t least = is_mine ? key[i] : INT64_MAX;

		if (!lsi_exchange_least(s, &least, 1))
			return false;
		is_mine = is_mine && key[i] == least;
	}
	return share_error(s, is_mine);
}

/*
 * The counts of all processes: those of the last agreement, after which no message was counted.  A
 * sweep that did not begin has none.
 */
static bool agree_counts(struct lsi_sweep_state *s, struct ls_sweep_result *result)
{
	uint64_t sums[LSI_COUNTS] = { 0 };

	if (s->exchange && s->exchange->counted) {
		memcpy(sums, s->exchange->counts, sizeof sums);
	} else {
		add_counts(s, sums);
		if (!lsi_exchange_sum(s, sums, LSI_COUNTS))
			return false;
	}
	result->stats.messages = (int64_t)sums[LSI_COUNT_MESSAGES];
	result->stats.words = (int64_t)sums[LSI_COUNT_WORDS];
	result->stats.bytes = (int64_t)sums[LSI_COUNT_BYTES];
	result->crossing_messages = (int64_t)sums[LSI_COUNT_CROSSING_MESSAGES];
	result->crossing_bytes = (int64_t)sums[LSI_COUNT_CROSSING_BYTES];
	result->workers = (int)sums[LSI_COUNT_WORKERS];
	return true;
}

static bool agree_end(struct lsi_sweep_state *s, struct ls_sweep_result *result, int64_t *refused)
{
	const struct lsi_sweep_exchange *e = s->exchange;
	const size_t memory = result->memory + (e ? e->bytes + e->lists : 0);
	int64_t least[AT_END + LSI_CROSSED_AT_ONCE] = { s->error.kind != LS_OK ? s->step : INT64_MAX,
		-result->stats.link_load, -(int64_t)(memory < INT64_MAX ? memory : INT64_MAX),
		-(int64_t)(result->seconds * 1e9), -lsi_world_ending(s->world) };

	const int marks = lsi_crossing_rounds_put(s, 0, least + AT_END);

	if (!lsi_exchange_least(s, least, AT_END + (size_t)marks))
		return false;
	*refused = -least[REFUSED_CALLS];
	result->stats.link_load = -least[LOAD];
	result->memory = (size_t)-least[MEMORY];
	result->seconds = (double)-least[TIME] / 1e9;
	return (least[STEP] == INT64_MAX || agree_error(s, least[STEP])) && agree_counts(s, result)
		&& lsi_crossing_rounds_add(s, least + AT_END, marks, &result->crossing_rounds);
}

void lsi_sweep_agree_end(struct lsi_sweep_state *s, struct ls_sweep_result *result)
{
	int64_t refused = 0;

	if (!s->uses_world)
		return;
	if (!agree_end(s, result, &refused))
		set_broken(s);
	lsi_world_ended(s->world, refused);
}
