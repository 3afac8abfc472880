/*
 * From the left, the run that saves most characters is written, or else the next number.
 */
#include "draw/number_list.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"

enum { FIRST_ROOM = 64, PERIOD_MAX = 32 };

void lsi_number_list_add(struct lsi_number_list *list, int64_t number)
{
	if (list->n == list->room) {
		const size_t room = list->room ? 2 * list->room : FIRST_ROOM;
		int64_t *larger =
			lsi_alloc_grow(list->number, list->n * sizeof number, room * sizeof number);

		list->no_memory |= !larger;
		if (!larger)
			return;
		list->number = larger;
		list->room = room;
	}
	list->number[list->n++] = number;
}

void lsi_number_list_release(struct lsi_number_list *list)
{
	lsi_free(list->number);
}

/* ---- Runs */

struct run {
	size_t count, period;
	int64_t step, saved; /* characters */
};

/* Characters of numbers with a comma each. */
static int64_t length_of(const int64_t *number, size_t n)
{
	int64_t length = 0;

	for (size_t i = 0; i < n; i++)
		length += snprintf(NULL, 0, "%" PRId64 ",", number[i]);
	return length;
}

/* The longest run with this period at the front of the numbers; of n > period. */
static struct run run_of(const int64_t *number, size_t n, size_t period)
{
	struct run run = { .count = period, .period = period, .step = number[period] - number[0] };

	while (run.count < n && number[run.count] == number[run.count - period] + run.step)
		run.count++;
	if (run.count < 2 * period)
		return (struct run){ 0 };
	run.saved = length_of(number + period, run.count - period)
		- snprintf(NULL, 0, "[%zu,%" PRId64 ",]", run.count, run.step);
	return run;
}

static struct run best_run(const int64_t *number, size_t n)
{
	struct run best = { 0 };

	for (size_t period = 1; period <= PERIOD_MAX && period < n; period++) {
		const struct run run = run_of(number, n, period);

		if (run.saved > best.saved)
			best = run;
	}
	return best;
}

static void write_run(struct lsi_writer *w, const int64_t *number, const struct run *run)
{
	lsi_write(w, "[%zu,%" PRId64, run->count, run->step);
	for (size_t i = 0; i < run->period; i++)
		lsi_write(w, ",%" PRId64, number[i]);
	lsi_write(w, "]");
}

void lsi_number_list_write(struct lsi_number_list *list, struct lsi_writer *w)
{
	if (list->no_memory)
		w->failed = w->failed ? w->failed : LS_ERR_MEMORY;
	lsi_write(w, "[");
	for (size_t i = 0; i < list->n;) {
		const struct run run = best_run(list->number + i, list->n - i);

		lsi_write(w, i ? "," : "");
		if (run.saved > 0)
			write_run(w, list->number + i, &run);
		else
			lsi_write(w, "%" PRId64, list->number[i]);
		i += run.saved > 0 ? run.count : 1;
	}
	lsi_write(w, "]");
	list->n = 0;
}
