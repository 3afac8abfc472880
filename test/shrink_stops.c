/*
 * Stops and time limits at any moment of a recovery: all nodes get the same from ls_shrink.  And
 * machines with common threads, of which one waits in ls_shrink: none waits for ever.
 */
/* nodes: threads fibers */
#include <inttypes.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 6, UNKNOWN = 1 };

/* ---- Stops and time limits */

/* Where a node left its loop: the number of the recovery, and what ls_shrink returned. */
struct exit {
	int recovery, status; /* UNKNOWN: the node has not begun */
};

struct run {
	ls_machine *machine;
	struct exit exits[NODES];
	atomic_int recovered; /* number of recoveries; -1: no node has begun */
	atomic_int stop_at;   /* a thread stops the machine after this number of them */
};

/* In turn, each node breaks a rule: on ring:6 it sends to the node opposite. */
static int fail_and_go_on(ls_node *me, void *arg)
{
	struct run *r = arg;
	const int64_t opposite = (ls_rank(me) + NODES / 2) % NODES, word = 0;
	ls_node *group;
	int status = LS_OK, k;

	if (ls_rank(me) == 0)
		atomic_store(&r->recovered, -1); /* no node has begun */
	for (k = 0; status == LS_OK; k++) {
		const int failed =
			ls_rank(me) == k % NODES ? ls_send(me, opposite, &word, sizeof word) : ls_barrier(me);

		CHECK(failed, "%s: recovery %d", guarded(), k);
		status = ls_shrink(me, &group, NULL);
		if (status == LS_OK) {
			CHECK(ls_size(group) == NODES, "%s: %" PRId64 " live", guarded(), ls_size(group));
			atomic_store(&r->recovered, k + 1);
		}
	}
	r->exits[ls_rank(me)] = (struct exit){ k, status };
	return status;
}

static void *stop_run(void *arg)
{
	struct run *r = arg;

	while (atomic_load(&r->recovered) < atomic_load(&r->stop_at))
		nap(0.01);
	ls_machine_stop(r->machine, LS_ERR_CONGESTION);
	return NULL;
}

static void begin(struct run *r, const ls_topology *t, double timeout)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .timeout = timeout, .recover = true
	};

	r->machine = machine_on(t, &options);
	atomic_store(&r->recovered, -1); /* no node has begun */
	for (int i = 0; i < NODES; i++)
		r->exits[i] = (struct exit){ -1, UNKNOWN };
}

/* The status with which all nodes left in the same recovery; UNKNOWN: no node has begun. */
static int end(struct run *r)
{
	struct exit first = { -1, UNKNOWN };

	while (ls_machine_busy(r->machine)) /* after the time limit, nodes may return late */
		nap(1);
	ls_machine_destroy(r->machine);
	for (int i = 0; i < NODES; i++) {
		const struct exit at = r->exits[i];

		if (first.status == UNKNOWN)
			first = at;
		CHECK(at.status == UNKNOWN || (at.recovery == first.recovery && at.status == first.status),
			"%s: node %d left in recovery %d: %s; another one in %d: %s", guarded(), i, at.recovery,
			ls_status_name(at.status), first.recovery, ls_status_name(first.status));
	}
	return first.status;
}

static void test_stops(const ls_topology *t, int count)
{
	static struct run r;
	int most = 0;

	for (int i = 0; i < count; i++) {
		pthread_t stops;
		int status;

		guard("a stop after %d recoveries", i % 5);
		begin(&r, t, 0);
		atomic_store(&r.stop_at, i % 5);
		stops = start_thread(stop_run, &r);
		status = ls_run(r.machine, fail_and_go_on, &r);
		pthread_join(stops, NULL);
		CHECK(status, "%s: the run has succeeded", guarded());
		most = atomic_load(&r.recovered) > most ? atomic_load(&r.recovered) : most;
		status = end(&r);
		CHECK(status == LS_ERR_CONGESTION, "%s: %s", guarded(), ls_status_name(status));
	}
	printf("%d stops, after up to %d recoveries\n", count, most);
}

static void test_limits(const ls_topology *t, int count)
{
	static struct run r;
	uint64_t random = 1;
	int most = 0;

	for (int i = 0; i < count; i++) {
		const double limit = 0.0002 * (double)(1 + random_below(&random, 20));
		int status;

		guard("a time limit of %g s", limit);
		begin(&r, t, limit);
		status = ls_run(r.machine, fail_and_go_on, &r);
		CHECK(status, "%s: the run has succeeded", guarded());
		most = atomic_load(&r.recovered) > most ? atomic_load(&r.recovered) : most;
		status = end(&r);
		CHECK(status == LS_ERR_TIMEOUT || status == UNKNOWN, "%s: %s", guarded(),
			ls_status_name(status));
	}
	printf("%d time limits, after up to %d recoveries\n", count, most);
}

/* ---- Machines with common threads */

struct pair {
	ls_machine *own, *other; /* nodes 0 and 1 of `own` attach to `other` */
	bool detaches;           /* node 1 waits in ls_detach, else for a message */
	atomic_int shrunk;
};

