/*
 * The trace: what really passed the mailboxes.
 *
 * Nodes put records on a many-to-one queue.  The thread that runs the machine takes them off, keeps
 * those of rounds that may still grow, and hands the others to the user, sorted by round, then src.
 */
#include "machine/machine_internal.h"

#include <stdlib.h>

struct item {
	struct lsi_queue_item item; /* first: the queue's node */
	struct ls_record record;
};

int lsi_trace_put(struct lsi_node_state *me, const struct ls_record *record)
{
	struct item *item = lsi_alloc(sizeof *item);

	if (!item)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, record->dst, record->round, -1, "trace" },
			"no memory for the trace");
	item->record = *record;
	lsi_queue_put(me->machine->records, &item->item);
	return LS_OK;
}

static int by_round_and_source(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

static bool keep(struct lsi_trace_buffer *trace_buffer, const struct ls_record *record)
{
	if (trace_buffer->n == trace_buffer->room) {
		const size_t room = trace_buffer->room ? 2 * trace_buffer->room : 1024;
		struct ls_record *wider = lsi_alloc_grow(
			trace_buffer->record, trace_buffer->n * sizeof *wider, room * sizeof *wider);

		if (!wider)
			return false;
		trace_buffer->record = wider;
		trace_buffer->room = room;
	}
	trace_buffer->record[trace_buffer->n++] = *record;
	return true;
}

void lsi_trace_drain(struct ls_machine *machine, int64_t before_round)
{
	struct lsi_trace_buffer *trace_buffer = &machine->trace_buffer;
	struct lsi_queue_item *taken;
	size_t done = 0;

	while ((taken = lsi_queue_take(machine->records))) {
		struct item *item = (struct item *)(void *)taken;

		if (!keep(trace_buffer, &item->record))
			ls_machine_stop(machine, LS_ERR_MEMORY);
		lsi_free(item);
	}
	if (before_round <= 1 || trace_buffer->n == 0)
		return;
	qsort(trace_buffer->record, trace_buffer->n, sizeof *trace_buffer->record, by_round_and_source);
	for (; done < trace_buffer->n && trace_buffer->record[done].round < before_round; done++)
		machine->options.trace(machine->options.trace_context, &trace_buffer->record[done]);
	trace_buffer->n -= done;
	for (size_t i = 0; done > 0 && i < trace_buffer->n; i++)
		trace_buffer->record[i] = trace_buffer->record[i + done];
}
