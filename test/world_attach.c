/*
 * Threads of several processes attach to one machine.  How they end otherwise: a deadlock, a thread
 * that ends without ls_detach, one that leaves early, calls that differ, a stop while others have
 * not attached.  Also: machines that are destroyed at once, and meetings of processes that withdraw
 * at any moment.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc */
/* link: -Wl,--wrap=free,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/spread_machine.h"
#include "support/visits.h"
#include "test.h"

enum { NODES = 6, MOST = 4 }; /* processes */

/* ---- What all nodes do, and how it ends */

static int everything(ls_node *me, int64_t which)
{
	int64_t mine = ls_rank(me) + which, sum = 0;
	ls_node *half;
	int failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, LS_SUM);

	CHECK(failed || sum == NODES * (NODES - 1) / 2 + NODES * which, "%s: %" PRId64, guarded(), sum);
	if (!failed)
		failed = ls_split(me, ls_rank(me) % 2, 0, &half);
	if (!failed)
		failed = add_ranks(half);
	return failed ? failed : ls_barrier(me);
}

static int wait_in_a_circle(ls_node *me, int64_t which)
{
	int64_t word;

	(void)which;
	return ls_receive(me, (ls_rank(me) + 1) % NODES, &word, sizeof word);
}

static int end_thread(ls_node *me, int64_t which)
{
	return ls_rank(me) == which ? NO_DETACH : ls_barrier(me);
}

static int leave_early(ls_node *me, int64_t which)
{
	int64_t word;

	return ls_rank(me) == which ? LS_OK : ls_receive(me, which, &word, sizeof word);
}

static int differ(ls_node *me, int64_t which)
{
	int64_t in = 1, out;

	return ls_rank(me) == which ? ls_barrier(me) : ls_allreduce(me, &in, &out, 1, LS_INT64, LS_SUM);
}

static const struct ending {
	const char *name;
	int (*act)(ls_node *, int64_t which);
	int want;  /* of ls_detach */
	bool each; /* once for each node */
	const char *text;
} endings[] = {
	{ "everything", everything, LS_OK, false, "" },
	{ "a circle", wait_in_a_circle, LS_ERR_DEADLOCK, false, "every running node waits (6 in" },
	{ "a thread ends", end_thread, LS_ERR_LEFT, true, "has ended without ls_detach" },
	{ "a node leaves", leave_early, LS_ERR_LEFT, true, "" },
	{ "calls differ", differ, LS_ERR_MISMATCH, true, "call 1 of group 0" },
};

/* All processes have the same error; the machine is free when the last node has left it. */
static void check_ending(struct spread *s, const struct ending *ending, const struct visit *v)
{
	struct ls_error first = { .size = sizeof first }, e = { .size = sizeof e };

	for (int p = 0; p < s->processes; p++) {
		while (ls_machine_busy(s->machine[p]))
			nap(1);
		ls_last_error(s->machine[p], p ? &e : &first);
		CHECK(p == 0 || errors_are_equal(&e, &first), "%s: process %d: %s, but process 0: %s",
			guarded(), p, e.text, first.text);
	}
	CHECK(first.kind == ending->want && strstr(first.text, ending->text), "%s: %s", guarded(),
		first.text);
	for (int i = 0; i < NODES; i++)
		CHECK(!v[i].attached && (v[i].acted == NO_DETACH || v[i].detached == ending->want),
			"%s: node %d: %s, %s", guarded(), i, ls_status_name(v[i].attached),
			ls_status_name(v[i].detached));
}

static void test_endings(const ls_topology *t, int processes, enum ls_rounds rounds)
{
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	struct visit v[NODES];
	struct spread s;

	spread_open(&s, processes, (uint64_t)processes);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		for (int64_t which = 0; which < (endings[i].each ? NODES : 1); which++) {
			guard("%d processes, %s, node %" PRId64, processes, endings[i].name, which);
			visit_all(s.machine, processes, endings[i].act, which, v);
			check_ending(&s, &endings[i], v);
		}
		CHECK(spread_run(&s, add_ranks_program, NULL) == LS_OK, "%s, then: %s", guarded(),
			s.error[0].text);
	}
	spread_destroy(&s);
}

/* ---- Machines are destroyed when their last threads have ended */

#ifdef LSI_SCHEDULE
enum { KEEPS_THREADS = 1 }; /* its scheduler keeps a record of each thread that is not joined */
#else
enum { KEEPS_THREADS = 0 };
#endif

static int end_each_thread(ls_node *me, int64_t which)
{
	(void)me, (void)which;
	return NO_DETACH;
}

/* No thread has waited for the end of the run: it may be under way.  All memory is freed. */
static void test_destroy(const ls_topology *t, int processes)
{
	long long before = 0;

	guard("%d processes, machines are destroyed at once", processes);
	for (int k = 0; k < 10; k++) {
		struct visit v[NODES];
		struct spread s;

		if (k == 1) /* the first one leaves memory that is kept */
			before = atomic_load(&held);
		spread_open(&s, processes, (uint64_t)k);
		CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
		visit_all(s.machine, processes, end_each_thread, 0, v);
		for (int p = 0; p < processes; p++) {
			ls_machine_destroy(s.machine[p]);
			s.machine[p] = NULL;
		}
		spread_destroy(&s);
	}
	CHECK(KEEPS_THREADS || atomic_load(&held) == before, "%s: %lld pieces of memory are left",
		guarded(), atomic_load(&held) - before);
}

