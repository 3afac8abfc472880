/*
 * What a plan must claim about the contributions in a result before it may combine with an operator
 * (of the first three, a stronger claim has a larger number):
 *
 *   claim         each contribution             operators
 *   idempotent    at least once, in any order   commutative with x (+) x = x: max, min, and, or
 *   commutative   exactly once, in any order    commutative: sum, prod
 *   ordered       exactly once, in rank order   all
 *   move          not combined at all           none
 */
#include "base/error.h"
#include "plan/plan_internal.h"
#include "plan/text.h"

const char *const lsi_claim_words[] = { "idempotent", "commutative", "ordered", "move" };

enum ls_claim lsi_claim_required(ls_op op)
{
	if (!ls_op_commutative(op))
		return LS_ORDERED;
	return ls_op_idempotent(op) ? LS_IDEMPOTENT : LS_COMMUTATIVE;
}

int lsi_op_check(enum ls_operation operation, ls_op op, ls_type type, struct ls_error *why_or_null)
{
	if (!lsi_operation_combines(operation) || ls_op_defined(op, type))
		return LS_OK;
	return lsi_error_set(why_or_null, LS_ERR_ARGUMENT,
		"operator %s is not defined for type %s; try another operator or type", ls_op_name(op),
		ls_type_name(type));
}

int ls_plan_supports_op(const ls_plan *plan, ls_op op, struct ls_error *why_or_null)
{
	static const char *const enough[] = {
		[LS_IDEMPOTENT] = "'idempotent', 'commutative' or 'ordered'",
		[LS_COMMUTATIVE] = "'commutative' or 'ordered'",
		[LS_ORDERED] = "'ordered'",
	};
	static const char *const remedies[] = {
		[LS_IDEMPOTENT] = "max or min",
		[LS_COMMUTATIVE] = "a commutative operator",
		[LS_ORDERED] = "",
		[LS_MOVE] = "a plan with such a claim",
	};

	if (!plan)
		return lsi_error_set(
			why_or_null, LS_ERR_ARGUMENT, "plan is NULL; expected one of ls_plan_make");
	if (!lsi_operation_combines(plan->problem.operation))
		return LS_OK;
	if (!op)
		return lsi_error_set(why_or_null, LS_ERR_ARGUMENT, "op is NULL; expected one like LS_SUM");

	const enum ls_claim claim = ls_plan_claim(plan), required = lsi_claim_required(op);

	if (claim >= required && claim != LS_MOVE)
		return LS_OK;
	return lsi_error_set(why_or_null, LS_ERR_UNSUPPORTED,
		"the plan claims '%s', but %s needs %s; try %s", lsi_claim_words[claim], ls_op_name(op),
		enough[required], remedies[claim]);
}
