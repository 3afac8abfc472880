#include "sweep.h"

#include "progress.h"
#include "shape.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int sweep_refuses(const struct options *options)
{
	if (options->rounds == LS_FREE)
		return complain(EXIT_UNAVAILABLE,
			"engine sweep has no free rounds: it takes all nodes through one round after the other; "
			"would be right: --rounds lockstep");
	return EXIT_FINE;
}

/* ---- Signals, the time limit and progress, looked after now and then */

struct watch {
	const struct options *options;
	sigset_t signals, before;
	int64_t since;                  /* when the time limit began  */
	int by;                         /* the signal that came, or 0 */
	bool late, shown;
};

/* Signals wait until they are looked for. */
static void watch_begin(struct watch *watch, const struct options *options, int64_t since)
{
	*watch = (struct watch){ .options = options, .since = since };
	sigemptyset(&watch->signals);
	sigaddset(&watch->signals, SIGINT);
	sigaddset(&watch->signals, SIGTERM);
	sigaddset(&watch->signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &watch->signals, &watch->before);
}

static void look_for_signal(struct watch *watch)
{
	const struct timespec at_once = { 0, 0 };
	const int signal = watch->by ? 0 : sigtimedwait(&watch->signals, NULL, &at_once);

	if (signal > 0)
		watch->by = signal;
}

static void watch_end(struct watch *watch)
{
	if (watch->shown)
		progress_erase();
	look_for_signal(watch);
	pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}

static bool is_late(const struct watch *watch)
{
	const double limit = watch->options->timeout;

	return limit > 0 && (double)(clock_now() - watch->since) > limit * 1e9;
}

static int look(void *context, const struct ls_sweep_progress *progress)
{
	struct watch *watch = context;

	look_for_signal(watch);
	watch->late = is_late(watch);
	if (!watch->by && !watch->late && progress_wanted(watch->options)) {
		progress_show(progress);
		watch->shown = true;
	}
	return watch->by != 0 || watch->late;
}

/* ---- The sweep */

static void put_record(void *context, const struct ls_record *record)
{
	trace_put(context, record->round, record->src, record->dst, record->words);
}

/* The row of the first who has one. */
static unsigned char *rows_from(const struct matrix *matrix, bool of_root, int64_t root)
{
	return matrix_at(matrix, of_root ? root : 0, 0);
}

static struct ls_sweep sweep_of(const struct work *work)
{
	const struct options *options = work->options;
	const struct ls_request *request = &work->job.request;
	const struct ls_operation_info *info = ls_operation_info(request->operation);
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

/* A sweep that was stopped: by whom. */
static int say_stopped(const struct watch *watch, struct ls_swept *swept)
{
	struct ls_error *error = &swept->error;

	if (watch->by || !watch->late)
		return LS_ERR_STOPPED;
	error->kind = LS_ERR_TIMEOUT;
	snprintf(error->text, sizeof error->text,
		"time limit of %g s is over: %" PRId64 " rounds were done", watch->options->timeout,
		swept->stats.rounds);
	return LS_ERR_TIMEOUT;
}

int sweep_run(const struct work *work, struct trace_file *trace, int64_t since,
	struct ls_swept *out, int *by)
{
	struct ls_sweep sweep = sweep_of(work);
	struct watch watch;

	*out = (struct ls_swept){ .size = sizeof *out };
	stream_reset(work->stream);
	if (trace && trace->file) {
		sweep.trace = put_record;
		sweep.trace_context = trace;
	}
	sweep.progress = look;
	sweep.progress_context = &watch;
	watch_begin(&watch, work->options, since);
	watch.late = is_late(&watch);

	int status = watch.late ? LS_ERR_STOPPED : ls_sweep_run(&sweep, out);

	watch_end(&watch);
	if (status == LS_ERR_STOPPED)
		status = say_stopped(&watch, out);
	else if (status == LS_OK && work->output.memory)
		take_rows(work);
	*by = watch.by;
	return status;
}
