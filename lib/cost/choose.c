/*
 * The choice of an algorithm for a request: the named one, else the cheapest under fixed constants.
 * If several have the same cost, the first in the table wins.
 *
 *   request -> candidates -> estimate without congestion -> with congestion, if small -> cheapest
 *                 | none
 *                 +-> refusal, with a remedy
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"
#include "collective/algorithm.h"
#include "collective/cost_bound.h"
#include "collective/round_bound.h"
#include "collective/words_bound.h"
#include "cost/candidate.h"
#include "cost/cost_internal.h"
#include "cost/refusal.h"
#include "schedule/lower_bound.h"
#include "schedule/records.h"

/* One node exchanges nothing; algorithms are never called for it. */
static struct ls_counts predict(
	const struct lsi_algorithm *a, const struct lsi_selection *selection)
{
	const struct lsi_problem *problem = &selection->problem;
	const size_t n = selection->count;

	if (problem->nodes == 1)
		return (struct ls_counts){ 0 };
	if (lsi_counts_may_overflow(problem->nodes, n)) {
		struct ls_counts sample = a->predict(problem, LSI_SAMPLE);

		if (lsi_counts_overflow(sample, problem->nodes, n)) {
			sample.words = sample.volume = INT64_MAX;
			return sample;
		}
	}
	return a->predict(problem, n);
}

/*
 * Predicted counts and cost of an algorithm that cuts its data into `segments` pieces, or sends up
 * to this number of blocks per message.
 */
struct estimate {
	int64_t segments;
	struct ls_counts counts;
	double cost;     /* by ls_cost_model_default; without congestion until `congested` */
	int64_t load;    /* most messages on a link in a round; -1: unknown */
	bool congested;  /* cost and load account for congestion, or tried to */
	bool incomplete; /* some figure is missing because memory ran out */
};

/* In hop mode every message has its link alone, so the load is 1. */
static struct estimate estimate_segments(
	const struct lsi_algorithm *a, struct lsi_selection selection, int64_t segments)
{
	struct estimate estimate = { .segments = segments,
		.load = selection.problem.mode == LS_HOP ? 1 : -1 };

	selection.problem.segments = segments;
	estimate.counts = predict(a, &selection);
	estimate.incomplete = estimate.counts.rounds < 0;
	estimate.cost =
		lsi_counts_cost(estimate.counts, ls_type_size(selection.type), ls_cost_model_default);
	return estimate;
}

/* Replace the estimate by that of another number of segments, if this costs less. */
static bool improve(struct estimate *best, const struct lsi_algorithm *a,
	const struct lsi_selection *selection, int64_t segments)
{
	struct estimate next = estimate_segments(a, *selection, segments);
	const bool better = !next.incomplete && next.cost < best->cost;

	next.incomplete |= best->incomplete;
	best->incomplete = next.incomplete;
	if (better)
		*best = next;
	return better;
}

/*
 * The estimate of the cheapest number of segments.  Doubles the number while the cost falls: more
 * pieces overlap more, but add rounds of cost t_s each; longer messages save rounds, but leave
 * ports idle.  Then tries the numbers halfway to the next lower and higher one.
 */
static struct estimate best_segments(
	const struct lsi_algorithm *a, const struct lsi_selection *selection)
{
	struct estimate best = estimate_segments(a, *selection, 1);
	int64_t segments = 1;

	while ((size_t)segments < selection->count && improve(&best, a, selection, 2 * segments))
		segments *= 2;
	if (segments > 2)
		improve(&best, a, selection, segments / 2 + segments / 4);
	if (segments > 1 && best.segments == segments && (size_t)segments < selection->count)
		improve(&best, a, selection, segments + segments / 2);
	return best;
}

/*
 * Algorithms for every network visit all nodes to count.  On very large networks they get an
 * infinite cost: the choice takes one only if no other algorithm serves.
 */
static struct estimate estimate_algorithm(
	const struct lsi_algorithm *a, const struct lsi_selection *selection)
{
	if (!a->general || selection->problem.nodes <= LS_COUNTED_NODES)
		return best_segments(a, selection);
	return (struct estimate){
		.segments = 1, .counts = { -1, -1, -1, -1 }, .cost = INFINITY, .load = -1
	};
}

