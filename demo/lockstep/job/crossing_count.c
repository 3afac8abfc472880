#include "job/crossing_count.h"

#include "base/messages.h"
#include "base/processes.h"

#include <stdlib.h>

/* The first ranks of all processes, and the number of nodes. */
static int64_t *first_ranks(const ls_topology *topology)
{
	const int count = processes_here()->count;
	int64_t *first = require_memory(calloc((size_t)count + 1, sizeof *first));

	for (int i = 0; i <= count; i++)
		first[i] = ls_first_rank(topology, count, i);
	return first;
}

/* The last process whose ranks begin at or before this one. */
static int process_of(const int64_t *first, int64_t rank)
{
	int low = 0,
		high = processes_here()->count - 1; /* the last one that begins at or before rank */

	while (low < high) {
		const int middle = (low + high + 1) / 2;

		if (first[middle] <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static bool crosses(const int64_t *first, int64_t from, int64_t to)
{
	return process_of(first, from) != process_of(first, to);
}

/* Messages are added in the order of their rounds. */
struct counter {
	const int64_t *first;
	size_t element; /* bytes */
	int64_t round;  /* of the last message that crosses; 0: none */
	struct crossing sum;
};

static int add_message(void *context, const struct ls_record *message)
{
	struct counter *counter = context;

	if (!crosses(counter->first, message->src, message->dst))
		return 0;
	counter->sum.messages++;
	counter->sum.bytes += (int64_t)(message->words * counter->element);
	counter->sum.rounds += message->round > counter->round;
	counter->round = message->round;
	return 0;
}

struct crossing crossing_of_job(const struct job *job, size_t element_bytes)
{
	struct counter counter = { .element = element_bytes };
	int64_t *first;

	if (!shared_world() || !processes_is_first())
		return counter.sum;
	counter.first = first = first_ranks(job->topology);
	ls_trace_plan(job->plan, job->request.count, add_message, &counter);
	free(first);
	return counter.sum;
}

static int by_round(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;

	return (x->round > y->round) - (x->round < y->round);
}

struct crossing crossing_of_rows(
	const ls_topology *topology, const struct ls_message *rows, size_t count, size_t element_bytes)
{
	struct counter counter = { .element = element_bytes };
	struct ls_record *sent;
	int64_t *first;
	size_t n = 0;

	if (!shared_world() || !processes_is_first())
		return counter.sum;
	counter.first = first = first_ranks(topology);
	sent = require_memory(calloc(count + 1, sizeof *sent));
	for (size_t i = 0; i < count; i++)
		if (!rows[i].unsent)
			sent[n++] = (struct ls_record){ .round = rows[i].round,
				.src = rows[i].src,
				.dst = rows[i].dst,
				.words = rows[i].words };
	qsort(sent, n, sizeof *sent, by_round);
	for (size_t i = 0; i < n; i++)
		add_message(&counter, &sent[i]);
	free(sent);
	free(first);
	return counter.sum;
}
