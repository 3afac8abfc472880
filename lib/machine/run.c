/*
 * A run: begun, carried out by a thread a node, ended.
 */
#include "machine/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "base/wait.h"
#include "topology/topology.h"

enum {
	LOOKS = 100,                      /* a line comes from another core in that time */
	SPINS = 4000,                     /* about 100 us                             */
	LINGERS_OF_NODE = 50,             /* for all of a core, about a turn of theirs */
	PATIENCE = 2000000,               /* ns of yielding before sleep, at least    */
	PATIENCE_OF_NODE = 16000,         /* and for every node: some rounds of yields */
	/* Ns between two looks at the trace queue: ever longer. */
	TRACE_NAP = 50000, TRACE_NAP_MOST = 2000000
};
static const double timeout_most = 1e9;   /* seconds, 30 years: in ns it fits the clock */

/* ---- Begin and end of a run */

static uint64_t deadline_of(double timeout)
{
	return timeout > 0
		? ls_now() + (uint64_t)((timeout < timeout_most ? timeout : timeout_most) * 1e9)
		: 0;
}

void ls_run_begin(struct ls_machine *machine)
{
	const int cores = ls_cores();
	const uint64_t patience = (uint64_t)machine->nodes * PATIENCE_OF_NODE;

	if (machine->error.kind)
		ls_registry_reset(machine);
	machine->looks = machine->nodes <= cores ? LOOKS : 1;
	machine->spins = machine->nodes <= cores ? SPINS : 0;
	machine->lingers = LINGERS_OF_NODE * (int)(machine->nodes / machine->seats);
	machine->patience = patience > PATIENCE ? patience : PATIENCE;
	machine->deadline = deadline_of(machine->options.timeout);
	machine->error = (struct ls_error){ sizeof machine->error, LS_OK, -1, -1, -1, -1, NULL, "" };
	machine->total = (struct ls_counters){ 0 };
	machine->kept.n = 0;
	ls_group_reset(machine, &machine->whole);
	for (int64_t i = 0; i < machine->nodes; i++) {
		struct ls_processor *me = &machine->processor[i];

		ls_store(&me->parking.word, 0u, relaxed);                      /* GATE publishes it */
		ls_store(&me->ended, 0u, relaxed);                             /* GATE publishes it */
		ls_store(&me->gone, 0u, relaxed);                              /* GATE publishes it */
		me->sends = me->receives = me->n_debts = 0;
		me->count = (struct ls_counters){ 0 };
		me->waits = me->reported = false;
		me->whole.round = 1;
		me->whole.sequence = 0;
		me->whole.root = 0;
		me->calling = NULL;
		me->works = NULL;
		me->units = 0;
	}
	for (int64_t i = 0;
		 machine->load && i < machine->topology->vertices * machine->topology->degree; i++)
		ls_store(&machine->load[i], 0u, relaxed);                      /* GATE publishes it */
	ls_census_reset(&machine->census, (uint32_t)machine->nodes);
	ls_store(&machine->sleepers, 0, relaxed);                          /* GATE publishes it */
	ls_store(&machine->stopped, LS_OK, relaxed);                       /* GATE publishes it */
	ls_store(&machine->gate, LS_GATE_CLOSED, release);                 /* GATE */
}

static bool earlier(const struct ls_error *a, const struct ls_error *b)
{
	return a->round != b->round ? a->round < b->round : a->node < b->node;
}

static void find_error(struct ls_machine *machine)
{
	struct ls_queue_item *item;

	while ((item = ls_queue_take(machine->reports))) {
		const struct ls_error *error = &((struct ls_report *)(void *)item)->error;

		if (machine->error.kind == LS_OK || earlier(error, &machine->error))
			machine->error = *error;
	}
	if (machine->error.kind == LS_OK && ls_load(&machine->stopped, acquire)) {         /* STOP */
		machine->error.kind = ls_load(&machine->stopped, acquire);     /* STOP */
		snprintf(machine->error.text, sizeof machine->error.text, "the machine was stopped: %s",
			ls_status_name(machine->error.kind));
	}

	int64_t from, to, round;

	if (machine->error.kind == LS_OK && ls_registry_untaken(machine, &from, &to, &round)) {
		machine->error = (struct ls_error){ sizeof machine->error, LS_ERR_UNTAKEN, from, to, round,
			-1, "run", "" };
		snprintf(machine->error.text, sizeof machine->error.text,
			"the message of round %" PRId64 " from node %" PRId64 " to node %" PRId64
			" was left untaken; what is sent in a round is received in it",
			round, from, to);
	}
	ls_explain(machine);
}

