/*
 * What a world is used for: runs and sweeps, one at a time, and in the same order in all processes.
 * Otherwise every call ends with a clear error, in every process: when two machines run at once, or
 * a sweep beside a machine; when processes begin different things; and when a process ends before a
 * run, which the others begin.  No call hangs, and afterward the world serves again.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/sweep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/transport_memory.h"
#include "test.h"

enum { PROCESSES = 3, NODES = 6, MACHINES = 2 };

/* ---- Processes: each is a thread */

/* What the second thread of a process does, and when. */
enum second { MACHINE, SWEEP, SAME_MACHINE, SECONDS };
enum order { DURING, MIXED, ORDERS }; /* MIXED: before the first one in some process, or after it */
struct trial {
	enum second second;
	enum order order;
	uint64_t seed;
	atomic_int inside; /* processes whose first run has begun */
	int status[PROCESSES][2];
};

struct process {
	struct network *network;
	int number;
	ls_world *world;
	const ls_topology *ring;
	ls_plan *plan;
	ls_machine *machine[MACHINES];       /* with equal options */
	struct ls_error error[MACHINES + 1]; /* of the machines, and of the sweep */
	pthread_barrier_t *gate;
	void (*act)(struct process *);
	const struct trial *trial;
};

static int run_machine(struct process *p, int k, int (*program)(ls_node *, void *), void *arg)
{
	const int status = ls_run(p->machine[k], program, arg);

	p->error[k].size = sizeof p->error[k];
	if (p->trial && p->trial->second == SAME_MACHINE) /* it may run in another thread now */
		return status;
	ls_last_error(p->machine[k], &p->error[k]);
	CHECK(status == p->error[k].kind, "%s: process %d: %s, but '%s'", guarded(), p->number,
		ls_status_name(status), p->error[k].text);
	return status;
}

static int64_t rows[PROCESSES][NODES];

static void make_row(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	(void)first;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank;
}

static int run_sweep(struct process *p)
{
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = p->plan,
		.count = 1,
		.type = LS_INT64,
		.make = make_row,
		.output = rows[p->number],
		.workers = 1,
		.world = p->world };
	struct ls_sweep_result out = { .size = sizeof out };
	const int status = ls_sweep_run(&sweep, &out);

	p->error[MACHINES] = out.error;
	CHECK(status || rows[p->number][0] == NODES * (NODES - 1) / 2, "%s: %" PRId64, guarded(),
		rows[p->number][0]);
	return status;
}

static void *process_main(void *context)
{
	struct process *p = context;
	const struct ls_machine_options options = { .size = sizeof options,
		.node_kind = node_kind(),
		.world = p->world = network_world(p->network, p->number) };

	for (int k = 0; k < MACHINES; k++)
		p->machine[k] = machine_on(p->ring, &options);
	pthread_barrier_wait(p->gate);
	p->act(p);
	for (int k = 0; k < MACHINES; k++)
		ls_machine_destroy(p->machine[k]);
	ls_world_close(p->world);
	return NULL;
}

static void in_processes(struct network *network, void (*act)(struct process *),
	const struct trial *trial, struct process out[PROCESSES])
{
	ls_topology *ring = topology_of("ring:6");
	ls_plan *plan = plan_for(&(struct ls_request){ .size = sizeof(struct ls_request),
		.topology = ring,
		.operation = LS_ALLREDUCE,
		.count = 1 });
	pthread_t thread[PROCESSES];
	pthread_barrier_t gate;

	pthread_barrier_init(&gate, NULL, PROCESSES);
	for (int i = 0; i < PROCESSES; i++) {
		out[i] = (struct process){ .network = network,
			.number = i,
			.ring = ring,
			.plan = plan,
			.gate = &gate,
			.act = act,
			.trial = trial };
		thread[i] = start_thread(process_main, &out[i]);
	}
	for (int i = 0; i < PROCESSES; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&gate);
	ls_plan_destroy(plan);
	ls_topology_destroy(ring);
}

/* ---- Two at once */

static int second_call(struct process *p, enum second second)
{
	switch (second) {
	case MACHINE:
		return run_machine(p, 1, add_ranks_program, NULL);
	case SWEEP:
		return run_sweep(p);
	default: /* its error is that of the first run */
		return ls_run(p->machine[0], add_ranks_program, NULL);
	}
}

static void *second_main(void *context)
{
	struct process *p = context;
	struct trial *trial = (struct trial *)(uintptr_t)p->trial;
	uint64_t seed = trial->seed + (uint64_t)p->number * 977;

	if (trial->order == DURING) {
		while (atomic_load(&trial->inside) < PROCESSES)
			nap(0.1);
	} else {
		nap((double)random_below(&seed, 3000) / 1000);
	}
	trial->status[p->number][1] = second_call(p, trial->second);
	atomic_fetch_add(&trial->inside, 1);
	return NULL;
}

