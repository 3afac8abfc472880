/*
 * lockstep check: a certificate that the plan obeys every law, or its first violation.
 */
#include "base/host.h"
#include "base/number.h"
#include "cli/verb.h"
#include "data/operand_shape.h"
#include "job/embedded.h"
#include "report/document.h"
#include "report/report.h"
#include "check/bounds.h"
#include "check/expect.h"
#include "check/refuted.h"
#include "check/rank_order.h"
#include "report/text_table.h"

#include <inttypes.h>

/* Each law in words. */
static const char *const law_text[LS_LAWS] = {
	[LS_LAW_SHAPE] = "every block exists, moves fit together",
	[LS_LAW_PORT] = "one send, one receive per port and round",
	[LS_LAW_MATCH] = "every message is expected, with its length",
	[LS_LAW_LINK] = "messages follow the links",
	[LS_LAW_IN_FLIGHT] = "no move writes what its node is sending",
	[LS_LAW_RESULT] = "every node ends with the defined result",
	[LS_LAW_COUNT] = "counts equal the algorithm's formulas",
	[LS_LAW_NODUP] = "no contribution reaches a node twice",
	[LS_LAW_ZERO_COPY] = "blocks are read before they are overwritten",
};

static bool proved(const struct ls_certificate *certificate, int law)
{
	return certificate->laws >> law & 1;
}

/* Laws up to 4 are proved round by round; a violation without a round has round -1. */
static void law_verdict(const struct ls_certificate *certificate, int law, char *text, size_t size)
{
	if (certificate->broken_law == law)
		snprintf(text, size, "broken");
	else if (proved(certificate, law))
		snprintf(text, size, "proved");
	else if (certificate->broken_law < 0)
		snprintf(text, size, "not claimed");
	else if (law <= LS_LAW_IN_FLIGHT && certificate->round == 1)
		snprintf(text, size, "no round proved");
	else if (law <= LS_LAW_IN_FLIGHT && certificate->round > 1)
		snprintf(text, size, "holds to round %" PRId64, certificate->round - 1);
	else
		snprintf(text, size, "not reached");
}

static void print_laws(const struct output *output, const struct ls_certificate *certificate)
{
	for (int law = 0; law < LS_LAWS; law++) {
		char name[16], text[120], found[40];

		snprintf(name, sizeof name, "law %d", law);
		snprintf(text, sizeof text, "%-9s %s", ls_law_name((enum ls_law)law), law_text[law]);
		law_verdict(certificate, law, found, sizeof found);
		report_line(
			name, text, "", certificate->broken_law == law ? ok_text(output, false) : found);
	}
}

/* The counts of a plan, with the words that its trace states. */
static struct ls_counts counts_of(const struct job *job, struct ls_counts counts)
{
	counts.words = job_words(job, counts.words);
	return counts;
}

static void print_counts(const struct query *query, const struct output *output,
	const struct job *job, const struct ls_certificate *found)
{
	const struct ls_counts want = counts_of(job, ls_plan_predict(job->plan, job->request.count));
	const struct ls_counts counts = counts_of(job, found->counts), *got = &counts;
	const char *source = query->plan ? "in the file" : "predicted";

	report_fit_count(got->words);
	report_predicted("rounds", got->rounds, source, job->info.rounds, want.rounds,
		ok_text(output, got->rounds == want.rounds));
	report_predicted("messages", got->messages, source, NULL, want.messages,
		ok_text(output, got->messages == want.messages));
	report_predicted(
		"words", got->words, source, NULL, want.words, ok_text(output, got->words == want.words));
	report_count("link load", found->link_load, "most messages on a directed link in a round", "");
	bounds_print(job, found);
}

