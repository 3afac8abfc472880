/*
 * The life of a machine: made, run or attached to, ended, destroyed.
 */
#include "machine/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/wait.h"
#include "topology/topology.h"

enum {
	MAILBOX = 4, MAILBOX_MOST = 1 << 16,
	STACK = 256 << 10,
	NODES_MOST = 1 << 22,             /* pid_max of 64-bit Linux: no machine of threads is larger */
	FEW_NODES = 256, SLOT_OF_FEW = 1024, SLOT_OF_MANY = 192,
	SPINS = 4000,                     /* about 100 us */
	TRACE_NAP = 2000000               /* ns between two looks at the trace queue */
};

/* ---- Make and destroy */

static struct ls_machine_options with_defaults(const struct ls_machine_options *given)
{
	struct ls_machine_options o = { 0 };

	if (given)
		memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
	o.size = sizeof o;
	o.ports = o.ports ? o.ports : 1;
	o.mailbox = o.mailbox ? o.mailbox : MAILBOX;
	o.stack = o.stack ? o.stack : STACK;
	return o;
}

static bool valid(const struct ls_machine_options *o)
{
	return o->ports >= 1 && o->ports <= INT_MAX / 2 && o->mailbox >= 1 && o->mailbox <= MAILBOX_MOST
		&& o->timeout >= 0 && (o->rounds == LS_LOCKSTEP || o->rounds == LS_FREE)
		&& (o->mode == LS_HOP || o->mode == LS_ROUTED)
		&& (o->bind == LS_BIND_CORE || o->bind == LS_BIND_NONE);
}

/* A byte that is 1 here and 0 in a child of fork. */
static const char *pulse_make(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pulse = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pulse == MAP_FAILED)
		return NULL;
#ifdef MADV_WIPEONFORK
	madvise(pulse, page, MADV_WIPEONFORK);
#endif
	*pulse = 1;
	return pulse;
}

static int round_up_to_power_of_two(int n)
{
	int power = 1;

	while (power < n)
		power *= 2;
	return power;
}

