/*
 * The processes of a machine: made with the machine, begun and ended with each run.
 */
#include "machine/processes/far_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cores.h"
#include "base/error.h"
#include "base/futex.h"
#include "base/thread.h"
#include "machine/links.h"
#include "topology/topology_internal.h"

enum { CONTEXT_BITS = 20 }; /* of the number of a group within its process */
/* The time that other processes have to reply after the time limit of a run; ns. */
static const uint64_t grace = 3000000000;

/* ---- Make and destroy */

int64_t lsi_processes_first_rank(
	const struct ls_machine_options *options, const ls_topology *topology, int after)
{
	const int n = ls_world_processes(options->world);

	if (n == 1)
		return after ? topology->nodes : 0;
	return ls_first_rank(topology, n, ls_world_process(options->world) + after);
}

uint32_t lsi_processes_first_context(const struct ls_machine_options *options)
{
	return ((uint32_t)ls_world_process(options->world) << CONTEXT_BITS) + 1;
}

/* The carrier of the machine calls it in place of its own: see wait.h. */
static void wake_peer(struct ls_machine *machine, const struct lsi_mailbox_end *end)
{
	if (end->far)
		lsi_news_put(machine->processes, (struct lsi_news *)(void *)end->far);
	else
		machine->processes->local->wake(machine, end->peer);
}

/* Waits spin only where each thread has a core, also that of communication. */
static void set_waits(struct ls_machine *machine)
{
	const struct lsi_processes *p = machine->processes;

	p->local->reset(machine);
	if (lsi_local_nodes(machine) + 1 > lsi_world_core_count(p->world)) {
		machine->spins = machine->barrier_spins = 0;
		machine->mailbox_polls = 1;
	}
}

/* For waits: have the others not replied in time? */
static bool is_late(void *processes)
{
	const struct lsi_processes *p = processes;

	return p->limit && lsi_now_ns() >= p->limit;
}

/* What does not change from run to run.  False: no memory. */
static bool tables_make(struct lsi_processes *p)
{
	const size_t count = (size_t)p->count, nodes = (size_t)lsi_local_nodes(p->machine);

	p->peer = lsi_alloc_zero(count, sizeof *p->peer);
	p->first_rank = lsi_alloc((count + 1) * sizeof *p->first_rank);
	p->counts = lsi_alloc_zero(count, sizeof *p->counts);
	p->gone_node = lsi_alloc_zero(nodes + 1, sizeof *p->gone_node);
	p->gone = lsi_alloc_zero((size_t)p->machine->nodes / 64 + 1, sizeof *p->gone);
	if (!p->peer || !p->first_rank || !p->counts || !p->gone_node || !p->gone)
		return false;
	for (int i = 0; i <= p->count; i++)
		p->first_rank[i] = ls_first_rank(p->machine->topology, p->count, i);
	for (size_t i = 0; i < nodes; i++)
		p->gone_node[i] = (struct lsi_gone_node){ .news.kind = LSI_NEWS_GONE,
			.rank = p->machine->first_local + (int64_t)i };
	return true;
}

int lsi_processes_make(struct ls_machine *machine)
{
	ls_world *world = machine->options.world;
	struct lsi_processes *p;

	if (ls_world_processes(world) == 1)
		return LS_OK;
	p = lsi_alloc_cache_aligned(sizeof *p);
	if (!p)
		return LS_ERR_MEMORY;
	machine->processes = p;
	p->machine = machine;
	p->world = world;
	p->failure.size = sizeof p->failure;
	p->stop = (struct lsi_stop){ is_late, p };
	p->count = ls_world_processes(world);
	p->number = ls_world_process(world);
	p->local = machine->carrier;
	p->carrier = *machine->carrier;
	p->carrier.wake_peer = wake_peer;
	p->carrier.reset = set_waits;
	machine->carrier = &p->carrier;
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_init(&p->turn, NULL);
	if (!tables_make(p))
		return LS_ERR_MEMORY;
	if (lsi_group_spans(&machine->whole) && machine->whole.locals > 0) {
		if (!lsi_far_group_make(machine, &machine->whole))
			return LS_ERR_MEMORY;
		p->whole = machine->whole.far;
	}
	return LS_OK;
}

void lsi_processes_destroy(struct ls_machine *machine)
{
	struct lsi_processes *p = machine->processes;

	if (!p)
		return;
	lsi_far_groups_reset(p);
	if (p->whole)
		lsi_far_group_destroy(p->whole);
	lsi_far_channels_free(p);
	lsi_packets_free(p);
	lsi_free(p->peer);
	lsi_free(p->first_rank);
	lsi_free(p->counts);
	lsi_free(p->gone_node);
	lsi_free((void *)p->gone);
	pthread_mutex_destroy(&p->lock);
	pthread_mutex_destroy(&p->turn);
	lsi_free(p);
	machine->processes = NULL;
}

