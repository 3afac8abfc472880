#include "job/job_sweep.h"

#include "data/operand_shape.h"
#include "job/watch.h"

/* The row of the first who has one. */
static unsigned char *rows_from(const struct matrix *matrix, bool of_root, int64_t root)
{
	return matrix_at(matrix, of_root ? root : 0, 0);
}

static struct ls_sweep sweep_of(const struct workload *workload)
{
	const struct options *options = workload->options;
	const struct ls_request *request = &workload->job.request;
	const struct ls_operation_info *info = ls_operation_describe(request->operation);
	struct ls_sweep sweep = {
		.size = sizeof sweep,
		.plan = workload->job.plan,
		.count = request->count,
		.type = request->type,
		.op = info->combines ? request->op : NULL,
		.make = stream_put,
		.take = stream_take,
		.context = workload->stream,
		.workers = options->workers,
		.bind = options->bind,
		.strict = options->strict,
		.embedding = workload->job.embedding,
		.mode = workload->job.mode,
	};

	if (workload->input.memory && !request->in_place) {
		sweep.input = rows_from(&workload->input, info->from_root, request->root);
		sweep.input_stride = workload->input.stride;
	}
	if (workload->output.memory) {
		sweep.output = rows_from(&workload->output, info->at_root, request->root);
		sweep.output_stride = workload->output.stride;
		sweep.take = NULL;
	}
	return sweep;
}

static void take_rows(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;

	for (int64_t rank = 0; rank < workload->output.rows; rank++)
		if (has_result(request->operation, request->root, rank))
			stream_take(workload->stream, rank, matrix_at(&workload->output, rank, 0));
}

int sweep_run(const struct workload *workload, struct trace_file *trace, int64_t since,
	struct ls_sweep_result *out, int *by)
{
	struct ls_sweep sweep = sweep_of(workload);
	struct watch watch;
	int status = LS_ERR_STOPPED;

	stream_reset(workload->stream);
	if (trace && trace->file) {
		sweep.trace = trace_record;
		sweep.trace_context = trace;
	}
	sweep.progress = watch_look;
	sweep.progress_context = &watch;
	watch_begin(&watch, workload->options, since);
	if (!watch_is_late(&watch)) {
		out->size = sizeof *out;
		status = ls_sweep_run(&sweep, out);
	}
	watch_end(&watch);
	if (status == LS_ERR_STOPPED)
		status = watch_stopped(&watch, out->stats.rounds, &out->error);
	else if (status == LS_OK && workload->output.memory)
		take_rows(workload);
	*by = watch.by;
	return status;
}
