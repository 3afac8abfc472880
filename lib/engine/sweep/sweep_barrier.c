/*
 * The barrier of a sweep's workers, and the first violation, which ends a sweep.
 *
 *   arrived    workers that are at the barrier
 *   epoch      barriers that are over; the last worker to arrive ends one
 *   sleepers   workers that sleep, or are about to sleep
 *
 * Edges      MET     each arrival -> the last arrival: writes before the barrier
 *            OVER    the last arrival -> the others: the same writes, after the barrier
 *            ASLEEP  either a sleeper sees the next epoch, or the last arrival sees the sleeper
 *            FAILED  the first violation -> a worker that leaves: the barrier of the violation
 * Evidence   test/relacy/sweep.cpp
 */
#include "engine/sweep/sweep_internal.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/futex.h"

enum { SPINS = 1 << 10 }; /* about 40 us: the time of a wake-up */

static void wait_for_epoch(struct lsi_sweep_state *s, uint32_t epoch)
{
	for (int i = 0; i < SPINS && s->may_spin; i++) {
		if (lsi_load(&s->epoch, acquire) != epoch) /* OVER */
			return;
		lsi_pause();
	}
	lsi_fetch_add(&s->sleepers, 1, seq_cst);      /* ASLEEP */
	while (lsi_load(&s->epoch, seq_cst) == epoch) /* ASLEEP, OVER */
		lsi_futex_wait(&s->epoch, epoch, 0);
	lsi_fetch_sub(&s->sleepers, 1, relaxed); /* counter only */
}

static void wait_at_barrier(struct lsi_sweep_state *s)
{
	const uint32_t epoch = lsi_load(&s->epoch, relaxed); /* no barrier ends without this worker */

	if (lsi_fetch_add(&s->arrived, 1, acq_rel) + 1 < (uint32_t)s->workers) { /* MET */
		wait_for_epoch(s, epoch);
		return;
	}
	lsi_store(&s->arrived, 0, relaxed);       /* published by OVER */
	lsi_store(&s->epoch, epoch + 1, seq_cst); /* OVER, ASLEEP */
	if (lsi_load(&s->sleepers, seq_cst) > 0)  /* ASLEEP */
		lsi_futex_wake(&s->epoch, INT_MAX);
}

/* A violation without a node comes after those of all nodes. */
static int64_t order_of(int64_t rank)
{
	return rank < 0 ? INT64_MAX : rank;
}

/* The link of a violation of ports or links; -1: no link, or another violation. */
static int64_t link_label(const struct lsi_sweep_state *s, struct lsi_sweep_fault fault)
{
	const bool is_of_link =
		fault.kind == LS_ERR_PORT || fault.kind == LS_ERR_LINK || fault.kind == LS_ERR_CONGESTION;
	const int64_t node = lsi_sweep_host_rank(s, fault.node);
	const int64_t link = is_of_link && fault.node >= 0 && fault.peer >= 0
		? ls_link_to(s->topology, node, lsi_sweep_host_rank(s, fault.peer))
		: -1;

	return link < 0 ? -1 : ls_link_label(s->topology, link);
}

/* The error of a violation, without its text. */
static struct ls_error error_of(const struct lsi_sweep_state *s, struct lsi_sweep_fault fault)
{
	const bool in_plan = fault.step >= 0 && fault.step < s->steps;

	return (struct ls_error){ sizeof s->error, fault.kind, lsi_sweep_host_rank(s, fault.node),
		lsi_sweep_host_rank(s, fault.peer), in_plan ? ls_plan_round(s->plan, fault.step) : -1,
		link_label(s, fault), fault.operation, "" };
}

bool lsi_sweep_report(
	struct lsi_sweep_worker *w, struct lsi_sweep_fault fault, const char *format, ...)
{
	struct lsi_sweep_state *s = w->sweep;
	va_list arguments;

	pthread_mutex_lock(&s->mutex);
	if (s->error.kind == LS_OK || fault.step < s->step
		|| (fault.step == s->step && order_of(fault.node) < order_of(s->error_rank))) {
		s->step = fault.step;
		s->error_rank = fault.node;
		s->error = error_of(s, fault);
		va_start(arguments, format);
		vsnprintf(s->error.text, sizeof s->error.text, format, arguments);
		va_end(arguments);
		if (!lsi_load(&s->failed, relaxed))                  /* written under the lock */
			lsi_store(&s->failed, w->barriers + 1, release); /* FAILED */
	}
	pthread_mutex_unlock(&s->mutex);
	return false;
}

bool lsi_sweep_poll(struct lsi_sweep_worker *w)
{
	lsi_store(&w->messages_published, w->messages, relaxed); /* counter only */
	return lsi_load(&w->sweep->stopping, relaxed);           /* the next barrier acts on it */
}

bool lsi_sweep_barrier(struct lsi_sweep_worker *w)
{
	struct lsi_sweep_state *s = w->sweep;
	int64_t failed;

	if (lsi_sweep_poll(w))
		lsi_sweep_report(w,
			(struct lsi_sweep_fault){
				LS_ERR_STOPPED, LS_NO_RANK, LS_NO_RANK, s->steps, s->operation },
			"the sweep was stopped after %lld of %lld rounds",
			(long long)lsi_load(&s->rounds, relaxed), /* counter only */
			(long long)ls_plan_rounds(s->plan));
	if (s->workers > 1)
		wait_at_barrier(s);
	w->barriers++;
	failed = lsi_load(&s->failed, acquire); /* FAILED */
	return failed == 0 || failed > w->barriers;
}
