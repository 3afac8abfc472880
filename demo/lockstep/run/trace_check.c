/*
 * Whether the messages of a trace perform the operation that the command line or the trace names.
 */
#include "run/run_parts.h"

#include "job/job.h"
#include "job/plan_file.h"

#include <string.h>

/* The first violation of a certificate, as an error. */
static struct ls_error violation_of(const struct ls_certificate *found, enum ls_operation operation)
{
	struct ls_error violation = { sizeof violation, LS_ERR_LAW, found->node, found->peer,
		found->round, found->link, ls_operation_name(operation), "" };

	snprintf(violation.text, sizeof violation.text, "%s", found->text);
	return violation;
}

/* The first law that the inferred plan breaks, or why there is no such plan. */
static int find_violation(
	const struct ls_request *request, bool strict, const struct query *query, struct ls_error *out)
{
	const struct ls_check_options options = {
		.size = sizeof options, .strict = strict, .mode = request->mode
	};
	struct ls_certificate found = { .size = sizeof found };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan = NULL;
	int failed = plan_file_infer(query->file, request, &plan, &why);

	if (failed)
		return failed;
	if (why.kind == LS_ERR_LAW)
		*out = why;
	else if (why.kind != LS_OK)
		failed = print_ls_error(&why);
	else
		why.kind = ls_check(plan, request->count, &options, &found);
	if (plan && why.kind == LS_ERR_LAW)
		*out = violation_of(&found, request->operation);
	else if (plan && why.kind != LS_OK)
		failed =
			print_error(EXIT_RESOURCE, "no memory to check %s; try a smaller network", query->plan);
	ls_plan_destroy(plan);
	return failed;
}

int check_trace(struct outcome *outcome)
{
	const struct query *query = outcome->query;
	struct ls_request request;
	enum ls_operation operation;
	int failed;

	if (!query->operation || query->file->map)
		return EXIT_SUCCESS;
	failed = find_operation(query->operation, &operation);
	if (!failed)
		failed = request_for(query, operation, outcome->topology, &request);
	if (!failed)
		failed = find_violation(&request, outcome->how->strict, query, &outcome->violation);
	outcome->checked_operation = failed ? NULL : ls_operation_name(operation);
	return failed;
}
