/*
 * lockstep run --plan FILE.csv: play a trace file.
 *
 * The engine mailboxes sends real messages: a node sends and receives the rows of the file, in
 * their order within a round.  Sender and round determine the contents, so a receiver can verify
 * them. The engine sweep takes the rows as a plan of the library, and checks its messages.
 */
#include "run/run_parts.h"

#include "base/processes.h"
#include "base/shared_run.h"
#include "job/crossing_count.h"
#include "job/job.h"
#include "job/job_machine.h"
#include "job/plan_file.h"
#include "job/workload.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 }; /* last characters of the file's name */

/* The rows of node r are row[first[r]] up to row[first[r + 1]], by round, then line. */
struct node_rows {
	size_t *first;
	const struct ls_message **row;
};

struct player {
	const struct query *query;
	const struct execution *how;
	const ls_topology *topology;
	int64_t rounds;
	size_t element; /* bytes */
	struct node_rows sent, expected;
	_Atomic int64_t wrong;  /* words */
	int64_t *time;          /* ns that each node took */
	unsigned char **buffer; /* of each node: its longest message sent, then that received */
	struct output_file *trace;
};

static int by_round_and_line(const void *a, const void *b)
{
	const struct ls_message *const *x = a, *const *y = b;

	if ((*x)->round != (*y)->round)
		return (*x)->round < (*y)->round ? -1 : 1;
	return (*x > *y) - (*x < *y); /* rows of one array */
}

static struct node_rows rows_by_node(
	const struct ls_message *rows, size_t count, int64_t nodes, bool by_sender)
{
	struct node_rows of = { require_memory(calloc((size_t)nodes + 2, sizeof *of.first)),
		require_memory(calloc(count + 1, sizeof *of.row)) };
	size_t *next = of.first + 1; /* counting sort: next[r] runs up to first[r + 1] */

	for (size_t i = 0; i < count; i++)
		if (!by_sender || !rows[i].unsent)
			of.first[(by_sender ? rows[i].src : rows[i].dst) + 2]++;
	for (int64_t rank = 0; rank < nodes; rank++)
		of.first[rank + 2] += of.first[rank + 1];
	for (size_t i = 0; i < count; i++)
		if (!by_sender || !rows[i].unsent)
			of.row[next[by_sender ? rows[i].src : rows[i].dst]++] = &rows[i];
	for (int64_t rank = 0; rank < nodes; rank++)
		qsort(of.row + of.first[rank], of.first[rank + 1] - of.first[rank], sizeof *of.row,
			by_round_and_line);
	return of;
}

static size_t longest(const struct node_rows *rows, int64_t rank)
{
	size_t words = 0;

	for (size_t i = rows->first[rank]; i < rows->first[rank + 1]; i++)
		if (words < rows->row[i]->words)
			words = rows->row[i]->words;
	return words;
}

/* The bytes that node src sends in a round. */
static unsigned char pattern(int64_t src, int64_t round, size_t at)
{
	return (unsigned char)((uint64_t)src * 167 + (uint64_t)round * 59 + at * 13 + 1);
}

static int64_t wrong_words(
	const struct player *player, const struct ls_message *message, const unsigned char *data)
{
	int64_t wrong = 0;

	for (size_t word = 0; word < message->words; word++)
		for (size_t i = word * player->element; i < (word + 1) * player->element; i++)
			if (data[i] != pattern(message->src, message->round, i)) {
				wrong++;
				break;
			}
	return wrong;
}

static int send_round(
	ls_node *me, const struct player *player, int64_t round, size_t *next, unsigned char *data)
{
	const int64_t rank = ls_rank(me);
	const struct node_rows *sent = &player->sent;
	size_t words = 0;
	int status = LS_OK;

	for (size_t i = *next; i < sent->first[rank + 1] && sent->row[i]->round == round; i++)
		words = sent->row[i]->words > words ? sent->row[i]->words : words;
	for (size_t i = 0; i < words * player->element; i++)
		data[i] = pattern(rank, round, i);
	for (; !status && *next < sent->first[rank + 1] && sent->row[*next]->round == round; ++*next)
		status =
			ls_send(me, sent->row[*next]->dst, data, sent->row[*next]->words * player->element);
	return status;
}

/*
 * Only the sender reports a missing link, so the receiver skips the message.  A row with R has no
 * sender: there the receiver reports it.
 */
static bool is_received(const struct player *player, const struct ls_message *message)
{
	return message->unsent || mode_on(player->query, player->topology) == LS_ROUTED
		|| ls_link_to(player->topology, message->src, message->dst) >= 0;
}

