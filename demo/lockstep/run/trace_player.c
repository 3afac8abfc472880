/*
 * lockstep run --plan: a trace file played through real ports and mailboxes.
 *
 * A node sends and receives what the file says, in the file's order within a round.  What is sent
 * follows from sender and round, so a receiver knows what must arrive.
 */
#include "run/run.h"

#include "job/job.h"
#include "job/job_machine.h"
#include "job/plan_file.h"
#include "job/workload.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 43 }; /* characters of the file's name, its last */

/* The messages of each node: of node r those from first[r] to first[r + 1], by round. */
struct share {
	size_t *first;
	const struct trace_message **message;
};

struct game {
	const struct query *query;
	const struct execution *how;
	const ls_topology *topology;
	int64_t rounds;
	size_t element; /* bytes */
	struct share sent, expected;
	_Atomic int64_t wrong; /* words */
	int64_t *time;         /* ns that each node took */
	struct output_file *trace;
};

static struct share share_out(
	const struct trace_message *messages, size_t count, int64_t nodes, bool by_sender)
{
	struct share share = { require_memory(calloc((size_t)nodes + 2, sizeof *share.first)),
		require_memory(calloc(count + 1, sizeof *share.message)) };
	size_t *next = share.first + 1; /* counting sort: next[r] runs up to first[r + 1] */

	for (size_t i = 0; i < count; i++)
		if (!by_sender || !messages[i].unsent)
			share.first[(by_sender ? messages[i].src : messages[i].dst) + 2]++;
	for (int64_t rank = 0; rank < nodes; rank++)
		share.first[rank + 2] += share.first[rank + 1];
	for (size_t i = 0; i < count; i++)
		if (!by_sender || !messages[i].unsent)
			share.message[next[by_sender ? messages[i].src : messages[i].dst]++] = &messages[i];
	return share;
}

static size_t longest(const struct share *share, int64_t rank)
{
	size_t words = 0;

	for (size_t i = share->first[rank]; i < share->first[rank + 1]; i++)
		if (words < share->message[i]->words)
			words = share->message[i]->words;
	return words;
}

/* The bytes that node src sends in a round. */
static unsigned char pattern(int64_t src, int64_t round, size_t at)
{
	return (unsigned char)((uint64_t)src * 167 + (uint64_t)round * 59 + at * 13 + 1);
}

static int64_t wrong_words(
	const struct game *game, const struct trace_message *message, const unsigned char *data)
{
	int64_t wrong = 0;

	for (size_t word = 0; word < message->words; word++)
		for (size_t i = word * game->element; i < (word + 1) * game->element; i++)
			if (data[i] != pattern(message->src, message->round, i)) {
				wrong++;
				break;
			}
	return wrong;
}

static int send_round(
	ls_node *me, const struct game *game, int64_t round, size_t *next, unsigned char *data)
{
	const int64_t rank = ls_rank(me);
	const struct share *sent = &game->sent;
	size_t words = 0;
	int status = LS_OK;

	for (size_t i = *next; i < sent->first[rank + 1] && sent->message[i]->round == round; i++)
		words = sent->message[i]->words > words ? sent->message[i]->words : words;
	for (size_t i = 0; i < words * game->element; i++)
		data[i] = pattern(rank, round, i);
	for (; !status && *next < sent->first[rank + 1] && sent->message[*next]->round == round;
		 ++*next)
		status = ls_send(
			me, sent->message[*next]->dst, data, sent->message[*next]->words * game->element);
	return status;
}

/*
 * Who sends off the wires breaks the rule, not who is sent to.  But to expect what is never sent, a
 * node needs a wire too.
 */
static bool is_received(const struct game *game, const struct trace_message *message)
{
	return message->unsent || mode_on(game->query, game->topology) == LS_ROUTED
		|| ls_link_to(game->topology, message->src, message->dst) >= 0;
}

static int receive_round(
	ls_node *me, struct game *game, int64_t round, size_t *next, unsigned char *data)
{
	const int64_t rank = ls_rank(me);
	const struct share *expected = &game->expected;
	int status = LS_OK;

	for (; !status && *next < expected->first[rank + 1] && expected->message[*next]->round == round;
		 ++*next) {
		const struct trace_message *message = expected->message[*next];

		if (!is_received(game, message))
			continue;
		status = ls_receive(me, message->src, data, message->words * game->element);
		if (!status)
			atomic_fetch_add(&game->wrong, wrong_words(game, message, data));
	}
	return status;
}

static int play_rounds(ls_node *me, struct game *game, unsigned char *out, unsigned char *in)
{
	const int64_t rank = ls_rank(me);
	size_t next_out = game->sent.first[rank], next_in = game->expected.first[rank];
	int status = LS_OK;

	for (int64_t round = 1; round <= game->rounds && !status; round++) {
		status = send_round(me, game, round, &next_out, out);
		if (!status)
			status = receive_round(me, game, round, &next_in, in);
		if (!status)
			status = ls_next_round(me);
	}
	return status;
}

