/*
 * A trace that is played on all nodes at once, round by round: ports, wires and matches, without
 * threads, mailboxes or contents.
 *
 * A node first sends, then receives, in the order of the file; it stops at the first that breaks a
 * rule, or that never comes.  Of the nodes that break a rule in a round the lowest rank is named.
 */
#include "run/run.h"

#include "job/job.h"
#include "job/watch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What a node did in the round. */
struct seat {
	int sends, receives;
	int64_t sent_to, received_from; /* the first of them */
	bool stuck;                     /* waits for what is never sent by received_from */
};

struct board {
	const struct query *query;
	const struct execution *how;
	const ls_topology *topology;
	enum ls_mode mode;
	int ports;
	int64_t round;
	const struct trace_message *first, *end; /* of the round */
	struct seat *seat;
	uint32_t *load;        /* of a vertex's links in the round; NULL: hop mode */
	struct ls_error error; /* of the lowest rank */
	int64_t stuck;         /* the lowest rank that is; LS_NO_RANK */
	struct ls_stats *stats;
};

/* What breaks a rule in this round: node `who`, for the other node of a message. */
struct fault {
	int kind;
	int64_t who, peer;
	const char *operation;
};

static void __attribute__((format(printf, 3, 4)))
blame(struct board *board, struct fault fault, const char *format, ...)
{
	struct ls_error *error = &board->error;
	const int64_t link = ls_link_to(board->topology, fault.who, fault.peer);
	va_list arguments;

	if (error->kind != LS_OK && error->node <= fault.who)
		return;
	*error = (struct ls_error){ sizeof *error, fault.kind, fault.who, fault.peer, board->round,
		link < 0 ? -1 : ls_link_label(board->topology, link), fault.operation, "" };
	va_start(arguments, format);
	vsnprintf(error->text, sizeof error->text, format, arguments);
	va_end(arguments);
}

/* Who names itself has no wire to it, in any mode. */
static bool is_wired(const struct board *board, const struct trace_message *m)
{
	return m->src != m->dst
		&& (board->mode == LS_ROUTED || ls_link_to(board->topology, m->src, m->dst) >= 0);
}

static void blame_wire(struct board *board, struct fault fault)
{
	if (fault.who == fault.peer)
		blame(board, fault,
			"node %" PRId64 " %s itself in round %" PRId64
			" (%s); expected the rank of another node",
			fault.who, *fault.operation == 's' ? "sends to" : "receives from", board->round,
			fault.operation);
	else
		blame(board, fault,
			"node %" PRId64 " has no link %s node %" PRId64 " in round %" PRId64
			" (%s); in hop mode messages reach only neighbors on %s, try routed mode",
			fault.who, *fault.operation == 's' ? "to" : "from", fault.peer, board->round,
			fault.operation, ls_topology_spec(board->topology));
}

static void blame_port(struct board *board, struct fault fault, int64_t first)
{
	const bool sends = *fault.operation == 's';

	fault.kind = LS_ERR_PORT;
	blame(board, fault,
		"node %" PRId64 " %ss %s node %" PRId64 " in round %" PRId64
		" (%s), but it already %s %s node %" PRId64 "; a node has %d %s port%s",
		fault.who, fault.operation, sends ? "to" : "from", fault.peer, board->round,
		fault.operation, sends ? "sent" : "received", sends ? "to" : "from", first, board->ports,
		fault.operation, board->ports == 1 ? "" : "s");
}

/* The most messages on a link of its route, with this one. */
static int64_t load_route(struct board *board, const struct trace_message *m)
{
	const int64_t degree = ls_topology_degree(board->topology);
	int64_t most = 0;

	for (int64_t at = m->src; at != m->dst;) {
		const int64_t hop = ls_first_hop(board->topology, at, m->dst);
		const int64_t load = ++board->load[at * degree + hop];

		most = load > most ? load : most;
		at = ls_neighbor(board->topology, at, hop);
	}
	return most;
}

static void unload_route(struct board *board, const struct trace_message *m)
{
	const int64_t degree = ls_topology_degree(board->topology);

	for (int64_t at = m->src; at != m->dst;) {
		const int64_t hop = ls_first_hop(board->topology, at, m->dst);

		board->load[at * degree + hop] = 0;
		at = ls_neighbor(board->topology, at, hop);
	}
}

static void send(struct board *board, const struct trace_message *m)
{
	struct seat *seat = &board->seat[m->src];
	const struct fault fault = { LS_ERR_LINK, m->src, m->dst, "send" };
	int64_t load = 1;

	if (m->src != m->dst && seat->sends == board->ports) {
		blame_port(board, fault, seat->sent_to);
		return;
	}
	if (!is_wired(board, m)) {
		blame_wire(board, fault);
		return;
	}
	if (board->load)
		load = load_route(board, m);
	if (load > 1 && board->how->strict)
		blame(board, (struct fault){ LS_ERR_CONGESTION, m->src, m->dst, "send" },
			"%" PRId64 " messages cross one link in round %" PRId64
			" (send), one of them from node %" PRId64 " to node %" PRId64
			"; strict mode allows one",
			load, board->round, m->src, m->dst);
	if (load > board->stats->link_load)
		board->stats->link_load = load;
	if (seat->sends++ == 0)
		seat->sent_to = m->dst;
}

