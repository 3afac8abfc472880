/*
 * What is found on every network of a claim, in its order.
 */
#include "reproduce/reproduce.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *seed_gap(const char *found)
{
	return found[0] ? " " : "";
}

void seed_each(const struct seed_claim *claim, char *found,
	void (*look)(const struct seed_claim *, const struct seed_plan *, char *found))
{
	const char *networks = claim->run.networks;
	char spec[64];

	found[0] = '\0';
	while (seed_next(&networks, spec)) {
		struct seed_plan plan;

		if (!seed_open(&claim->run, spec, &plan, found))
			return;
		look(claim, &plan, found);
		seed_close(&plan);
	}
}

static void rounds_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	(void)claim;
	seed_add(found, "%s%" PRId64, seed_gap(found), ls_plan_rounds(plan->plan));
}

void find_rounds(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, rounds_of);
}

static void volume_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct seed_trace trace = seed_walk(plan, 1);

	(void)claim;
	seed_add(found, "%s%" PRId64, seed_gap(found), seed_counts(&trace).volume);
	seed_forget(&trace);
}

void find_volume(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, volume_of);
}

static void messages_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct seed_trace trace = seed_walk(plan, 1);
	size_t longest = 0;

	(void)claim;
	for (size_t i = 0; i < trace.rows; i++) {
		longest = trace.row[i].words > longest ? trace.row[i].words : longest;
		if (i + 1 < trace.rows && trace.row[i + 1].round == trace.row[i].round)
			continue;
		seed_add(found, "%s%zu", seed_gap(found), longest);
		longest = 0;
	}
	seed_forget(&trace);
}

void find_messages(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, messages_of);
}

static void schedule_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct seed_trace trace = seed_walk(plan, 1);

	(void)claim;
	for (size_t i = 0; i < trace.rows; i++) {
		const struct ls_record *row = &trace.row[i];
		const bool is_next = i > 0 && row->round != row[-1].round;

		seed_add(found, "%s%s%" PRId64 ">%" PRId64, seed_gap(found), is_next ? "| " : "", row->src,
			row->dst);
	}
	seed_forget(&trace);
}

void find_schedule(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, schedule_of);
}

static void loads_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct seed_trace trace = seed_walk(plan, 1);

	(void)claim;
	for (int64_t round = 1; round <= ls_plan_rounds(plan->plan); round++)
		seed_add(found, "%s%" PRId64, seed_gap(found), seed_load(plan, &trace, round));
	seed_forget(&trace);
}

void find_loads(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, loads_of);
}

static void load_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct seed_trace trace = seed_walk(plan, 1);

	(void)claim;
	seed_add(found, "%s%" PRId64, seed_gap(found), seed_load(plan, &trace, 0));
	seed_forget(&trace);
}

void find_load(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, load_of);
}

static void laws_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct ls_certificate proof = { .size = sizeof proof };
	const int failed = ls_check(plan->plan, 1, NULL, &proof);

	(void)claim;
	if (failed)
		snprintf(found, SEED_TEXT, "%s", proof.text);
	else if (!found[0])
		seed_add(found, "proved");
}

void find_laws(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, laws_of);
}

static void order_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	struct ls_certificate proof = { .size = sizeof proof };

	(void)claim;
	if (ls_check(plan->plan, 1, NULL, &proof) != LS_OK)
		snprintf(found, SEED_TEXT, "%s", proof.text);
	else if (!found[0])
		seed_add(found, "%s, %s", proof.ordered ? "associative" : "associative and commutative",
			proof.identical ? "the same bits" : "other bits at other nodes");
}

void find_order(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, order_of);
}

/* Rounds of a run on threads; its messages must be those of the plan. */
static struct ls_counts executed(const struct seed_plan *plan, size_t m, bool *is_planned)
{
	const size_t p = (size_t)ls_plan_nodes(plan->plan);
	int64_t *input = require_memory(calloc(p * seed_input(plan, m) + 1, sizeof *input));
	int64_t *output = require_memory(calloc(p * seed_output(plan, m) + 1, sizeof *output));
	struct seed_trace sent = seed_execute(plan, m, input, output), said = seed_walk(plan, m);
	const struct ls_counts counts = seed_counts(&sent);

	*is_planned = seed_same(&sent, &said);
	seed_forget(&sent);
	seed_forget(&said);
	free(input);
	free(output);
	return counts;
}

static void executed_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	bool is_planned;
	const struct ls_counts counts = executed(plan, 1, &is_planned);

	(void)claim;
	seed_add(found, "%s%" PRId64 "%s", seed_gap(found), counts.rounds, is_planned ? "" : "?");
}

void find_executed(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, executed_of);
}

