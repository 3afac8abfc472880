#include "draw/violation.h"

#include "base/messages.h"
#include "base/names.h"
#include "job/plan_file.h"

#include <string.h>

void find_violation(const struct query *query, const struct job *job, struct ls_error *out)
{
	const struct ls_check_options options = {
		.size = sizeof options, .embedding = job->embedding, .mode = job->mode
	};
	struct ls_certificate found = { .size = sizeof found };

	*out = (struct ls_error){ .size = sizeof *out };
	if (!query->plan || ls_check(job->plan, job->request.count, &options, &found) != LS_ERR_LAW)
		return;
	out->kind = LS_ERR_LAW;
	out->node = found.node;
	out->peer = found.peer;
	out->round = found.round;
	memcpy(out->text, found.text, sizeof out->text);
}

int find_violation_of_schedule(const struct query *query, struct job *job, struct ls_error *out)
{
	enum ls_operation operation;
	int failed;

	*job = (struct job){ .request = { .size = sizeof job->request } };
	*out = (struct ls_error){ .size = sizeof *out };
	if (!query->plan || query->file->is_plan || query->file->map || !query->operation)
		return EXIT_SUCCESS;
	failed = find_operation(query->operation, &operation);
	if (!failed)
		failed = topology_open(query, &job->topology);
	if (!failed)
		failed = request_for(query, operation, job->topology, &job->request);
	if (!failed)
		failed = plan_file_infer(query->file, &job->request, &job->plan, out);
	job->mode = job->request.mode;
	if (out->kind != LS_ERR_LAW)
		out->kind = LS_OK;
	else if (!failed && ls_plan_infer(&job->request, NULL, 0, &job->plan, NULL) != LS_OK)
		require_memory(NULL);
	return failed;
}