static void receive(struct board *board, const struct trace_message *m)
{
	struct seat *seat = &board->seat[m->dst];
	const struct fault fault = { LS_ERR_LINK, m->dst, m->src, "receive" };
	const bool lacks_wire = (m->unsent || board->error.kind) && !is_wired(board, m);

	if (seat->stuck || (lacks_wire && !m->unsent))
		return;
	if (m->src != m->dst && seat->receives == board->ports) {
		blame_port(board, fault, seat->received_from);
		return;
	}
	if (lacks_wire) {
		blame_wire(board, fault);
		return;
	}
	if (m->unsent || seat->receives == 0)
		seat->received_from = m->src;
	seat->receives++;
	seat->stuck = m->unsent;
	if (seat->stuck && (board->stuck == LS_NO_RANK || m->dst < board->stuck))
		board->stuck = m->dst;
}

static bool waits(const void *context, int64_t rank, struct ls_wait_state *out)
{
	const struct board *board = context;
	const struct seat *seat = &board->seat[rank];

	*out =
		(struct ls_wait_state){ out->size, seat->stuck ? LS_WAITS_FOR_MESSAGE : LS_WAITS_FOR_ROUND,
			seat->stuck ? seat->received_from : LS_NO_RANK, board->round,
			seat->stuck ? "receive" : "next_round" };
	return true;
}

static void pronounce(struct board *board, struct outcome *outcome)
{
	const int64_t peer = board->seat[board->stuck].received_from;

	blame(board, (struct fault){ LS_ERR_DEADLOCK, board->stuck, peer, "receive" },
		"deadlock: %" PRId64 " nodes wait and no message is in flight; node %" PRId64
		" waits for node %" PRId64 " in round %" PRId64 " (receive)",
		ls_topology_nodes(board->topology), board->stuck, peer, board->round);
	board->error.link = -1;
	outcome->blocked = (struct blocked_nodes){ board->topology, waits, board };
}

/* Nobody has sent or received. */
static void clear_round(struct board *board)
{
	for (const struct trace_message *m = board->first; m < board->end; m++) {
		board->seat[m->src] = board->seat[m->dst] = (struct seat){ 0 };
		if (board->load && !m->unsent)
			unload_route(board, m);
	}
}

static int by_src(const void *a, const void *b)
{
	const struct trace_message *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static void count_round(struct board *board, struct output_file *trace)
{
	struct ls_stats *stats = board->stats;
	const size_t count = (size_t)(board->end - board->first);
	struct trace_message *sorted = NULL;

	stats->rounds = board->round;
	for (const struct trace_message *m = board->first; m < board->end; m++) {
		stats->messages += !m->unsent;
		stats->words += m->unsent ? 0 : (int64_t)m->words;
	}
	stats->bytes = stats->words * (int64_t)ls_type_size(board->query->type);
	if (!trace->file || count == 0)
		return;
	sorted = require_memory(malloc(count * sizeof *sorted));
	memcpy(sorted, board->first, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_src);
	for (size_t i = 0; i < count; i++)
		trace_put(trace->file, board->round, sorted[i].src, sorted[i].dst, sorted[i].words);
	free(sorted);
}

/* A status: the round's first violation, or a deadlock. */
static int play_round(struct board *board, struct outcome *outcome)
{
	for (const struct trace_message *m = board->first; m < board->end; m++)
		if (!m->unsent)
			send(board, m);
	for (const struct trace_message *m = board->first; m < board->end; m++)
		receive(board, m);
	if (board->error.kind == LS_OK && board->stuck != LS_NO_RANK)
		pronounce(board, outcome);
	return board->error.kind;
}

static void play_rounds(struct board *board, const struct trace_message *all_end,
	struct output_file *trace, struct outcome *outcome, struct watch *watch)
{
	const int64_t rounds = outcome->predicted.rounds;

	for (board->round = 1; board->round <= rounds; board->round++) {
		const struct ls_sweep_progress progress = { board->round - 1, rounds,
			board->stats->messages, outcome->predicted.messages,
			(double)(clock_now() - watch->since) * 1e-9 };

		if (watch_look(watch, &progress)) {
			outcome->status = watch_stopped(watch, board->round - 1, &board->error);
			return;
		}
		board->first = board->end;
		while (board->end < all_end && board->end->round == board->round)
			board->end++;
		outcome->status = play_round(board, outcome);
		if (outcome->status != LS_OK)
			return;
		count_round(board, trace);
		clear_round(board);
	}
}

int sweep_play(const struct trace_message *messages, size_t count, struct output_file *trace,
	struct outcome *outcome)
{
	const struct query *query = outcome->query;
	const struct execution *how = outcome->how;
	const ls_topology *t = outcome->topology;
	const size_t vertices = (size_t)ls_topology_vertices(t);
	struct board board = { .query = query,
		.how = how,
		.topology = t,
		.mode = mode_on(query, t),
		.ports = query->ports ? query->ports : 1,
		.end = messages,
		.stuck = LS_NO_RANK,
		.seat = require_memory(calloc((size_t)ls_topology_nodes(t), sizeof *board.seat)),
		.stats = &outcome->measured };
	struct watch watch;
	int result;

	if (board.mode == LS_ROUTED)
		board.load =
			require_memory(calloc(vertices, (size_t)ls_topology_degree(t) * sizeof *board.load));
	outcome->sweeps = true;
	outcome->sweep.workers = 1;
	watch_begin(&watch, how, outcome->output, clock_now());
	play_rounds(&board, messages + count, trace, outcome, &watch);
	watch_end(&watch);
	outcome->timing = timing_one((double)(clock_now() - watch.since));
	outcome->error = board.error;
	result = report_outcome(outcome, NULL, outcome->status == LS_ERR_STOPPED ? watch.by : 0);
	free(board.load);
	free(board.seat);
	return result;
}
