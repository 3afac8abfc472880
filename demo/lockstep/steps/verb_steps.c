/*
 * lockstep steps: a plan round by round, as text, trace, plan file or JSON.
 *
 * The text: a table of nodes and rounds with senders and receivers if that fits; then each round
 * with its messages, a picture of small networks, and with -v the moves.
 */
#include "base/output_file.h"
#include "draw/drawing.h"
#include "draw/violation.h"
#include "steps/steps.h"
#include "cli/verb.h"
#include "data/trace_file.h"
#include "job/embedded.h"
#include "report/picture.h"
#include "report/report.h"
#include "report/text_table.h"
#include "steps/step_replay.h"
#include "steps/step_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct printer {
	const struct output *output;
	const struct job *job;
	FILE *file;
	int64_t step;
	const ls_replay *replay; /* after the step; NULL: unknown */
	struct ls_record *rows;  /* messages of the step */
	size_t count, room;
};

/* Columns of text. */
enum {
	ENDS = 32,               /* sender and receiver of a message */
	SHORTEST = 24,           /* least, for the blocks of a message */
	SLICE = TEXT_WIDTH - 17, /* most, for a slice of a move */
	HELD = TEXT_WIDTH - 31   /* most, for the contents of a buffer */
};

static void print_moves(struct printer *printer)
{
	const struct job *job = printer->job;
	const int64_t nodes = ls_topology_nodes(job->topology);
	char name[300], text[400];

	for (int64_t rank = 0; rank < nodes; rank++) {
		struct ls_step what;

		host_step(job, rank, printer->step, &what);
		node_text(job->topology, rank, name, sizeof name);
		for (int i = 0; i < what.n_moves; i++) {
			move_text(job->plan, &what.move[i], SLICE, text, sizeof text);
			print_words(printer->file, fprintf(printer->file, "    %-12s ", i == 0 ? name : ""),
				TEXT_WIDTH, text);
		}
	}
}

/* What a node has in the buffers that it wrote: "0..3 in OUTPUT". */
static void print_held(const struct printer *printer, int64_t rank, const struct ls_step *what)
{
	int buffers[LS_BUFFERS];
	const int count = written_buffers(what, buffers);
	char node[300], buffer[24], held[HELD], text[TEXT_WIDTH];

	node_text(printer->job->topology, rank, node, sizeof node);
	for (int i = 0; i < count; i++) {
		const char *found =
			held_in_buffer(printer->job, printer->replay, rank, buffers[i], held, sizeof held);

		buffer_text(buffers[i], buffer, sizeof buffer);
		snprintf(text, sizeof text, "%s in %s", found ? found : "?", buffer);
		print_words(printer->file, fprintf(printer->file, "    %-12s ", i == 0 ? node : ""),
			TEXT_WIDTH, text);
	}
}

/* The moves of a step, and the contents after it. */
static void print_nodes(struct printer *printer)
{
	const struct job *job = printer->job;

	print_moves(printer);
	if (printer->replay)
		fputs("  contents\n", printer->file);
	for (int64_t rank = 0; rank < ls_topology_nodes(job->topology) && printer->replay; rank++) {
		struct ls_step what;

		host_step(job, rank, printer->step, &what);
		print_held(printer, rank, &what);
	}
}

/* If a part begins at this step: "part 2   allreduce by substar on star:3, 4 times at once". */
static void print_part(const struct printer *printer, int64_t step)
{
	char before[300], text[300];
	const size_t part = part_text(printer->job, step, text, sizeof text);

	if (part > 0 && (step == 0 || part_text(printer->job, step - 1, before, sizeof before) != part))
		fprintf(printer->file, "\npart %zu   %s\n", part, text);
}

