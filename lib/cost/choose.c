/*
 * Which algorithm serves a request: the one that is named, else the cheapest under fixed
 * constants; of equal ones the first of the table.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/math.h"
#include "base/sized.h"
#include "base/suggest.h"
#include "collective/algorithm.h"
#include "cost/cost_internal.h"

/* A request with its defaults filled in. */
struct asked {
	struct lsi_problem problem;
	const char *algorithm;
	size_t count;
	ls_type type;
	ls_op op;
};

static const char *const mode_name[] = { [LS_HOP] = "hop", [LS_ROUTED] = "routed" };

static int complete(const struct ls_request *request, struct asked *asked, struct ls_error *why)
{
	struct ls_request r;

	if (!lsi_sized_read(&r, sizeof r, request))
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"a request of %zu bytes; expected %zu, or zeros behind them", request->size, sizeof r);
	if (!r.topology || (unsigned)r.operation >= LS_OPERATIONS || (unsigned)r.mode > LS_ROUTED)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"no topology, operation or mode; expected all three in a request");

	const int64_t nodes = ls_topology_nodes(r.topology);

	if (r.root < 0 || r.root >= nodes)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "root %lld; expected 0 to %lld",
			(long long)r.root, (long long)nodes - 1);
	if (r.ports < 0 || r.ports > LS_PORTS)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "%d ports; expected 1 to %d", r.ports, LS_PORTS);
	asked->problem = (struct lsi_problem){ .topology = r.topology,
		.nodes = nodes,
		.operation = r.operation,
		.mode = r.mode,
		.root = r.root,
		.shift = lsi_wrap(r.shift, nodes),
		.segments = 1,
		.ports = r.ports ? r.ports : 1,
		.in_place = r.in_place };
	asked->algorithm = r.algorithm;
	asked->count = r.count;
	asked->type = r.type ? r.type : LS_DOUBLE;
	asked->op = r.op ? r.op : LS_SUM;
	if (lsi_operation_combines(r.operation) && !ls_op_defined(asked->op, asked->type))
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"operator %s is not defined for type %s; try another of the two", ls_op_name(asked->op),
			ls_type_name(asked->type));
	return LS_OK;
}

static bool serves(const struct lsi_algorithm *a, const struct asked *asked)
{
	const uint32_t operation = LSI_FOR(asked->problem.operation);

	if (!(a->operations & operation) || !a->supports(&asked->problem))
		return false;
	if (!lsi_operation_combines(asked->problem.operation))
		return true;
	if (!ls_op_commutative(asked->op))
		return a->claim >= LS_ORDERED;
	return a->claim != LS_IDEMPOTENT || ls_op_idempotent(asked->op);
}

/* Unless named, an algorithm must also give equal bits everywhere, and not be for teaching. */
static bool is_candidate(const struct lsi_algorithm *a, const struct asked *asked)
{
	if (!serves(a, asked))
		return false;
	if (asked->algorithm)
		return strcmp(a->name, asked->algorithm) == 0;
	if (asked->problem.operation == LS_ALLREDUCE && !ls_op_exact(asked->op, asked->type)
		&& !a->identical)
		return false;
	return !a->teaching;
}

static struct ls_counts counts(const struct lsi_algorithm *a, const struct asked *asked)
{
	if (asked->problem.nodes == 1)
		return (struct ls_counts){ 0 };
	return a->predict(&asked->problem, asked->count);
}

/* What an algorithm would take, in so many segments. */
struct offer {
	int64_t segments;
	struct ls_counts counts;
	double cost;          /* without congestion, until it is priced */
	int64_t load;         /* -1: not known */
	bool priced, starved; /* starved: some figure is missing for want of memory */
};

static struct offer offer(const struct lsi_algorithm *a, struct asked asked, int64_t segments)
{
	struct offer offer = { .segments = segments, .load = asked.problem.mode == LS_HOP ? 1 : -1 };

	asked.problem.segments = segments;
	offer.counts = counts(a, &asked);
	offer.starved = offer.counts.rounds < 0;
	offer.cost = lsi_counts_cost(offer.counts, ls_type_size(asked.type), ls_cost_model_default);
	return offer;
}

/* With the cheapest number of segments: doubled while that helps. */
static struct offer best_offer(const struct lsi_algorithm *a, const struct asked *asked)
{
	struct offer best = offer(a, *asked, 1);

	while ((size_t)best.segments < asked->count) {
		const struct offer next = offer(a, *asked, 2 * best.segments);

		best.starved |= next.starved;
		if (next.starved || next.cost >= best.cost)
			break;
		best = next;
	}
	return best;
}

/* Those for any network visit every node to count: on very large ones only a lack of others counts.
 */
