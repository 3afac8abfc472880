#include "topology/rank_text.h"

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

struct lsi_no_link_words lsi_no_link_text(const ls_topology *t, int64_t from, int64_t to)
{
	struct lsi_rank_text neighbors = { .text = "" };
	struct lsi_no_link_words words;

	for (int64_t link = 0; link < t->degree; link++)
		if (ls_neighbor(t, from, link) >= 0)
			lsi_rank_text_add(&neighbors, ls_neighbor(t, from, link));
	snprintf(words.text, sizeof words.text,
		"sends to node %lld, which is not a neighbor; try a neighbor (%s), --mode routed, or the "
		"line 'mode routed' in a plan file",
		(long long)to, lsi_rank_text_end(&neighbors));
	return words;
}
