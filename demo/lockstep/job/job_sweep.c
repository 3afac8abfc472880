#include "job/job_sweep.h"

#include "base/processes.h"
#include "data/operand_shape.h"
#include "job/watch.h"

#include <stdlib.h>

/* The row of the first rank that has one. */
static unsigned char *rows_from(const struct matrix *matrix, bool of_root, int64_t root)
{
	return matrix_at(matrix, of_root ? root : 0, 0);
}

static struct ls_sweep sweep_of(const struct workload *workload)
{
	const struct execution *how = workload->how;
	const struct ls_request *request = &workload->job.request;
	const struct ls_operation_info *info = ls_operation_describe(request->operation);
	struct ls_sweep sweep = {
		.size = sizeof sweep,
		.plan = workload->job.plan,
		.count = request->count,
		.type = request->type,
		.op = info->combines ? request->op : NULL,
		.make = stream_operands,
		.take = stream_compare,
		.context = workload->stream,
		.workers = how->workers,
		.bind = how->bind,
		.strict = how->strict,
		.embedding = workload->job.embedding,
		.mode = workload->job.mode,
		.world = processes_world(),
	};

	if (workload->operands.memory && !request->in_place) {
		sweep.input = rows_from(&workload->operands, info->from_root, request->root);
		sweep.input_stride = workload->operands.stride;
	}
	if (workload->results.memory) {
		/* The root alone has the operand of a scatter, so the rows of results have no operands. */
		const struct matrix *rows = info->from_root ? &workload->results : &workload->buffers;

		sweep.output = rows_from(rows, info->at_root, request->root);
		sweep.output_stride = rows->stride;
		sweep.take = NULL;
	}
	return sweep;
}

static void take_rows(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;

	for (int64_t rank = 0; rank < workload->results.rows; rank++)
		if (has_result(request->operation, request->root, rank))
			stream_compare(workload->stream, rank, matrix_at(&workload->results, rank, 0));
}

/* At process 0: what the other processes have compared. */
static void add_compared(struct stream *stream)
{
	const int count = processes_here()->count;
	const struct compared mine = stream_compared(stream);
	struct compared *all = require_memory(calloc((size_t)count, sizeof *all));
	int first = 0;

	processes_collect(&mine, sizeof mine, all);
	while (first < count - 1 && !all[first].seen)
		first++;
	for (int i = 1; i < count && processes_is_first(); i++)
		stream_add(stream, &all[first], &all[i]);
	free(all);
}

int sweep_run(const struct workload *workload, struct output_file *trace, int64_t since,
	struct ls_sweep_result *out, int *signal)
{
	struct ls_sweep sweep = sweep_of(workload);
	struct watch watch;
	int status = LS_ERR_STOPPED;

	stream_reset(workload->stream);
	if (trace && workload->output->trace) { /* process 0 alone has a file */
		sweep.trace = trace_record;
		sweep.trace_context = trace;
	}
	if (processes_is_first()) {
		sweep.progress = watch_look;
		sweep.progress_context = &watch;
	}
	watch_begin(&watch, workload->how, workload->output, since);
	if (!watch_is_late(&watch) || sweep.world) { /* a world ends by the progress of process 0 */
		out->size = sizeof *out;
		status = ls_sweep_run(&sweep, out);
	}
	watch_end(&watch);
	if (status == LS_ERR_STOPPED || watch.signal)
		status = watch_stopped(&watch, out->stats.rounds, &out->error);
	else if (status == LS_OK && workload->results.memory)
		take_rows(workload);
	if (sweep.world) {
		processes_here()->crossing_messages = out->crossing_messages;
		processes_here()->crossing_bytes = out->crossing_bytes;
	}
	if (sweep.world && status == LS_OK)
		add_compared(workload->stream);
	*signal = watch.signal;
	return status;
}
