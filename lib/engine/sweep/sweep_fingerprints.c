#include "engine/sweep/sweep_fingerprints.h"

#include <inttypes.h>
#include <string.h>

#include "base/math.h"
#include "check/checker.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"
#include "plan/expected.h"
#include "plan/storage.h"

enum { SAMPLES = 64, CHUNK = 64 };
#define POINTS 4294967291u /* of the circle of arcs: the greatest prime below 2^32 */

/* ---- Random numbers */

static uint64_t random_number(const struct lsi_sweep_state *s, int64_t rank, int64_t block)
{
	return lsi_mix(
		s->seed + (uint64_t)rank * 0x9e3779b97f4a7c15u + (uint64_t)block * 0xd1342543de82ef95u);
}

/* The part that holds a rank: of up to 64 nodes, the rank itself; else one of 64 similar parts. */
static int part_of(const struct lsi_sweep_state *s, int64_t rank)
{
	return (int)(s->nodes <= SAMPLES ? rank : rank * SAMPLES / s->nodes);
}

/* The first rank of a part. */
static int64_t part_begin(const struct lsi_sweep_state *s, int64_t part)
{
	return (part * s->nodes + SAMPLES - 1) / SAMPLES;
}

static uint64_t sample_bit(const struct lsi_sweep_state *s, int64_t rank)
{
	const int part = part_of(s, rank);

	return s->sampled[part] == rank ? (uint64_t)1 << part : 0;
}

/*
 * ---- Arcs
 *
 * An ordered plan combines contributions of consecutive ranks, which form an arc of a circle.  The
 * number of its points is a prime, so that 2^k contributions never are a whole circle, which would
 * look like none.  Two arcs combine to one if the second begins where the first ends:
 *
 *     ranks     0   1   2   3   4
 *     left      [-------)                 ranks 0 and 1
 *     right             [-------)         ranks 2 and 3
 *     combined  [---------------)         ranks 0 to 3
 */

/*
 * The point of the circle where a rank's contribution to a block begins. Blocks start at random
 * points.
 */
static uint32_t point_of(const struct lsi_sweep_state *s, int64_t rank, int64_t block)
{
	return (uint32_t)((random_number(s, 0, block) % POINTS + (uint64_t)rank) % POINTS);
}

/* The point that is n < POINTS points behind another. */
static uint32_t point_after(uint32_t point, int64_t n)
{
	const uint64_t sum = point + (uint64_t)n;

	return (uint32_t)(sum < POINTS ? sum : sum - POINTS);
}

static uint64_t make_arc(uint32_t first, uint32_t end)
{
	return first | (uint64_t)end << 32;
}

/*
 * Append one arc to another.  If the arcs do not touch, the result is a shifted arc; every further
 * combination with it is wrong, too.
 */
static void concatenate_arcs(void *dst, const void *a, const void *b, size_t n, void *context)
{
	const struct lsi_sweep_state *s = context;
	const uint32_t offset = (uint32_t)s->seed | 1;
	const lsi_uint64 *left = a, *right = b;
	lsi_uint64 *to = dst;

	for (size_t i = 0; i < n; i++) {
		const uint32_t shift = (uint32_t)(left[i] >> 32) == (uint32_t)right[i] ? 0 : offset;

		to[i] = make_arc((uint32_t)left[i] + shift, (uint32_t)(right[i] >> 32) + shift);
	}
}

/* ---- The payload */

static bool is_ordered(const struct lsi_sweep_state *s)
{
	return ls_plan_claim(s->plan) == LS_ORDERED;
}

static void make_fingerprints(
	const struct lsi_sweep_state *s, int64_t rank, int64_t n, int64_t block, void *into)
{
	const enum ls_claim claim = ls_plan_claim(s->plan);
	const uint32_t at = point_of(s, rank, block);
	lsi_uint64 *to = into;

	for (int64_t i = 0; i < n; i++)
		to[i] = claim == LS_ORDERED  ? make_arc(point_after(at, i), point_after(at, i + 1))
			: claim == LS_IDEMPOTENT ? sample_bit(s, rank + i)
									 : random_number(s, rank + i, block);
}

void lsi_fingerprints_payload(struct lsi_sweep_state *s, struct lsi_payload *payload)
{
	if (is_ordered(s))
		payload->combine = (struct lsi_operator){
			.kernel = concatenate_arcs, .context = s, .size = sizeof(uint64_t)
		};
	else
		payload->combine =
			lsi_kernel_for(ls_plan_claim(s->plan) == LS_IDEMPOTENT ? LS_BOR : LS_SUM, LS_UINT64);
	payload->make = make_fingerprints;
}

