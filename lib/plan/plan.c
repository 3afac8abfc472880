/*
 * Making a plan, its public queries, and its counts.
 *
 * Steps and rounds of a plan with a prologue, 3 rounds and an epilogue:
 *
 *   step         0          1   2   3   4
 *   round_at    -1          0   1   2   3            as algorithms count
 *   public       0 (local)  1   2   3   0 (local)    ls_plan_round
 */
#include "plan/plan_internal.h"

#include "base/alloc.h"
#include "base/math.h"
#include "base/sized.h"
#include "plan/step.h"

int lsi_plan_make_from(
	const struct lsi_algorithm *algorithm, const struct lsi_problem *problem, struct ls_plan **out)
{
	struct ls_plan *plan = lsi_alloc(sizeof *plan);

	if (!plan)
		return LS_ERR_MEMORY;
	*plan = (struct ls_plan){
		.problem = *problem, .algorithm = algorithm, .is_copy = problem->nodes == 1
	};
	if (plan->is_copy)
		plan->frame = (struct lsi_frame){ .blocks = 1, .has_prologue = true };
	else
		plan->frame = algorithm->frame(problem);
	if (plan->frame.out_of_memory
		|| (!plan->is_copy && algorithm->prepare && algorithm->prepare(plan) != LS_OK)) {
		ls_plan_destroy(plan);
		return LS_ERR_MEMORY;
	}
	*out = plan;
	return LS_OK;
}

void ls_plan_destroy(ls_plan *plan)
{
	struct lsi_plan_state *kept;

	if (!plan)
		return;
	kept = lsi_exchange(&plan->kept, NULL, acquire); /* KEPT, of the engine */
	if (kept)
		kept->destroy(kept);
	if (plan->table && plan->algorithm->release)
		plan->algorithm->release(plan);
	else
		lsi_free(plan->table);
	lsi_free(plan);
}

void ls_plan_request(const ls_plan *plan, struct ls_request *out)
{
	if (!plan || !out)
		return;

	struct ls_request request = lsi_problem_request(&plan->problem);

	request.algorithm = plan->algorithm->name;
	lsi_sized_write(out, &request, sizeof request);
}

int64_t ls_plan_nodes(const ls_plan *plan)
{
	return plan ? plan->problem.nodes : 0;
}

int64_t ls_plan_rounds(const ls_plan *plan)
{
	return plan ? plan->frame.rounds : 0;
}

int64_t ls_plan_steps(const ls_plan *plan)
{
	if (!plan)
		return 0;
	return plan->frame.has_prologue + plan->frame.rounds + plan->frame.locals
		+ plan->frame.has_epilogue;
}

/* The round of a step as algorithms count: -1 before, `rounds` after, else 0 .. rounds-1. */
static int64_t round_at(const struct ls_plan *plan, int64_t step)
{
	return step - plan->frame.has_prologue;
}

/* Whether the algorithm has local steps between rounds: round_at then is the number of a step. */
static bool counts_steps(const struct ls_plan *plan)
{
	return !plan->is_copy && plan->algorithm->is_local;
}

bool ls_plan_is_local(const ls_plan *plan, int64_t step)
{
	if (!plan)
		return false;
	if (counts_steps(plan))
		return plan->algorithm->is_local(plan, step);
	return round_at(plan, step) < 0 || round_at(plan, step) >= plan->frame.rounds;
}

int64_t ls_plan_round(const ls_plan *plan, int64_t step)
{
	int64_t round;

	if (!plan || ls_plan_is_local(plan, step))
		return 0;
	round = round_at(plan, step) + 1;
	for (int64_t s = 0; s < step && counts_steps(plan); s++)
		round -= ls_plan_is_local(plan, s);
	return round;
}

int64_t ls_plan_blocks(const ls_plan *plan)
{
	return plan ? plan->frame.blocks : 0;
}

enum ls_operation ls_plan_operation(const ls_plan *plan)
{
	return plan ? plan->problem.operation : LS_OPERATIONS;
}

enum ls_claim ls_plan_claim(const ls_plan *plan)
{
	return plan ? plan->algorithm->claim : LS_IDEMPOTENT;
}

bool ls_plan_identical(const ls_plan *plan)
{
	return plan && plan->algorithm->identical;
}

const char *ls_plan_algorithm(const ls_plan *plan)
{
	return plan ? plan->algorithm->name : NULL;
}

bool lsi_plan_peers(const struct ls_plan *plan, int64_t rank, int64_t step, struct lsi_peers *out)
{
	for (int q = 0; q < LS_PORTS; q++)
		out->to[q] = out->from[q] = LS_NO_RANK;
	if (ls_plan_is_local(plan, step))
		return false;
	plan->algorithm->peers(plan, rank, round_at(plan, step), out);
	return true;
}

