#include "run/outcome.h"

#include "base/host.h"
#include "base/number.h"
#include "base/shared_run.h"
#include "job/job.h"
#include "job/job_machine.h"
#include "report/document.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void time_text(double ns, char *text, size_t size)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	int i = 0;

	for (; ns >= 999.5 && i < 3; i++)
		ns /= 1000;
	snprintf(text, size, ns >= 999.5 ? "%.0f %s" : "%.3g %s", ns, unit[i]);
}

static void megabytes_text(double rate, char *text, size_t size)
{
	snprintf(text, size, rate < 999.5e6 ? "%.3g" : "%.0f", rate / 1e6);
}

bool outcome_is_ok(const struct outcome *outcome)
{
	return outcome->status == LS_OK && outcome->wrong == 0 && outcome->violation.kind == LS_OK
		&& outcome->measured.rounds == outcome->predicted.rounds
		&& outcome->measured.messages == outcome->predicted.messages
		&& outcome->measured.words == outcome->predicted.words;
}

const char *outcome_status(const struct outcome *outcome)
{
	return outcome->signal         ? "interrupted"
		: outcome_is_ok(outcome)   ? "ok"
		: outcome->status == LS_OK ? "wrong"
								   : ls_status_name(outcome->status);
}

static int64_t bytes_per_second(const struct outcome *outcome)
{
	if (!(outcome->timing.median > 0))
		return 0;
	return (int64_t)((double)outcome->measured.bytes * 1e9 / (double)outcome->timing.median);
}

static int64_t threads_of(const struct outcome *outcome)
{
	return outcome->sweeps ? outcome->sweep.workers : outcome->threads;
}

/* "24 threads on 2 cores", "24 fibers on 2 threads" */
static void threads_text(const struct outcome *outcome, int cores, char *text, size_t size)
{
	const bool fibers = !outcome->sweeps && outcome->how->nodes == LS_NODE_FIBER;
	const int64_t count = fibers ? ls_topology_nodes(outcome->topology) : threads_of(outcome);
	const int64_t places = fibers ? threads_of(outcome) : cores;

	snprintf(text, size, "%" PRId64 " %s%s on %" PRId64 " %s%s", count,
		outcome->sweeps ? "worker"
			: fibers    ? "fiber"
						: "thread",
		count == 1 ? "" : "s", places, fibers ? "thread" : "core", places == 1 ? "" : "s");
}

static void print_time(const struct outcome *outcome)
{
	const double seconds = (double)outcome->timing.median / 1e9;
	char time[32], messages[32], bytes[32], threads[80], note[160], left[240], rates[100];

	time_text((double)outcome->timing.median, time, sizeof time);
	rate_text(
		seconds > 0 ? (double)outcome->measured.messages / seconds : 0, messages, sizeof messages);
	megabytes_text(
		seconds > 0 ? (double)outcome->measured.bytes / seconds : 0, bytes, sizeof bytes);
	threads_text(outcome, cores_of_run(), threads, sizeof threads);
	snprintf(note, sizeof note, "%zu run%s, %s", outcome->timing.runs,
		outcome->timing.runs == 1 ? "" : "s", threads);
	snprintf(left, sizeof left, "%-8s %-38s", time, note);
	snprintf(rates, sizeof rates, "%s messages/s, %s MB/s", messages, bytes);
	report_pair("time", left, rates);
}

static void print_link_load(const struct outcome *outcome)
{
	const struct query *query = outcome->query;
	const struct execution *how = outcome->how;
	const struct output *output = outcome->output;
	char ports[24] = "single-port", note[80];

	if (how->rounds == LS_FREE) {
		report_line("link load", "-", "counted in lockstep rounds only", "");
		return;
	}
	if (query->ports > 1)
		snprintf(ports, sizeof ports, "%d-port", query->ports);
	snprintf(
		note, sizeof note, "%s%s", ports, outcome->measured.link_load > 1 ? ", congestion" : "");
	/* Never wrong: in strict mode a congested run has failed. */
	report_count("link load", outcome->measured.link_load, note, ok_text(output, true));
}

