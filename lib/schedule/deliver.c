/*
 * Two passes over the rounds, as lib/schedule/infer_blocks.c makes them, but on links without
 * contents:
 *
 *   forward     each message could bring all that its sender knows and its receiver lacks
 *   backward    of this, only what a result or a later message needs is kept
 *
 * A link that keeps nothing is dropped.  For an operation whose rounds run backwards, message t
 * from u to v becomes message T + 1 - t from v to u.
 */
#include "schedule/deliver.h"

#include <string.h>

#include <lockstep/schedule.h>

#include "base/alloc.h"
#include "base/error.h"
#include "schedule/partial_sums.h"
#include "schedule/partition.h"

/* ---- Deliveries */

/* What each message can bring: what its receiver lacks, after the messages before it. */
static void flood(struct lsi_deliveries *d)
{
	const struct lsi_link_schedule *s = d->schedule;
	struct lsi_node_set known[LSI_FIND_NODES] = { 0 }, before[LSI_FIND_NODES];

	for (int v = 0; v < s->arcs->nodes; v++)
		lsi_nodes_add(&known[v], v);
	for (int i = 0; i < s->rounds * s->arcs->count; i++) {
		const struct lsi_arc *arc = &s->arcs->arc[i % s->arcs->count];

		if (i % s->arcs->count == 0)
			memcpy(before, known, sizeof before);
		if (!s->used[i])
			continue;
		d->carried[i] = lsi_nodes_without(before[arc->from], known[arc->to]);
		known[arc->to] = lsi_nodes_union(known[arc->to], d->carried[i]);
	}
}

/* Of one round: what the receivers need stays, and becomes a need of the senders. */
static void keep_needed(struct lsi_deliveries *d, int round, struct lsi_node_set *needs)
{
	const struct lsi_arcs *arcs = d->schedule->arcs;
	struct lsi_node_set *carried = &d->carried[round * arcs->count];

	for (int a = 0; a < arcs->count; a++) {
		carried[a] = lsi_nodes_common(carried[a], needs[arcs->arc[a].to]);
		needs[arcs->arc[a].to] = lsi_nodes_without(needs[arcs->arc[a].to], carried[a]);
	}
	for (int a = 0; a < arcs->count; a++)
		needs[arcs->arc[a].from] = lsi_nodes_union(needs[arcs->arc[a].from], carried[a]);
}

int lsi_deliveries_init(
	struct lsi_deliveries *d, const struct lsi_link_schedule *schedule, const struct lsi_goal *goal)
{
	struct lsi_node_set needs[LSI_FIND_NODES];

	*d = (struct lsi_deliveries){ schedule,
		lsi_alloc_zero(
			(size_t)(schedule->rounds * schedule->arcs->count) + 1, sizeof *d->carried) };
	if (!d->carried)
		return LS_ERR_MEMORY;
	flood(d);
	memcpy(needs, goal->wants, sizeof needs);
	for (int t = schedule->rounds - 1; t >= 0; t--)
		keep_needed(d, t, needs);
	return LS_OK;
}

void lsi_deliveries_fini(struct lsi_deliveries *d)
{
	lsi_free(d->carried);
}

/* ---- Counts */

static bool moves_parcels(enum ls_operation operation)
{
	return operation == LS_SCATTER || operation == LS_GATHER || operation == LS_ALLTOALL;
}

/*
 * The words of the messages of a round, from the last round to the first.  parcels[v * p + x] is
 * the number of nodes that get the parcel of x by way of v, in later rounds or now.
 */
static void count_round(const struct lsi_deliveries *d, int round, enum ls_operation operation,
	int64_t *parcels, struct ls_counts *counts)
{
	const struct lsi_arcs *arcs = d->schedule->arcs;
	int64_t longest = 0;

	for (int a = 0; a < arcs->count; a++) {
		const struct lsi_node_set *carried = lsi_deliveries_at(d, round, a);
		int64_t words = 0;

		for (int x = lsi_nodes_next(carried, 0); x < arcs->nodes;
			 x = lsi_nodes_next(carried, x + 1)) {
			const int64_t through = parcels[arcs->arc[a].to * arcs->nodes + x];

			parcels[arcs->arc[a].from * arcs->nodes + x] += through;
			words += moves_parcels(operation) ? through : 1;
		}
		counts->messages += words > 0;
		counts->words += words;
		longest = words > longest ? words : longest;
	}
	counts->volume += longest;
}

struct ls_counts lsi_deliveries_counts(
	const struct lsi_deliveries *d, const struct lsi_goal *goal, enum ls_operation operation)
{
	const size_t p = (size_t)d->schedule->arcs->nodes;
	struct ls_counts counts = { .rounds = d->schedule->rounds };
	int64_t *parcels;

	if (operation == LS_ALLREDUCE)
		return lsi_merge_counts(d);
	parcels = lsi_alloc_zero(p * p, sizeof *parcels);
	if (!parcels)
		return (struct ls_counts){ -1, -1, -1, -1 };
	for (size_t i = 0; i < p * p; i++)
		parcels[i] = i / p != i % p && lsi_goal_has(goal, (int)(i / p), (int)(i % p));
	for (int t = d->schedule->rounds - 1; t >= 0; t--)
		count_round(d, t, operation, parcels, &counts);
	lsi_free(parcels);
	return counts;
}

/* ---- Plans */

/* The messages that carry something, mirrored if the goal is backward; NULL: no memory. */
static struct ls_message *list_messages(
	const struct lsi_deliveries *d, bool backward, size_t *count)
{
	const struct lsi_link_schedule *s = d->schedule;
	const size_t most = (size_t)(s->rounds * s->arcs->count);
	struct ls_message *list = lsi_alloc((most + 1) * sizeof *list);

	*count = 0;
	for (size_t i = 0; i < most && list; i++) {
		const struct lsi_arc *arc = &s->arcs->arc[i % (size_t)s->arcs->count];
		const int64_t round = (int64_t)(i / (size_t)s->arcs->count) + 1;

		if (!lsi_nodes_is_empty(&d->carried[i]))
			list[(*count)++] = (struct ls_message){
				.round = backward ? s->rounds + 1 - round : round,
				.src = backward ? arc->to : arc->from,
				.dst = backward ? arc->from : arc->to,
			};
	}
	return list;
}

/* Data that moves unchanged, and sums on a tree: the contents are inferred. */
static int infer_plan(const struct ls_request *request, const struct lsi_deliveries *d,
	const struct lsi_goal *goal, ls_plan **out, struct ls_error *why)
{
	size_t count;
	struct ls_message *list = list_messages(d, goal->backward, &count);
	int status;

	if (!list)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the messages of a schedule");
	status = lsi_infer_plan(request, list, count, request->operation == LS_BARRIER, out, why);
	lsi_free(list);
	return status;
}

int lsi_schedule_plan(const struct ls_request *request, const struct lsi_link_schedule *schedule,
	const struct lsi_goal *goal, ls_plan **out, struct ls_error *why)
{
	struct lsi_deliveries d;
	int status = lsi_deliveries_init(&d, schedule, goal);

	*out = NULL;
	if (status != LS_OK)
		lsi_error_set(why, status, "no memory for the deliveries of a schedule");
	else if (request->operation == LS_ALLREDUCE)
		status = lsi_merge_plan(request, &d, out, why);
	else if (request->operation == LS_REDUCE_SCATTER)
		status = lsi_mirror_plan(request, &d, out, why);
	else
		status = infer_plan(request, &d, goal, out, why);
	if (status == LS_OK)
		((struct lsi_table *)(*out)->table)->algorithm.nodup = true;
	lsi_deliveries_fini(&d);
	return status;
}