static int processors_make(struct ls_machine *machine)
{
	const size_t nodes = (size_t)machine->nodes, ports = (size_t)machine->options.ports;

	machine->processor = ls_alloc_lines(nodes * sizeof *machine->processor);
	machine->whole.post = ls_alloc_zero(nodes, sizeof *machine->whole.post);
	struct ls_port *port = ls_alloc_zero(nodes * ports, sizeof *port);

	if (!machine->processor || !machine->whole.post || !port) {
		ls_free(port);
		return LS_ERR_MEMORY;
	}
	for (size_t i = 0; i < nodes; i++) {
		struct ls_processor *me = &machine->processor[i];

		me->machine = machine;
		me->rank = (int64_t)i;
		me->port = port + i * ports;
		me->whole = (struct ls_node){ .self = me, .group = &machine->whole, .rank = (int64_t)i };
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
	machine->load = ls_alloc_lines(bytes);
	return machine->load ? LS_OK : LS_ERR_MEMORY;
}

static int parts_make(struct ls_machine *machine)
{
	const struct ls_machine_options *o = &machine->options;

	machine->pulse = pulse_make();
	machine->reports = ls_queue_make();
	machine->records = o->trace ? ls_queue_make() : NULL;
	if (!machine->pulse || !machine->reports || (o->trace && !machine->records))
		return LS_ERR_MEMORY;
	if (processors_make(machine) != LS_OK || ls_registry_make(machine) != LS_OK)
		return LS_ERR_MEMORY;
	return loads_make(machine);
}

int ls_machine_make(const ls_topology *topology, const struct ls_machine_options *options, ls_machine **out)
{
	const struct ls_machine_options o = with_defaults(options);

	*out = NULL;
	if (!topology || !valid(&o))
		return LS_ERR_ARGUMENT;
	if (topology->nodes > NODES_MOST)
		return LS_ERR_MEMORY;

	struct ls_machine *machine = ls_alloc_lines(sizeof *machine);

	if (!machine)
		return LS_ERR_MEMORY;
	machine->topology = topology;
	machine->options = o;
	machine->options.mailbox = round_up_to_power_of_two(o.mailbox);
	machine->nodes = topology->nodes;
	machine->slot_bytes = machine->nodes <= FEW_NODES ? SLOT_OF_FEW : SLOT_OF_MANY;
	machine->asymmetric = ls_asymmetric();
	machine->whole.topology = topology;
	machine->whole.size = machine->nodes;
	machine->whole.mode = o.mode;
	ls_store(&machine->contexts, 1u, relaxed);                         /* not shared yet */
	pthread_mutex_init(&machine->control, NULL);
	pthread_mutex_init(&machine->making, NULL);
	if (parts_make(machine) != LS_OK) {
		ls_machine_destroy(machine);
		return LS_ERR_MEMORY;
	}
	*out = machine;
	return LS_OK;
}

/* Handles that a node still has but for the one of the whole machine. */
static void drop_groups(struct ls_processor *me)
{
	while (me->whole.next) {
		struct ls_node *node = me->whole.next;

		me->whole.next = node->next;
		ls_node_drop(node);
	}
}

void ls_machine_destroy(ls_machine *machine)
{
	if (!machine)
		return;
	for (int64_t i = 0; machine->processor && i < machine->nodes; i++) {
		struct ls_processor *me = &machine->processor[i];

		drop_groups(me);
		if (me->whole.forget)
			me->whole.forget(me->whole.memo);
		ls_free(me->channels.place);
	}
	if (machine->whole.forget_plans)
		machine->whole.forget_plans(&machine->whole);
	if (machine->processor)
		ls_free(machine->processor[0].port);
	ls_free(machine->processor);
	ls_free(machine->whole.post);
	ls_free((void *)machine->load);
	ls_free(machine->kept.record);
	ls_registry_destroy(machine);
	ls_links_destroy(machine);
	ls_queue_destroy(machine->reports);
	ls_queue_destroy(machine->records);
	if (machine->pulse)
		munmap((void *)(uintptr_t)machine->pulse, (size_t)sysconf(_SC_PAGESIZE));
	pthread_mutex_destroy(&machine->control);
	pthread_mutex_destroy(&machine->making);
	ls_free(machine);
}

/* ---- Begin and end of a run */

static void begin(struct ls_machine *machine)
{
	const int cores = ls_cores();
	const uint64_t ms = 1000000, patient = (uint64_t)machine->nodes * 16000;

	if (machine->error.kind)
		ls_registry_reset(machine);
	machine->spins = machine->nodes <= cores ? SPINS : 0;
	machine->patience = patient > 2 * ms ? patient : 2 * ms;
	machine->deadline = machine->options.timeout > 0 ? ls_now() + (uint64_t)(machine->options.timeout * 1e9) : 0;
	machine->error = (struct ls_error){ sizeof machine->error, LS_OK, -1, -1, -1, -1, NULL, "" };
	machine->total = (struct ls_counters){ 0 };
	machine->kept.n = 0;
	ls_barrier_reset(&machine->whole.barrier, (uint32_t)machine->nodes, 0);
	ls_barrier_reset(&machine->whole.meeting, (uint32_t)machine->nodes, 0);
	for (int64_t i = 0; i < machine->nodes; i++) {
		struct ls_processor *me = &machine->processor[i];

		ls_store(&me->parking.word, 0u, relaxed);                      /* GATE publishes it */
		ls_store(&me->gone, 0u, relaxed);                              /* GATE publishes it */
		me->sends = me->receives = me->n_debts = 0;
		me->count = (struct ls_counters){ 0 };
		me->waits = me->reported = false;
		me->whole.round = 1;
		me->whole.sequence = 0;
	}
	for (int64_t i = 0; machine->load && i < machine->topology->vertices * machine->topology->degree; i++)
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

/* All nodes have ended: the first error, what was left in the mailboxes, the sums. */
static void end(struct ls_machine *machine)
{
	struct ls_queue_item *item;
	int64_t from, to;

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

	struct ls_mailbox *box = machine->error.kind ? NULL : ls_registry_untaken(machine, &from, &to);

	if (box) {
		const int64_t round = (int64_t)ls_mailbox_first(box)->round;

		machine->error = (struct ls_error){ sizeof machine->error, LS_ERR_UNTAKEN, from, to, round, -1, "run", "" };
		snprintf(machine->error.text, sizeof machine->error.text, "the message of round %" PRId64 " from node %" PRId64
			" to node %" PRId64 " was left untaken; what is sent in a round is received in it", round, from, to);
	}
	for (int64_t i = 0; i < machine->nodes; i++) {
		const struct ls_counters *count = &machine->processor[i].count;

		machine->total.messages += count->messages;
		machine->total.words += count->words;
		machine->total.bytes += count->bytes;
		machine->total.reroutes += count->reroutes;
		machine->total.load = count->load > machine->total.load ? count->load : machine->total.load;
		machine->total.rounds = count->rounds > machine->total.rounds ? count->rounds : machine->total.rounds;
	}
	if (machine->records)
		ls_trace_drain(machine, INT64_MAX);
}

/* What a node does last on its own thread: nothing of it may stay lent or waited for. */
static void finish(struct ls_processor *me)
{
	if (!ls_pulse(me) && ls_settle(&me->whole, INT64_MAX, "return") == LS_OK)
		me->n_debts = 0;
	ls_revoke(me);
	ls_depart(me);
	drop_groups(me);
	ls_rcu_unregister(me->own_reader);
}

static int wait_at_gate(struct ls_machine *machine)
{
	uint32_t gate;

	while ((gate = ls_load(&machine->gate, acquire)) == LS_GATE_CLOSED)    /* GATE */
		ls_sleep(&machine->gate, LS_GATE_CLOSED, 0);
	return gate == LS_GATE_OPEN ? LS_OK : ls_load(&machine->stopped, acquire);         /* STOP */
}

static void open_gate(struct ls_machine *machine, enum ls_gate gate)
{
	ls_store(&machine->gate, (uint32_t)gate, release);                 /* GATE */
	ls_wake(&machine->gate, INT_MAX);
}

/* ---- Run */

static void finish_thread(void *me)
{
	finish(me);
}

static void *thread_body(void *arg)
{
	struct ls_processor *me = arg;
	struct ls_machine *machine = me->machine;
	uint32_t gate;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	while ((gate = ls_load(&machine->gate, acquire)) == LS_GATE_CLOSED)    /* GATE */
		ls_sleep(&machine->gate, LS_GATE_CLOSED, 0);
	if (gate == LS_GATE_CALLED_OFF)
		return NULL;
	me->own_reader = false;
	ls_rcu_register(false);
	pthread_cleanup_push(finish_thread, me);

	const int result = machine->program(&me->whole, machine->argument);

	if (result && !ls_load(&machine->stopped, acquire))                /* STOP */
		ls_halt(me, (struct ls_fault){ LS_ERR_PROGRAM, -1, me->whole.round, -1, "program" },
			"the program of node %" PRId64 " returned %d in round %" PRId64, me->rank, result, me->whole.round);
	pthread_cleanup_pop(1);
	return NULL;
}

/* Create the threads of all nodes; how many there are: fewer than nodes when one could not be had. */
static int64_t create_threads(struct ls_machine *machine, int *reason)
{
	const int64_t nodes = machine->nodes;
	const int cores = ls_cores();
	int64_t made = 0;

	for (*reason = 0; made < nodes; made++) {
		struct ls_processor *me = &machine->processor[made];
		const int core = machine->options.bind == LS_BIND_CORE ? (int)(made * cores / nodes) : -1;

		*reason = ls_thread_make(&me->thread, &machine->stacks, made, core, thread_body, me);
		if (*reason)
			break;
	}
	return made;
}

/* Stacks that hold the program's thread-local storage too: grown until the first thread starts. */
static int64_t start_threads(struct ls_machine *machine)
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
		made = create_threads(machine, &reason);
		if (made > 0 || reason != EINVAL)
			break;
		ls_stacks_destroy(&machine->stacks);
	}
	if (made < machine->nodes) {
		machine->error.kind = LS_ERR_THREADS;
		machine->error.node = made;
		snprintf(machine->error.text, sizeof machine->error.text,
			"thread %" PRId64 " of %" PRId64 " could not be created: %s; allow more threads or take fewer nodes",
			made + 1, machine->nodes, strerror(reason));
	}
	return made;
}

