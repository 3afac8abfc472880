/*
 * Attempts: one number of rounds, one formula.  Small formulas are solved several times with
 * different seeds, and of the plans with the same rounds the one with the least volume stays:
 *
 *   seed 0    mesh:3x3, 5 rounds    volume 16
 *   seed 1                          volume 14    stays
 *   seed 2                          volume 15
 *
 * All are of one group of automorphisms: plans with a symmetry are balanced, and are found soon.
 * The number of attempts depends on the formula alone, so the same seed gives the same plan.
 */
#include "find/search.h"

#include <lockstep/check.h>

#include "base/alloc.h"
#include "base/error.h"
#include "schedule/deliver.h"
#include "schedule/records.h"
#include "find/solver.h"

enum { SEEDS = 8, CLAUSES_OF_SEEDS = 20000, SHARE_OF_SYMMETRY = 16 };

/* All laws, also those that follow from the construction: a plan is never given unproved. */
static int check_plan(struct lsi_search *s, const ls_plan *plan)
{
	struct ls_certificate certificate = { .size = sizeof certificate };
	const int status = ls_check(plan, 1, NULL, &certificate);

	if (status == LS_OK)
		return status;
	return lsi_error_set(s->why, status, "%s",
		status == LS_ERR_LAW ? certificate.text : "no memory to check a plan");
}

/* Fewer rounds; then, for one element, shorter messages; then fewer words. */
static bool is_better(const ls_plan *plan, const ls_plan *present)
{
	const struct ls_counts a = ls_plan_predict(plan, 1), b = ls_plan_predict(present, 1);

	if (a.rounds != b.rounds)
		return a.rounds < b.rounds;
	return a.volume != b.volume ? a.volume < b.volume : a.words < b.words;
}

/* The best plan of those that are searched now. */
static ls_plan **best_of(struct lsi_search *s)
{
	return s->is_longer ? &s->longer : &s->plan;
}

/* A schedule becomes a plan, which is checked like any other, and stays if it is better. */
static int accept_schedule(
	struct lsi_search *s, const struct lsi_link_schedule *schedule, const char *algorithm)
{
	struct ls_request named = s->request;
	ls_plan *plan = NULL;
	int status;

	named.algorithm = algorithm;
	status = lsi_schedule_plan(&named, schedule, &s->goal, &plan, s->why);
	if (status == LS_OK)
		status = check_plan(s, plan);
	if (status != LS_OK) {
		ls_plan_destroy(plan);
		return status;
	}
	if (*best_of(s) && !is_better(plan, *best_of(s))) {
		ls_plan_destroy(plan);
		return LS_OK;
	}
	ls_plan_destroy(*best_of(s));
	*best_of(s) = plan;
	if (!s->is_longer)
		s->found.rounds = ls_plan_rounds(plan);
	return LS_OK;
}

/* The text of a record has only the links that carry something. */
static int keep_record(struct lsi_search *s, const struct lsi_link_schedule *schedule)
{
	struct lsi_deliveries d;
	int status = lsi_deliveries_init(&d, schedule, &s->goal);

	for (int i = 0; i < schedule->rounds * s->arcs.count && status == LS_OK; i++)
		schedule->used[i] = !lsi_nodes_is_empty(&d.carried[i]);
	lsi_deliveries_fini(&d);
	lsi_free(s->record);
	s->record = NULL;
	if (status != LS_OK)
		return lsi_error_set(s->why, status, "no memory for a record");
	if (!lsi_schedule_has_letters(schedule))
		return lsi_error_set(s->why, LS_ERR_UNSUPPORTED, "a record takes nodes of at most %d links",
			LSI_RECORD_LINKS);
	s->record = lsi_schedule_record_text(
		&s->request, schedule, schedule->rounds, (int)s->found.bound, s->options.seed);
	return s->record ? LS_OK : lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for a record");
}

/*
 * The model is replayed on the links before anything is made of it: a solver that lies, or a
 * formula that does not say what is meant, ends here.
 */
static int accept_model(
	struct lsi_search *s, const struct lsi_question *question, const struct lsi_answer *answer)
{
	const struct lsi_link_schedule schedule = { question->arcs, question->rounds, question->ports,
		answer->value + 1 };
	int status;

	/* The variables of the other links of an orbit are free. */
	for (int i = 0; i < question->rounds * question->arcs->count; i++)
		schedule.used[i] = answer->value[lsi_formula_arc(
			question, 1 + i / question->arcs->count, i % question->arcs->count)];

	if (!lsi_schedule_reaches(&schedule, &s->goal)
		|| !lsi_first_rounds_hold(question->first, &schedule))
		return lsi_error_set(s->why, LS_ERR_LAW,
			"the solver claims a plan of %d rounds, but its model is none; try another --solver",
			question->rounds);
	const ls_plan *const before = *best_of(s);

