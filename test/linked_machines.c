/*
 * Threads that are nodes of several machines.  A deadlock of machines that wait for each other
 * through common threads is reported by all of them; no other wait is.  If a thread ends while it
 * is attached, the other nodes get an error; ls_detach refuses handles that are not attached.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { MACHINES = 3 };

/* Thread i is node 0 of machine i, and node 1 of machine i + 1 (mod n). */
struct common {
	int i, n;
	ls_machine **machine;
	pthread_barrier_t *attached;
	void (*act)(struct common *, ls_node *own, ls_node *next);
	int status, detached[2];
	bool crosses; /* detaches its own node first */
	pthread_t thread;
};

static int attach_twice(struct common *c, ls_node *node[2])
{
	/* The lower machine first, or each thread waits for another one to attach. */
	const int next = (c->i + 1) % c->n;
	const bool wraps = next < c->i;
	const int first = wraps ? next : c->i, second = wraps ? c->i : next;
	int failed = ls_attach(c->machine[first], wraps ? 1 : 0, 0, &node[wraps ? 1 : 0]);

	if (!failed)
		failed = ls_attach(c->machine[second], wraps ? 0 : 1, 0, &node[wraps ? 0 : 1]);
	return failed;
}

static void *be_two_nodes(void *arg)
{
	struct common *c = arg;
	ls_node *node[2];
	const int failed = attach_twice(c, node);

	CHECK(!failed, "%s: %s", guarded(), ls_status_name(failed));
	if (failed)
		return NULL;
	pthread_barrier_wait(c->attached);
	c->act(c, node[0], node[1]);
	/* As attach_twice, or each waits in ls_detach for the other: see test_detach_circle. */
	const int first = c->crosses ? 0 : (c->i + 1) % c->n < c->i;

	c->detached[first] = ls_detach(node[first]);
	c->detached[1 - first] = ls_detach(node[1 - first]);
	return NULL;
}

