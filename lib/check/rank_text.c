#include "check/rank_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 6 }; /* written; the longest message has room for them if ranks have few digits */

static void write_run(struct lsi_rank_text *list)
{
	const char *comma = list->runs > 0 ? ", " : "";
	const size_t length = strlen(list->text), room = sizeof list->text - length;
	char run[48];

	if (list->runs > RUNS)
		return;
	if (list->first == list->last)
		snprintf(run, sizeof run, "%s%" PRId64, comma, list->first);
	else
		snprintf(run, sizeof run, "%s%" PRId64 "%s%" PRId64, comma, list->first,
			list->last == list->first + 1 ? ", " : "..", list->last);
	if (list->runs == RUNS || strlen(run) + sizeof ", .." > room) {
		snprintf(list->text + length, room, ", ..");
		list->runs = RUNS;
	} else {
		snprintf(list->text + length, room, "%s", run);
	}
	list->runs++;
}

void lsi_rank_text_add(struct lsi_rank_text *list, int64_t rank)
{
	if (list->count > 0 && rank == list->last + 1) {
		list->last = rank;
	} else {
		if (list->count > 0)
			write_run(list);
		list->first = list->last = rank;
	}
	list->count++;
}

const char *lsi_rank_text_end(struct lsi_rank_text *list)
{
	if (list->count > 0)
		write_run(list);
	return list->text;
}
