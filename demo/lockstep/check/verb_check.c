/*
 * lockstep check: a certificate that the plan obeys every law, or its first violation.
 */
#include "report/document.h"
#include "job/host.h"
#include "job/embedded.h"
#include "report/report.h"
#include "data/operand_shape.h"
#include "cli/verbs.h"

#include <inttypes.h>

/* What each law says, for people. */
static const char *const law_text[LS_LAWS] = {
	[LS_LAW_SHAPE] = "every block exists, moves fit together",
	[LS_LAW_PORT] = "one send and one receive a port and round",
	[LS_LAW_MATCH] = "every message is expected, and as long",
	[LS_LAW_LINK] = "messages follow the wires",
	[LS_LAW_IN_FLIGHT] = "no move writes what its node is sending",
	[LS_LAW_RESULT] = "every node ends with the defined result",
	[LS_LAW_COUNT] = "counts equal the algorithm's formulas",
	[LS_LAW_NODUP] = "no contribution reaches a node twice",
	[LS_LAW_LENDING] = "lent blocks are read before overwritten",
};

static bool proved(const struct ls_certificate *certificate, int law)
{
	return certificate->laws >> law & 1;
}

/* Laws up to 4 are proved round by round; round -1 is that of a violation that has none. */
static void law_verdict(const struct options *options, const struct ls_certificate *certificate,
	int law, char *text, size_t size)
{
	if (certificate->broken_law == law)
		snprintf(text, size, "%s", options->form == FORM_JSON ? "broken" : verdict(options, false));
	else if (proved(certificate, law))
		snprintf(text, size, "proved");
	else if (certificate->broken_law < 0)
		snprintf(text, size, "not claimed");
	else if (law <= LS_LAW_IN_FLIGHT && certificate->round > 1)
		snprintf(text, size, "holds to round %" PRId64, certificate->round - 1);
	else
		snprintf(text, size, "not reached");
}

static void print_laws(const struct options *options, const struct ls_certificate *certificate)
{
	for (int law = 0; law < LS_LAWS; law++) {
		char name[16], text[120], found[40];

		snprintf(name, sizeof name, "law %d", law);
		snprintf(text, sizeof text, "%-10s %s", ls_law_name((enum ls_law)law), law_text[law]);
		law_verdict(options, certificate, law, found, sizeof found);
		report_line(name, text, "", found);
	}
}

static void print_bound(const struct job *job, const struct ls_certificate *certificate)
{
	const int64_t bound = ls_plan_lower_bound(job->plan);
	char note[120];

	if (bound < 0) {
		report_line("bound", "-", "no lower bound on the rounds is known", "");
		return;
	}
	snprintf(note, sizeof note, "rounds at least%s; gap %" PRId64,
		job->embedding ? " on the guest's own links" : "", certificate->counts.rounds - bound);
	report_count("bound", bound, note, "");
}

static void print_counts(
	const struct options *options, const struct job *job, const struct ls_certificate *found)
{
	const struct ls_counts want = ls_plan_predict(job->plan, job->request.count);
	const struct ls_counts *got = &found->counts;
	const char *foreseen = options->plan ? "in the file" : "predicted";

	report_predicted("rounds", got->rounds, foreseen, job->info.rounds, want.rounds,
		verdict(options, got->rounds == want.rounds));
	report_predicted("messages", got->messages, foreseen, NULL, want.messages,
		verdict(options, got->messages == want.messages));
	report_predicted("words", got->words, foreseen, NULL, want.words,
		verdict(options, got->words == want.words));
	report_count("link load", found->link_load, "most messages on a directed link in a round", "");
	print_bound(job, found);
}

/* What each result is made of. */
static const char *result_text(const struct job *job, const struct ls_certificate *found)
{
	if (job->request.operation == LS_BARRIER)
		return "every node has heard of all others";
	switch (ls_plan_claim(job->plan)) {
	case LS_MOVE:
		return "every block as it was sent";
	case LS_IDEMPOTENT:
		return "every contribution at least once";
	default:
		return found->ordered ? "every contribution once, in rank order"
							  : "every contribution once, in some order";
	}
}

/* Whether every node has one and the same result. */
static bool at_every_node(enum ls_operation operation)
{
	return operation != LS_BARRIER && is_shared(operation) && has_result(operation, 0, 1);
}

static void print_text(
	const struct options *options, const struct job *job, const struct ls_certificate *found)
{
	char title[300], how[80];

	report_topology(job->topology);
	if (job->embedding) {
		char placed[300];

		place_text(options, job, placed, sizeof placed);
		report_line("embedding", placed, "", "");
	}
	job_title(job, REPORT_BODY, title, sizeof title);
	snprintf(how, sizeof how, "%s, %s, m = %zu", ls_operation_name(job->request.operation),
		mode_text(job->mode), job->request.count);
	report_line("algorithm", title, "", how);
	if (!options->plan)
		report_line("source", job->info.source, "", "");
	print_laws(options, found);
	if (found->broken_law >= 0) {
		printf("%-10s %s\n", "violation", found->text);
		return;
	}
	report_line("result", result_text(job, found), "",
		!at_every_node(job->request.operation) ? ""
			: found->identical                 ? "the same bits at every node"
											   : "bits may differ between nodes");
	print_counts(options, job, found);
	printf("%-10s every law that the plan claims is proved%s\n", "proved",
		found->by_fingerprint ? ", results by fingerprint" : "");
}

