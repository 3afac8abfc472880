/*
 * Results of a claim: one value for each of its networks, in their order.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *blank_between(const char *found)
{
	return found[0] ? " " : "";
}

void for_each_plan(const struct claim *claim, char *found,
	void (*append)(const struct claim *, const struct claim_plan *, char *found))
{
	const char *networks = claim->run.networks;
	char spec[64];

	found[0] = '\0';
	while (next_spec(&networks, spec)) {
		struct claim_plan plan;

		if (!open_claim_plan(&claim->run, spec, &plan, found))
			return;
		append(claim, &plan, found);
		close_claim_plan(&plan);
	}
}

static void append_rounds(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	(void)claim;
	append_text(found, "%s%" PRId64, blank_between(found), ls_plan_rounds(plan->plan));
}

void find_rounds(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_rounds);
}

static void append_volume(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct message_trace trace = trace_plan(plan, 1);

	(void)claim;
	append_text(found, "%s%" PRId64, blank_between(found), count_trace(&trace).volume);
	free_trace(&trace);
}

void find_volume(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_volume);
}

static void append_messages(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct message_trace trace = trace_plan(plan, 1);
	size_t longest = 0;

	(void)claim;
	for (size_t i = 0; i < trace.rows; i++) {
		longest = trace.row[i].words > longest ? trace.row[i].words : longest;
		if (i + 1 < trace.rows && trace.row[i + 1].round == trace.row[i].round)
			continue;
		append_text(found, "%s%zu", blank_between(found), longest);
		longest = 0;
	}
	free_trace(&trace);
}

void find_messages(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_messages);
}

static void append_schedule(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct message_trace trace = trace_plan(plan, 1);

	(void)claim;
	for (size_t i = 0; i < trace.rows; i++) {
		const struct ls_record *row = &trace.row[i];
		const bool is_next = i > 0 && row->round != row[-1].round;

		append_text(found, "%s%s%" PRId64 ">%" PRId64, blank_between(found), is_next ? "| " : "",
			row->src, row->dst);
	}
	free_trace(&trace);
}

void find_schedule(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_schedule);
}

static void append_loads(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct message_trace trace = trace_plan(plan, 1);

	(void)claim;
	for (int64_t round = 1; round <= ls_plan_rounds(plan->plan); round++)
		append_text(found, "%s%" PRId64, blank_between(found), max_link_load(plan, &trace, round));
	free_trace(&trace);
}

void find_loads(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_loads);
}

static void append_load(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct message_trace trace = trace_plan(plan, 1);

	(void)claim;
	append_text(found, "%s%" PRId64, blank_between(found), max_link_load(plan, &trace, 0));
	free_trace(&trace);
}

void find_load(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_load);
}

static void append_laws(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct ls_certificate proof = { .size = sizeof proof };
	const int failed = check_laws(plan, &proof);

	(void)claim;
	if (failed)
		snprintf(found, FOUND_SIZE, "%s", proof.text);
	else if (!found[0])
		append_text(found, "proved");
}

void find_laws(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_laws);
}

static void append_order(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	struct ls_certificate proof = { .size = sizeof proof };

	(void)claim;
	if (check_laws(plan, &proof) != LS_OK)
		snprintf(found, FOUND_SIZE, "%s", proof.text);
	else if (!found[0])
		append_text(found, "%s, %s", proof.ordered ? "associative" : "associative and commutative",
			proof.identical ? "the same bits" : "different bits at different nodes");
}

void find_order(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_order);
}

/* Counts of a run on threads; `is_planned`: it sent exactly the messages of the plan. */
static struct ls_counts count_execution(const struct claim_plan *plan, size_t m, bool *is_planned)
{
	const size_t p = (size_t)ls_plan_nodes(plan->plan);
	int64_t *input = require_memory(calloc(p * input_elements(plan, m) + 1, sizeof *input));
	int64_t *output = require_memory(calloc(p * output_elements(plan, m) + 1, sizeof *output));
	struct message_trace sent = execute_plan(plan, m, input, output), planned = trace_plan(plan, m);
	const struct ls_counts counts = count_trace(&sent);

	*is_planned = traces_equal(&sent, &planned);
	free_trace(&sent);
	free_trace(&planned);
	free(input);
	free(output);
	return counts;
}

static void append_executed(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	bool is_planned;
	const struct ls_counts counts = count_execution(plan, 1, &is_planned);

	(void)claim;
	append_text(
		found, "%s%" PRId64 "%s", blank_between(found), counts.rounds, is_planned ? "" : "?");
}

void find_executed(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_executed);
}

/* Results of a run in which node r contributes r + first; the caller frees them. */
static int64_t *make_results(const struct claim_plan *plan, int64_t first)
{
	const size_t p = (size_t)ls_plan_nodes(plan->plan);
	int64_t *mine = require_memory(calloc(p, sizeof *mine)),
			*result = require_memory(calloc(p, sizeof *result));

	for (size_t r = 0; r < p; r++)
		mine[r] = (int64_t)r + first;

	struct message_trace sent = execute_plan(plan, 1, mine, result);

	free_trace(&sent);
	free(mine);
	return result;
}

