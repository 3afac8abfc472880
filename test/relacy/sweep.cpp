/* all: searches many executions of a protocol */
/* compile: -fpermissive -w */
/*
 * The barrier of a sweep's workers: each worker reads after it the values that the others wrote
 * before it.  All workers leave at the same barrier, for a violation or because the caller stops
 * them, and all take the same branch when one refuses a step.  The count of barriers passes 2^32.
 */
#include <climits>
#include <cstdarg>

#include "model.hpp"

#undef pthread_mutex_lock
#undef pthread_mutex_unlock
#define pthread_mutex_lock(m) (m)->lock($)
#define pthread_mutex_unlock(m) (m)->unlock($)

#include "planted/sweep.inc"

enum { STEPS = 3, NEVER = -1 };

/* In which step a worker violates a law, another one too, refuses; `stops`: a caller stops them. */
struct course { unsigned workers; bool spins, stops; int violates[NODES_MOST], refuses; };

template <class P> struct sweep : scenario {
	const course *what;
	typename P::ls_plan plan;
	typename P::lsi_sweep_state sweeping;
	typename P::lsi_sweep_worker worker[NODES_MOST];
	typename P::lsi_sweep_tree tree;
	LSI_PLAIN(int) cell[2][NODES_MOST];

	sweep(bool, const void *what) : what((const course *)what) {}

	void before()
	{
		typename P::lsi_sweep_state *s = &sweeping;

		s->plan = &plan;
		s->operation = "";
		s->steps = STEPS;
		s->workers = (int)what->workers;
		s->may_spin = what->spins;
		lsi_store(&s->arrived, 0u, relaxed);
		lsi_store(&s->epoch, START, relaxed);
		lsi_store(&s->sleepers, 0u, relaxed);
		lsi_store(&s->rounds, 0, relaxed);
		lsi_store(&s->failed, 0, relaxed);
		lsi_store(&s->stopping, false, relaxed);
		lsi_store(&tree.refused, 0, relaxed);
		s->step = s->error_rank = 0;
		s->error.kind = P::LS_OK;
		for (unsigned i = 0; i < what->workers; i++) {
			worker[i].sweep = s;
			worker[i].barriers = worker[i].messages = 0;
			lsi_store(&worker[i].messages_published, 0, relaxed);
		}
	}

	/* All that meet come from the same place. */
	bool wait_at_barrier(unsigned i, int place)
	{
		const int64_t parity = worker[i].barriers % 2;

		cell[parity][i] = place;
		if (!P::lsi_sweep_barrier(&worker[i]))
			return false;
		for (unsigned peer = 0; peer < what->workers; peer++)
			RL_ASSERT(cell[parity][peer] == place);
		return true;
	}

	bool step(unsigned i, int now)
	{
		typename P::lsi_sweep_worker *w = &worker[i];

		if (what->violates[i] == now)
			P::lsi_sweep_report(
				w, typename P::lsi_sweep_fault{ -1, (int64_t)i, -1, now, "" }, "wrong");
		if (!P::is_refused(w, &tree)) {
			if (what->refuses == now && i == what->workers - 1)
				P::refuse(w, &tree);
			if (!wait_at_barrier(i, 3 * now))
				return false;
			if (!P::is_refused(w, &tree))
				return wait_at_barrier(i, 3 * now + 1);
		}
		return wait_at_barrier(i, 3 * now + 2);
	}

	void thread(unsigned i)
	{
		int now = 0;

		if (i == what->workers)
			lsi_store(&sweeping.stopping, true, relaxed);
		while (i < what->workers && now < STEPS && step(i, now))
			now++;
	}

	void after()
	{
		int first = NEVER;
		int64_t who = -1;

		for (unsigned i = 0; i < what->workers; i++) {
			RL_ASSERT(worker[i].barriers == worker[0].barriers);
			if (what->violates[i] != NEVER && (first == NEVER || what->violates[i] < first)) {
				first = what->violates[i];
				who = i;
			}
		}
		RL_ASSERT(lsi_load(&sweeping.sleepers, relaxed) == 0);
		if (!what->stops)
			RL_ASSERT(
				first == NEVER ? sweeping.error.kind == P::LS_OK : sweeping.error.node == who);
	}
};

static const course
	two = { 2, true, false, { NEVER, NEVER }, NEVER },
	asleep = { 2, false, false, { NEVER, NEVER }, NEVER },
	three = { 3, false, false, { NEVER, NEVER, NEVER }, NEVER },
	one_fails = { 2, true, false, { NEVER, 1 }, NEVER },
	two_fail = { 3, true, false, { 1, 1, NEVER }, NEVER },
	stopped = { 2, true, true, { NEVER, NEVER }, NEVER },
	stopped_failing = { 2, false, true, { 1, NEVER }, NEVER },
	refused = { 2, true, false, { NEVER, NEVER }, 1 },
	refused_by_three = { 3, false, false, { NEVER, NEVER, NEVER }, 0 };

#define TRIAL(name, executions, what) \
	{ name, (what).workers + (what).stops, executions, make<sweep<P> >, &what }

template <class P> struct trials {
	static constexpr size_t n = 9;
	static constexpr trial all[n] = {
		TRIAL("two spin", 20000, two), TRIAL("two sleep", 20000, asleep),
		TRIAL("three sleep", 20000, three), TRIAL("one fails", 20000, one_fails),
		TRIAL("two fail", 20000, two_fail), TRIAL("stopped", 20000, stopped),
		TRIAL("stopped, one fails", 20000, stopped_failing), TRIAL("refused", 20000, refused),
		TRIAL("refused by one of three", 20000, refused_by_three),
	};
};
template <class P> constexpr trial trials<P>::all[];

MAIN
