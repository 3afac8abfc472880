#include "job/job_sweep.h"

#include "base/processes.h"
#include "base/shared_run.h"
#include "data/operand_shape.h"
#include "job/verified.h"

/*
 * The row of the first local rank, or of the root if it alone has one.  first: the rank of the
 * first row of the matrix.
 */
static unsigned char *rows_from(
	const struct workload *workload, const struct matrix *matrix, int64_t first, bool of_root)
{
	const struct local_ranks local = workload->local;
	const int64_t root = workload->job.request.root;

	if (of_root && (root < local.first || root >= local.end))
		return NULL;
	return matrix_at(matrix, (of_root ? root : local.first) - first, 0);
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
	};

	if (workload->operands.memory && !request->in_place) {
		sweep.input = rows_from(workload, &workload->operands, 0, info->from_root);
		sweep.input_stride = workload->operands.stride;
	}
	if (workload->results.memory) {
		/* The root alone has the operand of a scatter, so the rows of results have no operands. */
		const struct matrix *rows = info->from_root ? &workload->results : &workload->buffers;

		sweep.output = rows_from(workload, rows, workload->local.first, info->at_root);
		sweep.output_stride = rows->stride;
		sweep.take = NULL;
	}
	return sweep;
}

static void take_rows(const struct workload *workload)
{
	const struct ls_request *request = &workload->job.request;
	const struct local_ranks local = workload->local;

	for (int64_t rank = local.first; rank < local.end; rank++)
		if (has_result(request->operation, request->root, rank))
			stream_compare(
				workload->stream, rank, matrix_at(&workload->results, rank - local.first, 0));
}

int watched_sweep(struct ls_sweep *sweep, struct watch *watch, struct ls_sweep_result *out)
{
	int status = LS_ERR_STOPPED;

	sweep->world = shared_world();
	if (processes_is_first()) {
		sweep->progress = watch_look;
		sweep->progress_context = watch;
	}
	if (follow_first(!watch_is_late(watch))) { /* a short sweep reports no progress */
		out->size = sizeof *out;
		status = ls_sweep_run(sweep, out);
	}
	watch_end(watch);
	if (status == LS_ERR_STOPPED || watch->signal)
		status = watch_stopped(watch, out->stats.rounds, &out->error);
	watch->signal = (int)follow_first(watch->signal);
	note_crossing((struct crossing){ .messages = out->crossing_messages,
		.bytes = out->crossing_bytes,
		.rounds = out->crossing_rounds });
	return (int)follow_first(status);
}

int sweep_run(const struct workload *workload, struct output_file *trace, int64_t since,
	struct ls_sweep_result *out, int *signal)
{
	struct ls_sweep sweep = sweep_of(workload);
	struct watch watch;
	int status;

	stream_reset(workload->stream);
	if (trace && trace->file) {
		sweep.trace = trace_record;
		sweep.trace_context = trace;
	}
	watch_begin(&watch, workload->how, workload->output, since);
	status = watched_sweep(&sweep, &watch, out);
	if (status == LS_OK && workload->results.memory)
		take_rows(workload);
	if (status == LS_OK && sweep.world) {
		const struct compared local = stream_compared(workload->stream);

		workload->stream->found = join_compared(&local);
	}
	*signal = watch.signal;
	return status;
}
