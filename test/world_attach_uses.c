/*
 * Threads attach in one process while another one begins something else: a run, a sweep, or the end
 * of its world.  Attach during another run, and inside one.  Calls refused while a process waits in
 * an attach that it withdraws.  Every call ends with a clear error, and the world serves again.
 */
#include <stdatomic.h>
#include <string.h>

#include <lockstep/sweep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "support/visits.h"
#include "test.h"

enum { PROCESSES = 2, NODES = 6 };

/* Machine 1 is that of `spread`, machine 2 the other one. */
struct processes {
	struct spread spread;
	struct network *network;
	ls_machine *other[PROCESSES];
	ls_plan *plan;
};

static void open_processes(struct processes *p, const ls_topology *t)
{
	*p = (struct processes){ .network = network_make(PROCESSES, 1) };
	spread_open_in(&p->spread, PROCESSES, p->network);
	CHECK(spread_make(&p->spread, t, NULL) == LS_OK, "no machine");
	for (int i = 0; i < PROCESSES; i++)
		p->other[i] = machine_on(t,
			&(struct ls_machine_options){
				.size = sizeof(struct ls_machine_options), .world = p->spread.world[i] });
	p->plan = plan_for(&(struct ls_request){
		.size = sizeof(struct ls_request), .topology = t, .operation = LS_ALLREDUCE, .count = 1 });
}

static void close_processes(struct processes *p)
{
	for (int i = 0; i < PROCESSES; i++)
		ls_machine_destroy(p->other[i]);
	spread_destroy(&p->spread);
	ls_plan_destroy(p->plan);
}

/* ---- What a process does in a thread */

enum what { RUN, SWEEP, CLOSE };
struct world_call {
	struct processes *processes;
	int process;
	enum what what;
	int (*program)(ls_node *, void *);
	int status;
	struct ls_error error;
	pthread_t thread;
};

static void make_row(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	(void)first;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank;
}

static int run_sweep(const struct processes *p, int process, struct ls_error *error)
{
	int64_t rows[NODES] = { 0 };
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = p->plan,
		.count = 1,
		.type = LS_INT64,
		.make = make_row,
		.output = rows,
		.workers = 1,
		.world = p->spread.world[process] };
	struct ls_sweep_result out = { .size = sizeof out };
	const int status = ls_sweep_run(&sweep, &out);

	*error = out.error;
	CHECK(status || rows[0] == NODES * (NODES - 1) / 2, "%s: %d", guarded(), (int)rows[0]);
	return status;
}

static void *do_it(void *context)
{
	struct world_call *d = context;
	struct processes *p = d->processes;

	d->error.size = sizeof d->error;
	if (d->what == RUN) {
		d->status = ls_run(p->other[d->process], d->program, NULL);
		ls_last_error(p->other[d->process], &d->error);
	} else if (d->what == SWEEP) {
		d->status = run_sweep(p, d->process, &d->error);
	} else {
		ls_world *world = p->spread.world[d->process];

		p->spread.world[d->process] = NULL;
		ls_world_close(world);
	}
	return NULL;
}

static void begin_world_call(struct world_call *d, struct processes *p, int process, enum what what)
{
	*d = (struct world_call){ p, process, what, .program = add_ranks_program };
	d->thread = start_thread(do_it, d);
}

/* All processes. */
static void check_serves(struct processes *p, enum what what)
{
	struct world_call d[PROCESSES];

	for (int i = 0; i < PROCESSES; i++)
		begin_world_call(&d[i], p, i, what);
	for (int i = 0; i < PROCESSES; i++) {
		pthread_join(d[i].thread, NULL);
		CHECK(d[i].status == LS_OK, "%s: then '%s'", guarded(), d[i].error.text);
	}
}

/* ---- What attached nodes do */

static void check_visits(struct processes *p, const struct visit *v, int process, int want)
{
	const ls_topology *t = ls_machine_topology(p->spread.machine[0]);

	for (int64_t i = ls_first_rank(t, PROCESSES, process);
		 i < ls_first_rank(t, PROCESSES, process + 1); i++)
		CHECK(v[i].attached == want && v[i].detached == LS_OK, "%s: node %d: %s, %s", guarded(),
			(int)i, ls_status_name(v[i].attached), ls_status_name(v[i].detached));
}