/* The first run lasts until the second calls have returned in all processes. */
static int wait_inside(ls_node *me, void *context)
{
	struct trial *trial = context;

	if (trial->order == DURING && ls_rank(me) % (NODES / PROCESSES) == 0) {
		atomic_fetch_add(&trial->inside, 1);
		while (atomic_load(&trial->inside) < 2 * PROCESSES)
			nap(0.1);
	}
	return add_ranks(me);
}

static void run_two(struct process *p)
{
	struct trial *trial = (struct trial *)(uintptr_t)p->trial;
	uint64_t seed = trial->seed + (uint64_t)p->number * 7919;
	const pthread_t thread = start_thread(second_main, p);

	if (trial->order == MIXED)
		nap((double)random_below(&seed, 3000) / 1000);
	trial->status[p->number][0] = run_machine(p, 0, wait_inside, trial);
	pthread_join(thread, NULL);
	pthread_barrier_wait(p->gate);
	/* The world serves again. */
	CHECK(run_machine(p, 0, add_ranks_program, NULL) == LS_OK, "%s: then '%s'", guarded(),
		p->error[0].text);
	CHECK(run_machine(p, 1, add_ranks_program, NULL) == LS_OK, "%s: then '%s'", guarded(),
		p->error[1].text);
	CHECK(run_sweep(p) == LS_OK, "%s: then '%s'", guarded(), p->error[MACHINES].text);
}

static void check_two(const struct trial *trial)
{
	for (int i = 0; i < PROCESSES; i++) {
		const int *status = trial->status[i];

		if (trial->order == DURING)
			CHECK(status[0] == LS_OK && status[1] == LS_ERR_BUSY, "%s: process %d: %s and %s",
				guarded(), i, ls_status_name(status[0]), ls_status_name(status[1]));
		for (int k = 0; k < 2; k++)
			CHECK(status[k] == LS_OK || status[k] == LS_ERR_BUSY, "%s: process %d, call %d: %s",
				guarded(), i, k, ls_status_name(status[k]));
	}
}

static void test_two(enum second second, enum order order)
{
	static const char *const name[] = { "another machine", "a sweep", "the same machine" };
	const int trials = order == DURING ? 2 : is_fast() ? 8 : is_long() ? 400 : 30;

	for (int k = 0; k < trials; k++) {
		struct network *network = network_make(PROCESSES, (uint64_t)k + 1);
		struct trial trial = { .second = second, .order = order, .seed = (uint64_t)k };
		struct process process[PROCESSES];

		guard("a machine beside %s, %s, trial %d", name[second],
			order == DURING ? "during its run" : "in any order", k);
		in_processes(network, run_two, &trial, process);
		check_two(&trial);
		network_destroy(network);
	}
}

/* ---- Inside a run */

struct inside {
	struct process *process;
	int status[3];
};

static int begin_inside(ls_node *me, void *context)
{
	struct inside *inside = context;

	if (ls_rank(me) == 0) {
		inside->status[0] = ls_run(inside->process->machine[1], add_ranks_program, NULL);
		inside->status[1] = run_sweep(inside->process);
		inside->status[2] = ls_run(inside->process->machine[0], add_ranks_program, NULL);
	}
	return add_ranks(me);
}

static void run_inside(struct process *p)
{
	struct inside inside = { p, { LS_ERR_BUSY, LS_ERR_BUSY, LS_ERR_BUSY } };

	CHECK(
		run_machine(p, 0, begin_inside, &inside) == LS_OK, "%s: '%s'", guarded(), p->error[0].text);
	for (int k = 0; k < 3; k++)
		CHECK(inside.status[k] == LS_ERR_BUSY, "%s: process %d, call %d: %s", guarded(), p->number,
			k, ls_status_name(inside.status[k]));
	CHECK(run_machine(p, 1, add_ranks_program, NULL) == LS_OK, "%s: then '%s'", guarded(),
		p->error[1].text);
}

/* ---- Different calls */

/* Process 1 begins something else. */
static void run_differently(struct process *p)
{
	const bool is_other = p->number == 1;

	CHECK(run_machine(p, is_other, add_ranks_program, NULL) == LS_ERR_BUSY
			&& strstr(p->error[is_other].text, "process 1 runs machine 2"),
		"%s: process %d: '%s'", guarded(), p->number, p->error[is_other].text);
	CHECK((is_other ? run_machine(p, 0, add_ranks_program, NULL) : run_sweep(p)) == LS_ERR_BUSY
			&& strstr(p->error[is_other ? 0 : MACHINES].text, "process 1 runs machine 1"),
		"%s: process %d: '%s'", guarded(), p->number, p->error[is_other ? 0 : MACHINES].text);
	CHECK(run_machine(p, 0, add_ranks_program, NULL) == LS_OK, "%s: then '%s'", guarded(),
		p->error[0].text);
}