/* Whether a walk over all messages and links is short enough to count the loads of links. */
static bool is_walked(const struct lsi_problem *problem, const struct ls_counts *counts)
{
	enum { LINKS_MAX = 1 << 22 };
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_ROUTED && problem->nodes > 1 && counts->rounds >= 0
		&& lsi_mul_sat(problem->nodes, counts->rounds) <= LS_LOAD_WALK_LIMIT
		&& lsi_mul_sat(t->vertices, t->degree) <= LINKS_MAX;
}

/* Add the cost of congestion, once, if the walk is short enough. */
static void add_congestion(
	const struct lsi_algorithm *a, const struct lsi_selection *selection, struct estimate *estimate)
{
	struct lsi_problem problem = selection->problem;
	struct lsi_congestion found;
	struct ls_plan *plan;

	problem.segments = estimate->segments;
	if (estimate->congested || !is_walked(&problem, &estimate->counts))
		return;
	estimate->congested = true;
	estimate->incomplete = lsi_plan_make_from(a, &problem, &plan) != LS_OK;
	if (estimate->incomplete)
		return;
	estimate->incomplete = lsi_congestion_of(plan, NULL, selection->count, &found) != LS_OK;
	if (!estimate->incomplete) {
		estimate->load = found.load;
		estimate->counts.volume = lsi_add_sat(estimate->counts.volume, found.excess);
		estimate->cost =
			lsi_counts_cost(estimate->counts, ls_type_size(selection->type), ls_cost_model_default);
	}
	ls_plan_destroy(plan);
}

/*
 * Whether a rival is cheaper with congestion, which only adds cost: a rival that costs more without
 * congestion needs no walk.
 */
static bool is_cheaper(struct estimate *rival, const struct lsi_algorithm *a,
	struct estimate *least, const struct lsi_algorithm *best, const struct lsi_selection *selection)
{
	add_congestion(best, selection, least);
	if (rival->cost < least->cost)
		add_congestion(a, selection, rival);
	return rival->cost < least->cost;
}

/* Whether an algorithm that computes its schedule cannot cost less than this, whatever it finds. */
static bool costs_as_much(
	const struct lsi_algorithm *a, const struct lsi_selection *selection, double cost)
{
	return a->predict_least && selection->problem.nodes > 1
		&& lsi_counts_cost(a->predict_least(&selection->problem, selection->count),
			   ls_type_size(selection->type), ls_cost_model_default)
		>= cost;
}

enum tier {
	OWN = 1,    /* made for particular networks */
	FORM = 2,   /* compositions of such algorithms */
	GENERAL = 4 /* serve every network */
};

static enum tier tier_of(const struct lsi_algorithm *a)
{
	return a->general ? GENERAL : a->level >= LSI_LEVEL_FORM ? FORM : OWN;
}

/*
 * The candidate of some tiers with the lowest cost, in *least; the first in the table if several
 * are equal; NULL: none.  least->incomplete: memory ran out for any comparison.
 */
static const struct lsi_algorithm *cheapest(
	const struct lsi_selection *selection, unsigned tiers, struct estimate *least)
{
	const struct lsi_algorithm *best = NULL;
	bool incomplete = false;

	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!(tiers & tier_of(a)) || !lsi_is_candidate(a, selection)
			|| (best && costs_as_much(a, selection, least->cost)))
			continue;

		struct estimate estimate = estimate_algorithm(a, selection);
		const bool better = !best || is_cheaper(&estimate, a, least, best, selection);

		incomplete |= estimate.incomplete || (best && least->incomplete);
		if (better) {
			best = a;
			*least = estimate;
		}
	}
	least->incomplete = incomplete;
	return best;
}

/*
 * A general algorithm visits all nodes to estimate its cost.  On large networks the choice
 * considers the general ones only if no algorithm is made for the network.
 */
static const struct lsi_algorithm *choose(
	const struct lsi_selection *selection, struct estimate *estimate)
{
	bool own = false;

	for (size_t i = 0; lsi_algorithms[i] && !own; i++)
		own = tier_of(lsi_algorithms[i]) == OWN && lsi_is_candidate(lsi_algorithms[i], selection);
	return cheapest(selection,
		own && selection->problem.nodes > LS_EXACT_CHOICE_NODES ? OWN | FORM : OWN | FORM | GENERAL,
		estimate);
}

