/*
 * Whether the messages of a trace perform the operation that the command line or the trace names.
 */
#include "run/run_parts.h"

#include "job/job.h"
#include "job/plan_file.h"

#include <string.h>

/* The first law that the inferred plan breaks, or why there is no such plan; "": none. */
static int find_violation(const struct ls_request *request, bool strict, const struct query *query,
	char *text, size_t size)
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
	text[0] = '\0';
	if (why.kind == LS_ERR_LAW)
		snprintf(text, size, "%s", why.text);
	else if (why.kind != LS_OK)
		failed = print_ls_error(&why);
	else if (ls_check(plan, request->count, &options, &found) != LS_OK)
		snprintf(text, size, "%s", found.text);
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
		failed = find_violation(
			&request, outcome->how->strict, query, outcome->violation, sizeof outcome->violation);
	outcome->checked_operation = failed ? NULL : ls_operation_name(operation);
	return failed;
}
