/*
 * The search: rounds upwards from the known lower bound, until a plan is found, or until the
 * default plan needs no more rounds.
 */
#include <lockstep/find.h>

#include <inttypes.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "collective/algorithm.h"
#include "cost/candidate.h"
#include "find/bound.h"
#include "find/search.h"
#include "find/solver.h"
#include "schedule/lower_bound.h"
#include "schedule/records.h"

_Static_assert((int)LS_FIND_NODES == (int)LSI_FIND_NODES, "one limit of nodes");

enum { BUDGET_DEFAULT = 60, BUDGET_MOST = 1000000000 }; /* seconds */

const char *ls_find_solver(void)
{
	return LSI_SOLVER;
}

/* ---- What is known before the search */

/* The largest lower bound that the algorithms know by formulas. */
static int64_t known_bound(const struct ls_request *request)
{
	struct lsi_selection selection;
	int64_t most = 0;

	if (lsi_selection_init(&selection, request, NULL) != LS_OK)
		return 0;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		const int64_t bound = lsi_is_candidate(lsi_algorithms[i], &selection)
			? lsi_lower_bound_by_formula(lsi_algorithms[i], &selection.problem)
			: 0;

		most = bound > most ? bound : most;
	}
	return most;
}

static int read_options(struct lsi_search *s, const struct ls_find_options *given)
{
	int status;

	if (!given || !lsi_sized_read(&s->options, sizeof s->options, given))
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			given ? "the options have no size, or unknown fields"
				  : "options is NULL; expected a struct ls_find_options");
	status = lsi_find_read(&s->request, s->options.request, s->why);
	if (status != LS_OK)
		return status;
	if (!(s->options.budget >= 0) || s->options.budget > BUDGET_MOST)
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			"a budget of %g seconds is out of range; expected 0..%d", s->options.budget,
			BUDGET_MOST);
	if (s->options.within < 0)
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			"within %" PRId64 " rounds is out of range; expected 0 or more", s->options.within);
	if (s->options.more_rounds < 0 || s->options.more_rounds > LSI_FIND_ROUNDS)
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			"%" PRId64 " more rounds are out of range; expected 0..%d", s->options.more_rounds,
			LSI_FIND_ROUNDS);
	s->left = s->options.budget > 0 ? s->options.budget : BUDGET_DEFAULT;
	s->request.algorithm = NULL;
	s->request.count = 1;
	s->request.type = NULL;
	s->request.op = NULL;
	s->request.in_place = false;
	return LS_OK;
}

/* A plan below the bound shows that the bound is wrong. */
static int check_bound(const struct lsi_search *s)
{
	if (!s->plan || s->found.bound <= s->found.rounds)
		return LS_OK;
	return lsi_error_set(s->why, LS_ERR_LAW,
		"internal error: plan %s of %s on %s has %" PRId64 " rounds, below the bound of %" PRId64
		"; please report it",
		ls_plan_algorithm(s->plan), ls_operation_name(s->request.operation),
		ls_topology_spec(s->request.topology), s->found.rounds, s->found.bound);
}

/* The default plan; none is needed if no algorithm fits. */
static int make_default(struct lsi_search *s)
{
	const int status = ls_plan_make(&s->request, &s->plan, s->why);

	if (status != LS_OK && status != LS_ERR_UNSUPPORTED)
		return status;
	s->found.rounds = status == LS_OK ? ls_plan_rounds(s->plan) : LSI_FIND_ROUNDS + 1;
	s->found.bound = known_bound(&s->request);
	s->found.known_bound = s->found.bound;
	return check_bound(s);
}

/* The plans that are searched have first rounds that the default plan has not. */
static int fix_first_rounds(struct lsi_search *s)
{
	const int64_t within = s->options.within;
	const int status = lsi_first_rounds_init(&s->first, s->request.topology, s->options.prefix,
		s->options.prefix_rounds, &s->goal, s->why);

	if (status != LS_OK || s->first.count == 0)
		return status;
	if (s->options.refutation)
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			"a refutation of plans with a prefix proves no bound; leave out the proof");
	if (within && (within < s->first.count || within > LSI_FIND_ROUNDS))
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			"the prefix has %d rounds; expected from %d to %d rounds in all", s->first.count,
			s->first.count, LSI_FIND_ROUNDS);
	ls_plan_destroy(s->plan);
	s->plan = NULL;
	s->found.rounds = LSI_FIND_ROUNDS + 1;
	s->found.prefix_bound = s->found.bound > s->first.count ? s->found.bound : s->first.count;
	return LS_OK;
}

/* ---- All numbers of rounds */

/* The default plan needs no solver; a decision about a given number of rounds does. */
static bool may_go_without_solver(const struct lsi_search *s)
{
	return s->found.no_solver && s->plan && !s->options.solver && !s->options.within
		&& !s->options.refutation;
}

