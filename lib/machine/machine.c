/*
 * Make, query and destroy a machine.  run.c and attach.c run it.
 *
 * A machine is made once and runs any number of times.  Everything that does not depend on a run is
 * made here; mailboxes, plans and compiled plans are made on first use and stay.
 */
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cores.h"
#include "base/error.h"
#include "base/futex.h"
#include "base/math.h"
#include "base/sized.h"
#include "machine/carrier.h"
#include "machine/channel.h"
#include "machine/group.h"
#include "machine/links.h"
#include "machine/local_ranks.h"
#include "machine/processes/far_nodes.h"
#include "machine/run.h"
#include "topology/topology_internal.h"
#include "world/use.h"

enum {
	MAILBOX = 4,
	MAILBOX_MAX = 1 << 16,
	NODES_MAX = 1 << 22, /* threads of 64-bit Linux (pid_max) */
	CACHED_NODES = 512,  /* fibers of a core: 1 MiB of states, stacks and mailboxes */
	/*
	 * Bytes of a slot, by the number of nodes: whole cache lines, for a header of 48 bytes and at
	 * least 2 KiB, 1 KiB or 144 bytes of data.
	 */
	FEW_NODES = 16,
	SLOT_BYTES_FEW = 2048 + LSI_CACHE_LINE,
	SOME_NODES = 256,
	SLOT_BYTES_SOME = 1024 + LSI_CACHE_LINE,
	SLOT_BYTES_MANY = 3 * LSI_CACHE_LINE,
	COMPILED_BYTES_MOST = 1 << 30, /* of a plan; about: see compiled_plan.c */
	STATES_OF_PAGES = 4 << 20      /* bytes, at least */
};

static const struct lsi_carrier *const carriers[] = { &lsi_thread_carrier, &lsi_fiber_carrier };

const char *ls_node_kind_name(enum ls_node_kind kind)
{
	return (unsigned)kind < sizeof carriers / sizeof *carriers ? carriers[kind]->name : NULL;
}

/* ---- Make and destroy */

/* The options with their defaults; false: of another version of the header. */
static bool complete_options(const struct ls_machine_options *given, struct ls_machine_options *o)
{
	*o = (struct ls_machine_options){ .size = sizeof *o };
	if (given && !lsi_sized_read(o, sizeof *o, given))
		return false;
	o->ports = o->ports ? o->ports : 1;
	o->mailbox = o->mailbox ? o->mailbox : MAILBOX;
	if ((unsigned)o->node_kind < sizeof carriers / sizeof *carriers && !o->stack)
		o->stack = carriers[o->node_kind]->stack;
	return true;
}

/* Sweep is no engine of a machine: it is rejected, too. */
static bool are_valid(const struct ls_machine_options *o)
{
	return o->ports >= 1 && o->ports <= INT_MAX / 2 && o->mailbox >= 1 && o->mailbox <= MAILBOX_MAX
		&& o->timeout >= 0 && (o->rounds == LS_LOCKSTEP || o->rounds == LS_FREE)
		&& (unsigned)o->node_kind < sizeof carriers / sizeof *carriers
		&& (o->mode == LS_HOP || o->mode == LS_ROUTED)
		&& (o->bind == LS_BIND_CORE || o->bind == LS_BIND_NONE || o->bind == LS_BIND_PU)
		&& (o->engine == LS_AUTO || o->engine == LS_MAILBOXES || o->engine == LS_COOPERATIVE);
}

/* A byte that is 1 here, and 0 in a child of fork. */
static const char *fork_guard_make(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *fork_guard = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fork_guard == MAP_FAILED)
		return NULL;
#ifdef MADV_WIPEONFORK
	madvise(fork_guard, page, MADV_WIPEONFORK);
#endif
	*fork_guard = 1;
	return fork_guard;
}

static int round_up_to_power_of_two(int n)
{
	int power = 1;

	while (power < n)
		power *= 2;
	return power;
}

static size_t node_state_bytes(const struct ls_machine *machine)
{
	return (size_t)machine->nodes * sizeof *machine->node_state;
}

