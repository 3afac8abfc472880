#include "base/shared_hosts.h"

#include "base/host.h"
#include "base/mark.h"
#include "base/messages.h"
#include "base/shared_run.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	free(processes->near);
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

/* The library divides these cores among the processes that share them: see ls_world_open. */
void find_hosts(struct processes *processes)
{
	struct host host;
	int sharers = 0;

	find_neighbors(processes);
	for (int i = 0; i < processes->count; i++)
		sharers += processes->near[i];
	host_read(&host);
	/* 0 sharers: its cores are not known */
	processes->cores = (int)(sum_cores(host.allowed / (double)(sharers > 0 ? sharers : 1)) + 0.5);
}

struct budget part_of_host(struct budget budget)
{
	if (shared_world())
		budget.left /= processes_here()->beside;
	return budget;
}

struct sharing_text sharing_text(void)
{
	const struct processes *processes = processes_here();
	struct sharing_text text = { "", "" };

	if (shared_world() && processes_is_first())
		snprintf(text.where, sizeof text.where, " in process 0 on %.250s",
			ls_world_host(processes->world));
	if (shared_world() && processes->beside > 1)
		snprintf(text.sharers, sizeof text.sharers, ", shared by %d processes", processes->beside);
	return text;
}
