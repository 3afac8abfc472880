/*
 * The parts that every run has, on threads of ls_run or on attached threads: begin, wait for the
 * gate, finish a node.  run_end.c has the last part.
 */
#include "machine/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "base/cores.h"
#include "base/error.h"
#include "base/futex.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/group_work_sharing.h"
#include "machine/pending_send.h"
#include "machine/processes/far_nodes.h"
#include "machine/trace_records.h"
#include "machine/wait.h"
#include "topology/topology_internal.h"

static const double longest_timeout = 1e9; /* seconds (30 years): in ns it fits the clock */
/* The time for threads to return after the time limit: as long as the limit, within these: s */
static const double shortest_grace = 0.1, longest_grace = 10;

uint64_t lsi_run_next_deadline(const struct ls_machine *machine)
{
	const double timeout = machine->options.timeout;

	return timeout > 0
		? lsi_now_ns() + (uint64_t)((timeout < longest_timeout ? timeout : longest_timeout) * 1e9)
		: 0;
}

uint64_t lsi_run_grace(const struct ls_machine *machine)
{
	double grace = machine->options.timeout;

	grace = grace < shortest_grace ? shortest_grace : grace;
	grace = grace > longest_grace ? longest_grace : grace;
	return (uint64_t)(grace * 1e9);
}

uint64_t lsi_run_last_moment(const struct ls_machine *machine)
{
	return machine->deadline + lsi_run_grace(machine);
}

/* Reset what does not outlive ls_shrink. */
static void reset_communication(struct lsi_node_state *me)
{
	lsi_store(&me->ended, 0u, relaxed);          /* GATE or SHRINK publishes it */
	lsi_store(&me->buffers_in_use, 0u, relaxed); /* as above */
	lsi_store(&me->gone, 0u, relaxed);           /* as above */
	lsi_store(&me->reported, 0u, relaxed);       /* as above */
	me->sends = me->receives = me->n_pending = 0;
	me->waits_for = NULL;
	me->whole.round = 1;
	me->whole.sequence = 0;
	me->whole.last_root = 0;
	me->call_handle = NULL;
	me->current_work = NULL;
	me->units = 0;
}

static void reset_node(struct lsi_node_state *me)
{
	lsi_store(&me->parking.word, 0u, relaxed);       /* GATE publishes it */
	lsi_store(&me->local_parking.word, 0u, relaxed); /* GATE publishes it */
	me->count = (struct lsi_counters){ 0 };
	me->refused_call.status = LS_OK;
}

void lsi_run_reset_communication(struct ls_machine *machine)
{
	const struct ls_topology *t = machine->topology;

	machine->verdict = LSI_NO_ERROR;
	lsi_group_reset(machine, &machine->whole);
	for (int64_t i = machine->first_local; i < machine->end_local; i++)
		reset_communication(&machine->node_state[i]);
	for (int64_t i = 0; machine->load && i < t->vertices * t->degree; i++)
		lsi_store(&machine->load[i], 0u, relaxed); /* GATE or SHRINK publishes it */
}

/* The head of the file names the core of each node if there are times, and threads are bound. */
int lsi_run_open_trace(struct ls_machine *machine, bool binds)
{
	const enum ls_bind bind = machine->options.bind;
	const bool has_cores = machine->trace_output.path && machine->options.trace_times && binds
		&& bind != LS_BIND_NONE && !machine->processes;
	int *core = has_cores ? lsi_alloc((size_t)machine->nodes * sizeof *core) : NULL;
	struct lsi_trace_head head = { ls_topology_spec(machine->topology), machine->options.mode, core,
		machine->nodes };
	int failed;

	if (!lsi_processes_write_here(machine))
		return LS_OK;
	if (has_cores && (!core || !lsi_binding_cores(bind, machine->workers, machine->nodes, core))) {
		machine->error.kind = failed = LS_ERR_MEMORY;
		snprintf(machine->error.text, sizeof machine->error.text,
			"no memory for the cores of %" PRId64 " nodes in the trace file", machine->nodes);
	} else {
		if (core && core[0] < 0) /* the cores are not known */
			head.core = NULL;
		failed = lsi_trace_output_open(&machine->trace_output, &head, &machine->error);
	}
	lsi_free(core);
	return failed;
}