/* ---- Begin a run */

void lsi_processes_forget_calls(struct ls_machine *machine)
{
	if (!machine->processes)
		return;
	for (int64_t i = machine->first_local; i < machine->end_local; i++) {
		struct ls_node *node = &machine->node_state[i].whole;

		if (node->call_cache)
			node->destroy_call_cache(node->call_cache);
		node->call_cache = NULL;
		node->destroy_call_cache = NULL;
	}
}

/* Nothing of the last run remains.  No thread uses it. */
static void reset(struct lsi_processes *p)
{
	struct ls_machine *machine = p->machine;

	for (struct lsi_far_channel *far = p->channels; far; far = far->next) {
		struct lsi_node_state *proxy = &machine->node_state[far->remote];

		lsi_store(&far->news.listed, 0u, relaxed); /* GATE publishes it */
		lsi_store(&proxy->gone, 0u, relaxed);      /* as above */
		lsi_store(&proxy->ended, 0u, relaxed);     /* as above */
	}
	for (int64_t i = 0; i < lsi_local_nodes(machine); i++)
		lsi_store(&p->gone_node[i].news.listed, 0u, relaxed); /* as above */
	for (int64_t i = 0; i <= machine->nodes / 64; i++)
		lsi_store(&p->gone[i], 0u, relaxed); /* as above */
	for (int i = 0; i < p->count; i++) {
		struct lsi_peer_process *peer = &p->peer[i];

		peer->packets = 0;
		peer->has_reported = peer->is_done = peer->has_retired = false;
	}
	lsi_far_groups_reset(p);
	p->packets_received = p->sent = p->received = p->queries = p->replies_due = 0;
	p->ended = p->closing = p->has_reported = p->has_retired = p->early_verdict = false;
	p->ready = NULL;
	p->most_load = 0;
	p->stop_seen = p->stop_sent = p->failing_sent = p->is_done_sent = p->departures = false;
	lsi_store(&p->newest, NULL, relaxed); /* as above */
	lsi_store(&p->asleep, 0u, relaxed);   /* as above */
	lsi_store(&p->done, 0u, relaxed);     /* as above */
	lsi_store(&p->returned, 0u, relaxed); /* as above */
	lsi_store(&p->early, 0u, relaxed);    /* as above */
	lsi_store(&p->go, 0u, relaxed);       /* as above */
}

/* What the machines of all processes have in common. */
struct common {
	char topology[200];
	int64_t nodes, rounds, mode, strict, ports, mailbox, engine, kind, slot, links, recover;
	int32_t attached; /* the threads of nodes attach */
	int32_t status, traced, times;
};

/* Unused bytes are 0: the structs are compared as a whole. */
static struct common common_of(struct ls_machine *machine, int status, bool attached)
{
	const struct ls_machine_options *o = &machine->options;
	struct common common;

	memset(&common, 0, sizeof common);
	snprintf(common.topology, sizeof common.topology, "%s", ls_topology_spec(machine->topology));
	common.nodes = machine->nodes;
	common.rounds = o->rounds;
	common.mode = o->mode;
	common.strict = o->strict;
	common.ports = o->ports;
	common.mailbox = o->mailbox;
	common.engine = o->engine;
	common.kind = o->node_kind;
	common.recover = o->recover;
	common.slot = (int64_t)machine->slot_bytes;
	common.links = lsi_links_fingerprint(machine);
	common.attached = attached;
	common.status = status;
	common.traced = machine->records != NULL;
	common.times = o->trace_times;
	return common;
}

/* Process 0: do all processes have equal machines? */
static void compare(struct lsi_processes *p, const struct common *all, struct ls_error *error)
{
	const size_t bytes = offsetof(struct common, attached);

	for (int i = 1; i < p->count && error->kind == LS_OK; i++) {
		if (all[i].attached != all[0].attached)
			lsi_error_set(error, LS_ERR_ARGUMENT,
				"threads of process %d attach, and process %d calls ls_run; expected the same in "
				"all processes",
				all[i].attached ? i : 0, all[i].attached ? 0 : i);
		if (memcmp(&all[i], &all[0], bytes) == 0)
			continue;
		lsi_error_set(error, LS_ERR_ARGUMENT,
			"process %d runs a machine of %.60s, and process 0 one of %.60s%s; expected equal "
			"machines in all processes",
			i, all[i].topology, all[0].topology,
			strcmp(all[i].topology, all[0].topology) == 0 ? " with other options or links" : "");
	}
}

