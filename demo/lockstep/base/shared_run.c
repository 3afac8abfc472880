#include "base/shared_run.h"

#include "base/host.h"
#include "base/messages.h"
#include "base/processes.h"
#include "base/shared_hosts.h"

#include <stdio.h>
#include <stdlib.h>

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

int64_t *first_ranks(const ls_topology *topology)
{
	const int count = processes_here()->count;
	int64_t *first = require_memory(calloc((size_t)count + 1, sizeof *first));

	for (int i = 0; i <= count; i++)
		first[i] = ls_first_rank(topology, count, i);
	return first;
}

/* The last process whose ranks begin at or before this one. */
int process_of_rank(const int64_t *first, int64_t rank)
{
	int low = 0, high = processes_here()->count - 1;

	while (low < high) {
		const int middle = (low + high + 1) / 2;

		if (first[middle] <= rank)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
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

void take_most(int64_t *number, size_t n)
{
	struct ls_error why = { .size = sizeof why };

	for (size_t i = 0; i < n; i++)
		number[i] = -number[i];
	if (shared_world() && ls_world_least(shared_world(), number, n, &why) != LS_OK)
		processes_give_up(&why);
	for (size_t i = 0; i < n; i++)
		number[i] = -number[i];
}

int64_t most_of_processes(int64_t number)
{
	take_most(&number, 1);
	return number;
}

int64_t sum_of_processes(int64_t number)
{
	const int count = shared_world() ? processes_here()->count : 1;
	int64_t *all = require_memory(calloc((size_t)count, sizeof *all)), sum = 0;

	all[0] = number;
	if (shared_world())
		collect_bytes(&number, sizeof number, all);
	for (int i = 0; i < count; i++)
		sum += all[i];
	free(all);
	return follow_first(sum);
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

void note_crossing(struct crossing counted)
{
	crossing = counted;
	crossing.counted = true;
}

int cores_of_run(void)
{
	struct host host;

	host_read(&host);
	return shared_world() ? processes_here()->cores : host.allowed;
}

/* ---- Begin */

bool can_share_engines(struct execution *how)
{
	const bool is_usual = how->every_rounds.count == 1 && how->rounds == LS_LOCKSTEP
		&& how->node_kinds.count == 1 && how->nodes == LS_NODE_THREAD && !how->mailbox;
	bool can = true;

	if (!how->given.engine && !how->times) {
		how->engine = is_usual ? LS_SWEEP : LS_MAILBOXES;
		how->engines = (struct list){ 1, { (int)how->engine } };
	}
	for (int i = 0; i < how->engines.count; i++)
		can &= how->engines.at[i] == LS_SWEEP || !how->times || processes_here()->hosts == 1;
	return can;
}

void share_processes(void)
{
	struct processes *processes = processes_here();

	processes->shares = true;
	find_hosts(processes);
	if (!processes_is_first() && !freopen("/dev/null", "w", stderr))
		fclose(stderr);
}
