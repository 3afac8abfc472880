#include "base/shared_run.h"

#include "base/host.h"
#include "base/mark.h"
#include "base/messages.h"
#include "base/processes.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int agreed_failure; /* exit code */
static struct crossing crossing;

ls_world *shared_world(void)
{
	return processes_here()->shares ? processes_here()->world : NULL;
}

struct local_ranks ranks_of_process(const ls_topology *topology, int process)
{
	const int count = processes_here()->count;

	return (struct local_ranks){ ls_first_rank(topology, count, process),
		ls_first_rank(topology, count, process + 1) };
}

struct local_ranks local_ranks_of(const ls_topology *topology)
{
	return shared_world() ? ranks_of_process(topology, processes_here()->number)
						  : (struct local_ranks){ 0, ls_topology_nodes(topology) };
}

int64_t most_local_nodes(const ls_topology *topology)
{
	int64_t most = 0;

	if (!shared_world())
		return ls_topology_nodes(topology);
	for (int i = 0; i < processes_here()->count; i++) {
		const struct local_ranks ranks = ranks_of_process(topology, i);

		most = ranks.end - ranks.first > most ? ranks.end - ranks.first : most;
	}
	return most;
}

int agree_on_failure(int failed)
{
	struct ls_error why = { .size = sizeof why };
	int64_t succeeds = !failed;

	if (agreed_failure || !shared_world())
		return failed;
	if (ls_world_least(shared_world(), &succeeds, 1, &why) != LS_OK)
		return processes_give_up(&why);
	if (!succeeds)
		agreed_failure = processes_report_failure(failed);
	return agreed_failure;
}

void share_bytes(void *data, size_t bytes)
{
	struct ls_error why = { .size = sizeof why };

	if (ls_world_broadcast(shared_world(), data, bytes, &why) != LS_OK)
		processes_give_up(&why);
}

int64_t follow_first(int64_t number)
{
	if (shared_world())
		share_bytes(&number, sizeof number);
	return number;
}

void fetch_bytes(int process, void *data, size_t bytes)
{
	struct ls_error why = { .size = sizeof why };

	if (ls_world_fetch(shared_world(), process, data, bytes, &why) != LS_OK)
		processes_give_up(&why);
}

void collect_bytes(const void *data, size_t bytes, void *rows)
{
	struct ls_error why = { .size = sizeof why };

	if (ls_world_gather(shared_world(), data, rows, bytes, &why) != LS_OK)
		processes_give_up(&why);
}

const struct crossing *last_crossing(void)
{
	return &crossing;
}

void note_crossing(const struct ls_sweep_result *result)
{
	crossing = (struct crossing){ true, result->crossing_messages, result->crossing_bytes,
		result->crossing_rounds };
}

/* ---- Hosts and cores */

struct place {
	uint64_t host;
	cpu_set_t cores;
};

static struct place place_here(void)
{
	const char *name = ls_world_host(processes_here()->world);
	struct place place = { .host = mark_bytes(MARK_OF_NOTHING, name, strlen(name)) };

	if (sched_getaffinity(0, sizeof place.cores, &place.cores) != 0)
		CPU_ZERO(&place.cores);
	return place;
}

/* All processes learn where the others run. */
static void find_neighbors(struct processes *processes)
{
	const struct place mine = place_here();
	const size_t count = (size_t)processes->count;
	struct place *all = require_memory(calloc(count, sizeof *all));

	collect_bytes(&mine, sizeof mine, all);
	share_bytes(all, count * sizeof *all);
	processes->near = require_memory(calloc(count, sizeof *processes->near));
	processes->beside = 0;
	for (size_t i = 0; i < count; i++) {
		cpu_set_t common;

		CPU_AND(&common, &mine.cores, &all[i].cores);
		processes->beside += all[i].host == mine.host;
		processes->near[i] = all[i].host == mine.host && CPU_COUNT(&common) > 0;
	}
	free(all);
}

/* The cores of this process, divided by the number of processes that may use them. */
static double cores_each(const struct processes *processes)
{
	struct host host;
	int near = 0;

	host_read(&host);
	for (int i = 0; i < processes->count; i++)
		near += processes->near[i];
	return host.allowed / (double)(near > 0 ? near : 1);
}

/* At process 0. */
static double sum_cores(double mine)
{
	const int count = processes_here()->count;
	double *all = require_memory(calloc((size_t)count, sizeof *all)), sum = 0;

	collect_bytes(&mine, sizeof mine, all);
	for (int i = 0; i < count; i++)
		sum += all[i];
	free(all);
	return sum;
}

int cores_of_run(void)
{
	struct host host;

	host_read(&host);
	return shared_world() ? processes_here()->cores : host.allowed;
}

/* ---- Begin */

bool can_share_sweep(struct execution *how)
{
	const bool is_usual = how->every_rounds.count == 1 && how->rounds == LS_LOCKSTEP
		&& how->node_kinds.count == 1 && how->nodes == LS_NODE_THREAD && !how->mailbox
		&& !how->times;
	bool sweeps = true;

	if (!how->given.engine && is_usual) {
		how->engine = LS_SWEEP;
		how->engines = (struct list){ 1, { LS_SWEEP } };
	}
	for (int i = 0; i < how->engines.count; i++)
		sweeps &= how->engines.at[i] == LS_SWEEP;
	return sweeps;
}

void share_processes(struct execution *how)
{
	struct processes *processes = processes_here();

	processes->shares = true;
	find_neighbors(processes);

	const double cores = cores_each(processes);

	if (how->workers == 0)
		how->workers = cores > 1 ? (int)cores : 1;
	processes->cores = (int)(sum_cores(cores) + 0.5);
	if (!processes_is_first() && !freopen("/dev/null", "w", stderr))
		fclose(stderr);
}
