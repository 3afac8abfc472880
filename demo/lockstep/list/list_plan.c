/*
 * The plan of --plan, as one more row of the algorithms of its operation and mode.
 */
#include "list/list.h"

#include "job/embedded.h"

static void add_row(const struct query *query, const struct job *job, struct table *table)
{
	const struct ls_request *request = &job->request;
	const struct ls_counts counts = ls_plan_predict(job->plan, request->count);
	const int64_t bound = job_lower_bound(job);

	table_cells(table, 5, ls_operation_name(request->operation), mode_text(job->mode), query->plan,
		"false", claim_text(ls_plan_claim(job->plan)));
	list_count(table, counts.rounds);
	list_count(table, bound);
	list_count(table, bound < 0 ? -1 : counts.rounds - bound);
	list_count(table, counts.messages);
	list_count(table, job_words(job, counts.words));
	list_count(table, host_link_load(job));
	list_cost(table,
		ls_plan_cost(
			job->plan, request->count, ls_type_size(request->type), ls_cost_model_default));
}

int list_plan(const struct query *query, const struct output *output,
	const struct ls_request *request, struct table *table)
{
	struct job job = { .topology = (ls_topology *)request->topology, .borrows = true };
	const int failed = job_plan(query, &job);

	if (failed)
		return failed;
	if (job.request.operation == request->operation && job.mode == request->mode) {
		add_row(query, &job, table);
		table_cell(table, "%s", ""); /* excluded */
		if (list_has_volumes(query)) {
			list_count(table, ls_plan_predict(job.plan, job.request.count).volume);
			list_count(table, ls_plan_words_bound(job.plan, job.request.count));
			list_cost(table, ls_cost_bound(request, ls_cost_model_default));
		}
		if (output->verbose)
			table_cell(table, "%s", "");
	}
	job_close(&job);
	return EXIT_SUCCESS;
}