static void check_serves_visits(struct processes *p)
{
	struct visit v[NODES];

	visit_all(p->spread.machine, PROCESSES, visit_add_ranks, 0, v);
	for (int i = 0; i < PROCESSES; i++)
		check_visits(p, v, i, LS_OK);
}

static void check_text(struct processes *p, int process, const char *text)
{
	struct ls_error e = { .size = sizeof e };

	ls_last_error(p->spread.machine[process], &e);
	CHECK(strstr(e.text, text), "%s: process %d: '%s'", guarded(), process, e.text);
}

/* ---- Different things */

static const char *const names[] = { "runs machine 2", "runs a sweep", "closes the world" };

/* The smaller use comes first. */
static void expected_text(char text[200], enum what what, int attaches)
{
	char one[64], other[64];

	snprintf(one, sizeof one, "process %d runs machine 1", attaches);
	snprintf(other, sizeof other, "process %d %s", 1 - attaches, names[what]);
	snprintf(text, 200, "%s, and %s; expected the same in all processes", what == RUN ? one : other,
		what == RUN ? other : one);
}

static void test_different(struct processes *p, enum what what, int attaches, uint64_t *random)
{
	const int want = what == CLOSE ? LS_ERR_LEFT : LS_ERR_BUSY;
	struct visit v[NODES];
	struct world_call d;
	char text[200];

	guard("process %d attaches, process %d %s", attaches, 1 - attaches, names[what]);
	expected_text(text, what, attaches);
	if (random_below(random, 2)) {
		begin_world_call(&d, p, 1 - attaches, what);
		nap((double)random_below(random, 2));
		visits_begin(p->spread.machine[attaches], PROCESSES, attaches, visit_add_ranks, 0, v);
	} else {
		visits_begin(p->spread.machine[attaches], PROCESSES, attaches, visit_add_ranks, 0, v);
		nap((double)random_below(random, 2));
		begin_world_call(&d, p, 1 - attaches, what);
	}
	visits_end(p->spread.machine[attaches], PROCESSES, attaches, v);
	check_visits(p, v, attaches, want);
	check_text(p, attaches, text);
	if (what == CLOSE) {
		close_processes(p);
		pthread_join(d.thread, NULL);
		return;
	}
	pthread_join(d.thread, NULL);
	CHECK(d.status == LS_ERR_BUSY && strstr(d.error.text, text), "%s: %s '%s'", guarded(),
		ls_status_name(d.status), d.error.text);
}

/* ---- During a run of machine 2, and inside it */

static atomic_int inside, refused;
static struct processes *served;

/* The run lasts until the threads of all processes have been refused. */
static int attach_inside(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	const int process = rank < NODES / PROCESSES ? 0 : 1;
	ls_node *other;

	(void)unused;
	if (rank % (NODES / PROCESSES) == 0) {
		CHECK(ls_attach(served->spread.machine[process], rank, 0, &other) == LS_ERR_BUSY && !other,
			"%s: inside", guarded());
		check_text(served, process, "a node of a machine cannot attach");
		atomic_fetch_add(&inside, 1);
		while (!atomic_load(&refused))
			nap(0.1);
	}
	return add_ranks(me);
}

static void test_during(struct processes *p)
{
	struct world_call d[PROCESSES];
	struct visit v[NODES];

	guard("attach during another run");
	served = p;
	for (int i = 0; i < PROCESSES; i++) {
		d[i] = (struct world_call){ p, i, RUN, .program = attach_inside };
		d[i].thread = start_thread(do_it, &d[i]);
	}
	while (atomic_load(&inside) < PROCESSES)
		nap(0.1);
	visit_all(p->spread.machine, PROCESSES, visit_add_ranks, 0, v);
	for (int i = 0; i < PROCESSES; i++) {
		check_visits(p, v, i, LS_ERR_BUSY);
		check_text(p, i, "the world has another run");
	}
	atomic_store(&refused, 1);
	for (int i = 0; i < PROCESSES; i++) {
		pthread_join(d[i].thread, NULL);
		CHECK(d[i].status == LS_OK, "%s: '%s'", guarded(), d[i].error.text);
	}
	check_serves_visits(p);
}