/* A stop has its whole effect on the last run, or on this one, or none. */
static void end_stops(struct ls_machine *machine)
{
	lsi_store(&machine->state, LSI_BEGINNING, seq_cst); /* STOP */
	while (lsi_load(&machine->stopping, seq_cst) > 0)   /* STOP */
		lsi_yield();
}

void lsi_run_begin(struct ls_machine *machine)
{
	end_stops(machine);
	machine->error = LSI_NO_ERROR;
	machine->all_ended = true; /* no node has begun */
	if (machine->has_failed) {
		lsi_registry_reset(machine);
		lsi_processes_forget_calls(machine);
	}
	machine->has_failed = false;
	machine->carrier->reset(machine);
	machine->deadline = lsi_run_next_deadline(machine);
	machine->total = (struct lsi_counters){ 0 };
	lsi_trace_discard(machine);
	lsi_run_reset_communication(machine);
	for (int64_t i = machine->first_local; i < machine->end_local; i++)
		reset_node(&machine->node_state[i]);
	lsi_shrink_reset(machine);
	for (uint32_t i = 0; i < machine->workers; i++)
		lsi_store(&machine->worker[i].finished, 0u, relaxed); /* GATE publishes it */
	lsi_park_counter_reset(&machine->park_counter, machine->workers);
	lsi_store(
		&machine->runs, (lsi_load(&machine->runs, relaxed) + 1) & ~1u, relaxed); /* as below */
	lsi_store(&machine->sleepers, 0, relaxed);                  /* GATE publishes it */
	lsi_store(&machine->unfinished, machine->workers, relaxed); /* GATE publishes it */
	lsi_store(&machine->gate, LSI_GATE_CLOSED, seq_cst);        /* GATE */
	lsi_store(&machine->state, LSI_RUNNING, seq_cst);           /* STOP */
}

/* Units first: while they are open, other nodes read the memory of this thread. */
void lsi_node_finish(struct lsi_node_state *me)
{
	lsi_work_abort(me);
	lsi_store(&me->ended, 1u, release); /* ENDED */
	if (!lsi_machine_status(me))
		lsi_pending_wait(&me->whole, INT64_MAX, "return");
	lsi_pending_cancel(me);
	lsi_node_leave(me);
}

/* Cancelled by a stop, or because some threads do not exist. */
int lsi_gate_wait(struct ls_machine *machine)
{
	uint32_t gate;

	while ((gate = lsi_load(&machine->gate, acquire)) == LSI_GATE_CLOSED) { /* GATE */
		lsi_futex_wait(&machine->gate, LSI_GATE_CLOSED, machine->deadline);
		if (machine->deadline && lsi_now_ns() >= machine->deadline)
			ls_machine_stop(machine, LS_ERR_TIMEOUT);
	}
	if (gate == LSI_GATE_OPEN)
		return LS_OK;

	const int why = lsi_stop_reason(machine);

	return why ? why : LS_ERR_STOPPED;
}

/* Only the first change of a closed gate counts. */
bool lsi_gate_open(struct ls_machine *machine, enum lsi_gate gate)
{
	uint32_t found = LSI_GATE_CLOSED;

	if (gate == LSI_GATE_OPEN) /* one thread opens it; others may only cancel it */
		machine->opened_ns = lsi_now_ns();
	lsi_compare_swap(&machine->gate, &found, (uint32_t)gate, acq_rel); /* GATE */
	lsi_futex_wake(&machine->gate, INT_MAX);
	return lsi_load(&machine->gate, relaxed) == LSI_GATE_OPEN; /* final now */
}
