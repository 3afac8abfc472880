/*
 * Threads of several processes attach to one machine: what ls_attach and ls_run refuse, and which
 * error they leave; attach again at once after a stop; attach while the network fails.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "support/visits.h"
#include "test.h"

enum { NODES = 6 };

/* ---- After a stop */

static atomic_int stops_left, threads_left;

/* When a thread has returned, the run has ended. */
static void *attach_until_stops_end(void *visit)
{
	const struct visit *v = visit;
	ls_node *me;

	while (atomic_load(&stops_left) > 0) {
		const int status = ls_attach(v->machine, v->rank, 0, &me);

		CHECK(status == LS_ERR_CONGESTION, "%s: %s", guarded(), ls_status_name(status));
	}
	atomic_fetch_sub(&threads_left, 1);
	return NULL;
}

/* The threads of a process attach again at once, while its other threads return. */
static void test_attach_after_stop(const ls_topology *t)
{
	struct visit v[NODES / 2];
	struct spread s;

	guard("threads attach again after a stop");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	atomic_store(&stops_left, is_fast() ? 50 : 400);
	atomic_store(&threads_left, NODES / 2);
	for (int i = 0; i < NODES / 2; i++) {
		v[i] = (struct visit){ .machine = s.machine[0], .rank = i };
		v[i].thread = start_thread(attach_until_stops_end, &v[i]);
	}
	while (atomic_load(&threads_left) > 0) {
		nap(1);
		ls_machine_stop(s.machine[0], LS_ERR_CONGESTION);
		atomic_fetch_sub(&stops_left, 1);
	}
	for (int i = 0; i < NODES / 2; i++)
		pthread_join(v[i].thread, NULL);
	CHECK(spread_run(&s, add_ranks_program, NULL) == LS_OK, "%s: %s", guarded(), s.error[0].text);
	spread_destroy(&s);
}

/* ---- Refusals */

static void *run_machine(void *machine)
{
	CHECK(ls_run(machine, add_ranks_program, NULL) == LS_ERR_ARGUMENT, "%s", guarded());
	return NULL;
}

static void test_refusals(const ls_topology *t)
{
	struct ls_error e = { .size = sizeof e };
	struct visit v[NODES];
	struct spread s;
	pthread_t runs;
	ls_node *me;

	guard("refusals");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	CHECK(ls_attach(s.machine[0], 5, 0, &me) == LS_ERR_ARGUMENT && !me
			&& ls_last_error(s.machine[0], &e) == LS_ERR_ARGUMENT
			&& strstr(e.text, "node 5 is in process 1, and this is process 0"),
		"%s", e.text);
	runs = start_thread(run_machine, s.machine[0]);
	visits_begin(s.machine[1], 2, 1, visit_add_ranks, 0, v);
	pthread_join(runs, NULL);
	visits_end(s.machine[1], 2, 1, v);
	for (int i = NODES / 2; i < NODES; i++)
		CHECK(v[i].attached == LS_ERR_ARGUMENT, "%s", ls_status_name(v[i].attached));
	CHECK(ls_last_error(s.machine[1], &e) == LS_ERR_ARGUMENT
			&& strstr(e.text, "threads of process 1 attach, and process 0 calls ls_run"),
		"%s", e.text);
	spread_destroy(&s);

	guard("a process without nodes");
	spread_open(&s, NODES + 1, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	CHECK(ls_attach(s.machine[0], 0, 0, &me) == LS_ERR_UNSUPPORTED
			&& ls_last_error(s.machine[0], &e) == LS_ERR_UNSUPPORTED
			&& strstr(e.text, "has none of the 6 nodes"),
		"%s", e.text);
	spread_destroy(&s);
}

static void *attach_in_vain(void *machine)
{
	ls_node *me;

	CHECK(ls_attach(machine, 0, 0, &me) == LS_ERR_CONGESTION, "%s", guarded());
	return NULL;
}

/* Not all nodes of the process are attached. */
static void test_run_while_attaching(const ls_topology *t)
{
	struct spread s;
	pthread_t attaches;

	guard("ls_run while one of three threads is attached");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	attaches = start_thread(attach_in_vain, s.machine[0]);
	while (!ls_machine_busy(s.machine[0]))
		nap(0.1);
	for (int k = 0; k < 3; k++)
		CHECK(ls_run(s.machine[0], add_ranks_program, NULL) == LS_ERR_BUSY, "%s", guarded());
	ls_machine_stop(s.machine[0], LS_ERR_CONGESTION);
	pthread_join(attaches, NULL);
	CHECK(spread_run(&s, add_ranks_program, NULL) == LS_OK, "%s: %s", guarded(), s.error[0].text);
	spread_destroy(&s);
}

enum { LOOPS = 40 }; /* runs */
static atomic_int nodes_left;

/* Attach in each run; the machine may still end the last one. */
static void *attach_often(void *visit)
{
	const struct visit *v = visit;

	for (int k = 0; k < LOOPS; k++) {
		ls_node *me;
		int status;

		while ((status = ls_attach(v->machine, v->rank, 0, &me)) == LS_ERR_BUSY)
			nap(0.01);
		CHECK(status == LS_OK, "%s: ls_attach: %s", guarded(), ls_status_name(status));
		if (status)
			break;
		status = ls_detach(me);
		CHECK(status == LS_OK, "%s: ls_detach: %s", guarded(), ls_status_name(status));
	}
	atomic_fetch_sub(&nodes_left, 1);
	return NULL;
}

/* The error of a call that is refused is not that of a run whose threads take its result. */
static void test_refused_while_detaching(const ls_topology *t)
{
	struct visit v[NODES];
	struct spread s;
	ls_node *me;

	guard("a rank of another process while nodes detach");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, NULL) == LS_OK, "no machine");
	atomic_store(&nodes_left, NODES);
	for (int i = 0; i < NODES; i++) {
		v[i] = (struct visit){ .machine = s.machine[i >= NODES / 2], .rank = i };
		v[i].thread = start_thread(attach_often, &v[i]);
	}
	while (atomic_load(&nodes_left) > 0)
		CHECK(ls_attach(s.machine[0], NODES - 1, 0, &me) == LS_ERR_ARGUMENT, "%s", guarded());
	for (int i = 0; i < NODES; i++)
		pthread_join(v[i].thread, NULL);
	spread_destroy(&s);
}

