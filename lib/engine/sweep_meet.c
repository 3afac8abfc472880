/*
 * Meeting: a barrier of the workers, and what ends a sweep.
 *
 *   arrived   workers that are at the meeting
 *   meeting   meetings that are over; the last to arrive ends one
 *   asleep    workers that sleep, or are about to
 *
 * Edges      MET     arrivals -> the last: all that was written before the meeting ..
 *            OVER    the last -> the others: .. is seen after it
 *            ASLEEP  either a sleeper finds the meeting over, or the last finds it asleep
 *            FAILED  the first violation -> who leaves: its meeting
 * Evidence   test/relacy/sweep.cpp
 */
#include "engine/sweep.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/wait.h"

enum { SPINS = 1 << 10 };                     /* some 40 us, what it takes to wake */

static void await(struct ls_sweeping *s, uint32_t meeting)
{
	for (int i = 0; i < SPINS && s->spins; i++) {
		if (ls_load(&s->meeting, acquire) != meeting)          /* OVER */
			return;
		ls_pause();
	}
	ls_fetch_add(&s->asleep, 1, seq_cst);                          /* ASLEEP */
	while (ls_load(&s->meeting, seq_cst) == meeting)               /* ASLEEP, OVER */
		ls_sleep(&s->meeting, meeting, 0);
	ls_fetch_sub(&s->asleep, 1, relaxed);                          /* counter only */
}

static void meet(struct ls_sweeping *s)
{
	const uint32_t meeting = ls_load(&s->meeting, relaxed);        /* own: none ends without me */

	if (ls_fetch_add(&s->arrived, 1, acq_rel) + 1 < (uint32_t)s->workers) {    /* MET */
		await(s, meeting);
		return;
	}
	ls_store(&s->arrived, 0, relaxed);                             /* published by OVER */
	ls_store(&s->meeting, meeting + 1, seq_cst);                   /* OVER, ASLEEP */
	if (ls_load(&s->asleep, seq_cst) > 0)                          /* ASLEEP */
		ls_wake(&s->meeting, INT_MAX);
}

/* What comes later than all nodes: who has none. */
static int64_t position(int64_t rank)
{
	return rank < 0 ? INT64_MAX : rank;
}

bool ls_sweep_violated(
	struct ls_sweep_worker *w, struct ls_sweep_fault fault, const char *format, ...)
{
	struct ls_sweeping *s = w->sweep;
	const bool in_plan = fault.step >= 0 && fault.step < s->steps;
	va_list arguments;

	pthread_mutex_lock(&s->mutex);
	if (s->error.kind == LS_OK || fault.step < s->step
		|| (fault.step == s->step && position(fault.node) < position(s->error_rank))) {
		s->step = fault.step;
		s->error_rank = fault.node;
		s->error = (struct ls_error){ sizeof s->error, fault.kind, ls_sweep_place(s, fault.node),
			ls_sweep_place(s, fault.peer), in_plan ? ls_plan_round_of(s->plan, fault.step) : -1, -1,
			ls_operation_name(s->plan->problem.operation), "" };
		va_start(arguments, format);
		vsnprintf(s->error.text, sizeof s->error.text, format, arguments);
		va_end(arguments);
		if (!ls_load(&s->failed, relaxed))                 /* written with the lock */
			ls_store(&s->failed, w->meetings + 1, release);        /* FAILED */
	}
	pthread_mutex_unlock(&s->mutex);
	return false;
}

bool ls_sweep_pause(struct ls_sweep_worker *w)
{
	ls_store(&w->told, w->messages, relaxed);                      /* counter only */
	return ls_load(&w->sweep->stopping, relaxed);                  /* acted on at the meeting */
}

bool ls_sweep_meet(struct ls_sweep_worker *w)
{
	struct ls_sweeping *s = w->sweep;
	int64_t failed;

	if (ls_sweep_pause(w))
		ls_sweep_violated(w,
			(struct ls_sweep_fault){ LS_ERR_STOPPED, LS_NOBODY, LS_NOBODY, s->steps },
			"the sweep was stopped after %lld of %lld rounds",
			(long long)ls_load(&s->rounds, relaxed),       /* counter only */
			(long long)ls_plan_rounds(s->plan));
	if (s->workers > 1)
		meet(s);
	w->meetings++;
	failed = ls_load(&s->failed, acquire);                         /* FAILED */
	return failed == 0 || failed > w->meetings;
}