/* The contributions of each result. */
static const char *result_text(const struct job *job, const struct ls_certificate *found)
{
	if (job->request.operation == LS_BARRIER)
		return "every node knows that all others entered";
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

/* Whether all nodes have the same result. */
static bool at_every_node(enum ls_operation operation)
{
	return operation != LS_BARRIER && is_shared(operation) && has_result(operation, 0, 1);
}

/* A checked plan. */
struct proof {
	const struct query *query;
	const struct job *job;
	struct ls_certificate found;
};

static int write_text(const struct output *output, const void *document)
{
	const struct proof *proof = document;
	const struct query *query = proof->query;
	const struct job *job = proof->job;
	const struct ls_certificate *found = &proof->found;
	char title[300], how[80];

	report_topology(job->topology);
	if (job->embedding) {
		char placed[300];

		embedding_text(query, job, placed, sizeof placed);
		report_line("embedding", placed, "", "");
	}
	job_title(job, REPORT_BODY, title, sizeof title);
	snprintf(how, sizeof how, "%s, %s, m = %zu", ls_operation_name(job->request.operation),
		mode_text(job->mode), job->request.count);
	report_line("algorithm", title, "", how);
	if (!query->plan)
		report_line("source", job->info.source, "", "");
	print_laws(output, found);
	if (found->broken_law >= 0) {
		printf("%-10s %s\n", "violation", found->text); /* one line, for grep */
		return EXIT_SUCCESS;
	}
	report_line("result", result_text(job, found), "",
		!at_every_node(job->request.operation) ? ""
			: found->identical                 ? "the same bits at every node"
											   : "bits may differ between nodes");
	print_counts(query, output, job, found);
	report_line("proved",
		found->by_fingerprint ? "the plan obeys every law it claims (results by fingerprint)"
							  : "the plan obeys every law it claims",
		"", "");
	return EXIT_SUCCESS;
}

static void json_counts(
	struct json *json, const struct job *job, const struct ls_certificate *found)
{
	const struct ls_counts want = counts_of(job, ls_plan_predict(job->plan, job->request.count));
	const struct ls_counts got = counts_of(job, found->counts);

	json_int(json, "rounds", got.rounds);
	json_int(json, "rounds_predicted", want.rounds);
	json_int(json, "messages", got.messages);
	json_int(json, "messages_predicted", want.messages);
	json_int(json, "words", got.words);
	json_int(json, "words_predicted", want.words);
	json_int(json, "max_link_load", found->link_load);
	bounds_to_json(json, job, found);
}

static void json_laws(struct json *json, const struct ls_certificate *found)
{
	char text[40];

	json_array(json, "laws");
	for (int law = 0; law < LS_LAWS; law++) {
		json_object(json, NULL);
		json_int(json, "law", law);
		json_text(json, "name", ls_law_name((enum ls_law)law));
		json_bool(json, "proved", proved(found, law));
		law_verdict(found, law, text, sizeof text);
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

static int write_json(const struct output *output, const void *document)
{
	const struct proof *proof = document;
	const struct job *job = proof->job;
	const struct ls_certificate *found = &proof->found;
	struct json json = document_begin(output);

	document_topology(&json, job->topology);
	json_array(&json, "results");
	json_object(&json, NULL);
	json_text(&json, "operation", ls_operation_name(job->request.operation));
	json_text(&json, "algorithm", job->name);
	json_text(&json, "map", job->embedding ? map_name(proof->query, job) : NULL);
	json_text(&json, "mode", mode_text(job->mode));
	json_int(&json, "root", job->request.root);
	json_uint(&json, "elements", job->request.count);
	json_int(&json, "ports", job->request.ports ? job->request.ports : 1);
	json_laws(&json, found);
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
	return EXIT_SUCCESS;
}

static const char *truth_of(bool value)
{
	return value ? "true" : "false";
}

static int write_csv(const struct output *output, const void *document)
{
	static const char *const head[] = { "operation", "algorithm", "topology", "mode", "#root",
		"#elements", "#ports", "#rounds", "#rounds_predicted", "#messages", "#messages_predicted",
		"#words", "#words_predicted", "#max_link_load", "#lower_bound", "#gap", "#volume",
		"#words_bound", "?identical", "?ordered", "?nodup", "?by_fingerprint", "?proved",
		"broken_law", "status", "text", "map", NULL };
	const struct proof *proof = document;
	const struct job *job = proof->job;
	const struct ls_certificate *found = &proof->found;
	const struct ls_counts want = counts_of(job, ls_plan_predict(job->plan, job->request.count));
	const struct ls_counts got = counts_of(job, found->counts);
	const bool holds = found->broken_law < 0;
	struct table t = table_begin(head);

	table_cells(&t, 4, ls_operation_name(job->request.operation), job->name,
		ls_topology_spec(job->topology), mode_text(job->mode));
	table_numbers(&t, 3, job->request.root, (int64_t)job->request.count,
		(int64_t)(job->request.ports ? job->request.ports : 1));
	table_numbers(&t, 7, got.rounds, want.rounds, got.messages, want.messages, got.words,
		want.words, found->link_load);
	bounds_to_table(&t, job, found);
	table_cells(&t, 5, truth_of(found->identical), truth_of(found->ordered), truth_of(found->nodup),
		truth_of(found->by_fingerprint), truth_of(holds));
	table_cells(&t, 4, holds ? "" : ls_law_name((enum ls_law)found->broken_law),
		holds ? "ok" : "law", holds ? "" : found->text, map_name(proof->query, job));
	return table_finish_csv(&t, output->file);
}

const struct format check_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

/*
 * The replay keeps 4 bytes per node and stored block (OUTPUT and scratch), and the proof needs
 * more: this is a rough minimum.
 */
static int check_size(const ls_topology *topology)
{
	enum { NODE_BYTES = 12 };
	const struct budget memory = host_memory();
	char needed[32], left[32];

	if (ls_topology_nodes(topology) < memory.left / NODE_BYTES)
		return EXIT_SUCCESS;
	bytes_text((double)ls_topology_nodes(topology) * NODE_BYTES, needed, sizeof needed);
	bytes_text((double)memory.left, left, sizeof left);
	return print_error(EXIT_RESOURCE,
		"check of %s needs %s or more, but only %s of memory is available (%s); try a smaller "
		"network",
		ls_topology_spec(topology), needed, left, memory.limit);
}

/* Compare a plan that obeys the laws with the list of --expect. */
static int compare(const char *list, const struct job *job, const struct ls_check_options *options,
	const struct ls_certificate *found)
{
	const struct ls_counts got = counts_of(job, found->counts);
	char order[120] = "";
	const struct expect_found plan = {
		.count = { [EXPECT_ROUNDS] = got.rounds,
			[EXPECT_MESSAGES] = got.messages,
			[EXPECT_WORDS] = got.words,
			[EXPECT_LOAD] = found->link_load },
		.lacks = { [EXPECT_ORDERED] = found->ordered ? NULL : order,
			[EXPECT_IDENTICAL] = found->identical ? NULL : "bits may differ between nodes" },
	};

	if (!list)
		return EXIT_SUCCESS;
	if (!found->ordered && expect_names(list, EXPECT_ORDERED))
		rank_order_lost(job->plan, job->request.count, options, order, sizeof order);
	return expect_compare(list, &plan);
}

static int check(const struct query *query, const struct execution *how,
	const struct output *output, const struct job *job)
{
	const struct ls_check_options options = { .size = sizeof options,
		.strict = how->strict,
		.embedding = job->embedding,
		.mode = job->mode };
	struct proof proof = { query, job, { .size = sizeof proof.found } };

	switch (ls_check(job->plan, job->request.count, &options, &proof.found)) {
	case LS_ERR_MEMORY:
		return print_error(EXIT_RESOURCE,
			"no memory to replay the plan on %s; try a smaller network",
			ls_topology_spec(job->topology));
	case LS_ERR_ARGUMENT:
		return print_error(EXIT_USAGE, "-m: %s", proof.found.text);
	default:
		break;
	}
	if (output->verbose)
		print_algorithm_choice(query, job, stderr);
	if (!output->quiet)
		output->format->write(output, &proof);
	if (proof.found.broken_law < 0)
		return compare(how->expect, job, &options, &proof.found);
	if (!output->quiet)
		return EXIT_WRONG; /* the violation is part of what was printed */
	return print_error(EXIT_WRONG, "%s", proof.found.text);
}

int verb_check(const struct options *options)
{
	struct job job = { 0 };
	int failed = EXIT_SUCCESS;

	if (options->search.bound)
		return check_refutation(options);
	if (options->how.expect)
		failed = expect_check_syntax(options->how.expect);
	if (!failed)
		failed = topology_open(&options->query, &job.topology);
	if (!failed)
		failed = check_size(job.topology);
	if (!failed)
		failed = job_plan(&options->query, &job);
	if (!failed)
		failed = check(&options->query, &options->how, &options->output, &job);
	job_close(&job);
	return failed;
}