static void on_common_threads(int n, struct common *c, ls_machine **machine,
	void (*act)(struct common *, ls_node *, ls_node *))
{
	pthread_barrier_t attached;

	pthread_barrier_init(&attached, NULL, (unsigned)n);
	for (int i = 0; i < n; i++) {
		c[i] = (struct common){
			.i = i, .n = n, .machine = machine, .attached = &attached, .act = act
		};
		c[i].thread = start_thread(be_two_nodes, &c[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(c[i].thread, NULL);
	pthread_barrier_destroy(&attached);
}

/* Each waits in its own machine for the thread that waits in the one before. */
static void wait_in_a_circle(struct common *c, ls_node *own, ls_node *next)
{
	int64_t word;

	(void)next;
	c->status = ls_receive(own, 1, &word, sizeof word);
}

/* The last one first sends to the others, round about. */
static void pass_around(struct common *c, ls_node *own, ls_node *next)
{
	int64_t word = c->i;

	for (int k = 0; k < 50 && !c->status; k++) {
		if (c->i > 0)
			c->status = ls_receive(own, 1, &word, sizeof word);
		if (!c->status)
			c->status = ls_send(next, 0, &word, sizeof word);
		if (c->i == 0 && !c->status)
			c->status = ls_receive(own, 1, &word, sizeof word);
		if (!c->status)
			c->status = ls_next_round(c->i % 2 ? own : next);
		if (!c->status)
			c->status = ls_next_round(c->i % 2 ? next : own);
	}
}

static void test_circle(const ls_topology *t, int n)
{
	ls_machine *machine[MACHINES];
	struct common c[MACHINES];
	struct ls_error e = { .size = sizeof e };

	for (int i = 0; i < n; i++)
		machine[i] = machine_on(t, NULL);
	for (int run = 0; run < (is_fast() || is_thin() ? 20 : 100); run++) {
		guard("%d machines wait for each other, run %d", n, run);
		on_common_threads(n, c, machine, wait_in_a_circle);
		for (int i = 0; i < n; i++)
			CHECK(c[i].status == LS_ERR_DEADLOCK && c[i].detached[0] == LS_ERR_DEADLOCK
					&& c[i].detached[1] == LS_ERR_DEADLOCK
					&& ls_last_error(machine[i], &e) == LS_ERR_DEADLOCK && e.node == 0
					&& e.peer == 1,
				"%s: %s: %s", guarded(), ls_status_name(c[i].status), e.text);
		guard("%d linked machines, run %d", n, run);
		on_common_threads(n, c, machine, pass_around);
		for (int i = 0; i < n; i++)
			CHECK(!c[i].status && !c[i].detached[0] && !c[i].detached[1], "%s: %s, %s, %s",
				guarded(), ls_status_name(c[i].status), ls_status_name(c[i].detached[0]),
				ls_status_name(c[i].detached[1]));
	}
	for (int i = 0; i < n; i++) {
		must_run(machine[i], add_ranks_program, NULL);
		ls_machine_destroy(machine[i]);
	}
}

/* ---- A thread waits in ls_detach for one that waits for it elsewhere */

static void detach_or_wait(struct common *c, ls_node *own, ls_node *next)
{
	int64_t word;

	if (c->i == 0)
		c->status = ls_detach(next);
	else
		c->status = ls_receive(next, 0, &word, sizeof word);
	(void)own;
}

static void test_detaching(const ls_topology *t)
{
	ls_machine *machine[2] = { machine_on(t, NULL), machine_on(t, NULL) };
	struct common c[2];

	for (int run = 0; run < 20; run++) {
		guard("a thread waits in ls_detach, run %d", run);
		on_common_threads(2, c, machine, detach_or_wait);
		CHECK(c[0].status == LS_ERR_DEADLOCK && c[1].status == LS_ERR_DEADLOCK
				&& c[0].detached[1] == LS_ERR_ARGUMENT,
			"%s: %s, %s", guarded(), ls_status_name(c[0].status), ls_status_name(c[1].status));
	}
	for (int i = 0; i < 2; i++)
		ls_machine_destroy(machine[i]);
}

static void do_nothing(struct common *c, ls_node *own, ls_node *next)
{
	(void)own;
	(void)next;
	c->crosses = true;
}

static void fail_first(struct common *c, ls_node *own, ls_node *next)
{
	do_nothing(c, own, next);
	c->status = c->i == 0 ? ls_send(own, 7, &c->i, sizeof c->i) : ls_barrier(own);
}

/* Each thread detaches from its own machine, and waits there for the other one. */
static void test_detach_circle(const ls_topology *t, bool fails)
{
	ls_machine *machine[2] = { machine_on(t, NULL), machine_on(t, NULL) };
	const int want[2] = { fails ? LS_ERR_LINK : LS_ERR_DEADLOCK, LS_ERR_DEADLOCK };
	struct common c[2];

	for (int run = 0; run < 20; run++) {
		guard("threads wait for each other in ls_detach, run %d", run);
		on_common_threads(2, c, machine, fails ? fail_first : do_nothing);
		for (int i = 0; i < 2; i++)
			CHECK(c[i].detached[0] == want[i] && c[i].detached[1] == want[1 - i], "%s: %s, %s",
				guarded(), ls_status_name(c[i].detached[0]), ls_status_name(c[i].detached[1]));
		for (int i = 0; i < 2; i++)
			must_run(machine[i], add_ranks_program, NULL);
	}
	for (int i = 0; i < 2; i++)
		ls_machine_destroy(machine[i]);
}

/* ---- A thread waits elsewhere for one that computes: no deadlock */

static void nap_then_send(struct common *c, ls_node *own, ls_node *next)
{
	int64_t word = 1;

	if (c->i == 0) {
		nap(20);
		c->status = ls_send(next, 0, &word, sizeof word);
		if (!c->status)
			c->status = ls_receive(own, 1, &word, sizeof word);
	} else {
		c->status = ls_receive(own, 1, &word, sizeof word);
		if (!c->status)
			c->status = ls_send(next, 0, &word, sizeof word);
	}
}

static void test_computing(const ls_topology *t)
{
	ls_machine *machine[2] = { machine_on(t, NULL), machine_on(t, NULL) };
	struct common c[2];

	guard("a thread waits for one that computes");
	for (int run = 0; run < 10; run++) {
		on_common_threads(2, c, machine, nap_then_send);
		CHECK(!c[0].status && !c[1].status && !c[0].detached[0] && !c[1].detached[0], "%s: %s, %s",
			guarded(), ls_status_name(c[0].status), ls_status_name(c[1].status));
	}
	for (int i = 0; i < 2; i++)
		ls_machine_destroy(machine[i]);
}

/* ---- Nodes of a run that attach elsewhere */

static int cross_in_run(ls_node *me, void *other)
{
	const int64_t rank = ls_rank(me);
	int64_t word;
	ls_node *there;
	int failed = ls_attach(other, rank, 0, &there), detached;

	if (failed)
		return failed;
	failed = ls_receive(rank ? there : me, 1 - rank, &word, sizeof word);
	detached = ls_detach(there);
	CHECK(failed == LS_ERR_DEADLOCK && detached == LS_ERR_DEADLOCK, "%s: %s, %s", guarded(),
		ls_status_name(failed), ls_status_name(detached));
	return failed;
}

static void test_runs(const ls_topology *t)
{
	ls_machine *outer = machine_on(t, NULL), *other = machine_on(t, NULL);

	for (int run = 0; run < 20; run++) {
		guard("nodes of a run wait in two machines, run %d", run);
		CHECK(ls_run(outer, cross_in_run, other) == LS_ERR_DEADLOCK, "%s", guarded());
	}
	ls_machine_destroy(other);
	ls_machine_destroy(outer);
}

/* ---- A node waits for the run of another machine, which ends in a deadlock */

static int wait_for_each_other(ls_node *me, void *unused)
{
	int64_t word;

	(void)unused;
	return ls_receive(me, 1 - ls_rank(me), &word, sizeof word);
}

static int run_other(ls_node *me, void *other)
{
	if (ls_rank(me) == 0)
		CHECK(ls_run(other, wait_for_each_other, NULL) == LS_ERR_DEADLOCK, "%s", guarded());
	return add_ranks(me);
}

/* Light nodes wait at once, so the last one may be about to report when ls_run begins to wait. */
static void test_run_in_run(const ls_topology *t)
{
	struct ls_machine_options fibers = { .size = sizeof fibers, .node_kind = LS_NODE_FIBER };
	struct ls_error e = { .size = sizeof e };
	ls_machine *outer, *other;

	outer = machine_on(t, NULL);
	other = machine_on(t, &fibers);
	for (int run = 0; run < (is_fast() || is_thin() ? 100 : 2000); run++) {
		guard("a node waits for a run that fails, run %d", run);
		CHECK(!ls_run(outer, run_other, other), "%s: %s", guarded(),
			(ls_last_error(outer, &e), e.text));
	}
	ls_machine_destroy(other);
	ls_machine_destroy(outer);
}

/* ---- Threads that end, and handles that are not attached */

struct ending {
	ls_machine *machine;
	int64_t rank;
	int status;
	pthread_t thread;
};

static void *attach_and_end(void *arg)
{
	struct ending *s = arg;
	ls_node *me = attached_to(s->machine, s->rank, 0);

	if (s->rank == 1)
		return NULL;
	s->status = add_ranks(me);
	CHECK(ls_detach(me) == s->status, "%s", guarded());
	return NULL;
}

static void test_ending(void)
{
	ls_topology *t = topology_of("complete:4");
	ls_machine *machine = machine_on(t, NULL);
	struct ls_error e = { .size = sizeof e };
	struct ending s[4];

	for (int run = 0; run < 20; run++) {
		guard("an attached thread ends, run %d", run);
		for (int i = 0; i < 4; i++) {
			s[i] = (struct ending){ machine, i, LS_OK, 0 };
			s[i].thread = start_thread(attach_and_end, &s[i]);
		}
		for (int i = 0; i < 4; i++)
			pthread_join(s[i].thread, NULL);
		CHECK(ls_last_error(machine, &e) == LS_ERR_LEFT && e.node == 1
				&& strstr(e.text, "without ls_detach"),
			"%s: %s", guarded(), e.text);
		for (int i = 0; i < 4; i++)
			CHECK(i == 1 || s[i].status == LS_ERR_LEFT, "%s: node %d: %s", guarded(), i,
				ls_status_name(s[i].status));
	}
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static int detach_in_run(ls_node *me, void *unused)
{
	ls_node *sub;
	int failed = ls_split(me, 0, 0, &sub);

	(void)unused;
	CHECK(ls_detach(me) == LS_ERR_ARGUMENT && ls_detach(NULL) == LS_ERR_ARGUMENT
			&& (failed || ls_detach(sub) == LS_ERR_ARGUMENT),
		"detached from a run");
	return failed ? failed : add_ranks(me);
}

int main(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);

	for (int n = 2; n <= MACHINES; n++)
		test_circle(t, n);
	test_detaching(t);
	test_detach_circle(t, false);
	test_detach_circle(t, true);
	test_computing(t);
	test_runs(t);
	test_run_in_run(t);
	test_ending();
	guard("detached from a run");
	must_run(machine, detach_in_run, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return test_result();
}
