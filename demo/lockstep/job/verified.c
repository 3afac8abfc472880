#include "job/verified.h"

#include "base/mark.h"
#include "base/messages.h"
#include "base/processes.h"
#include "data/operand_shape.h"
#include "job/embedded.h"

#include <stdlib.h>

struct comparison join_compared(const struct compared *mine)
{
	const int count = shared_world() ? processes_here()->count : 1;
	struct compared *all = require_memory(calloc((size_t)count, sizeof *all));
	struct comparison found;

	all[0] = *mine;
	if (shared_world()) {
		collect_bytes(mine, sizeof *mine, all);
		share_bytes(all, (size_t)count * sizeof *all);
	}
	found = compared_in_all(all, count);
	free(all);
	return found;
}

bool workload_can_verify(const struct workload *workload, size_t calls)
{
	return calls == 1 || !workload->in_place || keeps_operands(workload->job.request.operation);
}

/* The first local rank that has a result; the end of the local ranks if there is none. */
static int64_t first_with_result(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;
	int64_t rank = workload->local.first;

	while (rank < workload->local.end && !has_result(request->operation, request->root, rank))
		rank++;
	return rank;
}

static struct compared compare_local(const struct workload *workload)
{
	const struct local_ranks local = workload->local;
	const struct matrix *results = &workload->results;
	const int64_t rank = first_with_result(workload);
	struct compared compared = { .seen = rank < local.end };

	compared.found =
		reference_compare(&workload->reference, &workload->replayed, results, local.first);
	if (compared.seen)
		compared.first = mark_bytes(MARK_OF_NOTHING, matrix_at(results, rank - local.first, 0),
			results->columns * results->element.bytes);
	return compared;
}

/* The results of all nodes, at process 0. */
static void collect_results(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;
	const struct matrix *results = &workload->results;
	const int me = processes_here()->number;

	for (int64_t rank = workload->local.first; rank < workload->local.end; rank++) {
		const int process = workload_process_of(workload, rank);

		if (process > 0 && (me == 0 || me == process)
			&& has_result(request->operation, request->root, rank))
			fetch_bytes(
				process, matrix_at(results, rank, 0), results->columns * results->element.bytes);
	}
}

static struct comparison compare_all(const struct workload *workload)
{
	struct compared local = { .found = { .node = -1, .identical = true } };

	if (workload->first_rank)
		collect_results(workload);
	if (!workload->first_rank || processes_is_first())
		local = compare_local(workload);

	return join_compared(&local);
}

void workload_verify(const struct workload *workload, struct outcome *outcome)
{
	const struct comparison comparison =
		workload->stream ? workload->stream->found : compare_all(workload);

	if (comparison.wrong > 0 && outcome->wrong == 0) {
		char node[300];

		node_text(workload->job.topology, host_rank_of(&workload->job, comparison.node), node,
			sizeof node);
		print_wrong_element(&workload->operands.element, &comparison, node);
	}
	outcome->wrong += comparison.wrong;
	outcome->identical = comparison.identical;
}
