/*
 * The algorithms for an operation on one network, and their costs.
 */
#include "job/job.h"
#include "job/job_sweep.h"
#include "list/list.h"

#include <inttypes.h>

#define HEADS \
	"operation", "mode", "algorithm", "*default", "claim", "#rounds", "#bound", "#gap", \
		"#messages", "#words", "#load", "#cost"

void list_count(struct table *table, int64_t count)
{
	if (count == INT64_MAX || count < 0)
		table_cell(table, "%s", "");
	else
		table_cell(table, "%" PRId64, count);
}

/* Bytes per node of a sweep; unknown without a plan, or with more than LS_COUNTED_NODES nodes. */
static void bytes_cell(struct table *table, const struct ls_request *request, const char *algorithm)
{
	struct ls_request one = *request;
	ls_plan *plan = NULL;
	double bytes = 0;

	one.algorithm = algorithm;
	if (ls_topology_nodes(request->topology) <= LS_COUNTED_NODES
		&& ls_plan_make(&one, &plan, NULL) == LS_OK)
		bytes = sweep_bytes_per_node(plan, &one);
	ls_plan_destroy(plan);
	if (bytes > 0)
		table_cell(table, bytes < 999.5 ? "%.3g" : "%.0f", bytes);
	else
		table_cell(table, "%s", "");
}

static void candidate_rows(
	const struct output *output, struct table *table, const struct ls_request *request)
{
	struct ls_candidate candidate = { .size = sizeof candidate };

	for (size_t i = 0; ls_candidate_list(request, i, &candidate); i++) {
		const int64_t rounds = candidate.counts.rounds, bound = candidate.lower_bound;

		table_cells(table, 5, ls_operation_name(request->operation), mode_text(request->mode),
			candidate.algorithm, candidate.chosen ? "true" : "false", claim_text(candidate.claim));
		list_count(table, rounds);
		list_count(table, bound);
		list_count(table, bound < 0 || rounds < 0 ? -1 : rounds - bound);
		list_count(table, candidate.counts.messages);
		list_count(table, candidate.counts.words);
		list_count(table, candidate.load);
		if (candidate.cost < 0)
			table_cell(table, "%s", "");
		else
			table_cell(table, "%.6g", candidate.cost);
		if (output->verbose)
			bytes_cell(table, request, candidate.algorithm);
	}
}

/* Rows of both modes, unless --mode is given. */
int list_cells(const struct query *query, const struct output *output, const struct selection *only,
	struct table *table)
{
	static const char *const head[] = { HEADS, NULL };
	static const char *const with_sweep[] = { HEADS, "#bytes_per_node", NULL };

	*table = table_begin(output->verbose ? with_sweep : head);
	for (int i = 0; i < LS_OPERATIONS; i++) {
		struct ls_request request;

		if (!(only->operations >> i & 1))
			continue;

		int failed = request_for(query, (enum ls_operation)i, only->topology, &request);

		for (int mode = LS_HOP; mode <= LS_ROUTED && !failed; mode++) {
			request.mode = (enum ls_mode)mode;
			if (query->given.mode && request.mode != query->mode)
				continue;
			candidate_rows(output, table, &request);
			if (query->file)
				failed = list_plan(query, output, &request, table);
		}
		if (failed)
			return failed;
	}
	return EXIT_SUCCESS;
}

void list_legend(const struct output *output)
{
	const struct ls_cost_model model = ls_cost_model_default;

	printf("\n* the default; cost: %g per round, and %g per byte on its busiest link\n", model.t_s,
		model.t_w);
	if (output->verbose)
		puts("bytes_per_node: memory of run -e sweep, with computed operands");
}
