/*
 * A communication thread that does not return in time: ls_run ends in all processes.  If it is in
 * an operator that computes for ever, the run names this process.  Machine and world are busy there
 * until the operator has returned; links may change, but closing the world ends all processes.  A
 * thread that only gets no core, or whose network fails late, is not taken for one in an operator.
 */
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "machine/links.h"
#include "support/spread_machine.h"
#include "test.h"
#include "world/use.h"

enum { NODES = 8, PROCESSES = 2, TRIES = 20 };

/* What the operator of a process does. */
enum conduct {
	RETURNS,
	STICKS,
	LOSES_CORE, /* the next call of the transport does not return */
	ENDS_THREAD
};

struct trial;
struct process {
	struct trial *trial;
	int number;
	ls_op op;
	pthread_t thread;
	atomic_bool begun; /* in the operator */
};

struct trial {
	const char *name;
	double timeout; /* s */
	enum conduct conduct[PROCESSES];
	bool is_rooted; /* at node 0 */
	bool is_slow;   /* waits for the time limit of other processes: three seconds more */
	void (*check)(struct trial *);
	const ls_topology *topology;
	struct spread s;
	struct process process[PROCESSES];
	atomic_bool released;
	int64_t in[NODES], out[NODES];
};

static pthread_key_t thread_end;

static void combine(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct process *p = context;
	const enum conduct conduct = p->trial->conduct[p->number];

	(void)b;
	atomic_store(&p->begun, true);
	memcpy(dst, a, n * sizeof(int64_t));
	if (conduct == LOSES_CORE)
		network_hold(p->trial->s.network, p->number, true);
	while (conduct == STICKS && !atomic_load(&p->trial->released))
		nap(1);
	if (conduct == ENDS_THREAD) {
		pthread_setspecific(thread_end, p);
		pthread_exit(NULL);
	}
}

/* A destructor of the thread that takes part in the use of the world; it overwrites old frames. */
static void look_at_end(void *process)
{
	const struct process *p = process;
	volatile char frames[1 << 14];

	for (size_t i = 0; i < sizeof frames; i++)
		frames[i] = (char)0xa5;
	CHECK(lsi_world_is_inside(p->trial->s.world[p->number]), "%s: outside", p->trial->name);
}

static int reduce(ls_node *me, void *arg)
{
	struct trial *t = arg;
	const int64_t rank = ls_rank(me);
	const ls_op op = t->process[rank >= NODES / PROCESSES].op;

	return t->is_rooted ? ls_reduce(me, &t->in[rank], &t->out[rank], 1, LS_INT64, op, 0)
						: ls_allreduce(me, &t->in[rank], &t->out[rank], 1, LS_INT64, op);
}

/* ---- Runs, whose errors may differ between the processes: spread_run would not accept it */

static void *run_process(void *process)
{
	struct process *p = process;

	CHECK(ls_run(p->trial->s.machine[p->number], reduce, p->trial) != LS_OK, "%s", p->trial->name);
	return NULL;
}

static void run_all(struct trial *t)
{
	for (int i = 0; i < PROCESSES; i++)
		t->process[i].thread = start_thread(run_process, &t->process[i]);
	for (int i = 0; i < PROCESSES; i++) {
		pthread_join(t->process[i].thread, NULL);
		t->s.error[i] = (struct ls_error){ .size = sizeof t->s.error[i] };
		ls_last_error(t->s.machine[i], &t->s.error[i]);
	}
}

/* The machine of process i is busy, and so is its world. */
static void check_busy(struct trial *t, int i)
{
	ls_machine *machine = t->s.machine[i];

	CHECK(ls_machine_busy(machine), "%s: process %d is not busy", t->name, i);
	CHECK(ls_run(machine, reduce, t) == LS_ERR_BUSY, "%s: process %d runs again", t->name, i);
	CHECK(ls_link_set(machine, 0, 1, false) == LS_OK && ls_link_set(machine, 0, 1, true) == LS_OK,
		"%s: process %d: ls_link_set", t->name, i);
	CHECK(ls_node_set(machine, 0, false) == LS_OK && ls_node_set(machine, 0, true) == LS_OK,
		"%s: process %d: ls_node_set", t->name, i);
	ls_world_close(t->s.world[i]);
	CHECK(network_is_aborted(t->s.network)
			&& strstr(network_abort_text(t->s.network), "closes its world during a run"),
		"%s: process %d: '%s'", t->name, i, network_abort_text(t->s.network));
}