/* Node 2 ends.  Node 0 waits in ls_shrink for node 1, which waits for it in the other machine. */
static int wait_elsewhere(ls_node *me, void *arg)
{
	struct pair *p = arg;
	const int64_t rank = ls_rank(me);
	struct ls_error why = { .size = sizeof why };
	ls_node *there, *group;
	int64_t word;
	int status;

	if (rank == 2)
		return LS_OK;
	there = attached_to(p->other, rank, 0);
	status = ls_barrier(me);
	CHECK(status == LS_ERR_LEFT, "%s: %s", guarded(), ls_status_name(status));
	if (rank == 1 && p->detaches) {
		status = ls_detach(there);
		CHECK(status == LS_ERR_DEADLOCK, "%s: ls_detach: %s", guarded(), ls_status_name(status));
	} else if (rank == 1) {
		status = ls_receive(there, 0, &word, sizeof word);
		CHECK(status == LS_ERR_DEADLOCK, "%s: receive: %s", guarded(), ls_status_name(status));
	}
	status = ls_shrink(me, &group, &why);
	CHECK(status == LS_OK && why.peer == 2 && ls_size(group) == 2, "%s: ls_shrink: %s: %s",
		guarded(), ls_status_name(status), why.text);
	if (rank == 0 || !p->detaches) {
		status = ls_detach(there);
		CHECK(status == LS_ERR_DEADLOCK, "%s: ls_detach: %s", guarded(), ls_status_name(status));
	}
	atomic_fetch_add(&p->shrunk, 1);
	return ls_barrier(group);
}

static void test_linked(int count, bool detaches)
{
	const struct ls_machine_options options = { .size = sizeof options, .recover = true };
	ls_topology *three = topology_of("complete:3"), *two = topology_of("complete:2");
	struct pair p = { machine_on(three, &options), machine_on(two, NULL), detaches, 0 };

	for (int i = 1; i <= count; i++) {
		guard("a node waits in ls_shrink for one that waits for it in %s, run %d",
			detaches ? "ls_detach" : "another machine", i);
		must_run(p.own, wait_elsewhere, &p);
		CHECK(atomic_load(&p.shrunk) == 2 * i, "%s: %d", guarded(), atomic_load(&p.shrunk));
	}
	ls_machine_destroy(p.own);
	ls_machine_destroy(p.other);
	ls_topology_destroy(three);
	ls_topology_destroy(two);
}

/* ---- A thread that is no node stops the machine */

static int stops(void)
{
	return is_fast() || is_thin() ? 10 : 50;
}

/* Node 0 waits here for node 1, which waits in the other machine for it, as a third thread does. */
static int wait_in_both(ls_node *me, void *arg)
{
	struct pair *p = arg;
	const int64_t rank = ls_rank(me);
	struct ls_error why = { .size = sizeof why };
	ls_node *group;
	int64_t word;

	for (int i = 0; i < stops(); i++) {
		ls_node *there = attached_to(p->other, rank, 0);
		int status = rank == 0 ? ls_receive(me, 1, &word, sizeof word)
							   : ls_receive(there, 0, &word, sizeof word);

		CHECK(status == LS_ERR_DEADLOCK, "%s: %s", guarded(), ls_status_name(status));
		status = ls_barrier(me); /* the machines stop one after the other */
		CHECK(status == LS_ERR_DEADLOCK, "%s: ls_barrier: %s", guarded(), ls_status_name(status));
		status = ls_shrink(me, &group, &why);
		CHECK(status == LS_OK && why.kind == LS_ERR_DEADLOCK && ls_size(group) == 2,
			"%s: stop %d: %s: %s", guarded(), i, ls_status_name(status), why.text);
		status = ls_detach(there);
		CHECK(status == LS_ERR_DEADLOCK, "%s: %s", guarded(), ls_status_name(status));
	}
	return ls_barrier(me);
}

static void *wait_as_third(void *arg)
{
	struct pair *p = arg;
	int64_t word;

	for (int i = 0; i < stops(); i++) {
		ls_node *there = attached_to(p->other, 2, 0);
		const int status = ls_receive(there, 0, &word, sizeof word);

		CHECK(status == LS_ERR_DEADLOCK, "%s: %s", guarded(), ls_status_name(status));
		ls_detach(there);
	}
	return NULL;
}

static void test_stopped_by_another(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .recover = true };
	ls_topology *three = topology_of("complete:3"), *two = topology_of("complete:2");
	struct pair p = { machine_on(two, &options), machine_on(three, NULL), false, 0 };
	pthread_t third;

	guard("a thread that is no node stops the machine");
	third = start_thread(wait_as_third, &p);
	must_run(p.own, wait_in_both, &p);
	pthread_join(third, NULL);
	ls_machine_destroy(p.own);
	ls_machine_destroy(p.other);
	ls_topology_destroy(three);
	ls_topology_destroy(two);
}

int main(void)
{
	const int count = is_long() ? 10000 : is_fast() || is_thin() ? 20 : 100;
	ls_topology *t = topology_of("ring:6");

	test_stops(t, count);
	test_limits(t, count);
	ls_topology_destroy(t);
	if (node_kind() == LS_NODE_THREAD) { /* light nodes cannot attach */
		test_linked(count / 4, false);
		test_linked(count / 4, true);
		test_stopped_by_another();
	}
	return test_result();
}