/* ---- Processes that end before a run */

/* Process 1 closes its world at once. */
static void run_unless_1(struct process *p)
{
	for (int k = 0; k < 2 && p->number != 1; k++) {
		const int status = k == 0 ? run_machine(p, 0, add_ranks_program, NULL) : run_sweep(p);
		const char *text = p->error[k == 0 ? 0 : MACHINES].text;

		CHECK(status == LS_ERR_LEFT && strstr(text, "process 1 closes the world"), "%s: %s '%s'",
			guarded(), ls_status_name(status), text);
	}
}

/* A process dies, at once or in one of the first calls of its run. */
struct death {
	int process;
	int64_t call; /* 0: before its run */
	bool sweeps;
};
static struct death death;

static void run_unless_dead(struct process *p)
{
	const bool dies = p->number == death.process;
	int status;

	if (dies && death.call == 0)
		network_kill(p->network, p->number);
	else if (dies)
		network_fail_soon(p->network, p->number, death.call, true);
	pthread_barrier_wait(p->gate);
	if (dies && death.call == 0)
		return;
	status = death.sweeps ? run_sweep(p) : run_machine(p, 0, add_ranks_program, NULL);
	CHECK(status == LS_ERR_STOPPED, "%s: process %d: %s '%s'", guarded(), p->number,
		ls_status_name(status), p->error[death.sweeps ? MACHINES : 0].text);
	CHECK(dies || strstr(p->error[death.sweeps ? MACHINES : 0].text, "MPI (memory) in process"),
		"%s: process %d: '%s'", guarded(), p->number, p->error[death.sweeps ? MACHINES : 0].text);
}

/* The processes begin different things, and a call of one fails, before they know or after it. */
static void fail_differently(struct process *p)
{
	const bool is_other = p->number == 1, fails = p->number == death.process;
	const char *text = p->error[is_other].text;
	int status;

	if (fails)
		network_fail_soon(p->network, p->number, death.call, false);
	pthread_barrier_wait(p->gate);
	status = run_machine(p, is_other, add_ranks_program, NULL);
	CHECK(network_failed(p->network) == p->number ? status == LS_ERR_STOPPED
												  : status == LS_ERR_STOPPED
				|| (status == LS_ERR_BUSY && strstr(text, "process 1 runs machine 2")),
		"%s: process %d: %s '%s'", guarded(), p->number, ls_status_name(status), text);
}

static void test_death(const char *what, void (*act)(struct process *), bool sweeps, int trials)
{
	for (int k = 0; k < trials; k++) {
		struct network *network = network_make(PROCESSES, (uint64_t)k + 1);
		struct process process[PROCESSES];

		death = (struct death){ k % PROCESSES, k / PROCESSES, sweeps };
		guard("process %d dies or fails before %s, call %" PRId64, death.process, what, death.call);
		network_begin(network);
		network_report_losses(network);
		in_processes(network, act, NULL, process);
		network_destroy(network);
	}
}

/* The transport does not report it: the time limit of the run ends the wait. */
static void run_with_limit(struct process *p)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .node_kind = node_kind(), .timeout = 0.05, .world = p->world
	};
	ls_machine *machine = machine_on(p->ring, &options);
	struct ls_error error = { .size = sizeof error };

	if (p->number == 1) {
		network_kill(p->network, 1);
	} else {
		CHECK(ls_run(machine, add_ranks_program, NULL) == LS_ERR_STOPPED, "%s", guarded());
		ls_last_error(machine, &error);
		CHECK(error.kind == LS_ERR_STOPPED, "%s: '%s'", guarded(), error.text);
	}
	ls_machine_destroy(machine);
	network_report_losses(p->network);
}

static void test_calls(const char *name, void (*act)(struct process *))
{
	struct network *network = network_make(PROCESSES, 1);
	struct process process[PROCESSES];

	guard("%s", name);
	in_processes(network, act, NULL, process);
	network_destroy(network);
}

int main(void)
{
	const int deaths = is_fast() ? 12 : 36;

	for (int second = 0; second < SECONDS; second++) {
		for (int order = 0; order < ORDERS; order++)
			test_two((enum second)second, (enum order)order);
	}
	test_calls("another run inside a run", run_inside);
	test_calls("processes that begin different things", run_differently);
	test_calls("a process closes its world before a run", run_unless_1);
	test_death("a run", run_unless_dead, false, deaths);
	test_death("a sweep", run_unless_dead, true, deaths);
	test_death("different things", fail_differently, false, 5 * deaths);
	if (!is_fast())
		test_calls(
			"a process dies before a run, and the transport does not report it", run_with_limit);
	return test_result();
}
