/*
 * The search: rounds upwards from the known lower bound, until a plan is found, or until the
 * default plan needs no more rounds.
 */
#include <lockstep/find.h>

#include <inttypes.h>

#include <lockstep/check.h>
#include <lockstep/cost.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sized.h"
#include "find/bound.h"
#include "find/deliver.h"
#include "find/solver.h"

_Static_assert((int)LS_FIND_NODES == (int)LSI_FIND_NODES, "one limit of nodes");

enum { BUDGET_DEFAULT = 60 };

struct search {
	struct ls_find_options options;
	struct ls_request request;
	struct lsi_arcs arcs;
	struct lsi_goal goal;
	struct ls_found found;
	ls_plan *plan;    /* the default plan, then the plan that was found */
	double left;      /* of the budget */
	char *refutation; /* text of the last checked refutation; NULL: none */
	size_t refutation_length;
	struct ls_error *why;
};

const char *ls_find_solver(void)
{
	return LSI_SOLVER;
}

/* ---- What is known before the search */

/* The largest lower bound that the algorithms know. */
static int64_t known_bound(const struct ls_request *request)
{
	struct ls_candidate candidate = { .size = sizeof candidate };
	int64_t bound = 0;

	for (size_t i = 0; ls_candidate_list(request, i, &candidate); i++)
		if (candidate.lower_bound > bound)
			bound = candidate.lower_bound;
	return bound;
}

static int read_options(struct search *s, const struct ls_find_options *given)
{
	int status;

	if (!given || !lsi_sized_read(&s->options, sizeof s->options, given))
		return lsi_error_set(s->why, LS_ERR_ARGUMENT,
			given ? "the options have no size, or unknown fields"
				  : "options is NULL; expected a struct ls_find_options");
	status = lsi_find_read(&s->request, s->options.request, s->why);
	if (status != LS_OK)
		return status;
	if (!(s->options.budget >= 0) || s->options.budget > 1e9 || s->options.within < 0)
		return lsi_error_set(
			s->why, LS_ERR_ARGUMENT, "a budget or number of rounds is out of range");
	s->left = s->options.budget > 0 ? s->options.budget : BUDGET_DEFAULT;
	s->request.algorithm = NULL;
	s->request.count = 1;
	s->request.type = NULL;
	s->request.op = NULL;
	s->request.in_place = false;
	return LS_OK;
}

/* The default plan; none is needed if no algorithm fits. */
static int make_default(struct search *s)
{
	const int status = ls_plan_make(&s->request, &s->plan, s->why);

	if (status != LS_OK && status != LS_ERR_UNSUPPORTED)
		return status;
	s->found.rounds = status == LS_OK ? ls_plan_rounds(s->plan) : LSI_FIND_ROUNDS + 1;
	s->found.bound = known_bound(&s->request);
	if (s->found.bound > s->found.rounds)
		s->found.bound = s->found.rounds;
	return LS_OK;
}

/* ---- One number of rounds */

/* All laws, also those that follow from the construction: a plan is never given unproved. */
static int check_plan(struct search *s, const ls_plan *plan)
{
	struct ls_certificate certificate = { .size = sizeof certificate };
	const int status = ls_check(plan, 1, NULL, &certificate);

	if (status != LS_ERR_LAW)
		return status;
	return lsi_error_set(s->why, LS_ERR_LAW, "%s", certificate.text);
}

/* A model becomes a plan, which is checked like any other. */
static int accept_model(
	struct search *s, const struct lsi_question *question, const struct lsi_answer *answer)
{
	struct ls_request named = s->request;
	const struct lsi_link_schedule schedule = { question->arcs, question->rounds, question->ports,
		answer->value + 1 };
	ls_plan *plan = NULL;
	int status;

	if (!lsi_schedule_reaches(&schedule, &s->goal))
		return lsi_error_set(s->why, LS_ERR_LAW,
			"the solver claims a plan of %d rounds, but its model is none; try another --solver",
			question->rounds);
	named.algorithm = "exact";
	status = lsi_schedule_plan(&named, &schedule, &s->goal, &plan, s->why);
	if (status == LS_OK)
		status = check_plan(s, plan);
	if (status != LS_OK) {
		ls_plan_destroy(plan);
		return status;
	}
	ls_plan_destroy(s->plan);
	s->plan = plan;
	s->found.searched = true;
	s->found.rounds = ls_plan_rounds(plan);
	return LS_OK;
}

/* A refutation raises the bound once it is checked. */
static int accept_refutation(struct search *s, const struct lsi_clauses *formula, int rounds,
	struct lsi_answer *answer, struct ls_find_step *step)
{
	const struct lsi_refutation_result result =
		lsi_refutation_check(formula, answer->proof, answer->proof_bytes, LSI_VISITS_MAX);