	status = accept_schedule(s, &schedule, "exact");
	if (status != LS_OK || *best_of(s) == before || s->is_longer)
		return status;
	s->found.searched = true;
	return s->options.record && question->ports == 1 ? keep_record(s, &schedule) : LS_OK;
}

/* What an earlier search found, if it is better than what is known now. */
int lsi_find_use_record(struct lsi_search *s)
{
	const struct lsi_schedule_record *r = lsi_schedule_record_of(&s->request);
	const int bound = lsi_schedule_record_bound(&s->request);
	struct lsi_link_schedule schedule = { &s->arcs, r ? r->rounds : 0, 1, NULL };
	int status = LS_OK;

	if (s->first.count) /* a record may have other first rounds */
		return LS_OK;
	if (bound > s->found.bound) {
		s->found.bound = bound;
		s->found.bound_recorded = true;
	}
	if (!r || r->rounds > s->found.rounds)
		return LS_OK;
	schedule.used = lsi_alloc_zero((size_t)(r->rounds * s->arcs.count) + 1, 1);
	if (!schedule.used)
		return lsi_error_set(s->why, LS_ERR_MEMORY, "no memory for a record");
	if (lsi_schedule_record_read(r, &s->arcs, schedule.used)
		&& lsi_schedule_reaches(&schedule, &s->goal)) {
		const ls_plan *const before = s->plan;

		status = accept_schedule(s, &schedule, "record");
		s->found.recorded = status == LS_OK && s->plan != before;
		s->found.searched &= !s->found.recorded;
	}
	lsi_free(schedule.used);
	return status;
}

/* Only a verified answer has an effect on the plan or the bound. */
static int accept_answer(struct lsi_search *s, const struct lsi_question *question,
	const struct lsi_clauses *formula, struct lsi_answer *answer, struct ls_find_step *step)
{
	step->seconds += answer->seconds;
	s->left -= answer->seconds;
	switch (answer->verdict) {
	case LSI_SATISFIABLE:
		step->outcome = LS_FIND_FOUND;
		return accept_model(s, question, answer);
	case LSI_UNSATISFIABLE:
		if (answer->proof)
			return lsi_find_accept_refutation(s, formula, question->rounds, answer, step);
		step->outcome = LS_FIND_UNCHECKED;
		return LS_OK;
	default:
		step->outcome = LS_FIND_UNDECIDED;
		return LS_OK;
	}
}

/* Half of what is left if further numbers of rounds are to be tried. */
static double budget_of_step(const struct lsi_search *s, int rounds)
{
	const bool is_last = s->options.within || rounds + 1 >= s->found.rounds;

	return is_last || s->left < 2 ? s->left : s->left / 2;
}

/* Other models of the same formula, with its symmetry: their plans may have a smaller volume. */
static int try_more_seeds(struct lsi_search *s, const struct lsi_question *question,
	const struct lsi_clauses *formula, struct ls_find_step *step)
{
	int status = LS_OK;

	if (formula->clauses > CLAUSES_OF_SEEDS)
		return LS_OK;
	for (uint64_t i = 1; i < SEEDS && s->left > 0 && status == LS_OK; i++) {
		const struct lsi_solver solver = { s->options.solver, s->options.seed + i, s->left, true };
		struct lsi_answer answer;

		status = lsi_solver_run(&solver, formula, &answer, s->why);
		step->seconds += answer.seconds;
		s->left -= answer.seconds;
		if (status == LS_OK && answer.verdict == LSI_SATISFIABLE) {
			const ls_plan *const before = *best_of(s);

			status = accept_model(s, question, &answer);
			if (*best_of(s) != before)
				step->symmetry = question->symmetry ? question->symmetry->order : 1;
		}
		lsi_answer_fini(&answer);
	}
	return status;
}

/*
 * Only schedules with a symmetry: their formulas are small, and their plans balanced.  The first
 * group that has one, from large to small, decides.
 */
static int try_symmetries(
	struct lsi_search *s, struct lsi_question question, struct ls_find_step *step)
{
	int status = LS_OK;

	for (int i = 0; i < s->symmetries.count && status == LS_OK && s->left > 0; i++) {
		const struct lsi_solver solver = { s->options.solver, s->options.seed,
			s->left / SHARE_OF_SYMMETRY, false };
		struct lsi_clauses formula;
		struct lsi_answer answer = { .verdict = LSI_UNDECIDED };

		question.symmetry = &s->symmetries.at[i];
		status = lsi_formula_init(&formula, &question, s->why);
		if (status == LS_OK)
			status = lsi_solver_run(&solver, &formula, &answer, s->why);
		step->seconds += answer.seconds;
		s->left -= answer.seconds;
		if (status == LS_OK && answer.verdict == LSI_SATISFIABLE) {
			status = accept_model(s, &question, &answer);
			step->outcome = LS_FIND_FOUND;
			step->symmetry = question.symmetry->order;
			if (status == LS_OK)
				status = try_more_seeds(s, &question, &formula, step);
			i = s->symmetries.count;
		}
		s->found.no_solver = answer.is_missing;
		lsi_formula_fini(&formula);
		lsi_answer_fini(&answer);
	}
	return status;
}

