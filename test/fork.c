/*
 * A child of fork, at any moment of its parent's runs: a new machine works there, machines of the
 * parent return LS_ERR_FORK, and so does ls_link_set.  An attached thread may end there.
 */
/* variants: release checked chaos */
/* A sanitizer has locks of its own, which a child may find taken for ever. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <urcu-qsbr.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static void check_child(pid_t child)
{
	int result = -1;

	CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%s: %x", guarded(),
		(unsigned)result);
}

/* ---- At any moment of other runs */

static atomic_int over;

static void *run_always(void *machine)
{
	while (!atomic_load(&over))
		must_run(machine, add_ranks_program, NULL);
	return NULL;
}

static int in_child(const ls_topology *t, ls_machine *parent)
{
	ls_machine *own = machine_on(t,
		&(struct ls_machine_options){
			.size = sizeof(struct ls_machine_options), .mode = LS_ROUTED });
	int wrong = 0;

	alarm(60);
	wrong |= ls_run(parent, add_ranks_program, NULL) != LS_ERR_FORK;
	wrong |= ls_link_set(parent, 0, 1, false) != LS_ERR_FORK;
	for (int i = 0; i < 3; i++) {
		wrong |= (ls_run(own, add_ranks_program, NULL) != LS_OK) << 1;
		wrong |= (ls_link_set(own, 0, 1, false) != LS_ERR_FORK) << 2;
	}
	ls_machine_destroy(own);
	ls_machine_destroy(parent);
	return wrong;
}

static void test_new_machine(const ls_topology *t)
{
	ls_machine *machine = machine_on(t, NULL), *linked = machine_on(t, NULL);
	const int forks = is_fast() ? 60 : 300;
	pthread_t thread;

	CHECK(ls_link_set(linked, 0, 1, false) == LS_OK && ls_link_set(linked, 0, 1, true) == LS_OK,
		"a link");
	thread = start_thread(run_always, machine);
	for (int i = 0; i < forks; i++) {
		guard("fork %d", i);
		nap(i * 37 % 500 / 1000.0);

		const pid_t child = fork();

		if (child == 0)
			_exit(in_child(t, machine));
		check_child(child);
	}
	atomic_store(&over, 1);
	pthread_join(thread, NULL);
	ls_machine_destroy(linked);
	ls_machine_destroy(machine);
}

/* ---- After a run, before any link has changed */

static void test_after_run(const ls_topology *t)
{
	ls_machine *machine = machine_on(t, NULL);
	pid_t child;

	guard("fork after the first run");
	must_run(machine, add_ranks_program, NULL);
	child = fork();
	if (child == 0)
		_exit(in_child(t, machine));
	check_child(child);
	ls_machine_destroy(machine);
}

/* ---- An attached thread ends in the child */

/* Before handlers that the parent has registered. */
static void end_child(void)
{
	_exit(0);
}

static void *set_link(void *machine)
{
	CHECK(ls_link_set(machine, 0, 1, false) == LS_OK, "%s: ls_link_set", guarded());
	return NULL;
}

static void *detach_at_once(void *machine)
{
	CHECK(ls_detach(attached_to(machine, 1, 0)) == LS_OK, "%s", guarded());
	return NULL;
}

/* While it is online, ls_link_set waits for it, and holds the lock of the machine. */
static void *end_in_child(void *machine)
{
	ls_node *me;
	pthread_t setter;
	pid_t child;

	rcu_register_thread();
	me = attached_to(machine, 0, LS_ATTACH_RCU_READER);
	setter = start_thread(set_link, machine);
	nap(50); /* until it waits */
	child = fork();
	if (child == 0) {
		alarm(60);
		atexit(end_child);
		pthread_exit(NULL);
	}
	check_child(child);
	rcu_thread_offline();
	pthread_join(setter, NULL);
	CHECK(ls_detach(me) == LS_OK, "%s", guarded());
	rcu_unregister_thread();
	return NULL;
}

static void test_ending(void)
{
	ls_topology *t = topology_of("complete:2");
	ls_machine *machine = machine_on(t, NULL);
	pthread_t other, forking;

	guard("an attached thread ends in a child of fork");
	other = start_thread(detach_at_once, machine);
	forking = start_thread(end_in_child, machine);
	pthread_join(forking, NULL);
	pthread_join(other, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	ls_topology *t = topology_of("ring:4");

	test_after_run(t); /* the process has not used RCU before */
	test_new_machine(t);
	test_ending();
	ls_topology_destroy(t);
	return test_result();
}