/* While nodes run, hand out what they trace.  In lockstep rounds nothing is added to a round that has ended. */
static void supervise(struct ls_machine *machine)
{
	const struct timespec nap = { 0, TRACE_NAP };

	while (machine->records && ls_census_live(&machine->census) > 0) {
		const uint32_t ended = ls_barrier_epoch(&machine->whole.barrier);

		ls_trace_drain(machine, machine->options.rounds == LS_LOCKSTEP ? (int64_t)ended + 1 : 0);
		nanosleep(&nap, NULL);
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
	begin(machine);
	machine->program = program;
	machine->argument = arg;

	const int64_t made = start_threads(machine);

	open_gate(machine, made == machine->nodes ? LS_GATE_OPEN : LS_GATE_CALLED_OFF);
	if (made == machine->nodes)
		supervise(machine);
	for (int64_t i = 0; i < made; i++)
		pthread_join(machine->processor[i].thread, NULL);
	ls_stacks_destroy(&machine->stacks);
	if (made == machine->nodes)
		end(machine);

	const int result = machine->error.kind;

	give_back(machine);
	return result;
}

/* ---- Attach and detach */

static int attach(struct ls_machine *machine, int64_t rank)
{
	int failed = LS_OK;

	pthread_mutex_lock(&machine->control);
	if (machine->attached == 0 && machine->running)
		failed = LS_ERR_BUSY;
	else if (machine->attached > 0 && machine->processor[rank].attached)
		failed = LS_ERR_ARGUMENT;
	else if (machine->attached == 0) {
		machine->running = true;
		begin(machine);
	}
	if (!failed) {
		machine->processor[rank].attached = true;
		if (++machine->attached == machine->nodes)
			open_gate(machine, LS_GATE_OPEN);
	}
	pthread_mutex_unlock(&machine->control);
	return failed;
}

/* One attached node is done; the last ends the run. */
static void detach(struct ls_processor *me)
{
	struct ls_machine *machine = me->machine;

	pthread_mutex_lock(&machine->control);
	me->attached = false;
	if (--machine->attached == 0) {
		end(machine);
		machine->running = false;
		ls_fetch_add(&machine->runs, 1u, release);                     /* GATE */
		ls_wake(&machine->runs, INT_MAX);
	}
	pthread_mutex_unlock(&machine->control);
}

int ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	*out = NULL;
	if (!machine || rank < 0 || rank >= machine->nodes)
		return LS_ERR_ARGUMENT;
	if (*machine->pulse == 0)
		return LS_ERR_FORK;

	struct ls_processor *me = &machine->processor[rank];
	int failed = attach(machine, rank);

	if (failed)
		return failed;
	failed = wait_at_gate(machine);
	if (failed) {
		detach(me);
		return failed;
	}
	me->own_reader = flags & LS_ATTACH_RCU_READER;
	ls_rcu_register(me->own_reader);
	*out = &me->whole;
	return LS_OK;
}