	step->proof_bytes = (int64_t)answer->proof_bytes;
	if (result.outcome == LSI_PROOF_LONG) {
		step->outcome = LS_FIND_UNCHECKED;
		return LS_OK;
	}
	if (result.outcome != LSI_REFUTED)
		return lsi_error_set(s->why, LS_ERR_LAW,
			"the solver claims that %d rounds are impossible, but clause %zu of its refutation "
			"does not follow; try another --solver",
			rounds, result.line);
	step->outcome = LS_FIND_REFUTED;
	if (s->found.bound <= rounds)
		s->found.bound = rounds + 1;
	if (!s->options.refutation)
		return LS_OK;
	lsi_free(s->refutation);
	s->refutation = lsi_refutation_text(
		&s->request, formula, rounds, answer->proof, answer->proof_bytes, &s->refutation_length);
	return s->refutation ? LS_OK
						 : lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for the refutation");
}

/* Only a verified answer has an effect on the plan or the bound. */
static int accept_answer(struct search *s, const struct lsi_question *question,
	const struct lsi_clauses *formula, struct lsi_answer *answer, struct ls_find_step *step)
{
	step->seconds = answer->seconds;
	s->left -= answer->seconds;
	switch (answer->verdict) {
	case LSI_SATISFIABLE:
		step->outcome = LS_FIND_FOUND;
		return accept_model(s, question, answer);
	case LSI_UNSATISFIABLE:
		if (answer->proof)
			return accept_refutation(s, formula, question->rounds, answer, step);
		step->outcome = LS_FIND_UNCHECKED;
		return LS_OK;
	default:
		step->outcome = LS_FIND_UNDECIDED;
		return LS_OK;
	}
}

/* Half of what is left, so that the next numbers of rounds are tried, too. */
static double budget_of_step(const struct search *s)
{
	return s->options.within || s->left < 2 ? s->left : s->left / 2;
}

/* One formula, one run of the solver, one report. */
static int try_rounds(struct search *s, int rounds, struct ls_find_step *step)
{
	const struct lsi_question question = { &s->arcs, &s->goal, rounds,
		s->request.ports ? s->request.ports : 1 };
	const struct lsi_solver solver = { s->options.solver, s->options.seed, budget_of_step(s) };
	struct lsi_clauses formula;
	struct lsi_answer answer = { .verdict = LSI_UNDECIDED };
	int status = lsi_formula_init(&formula, &question, s->why);

	*step = (struct ls_find_step){ .size = sizeof *step, .rounds = rounds };
	step->variables = formula.variables;
	step->clauses = (int64_t)formula.clauses;
	if (status == LS_OK)
		status = lsi_solver_run(&solver, &formula, &answer, s->why);
	if (status == LS_OK)
		status = accept_answer(s, &question, &formula, &answer, step);
	s->found.no_solver = answer.is_missing;
	if (status == LS_OK && s->options.step)
		s->options.step(s->options.context, step);
	lsi_formula_fini(&formula);
	lsi_answer_fini(&answer);
	return status;
}

/* ---- All numbers of rounds */

/* The default plan needs no solver; a decision about a given number of rounds does. */
static bool may_go_without_solver(const struct search *s)
{
	return s->found.no_solver && s->plan && !s->options.solver && !s->options.within
		&& !s->options.refutation;
}

static int search_upwards(struct search *s)
{
	struct ls_find_step step = { .outcome = LS_FIND_UNDECIDED };

	for (int t = (int)s->found.bound; t < s->found.rounds && t <= LSI_FIND_ROUNDS; t++) {
		const int status = try_rounds(s, t, &step);

		if (may_go_without_solver(s) || s->found.searched || s->left <= 0)
			break;
		if (status != LS_OK)
			return status;
	}
	s->found.undecided = s->found.rounds > s->found.bound;
	return LS_OK;
}

/* Only whether `within` rounds are enough. */
static int search_within(struct search *s)
{
	struct ls_find_step step = { .outcome = LS_FIND_UNDECIDED };
	int status = LS_OK;

	if (s->options.within > LSI_FIND_ROUNDS || (s->plan && s->found.rounds <= s->options.within))
		return LS_OK;
	if (s->found.bound <= s->options.within || s->options.refutation)
		status = try_rounds(s, (int)s->options.within, &step);
	if (status == LS_OK && !s->found.searched) {
		s->found.undecided = s->found.bound <= s->options.within;
		ls_plan_destroy(s->plan);
		s->plan = NULL;
	}
	return status;
}

static int search(struct search *s, const struct ls_find_options *options)
{
	int status = read_options(s, options);

	if (status == LS_OK)
		status = lsi_arcs_init(&s->arcs, s->request.topology, s->why);
	if (status == LS_OK)
		status = make_default(s);
	if (status != LS_OK)
		return status;
	s->goal = lsi_goal_of(&s->request, s->arcs.nodes);
	status = s->options.within ? search_within(s) : search_upwards(s);
	if (status == LS_OK && !s->plan && !s->options.within)
		status = lsi_error_set(s->why, LS_ERR_UNSUPPORTED,
			"no plan was found with this budget, and no algorithm fits; try a larger --budget");
	if (status == LS_OK && s->refutation)
		status = s->options.refutation(s->options.context, s->refutation, s->refutation_length);
	return status;
}

int ls_find(const struct ls_find_options *options, ls_plan **out, struct ls_found *found,
	struct ls_error *why)
{
	struct search s = { .why = why, .found = { .size = sizeof s.found } };
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
	lsi_arcs_fini(&s.arcs);
	return status;
}
