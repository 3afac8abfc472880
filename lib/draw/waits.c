#include "draw/waits.h"

#include <stdlib.h>

#include "base/alloc.h"

/* A wait before it is merged with those that overlap it. */
struct node_wait {
	int64_t node;
	struct lsi_wait_time wait;
};

static int compare(const void *one, const void *other)
{
	const struct node_wait *a = one, *b = other;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->wait.begin > b->wait.begin) - (a->wait.begin < b->wait.begin);
}

static size_t collect(const struct lsi_subject *s, struct node_wait *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->messages; i++) {
		const struct ls_record *m = &s->message[i];

		if (lsi_is_received(m) && m->waited_ns > 0)
			out[n++] = (struct node_wait){ m->dst, { lsi_wait_begin(m), m->received_ns } };
	}
	if (n > 0)
		qsort(out, n, sizeof *out, compare);
	return n;
}

/* Waits of a node that overlap or touch become one. */
static void merge(const struct node_wait *from, size_t n, int64_t nodes, struct lsi_waits *out)
{
	size_t i = 0, kept = 0;

	for (int64_t v = 0; v < nodes; v++) {
		out->first[v] = kept;
		for (; i < n && from[i].node == v; i++) {
			struct lsi_wait_time *last = kept > out->first[v] ? &out->wait[kept - 1] : NULL;

			if (!last || from[i].wait.begin > last->end)
				out->wait[kept++] = from[i].wait;
			else if (from[i].wait.end > last->end)
				last->end = from[i].wait.end;
		}
	}
	out->first[nodes] = kept;
}

int lsi_waits_make(const struct lsi_subject *s, struct lsi_waits *out)
{
	struct node_wait *all = lsi_alloc((s->messages + 1) * sizeof *all);

	*out = (struct lsi_waits){ lsi_alloc((s->messages + 1) * sizeof *out->wait),
		lsi_alloc(((size_t)s->nodes + 1) * sizeof *out->first) };

	const bool complete = all && out->wait && out->first;

	if (complete)
		merge(all, collect(s, all), s->nodes, out);
	lsi_free(all);
	return complete ? LS_OK : LS_ERR_MEMORY;
}

void lsi_waits_release(struct lsi_waits *waits)
{
	lsi_free(waits->wait);
	lsi_free(waits->first);
}

double lsi_waits_sum(const struct lsi_waits *waits, int64_t node)
{
	double sum = 0;

	for (size_t i = waits->first[node]; i < waits->first[node + 1]; i++)
		sum += (double)(waits->wait[i].end - waits->wait[i].begin);
	return sum;
}