/* Proxies of other processes are seldom used: no pages for them.  Many states: huge pages. */
static bool states_have_pages(const struct ls_machine *machine)
{
	return machine->processes || node_state_bytes(machine) >= STATES_OF_PAGES;
}

static struct lsi_node_state *node_states_alloc(const struct ls_machine *machine)
{
	return states_have_pages(machine) ? lsi_alloc_pages(node_state_bytes(machine))
									  : lsi_alloc_cache_aligned(node_state_bytes(machine));
}

static void node_states_free(struct ls_machine *machine)
{
	if (machine->node_state && lsi_local_nodes(machine) > 0) {
		lsi_free(machine->node_state[machine->first_local].out);
		lsi_free(machine->node_state[machine->first_local].pending);
	}
	if (states_have_pages(machine))
		lsi_free_pages(machine->node_state, node_state_bytes(machine));
	else
		lsi_free(machine->node_state);
}

/* The states of local nodes.  Ports and pending sends of all of them are one array each. */
static int node_states_make(struct ls_machine *machine)
{
	const size_t nodes = (size_t)lsi_local_nodes(machine), ports = (size_t)machine->options.ports;

	machine->node_state = node_states_alloc(machine);
	machine->whole.offers = lsi_alloc_zero((size_t)machine->nodes, sizeof *machine->whole.offers);
	if (nodes == 0)
		return machine->node_state && machine->whole.offers ? LS_OK : LS_ERR_MEMORY;

	struct lsi_port *port = lsi_alloc_zero(nodes * ports, 2 * sizeof *port);
	struct lsi_pending_send *pending =
		lsi_alloc_zero(nodes * (LSI_PENDING_SENDS + ports), sizeof *pending);

	if (!machine->node_state || !machine->whole.offers || !port || !pending) {
		lsi_free(port);
		lsi_free(pending);
		return LS_ERR_MEMORY;
	}
	for (size_t i = 0; i < nodes; i++) {
		const int64_t rank = machine->first_local + (int64_t)i;
		struct lsi_node_state *me = &machine->node_state[rank];

		me->machine = machine;
		me->rank = rank;
		me->core = (uint32_t)(i * machine->cores / nodes);
		me->out = port + 2 * i * ports;
		me->in = me->out + ports;
		me->pending = pending + i * (LSI_PENDING_SENDS + ports);
		me->whole = (struct ls_node){ .self = me, .group = &machine->whole, .rank = rank };
		me->left_end = &me->left;
		me->next_of_thread = me;
	}
	return LS_OK;
}

/* Fibers: a worker for each core that has nodes. */
static void set_workers(struct ls_machine *machine, uint32_t cores)
{
	const bool fibers = machine->carrier->shares_threads;
	const int64_t nodes = lsi_local_nodes(machine);

	machine->workers = (uint32_t)(fibers ? lsi_min(nodes, (int64_t)cores) : nodes);
	machine->cores = fibers && machine->workers > 0 ? machine->workers : cores;
}

/* The workers, and the nodes of each. */
static int workers_make(struct ls_machine *machine)
{
	const bool fibers = machine->carrier->shares_threads;

	machine->worker = lsi_alloc_cache_aligned((machine->workers + 1) * sizeof *machine->worker);
	if (!machine->worker)
		return LS_ERR_MEMORY;
	for (int64_t i = machine->end_local - 1; i >= machine->first_local; i--) {
		struct lsi_node_state *node = &machine->node_state[i];
		struct lsi_worker *worker =
			&machine->worker[fibers ? node->core : (uint32_t)(i - machine->first_local)];

		node->worker = worker;
		worker->machine = machine;
		worker->first = i;
		worker->end = worker->end ? worker->end : i + 1;
	}
	return LS_OK;
}

