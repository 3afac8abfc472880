/*
 * Events arrive in any order.  A buffer holds them until their round is complete; then they are
 * sorted, joined to records, passed on and removed from the front of the buffer.
 */
#include "machine/trace_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/futex.h"
#include "machine/trace_output.h"
#include "machine/verdict.h"

struct item {
	struct lsi_queue_item item; /* first: the queue's entry */
	struct lsi_trace_event event;
};

/* ---- Nodes */

int64_t lsi_trace_clock(const struct ls_machine *machine)
{
	return (int64_t)(lsi_now_ns() - machine->opened_ns);
}

int64_t lsi_trace_look(const struct ls_machine *machine, const struct lsi_channel *channel)
{
	return lsi_mailbox_oldest(channel->in, &channel->out->sender) ? LSI_NO_TIME
																  : lsi_trace_clock(machine);
}

int lsi_trace_put(struct lsi_node_state *me, const struct lsi_trace_event *event)
{
	const struct ls_record *record = &event->record;
	const int64_t peer = event->kind == LSI_TRACE_RECEIVED ? record->src : record->dst;
	struct item *item = lsi_alloc(sizeof *item);

	if (!item)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, peer, record->round, -1, "trace" },
			"no memory for the trace");
	item->event = *event;
	lsi_queue_put(me->machine->records, &item->item);
	return LS_OK;
}

int lsi_trace_put_sent(
	const struct lsi_envelope *e, const struct lsi_channel *channel, size_t bytes, int64_t sent_ns)
{
	struct lsi_node_state *me = e->node->self;
	struct lsi_trace_event event = {
		.record = lsi_record_make(e->node->round, me->rank, channel->peer, e->words, bytes),
		.message = channel->out->tail - 1,
		.kind = me->machine->options.trace_times ? LSI_TRACE_SENT : LSI_TRACE_WHOLE,
	};

	event.record.sent_ns = sent_ns;
	return lsi_trace_put(me, &event);
}

int lsi_trace_put_received(
	const struct lsi_envelope *e, const struct lsi_channel *channel, int64_t wait_began)
{
	struct lsi_node_state *me = e->node->self;
	struct lsi_trace_event event = {
		.record = lsi_record_make(e->node->round, channel->peer, me->rank, 0, 0),
		.message = lsi_load(&channel->in->head, relaxed), /* only this thread writes it */
		.kind = LSI_TRACE_RECEIVED,
	};
	struct ls_record *record = &event.record;

	record->received_ns = lsi_trace_clock(me->machine);
	record->waited_ns = wait_began == LSI_NO_TIME ? 0 : record->received_ns - wait_began;
	return lsi_trace_put(me, &event);
}

/* ---- The order of events */

static int compare(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

/* By round, then source, then destination. */
static int compare_records(const struct ls_record *x, const struct ls_record *y)
{
	int order = compare(x->round, y->round);

	if (!order)
		order = compare(x->src, y->src);
	return order ? order : compare(x->dst, y->dst);
}

/* The two events of a message are neighbors: first SENT, then RECEIVED. */
static int compare_events(const void *a, const void *b)
{
	const struct lsi_trace_event *x = a, *y = b;
	int order = compare_records(&x->record, &y->record);

	if (!order)
		order = compare(x->message, y->message);
	return order ? order : compare(x->kind, y->kind);
}

static bool are_of_one_message(const struct lsi_trace_event *x, const struct lsi_trace_event *y)
{
	return x->kind == LSI_TRACE_SENT && y->kind == LSI_TRACE_RECEIVED && x->message == y->message
		&& compare_records(&x->record, &y->record) == 0;
}

/* ---- The buffer */

bool lsi_trace_buffer_add(struct lsi_trace_buffer *buffer, const struct lsi_trace_event *event)
{
	if (buffer->n == buffer->capacity) {
		const size_t capacity = buffer->capacity ? 2 * buffer->capacity : 1024;
		struct lsi_trace_event *larger =
			lsi_alloc_grow(buffer->event, buffer->n * sizeof *larger, capacity * sizeof *larger);

		if (!larger)
			return false;
		buffer->event = larger;
		buffer->capacity = capacity;
	}
	buffer->event[buffer->n++] = *event;
	return true;
}

void lsi_trace_take(struct ls_machine *machine)
{
	struct lsi_queue_item *taken;

	while ((taken = lsi_queue_take(machine->records))) {
		struct item *item = (struct item *)(void *)taken;

		if (!lsi_trace_buffer_add(&machine->trace_buffer, &item->event))
			ls_machine_stop(machine, LS_ERR_MEMORY);
		lsi_free(item);
	}
}

void lsi_trace_discard(struct ls_machine *machine)
{
	struct lsi_queue_item *taken;

	while (machine->records && (taken = lsi_queue_take(machine->records)))
		lsi_free(taken); /* the first member of an item */
	machine->trace_buffer.n = 0;
}

/* ---- Records */

static void hand_out(struct ls_machine *machine, const struct ls_record *record)
{
	if (machine->options.trace)
		machine->options.trace(machine->options.trace_context, record);
	lsi_trace_output_write(&machine->trace_output, record);
}

/*
 * Hand out the record that begins with event i.  Returns the number of its events; 0: one of them
 * has not arrived.  At the end of a run a message that was not received has one event.  So has a
 * message whose sender had no memory for the other one; it has no record.
 */
static size_t hand_out_next(struct ls_machine *machine, size_t i, bool ended)
{
	const struct lsi_trace_buffer *buffer = &machine->trace_buffer;
	const struct lsi_trace_event *event = &buffer->event[i];
	struct ls_record record = event->record;
	size_t events = 1;

	if (i + 1 < buffer->n && are_of_one_message(event, event + 1)) {
		record.received_ns = event[1].record.received_ns;
		record.waited_ns = event[1].record.waited_ns;
		events = 2;
	} else if (event->kind != LSI_TRACE_WHOLE && !ended) {
		return 0;
	}
	if (event->kind != LSI_TRACE_RECEIVED)
		hand_out(machine, &record);
	return events;
}

void lsi_trace_drain(struct ls_machine *machine, int64_t before_round)
{
	struct lsi_trace_buffer *buffer = &machine->trace_buffer;
	size_t done = 0, events = 1;

	lsi_trace_take(machine);
	if (before_round <= 1 || buffer->n == 0)
		return;
	qsort(buffer->event, buffer->n, sizeof *buffer->event, compare_events);
	while (events > 0 && done < buffer->n && buffer->event[done].record.round < before_round) {
		events = hand_out_next(machine, done, before_round == INT64_MAX);
		done += events;
	}
	if (done == 0)
		return;
	buffer->n -= done;
	memmove(buffer->event, buffer->event + done, buffer->n * sizeof *buffer->event);
	lsi_trace_output_flush(&machine->trace_output);
}