static bool is_algorithm(const char *name)
{
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		if (strcmp(lsi_algorithms[i]->name, name) == 0)
			return true;
	}
	return false;
}

/* ---- The entry points */

int lsi_choose(const struct ls_request *request, const struct lsi_algorithm **algorithm,
	struct lsi_problem *problem, struct ls_error *why_or_null)
{
	struct lsi_selection selection;
	struct estimate estimate;
	const int status = lsi_selection_init(&selection, request, why_or_null);

	if (status != LS_OK)
		return status;
	if (selection.algorithm && !is_algorithm(selection.algorithm))
		return lsi_refuse_unknown(&selection, why_or_null);
	*algorithm = choose(&selection, &estimate);
	if (!*algorithm)
		return lsi_refuse_unsupported(&selection, why_or_null);
	if (estimate.incomplete)
		return lsi_error_set(
			why_or_null, LS_ERR_MEMORY, "no memory to compare algorithms; try fewer nodes");
	*problem = selection.problem;
	problem->segments = estimate.segments;
	return LS_OK;
}

int ls_plan_make(const struct ls_request *request, ls_plan **out, struct ls_error *why_or_null)
{
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
	int status;

	if (!out)
		return lsi_error_set(
			why_or_null, LS_ERR_ARGUMENT, "out is NULL; expected the address of a plan");
	*out = NULL;
	status = lsi_choose(request, &algorithm, &problem, why_or_null);
	if (status != LS_OK)
		return status;
	status = lsi_plan_make_from(algorithm, &problem, out);
	if (status != LS_OK)
		return lsi_error_set(
			why_or_null, status, "no memory for the plan of %s; try fewer nodes", algorithm->name);
	return LS_OK;
}

int ls_algorithm_supports(size_t index, const struct ls_request *request)
{
	struct lsi_selection selection;
	const int status = lsi_selection_init(&selection, request, NULL);
	size_t i = 0;

	if (status != LS_OK)
		return status;
	while (i < index && lsi_algorithms[i])
		i++;
	return lsi_algorithms[i] && lsi_supports(lsi_algorithms[i], &selection) ? LS_OK
																			: LS_ERR_UNSUPPORTED;
}

bool ls_candidate_list(const struct ls_request *request, size_t index, struct ls_candidate *out)
{
	struct lsi_selection selection;

	if (!out || lsi_selection_init(&selection, request, NULL) != LS_OK)
		return false;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!lsi_is_candidate(a, &selection) || index-- > 0)
			continue;

		struct estimate estimate;
		const bool chosen = a == choose(&selection, &estimate);

		if (!chosen)
			estimate = estimate_algorithm(a, &selection);
		add_congestion(a, &selection, &estimate);

		const struct ls_candidate candidate = { sizeof candidate, a->name, estimate.counts,
			estimate.counts.rounds < 0 ? -1 : estimate.cost, chosen, estimate.load,
			lsi_lower_bound(a, &selection.problem), a->claim };

		lsi_sized_write(out, &candidate, sizeof candidate);
		return true;
	}
	return false;
}

int64_t ls_block_bound(const struct ls_request *request)
{
	struct lsi_selection selection;

	if (lsi_selection_init(&selection, request, NULL) != LS_OK)
		return -1;
	return selection.problem.nodes == 1 ? 0 : lsi_block_round_bound(&selection.problem);
}

int64_t ls_words_bound(const struct ls_request *request)
{
	struct lsi_selection selection;

	if (lsi_selection_init(&selection, request, NULL) != LS_OK)
		return -1;
	return lsi_words_bound(&selection.problem, selection.count);
}

double ls_cost_bound(const struct ls_request *request, struct ls_cost_model model)
{
	struct lsi_selection selection;
	int64_t rounds;

	if (lsi_selection_init(&selection, request, NULL) != LS_OK)
		return -1;
	rounds = selection.problem.nodes == 1
		? 0
		: lsi_max(lsi_round_lower_bound(&selection.problem), lsi_schedule_record_bound(request));
	return lsi_cost_bound(&selection.problem, rounds, selection.count, model.t_s,
		(double)ls_type_size(selection.type) * model.t_w);
}
