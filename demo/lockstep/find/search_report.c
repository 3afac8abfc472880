#include "find/search_report.h"

#include "base/messages.h"
#include "base/number.h"
#include "base/object_text.h"
#include "report/document.h"
#include "report/report.h"

#include <inttypes.h>

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

const char *search_outcome_name(enum ls_find_outcome outcome)
{
	static const char *const names[] = {
		[LS_FIND_FOUND] = "found",
		[LS_FIND_REFUTED] = "impossible",
		[LS_FIND_UNCHECKED] = "unchecked",
		[LS_FIND_UNDECIDED] = "undecided",
	};

	return names[outcome];
}

/* The plan has the fewest rounds of all plans. */
static bool proved_least(const struct search_report *r)
{
	return r->result.plan && r->result.counts.rounds <= r->found.bound;
}

/* ---- Text */

/* "impossible: 2184 variables, 9480 clauses, 0.1 s, proof 118 KiB, checked" */
static void step_text(
	const struct search_report *r, const struct ls_find_step *step, char *text, size_t size)
{
	const bool limited = r->prefix_rounds && step->outcome == LS_FIND_REFUTED;
	char proof[32];
	const int used =
		snprintf(text, size, "%s%s: %" PRId64 " variables, %" PRId64 " clauses, %.1f s",
			search_outcome_name(step->outcome), limited ? " with this prefix" : "", step->variables,
			step->clauses, step->seconds);

	if (step->symmetry > 1)
		snprintf(
			text + used, size - (size_t)used, ", under %" PRId64 " automorphisms", step->symmetry);
	if (step->outcome == LS_FIND_UNCHECKED)
		snprintf(text + used, size - (size_t)used, ", the refutation is too long to check");
	if (step->outcome != LS_FIND_REFUTED)
		return;
	bytes_text((double)step->proof_bytes, proof, sizeof proof);
	snprintf(text + used, size - (size_t)used, ", proof %s, checked", proof);
}

static void print_row(const char *name, const char *text)
{
	printf("%-*s%s\n", REPORT_NAME, name, text);
}

static void rounds_text_of(int64_t rounds, char *text, size_t size)
{
	snprintf(text, size, "%" PRId64 " round%s", rounds, plural(rounds));
}

static void plan_text(const struct counted_plan *p, char *text, size_t size)
{
	snprintf(text, size, "%s: %" PRId64 " round%s, %" PRId64 " words, volume %" PRId64,
		ls_plan_algorithm(p->plan), p->counts.rounds, plural(p->counts.rounds), p->counts.words,
		p->counts.volume);
}

/* The solver refutes as many rounds as the bound, but the refutation is too long. */
static bool lacks_check(const struct search_report *r)
{
	for (int i = 0; i < r->steps; i++)
		if (r->step[i].outcome == LS_FIND_UNCHECKED && r->step[i].rounds >= r->found.bound)
			return true;
	return false;
}

/* Why a plan with more rounds than the bound may not be the best. */
static const char *certainty(const struct search_report *r)
{
	if (proved_least(r))
		return "the fewest rounds possible";
	if (r->prefix_rounds && !r->found.undecided)
		return "the fewest rounds with this prefix; other plans may have fewer";
	if (r->found.no_solver)
		return "not proved least: no solver";
	if (lacks_check(r))
		return "not proved least: the refutation is too long to check";
	return r->found.undecided ? "not proved least: the budget was spent" : "not proved least";
}

static void print_without_plan(const struct search_report *r)
{
	char text[200];

	if (r->found.undecided && lacks_check(r))
		snprintf(text, sizeof text,
			"%" PRId64
			" round%s: undecided, the refutation is too long to check; try another --seed",
			r->within, plural(r->within));
	else if (r->found.undecided)
		snprintf(text, sizeof text,
			"%" PRId64 " round%s: undecided; try a larger --budget or another --seed", r->within,
			plural(r->within));
	else if (r->prefix_rounds)
		snprintf(text, sizeof text,
			"%" PRId64 " round%s are impossible with this prefix; other plans may have them",
			r->within, plural(r->within));
	else
		snprintf(text, sizeof text, "%" PRId64 " round%s are impossible; at least %" PRId64,
			r->within, plural(r->within), r->found.bound);
	print_row("result", text);
}

/* "prefix     links 2,3,4" */
static void print_prefix(const struct search_report *r)
{
	char text[200];
	size_t used = 0;

	if (r->prefix_rounds == 0)
		return;
	for (int i = 0; i < r->prefix_rounds && used < sizeof text; i++)
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s%" PRId64, i ? "," : "links ", r->prefix[i]);
	print_row("prefix", text);
}

/* "front      5 rounds, volume 640    exact" */
static void print_front(const struct search_report *r)
{
	char text[160];

	for (int i = 0; i < r->front_rows; i++) {
		const struct front_row *row = &r->front[i];

		snprintf(text, sizeof text, "%" PRId64 " round%s, volume %" PRId64 ": %s", row->rounds,
			plural(row->rounds), row->volume, row->algorithm);
		print_row(i ? "" : "front", text);
	}
}