static void json_counts(
	struct json *json, const struct job *job, const struct ls_certificate *found)
{
	const struct ls_counts want = ls_plan_predict(job->plan, job->request.count);
	const int64_t bound = ls_plan_lower_bound(job->plan);

	json_int(json, "rounds", found->counts.rounds);
	json_int(json, "rounds_predicted", want.rounds);
	json_int(json, "messages", found->counts.messages);
	json_int(json, "messages_predicted", want.messages);
	json_int(json, "words", found->counts.words);
	json_int(json, "words_predicted", want.words);
	json_int(json, "max_link_load", found->link_load);
	if (bound < 0)
		json_text(json, "lower_bound", NULL);
	else
		json_int(json, "lower_bound", bound);
	if (bound >= 0)
		json_int(json, "gap", found->counts.rounds - bound);
}

static void json_laws(
	const struct options *options, struct json *json, const struct ls_certificate *found)
{
	char text[40];

	json_array(json, "laws");
	for (int law = 0; law < LS_LAWS; law++) {
		json_object(json, NULL);
		json_int(json, "law", law);
		json_text(json, "name", ls_law_name((enum ls_law)law));
		json_bool(json, "proved", proved(found, law));
		law_verdict(options, found, law, text, sizeof text);
		json_text(json, "verdict", text);
		json_end(json);
	}
	json_end(json);
	json_bool(json, "proved", found->broken_law < 0);
}

static void json_violation(
	struct json *json, const struct job *job, const struct ls_certificate *found)
{
	json_object(json, "error");
	json_text(json, "kind", ls_law_name((enum ls_law)found->broken_law));
	json_int(json, "node", found->node);
	json_int(json, "peer", found->peer);
	json_int(json, "round", found->round);
	json_int(json, "link", found->link);
	json_text(json, "operation", ls_operation_name(job->request.operation));
	json_text(json, "text", found->text);
	json_end(json);
}

static void print_json(
	const struct options *options, const struct job *job, const struct ls_certificate *found)
{
	struct json json = document_begin(options);

	document_topology(&json, job->topology);
	json_array(&json, "results");
	json_object(&json, NULL);
	json_text(&json, "operation", ls_operation_name(job->request.operation));
	json_text(&json, "algorithm", job->name);
	if (job->embedding)
		json_text(&json, "map", place_map(options, job));
	json_text(&json, "mode", mode_text(job->mode));
	json_int(&json, "root", job->request.root);
	json_uint(&json, "elements", job->request.count);
	json_int(&json, "ports", job->request.ports ? job->request.ports : 1);
	json_laws(options, &json, found);
	json_counts(&json, job, found);
	json_bool(&json, "identical", found->identical);
	json_bool(&json, "ordered", found->ordered);
	json_bool(&json, "nodup", found->nodup);
	json_bool(&json, "by_fingerprint", found->by_fingerprint);
	json_text(&json, "status", found->broken_law < 0 ? "ok" : "law");
	if (found->broken_law >= 0)
		json_violation(&json, job, found);
	json_end(&json);
	json_end(&json);
	json_end(&json);
}

/* The replay keeps 4 bytes for each block of each node: of INPUT, OUTPUT and scratch, at least. */
static int fits(const ls_topology *topology)
{
	enum { NODE_BYTES = 12 };
	const struct budget memory = host_memory();

	if (ls_topology_nodes(topology) < memory.left / NODE_BYTES)
		return EXIT_SUCCESS;
	return print_error(EXIT_RESOURCE,
		"%s has %" PRId64 " nodes, too many for %" PRId64 " MiB (%s); would be right: a smaller "
		"network",
		ls_topology_spec(topology), ls_topology_nodes(topology), memory.left >> 20, memory.limit);
}

static int check(const struct options *options, const struct job *job)
{
	const struct ls_check_options how = { .size = sizeof how,
		.strict = options->strict,
		.embedding = job->embedding,
		.mode = job->mode };
	struct ls_certificate found = { .size = sizeof found };

	if (ls_check(job->plan, job->request.count, &how, &found) == LS_ERR_MEMORY)
		return print_error(EXIT_RESOURCE,
			"no memory to replay the plan on %s; would be right: a smaller network",
			ls_topology_spec(job->topology));
	if (options->verbose)
		job_choice(options, job, stderr);
	if (!options->quiet && options->form == FORM_JSON)
		print_json(options, job, &found);
	else if (!options->quiet)
		print_text(options, job, &found);
	if (found.broken_law < 0)
		return EXIT_SUCCESS;
	if (!options->quiet)
		return EXIT_WRONG; /* the violation is part of what was printed */
	return print_error(EXIT_WRONG, "%s", found.text);
}

int verb_check(const struct options *options)
{
	struct job job = { 0 };
	int failed = options->plan && options->word[0]
		? print_error(EXIT_USAGE,
			"an operation and a plan at once; would be right: check --plan FILE -t TOPOLOGY")
		: topology_open(options, &job.topology);

	if (!failed)
		failed = fits(job.topology);
	if (failed) {
		job_close(&job);
		return failed;
	}
	failed = job_plan(options, &job);
	if (!failed)
		failed = check(options, &job);
	job_close(&job);
	return failed;
}