/* All processes record a trace if one does. */
static int record_if_wanted(struct ls_machine *machine, const struct common *all)
{
	machine->options.trace_times |= all->times != 0;
	if (all->traced && !machine->records)
		machine->records = lsi_queue_make();
	return all->traced && !machine->records ? LS_ERR_MEMORY : LS_OK;
}

/*
 * When this process stops to wait for the others.  The time limit counts from the call that begins
 * the run here.  The deadline of a busy machine belongs to the run that it has, so there it counts
 * from now.
 */
static void set_limit(struct lsi_processes *p, int status)
{
	const struct ls_machine *machine = p->machine;
	const uint64_t deadline =
		status == LS_ERR_BUSY ? lsi_run_next_deadline(machine) : machine->deadline;

	p->limit = deadline ? deadline + lsi_run_grace(machine) + grace : 0;
}

/* Compare the machines, and exchange errors.  Returns the status of all. */
static int agree_to_begin(
	struct lsi_processes *p, int status, bool attached, struct ls_error *error)
{
	struct ls_machine *machine = p->machine;
	struct common mine = common_of(machine, status, attached);
	struct common *all = lsi_alloc_zero((size_t)p->count, sizeof *all);

	if (status && error->kind == LS_OK)
		lsi_error_set(
			error, status, "process %d cannot begin a run: %s", p->number, ls_status_name(status));
	if (!all) /* not even an agreement is possible */
		lsi_processes_break(p, LS_ERR_MEMORY, "no memory to begin a run");
	else if (lsi_joint_gather(p, &mine, all, sizeof mine) && p->number == 0)
		compare(p, all, error);
	for (int i = 0; all && p->number == 0 && i < p->count; i++) {
		mine.traced |= all[i].traced;
		mine.times |= all[i].times;
	}
	lsi_free(all);
	if (!p->broken && lsi_joint_share(p, &mine, sizeof mine) && status != LS_ERR_BUSY
		&& record_if_wanted(machine, &mine) != LS_OK)
		lsi_error_set(error, LS_ERR_MEMORY, "no memory for the trace");
	lsi_joint_first(p, error);
	return error->kind;
}

int lsi_processes_begin(struct ls_machine *machine, int status)
{
	if (!machine->processes)
		return status;
	status = lsi_joint_begin(machine->processes, status, NULL, &machine->error);
	if (status == LS_OK)
		lsi_processes_forget_refusals(machine);
	return status;
}

int lsi_joint_begin(struct lsi_processes *p, int status, const struct lsi_stop *withdraws_or_null,
	struct ls_error *error)
{
	int failed;

	if (lsi_world_take(p->world, error) != LS_OK)
		return LS_ERR_BUSY;
	if (p->broken) { /* by a thread that had the world */
		*error = p->failure;
		lsi_world_ended(p->world, 0);
		return error->kind;
	}
	if (status != LS_ERR_BUSY)
		reset(p);
	set_limit(p, status);
	failed = lsi_use_begin(p, withdraws_or_null, error);
	if (failed)
		return failed;
	failed = agree_to_begin(p, status, withdraws_or_null != NULL, error);
	if (failed)
		lsi_use_end(p, error);
	return failed;
}

/* ---- The thread */

bool lsi_processes_bind(const struct ls_machine *machine, struct lsi_binding *binding)
{
	if (!lsi_binding_make(binding, machine->options.bind))
		return false;
	lsi_binding_restrict(binding, lsi_world_core_part(machine->options.world));
	return true;
}

/* The communication thread; 0 or an errno. */
static int thread_make(struct lsi_processes *p)
{
	struct lsi_binding binding;
	int failed;

	if (!lsi_processes_bind(p->machine, &binding))
		return ENOMEM;
	failed = lsi_thread_make(&p->thread, NULL, 0, lsi_binding_all(&binding), lsi_communicate, p);
	lsi_binding_destroy(&binding);
	return failed;
}

bool lsi_processes_start(struct ls_machine *machine, bool has_threads)
{
	struct lsi_processes *p = machine->processes;
	int failed;

	if (!p)
		return has_threads;
	failed = thread_make(p);
	if (failed && has_threads)
		lsi_error_set(&machine->error, LS_ERR_THREADS,
			"the communication thread could not be created: %s", strerror(failed));
	lsi_joint_first(p, &machine->error);
	pthread_mutex_lock(&p->lock);
	p->serves = machine->error.kind == LS_OK;
	pthread_mutex_unlock(&p->lock);
	if (failed)
		return false;
	lsi_store(&p->go, machine->error.kind ? 2u : 1u, release); /* GATE */
	lsi_futex_wake(&p->go, 1);
	p->joint = machine->error.kind == LS_OK;
	if (!p->joint)
		pthread_join(p->thread, NULL);
	return p->joint;
}