/* Processes whose operator does not return name it.  Others may be in it for a moment, too. */
static void check_stuck(struct trial *t)
{
	for (int i = 0; i < PROCESSES; i++) {
		const struct ls_error *e = &t->s.error[i];
		const bool names = strstr(e->text, "an operator of a collective call is still running");

		CHECK(e->kind == LS_ERR_TIMEOUT && (names || t->conduct[i] != STICKS)
				&& (names || strstr(e->text, "another process has not finished its part")),
			"%s: process %d: %s: %s", t->name, i, ls_status_name(e->kind), e->text);
	}
	for (int i = 0; i < PROCESSES; i++) {
		if (t->conduct[i] == STICKS)
			check_busy(t, i);
	}
}

static void check_failure(struct trial *t)
{
	const struct ls_error *e = &t->s.error[1];

	CHECK(e->kind == LS_ERR_STOPPED && strstr(e->text, "MPI (memory) in process 1: "), "%s: %s: %s",
		t->name, ls_status_name(e->kind), e->text);
}

static void check_end(struct trial *t)
{
	const struct ls_error *e = &t->s.error[1];

	CHECK(e->kind == LS_ERR_LEFT && strstr(e->text, "terminated the communication thread"),
		"%s: %s: %s", t->name, ls_status_name(e->kind), e->text);
}

/* All operators that do not return have begun. */
static bool has_begun(struct trial *t)
{
	bool begun = true;

	for (int i = 0; i < PROCESSES; i++)
		begun &= t->conduct[i] == RETURNS || atomic_load(&t->process[i].begun);
	return begun;
}

/* Before the run has ended, or after: the link is down until check_busy. */
static void *change_link(void *process)
{
	struct process *p = process;
	ls_machine *machine = p->trial->s.machine[p->number];

	while (!has_begun(p->trial) && !atomic_load(&p->trial->released))
		nap(1);
	CHECK(ls_link_set(machine, 0, 1, false) == LS_OK, "%s: ls_link_set", p->trial->name);
	return NULL;
}

/* After all time limits, a process without a core gets it again, but its network has failed. */
static void *fail_late(void *trial)
{
	struct trial *t = trial;

	while (!has_begun(t) && !atomic_load(&t->released))
		nap(1);
	for (int i = 0; i < PROCESSES; i++) {
		if (t->conduct[i] != LOSES_CORE)
			continue;
		nap(3100 + 2000 * t->timeout);
		network_kill(t->s.network, i);
		network_hold(t->s.network, i, false);
	}
	return NULL;
}

/*
 * All threads return.  One that a run has ended without sends nothing more, and changes no link:
 * those of check_busy are up.
 */
static void check_quiet(struct trial *t, bool has_ended)
{
	const int64_t before = network_counts_of(t->s.network).messages;
	bool all = has_ended;

	for (int i = 0; i < PROCESSES; i++)
		all &= t->conduct[i] == STICKS;
	atomic_store(&t->released, true);
	for (int i = 0; i < PROCESSES; i++) {
		while (ls_machine_busy(t->s.machine[i]))
			nap(1);
		CHECK(!has_ended || t->conduct[i] != STICKS || lsi_links_fingerprint(t->s.machine[i]) == 0,
			"%s: process %d: a link has changed after the run", t->name, i);
	}
	CHECK(!all || network_counts_of(t->s.network).messages == before, "%s: messages after the run",
		t->name);
}

/* False: on a busy computer the limit came before the operator. */
static bool run_once(struct trial *t)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .timeout = t->timeout, .engine = LS_COOPERATIVE
	};
	pthread_t fails, changes[PROCESSES];
	bool begun;

	spread_open(&t->s, PROCESSES, 1);
	CHECK(spread_make(&t->s, t->topology, &options) == LS_OK, "no machine");
	fails = start_thread(fail_late, t);
	for (int i = 0; i < PROCESSES; i++)
		changes[i] = start_thread(change_link, &t->process[i]);
	run_all(t);
	begun = has_begun(t);
	for (int i = 0; i < PROCESSES && begun; i++)
		pthread_join(changes[i], NULL);
	if (begun)
		t->check(t);
	check_quiet(t, begun);
	pthread_join(fails, NULL);
	for (int i = 0; i < PROCESSES && !begun; i++)
		pthread_join(changes[i], NULL);
	for (int i = 0; i < PROCESSES; i++) {
		CHECK(!begun || ls_run(t->s.machine[i], reduce, t) != LS_OK, "%s: process %d is not broken",
			t->name, i);
	}
	spread_destroy(&t->s);
	return begun;
}