static void append_sum(const struct claim_plan *plan, int64_t first, char *found)
{
	int64_t *sum = make_results(plan, first);
	bool is_same = true;

	for (int64_t r = 0; r < ls_plan_nodes(plan->plan); r++)
		is_same = is_same && sum[r] == sum[0];
	if (is_same)
		append_text(found, "%s%" PRId64, blank_between(found), sum[0]);
	else
		append_text(found, "%sdifferent sums", blank_between(found));
	free(sum);
}

static void append_sum_from_1(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	(void)claim;
	append_sum(plan, 1, found);
}

static void append_sum_from_0(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	(void)claim;
	append_sum(plan, 0, found);
}

void find_sum(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_sum_from_1);
}

void find_sum_from_0(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_sum_from_0);
}

static void append_results(const struct claim *claim, const struct claim_plan *plan, char *found)
{
	int64_t *result = make_results(plan, 0);

	(void)claim;
	for (int64_t r = 0; r < ls_plan_nodes(plan->plan); r++)
		append_text(found, "%s%" PRId64, blank_between(found), result[r]);
	free(result);
}

void find_results(const struct claim *claim, char *found)
{
	for_each_plan(claim, found, append_results);
}

/* ---- Networks */

static void for_each_network(
	const struct claim *claim, char *found, int64_t (*measure)(const ls_topology *))
{
	const char *networks = claim->run.networks;
	char spec[64];

	found[0] = '\0';
	while (next_spec(&networks, spec)) {
		struct ls_error error = { .size = sizeof error };
		ls_topology *t = NULL;

		const int status = ls_topology_make(spec, &t, &error);

		if (status == LS_OK) {
			record_method(METHOD_NETWORK, ls_topology_nodes(t));
			append_text(found, "%s%" PRId64, blank_between(found), measure(t));
		} else if (!lacks_resources(status, "%s", error.text)) {
			append_text(found, "%s", error.text);
		}
		ls_topology_destroy(t);
	}
}

void find_size(const struct claim *claim, char *found)
{
	for_each_network(claim, found, ls_topology_nodes);
}

void find_degree(const struct claim *claim, char *found)
{
	for_each_network(claim, found, ls_topology_degree);
}

void find_diameter(const struct claim *claim, char *found)
{
	for_each_network(claim, found, ls_topology_diameter);
}

/* ---- Equations */

enum { ON_THREADS = 16 }; /* most nodes of a run on threads */
static const size_t lengths[] = { 1, 5, 64 };

static bool check_formula(
	const struct claim *claim, const struct claim_plan *plan, size_t m, char *found)
{
	const int64_t p = ls_plan_nodes(plan->plan);
	const struct ls_counts expected = claim->formula(p, (int64_t)m);
	struct message_trace trace = trace_plan(plan, m);
	struct ls_counts counts = count_trace(&trace);
	const int64_t load = max_link_load(plan, &trace, 0);
	bool is_planned = true;

	free_trace(&trace);
	if (p <= ON_THREADS)
		counts = count_execution(plan, m, &is_planned);
	if (is_planned && load <= 1 && counts.rounds == expected.rounds
		&& counts.volume == expected.volume)
		return true;
	snprintf(found, FOUND_SIZE,
		"p = %" PRId64 ", m = %zu: %" PRId64 " t_s + %" PRId64 " t_w, at most %" PRId64
		" messages on a link%s",
		p, m, counts.rounds, counts.volume, load, is_planned ? "" : "; threads differ");
	return false;
}

/* Check every p and m.  `parts`: m is a multiple of p. */
static void check_formulas(const struct claim *claim, bool parts, char *found)
{
	const char *networks = claim->run.networks;
	char spec[64];
	struct claim_plan plan;

	snprintf(found, FOUND_SIZE, "exact for p =");
	while (next_spec(&networks, spec)) {
		if (!open_claim_plan(&claim->run, spec, &plan, found))
			return;

		const size_t p = (size_t)ls_plan_nodes(plan.plan);
		bool is_right = true;

		append_text(found, " %zu", p);
		for (size_t i = 0; is_right && i < ARRAY_LENGTH(lengths); i++)
			is_right = check_formula(claim, &plan, lengths[i] * (parts ? p : 1), found);
		close_claim_plan(&plan);
		if (!is_right)
			return;
	}
	append_text(found, parts ? "; m = p 5p 64p" : "; m = 1 5 64");
}

void find_equation(const struct claim *claim, char *found)
{
	check_formulas(claim, false, found);
}

void find_equation_parts(const struct claim *claim, char *found)
{
	check_formulas(claim, true, found);
}
