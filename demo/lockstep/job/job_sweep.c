#include "job/job_sweep.h"

#include "data/operand_shape.h"
#include "job/watch.h"

/* The row of the first who has one. */
static unsigned char *rows_from(const struct matrix *matrix, bool of_root, int64_t root)
{
	return matrix_at(matrix, of_root ? root : 0, 0);
}

static struct ls_sweep sweep_of(const struct work *work)
{
	const struct options *options = work->options;
	const struct ls_request *request = &work->job.request;
	const struct ls_operation_info *info = ls_operation_describe(request->operation);
	struct ls_sweep sweep = {
		.size = sizeof sweep, .plan = work->job.plan, .count = request->count,
		.type = request->type, .op = info->combines ? request->op : NULL,
		.make = stream_put, .take = stream_take, .context = work->stream,
		.workers = options->workers, .bind = options->bind, .strict = options->strict,
		.embedding = work->job.embedding, .mode = work->job.mode,
	};

	if (work->input.memory && !request->in_place) {
		sweep.input = rows_from(&work->input, info->from_root, request->root);
		sweep.input_stride = work->input.stride;
	}
	if (work->output.memory) {
		sweep.output = rows_from(&work->output, info->at_root, request->root);
		sweep.output_stride = work->output.stride;
		sweep.take = NULL;
	}
	return sweep;
}

static void take_rows(const struct work *work)
{
	const struct ls_request *request = &work->job.request;

	for (int64_t rank = 0; rank < work->output.rows; rank++)
		if (has_result(request->operation, request->root, rank))
			stream_take(work->stream, rank, matrix_at(&work->output, rank, 0));
}

int sweep_run(const struct work *work, struct trace_file *trace, int64_t since,
	struct ls_sweep_result *out, int *by)
{
	struct ls_sweep sweep = sweep_of(work);
	struct watch watch;
	int status = LS_ERR_STOPPED;

	stream_reset(work->stream);
	if (trace && trace->file) {
		sweep.trace = trace_record;
		sweep.trace_context = trace;
	}
	sweep.progress = watch_look;
	sweep.progress_context = &watch;
	watch_begin(&watch, work->options, since);
	if (!watch_is_late(&watch)) {
		out->size = sizeof *out;
		status = ls_sweep_run(&sweep, out);
	}
	watch_end(&watch);
	if (status == LS_ERR_STOPPED)
		status = watch_stopped(&watch, out->stats.rounds, &out->error);
	else if (status == LS_OK && work->output.memory)
		take_rows(work);
	*by = watch.by;
	return status;
}