static int receive_round(
	ls_node *me, struct player *player, int64_t round, size_t *next, unsigned char *data)
{
	const int64_t rank = ls_rank(me);
	const struct node_rows *expected = &player->expected;
	int status = LS_OK;

	for (; !status && *next < expected->first[rank + 1] && expected->row[*next]->round == round;
		 ++*next) {
		const struct ls_message *message = expected->row[*next];

		if (!is_received(player, message))
			continue;
		status = ls_receive(me, message->src, data, message->words * player->element);
		if (!status)
			atomic_fetch_add(&player->wrong, wrong_words(player, message, data));
	}
	return status;
}

static int play_rounds(ls_node *me, struct player *player, unsigned char *out, unsigned char *in)
{
	const int64_t rank = ls_rank(me);
	size_t next_out = player->sent.first[rank], next_in = player->expected.first[rank];
	int status = LS_OK;

	for (int64_t round = 1; round <= player->rounds && !status; round++) {
		status = send_round(me, player, round, &next_out, out);
		if (!status)
			status = receive_round(me, player, round, &next_in, in);
		if (!status)
			status = ls_next_round(me);
	}
	return status;
}

static int program(ls_node *me, void *argument)
{
	struct player *player = argument;
	const int64_t rank = ls_rank(me), start = clock_now();
	unsigned char *out = player->buffer[rank];
	unsigned char *in = out + longest(&player->sent, rank) * player->element;
	const int status = play_rounds(me, player, out, in);

	player->time[rank] = clock_now() - start;
	return status;
}

/* The machine counts point-to-point messages in bytes; a trace file counts elements. */
static void trace_sent(void *context, const struct ls_record *record)
{
	struct player *player = context;
	struct ls_record row = *record;

	row.words = record->bytes / player->element;
	trace_put(player->trace->file, &row);
}

/* Predict the counts; false: the bytes overflow. */
static bool count_rows(
	const struct ls_message *messages, size_t count, size_t element, struct ls_counts *out)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		size_t more;

		if (out->rounds < messages[i].round)
			out->rounds = messages[i].round;
		if (messages[i].unsent)
			continue;
		if (__builtin_mul_overflow(messages[i].words, element, &more)
			|| __builtin_add_overflow(bytes, more, &bytes))
			return false;
		out->messages++;
		out->words += (int64_t)messages[i].words;
	}
	return true;
}

static int64_t slowest(const struct player *player)
{
	int64_t time = 0;

	for (int64_t rank = 0; rank < ls_topology_nodes(player->topology); rank++)
		time = player->time[rank] > time ? player->time[rank] : time;
	return most_of_processes(time);
}

/*
 * Exit code: `result`, or that of the close.  A signal leaves the file that the trace would replace
 * as it was.  To close it again does nothing.
 */
static int close_trace(struct output_file *trace, int result)
{
	if (result > EXIT_SIGNAL)
		output_discard(trace);

	const int untraced = output_close(trace);

	return result ? result : untraced;
}

static int run_player(struct player *player, struct outcome *outcome)
{
	const struct query *query = player->query;
	const struct execution *how = player->how;
	ls_machine *machine;
	int signal = 0;
	int result = machine_open(
		query, how, player->topology, outcome->output->trace ? trace_sent : NULL, player, &machine);

	if (result)
		return result;
	outcome->threads = sum_of_processes(ls_machine_threads(machine));
	outcome->status = machine_run(machine, program, player, &signal);
	outcome->measured.size = sizeof outcome->measured;
	ls_machine_stats(machine, &outcome->measured);
	outcome->measured.words /= (int64_t)player->element;
	outcome->wrong = sum_of_processes(player->wrong);
	outcome->timing = timing_one((double)slowest(player));
	if (outcome->wrong > 0)
		print_error(EXIT_WRONG,
			"%" PRId64 " words arrived changed; expected the words that were sent", outcome->wrong);
	result = close_trace(player->trace, report_outcome(outcome, machine, signal));
	machine_close(machine, result);
	return result;
}

