#include "base/host.h"

#include <inttypes.h>
#include <lockstep/placement.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The number in a file of the kernel; INT64_MAX where there is none ("max"). */
static int64_t number_in(const char *path)
{
	FILE *file = fopen(path, "r");
	int64_t number = INT64_MAX;

	if (!file)
		return INT64_MAX;
	if (fscanf(file, "%" SCNd64, &number) != 1)
		number = INT64_MAX;
	fclose(file);
	return number;
}

/* The text after "key...:" in a file of lines such as /proc/meminfo, without blanks around it. */
static bool line_in(const char *path, const char *key, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	char line[512];
	bool found = false;

	while (file && !found && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, key, strlen(key)) != 0 || !colon)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		snprintf(text, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

static int64_t kilobytes_in(const char *path, const char *key)
{
	char text[64];

	return line_in(path, key, text, sizeof text) ? strtoll(text, NULL, 10) * 1024 : INT64_MAX;
}

void host_read(struct host *host)
{
	struct utsname name = { 0 };
	struct ls_placement placement = { .size = sizeof placement };

	if (ls_placement_read(&placement) != LS_OK || placement.cores == 0)
		placement.cores = placement.units = (int)sysconf(_SC_NPROCESSORS_ONLN);
	*host = (struct host){ .cpu = "unknown",
		.cores = (int)sysconf(_SC_NPROCESSORS_ONLN),
		.allowed = placement.cores,
		.units = placement.units,
		.quota = placement.quota,
		.hwloc = placement.hwloc,
		.memory = kilobytes_in("/proc/meminfo", "MemTotal") };
	line_in("/proc/cpuinfo", "model name", host->cpu, sizeof host->cpu);
	uname(&name);
	snprintf(host->system, sizeof host->system, "%.24s %.48s %.20s", name.sysname, name.release,
		name.machine);
}

static void lower(struct budget *budget, int64_t most, int64_t used, const char *limit)
{
	if (most != INT64_MAX && most - used < budget->left)
		*budget = (struct budget){ most > used ? most - used : 0, limit };
}

/*
 * The limits of every control group from ours up to the root, in the unified hierarchy.
 * file_max and file_now are e.g. "pids.max" and "pids.current".
 */
static void lower_by_groups(struct budget *budget, const char *file_max, const char *file_now)
{
	char line[256] = "", path[400];
	char *group = line + 1; /* the line is "0::/a/b", cut after its first colon */

	if (!line_in("/proc/self/cgroup", "0::", line, sizeof line))
		return;
	for (;;) {
		snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", group, file_max);

		const int64_t most = number_in(path);

		snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", group, file_now);

		const int64_t used = number_in(path);

		lower(budget, most, used == INT64_MAX ? 0 : used, file_max);
		if (!strrchr(group, '/'))
			return;
		*strrchr(group, '/') = '\0';
	}
}

static int64_t tasks_now(void)
{
	FILE *file = fopen("/proc/loadavg", "r");
	int64_t tasks = 0;

	if (file && fscanf(file, "%*s %*s %*s %*d/%" SCNd64, &tasks) != 1)
		tasks = 0;
	if (file)
		fclose(file);
	return tasks;
}

struct budget host_threads(void)
{
	struct budget budget = { INT64_MAX, "none" };
	struct rlimit limit;
	const int64_t tasks = tasks_now();

	lower(&budget, number_in("/proc/sys/kernel/threads-max"), tasks, "kernel.threads-max");
	lower(&budget, number_in("/proc/sys/kernel/pid_max"), tasks, "kernel.pid_max");
	/* Counts all threads of the user, whose number only the kernel knows; spares root. */
	if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		lower(&budget, (int64_t)limit.rlim_cur, 1, "ulimit -u");
	lower_by_groups(&budget, "pids.max", "pids.current");
	return budget;
}

struct budget host_memory(void)
{
	struct budget budget = { INT64_MAX, "none" };
	struct rlimit limit;

	lower(&budget, kilobytes_in("/proc/meminfo", "MemAvailable"), 0, "MemAvailable");
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		lower(&budget, (int64_t)limit.rlim_cur, 0, "ulimit -v");
	lower_by_groups(&budget, "memory.max", "memory.current");
	return budget;
}

size_t usable_memory(const struct budget *memory)
{
	enum { SPARE = 64 };

	return (size_t)(memory->left - memory->left / SPARE);
}