static struct offer figures(const struct lsi_algorithm *a, const struct asked *asked)
{
	if (!a->general || asked->problem.nodes <= LS_COUNTED_NODES)
		return best_offer(a, asked);
	return (
		struct offer){ .segments = 1, .counts = { -1, -1, -1, -1 }, .cost = INFINITY, .load = -1 };
}

static bool is_walked(const struct lsi_problem *problem, const struct ls_counts *counts)
{
	enum { LINKS_MOST = 1 << 22 };
	const struct ls_topology *t = problem->topology;

	return problem->mode == LS_ROUTED && problem->nodes > 1 && counts->rounds >= 0
		&& lsi_mul_sat(problem->nodes, counts->rounds) <= LS_LOAD_WALK_LIMIT
		&& lsi_mul_sat(t->vertices, t->degree) <= LINKS_MOST;
}

/* Add the price of congestion, once, where the walk is short enough. */
static void price(const struct lsi_algorithm *a, const struct asked *asked, struct offer *offer)
{
	struct lsi_problem problem = asked->problem;
	struct lsi_congestion found;
	struct ls_plan *plan;

	problem.segments = offer->segments;
	if (offer->priced || !is_walked(&problem, &offer->counts))
		return;
	offer->priced = true;
	offer->starved = lsi_plan_make_from(a, &problem, &plan) != LS_OK;
	if (offer->starved)
		return;
	offer->starved = lsi_congestion_of(plan, NULL, asked->count, &found) != LS_OK;
	if (!offer->starved) {
		offer->load = found.load;
		offer->counts.volume += found.excess;
		offer->cost =
			lsi_counts_cost(offer->counts, ls_type_size(asked->type), ls_cost_model_default);
	}
	ls_plan_destroy(plan);
}

/* Whether a rival, not yet priced, is cheaper: not if it is dearer without congestion. */
static bool undercuts(struct offer *rival, const struct lsi_algorithm *a, struct offer *least,
	const struct lsi_algorithm *best, const struct asked *asked)
{
	price(best, asked, least);
	if (rival->cost < least->cost)
		price(a, asked, rival);
	return rival->cost < least->cost;
}

/* Algorithms for particular networks; whole forms made of such; those that serve every network. */
enum tier { OWN = 1, FORM = 2, GENERAL = 4 };

static enum tier tier_of(const struct lsi_algorithm *a)
{
	return a->general ? GENERAL : a->level >= LSI_LEVEL_FORM ? FORM : OWN;
}

static const struct lsi_algorithm *cheapest(
	const struct asked *asked, unsigned tiers, struct offer *least)
{
	const struct lsi_algorithm *best = NULL;
	bool starved = false;

	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!(tiers & tier_of(a)) || !is_candidate(a, asked))
			continue;

		struct offer offer = figures(a, asked);
		const bool better = !best || undercuts(&offer, a, least, best, asked);

		starved |= offer.starved || (best && least->starved);
		if (better) {
			best = a;
			*least = offer;
		}
	}
	least->starved = starved;
	return best;
}

/* What serves every network visits all its nodes to be priced: on large ones only where it must. */
static const struct lsi_algorithm *choose(const struct asked *asked, struct offer *offer)
{
	bool own = false;

	for (size_t i = 0; lsi_algorithms[i] && !own; i++)
		own = tier_of(lsi_algorithms[i]) == OWN && is_candidate(lsi_algorithms[i], asked);
	return cheapest(asked,
		own && asked->problem.nodes > LS_EXACT_CHOICE_NODES ? OWN | FORM : OWN | FORM | GENERAL,
		offer);
}

/* ---- What would serve */

struct names {
	char text[128];
};

static bool is_first_of_its_name(size_t index, const struct asked *asked)
{
	for (size_t i = 0; i < index; i++) {
		if (is_candidate(lsi_algorithms[i], asked)
			&& strcmp(lsi_algorithms[i]->name, lsi_algorithms[index]->name) == 0)
			return false;
	}
	return true;
}

/* The names of the candidates, each once, as far as there is room. */
static struct names candidates(struct asked asked, enum ls_mode mode)
{
	struct names names = { "" };
	size_t length = 0;

	asked.algorithm = NULL;
	asked.problem.mode = mode;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const char *name = lsi_algorithms[i]->name;

		if (is_candidate(lsi_algorithms[i], &asked) && is_first_of_its_name(i, &asked)
			&& length + strlen(name) + 3 <= sizeof names.text)
			length += (size_t)snprintf(
				names.text + length, sizeof names.text - length, "%s%s", length ? ", " : "", name);
	}
	return names;
}

/* Whether the algorithm that is named would serve in another mode. */
static bool serves_in(struct asked asked, enum ls_mode mode)
{
	asked.problem.mode = mode;
	for (size_t i = 0; lsi_algorithms[i] && asked.algorithm; i++) {
		if (is_candidate(lsi_algorithms[i], &asked))
			return true;
	}
	return false;
}

