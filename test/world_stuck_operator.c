/*
 * An operator computes for ever on the communication thread: ls_run ends in all processes, whether
 * one or both are in the operator.  Machine and world are busy until the operator has returned.
 */
/* all: waits for the time limit of other processes, 7 seconds */
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { NODES = 8, PROCESSES = 2, TRIES = 20 };

struct stuck {
	const char *name;
	int most; /* processes whose operator computes for ever */
	ls_op op;
	atomic_int begun, released;
	int64_t in[NODES], out[NODES];
};

static void stick(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct stuck *stuck = context;

	(void)b;
	if (atomic_fetch_add(&stuck->begun, 1) < stuck->most) {
		while (!atomic_load(&stuck->released))
			nap(1);
	}
	memcpy(dst, a, n * sizeof(int64_t));
}

static int reduce(ls_node *me, void *arg)
{
	struct stuck *stuck = arg;
	const int64_t rank = ls_rank(me);

	return ls_allreduce(me, &stuck->in[rank], &stuck->out[rank], 1, LS_INT64, stuck->op);
}

/* The errors of the processes differ: spread_run would not accept it. */
struct process {
	ls_machine *machine;
	struct stuck *stuck;
	pthread_t thread;
};

static void *run_process(void *arg)
{
	struct process *p = arg;

	CHECK(ls_run(p->machine, reduce, p->stuck) != LS_OK, "%s", p->stuck->name);
	return NULL;
}

static void run_all(struct spread *s, struct stuck *stuck)
{
	struct process p[PROCESSES];

	for (int i = 0; i < PROCESSES; i++) {
		p[i] = (struct process){ .machine = s->machine[i], .stuck = stuck };
		p[i].thread = start_thread(run_process, &p[i]);
	}
	for (int i = 0; i < PROCESSES; i++) {
		pthread_join(p[i].thread, NULL);
		s->error[i] = (struct ls_error){ .size = sizeof s->error[i] };
		ls_last_error(s->machine[i], &s->error[i]);
	}
}

/* The processes whose operator computes name it. */
static int check_errors(const struct spread *s, const struct stuck *stuck)
{
	int named = 0;

	for (int i = 0; i < PROCESSES; i++) {
		const struct ls_error *e = &s->error[i];
		const bool names = strstr(e->text, "an operator of a collective call is still running");

		CHECK(e->kind == LS_ERR_TIMEOUT
				&& (names || strstr(e->text, "has not finished its part of a collective call")),
			"%s: process %d: %s", stuck->name, i, e->text);
		CHECK(
			ls_machine_busy(s->machine[i]) == names, "%s: process %d: %s", stuck->name, i, e->text);
		if (names)
			CHECK(ls_run(s->machine[i], reduce, NULL) == LS_ERR_BUSY, "%s: not busy", stuck->name);
		named += names;
	}
	return named;
}

/* False: on a busy computer the limit came before the operator. */
static bool run_once(const ls_topology *t, struct stuck *stuck)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .timeout = 1, .engine = LS_COOPERATIVE
	};
	struct spread s;
	bool begun;

	spread_open(&s, PROCESSES, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	run_all(&s, stuck);
	begun = atomic_load(&stuck->begun) >= stuck->most;
	CHECK(!begun || check_errors(&s, stuck) == stuck->most, "%s: not named", stuck->name);
	atomic_store(&stuck->released, 1);
	for (int i = 0; i < PROCESSES; i++) {
		while (ls_machine_busy(s.machine[i]))
			nap(1);
		CHECK(!begun || ls_run(s.machine[i], reduce, stuck) == LS_ERR_TIMEOUT,
			"%s: process %d is not broken", stuck->name, i);
	}
	spread_destroy(&s);
	return begun;
}

static void *test_stuck(void *arg)
{
	const struct ls_op_options how = {
		.size = sizeof how, .name = "stick", .combine = stick, .context = arg, .commutative = true
	};
	struct stuck *stuck = arg;
	ls_topology *t = topology_of("hypercube:3");
	bool begun = false;

	CHECK(ls_op_make(&how, &stuck->op) == LS_OK, "no memory");
	for (int i = 0; i < TRIES && !begun; i++) {
		atomic_store(&stuck->begun, 0);
		atomic_store(&stuck->released, 0);
		begun = run_once(t, stuck);
	}
	CHECK(begun, "%s: never in the operator", stuck->name);
	ls_op_destroy(stuck->op);
	ls_topology_destroy(t);
	return NULL;
}

/* At the same time: each waits for some seconds. */
int main(void)
{
	static struct stuck one = { .name = "one process", .most = 1 };
	static struct stuck both = { .name = "both processes", .most = PROCESSES };
	pthread_t thread[2];

	thread[0] = start_thread(test_stuck, &one);
	thread[1] = start_thread(test_stuck, &both);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return test_result();
}