static atomic_int begun, has_failed, calls_made;

/* The run ends when node 0 returns. */
static int run_until_stopped(ls_node *me, void *unused)
{
	int failed = 0;

	(void)unused;
	atomic_store(&begun, 1);
	while (!failed)
		failed = ls_next_round(me);
	atomic_store(&has_failed, 1);
	while (ls_rank(me) == 0 && !atomic_load(&calls_made))
		nap(0.1);
	return failed;
}

/* Attach to a machine that runs, while its network fails. */
static void *attach_while_broken(void *spread)
{
	struct spread *s = spread;
	ls_node *me;

	while (!atomic_load(&begun))
		nap(0.1);
	for (int k = 0; k < 100; k += atomic_load(&has_failed) ? 1 : 0) {
		CHECK(ls_attach(s->machine[0], 0, 0, &me) == LS_ERR_BUSY, "%s", guarded());
		if (k == 0)
			network_kill(s->network, 1);
	}
	atomic_store(&calls_made, 1);
	return NULL;
}

static void test_failing_network(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 60 };
	struct network *network = network_make(2, 1);
	struct ls_error e = { .size = sizeof e };
	struct spread s;
	pthread_t attaches;
	ls_node *me;

	guard("ls_attach while the network fails");
	network_report_losses(network);
	spread_open_in(&s, 2, network);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	attaches = start_thread(attach_while_broken, &s);
	spread_run(&s, run_until_stopped, NULL);
	pthread_join(attaches, NULL);
	CHECK(s.error[0].kind && ls_attach(s.machine[0], 0, 0, &me) == s.error[0].kind
			&& ls_last_error(s.machine[0], &e) == e.kind && strcmp(e.text, s.error[0].text) == 0,
		"%s: '%s', then '%s'", guarded(), s.error[0].text, e.text);
	spread_destroy(&s);
	network_destroy(network);
}

int main(void)
{
	ls_topology *t = topology_of("complete:6");

	test_attach_after_stop(t);
	test_refusals(t);
	test_run_while_attaching(t);
	test_refused_while_detaching(t);
	test_failing_network(t);
	ls_topology_destroy(t);
	return test_result();
}