int write_search_text(const struct output *output, const void *document)
{
	const struct search_report *r = document;
	char text[300], name[32], what[260];

	report_topology(r->topology);
	snprintf(text, sizeof text, "%" PRId64 " round%s by ports, degree and distances",
		r->found.known_bound, plural(r->found.known_bound));
	print_row("bound", text);
	print_prefix(r);
	for (int i = 0; i < r->steps; i++) {
		rounds_text_of(r->step[i].rounds, name, sizeof name);
		step_text(r, &r->step[i], text, sizeof text);
		print_row(name, text);
	}
	if (r->found.bound_recorded) {
		snprintf(
			text, sizeof text, "bound %" PRId64 ", refuted by an earlier search", r->found.bound);
		print_row("record", text);
	}
	if (!r->result.plan) {
		print_without_plan(r);
		return EXIT_SUCCESS;
	}
	plan_text(&r->result, what, sizeof what);
	print_row("result", what);
	print_row("", certainty(r));
	if (r->usual.plan && r->usual.plan != r->result.plan
		&& (r->found.searched || r->found.recorded)) {
		plan_text(&r->usual, what, sizeof what);
		print_row("default", what);
	}
	if (output->verbose)
		print_front(r);
	if (r->file)
		print_row("plan", r->file);
	if (r->proof)
		print_row("proof", r->proof);
	if (r->found.no_solver && !proved_least(r)) {
		snprintf(text, sizeof text,
			"the program %s is not in PATH; install the package %s to search for fewer rounds",
			ls_find_solver(), ls_find_solver());
		print_row("solver", text);
	}
	return EXIT_SUCCESS;
}

/* ---- JSON */

static void json_steps(struct json *json, const struct search_report *r)
{
	json_array(json, "steps");
	for (int i = 0; i < r->steps; i++) {
		const struct ls_find_step *step = &r->step[i];

		json_object(json, NULL);
		json_int(json, "rounds", step->rounds);
		json_text(json, "outcome", search_outcome_name(step->outcome));
		json_int(json, "variables", step->variables);
		json_int(json, "clauses", step->clauses);
		json_real(json, "seconds", step->seconds);
		json_int(json, "proof_bytes", step->proof_bytes);
		json_int(json, "symmetry", step->symmetry);
		json_end(json);
	}
	json_end(json);
}

/* The links that are fixed, and the bound of plans that have them; null: any plan. */
static void json_prefix(struct json *json, const struct search_report *r)
{
	if (r->prefix_rounds == 0) {
		json_text(json, "prefix", NULL);
		return;
	}
	json_array(json, "prefix");
	for (int i = 0; i < r->prefix_rounds; i++)
		json_int(json, NULL, r->prefix[i]);
	json_end(json);
	json_int(json, "prefix_bound", r->found.prefix_bound);
}

static void json_counts_of(struct json *json, const struct counted_plan *p)
{
	const bool known = p->plan != NULL;

	if (!known) {
		json_text(json, "rounds", NULL);
		json_text(json, "words", NULL);
		json_text(json, "volume", NULL);
		return;
	}
	json_int(json, "rounds", p->counts.rounds);
	json_int(json, "words", p->counts.words);
	json_int(json, "volume", p->counts.volume);
}

/* null: no size of messages was given. */
static void json_front(struct json *json, const struct search_report *r)
{
	if (r->front_rows == 0) {
		json_text(json, "front", NULL);
		return;
	}
	json_array(json, "front");
	for (int i = 0; i < r->front_rows; i++) {
		json_object(json, NULL);
		json_text(json, "algorithm", r->front[i].algorithm);
		json_int(json, "rounds", r->front[i].rounds);
		json_int(json, "volume", r->front[i].volume);
		json_real(json, "cost", r->front[i].cost);
		json_end(json);
	}
	json_end(json);
}

static const char *source_of_bound(const struct search_report *r)
{
	if (r->found.bound_recorded)
		return "record";
	return r->found.bound > r->found.known_bound ? "search" : "known";
}

static const char *status_of(const struct search_report *r)
{
	if (r->result.plan)
		return r->found.undecided ? "undecided" : "ok";
	return r->found.undecided ? "undecided" : "impossible";
}

int write_search_json(const struct output *output, const void *document)
{
	const struct search_report *r = document;
	struct json json = document_begin(output);

	document_topology(&json, r->topology);
	json_array(&json, "results");
	json_object(&json, NULL);
	json_text(&json, "operation", ls_operation_name(r->request->operation));
	json_int(&json, "root", r->request->root);
	if (r->request->operation == LS_SHIFT)
		json_int(&json, "shift", r->request->shift);
	else
		json_text(&json, "shift", NULL);
	json_int(&json, "ports", r->request->ports ? r->request->ports : 1);
	json_prefix(&json, r);
	json_counts_of(&json, &r->result);
	json_int(&json, "bound", r->found.bound);
	json_text(&json, "bound_by", source_of_bound(r));
	json_bool(&json, "proved_least", proved_least(r));
	json_text(&json, "found_by", r->result.plan ? ls_plan_algorithm(r->result.plan) : NULL);
	json_uint(&json, "seed", r->seed);
	json_text(&json, "file", r->file);
	json_text(&json, "proof", r->proof);
	json_text(&json, "solver", r->found.no_solver ? "missing" : NULL);
	json_steps(&json, r);
	json_front(&json, r);
	json_text(&json, "status", status_of(r));
	json_end(&json);
	json_end(&json);
	json_end(&json);
	return EXIT_SUCCESS;
}