/*
 *   bound    5        6        7        rounds of the default plan: 8
 *            |        |        |
 *            refuted  spent    found    the bound is 6, a plan of 6 rounds is open
 *
 * After a number of rounds for which the budget of the step ends, the next one is often easy.  A
 * default plan of the fewest rounds may still send more words than needed; that of a record merges
 * the sums of an all-reduce.
 */
static int search_upwards(struct lsi_search *s)
{
	for (int t = (int)lsi_find_least(s); t < s->found.rounds && t <= LSI_FIND_ROUNDS; t++) {
		const int status = lsi_find_try(s, t);

		if (may_go_without_solver(s))
			break;
		if (status != LS_OK)
			return status;
		if (s->found.searched || s->left <= 0)
			break;
	}
	if (s->found.rounds > s->found.bound || s->request.operation == LS_ALLREDUCE) {
		const int status = lsi_find_use_record(s);

		if (status != LS_OK)
			return status;
	}
	s->found.undecided = s->found.rounds > lsi_find_least(s);
	if (s->first.count || s->found.undecided || s->found.searched || s->found.recorded)
		return LS_OK;
	return lsi_find_merge(s);
}

static bool is_within(const struct lsi_search *s)
{
	return s->plan && s->found.rounds <= s->options.within;
}

/* Only whether `within` rounds are enough. */
static int search_within(struct lsi_search *s)
{
	int status = LS_OK;

	if (s->options.within > LSI_FIND_ROUNDS || is_within(s))
		return LS_OK;
	if (lsi_find_least(s) <= s->options.within || s->options.refutation)
		status = lsi_find_try(s, (int)s->options.within);
	if (!s->found.searched && !s->options.refutation && (status == LS_OK || s->found.no_solver)) {
		const int failed = lsi_find_use_record(s);

		if (failed || is_within(s))
			return failed;
		if (s->found.bound > s->options.within)
			status = LS_OK;
	}
	if (status == LS_OK && !s->found.searched) {
		s->found.undecided = lsi_find_least(s) <= s->options.within;
		ls_plan_destroy(s->plan);
		s->plan = NULL;
	}
	return status;
}

/* A record of a bound that refutations raised to the rounds of the default plan. */
static bool proves_default(const struct lsi_search *s)
{
	return s->request.ports <= 1 && !s->found.searched && !s->found.bound_recorded
		&& s->found.bound > s->found.known_bound && s->found.bound == s->found.rounds;
}

static int keep_bound(struct lsi_search *s)
{
	s->record = lsi_schedule_record_text(
		&s->request, NULL, (int)s->found.rounds, (int)s->found.bound, s->options.seed);
	return s->record ? LS_OK : lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for a record");
}

/* The parts of a search in their order; every part may end it with an error. */
static int search(struct lsi_search *s, const struct ls_find_options *options)
{
	int status = read_options(s, options);

	if (status == LS_OK)
		status = lsi_arcs_init(&s->arcs, s->request.topology, s->why);
	if (status == LS_OK)
		status = make_default(s);
	if (status != LS_OK)
		return status;
	s->goal = lsi_goal_of(&s->request, s->arcs.nodes);
	status = fix_first_rounds(s);
	if (status != LS_OK)
		return status;
	if (!s->options.no_symmetry
		&& lsi_symmetries_init(&s->symmetries, s->request.topology, &s->arcs, &s->goal) != LS_OK)
		return lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for the symmetries of the network");
	status = s->options.within ? search_within(s) : search_upwards(s);
	if (status == LS_OK)
		status = check_bound(s);
	if (status == LS_OK && !s->options.within)
		status = lsi_find_longer(s);
	if (status == LS_OK && !s->plan && !s->options.within)
		status = lsi_error_set(s->why, LS_ERR_UNSUPPORTED,
			s->first.count
				? "no plan with this prefix was found; try a larger --budget"
				: "no plan was found with this budget, and no algorithm fits; try a larger "
				  "--budget");
	if (status == LS_OK && s->options.record && !s->record && !s->first.count && proves_default(s))
		status = keep_bound(s);
	if (status == LS_OK && s->record)
		status = s->options.record(s->options.context, s->record);
	if (status == LS_OK && s->refutation)
		status = s->options.refutation(s->options.context, s->refutation, s->refutation_length);
	return status;
}

int ls_find(const struct ls_find_options *options, ls_plan **out, struct ls_found *found,
	struct ls_error *why)
{
	struct lsi_search s = { .why = why, .found = { .size = sizeof s.found } };
	int status;

	if (!out)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "out is NULL; expected the address of a plan");
	*out = NULL;
	if (!found)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "found is NULL; expected a struct ls_found");
	status = search(&s, options);
	if (status == LS_OK) {
		*out = s.plan;
		lsi_sized_write(found, &s.found, sizeof s.found);
	} else {
		ls_plan_destroy(s.plan);
	}
	lsi_free(s.refutation);
	lsi_free(s.record);
	lsi_symmetries_fini(&s.symmetries);
	lsi_arcs_fini(&s.arcs);
	return status;
}
