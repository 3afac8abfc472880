/*
 * Hand-written pthreads: rank r runs on core r * cores / p, and flags lie in shared memory.
 *
 * Up to FLAGS nodes with a core each: every thread writes a flag of its own and reads the others'.
 * More nodes: one counter and one epoch.  A thread that waits spins if each thread has a core, and
 * otherwise yields at once.  A short operand travels in the cache line of its flag (`inline`).
 */
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "bind.h"
#include "contest.h"
#include "team.h"

enum { FLAGS = 8, BESIDE = 7, SLOTS = 4 };

struct line {
	alignas(64) atomic_long flag;
	double beside[BESIDE];
};

static struct {
	bool yields, flags;
	struct line flag[FLAGS];    /* number of the operation that each thread has begun */
	struct line slot[2][FLAGS]; /* all-reduce: operands of even and odd operations */
	struct line ring[SLOTS],
		read[FLAGS]; /* broadcast: the root's messages, and how many each thread has read */
	alignas(64) atomic_long arrived;
	alignas(64) atomic_long epoch;
} shared;

struct hand {
	struct member member;
	long waits, sums, casts;
};

struct thread {
	pthread_t id;
	const struct contest *contest;
	struct team *team;
	int rank;
};

static void reach(const atomic_long *flag, long value)
{
	while (atomic_load_explicit(flag, memory_order_acquire) < value)
		if (shared.yields)
			sched_yield();
}

static void wait_for_all(struct participant *s)
{
	struct hand *me = s->peer;
	const long turn = ++me->waits;

	if (shared.flags) {
		atomic_store_explicit(&shared.flag[s->rank].flag, turn, memory_order_release);
		for (int r = 0; r < s->contest->nodes; r++)
			reach(&shared.flag[r].flag, turn);
	} else if (atomic_fetch_add_explicit(&shared.arrived, 1, memory_order_acq_rel) + 1
		== s->contest->nodes) {
		atomic_store_explicit(&shared.arrived, 0, memory_order_relaxed);
		atomic_store_explicit(&shared.epoch, turn, memory_order_release);
	} else {
		reach(&shared.epoch, turn);
	}
}

static bool fits_beside(const struct participant *s)
{
	return shared.flags && s->contest->n <= BESIDE;
}

static void allreduce_inline(struct participant *s)
{
	struct hand *me = s->peer;

	if (!fits_beside(s)) {
		allreduce_staged(s);
		return;
	}

	const long turn = ++me->sums;
	struct line *slot = shared.slot[turn & 1];
	double sum[BESIDE] = { 0 };

	memcpy(slot[s->rank].beside, s->operand, s->contest->n * sizeof *sum);
	atomic_store_explicit(&slot[s->rank].flag, turn, memory_order_release);
	for (int r = 0; r < s->contest->nodes; r++) {
		reach(&slot[r].flag, turn);
		add(sum, sum, slot[r].beside, s->contest->n);
	}
	memcpy(s->result, sum, s->contest->n * sizeof *sum);
}

static void broadcast_inline(struct participant *s)
{
	struct hand *me = s->peer;

	if (!fits_beside(s) || s->contest->rotates) {
		broadcast_staged(s);
		return;
	}

	const long turn = ++me->casts;
	struct line *slot = &shared.ring[turn % SLOTS];

	if (s->rank == 0) {
		for (int r = 1; r < s->contest->nodes; r++)
			reach(&shared.read[r].flag, turn - SLOTS);
		memcpy(slot->beside, s->operand, s->contest->n * sizeof(double));
		atomic_store_explicit(&slot->flag, turn, memory_order_release);
	} else {
		reach(&slot->flag, turn);
		memcpy(s->operand, slot->beside, s->contest->n * sizeof(double));
		atomic_store_explicit(&shared.read[s->rank].flag, turn, memory_order_release);
	}
}

static const struct variant variants[OPERATIONS][VARIANTS] = {
	[ALLREDUCE] = { { "inline-or-staged", allreduce_inline }, TEAM_ALLREDUCE },
	[BROADCAST] = { { "inline-or-staged", broadcast_inline }, TEAM_BROADCAST },
	[BARRIER] = { { "barrier", wait_for_all } },
	[ALLGATHER] = { TEAM_ALLGATHER },
	[ALLTOALL] = { TEAM_ALLTOALL },
};

static void *body(void *arg)
{
	struct thread *me = arg;
	struct hand hand = { .waits = 0 };

	bind_block(me->rank, me->contest->nodes);
	team_play(me->team, me->contest, me->rank, &hand.member);
	return NULL;
}

int main(int argc, char **argv)
{
	const struct contest c = contest_of(argc, argv);
	const cpu_set_t allowed = cores_allowed();
	struct thread *thread = calloc((size_t)c.nodes, sizeof *thread);

	shared.yields = c.nodes > CPU_COUNT(&allowed);
	shared.flags = !shared.yields && c.nodes <= FLAGS;
	if (!thread)
		fail("no memory");
	thread[0].team = team_make(&c);
	for (int r = 0; r < c.nodes; r++) {
		thread[r] = (struct thread){ .contest = &c, .team = thread[0].team, .rank = r };
		if (pthread_create(&thread[r].id, NULL, body, &thread[r]))
			fail("no thread");
	}
	for (int r = 0; r < c.nodes; r++)
		pthread_join(thread[r].id, NULL);
	return 0;
}
