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

/* The number of processes before `end` that may use cores of this one. */
static int count_near(const struct processes *processes, int end)
{
	int near = 0;

	for (int i = 0; i < end; i++)
		near += processes->near[i];
	return near;
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

/* The units of a text such as "3,11". */
static void add_units(const char *text, cpu_set_t *set)
{
	char *end;

	for (long unit = strtol(text, &end, 10); end > text; unit = strtol(text, &end, 10)) {
		CPU_SET((size_t)unit, set);
		text = end + (*end == ',');
	}
}

/* Those to which one process with the workers of all of them would bind the workers of this one. */
static void bind_to_part(const struct processes *processes, const struct execution *how)
{
	const int near = count_near(processes, processes->count);
	const int64_t first = (int64_t)count_near(processes, processes->number) * how->workers;
	cpu_set_t part;
	char text[1024];

	CPU_ZERO(&part);
	for (int64_t i = 0; i < how->workers && near > 1 && how->bind != LS_BIND_NONE; i++)
		if (ls_placement_node(how->bind, first + i, (int64_t)near * how->workers, text, sizeof text)
			== LS_OK)
			add_units(text, &part);
	if (CPU_COUNT(&part) > 0)
		sched_setaffinity(0, sizeof part, &part);
}

void divide_hosts(struct processes *processes, struct execution *how)
{
	struct host host;
	double cores;
	int near;

	find_neighbors(processes);
	host_read(&host);
	near = count_near(processes, processes->count);
	cores = host.allowed / (double)(near > 0 ? near : 1); /* 0: its cores are not known */
	if (how->workers == 0)
		how->workers = cores > 1 ? (int)cores : 1;
	processes->cores = (int)(sum_cores(cores) + 0.5);
	bind_to_part(processes, how);
	find_neighbors(processes); /* that share cores still */
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
