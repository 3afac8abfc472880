#include "job/watch.h"

#include "base/timing.h"
#include "job/job_machine.h"
#include "report/progress.h"

#include <inttypes.h>
#include <pthread.h>

void watch_begin(
	struct watch *watch, const struct execution *how, const struct output *output, int64_t since)
{
	*watch = (struct watch){ .how = how, .output = output, .since = since };
	block_signals(&watch->signals, &watch->before);
}

static void look_for_signal(struct watch *watch)
{
	if (!watch->signal)
		watch->signal = take_signal(&watch->signals);
}

void watch_end(struct watch *watch)
{
	if (watch->shown)
		progress_erase();
	look_for_signal(watch);
	pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}

bool watch_is_late(struct watch *watch)
{
	const double limit = watch->how->timeout;

	watch->late = limit > 0 && (double)(clock_now() - watch->since) > limit * 1e9;
	return watch->late;
}

int watch_look(void *context, const struct ls_sweep_progress *progress)
{
	struct watch *watch = context;

	look_for_signal(watch);
	if (watch->signal || watch_is_late(watch))
		return 1;
	if (progress_is_visible(watch->output)) {
		progress_show(progress);
		watch->shown = true;
	}
	return 0;
}

int watch_stopped(const struct watch *watch, int64_t rounds, struct ls_error *error)
{
	if (watch->signal || !watch->late)
		return LS_ERR_STOPPED;
	*error = (struct ls_error){ sizeof *error, LS_ERR_TIMEOUT, -1, -1, -1, -1, NULL, "" };
	snprintf(error->text, sizeof error->text, "timed out after %g s in round %" PRId64,
		watch->how->timeout, rounds + 1);
	return LS_ERR_TIMEOUT;
}