int ls_detach(ls_node *node)
{
	struct ls_processor *me = node->self;
	struct ls_machine *machine = me->machine;
	const uint32_t run = ls_load(&machine->runs, acquire);             /* GATE */

	if (*machine->pulse == 0)
		return LS_ERR_FORK;
	finish(me);
	detach(me);
	while (ls_load(&machine->runs, acquire) == run)                    /* GATE */
		ls_sleep(&machine->runs, run, 0);
	return machine->error.kind;
}

/* ---- Queries */

int ls_last_error(const ls_machine *machine, struct ls_error *out)
{
	const size_t size = out->size;

	memcpy(out, &machine->error, size < sizeof machine->error ? size : sizeof machine->error);
	out->size = size;
	return machine->error.kind;
}

bool ls_roll_call(const ls_machine *machine, int64_t rank, struct ls_waiting *out)
{
	if (rank < 0 || rank >= machine->nodes || !machine->processor[rank].waits)
		return false;

	const size_t size = out->size;
	const struct ls_waiting *waiting = &machine->processor[rank].waiting;

	memcpy(out, waiting, size < sizeof *waiting ? size : sizeof *waiting);
	out->size = size;
	return true;
}

void ls_machine_stats(const ls_machine *machine, struct ls_stats *out)
{
	const struct ls_counters *sum = &machine->total;
	const struct ls_stats stats = { out->size, sum->rounds, sum->messages, sum->words, sum->bytes, sum->load,
		sum->reroutes };

	memcpy(out, &stats, stats.size < sizeof stats ? stats.size : sizeof stats);
}

const ls_topology *ls_machine_topology(const ls_machine *machine)
{
	return machine->topology;
}
