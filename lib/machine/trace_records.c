/*
 * Records arrive in any order.  A buffer holds them until their round is complete; then they are
 * sorted, passed on and removed from the front of the buffer.
 */
#include "machine/trace_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/trace_output.h"
#include "machine/verdict.h"

struct item {
	struct lsi_queue_item item; /* first: the queue's entry */
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

static int compare_round_and_source(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

/* False: no memory. */
static bool buffer_add(struct lsi_trace_buffer *buffer, const struct ls_record *record)
{
	if (buffer->n == buffer->capacity) {
		const size_t capacity = buffer->capacity ? 2 * buffer->capacity : 1024;
		struct ls_record *larger =
			lsi_alloc_grow(buffer->record, buffer->n * sizeof *larger, capacity * sizeof *larger);

		if (!larger)
			return false;
		buffer->record = larger;
		buffer->capacity = capacity;
	}
	buffer->record[buffer->n++] = *record;
	return true;
}

static void hand_out(struct ls_machine *machine, const struct ls_record *record)
{
	if (machine->options.trace)
		machine->options.trace(machine->options.trace_context, record);
	lsi_trace_output_write(&machine->trace_output, record);
}

void lsi_trace_discard(struct ls_machine *machine)
{
	struct lsi_queue_item *taken;

	while (machine->records && (taken = lsi_queue_take(machine->records)))
		lsi_free(taken); /* the first member of an item */
	machine->trace_buffer.n = 0;
}

void lsi_trace_drain(struct ls_machine *machine, int64_t before_round)
{
	struct lsi_trace_buffer *buffer = &machine->trace_buffer;
	struct lsi_queue_item *taken;
	size_t done = 0;

	while ((taken = lsi_queue_take(machine->records))) {
		struct item *item = (struct item *)(void *)taken;

		if (!buffer_add(buffer, &item->record))
			ls_machine_stop(machine, LS_ERR_MEMORY);
		lsi_free(item);
	}
	if (before_round <= 1 || buffer->n == 0)
		return;
	qsort(buffer->record, buffer->n, sizeof *buffer->record, compare_round_and_source);
	for (; done < buffer->n && buffer->record[done].round < before_round; done++)
		hand_out(machine, &buffer->record[done]);
	if (done == 0)
		return;
	buffer->n -= done;
	memmove(buffer->record, buffer->record + done, buffer->n * sizeof *buffer->record);
	lsi_trace_output_flush(&machine->trace_output);
}