/* The message of the round in the other direction, or NULL; rows are sorted by src, then dst. */
static const struct ls_record *reply_to(const struct printer *printer, const struct ls_record *row)
{
	for (size_t low = 0, high = printer->count; low < high;) {
		const size_t middle = low + (high - low) / 2;
		const struct ls_record *at = &printer->rows[middle];

		if (at->src == row->dst && at->dst == row->src)
			return at;
		if (at->src < row->dst || (at->src == row->dst && at->dst < row->src))
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The blocks of a message, as text. */
static void sent_text(
	const struct printer *printer, const struct ls_record *row, char *text, size_t size)
{
	struct ls_step step;

	host_step(printer->job, row->src, printer->step, &step);
	text[0] = '\0';
	for (int q = 0; q < step.ports; q++)
		if (step.to[q] == row->dst)
			slice_text(printer->job->plan, &step.send[q], text, size);
}

/* Write ", 6 words" to tail; return the columns that it leaves on a line for the blocks. */
static size_t room_left(size_t words, int used, char *tail, size_t size)
{
	const int length = snprintf(tail, size, ", %zu %s", words, words == 1 ? "word" : "words");

	return used + length + SHORTEST < TEXT_WIDTH ? (size_t)(TEXT_WIDTH - used - length) : SHORTEST;
}

static int print_ends(const struct printer *printer, const struct ls_record *row, const char *arrow)
{
	const ls_topology *topology = printer->job->topology;
	char src[300], dst[300];

	node_text(topology, row->src, src, sizeof src);
	node_text(topology, row->dst, dst, sizeof dst);
	return fprintf(printer->file, "  %12s %s %-12s ", src, arrow, dst);
}

static void print_one_way(const struct printer *printer, const struct ls_record *row)
{
	const int used = print_ends(printer, row, "-->");
	char tail[40], sent[TEXT_WIDTH];
	const size_t room = room_left(row->words, used, tail, sizeof tail);

	sent_text(printer, row, sent, room < sizeof sent ? room + 1 : sizeof sent);
	fprintf(printer->file, "%s%s\n", sent, tail);
}

/* A message, and its reply if one line holds both. */
static void print_message(const struct printer *printer, const struct ls_record *row)
{
	const struct ls_record *reply = reply_to(printer, row);
	char sent[TEXT_WIDTH], back[TEXT_WIDTH], tail[40];

	if (reply && row->dst < row->src)
		return;
	sent_text(printer, row, sent, sizeof sent);
	if (reply)
		sent_text(printer, reply, back, sizeof back);

	const bool alike = reply && strcmp(sent, back) == 0;
	const size_t length = strlen(sent) + (!reply || alike ? 0 : strlen(" for ") + strlen(back));

	if (!reply || reply->words != row->words
		|| length > room_left(row->words, ENDS, tail, sizeof tail)) {
		print_one_way(printer, row);
		if (reply)
			print_one_way(printer, reply);
		return;
	}
	print_ends(printer, row, "<->");
	fprintf(printer->file, "%s%s%s%s\n", sent, alike ? "" : " for ", alike ? "" : back, tail);
}

static void print_load(const struct printer *printer, int64_t step)
{
	const struct job *job = printer->job;
	struct ls_round_load load = { .size = sizeof load };

	if (ls_plan_round_load(job->plan, job->embedding, step, job->request.count, &load) == LS_OK)
		fprintf(printer->file, ", link load %" PRId64, load.messages);
}

static int print_link(void *context, const struct ls_link_load *link)
{
	const struct printer *printer = context;
	const ls_topology *topology = printer->job->topology;
	char from[300], to[300];

	node_text(topology, link->from, from, sizeof from);
	node_text(topology, link->to, to, sizeof to);
	fprintf(printer->file, "    %12s --> %-12s %" PRId64 " %s, %" PRId64 " %s\n", from, to,
		link->messages, link->messages == 1 ? "message" : "messages", link->words,
		link->words == 1 ? "word" : "words");
	return 0;
}

static void print_links(struct printer *printer, int64_t step)
{
	const struct job *job = printer->job;

	fputs("  links\n", printer->file);
	if (ls_plan_link_loads(
			job->plan, job->embedding, step, job->request.count, print_link, printer))
		fputs("    no memory for their loads\n", printer->file);
}

static void print_round(struct printer *printer)
{
	const struct job *job = printer->job;

	if (printer->count == 0)
		return;
	fprintf(printer->file, "\nround %" PRId64 "   %zu %s", printer->rows[0].round, printer->count,
		printer->count == 1 ? "message" : "messages");
	if (job->mode == LS_ROUTED)
		print_load(printer, printer->step);
	fputs("\n\n", printer->file);
	picture_print(job->topology, printer->rows, printer->count, printer->file);
	for (size_t i = 0; i < printer->count; i++)
		print_message(printer, &printer->rows[i]);
	if (printer->output->verbose && job->mode == LS_ROUTED)
		print_links(printer, printer->step);
	if (printer->output->verbose) {
		fputs("  moves\n", printer->file);
		print_nodes(printer);
	}
}

static int collect_row(void *context, const struct ls_record *row)
{
	struct printer *printer = context;

	if (printer->count == printer->room) {
		printer->room = printer->room ? 2 * printer->room : 64;
		printer->rows =
			require_memory(realloc(printer->rows, printer->room * sizeof *printer->rows));
	}
	printer->rows[printer->count++] = *row;
	return 0;
}

static int print_step(void *context, int64_t step, const ls_replay *replay)
{
	struct printer *printer = context;

	printer->step = step;
	printer->replay = replay;
	printer->count = 0;
	print_part(printer, step);
	host_trace_step(printer->job, step, collect_row, printer);
	print_round(printer);
	if (printer->output->verbose && ls_plan_is_local(printer->job->plan, step)) {
		fprintf(printer->file, "\nlocal moves\n");
		print_nodes(printer);
	}
	return ferror(printer->file);
}

/* Only -v shows contents. */
static void print_steps(const struct shown_plan *shown, struct printer *printer)
{
	const struct job *job = shown->job;
	const struct operands operands = operands_of(shown->query, &job->request, NULL);
	int stop = 0;

	if (printer->output->verbose)
		stop = replay_steps(job, &operands, print_step, printer);
	else
		for (int64_t step = 0; step < ls_plan_steps(job->plan) && !stop; step++)
			stop = print_step(printer, step, NULL);
}

static void print_title(const struct shown_plan *shown, FILE *file)
{
	const struct job *job = shown->job;
	const struct ls_counts counts = ls_plan_predict(job->plan, job->request.count);
	char network[200], title[300], placed[300];

	topology_text(job->topology, network, sizeof network);
	job_title(job, TEXT_WIDTH - REPORT_NAME, title, sizeof title);
	fprintf(file, "topology   %s   %s\n", ls_topology_spec(job->topology), network);
	if (job->embedding) {
		embedding_text(shown->query, job, placed, sizeof placed);
		fprintf(file, "embedding  %s\n", placed);
	}
	fprintf(file, "algorithm  %s\n", title);
	fprintf(file,
		"plan       %s, %s: %" PRId64 " rounds, %" PRId64 " messages, %" PRId64 " words\n",
		ls_operation_name(job->request.operation), mode_text(job->mode), counts.rounds,
		counts.messages, counts.words);
}

int write_steps_text(const struct output *output, const void *document)
{
	const struct shown_plan *shown = document;
	const struct job *job = shown->job;
	struct printer printer = { .output = output, .job = job, .file = output->file };

	print_title(shown, output->file);
	step_table(job, output->file);
	print_steps(shown, &printer);
	free(printer.rows);
	return EXIT_SUCCESS;
}

static int put_row(void *context, const struct ls_record *row)
{
	return trace_put(context, row);
}

static int write_trace(const struct output *output, const void *document)
{
	const struct shown_plan *shown = document;
	const struct trace_title title = job_trace_title(shown->query, shown->job);

	trace_put_title(output->file, &title);
	host_trace(shown->job, put_row, output->file);
	return EXIT_SUCCESS;
}

static int put_text(void *file, const char *text)
{
	return fputs(text, file) < 0;
}

static int write_plan(const struct output *output, const void *document)
{
	const struct shown_plan *shown = document;

	ls_plan_write(shown->job->plan, put_text, output->file);
	return EXIT_SUCCESS;
}

const struct format steps_formats[] = {
	{ "text", ".txt", write_steps_text },
	{ "csv", ".csv", write_trace },
	{ "plan", ".plan", write_plan },
	{ "json", ".json", write_steps_json },
	DRAWN_FORMATS,
	{ 0 },
};

/* The text of more nodes would fill any disk. */
static int check_nodes(const ls_topology *topology)
{
	const int64_t most = (int64_t)1 << 32;

	if (ls_topology_nodes(topology) <= most)
		return EXIT_SUCCESS;
	return print_error(EXIT_RESOURCE,
		"%s has %" PRId64 " nodes, but steps lists at most %" PRId64 "; try a smaller network",
		ls_topology_spec(topology), ls_topology_nodes(topology), most);
}

int verb_steps(const struct options *options)
{
	const struct output *output = &options->output;
	const char *path = options->word[1];
	struct job job;
	struct ls_error violation = { .kind = LS_OK };
	const struct shown_plan shown = { &options->query, &job, &options->drawing, NULL, &violation };
	int failed = job_open(&options->query, &job);

	if (failed)
		return failed;
	failed = check_nodes(job.topology);
	if (!failed && output->verbose)
		print_algorithm_choice(&options->query, &job, stderr);
	if (!failed && path)
		find_violation(&options->query, &job, &violation);
	if (!failed && path)
		failed = format_write_file(steps_formats, output, &shown, path);
	else if (!failed && !output->quiet)
		failed = output->format->write(output, &shown);
	if (!failed && violation.kind)
		failed = print_error(EXIT_WRONG, "%s", violation.text);
	job_close(&job);
	return failed;
}