/* Play the rows on a machine whose nodes are threads. */
static int play_on_machine(
	const struct ls_message *rows, size_t count, struct output_file *trace, struct outcome *outcome)
{
	const int64_t nodes = ls_topology_nodes(outcome->topology);
	struct player player = {
		.query = outcome->query,
		.how = outcome->how,
		.topology = outcome->topology,
		.rounds = outcome->predicted.rounds,
		.element = ls_type_size(outcome->query->type),
		.sent = rows_by_node(rows, count, nodes, true),
		.expected = rows_by_node(rows, count, nodes, false),
		.time = require_memory(calloc((size_t)nodes, sizeof *player.time)),
		.buffer = require_memory(calloc((size_t)nodes, sizeof *player.buffer)),
		.trace = trace,
	};
	int result;

	note_crossing(crossing_of_rows(outcome->topology, rows, count, player.element));
	for (int64_t rank = 0; rank < nodes; rank++)
		player.buffer[rank] = require_memory(malloc(
			(longest(&player.sent, rank) + longest(&player.expected, rank)) * player.element + 1));
	result = run_player(&player, outcome);
	for (int64_t rank = 0; rank < nodes; rank++)
		free(player.buffer[rank]);
	free((void *)player.buffer);
	free(player.sent.first);
	free((void *)player.sent.row);
	free(player.expected.first);
	free((void *)player.expected.row);
	free(player.time);
	return result;
}

/* The values in force, so that the copy of a trace is read as the trace is. */
static struct trace_title played_title(
	const struct query *query, const struct execution *how, const ls_topology *topology)
{
	const int operation = query->operation ? ls_operation_find(query->operation) : -1;

	return (struct trace_title){
		.operation = operation < 0 ? NULL : ls_operation_name((enum ls_operation)operation),
		.algorithm = "trace",
		.topology = ls_topology_spec(topology),
		.count = query->count,
		.root = query->root,
		.shift = query->shift,
		.mode = mode_in_trace(mode_on(query, topology), topology),
		.ports = query->ports,
		.map = query->file->map,
		.timed = how->times,
		.placed = how->times && !shared_world() ? how : NULL,
		.nodes = ls_topology_nodes(topology),
	};
}

static int play_rows(const struct query *query, const struct execution *how,
	const struct output *output, const ls_topology *topology, const struct ls_message *rows,
	size_t count)
{
	const bool sweeps = how->engine == LS_SWEEP;
	struct outcome outcome = {
		.query = query,
		.how = how,
		.output = output,
		.topology = topology,
		.ranks = topology,
		.operation = "plan",
		.algorithm = query->plan,
		.engine = ls_engine_name(sweeps ? LS_SWEEP : LS_MAILBOXES),
		.type = ls_type_name(query->type),
		.source = "in the file",
	};
	const size_t length = strlen(query->plan);
	const struct trace_title title = played_title(query, how, topology);
	struct output_file trace = { 0 };
	int result;

	if (!count_rows(rows, count, ls_type_size(query->type), &outcome.predicted))
		return print_error(
			EXIT_RESOURCE, "%s has more bytes than can be counted; try fewer words", query->plan);
	result = output->trace && processes_is_first() ? trace_open(output->trace, &title, &trace)
												   : EXIT_SUCCESS;
	snprintf(outcome.title, sizeof outcome.title, "trace (%s%s)", length > SHOWN ? ".." : "",
		query->plan + (length > SHOWN ? length - SHOWN : 0));
	snprintf(outcome.result_text, sizeof outcome.result_text, "%" PRId64 " message%s %s",
		outcome.predicted.messages, outcome.predicted.messages == 1 ? "" : "s",
		sweeps ? "matched" : "arrived as sent");
	if (!result && processes_is_first())
		result = check_trace(&outcome);
	result = agree_on_failure(result);
	if (!result)
		result = (sweeps ? play_on_sweep : play_on_machine)(rows, count, &trace, &outcome);
	return close_trace(&trace, result);
}

int play_trace(const struct query *query, const struct execution *how, const struct output *output,
	ls_topology *topology)
{
	struct ls_message *rows = NULL;
	size_t count = 0, words = 0;
	struct execution needs = *how;
	int result;

	if (needs.engine == LS_MAILBOXES)
		needs.engine = LS_AUTO; /* a node that only sends and receives keeps no steps */
	result = workload_check_nodes(query, &needs, output, topology);
	if (!result)
		result = plan_file_messages(query->file, ls_topology_nodes(topology), &rows, &count);
	for (size_t i = 0; i < count; i++)
		words = rows[i].words > words ? rows[i].words : words;
	if (!result && how->engine != LS_SWEEP)
		result = machine_check_limits(topology, &needs,
			words > SIZE_MAX / 64 ? SIZE_MAX : 2 * words * ls_type_size(query->type), NULL);
	result = agree_on_failure(result);
	if (!result)
		result = play_rows(query, how, output, topology, rows, count);
	free(rows);
	ls_topology_destroy(topology);
	return result;
}