/* Counters of link load exist where congestion can happen: routed messages in lockstep rounds. */
static int loads_make(struct ls_machine *machine)
{
	const struct ls_topology *t = machine->topology;
	size_t links, bytes;

	if (machine->options.mode == LS_HOP || machine->options.rounds == LS_FREE)
		return LS_OK;
	if (__builtin_mul_overflow((size_t)t->vertices, (size_t)t->degree, &links)
		|| __builtin_mul_overflow(links, sizeof *machine->load, &bytes))
		return LS_ERR_MEMORY;
	machine->load = lsi_alloc_cache_aligned(bytes);
	return machine->load ? LS_OK : LS_ERR_MEMORY;
}

/* LS_OK or LS_ERR_MEMORY; the caller destroys the machine then. */
static int parts_make(struct ls_machine *machine)
{
	bool traced;

	machine->fork_guard = fork_guard_make();
	if (!machine->fork_guard
		|| !lsi_trace_output_make(&machine->trace_output, machine->options.trace_times))
		return LS_ERR_MEMORY;
	traced = machine->options.trace || machine->trace_output.path;
	machine->options.trace_times = traced && machine->trace_output.times;
	machine->records = traced ? lsi_queue_make() : NULL;
	if (traced && !machine->records)
		return LS_ERR_MEMORY;
	if (lsi_processes_make(machine) != LS_OK || node_states_make(machine) != LS_OK
		|| workers_make(machine) != LS_OK || lsi_registry_make(machine) != LS_OK
		|| !lsi_group_alloc(machine, &machine->whole))
		return LS_ERR_MEMORY;
	return loads_make(machine);
}

/* Over switches every message is routed, whatever the options say. */
int ls_machine_make(
	const ls_topology *topology, const struct ls_machine_options *options, ls_machine **out)
{
	struct ls_machine_options o;

	if (out)
		*out = NULL;
	if (!topology || !out || !complete_options(options, &o) || !are_valid(&o))
		return LS_ERR_ARGUMENT;
	if (topology->nodes > NODES_MAX)
		return LS_ERR_MEMORY;

	const int64_t number = lsi_world_number_machine(o.world); /* also if the machine fails */
	struct ls_machine *machine = lsi_alloc_cache_aligned(sizeof *machine);

	if (!machine)
		return LS_ERR_MEMORY;
	machine->error = LSI_NO_ERROR;
	machine->number = number;
	machine->topology = topology;
	machine->options = o;
	if (!lsi_topology_is_direct(topology))
		machine->options.mode = LS_ROUTED;
	machine->options.mailbox = round_up_to_power_of_two(o.mailbox);
	machine->nodes = topology->nodes;
	machine->carrier = carriers[o.node_kind];
	machine->first_local = lsi_processes_first_rank(&o, topology, 0);
	machine->end_local = lsi_processes_first_rank(&o, topology, 1);
	set_workers(machine, (uint32_t)lsi_world_core_count(o.world));
	machine->slot_bytes = machine->nodes <= FEW_NODES ? SLOT_BYTES_FEW
		: machine->nodes <= SOME_NODES                ? SLOT_BYTES_SOME
													  : SLOT_BYTES_MANY;
	machine->compiled_bytes_most = COMPILED_BYTES_MOST;
	/* Fibers that share a core wait often, and briefly: membarrier, a system call, is too slow. */
	machine->asymmetric =
		(!machine->carrier->shares_threads || lsi_local_nodes(machine) <= machine->cores)
		&& lsi_has_membarrier();
	machine->exceeds_caches = machine->carrier->shares_threads
		&& lsi_local_nodes(machine) / machine->cores >= CACHED_NODES;
	machine->whole.topology = topology;
	machine->whole.size = machine->nodes;
	machine->whole.mode = machine->options.mode;
	machine->whole.locals = lsi_local_nodes(machine);
	machine->whole.first_local = machine->first_local;
	lsi_store(&machine->contexts, lsi_processes_first_context(&o), relaxed); /* not shared yet */
	pthread_mutex_init(&machine->control, NULL);
	pthread_mutex_init(&machine->build_lock, NULL);
	if (parts_make(machine) != LS_OK) {
		ls_machine_destroy(machine);
		return LS_ERR_MEMORY;
	}
	*out = machine;
	return LS_OK;
}

