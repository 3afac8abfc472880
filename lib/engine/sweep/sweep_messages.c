#include "engine/sweep/sweep_messages.h"

#include <inttypes.h>

#include "engine/sweep/sweep_agree.h"
#include "plan/record.h"

/* The rows of a worker's nodes in one step. */
struct message_step {
	struct lsi_sweep_worker *worker;
	int64_t step;
	struct lsi_message_range sent, received;
	const struct ls_message *stuck; /* first message with a receiver but no sender; NULL: none */
};

static struct lsi_message_end end_of(
	const struct message_step *step, const struct ls_message *row, bool sends)
{
	return (struct lsi_message_end){ step->worker, sends ? row->src : row->dst,
		sends ? row->dst : row->src, step->step, sends, sends ? "send" : "receive" };
}

/* ---- The rows of one node */

static bool sends_hold(const struct message_step *step, struct lsi_message_range rows)
{
	for (int64_t i = 0; i < rows.end - rows.begin; i++) {
		const struct lsi_message_end end = end_of(step, rows.begin[i], true);

		if (!lsi_message_holds(&end, i, rows.begin[0]->dst, true))
			return false;
		lsi_message_add_load(&end);
	}
	return true;
}

/*
 * A message without a link is a violation of its sender only, and occupies no port of its receiver.
 * A node that waits for a message that is never sent needs a link, too, and receives no message
 * after it.
 */
static bool receives_hold(struct message_step *step, struct lsi_message_range rows)
{
	const struct lsi_sweep_state *s = step->worker->sweep;
	const bool may_exceed = rows.end - rows.begin > s->plan->problem.ports;
	int64_t used = 0, first = LS_NO_RANK;

	for (; rows.begin < rows.end; rows.begin++) {
		const struct ls_message *row = *rows.begin;
		const struct lsi_message_end end = end_of(step, row, false);

		/* Finding a link is slow, and not needed if all messages have a port. */
		if (!row->unsent && may_exceed && !lsi_message_has_link(s, row->dst, row->src))
			continue;
		if (!lsi_message_holds(&end, used++, first, row->unsent))
			return false;
		first = first == LS_NO_RANK ? row->src : first;
		if (!row->unsent)
			continue;
		step->stuck = step->stuck ? step->stuck : row;
		break;
	}
	return true;
}

/* ---- All rows of a worker */

/* Cut off the rows of one node from the start of a range. */
static struct lsi_message_range rows_of_node(
	struct lsi_message_range *range, int64_t node, bool sends)
{
	struct lsi_message_range rows = { range->begin, range->begin };

	while (rows.end < range->end && (sends ? (*rows.end)->src : (*rows.end)->dst) == node)
		rows.end++;
	range->begin = rows.end;
	return rows;
}

/* The nodes that have rows, in rank order. */
static bool check_nodes(struct message_step *step)
{
	struct lsi_message_range sent = step->sent, received = step->received;

	for (int64_t n = 1; sent.begin < sent.end || received.begin < received.end; n++) {
		const int64_t sender = sent.begin < sent.end ? (*sent.begin)->src : INT64_MAX;
		const int64_t receiver = received.begin < received.end ? (*received.begin)->dst : INT64_MAX;
		const int64_t node = sender < receiver ? sender : receiver;

		if (n % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(step->worker))
			return false;
		if (!sends_hold(step, rows_of_node(&sent, node, true))
			|| !receives_hold(step, rows_of_node(&received, node, false)))
			return false;
	}
	return true;
}

static void count_messages(const struct message_step *step)
{
	struct lsi_sweep_worker *w = step->worker;
	const size_t size = w->sweep->payload[LSI_PAYLOAD_DATA].combine.size;

	for (const struct ls_message *const *row = step->sent.begin; row < step->sent.end; row++) {
		w->messages++;
		w->words += (int64_t)(*row)->words;
		w->bytes += (int64_t)((*row)->words * size);
		if (!lsi_sweep_is_local(w->sweep, (*row)->dst)) {
			w->crossing_messages++;
			w->crossing_bytes += (int64_t)((*row)->words * size);
		}
	}
}

static void report_congestion(const struct message_step *step)
{
	for (const struct ls_message *const *row = step->sent.begin; row < step->sent.end; row++) {
		const struct lsi_message_end end = end_of(step, *row, true);

		if (!lsi_message_has_free_links(&end))
			return;
	}
}

/* All nodes are blocked: some wait for a message, the others for the end of the round. */
static void report_deadlock(const struct message_step *step)
{
	const struct lsi_sweep_state *s = step->worker->sweep;

	if (step->stuck)
		lsi_sweep_report(step->worker,
			(struct lsi_sweep_fault){
				LS_ERR_DEADLOCK, step->stuck->dst, step->stuck->src, step->step, "receive" },
			"deadlock: every running node waits (%" PRId64 " in total); node %" PRId64
			" waits for node %" PRId64 " in round %" PRId64 " (receive)",
			s->nodes, step->stuck->dst, step->stuck->src, ls_plan_round(s->plan, step->step));
}

bool lsi_sweep_messages_step(struct lsi_sweep_worker *w, int64_t number)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct lsi_step_sums sums;
	const int parity = (int)(w->barriers % 2);
	struct message_step step = { .worker = w,
		.step = number,
		.sent = lsi_messages_sent(s->message_index, number, w->first, w->last),
		.received = lsi_messages_received(s->message_index, number, w->first, w->last) };

	w->crowded[parity] = false;
	check_nodes(&step);
	w->unmatched[parity] = step.stuck ? -1 : 0;
	if (!lsi_sweep_agree_step(w, number, parity, &sums))
		return false;
	if (sums.unmatched == 0 && !sums.crowded) {
		count_messages(&step);
		return true;
	}
	if (sums.crowded)
		report_congestion(&step);
	else
		report_deadlock(&step);
	return lsi_sweep_meet(w);
}

void lsi_sweep_messages_trace(const struct lsi_sweep_state *s, int64_t step)
{
	const struct lsi_message_range sent = lsi_messages_sent(s->message_index, step, 0, s->nodes);
	const size_t size = s->payload[LSI_PAYLOAD_DATA].combine.size;

	for (const struct ls_message *const *row = sent.begin; row < sent.end; row++) {
		const struct ls_record record = lsi_record_make(
			(*row)->round, (*row)->src, (*row)->dst, (*row)->words, (*row)->words * size);

		s->request.trace(s->request.trace_context, &record);
	}
}