static void fit_counts(const struct outcome *outcome)
{
	report_fit_count(outcome->measured.messages);
	report_fit_count(outcome->measured.words);
}

static void print_counts(const struct outcome *outcome)
{
	const struct output *output = outcome->output;
	const struct ls_stats *got = &outcome->measured;
	const struct ls_counts *want = &outcome->predicted;

	report_predicted("rounds", got->rounds, outcome->source, outcome->formula, want->rounds,
		ok_text(output, got->rounds == want->rounds));
	report_predicted("messages", got->messages, outcome->source, NULL, want->messages,
		ok_text(output, got->messages == want->messages));
	report_predicted("words", got->words, outcome->source, NULL, want->words,
		ok_text(output, got->words == want->words));
}

/* "messages   12 of 384 messages sent" */
static void print_progress(const char *name, int64_t count, int64_t all, const char *what)
{
	char text[100];

	snprintf(text, sizeof text, "%" PRId64 " of %" PRId64 " %s", count, all, what);
	report_line(name, text, "", "");
}

/* The work done until a sweep was stopped, and its time. */
static void print_unfinished(const struct outcome *outcome)
{
	report_line("result", outcome_status(outcome), "", "");
	print_progress("rounds", outcome->measured.rounds, outcome->predicted.rounds, "rounds done");
	print_progress(
		"messages", outcome->measured.messages, outcome->predicted.messages, "messages sent");
	print_progress("words", outcome->measured.words, outcome->predicted.words, "words sent");
	print_time(outcome);
}

/* Whether a trace performs its operation.  The remedy is left to the error message. */
static void print_violation(const struct outcome *outcome)
{
	const bool holds = outcome->violation.kind == LS_OK;
	const char *violation = outcome->violation.text;
	char name[40], text[256];

	snprintf(name, sizeof name, "%.39s", outcome->checked_operation);
	snprintf(text, sizeof text, "%.*s", (int)strcspn(violation, ";"), violation);
	report_line(name, holds ? "every node ends with the defined result" : text, "",
		ok_text(outcome->output, holds));
}

static int write_text(const struct output *output, const void *document)
{
	const struct outcome *outcome = document;
	const struct query *query = outcome->query;
	const struct execution *how = outcome->how;
	char engine[80];

	report_topology(outcome->topology);
	if (outcome->embedding)
		report_line("embedding", outcome->embedding, "", "");
	snprintf(engine, sizeof engine, "engine %s, %s, %s", outcome->engine, rounds_text(how->rounds),
		mode_text(mode_on(query, outcome->topology)));
	report_line("algorithm", outcome->title, "", engine);
	report_processes(outcome->ranks, &outcome->measured);
	if (outcome->status != LS_OK) {
		if (outcome->sweeps)
			print_unfinished(outcome);
		return EXIT_SUCCESS;
	}
	report_line("result", outcome->result_text, "", ok_text(output, outcome->wrong == 0));
	if (outcome->bound)
		report_line("error", outcome->bound, "", ok_text(output, outcome->wrong == 0));
	if (outcome->checked_operation)
		print_violation(outcome);
	if (outcome->sweeps && outcome->proof)
		report_line("proved", outcome->proof, "", ok_text(output, true));
	fit_counts(outcome);
	print_counts(outcome);
	print_link_load(outcome);
	print_time(outcome);
	return EXIT_SUCCESS;
}

/* op, root, elements, bytes */
static void operand_cells(struct table *t, const struct outcome *o)
{
	if (!o->op) {
		table_cells(t, 4, "", "", "", "");
		return;
	}
	table_cells(t, 1, o->op);
	table_numbers(t, 3, o->root, (int64_t)o->elements, (int64_t)o->bytes);
}