/* All schedules: without a model of these, a refutation is a bound. */
static int try_all_schedules(struct lsi_search *s, const struct lsi_question *question,
	const struct lsi_clauses *formula, struct ls_find_step *step)
{
	const struct lsi_solver solver = { s->options.solver, s->options.seed,
		budget_of_step(s, question->rounds), false };
	struct lsi_answer answer = { .verdict = LSI_UNDECIDED };
	int status = lsi_solver_run(&solver, formula, &answer, s->why);

	if (status == LS_OK)
		status = accept_answer(s, question, formula, &answer, step);
	s->found.no_solver = answer.is_missing;
	lsi_answer_fini(&answer);
	return status;
}

/* One formula of all schedules: first those with a symmetry. */
static int attempt(
	struct lsi_search *s, const struct lsi_question *question, const struct lsi_clauses *formula)
{
	struct ls_find_step step = { .size = sizeof step,
		.outcome = LS_FIND_UNDECIDED,
		.rounds = question->rounds,
		.symmetry = 1,
		.variables = formula->variables,
		.clauses = (int64_t)formula->clauses };
	int status = try_symmetries(s, *question, &step);

	if (status == LS_OK && step.outcome != LS_FIND_FOUND && s->left > 0) {
		status = try_all_schedules(s, question, formula, &step);
		if (status == LS_OK && step.outcome == LS_FIND_FOUND)
			status = try_more_seeds(s, question, formula, &step);
	}
	if (status == LS_OK && s->options.step)
		s->options.step(s->options.context, &step);
	return status;
}

static struct lsi_question question_of(const struct lsi_search *s, int rounds)
{
	return (struct lsi_question){ &s->arcs, &s->goal, rounds,
		s->request.ports ? s->request.ports : 1, NULL, &s->first };
}

int lsi_find_try(struct lsi_search *s, int rounds)
{
	const struct lsi_question question = question_of(s, rounds);
	struct lsi_clauses formula;
	int status = lsi_formula_init(&formula, &question, s->why);

	if (status == LS_OK)
		status = attempt(s, &question, &formula);
	lsi_formula_fini(&formula);
	return status;
}

/* In a round the longest message has a word, so with a volume above the rounds sums are apart. */
static bool may_merge(const struct lsi_search *s)
{
	const struct ls_counts counts = ls_plan_predict(s->plan, 1);

	return s->request.operation == LS_ALLREDUCE && counts.volume > counts.rounds
		&& counts.rounds <= LSI_FIND_ROUNDS && s->left > 0;
}

int lsi_find_merge(struct lsi_search *s)
{
	const struct lsi_question question = question_of(s, (int)s->found.rounds);
	struct lsi_clauses formula;
	int status;

	if (!may_merge(s))
		return LS_OK;
	s->options.record = NULL; /* a record has fewer rounds than the default plan */
	status = lsi_formula_init(&formula, &question, s->why);
	if (status == LS_ERR_UNSUPPORTED) /* too long */
		status = LS_OK;
	else if (status == LS_OK && formula.clauses <= CLAUSES_OF_SEEDS)
		status = attempt(s, &question, &formula);
	lsi_formula_fini(&formula);
	return s->found.no_solver && !s->options.solver ? LS_OK : status;
}

/* The plans of t rounds; *volume: the least of the plans so far. */
static int try_longer(struct lsi_search *s, int t, int64_t *volume)
{
	int status;

	s->is_longer = true;
	status = lsi_find_try(s, t);
	s->is_longer = false;
	if (s->found.no_solver && !s->options.solver)
		status = LS_OK;
	if (status == LS_OK && s->longer && ls_plan_predict(s->longer, 1).volume < *volume) {
		*volume = ls_plan_predict(s->longer, 1).volume;
		s->options.longer(s->options.context, s->longer);
	} else {
		ls_plan_destroy(s->longer);
	}
	s->longer = NULL;
	return status;
}

int lsi_find_longer(struct lsi_search *s)
{
	const int64_t least = s->found.rounds + 1;
	int64_t volume = s->plan ? ls_plan_predict(s->plan, 1).volume : 0;
	int status = LS_OK;

	for (int64_t t = least; s->plan && s->options.longer && t < least + s->options.more_rounds
		 && t <= LSI_FIND_ROUNDS && s->left > 0 && !s->found.no_solver && status == LS_OK;
		 t++)
		status = try_longer(s, (int)t, &volume);
	return status;
}