static void *test_trial(void *trial)
{
	struct trial *t = trial;
	bool begun = false;

	for (int i = 0; i < PROCESSES; i++) {
		struct process *p = &t->process[i];
		const struct ls_op_options how = { .size = sizeof how,
			.name = "trial",
			.combine = combine,
			.context = p,
			.commutative = true };

		p->trial = t;
		p->number = i;
		CHECK(ls_op_make(&how, &p->op) == LS_OK, "no memory");
	}
	for (int k = 0; k < TRIES && !begun; k++) {
		for (int i = 0; i < PROCESSES; i++)
			atomic_store(&t->process[i].begun, false);
		atomic_store(&t->released, false);
		begun = run_once(t);
	}
	CHECK(begun, "%s: never in the operator", t->name);
	for (int i = 0; i < PROCESSES; i++)
		ls_op_destroy(t->process[i].op);
	return NULL;
}

/* ---- A thread that gets no core for longer than the time limit */

struct loss {
	struct network *network;
	atomic_bool lost, ended;
};

static int lose_core(ls_node *me, void *arg)
{
	struct loss *loss = arg;

	if (ls_rank(me) == NODES - 1) {
		network_hold(loss->network, 1, true);
		atomic_store(&loss->lost, true);
	}
	return LS_OK;
}

static void *give_core(void *arg)
{
	struct loss *loss = arg;

	while (!atomic_load(&loss->lost) && !atomic_load(&loss->ended))
		nap(1);
	nap(1000);
	network_hold(loss->network, 1, false);
	return NULL;
}

static void test_lost_core(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 0.2 };
	struct loss loss = { 0 };
	struct spread s;
	pthread_t gives;
	int status;

	spread_open(&s, PROCESSES, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	loss.network = s.network;
	gives = start_thread(give_core, &loss);
	status = spread_run(&s, lose_core, &loss);
	atomic_store(&loss.ended, true);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "without a core: %s: %s",
		ls_status_name(status), s.error[0].text);
	for (int i = 0; i < PROCESSES; i++)
		CHECK(!strstr(s.error[i].text, "operator"), "without a core: %s", s.error[i].text);
	pthread_join(gives, NULL);
	spread_destroy(&s);
}

static struct trial trials[] = {
	{ .name = "both processes",
		.timeout = 0.4,
		.conduct = { STICKS, STICKS },
		.check = check_stuck },
	{ .name = "the thread ends",
		.timeout = 1,
		.conduct = { RETURNS, ENDS_THREAD },
		.check = check_end },
	{ .name = "one process",
		.timeout = 0.5,
		.conduct = { RETURNS, STICKS },
		.is_slow = true,
		.check = check_stuck },
	{ .name = "the root",
		.timeout = 0.5,
		.conduct = { STICKS, RETURNS },
		.is_rooted = true,
		.is_slow = true,
		.check = check_stuck },
	{ .name = "a failure after the limit",
		.timeout = 0.5,
		.conduct = { RETURNS, LOSES_CORE },
		.is_slow = true,
		.check = check_failure },
};
enum { TRIALS = sizeof trials / sizeof *trials };

/* At the same time: they wait for seconds. */
int main(void)
{
	ls_topology *t = topology_of("hypercube:3");
	pthread_t thread[TRIALS];

	pthread_key_create(&thread_end, look_at_end);
	for (int i = 0; i < TRIALS; i++) {
		trials[i].topology = t;
		if (!trials[i].is_slow || !is_fast())
			thread[i] = start_thread(test_trial, &trials[i]);
	}
	test_lost_core(t);
	for (int i = 0; i < TRIALS; i++) {
		if (!trials[i].is_slow || !is_fast())
			pthread_join(thread[i], NULL);
	}
	ls_topology_destroy(t);
	return test_result();
}
