/*
 * The calls of a machine, for tests that run over several processes without knowing it: the machine
 * of process 0 stands for those of all.
 */
#include <pthread.h>
#include <stdlib.h>

#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"
#include "topology/topology_internal.h"

int __real_ls_machine_make(const ls_topology *, const struct ls_machine_options *, ls_machine **);
void __real_ls_machine_destroy(ls_machine *);
int __real_ls_run(ls_machine *, int (*)(ls_node *, void *), void *);
bool __real_ls_blocked_on(const ls_machine *, int64_t, struct ls_wait_state *);
int __real_ls_link_set(ls_machine *, int64_t, int64_t, bool);
int __real_ls_node_set(ls_machine *, int64_t, bool);
int __real_ls_attach(ls_machine *, int64_t, unsigned, ls_node **);
bool __real_ls_machine_busy(ls_machine *);
int __real_ls_last_error(const ls_machine *, struct ls_error *);

bool spread_fills_processes;

/* The machines that are spread. */
struct entry {
	struct entry *next;
	struct spread spread;
};
static struct entry *entries;
static pthread_mutex_t entries_lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *entry_of(const ls_machine *machine)
{
	struct entry *e = NULL;

	if (spread_is_calling() || !machine)
		return NULL;
	pthread_mutex_lock(&entries_lock);
	for (e = entries; e && e->spread.machine[0] != machine;)
		e = e->next;
	pthread_mutex_unlock(&entries_lock);
	return e;
}

/* Routed lockstep rounds are left to world_loads.c: over processes they take long. */
static bool needs_one_process(const ls_topology *t, const struct ls_machine_options *options)
{
	const bool routed = (options && options->mode == LS_ROUTED) || t->vertices > t->nodes;

	return routed && (!options || options->rounds == LS_LOCKSTEP);
}

/* No more than nodes, if the test attaches to them all. */
static int processes_for(const ls_topology *t)
{
	const int processes = process_count();
	const bool few = spread_fills_processes && t && ls_topology_nodes(t) < processes;

	return few ? (int)ls_topology_nodes(t) : processes;
}

int __wrap_ls_machine_make(
	const ls_topology *topology, const struct ls_machine_options *options, ls_machine **out)
{
	static _Atomic uint64_t seed;
	const int processes = processes_for(topology);
	struct entry *e;
	int status;

	if (processes == 1 || spread_is_calling() || !topology || needs_one_process(topology, options))
		return __real_ls_machine_make(topology, options, out);
	e = memory(1, sizeof *e);
	spread_open(&e->spread, processes, ++seed);
	status = spread_make(&e->spread, topology, options);
	*out = status == LS_OK ? e->spread.machine[0] : NULL;
	if (status != LS_OK) {
		spread_destroy(&e->spread);
		free(e);
		return status;
	}
	pthread_mutex_lock(&entries_lock);
	e->next = entries;
	entries = e;
	pthread_mutex_unlock(&entries_lock);
	return LS_OK;
}

void __wrap_ls_machine_destroy(ls_machine *machine)
{
	struct entry *e = entry_of(machine), **at = &entries;

	if (!e) {
		__real_ls_machine_destroy(machine);
		return;
	}
	pthread_mutex_lock(&entries_lock);
	while (*at != e)
		at = &(*at)->next;
	*at = e->next;
	pthread_mutex_unlock(&entries_lock);
	spread_destroy(&e->spread);
	free(e);
}

int __wrap_ls_run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	struct entry *e = entry_of(machine);

	return e ? spread_run(&e->spread, program, arg) : __real_ls_run(machine, program, arg);
}

/* The state of a node is known in the process that executes it. */
bool __wrap_ls_blocked_on(const ls_machine *machine, int64_t rank, struct ls_wait_state *out)
{
	struct entry *e = entry_of(machine);
	bool blocked = __real_ls_blocked_on(machine, rank, out);

	for (int i = 1; e && !blocked && i < e->spread.processes; i++)
		blocked = __real_ls_blocked_on(e->spread.machine[i], rank, out);
	return blocked;
}

/* Between runs each process changes the link, or the node u == v; during a run one for all. */
static int set_everywhere(ls_machine *machine, int64_t u, int64_t v, bool up)
{
	struct entry *e = entry_of(machine);
	const int processes = e && !__real_ls_machine_busy(machine) ? e->spread.processes : 1;
	int status = LS_OK;

	for (int i = 0; i < processes; i++) {
		ls_machine *m = i ? e->spread.machine[i] : machine;
		const int other = u == v ? __real_ls_node_set(m, u, up) : __real_ls_link_set(m, u, v, up);

		CHECK(
			i == 0 || other == status, "%s: %s in process %d", guarded(), ls_status_name(other), i);
		status = other;
	}
	return status;
}

int __wrap_ls_link_set(ls_machine *machine, int64_t u, int64_t v, bool up)
{
	return u == v ? LS_ERR_ARGUMENT : set_everywhere(machine, u, v, up);
}

int __wrap_ls_node_set(ls_machine *machine, int64_t node, bool up)
{
	return set_everywhere(machine, node, node, up);
}

/* A thread attaches in the process that has the node. */
int __wrap_ls_attach(ls_machine *machine, int64_t rank, unsigned flags, ls_node **out)
{
	struct entry *e = entry_of(machine);
	int process = 0;

	if (!e)
		return __real_ls_attach(machine, rank, flags, out);
	while (process + 1 < e->spread.processes
		&& ls_first_rank(ls_machine_topology(machine), e->spread.processes, process + 1) <= rank)
		process++;
	return __real_ls_attach(e->spread.machine[process], rank, flags, out);
}

void stop_everywhere(ls_machine *machine, int why)
{
	struct entry *e = entry_of(machine);

	ls_machine_stop(machine, why);
	for (int i = 1; e && i < e->spread.processes; i++)
		ls_machine_stop(e->spread.machine[i], why);
}

bool __wrap_ls_machine_busy(ls_machine *machine)
{
	struct entry *e = entry_of(machine);
	bool busy = __real_ls_machine_busy(machine);

	for (int i = 1; e && !busy && i < e->spread.processes; i++)
		busy = __real_ls_machine_busy(e->spread.machine[i]);
	return busy;
}

/* If nodes were attached in other processes only, process 0 does not know their error. */
int __wrap_ls_last_error(const ls_machine *machine, struct ls_error *out)
{
	struct entry *e = entry_of(machine);
	int kind = __real_ls_last_error(machine, out);

	for (int i = 1; e && !kind && i < e->spread.processes; i++)
		kind = __real_ls_last_error(e->spread.machine[i], out);
	return kind;
}
