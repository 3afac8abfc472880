#include "support/world_run.h"

#include <string.h>

#include "support/guard.h"
#include "test.h"

struct process {
	struct network *network; /* NULL: one process without a world */
	int number;
	pthread_barrier_t *gate; /* the processes have their worlds: calls count from now on */
	const struct world_run *run;
	struct world_outcome outcome;
};

static void *process_main(void *context)
{
	struct process *p = context;
	const struct world_run *run = p->run;
	struct ls_machine_options options = run->options;
	ls_world *world = p->network ? network_world(p->network, p->number) : NULL;
	ls_topology *t = NULL;
	ls_machine *machine;

	options.size = sizeof options;
	options.world = world;
	if (ls_topology_make(run->spec, &t, NULL) != LS_OK)
		exit(1);
	machine = machine_on(t, &options);
	pthread_barrier_wait(p->gate);
	if (p->network && p->number == 0)
		network_begin(p->network);
	pthread_barrier_wait(p->gate);
	for (int i = 0; i == 0 || i < run->runs; i++) {
		if (run->before)
			run->before(p->number, machine, run->arg);
		p->outcome.status = ls_run(machine, run->program, run->arg);
		p->outcome.error.size = sizeof p->outcome.error;
		p->outcome.stats.size = sizeof p->outcome.stats;
		ls_last_error(machine, &p->outcome.error);
		ls_machine_stats(machine, &p->outcome.stats);
		if (run->after)
			run->after(p->number, machine, run->arg);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	pthread_barrier_wait(p->gate);
	if (p->network)
		network_end(p->network);
	ls_world_close(world);
	return NULL;
}

static void check_equal(const struct process *a, const struct process *b)
{
	const struct ls_error *e = &a->outcome.error, *f = &b->outcome.error;

	CHECK(a->outcome.status == b->outcome.status && e->kind == f->kind && e->node == f->node
			&& e->peer == f->peer && e->round == f->round && e->link == f->link
			&& e->operation == f->operation && strcmp(e->text, f->text) == 0,
		"%s: process %d has '%s' (%d), process 0 '%s' (%d)", guarded(), b->number, f->text,
		b->outcome.status, e->text, a->outcome.status);
	CHECK(memcmp(&a->outcome.stats, &b->outcome.stats, sizeof a->outcome.stats) == 0,
		"%s: process %d has other counts", guarded(), b->number);
}

struct world_outcome world_run_in(struct network *network, const struct world_run *run)
{
	struct process *process = memory((size_t)run->processes, sizeof *process);
	pthread_t *thread = memory((size_t)run->processes, sizeof *thread);
	struct world_outcome outcome;
	pthread_barrier_t gate;

	pthread_barrier_init(&gate, NULL, (unsigned)run->processes);
	for (int i = 0; i < run->processes; i++) {
		process[i] = (struct process){ .network = network, .number = i, .gate = &gate, .run = run };
		thread[i] = start_thread(process_main, &process[i]);
	}
	for (int i = 0; i < run->processes; i++)
		pthread_join(thread[i], NULL);
	for (int i = 1; i < run->processes && network && network_failed(network) < 0; i++)
		check_equal(&process[0], &process[i]);
	pthread_barrier_destroy(&gate);
	outcome = process[0].outcome;
	free(process);
	free(thread);
	return outcome;
}

struct world_outcome world_run(const struct world_run *run)
{
	struct network *network = run->processes > 1 ? network_make(run->processes, run->seed) : NULL;
	const struct world_outcome outcome = world_run_in(network, run);

	if (network)
		network_destroy(network);
	return outcome;
}
