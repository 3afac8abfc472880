#include "schedule/lower_bound.h"

#include "base/math.h"
#include "schedule/records.h"

int64_t lsi_lower_bound_by_formula(
	const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	if (problem->nodes == 1)
		return 0;
	return algorithm->lower_bound ? algorithm->lower_bound(problem) : -1;
}

int64_t lsi_lower_bound(const struct lsi_algorithm *algorithm, const struct lsi_problem *problem)
{
	const int64_t formula = lsi_lower_bound_by_formula(algorithm, problem);
	const struct ls_request request = lsi_problem_request(problem);
	const int64_t recorded = problem->nodes > 1 ? lsi_schedule_record_bound(&request) : 0;

	return recorded > formula && recorded > 0 ? recorded : formula;
}

int64_t ls_plan_lower_bound(const ls_plan *plan)
{
	return plan ? lsi_lower_bound(plan->algorithm, &plan->problem) : -1;
}