void ls_run_end(struct ls_machine *machine)
{
	if (machine->records)
		ls_trace_drain(machine, INT64_MAX);                   /* for which there may be no memory */
	find_error(machine);
	ls_groups_destroy(machine);
	for (int64_t i = 0; i < machine->nodes; i++) {
		const struct ls_counters *count = &machine->processor[i].count;

		machine->processor[i].result = machine->error.kind;
		machine->total.messages += count->messages;
		machine->total.words += count->words;
		machine->total.bytes += count->bytes;
		machine->total.reroutes += count->reroutes;
		machine->total.load = count->load > machine->total.load ? count->load : machine->total.load;
		machine->total.rounds = count->rounds > machine->total.rounds ? count->rounds
																	  : machine->total.rounds;
	}
}

void ls_finish(struct ls_processor *me)
{
	ls_assembly_abandon(me);
	ls_store(&me->ended, 1u, release);                                 /* ENDED */
	if (!ls_pulse(me))
		ls_settle(&me->whole, INT64_MAX, "return");
	ls_revoke(me);
	ls_depart(me);
	ls_rcu_unregister(me->own_reader);
}

int ls_gate_wait(struct ls_machine *machine)
{
	uint32_t gate;

	while ((gate = ls_load(&machine->gate, acquire)) == LS_GATE_CLOSED) {  /* GATE */
		ls_sleep(&machine->gate, LS_GATE_CLOSED, machine->deadline);
		if (machine->deadline && ls_now() >= machine->deadline)
			ls_machine_stop(machine, LS_ERR_TIMEOUT);
	}
	if (gate == LS_GATE_OPEN)
		return LS_OK;

	/* The stop came as the run began, and may have been forgotten. */
	int why = LS_OK;

	ls_compare_swap(&machine->stopped, &why, LS_ERR_STOPPED, acq_rel); /* STOP */
	return why ? why : LS_ERR_STOPPED;
}

bool ls_gate_open(struct ls_machine *machine, enum ls_gate gate)
{
	uint32_t found = LS_GATE_CLOSED;

	ls_compare_swap(&machine->gate, &found, (uint32_t)gate, acq_rel);  /* GATE */
	ls_wake(&machine->gate, INT_MAX);
	return ls_load(&machine->gate, relaxed) == LS_GATE_OPEN;           /* it changes no more */
}

/* ---- Run */

static void finish_thread(void *me)
{
	ls_finish(me);
}

static void *thread_body(void *arg)
{
	struct ls_processor *me = arg;
	struct ls_machine *machine = me->machine;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	if (ls_gate_wait(machine) != LS_OK)
		return NULL;
	me->own_reader = false;
	ls_rcu_register(false);
	pthread_cleanup_push(finish_thread, me);

	const int result = machine->program(&me->whole, machine->argument);

	if (result && !ls_load(&machine->stopped, acquire))                /* STOP */
		ls_halt(me, (struct ls_fault){ LS_ERR_PROGRAM, -1, me->whole.round, -1, "program" },
			"the program of node %" PRId64 " returned %d%s%s in round %" PRId64, me->rank, result,
			result < 0 ? ", " : "", result < 0 ? ls_status_name(result) : "", me->whole.round);
	pthread_cleanup_pop(1);
	return NULL;
}

/*
 * Create the threads of all nodes; how many there are: fewer than nodes when one could not be had.
 */
static int64_t create_threads(struct ls_machine *machine, struct ls_places *places, int *reason)
{
	const int64_t nodes = machine->nodes;
	int64_t made = 0;

	for (*reason = 0; made < nodes; made++) {
		struct ls_processor *me = &machine->processor[made];
		const struct ls_cpus *place = ls_places_at(places, machine->options.bind, made, nodes);

		*reason = ls_thread_make(&me->thread, &machine->stacks, made, place, thread_body, me);
		if (*reason)
			break;
	}
	return made;
}

