/*
 * The load of a plan on the directed links of its network, or of the host of an embedding.
 *
 * Messages of one round that share a link share its bandwidth.  The round then takes as long as the
 * words on its busiest link:
 *
 *    0 ---2 words---+              excess = words on the busiest link - longest message
 *                   v                     = (2 + 3) - 3
 *    1 ---3 words-> 2 ==5 words==> 3
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "base/sized.h"
#include "cost/cost_internal.h"
#include "topology/embedding_internal.h"
#include "topology/link_traffic.h"

/* A walk over the messages of a plan, step by step. */
struct walk {
	const struct ls_plan *plan;
	const ls_embedding *embedding;
	size_t n;
	struct lsi_link_traffics loads; /* of the current step */
	int64_t longest;                /* message of the current step, in words */
	int64_t *to;                    /* by node and port: receivers in the last step */
};

static struct walk walk_begin(const struct ls_plan *plan, const ls_embedding *embedding, size_t n)
{
	return (struct walk){ .plan = plan,
		.embedding = embedding,
		.n = n,
		.loads.topology = embedding ? embedding->host : plan->problem.topology };
}

static void walk_end(struct walk *walk)
{
	lsi_link_traffics_fini(&walk->loads);
	lsi_free(walk->to);
}

/* One message of a node of the plan, along its route between the host nodes. */
static int add_message(struct walk *walk, int64_t from, int64_t to, int64_t words)
{
	const int64_t *host_rank = walk->embedding ? walk->embedding->host_rank : NULL;

	return lsi_link_traffics_add(
		&walk->loads, host_rank ? host_rank[from] : from, host_rank ? host_rank[to] : to, words);
}

/* Replace the loads by those of a step, words included.  LS_OK or LS_ERR_MEMORY. */
static int add_step(struct walk *walk, int64_t step)
{
	const struct lsi_measure measure = { .n = walk->n };
	int status = LS_OK;

	lsi_link_traffics_clear(&walk->loads);
	walk->longest = 0;
	for (int64_t u = 0; u < walk->plan->problem.nodes; u++) {
		struct ls_step actions;

		ls_plan_step(walk->plan, u, step, &actions);
		for (int q = 0; status == LS_OK && q < actions.ports; q++) {
			if (actions.to[q] == LS_NO_RANK)
				continue;

			const int64_t words =
				(int64_t)lsi_slice_words(walk->plan, u, &actions.send[q], &measure);

			walk->longest = words > walk->longest ? words : walk->longest;
			status = add_message(walk, u, actions.to[q], words);
		}
	}
	return status;
}

/*
 * Store the receivers of a step in walk->to.  Returns true if they equal those of the last step:
 * routes depend on nothing else, so the message counts of that step still hold.
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

/* Replace the loads by the messages in walk->to, with 0 words each. */
static int add_peers(struct walk *walk)
{
	int status = LS_OK;

	lsi_link_traffics_clear(&walk->loads);
	for (int64_t i = 0; i < walk->plan->problem.nodes * LS_PORTS && status == LS_OK; i++) {
		if (walk->to[i] != LS_NO_RANK)
			status = add_message(walk, i / LS_PORTS, walk->to[i], 0);
	}
	return status;
}

/* Counts words only in steps where two messages share a link: elsewhere the excess is 0. */
int lsi_congestion_of(
	const struct ls_plan *plan, const ls_embedding *embedding, size_t n, struct lsi_congestion *out)
{
	struct walk walk = walk_begin(plan, embedding, n);
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
			out->excess = lsi_add_sat(out->excess, walk.loads.most.words - walk.longest);
		}
		if (walk.loads.most.messages > out->load)
			out->load = walk.loads.most.messages;
		out->hops += walk.loads.hops;
	}
	walk_end(&walk);
	return status;
}

static int by_number(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Call link() for each loaded link, by number, until it returns nonzero; returns that value. */
static int report_links(struct lsi_link_traffics *loads,
	int (*link)(void *, const struct ls_link_load *), void *context)
{
	const struct ls_topology *t = loads->topology;
	int stop = 0;

	if (loads->n > 0)
		qsort(loads->loaded, loads->n, sizeof *loads->loaded, by_number);
	for (size_t i = 0; i < loads->n && !stop; i++) {
		const int64_t number = loads->loaded[i], at = number / t->degree;
		const struct ls_link_load load = { at, ls_neighbor(t, at, number % t->degree),
			loads->of[number].messages, loads->of[number].words };

		stop = link(context, &load);
	}
	return stop;
}

int ls_plan_round_load(const ls_plan *plan, const ls_embedding *embedding, int64_t step, size_t n,
	struct ls_round_load *out)
{
	if (!plan || !out)
		return LS_ERR_ARGUMENT;

	struct walk walk = walk_begin(plan, embedding, n);
	const int status = add_step(&walk, step);
	const struct ls_round_load found = { sizeof found, walk.loads.most.messages,
		walk.loads.most.words, walk.longest, walk.loads.hops };

	walk_end(&walk);
	if (status == LS_OK)
		lsi_sized_write(out, &found, sizeof found);
	return status;
}

int ls_plan_link_loads(const ls_plan *plan, const ls_embedding *embedding, int64_t step, size_t n,
	int (*link)(void *, const struct ls_link_load *), void *context)
{
	if (!plan || !link)
		return LS_ERR_ARGUMENT;

	struct walk walk = walk_begin(plan, embedding, n);
	int status = add_step(&walk, step);

	if (status == LS_OK)
		status = report_links(&walk.loads, link, context);
	walk_end(&walk);
	return status;
}
