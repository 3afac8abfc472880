/*
 * A child of fork, at any moment of its parent's runs: a new machine works there, machines of the
 * parent return LS_ERR_FORK, and so does ls_link_set.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

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

int main(void)
{
	ls_topology *t = topology_of("ring:4");
	ls_machine *machine = machine_on(t, NULL), *linked = machine_on(t, NULL);
	const int forks = is_fast() ? 60 : 300;
	pthread_t thread;

	CHECK(ls_link_set(linked, 0, 1, false) == LS_OK && ls_link_set(linked, 0, 1, true) == LS_OK,
		"a link");
	thread = start_thread(run_always, machine);
	/* A sanitizer has locks of its own, which a child may find taken for ever. */
	for (int i = 0; i < forks && !is_thin(); i++) {
		int result = -1;

		guard("fork %d", i);
		usleep((useconds_t)(i * 37 % 500));

		const pid_t child = fork();

		if (child == 0)
			_exit(in_child(t, machine));
		CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%s: %x", guarded(),
			(unsigned)result);
	}
	atomic_store(&over, 1);
	pthread_join(thread, NULL);
	ls_machine_destroy(linked);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return test_result();
}