/*
 * The algorithm states peers and body separately.  A port that only the body uses stays idle.  One
 * that only the peers use sends an empty slice, which breaks law 0.
 */
void ls_plan_step(const ls_plan *plan, int64_t rank, int64_t step, struct ls_step *out)
{
	if (!plan || !out)
		return;

	const struct lsi_algorithm *algorithm = plan->algorithm;
	const int64_t round = round_at(plan, step);
	struct lsi_peers peers;

	lsi_step_clear(out);
	if (plan->is_copy) {
		if (plan->problem.operation != LS_EXSCAN)
			lsi_step_copy(out, lsi_block(LS_OUTPUT, 0), lsi_block(LS_INPUT, 0));
		return;
	}
	const bool has_peers = lsi_plan_peers(plan, rank, step, &peers);

	algorithm->body(plan, round,
		has_peers && algorithm->shape ? algorithm->shape(plan, rank, round) : rank, out);
	if (!has_peers)
		return;
	for (int q = 0; q < LS_PORTS; q++) {
		if (peers.to[q] != LS_NO_RANK || peers.from[q] != LS_NO_RANK)
			lsi_step_port(out, q);
	}
	for (int q = 0; q < out->ports; q++) {
		out->to[q] = peers.to[q];
		out->from[q] = peers.from[q];
	}
}

struct lsi_window lsi_plan_window(const struct ls_plan *plan, int64_t rank, int k)
{
	const struct lsi_whole_machine *whole = lsi_whole_machine_of(plan->algorithm);

	if (plan->frame.scratch[k].slots > 0 && whole->window)
		return whole->window(plan, rank, k);
	return (struct lsi_window){ 0, plan->frame.scratch[k].slots };
}

/* By the formulas of the algorithm, else by counting. */
static struct ls_counts predict(const struct ls_plan *plan, size_t n)
{
	if (plan->algorithm->predict_exactly)
		return plan->algorithm->predict_exactly(plan, n);
	if (!plan->algorithm->predict)
		return lsi_plan_count(plan, n);
	return plan->algorithm->predict(&plan->problem, n);
}

static const double words_most = 0x1p61; /* formulas take up to four times the words */

bool lsi_counts_may_overflow(int64_t nodes, size_t n)
{
	const double p = (double)nodes;

	return n > LSI_SAMPLE && (double)n * p * p * p > words_most;
}

bool lsi_counts_overflow(struct ls_counts sample, int64_t nodes, size_t n)
{
	return (double)n * (double)nodes > words_most
		|| (double)n / LSI_SAMPLE * (double)sample.words > words_most;
}

/* The steps of a plan without formulas may be unproved. */
bool lsi_plan_is_countable(const struct ls_plan *plan, size_t n)
{
	const int64_t nodes = plan->problem.nodes;
	struct ls_counts sample = { 0 };

	if (!lsi_counts_may_overflow(nodes, n))
		return true;
	if (plan->algorithm->predict)
		sample = predict(plan, LSI_SAMPLE);
	return !lsi_counts_overflow(sample, nodes, n);
}

struct ls_counts ls_plan_predict(const ls_plan *plan, size_t n)
{
	struct ls_counts counts = { 0 };

	if (!plan || plan->is_copy)
		return counts;
	if (lsi_plan_is_countable(plan, n))
		return predict(plan, n);
	counts = predict(plan, LSI_SAMPLE);
	counts.words = counts.volume = INT64_MAX;
	return counts;
}

/* The volume is the sum over the steps of their longest message, in words. */
struct ls_counts lsi_plan_count(const struct ls_plan *plan, size_t n)
{
	const struct lsi_measure measure = { .n = n };
	struct ls_counts counts = { 0 };

	for (int64_t t = 0; t < ls_plan_steps(plan); t++) {
		int64_t longest = 0, messages = 0;

		for (int64_t u = 0; u < plan->problem.nodes; u++) {
			struct ls_step step;

			ls_plan_step(plan, u, t, &step);
			for (int q = 0; q < step.ports; q++) {
				if (step.to[q] == LS_NO_RANK)
					continue;

				const int64_t words = (int64_t)lsi_slice_words(plan, u, &step.send[q], &measure);

				messages++;
				counts.words = lsi_add_sat(counts.words, words);
				longest = words > longest ? words : longest;
			}
		}
		counts.messages += messages;
		counts.rounds += !ls_plan_is_local(plan, t);
		counts.volume = lsi_add_sat(counts.volume, longest);
	}
	return counts;
}

bool ls_plan_part_list(const ls_plan *plan, size_t index, struct ls_plan_part *out)
{
	struct ls_plan_part part = { .size = sizeof part };

	if (!plan || !out || plan->is_copy || !plan->algorithm->part
		|| !plan->algorithm->part(plan, index, &part))
		return false;
	lsi_sized_write(out, &part, sizeof part);
	return true;
}
