/*
 * The trace: what really passed the mailboxes.
 *
 * Nodes put records on a many-to-one queue.  The thread that runs the machine takes them off, keeps
 * those of rounds that may still grow, and hands the others to the user, sorted by round, then src.
 */
#include "machine/machine.h"

#include <stdlib.h>

struct item {
	struct ls_queue_item item;        /* first: the queue's node */
	struct ls_record record;
};

int ls_trace_put(struct ls_processor *me, const struct ls_record *record)
{
	struct item *item = ls_alloc(sizeof *item);

	if (!item)
		return ls_halt(me,
			(struct ls_fault){ LS_ERR_MEMORY, record->dst, record->round, -1, "trace" },
			"no memory for the trace");
	item->record = *record;
	ls_queue_put(me->machine->records, &item->item);
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

static bool keep(struct ls_kept *kept, const struct ls_record *record)
{
	if (kept->n == kept->room) {
		const size_t room = kept->room ? 2 * kept->room : 1024;
		struct ls_record *wider = ls_alloc_more(
			kept->record, kept->n * sizeof *wider, room * sizeof *wider);

		if (!wider)
			return false;
		kept->record = wider;
		kept->room = room;
	}
	kept->record[kept->n++] = *record;
	return true;
}

void ls_trace_drain(struct ls_machine *machine, int64_t before_round)
{
	struct ls_kept *kept = &machine->kept;
	struct ls_queue_item *taken;
	size_t done = 0;

	while ((taken = ls_queue_take(machine->records))) {
		struct item *item = (struct item *)(void *)taken;

		if (!keep(kept, &item->record))
			ls_machine_stop(machine, LS_ERR_MEMORY);
		ls_free(item);
	}
	if (before_round <= 1 || kept->n == 0)
		return;
	qsort(kept->record, kept->n, sizeof *kept->record, by_round_and_source);
	for (; done < kept->n && kept->record[done].round < before_round; done++)
		machine->options.trace(machine->options.trace_context, &kept->record[done]);
	kept->n -= done;
	for (size_t i = 0; done > 0 && i < kept->n; i++)
		kept->record[i] = kept->record[i + done];
}
