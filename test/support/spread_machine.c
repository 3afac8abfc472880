#include "support/spread_machine.h"

#include <stdlib.h>
#include <string.h>

#include "support/guard.h"
#include "test.h"

struct member_call {
	struct spread *spread;
	pthread_barrier_t *gate;
	int process;
	void (*call)(struct spread *, int process, const void *context);
	const void *context;
};

static _Thread_local bool is_calling;

bool spread_is_calling(void)
{
	return is_calling;
}

static void *member_main(void *context)
{
	const struct member_call *m = context;

	is_calling = true;
	pthread_barrier_wait(m->gate);
	m->call(m->spread, m->process, m->context);
	is_calling = false;
	return NULL;
}

/* In all processes at once; the calling thread is process 0. */
static void call_in_all(struct spread *s,
	void (*call)(struct spread *, int process, const void *context), const void *context)
{
	struct member_call member[SPREAD_PROCESSES];
	pthread_t thread[SPREAD_PROCESSES];
	pthread_barrier_t gate;

	pthread_barrier_init(&gate, NULL, (unsigned)s->processes);
	for (int i = 0; i < s->processes; i++) {
		member[i] = (struct member_call){ s, &gate, i, call, context };
		if (i > 0)
			thread[i] = start_thread(member_main, &member[i]);
	}
	if (s->begins)
		s->begins(s->context);
	member_main(&member[0]);
	for (int i = 1; i < s->processes; i++)
		pthread_join(thread[i], NULL);
	pthread_barrier_destroy(&gate);
}

static void open_one(struct spread *s, int process, const void *unused)
{
	(void)unused;
	s->world[process] = s->network ? network_world(s->network, process) : NULL;
}

void spread_open_in(struct spread *s, int processes, struct network *network)
{
	CHECK(processes <= SPREAD_PROCESSES, "%s: %d processes", guarded(), processes);
	*s = (struct spread){ .processes = processes, .network = network };
	call_in_all(s, open_one, NULL);
	if (network)
		network_begin(network);
}

void spread_open(struct spread *s, int processes, uint64_t seed)
{
	spread_open_in(s, processes, network_make(processes, seed));
	s->owns_network = true;
}

struct making {
	const ls_topology *topology;
	const struct ls_machine_options *options;
};

static void make_one(struct spread *s, int process, const void *context)
{
	const struct making *making = context;
	struct ls_machine_options options = { 0 };
	const size_t size = making->options ? making->options->size : 0;

	if (making->options)
		memcpy(&options, making->options, size < sizeof options ? size : sizeof options);
	options.size = sizeof options;
	options.world = s->world[process];
	s->status[process] = ls_machine_make(making->topology, &options, &s->machine[process]);
}

int spread_make(
	struct spread *s, const ls_topology *topology, const struct ls_machine_options *options)
{
	const struct making making = { topology, options };
	int status = LS_OK;

	call_in_all(s, make_one, &making);
	for (int i = 0; i < s->processes && status == LS_OK; i++)
		status = s->status[i];
	return status;
}

struct running {
	int (*program)(ls_node *, void *);
	void *arg;
};

static void run_one(struct spread *s, int process, const void *context)
{
	const struct running *running = context;

	if (s->before)
		s->before(process, s->machine[process], running->arg);
	s->status[process] = ls_run(s->machine[process], running->program, running->arg);
	s->error[process] = (struct ls_error){ .size = sizeof *s->error };
	s->stats[process] = (struct ls_stats){ .size = sizeof *s->stats };
	ls_last_error(s->machine[process], &s->error[process]);
	ls_machine_stats(s->machine[process], &s->stats[process]);
	if (s->after)
		s->after(process, s->machine[process], running->arg);
}

bool errors_are_equal(const struct ls_error *a, const struct ls_error *b)
{
	const char *of_a = a->operation ? a->operation : "", *of_b = b->operation ? b->operation : "";

	return a->kind == b->kind && a->node == b->node && a->peer == b->peer && a->round == b->round
		&& a->link == b->link && strcmp(of_a, of_b) == 0 && strcmp(a->text, b->text) == 0;
}

int spread_run(struct spread *s, int (*program)(ls_node *, void *), void *arg)
{
	const struct running running = { program, arg };

	call_in_all(s, run_one, &running);
	for (int i = 1;
		 i < s->processes && network_failed(s->network) < 0 && !network_is_aborted(s->network);
		 i++) {
		CHECK(memcmp(&s->stats[i], &s->stats[0], sizeof s->stats[0]) == 0,
			"%s: process %d has other counts", guarded(), i);
		CHECK(s->status[i] == s->status[0] && errors_are_equal(&s->error[i], &s->error[0]),
			"%s: process %d of %d: %s: '%s', but process 0: %s: '%s'", guarded(), i, s->processes,
			ls_status_name(s->status[i]), s->error[i].text, ls_status_name(s->status[0]),
			s->error[0].text);
	}
	return s->status[0];
}

static void destroy_one(struct spread *s, int process, const void *unused)
{
	(void)unused;
	while (ls_machine_busy(s->machine[process])) /* threads that returned late; else it stays */
		nap(1);
	ls_machine_destroy(s->machine[process]);
	if (s->network)
		network_end(s->network);
	ls_world_close(s->world[process]);
}

void spread_destroy(struct spread *s)
{
	s->begins = NULL;
	call_in_all(s, destroy_one, NULL);
	if (s->owns_network)
		network_destroy(s->network);
}

int process_count(void)
{
	const char *count = getenv("LS_PROCESSES");

	return count ? atoi(count) : 1;
}