/* Stacks that hold the program's thread-local storage too: grown until the first thread starts. */
static int64_t start_on_stacks(struct ls_machine *machine, struct ls_places *places)
{
	size_t bytes = machine->options.stack;
	int reason;
	int64_t made = 0;

	for (int tries = 0; tries < 16; tries++, bytes *= 2) {
		machine->stacks = ls_stacks_make(machine->nodes, bytes);
		if (!machine->stacks.base) {
			machine->error.kind = LS_ERR_MEMORY;
			snprintf(machine->error.text, sizeof machine->error.text,
				"no address space for %" PRId64 " stacks of %zu bytes", machine->nodes, bytes);
			return 0;
		}
		made = create_threads(machine, places, &reason);
		if (made > 0 || reason != EINVAL)
			break;
		ls_stacks_destroy(&machine->stacks);
	}
	if (made < machine->nodes) {
		machine->error.kind = LS_ERR_THREADS;
		machine->error.node = made;
		snprintf(machine->error.text, sizeof machine->error.text,
			"thread %" PRId64 " of %" PRId64
			" could not be created: %s; allow more threads or take fewer nodes",
			made + 1, machine->nodes, strerror(reason));
	}
	return made;
}

static int64_t start_threads(struct ls_machine *machine)
{
	struct ls_places places;

	if (!ls_places_make(&places, machine->options.bind)) {
		machine->error.kind = LS_ERR_MEMORY;
		snprintf(machine->error.text, sizeof machine->error.text,
			"no memory to place %" PRId64 " nodes", machine->nodes);
		return 0;
	}

	const int64_t made = start_on_stacks(machine, &places);

	ls_places_destroy(&places);
	return made;
}

/*
 * While nodes run, hand out what they trace.  In lockstep rounds nothing is added to a round that
 * has ended.
 */
static void supervise(struct ls_machine *machine)
{
	struct timespec nap = { 0, TRACE_NAP };

	while (machine->records && ls_census_live(&machine->census) > 0) {
		const uint32_t ended = ls_barrier_epoch(&machine->whole.barrier);

		ls_trace_drain(machine, machine->options.rounds == LS_LOCKSTEP ? (int64_t)ended + 1 : 0);
		nanosleep(&nap, NULL);
		nap.tv_nsec = 2 * nap.tv_nsec < TRACE_NAP_MOST ? 2 * nap.tv_nsec : TRACE_NAP_MOST;
	}
}

/* Take the machine for a run; LS_ERR_BUSY when somebody has it. */
static int take(struct ls_machine *machine)
{
	int busy;

	pthread_mutex_lock(&machine->control);
	busy = machine->running;
	machine->running = true;
	pthread_mutex_unlock(&machine->control);
	return busy ? LS_ERR_BUSY : LS_OK;
}

static void give_back(struct ls_machine *machine)
{
	pthread_mutex_lock(&machine->control);
	machine->running = false;
	pthread_mutex_unlock(&machine->control);
}

int ls_run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	if (!machine || !program)
		return LS_ERR_ARGUMENT;
	if (*machine->pulse == 0)
		return LS_ERR_FORK;
	if (take(machine) != LS_OK)
		return LS_ERR_BUSY;

	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);        /* the nodes need this thread */
	ls_run_begin(machine);
	machine->program = program;
	machine->argument = arg;

	const int64_t made = start_threads(machine);

	if (ls_gate_open(machine, made == machine->nodes ? LS_GATE_OPEN : LS_GATE_CALLED_OFF))
		supervise(machine);
	for (int64_t i = 0; i < made; i++)
		pthread_join(machine->processor[i].thread, NULL);
	ls_stacks_destroy(&machine->stacks);
	if (made == machine->nodes)
		ls_run_end(machine);

	const int result = machine->error.kind;

	give_back(machine);
	pthread_setcancelstate(cancel, NULL);
	return result;
}