/* ---- Others have not attached */

static atomic_int have_returned;

/* Again and again: a stop before the first thread attaches does nothing. */
static void *stop_until_returned(void *machine)
{
	while (!atomic_load(&have_returned)) {
		nap(2);
		ls_machine_stop(machine, LS_ERR_CONGESTION);
	}
	return NULL;
}

/* All nodes of one process wait, until it stops; then all nodes of all attach. */
static void test_stop(const ls_topology *t, int processes)
{
	struct visit v[NODES];
	struct spread s;

	spread_open(&s, processes, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	for (int run = 0; run < 5 * processes; run++) {
		ls_machine *machine = s.machine[run % processes];
		pthread_t stopper;

		guard("process %d of %d stops before others attach", run % processes, processes);
		visits_begin(machine, processes, run % processes, everything, 0, v);
		atomic_store(&have_returned, 0);
		stopper = start_thread(stop_until_returned, machine);
		visits_end(machine, processes, run % processes, v);
		for (int64_t i = ls_first_rank(t, processes, run % processes);
			 i < ls_first_rank(t, processes, run % processes + 1); i++)
			CHECK(v[i].attached == LS_ERR_CONGESTION, "%s: %s", guarded(),
				ls_status_name(v[i].attached));
		atomic_store(&have_returned, 1);
		pthread_join(stopper, NULL);
		CHECK(!ls_machine_busy(machine), "%s: busy", guarded());
		visit_all(s.machine, processes, everything, run, v);
		check_ending(&s, &endings[0], v);
	}
	spread_destroy(&s);
}

/* ---- Meetings */

enum { MEETINGS = 50 };

struct member {
	struct network *network;
	int processes, process;
	uint64_t random;
	int64_t looks_left; /* looks until it withdraws; < 0: never */
	int64_t withdrawn;
	pthread_t thread;
};

/* The number of meetings that each process has entered, with attempts that it will repeat. */
static atomic_int entered[MOST];

static bool withdraws(void *member)
{
	return ((struct member *)member)->looks_left-- == 0;
}

static int64_t number_of(int process, int meeting, int k)
{
	uint64_t seed = (uint64_t)(process * MEETINGS + meeting) * LSI_MEETING_NUMBERS + (uint64_t)k;

	return random_below(&seed, 1000) - 500;
}

/* No process passes a meeting before all have entered it, with all their numbers. */
static void check_all_entered(const struct member *m, int meeting, const int64_t *number)
{
	for (int i = 0; i < m->processes; i++)
		CHECK(atomic_load(&entered[i]) >= meeting,
			"%s: process %d has passed meeting %d without %d", guarded(), m->process, meeting, i);
	for (int k = 0; k < LSI_MEETING_NUMBERS; k++) {
		int64_t least = INT64_MAX;

		for (int i = 0; i < m->processes; i++)
			if (number_of(i, meeting, k) < least)
				least = number_of(i, meeting, k);
		CHECK(number[k] == least, "%s: number %d of meeting %d is %" PRId64 ", not %" PRId64,
			guarded(), k, meeting, number[k], least);
	}
}

static void *meet_again(void *arg)
{
	struct member *m = arg;
	const struct lsi_stop stop = { withdraws, m };
	ls_world *world = network_world(m->network, m->process);
	bool met;

	for (int k = 1; k <= MEETINGS; k += met) {
		const bool firm = k == MEETINGS || random_below(&m->random, 3) == 0;
		int64_t number[LSI_MEETING_NUMBERS];

		for (int i = 0; i < LSI_MEETING_NUMBERS; i++)
			number[i] = number_of(m->process, k, i);
		m->looks_left = random_below(&m->random, 2) ? -1 : random_below(&m->random, 30);
		atomic_store(&entered[m->process], k);
		CHECK(lsi_world_meet(world, number, firm ? NULL : &stop, NULL, &met) == LS_OK, "%s",
			guarded());
		if (met)
			check_all_entered(m, k, number);
		m->withdrawn += !met;
	}
	ls_world_close(world);
	return NULL;
}

/* As many meetings as all want, whoever withdraws. */
static void test_meetings(int processes, uint64_t seed)
{
	struct network *network = network_make(processes, seed);
	struct member m[MOST];
	int64_t withdrawn = 0;

	guard("meetings of %d processes, seed %" PRIu64, processes, seed);
	for (int i = 0; i < processes; i++) {
		atomic_store(&entered[i], 0);
		m[i] = (struct member){ .network = network,
			.processes = processes,
			.process = i,
			.random = 100 * seed + (uint64_t)i };
	}
	for (int i = 0; i < processes; i++)
		m[i].thread = start_thread(meet_again, &m[i]);
	for (int i = 0; i < processes; i++) {
		pthread_join(m[i].thread, NULL);
		withdrawn += m[i].withdrawn;
	}
	CHECK(withdrawn > 0, "%s: no process has withdrawn", guarded());
	network_destroy(network);
}

int main(void)
{
	ls_topology *t = topology_of("complete:6");

	for (int processes = is_fast() ? MOST - 1 : 2; processes <= (is_fast() ? MOST - 1 : MOST);
		 processes++) {
		for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++)
			test_endings(t, processes, (enum ls_rounds)rounds);
		test_destroy(t, processes);
		test_stop(t, processes);
		for (uint64_t seed = 0; seed < (is_fast() ? 1 : 3); seed++)
			test_meetings(processes, seed);
	}
	ls_topology_destroy(t);
	return test_result();
}