void lsi_fingerprints_begin(struct lsi_sweep_state *s)
{
	s->seed = lsi_mix(s->seed);
	for (int64_t i = 0; i < SAMPLES; i++) {
		const int64_t first = part_begin(s, i), ranks = part_begin(s, i + 1) - first;

		s->sampled[i] = ranks == 0
			? LS_NO_RANK
			: first + (int64_t)(lsi_mix(s->seed + (uint64_t)i) % (uint64_t)ranks);
	}
	for (int64_t i = 0; i < SAMPLES && s->nodes <= SAMPLES; i++)
		s->sampled[i] = i < s->nodes ? i : LS_NO_RANK;
}

bool lsi_fingerprints_are_complete(const struct lsi_sweep_state *s)
{
	return !s->message_index && (ls_plan_claim(s->plan) != LS_IDEMPOTENT || s->nodes <= SAMPLES);
}

/* ---- Ranges of contributions */

/* The contributions of the ranks first .. first+count-1 to a block of INPUT. */
struct range {
	struct lsi_expected_block of;
	uint64_t value;
};

static void extend_range(const struct lsi_sweep_state *s, struct range *range, int64_t count)
{
	const struct lsi_expected_block *of = &range->of;
	uint64_t chunk[CHUNK];

	if (is_ordered(s)) {
		range->value =
			make_arc(point_of(s, of->first, of->block), point_of(s, of->first + count, of->block));
		range->of.count = count;
	}
	while (of->count < count) {
		const int64_t n = lsi_min(count - of->count, CHUNK);

		make_fingerprints(s, of->first + of->count, n, of->block, chunk);
		for (int64_t i = 0; i < n; i++)
			lsi_combine(&s->payload[LSI_PAYLOAD_FINGERPRINTS].combine, &range->value, &range->value,
				&chunk[i], 1);
		range->of.count += n;
	}
}

/*
 * Whether sums per worker help: a result holds the contributions of all ranks, or of all up to a
 * rank. An arc needs no sums, because its two ends suffice.
 */
static bool has_sums(const struct lsi_sweep_state *s)
{
	const enum ls_operation operation = s->plan->problem.operation;

	return lsi_operation_is_vector(operation) && operation != LS_BROADCAST && !is_ordered(s);
}

/* The sum of the contributions of a worker's ranks to a block. */
static uint64_t *sum_at(const struct lsi_sweep_state *s, int worker, int64_t block)
{
	return (uint64_t *)(void *)s->sums + (size_t)worker * (size_t)s->plan->frame.blocks
		+ (size_t)block;
}

/* Processes whose sums follow those of the workers; one process needs none. */
static int processes_of(const struct lsi_sweep_state *s)
{
	return s->world ? ls_world_processes(s->world) : 0;
}

static uint64_t *process_sum_at(const struct lsi_sweep_state *s, int process, int64_t block)
{
	return sum_at(s, s->workers + process, block);
}

static void add_sum(const struct lsi_sweep_state *s, uint64_t *to, const uint64_t *sum)
{
	lsi_combine(&s->payload[LSI_PAYLOAD_FINGERPRINTS].combine, to, to, sum, 1);
}

/* Worker 0, after a barrier: all processes get the sums of all. */
static void sum_processes(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t blocks = s->plan->frame.blocks;

	for (int64_t b = 0; b < blocks; b++)
		for (int i = 0; i < s->workers; i++)
			add_sum(s, process_sum_at(s, ls_world_process(s->world), b), sum_at(s, i, b));
	lsi_sweep_sum_numbers(w, process_sum_at(s, 0, 0), (size_t)processes_of(s) * (size_t)blocks);
}

size_t lsi_fingerprints_bytes(const struct lsi_sweep_state *s)
{
	const size_t each = (size_t)s->plan->frame.blocks * sizeof(uint64_t);

	return has_sums(s) ? (size_t)(s->workers + processes_of(s)) * each : 0;
}

static bool sum_contributions(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t ranks = w->last - w->first;

	for (int64_t b = 0; b < s->plan->frame.blocks && has_sums(s); b++) {
		struct range range = { { w->first, 0, b }, 0 };

		while (range.of.count < ranks && !lsi_sweep_poll(w))
			extend_range(s, &range, lsi_min(range.of.count + LSI_SWEEP_POLL_NODES, ranks));
		*sum_at(s, w->number, b) = range.value;
	}
	if (!lsi_sweep_barrier(w))
		return false;
	if (!has_sums(s) || !s->world)
		return true;
	if (w->number == 0)
		sum_processes(w);
	return lsi_sweep_barrier(w);
}

/* Add the sums of processes, and of workers of this one, to a range that begins at rank 0. */
static void add_sums(const struct lsi_sweep_state *s, struct range *range, int64_t count)
{
	for (int i = 0; i < processes_of(s) && s->exchange->first_rank[i + 1] <= count; i++) {
		add_sum(s, &range->value, process_sum_at(s, i, range->of.block));
		range->of.count = s->exchange->first_rank[i + 1];
	}
	for (int i = 0; i < s->workers && s->worker[i].last <= count; i++) {
		if (s->worker[i].first != range->of.count)
			continue;
		add_sum(s, &range->value, sum_at(s, i, range->of.block));
		range->of.count = s->worker[i].last;
	}
}