static int unsupported(const struct asked *asked, struct ls_error *why)
{
	const bool combines = lsi_operation_combines(asked->problem.operation);
	const enum ls_mode mode = asked->problem.mode, other = mode == LS_HOP ? LS_ROUTED : LS_HOP;
	const struct names here = candidates(*asked, mode), there = candidates(*asked, other);
	const char *text = serves_in(*asked, other) ? asked->algorithm
		: here.text[0]                          ? here.text
												: there.text;
	char what[128];

	snprintf(what, sizeof what, "%s do %s%s%s on %.40s in %s mode",
		asked->algorithm ? "cannot" : "no algorithm can",
		ls_operation_name(asked->problem.operation), combines ? " with operator " : "",
		combines ? ls_op_name(asked->op) : "", ls_topology_spec(asked->problem.topology),
		mode_name[mode]);
	return lsi_error_set(why, LS_ERR_UNSUPPORTED, "%s%s%s%s%s%s",
		asked->algorithm ? asked->algorithm : "", asked->algorithm ? " " : "", what,
		text[0] ? "; try " : "", text,
		text != here.text && text[0] ? (other == LS_HOP ? " in hop mode" : " in routed mode") : "");
}

static int unknown(const struct asked *asked, struct ls_error *why)
{
	struct lsi_suggestion nearest = lsi_suggest_begin(asked->algorithm, strlen(asked->algorithm));
	const struct lsi_quote quote = lsi_quote_make(asked->algorithm, strlen(asked->algorithm));
	const struct names names = candidates(*asked, asked->problem.mode);

	for (size_t i = 0; lsi_algorithms[i]; i++)
		lsi_suggest_offer(&nearest, lsi_algorithms[i]->name);
	return lsi_error_set(why, LS_ERR_SPEC,
		nearest.name ? "no algorithm '%s'; did you mean '%s'?" : "no algorithm '%s'; try %s",
		quote.text, nearest.name ? nearest.name : names.text);
}

static bool is_known(const char *name)
{
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		if (strcmp(lsi_algorithms[i]->name, name) == 0)
			return true;
	}
	return false;
}

/* -------------------------------------------------------------------------------------------- */

int lsi_choose(const struct ls_request *request, const struct lsi_algorithm **algorithm,
	struct lsi_problem *problem, struct ls_error *why_or_null)
{
	struct asked asked;
	struct offer offer;
	const int status = complete(request, &asked, why_or_null);

	if (status != LS_OK)
		return status;
	if (asked.algorithm && !is_known(asked.algorithm))
		return unknown(&asked, why_or_null);
	*algorithm = choose(&asked, &offer);
	if (!*algorithm)
		return unsupported(&asked, why_or_null);
	if (offer.starved)
		return lsi_error_set(
			why_or_null, LS_ERR_MEMORY, "no memory to compare algorithms; try fewer nodes");
	*problem = asked.problem;
	problem->segments = offer.segments;
	return LS_OK;
}

int ls_plan_make(const struct ls_request *request, ls_plan **out, struct ls_error *why_or_null)
{
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
	int status = lsi_choose(request, &algorithm, &problem, why_or_null);

	*out = NULL;
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
	struct asked asked;
	const int status = complete(request, &asked, NULL);
	size_t i = 0;

	if (status != LS_OK)
		return status;
	while (i < index && lsi_algorithms[i])
		i++;
	return lsi_algorithms[i] && serves(lsi_algorithms[i], &asked) ? LS_OK : LS_ERR_UNSUPPORTED;
}

static int64_t lower_bound(const struct lsi_algorithm *a, const struct lsi_problem *problem)
{
	if (problem->nodes == 1)
		return 0;
	return a->lower_bound ? a->lower_bound(problem) : -1;
}

bool ls_candidate_list(const struct ls_request *request, size_t index, struct ls_candidate *out)
{
	struct asked asked;

	if (complete(request, &asked, NULL) != LS_OK)
		return false;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const struct lsi_algorithm *a = lsi_algorithms[i];

		if (!is_candidate(a, &asked) || index-- > 0)
			continue;

		struct offer offer;
		const bool chosen = a == choose(&asked, &offer);

		if (!chosen)
			offer = figures(a, &asked);
		price(a, &asked, &offer);

		const struct ls_candidate candidate = { sizeof candidate, a->name, offer.counts,
			offer.counts.rounds < 0 ? -1 : offer.cost, chosen, offer.load,
			lower_bound(a, &asked.problem), a->claim };

		lsi_sized_write(out, &candidate, sizeof candidate);
		return true;
	}
	return false;
}
