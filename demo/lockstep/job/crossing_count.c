#include "job/crossing_count.h"

#include "base/messages.h"
#include "base/processes.h"
#include "job/embedded.h"

#include <stdlib.h>

static bool crosses(const int64_t *first, int64_t from, int64_t to)
{
	return process_of_rank(first, from) != process_of_rank(first, to);
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
	host_trace(job, add_message, &counter);
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