/*
 * Set `range` to the expected contributions, starting from its old value or from the sums of
 * processes and workers.
 */
static void set_range(
	const struct lsi_sweep_state *s, struct range *range, struct lsi_expected_block expected)
{
	if (range->of.first != expected.first || range->of.block != expected.block
		|| range->of.count > expected.count || range->of.count == 0) {
		*range = (struct range){ { expected.first, 0, expected.block }, 0 };
		if (has_sums(s))
			add_sums(s, range, expected.count);
	}
	extend_range(s, range, expected.count);
}

/* ---- Results */

static bool report_difference(
	struct lsi_sweep_worker *w, int64_t rank, int64_t block, uint64_t held, uint64_t expected)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_sweep_fault fault = { LS_ERR_LAW, rank, LS_NO_RANK, s->steps, s->operation };

#define BROKEN(text, ...) \
	lsi_sweep_report(w, fault, "law 5 (result): node %" PRId64 ": OUTPUT block %" PRId64 text, \
		lsi_sweep_host_rank(s, rank), block, __VA_ARGS__)
	if (ls_plan_claim(s->plan) == LS_IDEMPOTENT && (expected & ~held))
		return BROKEN(" lacks the contribution of node %" PRId64 " (%s)",
			lsi_sweep_host_rank(s, s->sampled[__builtin_ctzll(expected & ~held)]), s->operation);
	if (held == 0 && expected != 0)
		return BROKEN(" was never written (%s)", s->operation);
	return BROKEN(" differs from the result in its fingerprint (%s)", s->operation);
#undef BROKEN
}

static bool check_block(
	struct lsi_sweep_worker *w, int64_t rank, int64_t block, struct range *range)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_payload *payload = &s->payload[LSI_PAYLOAD_FINGERPRINTS];
	const struct lsi_expected_block expected = lsi_plan_expected(s->plan, rank, block);
	uint64_t held;

	if (expected.count == 0)
		return true;

	const char *at = lsi_payload_at(payload, rank, LS_OUTPUT, block);

	set_range(s, range, expected);
	memcpy(&held, at, sizeof held);
	if (held == range->value)
		return true;
	return report_difference(w, rank, block, held, range->value);
}

/* Check all blocks of one node, then those of the next: for operations that move blocks. */
static void check_by_node(struct lsi_sweep_worker *w)
{
	const int64_t blocks = lsi_buffer_blocks(w->sweep->plan, LS_OUTPUT);
	struct range range = { { 0 }, 0 };

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (!lsi_storage_has(w->sweep->plan, rank, LS_OUTPUT))
			continue;
		for (int64_t b = 0; b < blocks; b++) {
			if ((b % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
				|| !check_block(w, rank, b, &range))
				return;
		}
	}
}

/* The next rank from this one on whose block may differ, where all nodes have equal results. */
static int64_t find_next_different(const struct lsi_sweep_state *s, int64_t rank, int64_t last,
	int64_t block, const struct range *common)
{
	const struct lsi_payload *payload = &s->payload[LSI_PAYLOAD_FINGERPRINTS];
	const size_t step = payload->buffer[LS_OUTPUT].by_rank;
	const char *at = lsi_payload_at(payload, rank, LS_OUTPUT, block);

	while (rank < last && rank % LSI_SWEEP_POLL_NODES != 0
		&& memcmp(at, &common->value, sizeof common->value) == 0)
		rank++, at += step;
	return rank;
}

/*
 * Check one block of all nodes, then the next block: ranges grow from node to node, or stay equal.
 */
static void check_by_block(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	const enum ls_operation operation = s->plan->problem.operation;
	const int64_t blocks = lsi_buffer_blocks(s->plan, LS_OUTPUT);
	const bool all_equal =
		operation == LS_ALLREDUCE || operation == LS_BARRIER || operation == LS_BROADCAST;
	struct range range = { { 0 }, 0 };
	int64_t last = w->last; /* later ranks cannot replace the first violation */

	for (int64_t b = 0; b < blocks; b++) {
		for (int64_t rank = w->first; rank < last; rank++) {
			if (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
				return;
			if (lsi_storage_has(s->plan, rank, LS_OUTPUT) && !check_block(w, rank, b, &range))
				last = rank;
			else if (all_equal)
				rank = find_next_different(s, rank + 1, last, b, &range) - 1;
		}
	}
}

bool lsi_fingerprints_check(struct lsi_sweep_worker *w)
{
	if (!sum_contributions(w))
		return false;
	if (lsi_operation_is_vector(w->sweep->plan->problem.operation))
		check_by_block(w);
	else
		check_by_node(w);
	return lsi_sweep_meet(w);
}
