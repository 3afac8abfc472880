#include "engine/sweep/process_wait.h"

#include <stdio.h>

#include "base/futex.h"
#include "engine/sweep/sweep_exchange.h"
#include "world/use.h"

enum {
	/*
	 * Time that the others have to agree on a stop: GRACE_NS, and GRACE_STEPS times the longest
	 * time between two agreements.
	 */
	GRACE_NS = 2000000000,
	GRACE_STEPS = 10
};

/* While the workers do not work, the calling thread waits, and reports progress. */
static void report_progress(struct lsi_process_wait *wait, uint64_t now)
{
	if (wait->sweep->working || now - wait->reported < LSI_SWEEP_PROGRESS_NS)
		return;
	if (wait->reported > 0 && wait->sweep->plan)
		lsi_sweep_report_progress(wait->sweep);
	wait->reported = now;
}

/* The longest time between two agreements, and from the last one until `now`, in ns. */
static uint64_t longest_step(const struct lsi_sweep_exchange *e, uint64_t now)
{
	const uint64_t last = e && e->agreed > 0 ? now - e->agreed : 0;

	return e && e->longest > last ? e->longest : last;
}

void lsi_exchange_note_agreement(struct lsi_sweep_state *s)
{
	const uint64_t now = lsi_now_ns();

	s->exchange->longest = longest_step(s->exchange, now);
	s->exchange->agreed = now;
}

bool lsi_process_wait_is_over(void *context)
{
	struct lsi_process_wait *wait = context;
	const uint64_t now = lsi_now_ns();

	report_progress(wait, now);
	if (!lsi_load(&wait->sweep->stop_wanted, relaxed)) /* a flag without data */
		return false;
	if (wait->stopped == 0)
		wait->stopped = now;
	wait->gave_up = now - wait->stopped
		>= GRACE_NS + GRACE_STEPS * longest_step(wait->sweep->exchange, wait->stopped);
	return wait->gave_up;
}

bool lsi_give_up(struct lsi_sweep_state *s, bool no_answer)
{
	struct lsi_transport *t = s->world->transport;
	struct ls_error why = { .size = sizeof why };

	if (no_answer)
		snprintf(t->failure, sizeof t->failure, "no answer since the sweep was stopped");
	s->broken = true;
	lsi_world_failure(s->world, &why);
	t->abort(t, LSI_EXIT_BROKEN, why.text);
	return false;
}

bool lsi_exchange_sum(struct lsi_sweep_state *s, uint64_t *numbers, size_t n)
{
	struct lsi_process_wait wait = { .sweep = s };
	const struct lsi_stop stop = { lsi_process_wait_is_over, &wait };

	return !s->broken
		&& (lsi_world_sum(s->world, numbers, n, &stop) == LS_OK || lsi_give_up(s, wait.gave_up));
}

bool lsi_exchange_least(struct lsi_sweep_state *s, int64_t *numbers, size_t n)
{
	struct lsi_process_wait wait = { .sweep = s };
	const struct lsi_stop stop = { lsi_process_wait_is_over, &wait };

	return !s->broken
		&& (lsi_world_least(s->world, numbers, n, &stop) == LS_OK || lsi_give_up(s, wait.gave_up));
}

/* Without the others, this process agrees on nothing more. */
bool lsi_exchange_begin(struct lsi_sweep_state *s, int64_t *numbers, size_t n)
{
	struct lsi_process_wait wait = { .sweep = s };
	const struct lsi_stop stop = { lsi_process_wait_is_over, &wait };
	const int status = lsi_world_begin(s->world, LSI_USE_SWEEP, numbers, n, &stop, &s->error);

	s->uses_world = status == LS_OK;
	s->broken = status != LS_OK;
	return status == LS_ERR_STOPPED ? lsi_give_up(s, wait.gave_up) : status == LS_OK;
}

bool lsi_exchange_report(struct lsi_sweep_worker *w)
{
	const struct lsi_sweep_state *s = w->sweep;
	struct ls_error why = { .size = sizeof why };

	lsi_world_failure(s->world, &why);
	return lsi_sweep_report(w,
		(struct lsi_sweep_fault){ LS_ERR_STOPPED, LS_NO_RANK, LS_NO_RANK, s->steps, s->operation },
		"%s", why.text);
}