/* In a child of fork, `control` may be locked by a thread that the child does not have. */
bool ls_machine_busy(ls_machine *machine)
{
	bool busy;
	int cancel;

	if (!machine || !machine->fork_guard || *machine->fork_guard == 0)
		return machine && machine->running;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel); /* a thread is joined */
	pthread_mutex_lock(&machine->control);
	lsi_run_reclaim(machine);
	busy = machine->running || machine->detaching > 0;
	pthread_mutex_unlock(&machine->control);
	pthread_setcancelstate(cancel, NULL);
	return busy;
}

void ls_machine_destroy(ls_machine *machine)
{
	if (!machine || !lsi_run_has_ended(machine))
		return;
	for (int64_t i = machine->first_local; machine->node_state && i < machine->end_local; i++) {
		struct lsi_node_state *me = &machine->node_state[i];

		if (me->whole.destroy_call_cache)
			me->whole.destroy_call_cache(me->whole.call_cache);
		lsi_handles_free(me);
		lsi_free(me->channels.entries);
		lsi_free(me->temporaries);
	}
	if (machine->whole.destroy_cooperative_state)
		machine->whole.destroy_cooperative_state(machine->whole.cooperative_state);
	if (machine->whole.destroy_plan_cache)
		machine->whole.destroy_plan_cache(&machine->whole);
	machine->carrier->release(machine);
	node_states_free(machine);
	lsi_free(machine->worker);
	lsi_free(machine->whole.offers);
	lsi_group_free(&machine->whole);
	lsi_free((void *)machine->load);
	lsi_free(machine->trace_buffer.event);
	lsi_trace_output_destroy(&machine->trace_output);
	lsi_processes_destroy(machine); /* before the mailboxes that it uses */
	lsi_registry_destroy(machine);
	lsi_links_destroy(machine);
	lsi_queue_destroy(machine->records);
	if (machine->fork_guard)
		munmap((void *)(uintptr_t)machine->fork_guard, (size_t)sysconf(_SC_PAGESIZE));
	pthread_mutex_destroy(&machine->control);
	pthread_mutex_destroy(&machine->build_lock);
	lsi_free(machine);
}

/* ---- Queries */

int ls_last_error(const ls_machine *machine, struct ls_error *out)
{
	if (!machine || !out)
		return lsi_error_set(
			out, LS_ERR_ARGUMENT, "machine is NULL; expected one of ls_machine_make");
	lsi_sized_write(out, &machine->error, sizeof machine->error);
	return machine->error.kind;
}

/* Valid after a run: a node that still waits was stopped in its wait. */
bool ls_blocked_on(const ls_machine *machine, int64_t rank, struct ls_wait_state *out)
{
	if (!machine || !out || !lsi_rank_is_local(machine, rank))
		return false;

	struct lsi_node_state *node = &machine->node_state[rank];

	if (!machine->all_ended && !lsi_load(&node->worker->finished, acquire)) /* FINISHED */
		return false;
	if (node->waits_for)
		lsi_sized_write(out, node->waits_for, sizeof *node->waits_for);
	return node->waits_for;
}

void ls_machine_stats(const ls_machine *machine, struct ls_stats *out)
{
	if (!machine || !out)
		return;

	const struct lsi_counters *sum = &machine->total;
	const struct ls_stats stats = { sizeof stats, sum->rounds, sum->messages, sum->words,
		sum->bytes, sum->load, sum->reroutes };

	lsi_sized_write(out, &stats, sizeof stats);
}

int64_t ls_stack_overflow(const ls_machine *machine, const void *address)
{
	if (!machine)
		return LS_NO_RANK;

	const int64_t stack = lsi_stacks_find_guard(
		machine->fiber_stacks.base ? &machine->fiber_stacks : &machine->stacks, address);

	return stack < 0 ? LS_NO_RANK : machine->first_local + stack;
}

int64_t ls_machine_threads(const ls_machine *machine)
{
	return machine ? machine->workers : 0;
}

const ls_topology *ls_machine_topology(const ls_machine *machine)
{
	return machine ? machine->topology : NULL;
}