/* ---- Attached nodes begin something else */

static struct processes *second; /* in another world */

/* A call of node 0 is refused, and does not count: process 1 does not make it. */
static void refuse_inside(struct processes *p)
{
	struct ls_error e = { .size = sizeof e };

	CHECK(ls_run(p->other[0], add_ranks_program, NULL) == LS_ERR_BUSY, "%s: run", guarded());
	ls_last_error(p->other[0], &e);
	CHECK(strstr(e.text, "cannot begin another run"), "%s: '%s'", guarded(), e.text);
	CHECK(run_sweep(p, 0, &e) == LS_ERR_BUSY, "%s: '%s'", guarded(), e.text);
}

/* The thread is a node in two worlds, and leaves them in the order in which it came. */
static int attach_twice(ls_node *me, int64_t which)
{
	const int64_t rank = ls_rank(me);
	ls_machine *machine = second->spread.machine[rank < NODES / PROCESSES ? 0 : 1];
	ls_node *other;
	int status = add_ranks(me);

	(void)which;
	CHECK(ls_attach(machine, rank, 0, &other) == LS_OK, "%s: attach", guarded());
	if (rank == 0)
		refuse_inside(served);
	CHECK(ls_detach(me) == LS_OK, "%s: detach", guarded());
	if (rank == 0)
		refuse_inside(second);
	status = status ? status : add_ranks(other);
	return ls_detach(other) || status ? LS_ERR_PROGRAM : NO_DETACH;
}

static void test_inside_two(struct processes *p, const ls_topology *t)
{
	struct processes q;
	struct visit v[NODES];

	guard("attached nodes in two worlds begin something else");
	open_processes(&q, t);
	served = p;
	second = &q;
	visit_all(p->spread.machine, PROCESSES, attach_twice, 0, v);
	for (int i = 0; i < NODES; i++)
		CHECK(v[i].attached == LS_OK && v[i].acted == NO_DETACH, "%s: node %d", guarded(), i);
	check_serves(p, SWEEP);
	check_serves(&q, SWEEP);
	close_processes(&q);
	network_destroy(q.network);
}

/* ---- A process withdraws */

static bool is_used(ls_world *world)
{
	bool used;

	pthread_mutex_lock(&world->lock);
	used = world->state == LSI_WORLD_USED;
	pthread_mutex_unlock(&world->lock);
	return used;
}

/* Process 0 refuses a sweep meanwhile; so process 1 refuses it, too, after the next use. */
static void test_refused(struct processes *p)
{
	struct ls_error e = { .size = sizeof e };
	ls_machine *machine = p->spread.machine[0];
	struct visit v[NODES];

	guard("a sweep while a process attaches in vain");
	visits_begin(machine, PROCESSES, 0, visit_add_ranks, 0, v);
	while (!is_used(p->spread.world[0]))
		nap(0.1);
	CHECK(run_sweep(p, 0, &e) == LS_ERR_BUSY, "%s: '%s'", guarded(), e.text);
	ls_machine_stop(machine, LS_ERR_CONGESTION);
	visits_end(machine, PROCESSES, 0, v);
	check_visits(p, v, 0, LS_ERR_CONGESTION);
	check_serves_visits(p);
	CHECK(run_sweep(p, 1, &e) == LS_ERR_BUSY, "%s: '%s'", guarded(), e.text);
	check_serves(p, SWEEP);
}

int main(void)
{
	ls_topology *t = topology_of("complete:6");
	uint64_t random = 1;
	struct processes p;

	open_processes(&p, t);
	for (int k = 0; k < (is_fast() ? 8 : 40); k++) {
		test_different(&p, k % 2 ? RUN : SWEEP, k / 2 % 2, &random);
		check_serves(&p, k % 3 ? RUN : SWEEP);
		if (k % 2)
			check_serves_visits(&p);
	}
	test_during(&p);
	test_inside_two(&p, t);
	test_refused(&p);
	close_processes(&p);
	network_destroy(p.network);
	for (int k = 0; k < (is_fast() ? 4 : 16); k++) {
		open_processes(&p, t);
		test_different(&p, CLOSE, k % 2, &random);
		network_destroy(p.network);
	}
	ls_topology_destroy(t);
	return test_result();
}