void outcome_cells(struct table *t, const struct outcome *o)
{
	const struct query *query = o->query;
	const struct execution *how = o->how;
	struct host host;

	host_read(&host);
	table_cells(t, 7, o->operation, o->algorithm, o->engine,
		o->sweeps ? "" : ls_node_kind_name(how->nodes), mode_text(mode_on(query, o->topology)),
		rounds_text(how->rounds), o->type);
	operand_cells(t, o);
	table_numbers(t, 4, (int64_t)(query->ports ? query->ports : 1),
		(int64_t)(how->mailbox ? how->mailbox : 4),
		(int64_t)(o->sweeps ? o->sweep.workers : host.allowed), threads_of(o));
	table_numbers(t, 7, o->measured.rounds, o->predicted.rounds, o->measured.messages,
		o->predicted.messages, o->measured.words, o->predicted.words, o->measured.link_load);
	if (o->op)
		table_cells(t, 2,
			!o->shared         ? ""
				: o->identical ? "true"
							   : "false",
			o->ordered ? "true" : "false");
	else
		table_cells(t, 2, "", "");
	table_numbers(t, 1, o->wrong);
	table_cells(t, 1, outcome_status(o));
	table_reals(t, 3, o->timing.median, o->timing.min, o->timing.mad);
	table_numbers(t, 1, (int64_t)o->timing.runs);
	table_reals(t, 2, o->timing.lower, o->timing.upper);
	table_numbers(t, 1, bytes_per_second(o));
	if (o->shifts)
		table_numbers(t, 1, o->shift);
	else
		table_cells(t, 1, "");
	table_cells(t, 1, o->map ? o->map : "");
}

void outcome_sweep_cells(struct table *t, const struct outcome *o)
{
	if (!o->sweeps) {
		table_cells(t, 3, "", "", "");
		return;
	}
	table_cells(t, 1, o->sweep.proved ? "true" : "false");
	table_numbers(t, 1, (int64_t)o->sweep.memory);
	table_reals(t, 1, o->sweep.seconds_total * 1e9);
}

void outcome_error_json(const struct outcome *outcome, struct json *json)
{
	const struct ls_error *error = outcome->status ? &outcome->error : &outcome->violation;

	json_object(json, "error");
	json_text(json, "kind", ls_status_name(error->kind));
	json_int(json, "node", error->node);
	json_int(json, "peer", error->peer);
	json_int(json, "round", error->round);
	json_int(json, "link", error->link);
	json_text(json, "operation", error->operation);
	json_text(json, "text", error->text);
	if (outcome->blocked.topology)
		blocked_nodes_json(outcome->blocked, json, "blocked_nodes");
	json_end(json);
}

static struct table as_table(const struct outcome *outcome)
{
	static const char *const head[] = { OUTCOME_HEADS, SWEEP_HEADS, NULL };
	struct table table = table_begin(head);

	outcome_cells(&table, outcome);
	outcome_sweep_cells(&table, outcome);
	return table;
}

static int write_csv(const struct output *output, const void *document)
{
	struct table table = as_table(document);

	return table_finish_csv(&table, output->file);
}

static int write_json(const struct output *output, const void *document)
{
	const struct outcome *outcome = document;
	struct table table = as_table(outcome);
	struct json json = document_begin(output);

	document_topology(&json, outcome->topology);
	json_array(&json, "results");
	json_object(&json, NULL);
	table_members(&table, 0, &json);
	if (outcome->status != LS_OK || outcome->violation.kind != LS_OK)
		outcome_error_json(outcome, &json);
	json_end(&json);
	json_end(&json);
	json_end(&json);
	table_end(&table);
	return EXIT_SUCCESS;
}

const struct format run_formats[] = {
	{ "text", NULL, write_text },
	{ "csv", NULL, write_csv },
	{ "json", NULL, write_json },
	{ 0 },
};

void outcome_print(const struct outcome *outcome)
{
	if (!outcome->output->quiet)
		outcome->output->format->write(outcome->output, outcome);
}
