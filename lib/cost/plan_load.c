/*
 * What plans load onto the links of a network.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sized.h"
#include "cost/cost_internal.h"
#include "topology/embedding_internal.h"
#include "topology/link_traffic.h"

struct walk {
	const struct ls_plan *plan;
	const ls_embedding *embedding;
	size_t n;
	struct lsi_link_traffics loads; /* of the step at hand */
	int64_t longest;                /* message of it, in words */
	int64_t *to;                    /* by node and port: receivers in the round before */
};

static struct walk begin(const struct ls_plan *plan, const ls_embedding *embedding, size_t n)
{
	return (struct walk){ .plan = plan,
		.embedding = embedding,
		.n = n,
		.loads.topology = embedding ? embedding->host : plan->problem.topology };
}

static void end(struct walk *walk)
{
	lsi_link_traffics_fini(&walk->loads);
	lsi_free(walk->to);
}

static int add(struct walk *walk, int64_t from, int64_t to, int64_t words)
{
	const int64_t *place = walk->embedding ? walk->embedding->place : NULL;

	return lsi_link_traffics_add(
		&walk->loads, place ? place[from] : from, place ? place[to] : to, words);
}

/* The messages of a step with their words. */
static int add_step(struct walk *walk, int64_t step)
{
	const struct lsi_measure measure = { .n = walk->n };
	int status = LS_OK;

	lsi_link_traffics_clear(&walk->loads);
	walk->longest = 0;
	for (int64_t u = 0; u < walk->plan->problem.nodes; u++) {
		struct ls_step does;

		ls_plan_step(walk->plan, u, step, &does);
		for (int q = 0; status == LS_OK && q < does.ports; q++) {
			if (does.to[q] == LS_NO_RANK)
				continue;

			const int64_t words = (int64_t)lsi_slice_words(walk->plan, u, &does.send[q], &measure);

			walk->longest = words > walk->longest ? words : walk->longest;
			status = add(walk, u, does.to[q], words);
		}
	}
	return status;
}

/*
 * Who sends to whom in a step, into walk->to; true: the same as in the step before.
 * Pure routes depend on nothing else, so what was found for that step holds for this.
 */
static bool is_repeated(struct walk *walk, int64_t step)
{
	bool repeated = step > 0;

	for (int64_t u = 0; u < walk->plan->problem.nodes; u++) {
		int64_t *to = walk->to + u * LS_PORTS;
		struct lsi_peers peers;

		lsi_plan_peers(walk->plan, u, step, &peers);
		repeated = repeated && memcmp(to, peers.to, sizeof peers.to) == 0;
		memcpy(to, peers.to, sizeof peers.to);
	}
	return repeated;
}

/* The messages of a step, whatever their words. */
static int add_peers(struct walk *walk)
{
	int status = LS_OK;

	lsi_link_traffics_clear(&walk->loads);
	for (int64_t i = 0; i < walk->plan->problem.nodes * LS_PORTS && status == LS_OK; i++) {
		if (walk->to[i] != LS_NO_RANK)
			status = add(walk, i / LS_PORTS, walk->to[i], 0);
	}
	return status;
}

/* Words are asked for only where messages meet. */
int lsi_congestion_of(
	const struct ls_plan *plan, const ls_embedding *embedding, size_t n, struct lsi_congestion *out)
{
	struct walk walk = begin(plan, embedding, n);
	int status = LS_OK;

	*out = (struct lsi_congestion){ 0 };
	walk.to = lsi_alloc((size_t)plan->problem.nodes * LS_PORTS * sizeof *walk.to);
	if (!walk.to)
		return LS_ERR_MEMORY;
	for (int64_t step = 0; step < ls_plan_steps(plan) && status == LS_OK; step++) {
		if (!is_repeated(&walk, step))
			status = add_peers(&walk);
		if (status == LS_OK && walk.loads.most.messages > 1) {
			status = add_step(&walk, step);
			out->excess += walk.loads.most.words - walk.longest;
		}
		if (walk.loads.most.messages > out->load)
			out->load = walk.loads.most.messages;
		out->hops += walk.loads.hops;
	}
	end(&walk);
	return status;
}

static int by_number(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int tell(struct lsi_link_traffics *loads, int (*link)(void *, const struct ls_link_load *),
	void *context)
{
	const struct ls_topology *t = loads->topology;
	int stop = 0;

	if (loads->n > 0)
		qsort(loads->loaded, loads->n, sizeof *loads->loaded, by_number);
	for (size_t i = 0; i < loads->n && !stop; i++) {
		const int64_t number = loads->loaded[i], at = number / t->degree;
		const struct ls_link_load told = { at, ls_neighbor(t, at, number % t->degree),
			loads->of[number].messages, loads->of[number].words };

		stop = link(context, &told);
	}
	return stop;
}

int ls_plan_round_load(const ls_plan *plan, const ls_embedding *embedding, int64_t step, size_t n,
	struct ls_round_load *out)
{
	struct walk walk = begin(plan, embedding, n);
	const int status = add_step(&walk, step);
	const struct ls_round_load found = { sizeof found, walk.loads.most.messages,
		walk.loads.most.words, walk.longest, walk.loads.hops };

	end(&walk);
	if (status == LS_OK)
		lsi_sized_write(out, &found, sizeof found);
	return status;
}

int ls_plan_link_loads(const ls_plan *plan, const ls_embedding *embedding, int64_t step, size_t n,
	int (*link)(void *, const struct ls_link_load *), void *context)
{
	struct walk walk = begin(plan, embedding, n);
	int status = add_step(&walk, step);

	if (status == LS_OK)
		status = tell(&walk.loads, link, context);
	end(&walk);
	return status;
}