static int program(ls_node *me, void *argument)
{
	struct game *game = argument;
	const int64_t rank = ls_rank(me), start = clock_now();
	unsigned char *out = malloc(longest(&game->sent, rank) * game->element + 1);
	unsigned char *in = malloc(longest(&game->expected, rank) * game->element + 1);
	const int status = out && in ? play_rounds(me, game, out, in) : LS_ERR_MEMORY;

	free(out);
	free(in);
	game->time[rank] = clock_now() - start;
	return status;
}

/* Words of point-to-point messages are bytes to the machine, elements to us. */
static void trace_sent(void *context, const struct ls_record *record)
{
	struct game *game = context;

	trace_put(
		game->trace->file, record->round, record->src, record->dst, record->bytes / game->element);
}

/* False: bytes that cannot be counted. */
static bool foresee(
	const struct trace_message *messages, size_t count, size_t element, struct ls_counts *out)
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

static int64_t slowest(const struct game *game)
{
	int64_t time = 0;

	for (int64_t rank = 0; rank < ls_topology_nodes(game->topology); rank++)
		time = game->time[rank] > time ? game->time[rank] : time;
	return time;
}

static int run_game(struct game *game, struct outcome *outcome)
{
	const struct query *query = game->query;
	const struct execution *how = game->how;
	ls_machine *machine;
	int by = 0;
	int result = machine_open(
		query, how, game->topology, game->trace->file ? trace_sent : NULL, game, &machine);

	if (result)
		return result;
	outcome->status = machine_run(machine, program, game, &by);
	outcome->measured.size = sizeof outcome->measured;
	ls_machine_stats(machine, &outcome->measured);
	outcome->measured.words /= (int64_t)game->element;
	outcome->wrong = game->wrong;
	outcome->timing = timing_one((double)slowest(game));
	if (outcome->wrong > 0)
		print_error(EXIT_WRONG,
			"%" PRId64 " words arrived changed; expected the words that were sent", outcome->wrong);
	result = report_outcome(outcome, machine, by);
	ls_machine_destroy(machine);
	return result;
}

/* As sweep_play, on a machine whose nodes are threads. */
static int threads_play(const struct trace_message *messages, size_t count,
	struct output_file *trace, struct outcome *outcome)
{
	const int64_t nodes = ls_topology_nodes(outcome->topology);
	struct game game = {
		.query = outcome->query,
		.how = outcome->how,
		.topology = outcome->topology,
		.rounds = outcome->predicted.rounds,
		.element = ls_type_size(outcome->query->type),
		.sent = share_out(messages, count, nodes, true),
		.expected = share_out(messages, count, nodes, false),
		.time = require_memory(calloc((size_t)nodes, sizeof *game.time)),
		.trace = trace,
	};
	const int result = run_game(&game, outcome);

	free(game.sent.first);
	free((void *)game.sent.message);
	free(game.expected.first);
	free((void *)game.expected.message);
	free(game.time);
	return result;
}

static int play_messages(const struct query *query, const struct execution *how,
	const struct output *output, const ls_topology *topology, const struct trace_message *messages,
	size_t count)
{
	const bool sweeps = how->engine == LS_SWEEP;
	struct outcome outcome = {
		.query = query,
		.how = how,
		.output = output,
		.topology = topology,
		.operation = "plan",
		.algorithm = query->plan,
		.engine = ls_engine_name(sweeps ? LS_SWEEP : LS_MAILBOXES),
		.type = ls_type_name(query->type),
		.source = "in the file",
	};
	const size_t length = strlen(query->plan);
	const struct trace_title title = { "plan", query->plan, ls_topology_spec(topology), 0,
		query->root, query->shift, NULL };
	struct output_file trace = { 0 };
	int result;

	if (!foresee(messages, count, ls_type_size(query->type), &outcome.predicted))
		return print_error(
			EXIT_RESOURCE, "%s has more bytes than can be counted; try fewer words", query->plan);
	result = output->trace ? trace_open(output->trace, &title, &trace) : EXIT_SUCCESS;
	snprintf(outcome.title, sizeof outcome.title, "plan of %s%s", length > SHOWN ? ".." : "",
		query->plan + (length > SHOWN ? length - SHOWN : 0));
	snprintf(outcome.what, sizeof outcome.what, "%" PRId64 " message%s %s",
		outcome.predicted.messages, outcome.predicted.messages == 1 ? "" : "s",
		sweeps ? "matched" : "arrived as sent");
	if (!result)
		result = judge_trace(&outcome);
	if (!result)
		result = (sweeps ? sweep_play : threads_play)(messages, count, &trace, &outcome);

	const int untraced = output_close(&trace);

	return result ? result : untraced;
}

int play(const struct query *query, const struct execution *how, const struct output *output,
	ls_topology *topology)
{
	struct trace_message *messages = NULL;
	size_t count = 0, words = 0;
	int result = workload_check_nodes(query, how, output, topology);

	if (!result)
		result = plan_file_messages(query->file, ls_topology_nodes(topology), &messages, &count);
	for (size_t i = 0; i < count; i++)
		words = messages[i].words > words ? messages[i].words : words;
	if (!result && how->engine != LS_SWEEP)
		result = machine_check_limits(
			topology, words > SIZE_MAX / 64 ? SIZE_MAX : 2 * words * ls_type_size(query->type));
	if (!result)
		result = play_messages(query, how, output, topology, messages, count);
	free(messages);
	ls_topology_destroy(topology);
	return result;
}