/* Results of a run in which node r gives r + first; the caller frees them. */
static int64_t *results(const struct seed_plan *plan, int64_t first)
{
	const size_t p = (size_t)ls_plan_nodes(plan->plan);
	int64_t *mine = require_memory(calloc(p, sizeof *mine)),
			*result = require_memory(calloc(p, sizeof *result));

	for (size_t r = 0; r < p; r++)
		mine[r] = (int64_t)r + first;

	struct seed_trace sent = seed_execute(plan, 1, mine, result);

	seed_forget(&sent);
	free(mine);
	return result;
}

static void add_sum(const struct seed_plan *plan, int64_t first, char *found)
{
	int64_t *sum = results(plan, first);
	bool is_same = true;

	for (int64_t r = 0; r < ls_plan_nodes(plan->plan); r++)
		is_same = is_same && sum[r] == sum[0];
	if (is_same)
		seed_add(found, "%s%" PRId64, seed_gap(found), sum[0]);
	else
		seed_add(found, "%sdifferent sums", seed_gap(found));
	free(sum);
}

static void sum_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	(void)claim;
	add_sum(plan, 1, found);
}

static void sum_from_0(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	(void)claim;
	add_sum(plan, 0, found);
}

void find_sum(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, sum_of);
}

void find_sum_from_0(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, sum_from_0);
}

static void results_of(const struct seed_claim *claim, const struct seed_plan *plan, char *found)
{
	int64_t *result = results(plan, 0);

	(void)claim;
	for (int64_t r = 0; r < ls_plan_nodes(plan->plan); r++)
		seed_add(found, "%s%" PRId64, seed_gap(found), result[r]);
	free(result);
}

void find_results(const struct seed_claim *claim, char *found)
{
	seed_each(claim, found, results_of);
}

/* Networks ------------------------------------------------------------------------------------- */

static void each_network(
	const struct seed_claim *claim, char *found, int64_t (*measure)(const ls_topology *))
{
	const char *networks = claim->run.networks;
	char spec[64];

	found[0] = '\0';
	while (seed_next(&networks, spec)) {
		struct ls_error why = { .size = sizeof why };
		ls_topology *t = NULL;

		if (ls_topology_make(spec, &t, &why) == LS_OK)
			seed_add(found, "%s%" PRId64, seed_gap(found), measure(t));
		else
			seed_add(found, "%s", why.text);
		ls_topology_destroy(t);
	}
}

void find_size(const struct seed_claim *claim, char *found)
{
	each_network(claim, found, ls_topology_nodes);
}

void find_degree(const struct seed_claim *claim, char *found)
{
	each_network(claim, found, ls_topology_degree);
}

void find_diameter(const struct seed_claim *claim, char *found)
{
	each_network(claim, found, ls_topology_diameter);
}

/* Equations ------------------------------------------------------------------------------------ */

enum { ON_THREADS = 16 }; /* most nodes of which each is a thread here */
static const size_t lengths[] = { 1, 5, 64 };

static bool holds(
	const struct seed_claim *claim, const struct seed_plan *plan, size_t m, char *found)
{
	const int64_t p = ls_plan_nodes(plan->plan);
	const struct ls_counts wanted = claim->formula(p, (int64_t)m);
	struct seed_trace trace = seed_walk(plan, m);
	struct ls_counts counts = seed_counts(&trace);
	const int64_t load = seed_load(plan, &trace, 0);
	bool is_planned = true;

	seed_forget(&trace);
	if (p <= ON_THREADS)
		counts = executed(plan, m, &is_planned);
	if (is_planned && load <= 1 && counts.rounds == wanted.rounds && counts.volume == wanted.volume)
		return true;
	snprintf(found, SEED_TEXT,
		"p = %" PRId64 ", m = %zu: %" PRId64 " t_s + %" PRId64 " t_w, at most %" PRId64
		" messages on a link%s",
		p, m, counts.rounds, counts.volume, load, is_planned ? "" : "; threads differ");
	return false;
}

/* Every p and m; threads run it where p is small.  `parts`: m is a multiple of p. */
static void try_all(const struct seed_claim *claim, bool parts, char *found)
{
	const char *networks = claim->run.networks;
	char spec[64];
	struct seed_plan plan;

	snprintf(found, SEED_TEXT, "exact for p =");
	while (seed_next(&networks, spec)) {
		if (!seed_open(&claim->run, spec, &plan, found))
			return;

		const size_t p = (size_t)ls_plan_nodes(plan.plan);
		bool is_right = true;

		seed_add(found, " %zu", p);
		for (size_t i = 0; is_right && i < SEED_COUNT(lengths); i++)
			is_right = holds(claim, &plan, lengths[i] * (parts ? p : 1), found);
		seed_close(&plan);
		if (!is_right)
			return;
	}
	seed_add(found, parts ? "; m = p 5p 64p" : "; m = 1 5 64");
}

void find_equation(const struct seed_claim *claim, char *found)
{
	try_all(claim, false, found);
}

void find_equation_parts(const struct seed_claim *claim, char *found)
{
	try_all(claim, true, found);
}
