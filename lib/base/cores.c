#include "base/cores.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cgroups.h"
#include "base/math.h"

#ifdef LSI_HWLOC
#include <hwloc.h>
#endif

/* ---- Sets of units, and the texts of the kernel */

static int count_units(const struct lsi_cpu_set *cpus)
{
	int sum = 0;

	for (int i = 0; i < LSI_CPUS_MAX / LSI_CPUS_PER_WORD; i++)
		sum += __builtin_popcountl(cpus->word[i]);
	return sum;
}

int lsi_cpu_set_next(const struct lsi_cpu_set *cpus, int unit)
{
	while (unit < LSI_CPUS_MAX) {
		const unsigned long rest = cpus->word[unit / LSI_CPUS_PER_WORD] >> unit % LSI_CPUS_PER_WORD;

		if (rest)
			return unit + __builtin_ctzl(rest);
		unit = (unit / LSI_CPUS_PER_WORD + 1) * LSI_CPUS_PER_WORD;
	}
	return LSI_CPUS_MAX;
}

/* Read a decimal number and advance *text behind it; false: no digit. */
static bool take_number(const char **text, long long *out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*out = strtoll(*text, &end, 10);
	*text = end;
	return true;
}

/* "0-3,8" is ranges or single units, separated by commas, up to the end of the line. */
bool lsi_cpu_set_parse(struct lsi_cpu_set *cpus, const char *list)
{
	*cpus = (struct lsi_cpu_set){ 0 };
	for (;; list++) {
		long long first, last;

		if (!take_number(&list, &first))
			return false;
		last = first;
		if (*list == '-' && (list++, !take_number(&list, &last)))
			return false;
		if (last < first || last >= LSI_CPUS_MAX)
			return false;
		for (int unit = (int)first; unit <= last; unit++)
			lsi_cpu_set_add(cpus, unit);
		if (*list != ',')
			return *list == '\0' || *list == '\n';
	}
}

double lsi_cpu_quota_parse(const char *text)
{
	long long quota, period;

	if (!take_number(&text, &quota) || *text++ != ' ' || !take_number(&text, &period)
		|| (*text != '\0' && *text != '\n') || quota <= 0 || period <= 0)
		return INFINITY;
	return (double)quota / (double)period;
}

/* ---- CPU time that control groups grant */

/*
 * The quota of one group in cores.  The two hierarchies of Linux store it in different files:
 *
 *   unified (v2)    cpu.max            "150000 100000" or "max 100000"
 *   controller (v1) cpu.cfs_quota_us   "150000" or "-1"
 *                   cpu.cfs_period_us  "100000"
 */
static double quota_of(const char *folder, bool unified)
{
	enum { ROOM = 32 };
	char text[2 * ROOM], period[ROOM - 2];

	if (!lsi_read_kernel_file(text, ROOM, "%s%s", folder, unified ? "cpu.max" : "cpu.cfs_quota_us"))
		return INFINITY;
	if (!unified && *text != '-'
		&& lsi_read_kernel_file(period, sizeof period, "%scpu.cfs_period_us", folder))
		snprintf(text + strcspn(text, "\n"), ROOM, " %s", period);
	return lsi_cpu_quota_parse(text);
}

double lsi_cpu_quota_under(const char *groups, const char *root)
{
	return lsi_cgroup_least(groups, root, "cpu", quota_of);
}

static double quota;

static void read_quota(void)
{
	quota = lsi_cpu_quota_under("/proc/self/cgroup", "/sys/fs/cgroup");
}

double lsi_cpu_quota(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_quota);
	return quota;
}

/* ---- Units and cores */

/* The units that the caller may use; the empty set if the kernel does not report them. */
static struct lsi_cpu_set read_allowed_units(void)
{
	struct lsi_cpu_set cpus = { 0 };

	if (sched_getaffinity(0, sizeof cpus, (cpu_set_t *)(void *)&cpus) != 0)
		return (struct lsi_cpu_set){ 0 };
	return cpus;
}

/* The first unit of the core of a unit; without information each unit is a core. */
static int find_leader(struct lsi_cpu_topology *units, int unit)
{
	const int known = lsi_load(&units->leader[unit], relaxed); /* whoever reads finds the same */
	char list[256];
	struct lsi_cpu_set core;

	if (known)
		return known - 1;
	if (!lsi_read_kernel_file(
			list, sizeof list, "%s/cpu%d/topology/thread_siblings_list", units->folder, unit)
		|| !lsi_cpu_set_parse(&core, list) || lsi_cpu_set_next(&core, unit) != unit) {
		core = (struct lsi_cpu_set){ 0 };
		lsi_cpu_set_add(&core, unit);
	}

	const int first = lsi_cpu_set_next(&core, 0);

	for (int i = first; i < LSI_CPUS_MAX; i = lsi_cpu_set_next(&core, i + 1))
		lsi_store(&units->leader[i], (uint16_t)(first + 1), relaxed); /* as above */
	return first;
}

int lsi_cpu_topology_cores(struct lsi_cpu_topology *units, const struct lsi_cpu_set *cpus)
{
	struct lsi_cpu_set leaders = { 0 };

	for (int unit = lsi_cpu_set_next(cpus, 0); unit < LSI_CPUS_MAX;
		 unit = lsi_cpu_set_next(cpus, unit + 1))
		lsi_cpu_set_add(&leaders, find_leader(units, unit));
	return count_units(&leaders);
}

static struct lsi_cpu_topology machine = { .folder = "/sys/devices/system/cpu" };

int lsi_core_count(void)
{
	const struct lsi_cpu_set cpus = read_allowed_units();

	return (int)fmax(1, fmin(lsi_cpu_topology_cores(&machine, &cpus), ceil(lsi_cpu_quota())));
}

int lsi_core_part_size(struct lsi_core_part part, int cores)
{
	return cores > part.parts ? cores / part.parts : 1;
}

uint64_t lsi_mix_allowed_units(uint64_t before)
{
	const struct lsi_cpu_set cpus = read_allowed_units();

	for (int i = 0; i < LSI_CPUS_MAX / LSI_CPUS_PER_WORD; i++)
		before = lsi_mix(before + cpus.word[i]);
	return before;
}

/* ---- Caches */

static bool read_cache_file(const struct lsi_cpu_topology *units, int unit, int cache,
	const char *file, char *text, size_t bytes)
{
	return lsi_read_kernel_file(
		text, bytes, "%s/cpu%d/cache/index%d/%s", units->folder, unit, cache, file);
}

/*
 * Bytes of the last-level cache of a unit, in the file "32768K"; 0: unknown.  *sharing becomes the
 * set of units that share this cache.
 */
static size_t find_last_cache(
	const struct lsi_cpu_topology *units, int unit, struct lsi_cpu_set *sharing)
{
	char size[32], list[256];
	const char *text = size;
	long long kib;
	int cache = 0;

	while (read_cache_file(units, unit, cache, "size", size, sizeof size))
		cache++;
	if (cache == 0 || !read_cache_file(units, unit, cache - 1, "size", size, sizeof size)
		|| !take_number(&text, &kib) || *text != 'K'
		|| !read_cache_file(units, unit, cache - 1, "shared_cpu_list", list, sizeof list)
		|| !lsi_cpu_set_parse(sharing, list) || kib >= 1 << 30)
		return 0;
	return (size_t)kib << 10;
}

/* Each cache counts once: after one unit is counted, all that share its cache are removed. */
size_t lsi_cpu_topology_cache(const struct lsi_cpu_topology *units, const struct lsi_cpu_set *cpus)
{
	struct lsi_cpu_set rest = *cpus, sharing;
	size_t sum = 0;

	for (int unit; (unit = lsi_cpu_set_next(&rest, 0)) < LSI_CPUS_MAX;) {
		const size_t bytes = find_last_cache(units, unit, &sharing);

		if (!bytes)
			return 0;
		sum += bytes;
		rest.word[unit / LSI_CPUS_PER_WORD] &= ~(1ul << unit % LSI_CPUS_PER_WORD);
		for (int i = 0; i < LSI_CPUS_MAX / LSI_CPUS_PER_WORD; i++)
			rest.word[i] &= ~sharing.word[i];
	}
	return sum;
}

size_t lsi_cache_bytes(void)
{
	const struct lsi_cpu_set cpus = read_allowed_units();

	return lsi_cpu_topology_cache(&machine, &cpus);
}

/* ---- Binding
 *
 * Two packages of two cores with two units each; the kernel numbers the second units last:
 *
 *   kernel        0 4 | 1 5 || 2 6 | 3 7        4 nodes bound to cores     0 4   1 5   2 6   3 7
 *   unit[]        0 4   1 5    2 6   3 7        8 nodes bound to units     0 4 1 5 2 6 3 7
 *   begin[]       0     2      4     6     8
 */

/* Loads no devices, and no x86 component, which would move the thread to every unit. */
void lsi_cpu_topology_order(struct lsi_cpu_topology *units)
{
	(void)units;
#ifdef LSI_HWLOC
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) != 0)
		return;
	hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
#if HWLOC_API_VERSION >= 0x00020100
	hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#endif
	if (hwloc_topology_load(topology) == 0) {
		hwloc_obj_t unit = NULL;

		while ((unit = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, unit)))
			if (unit->os_index < LSI_CPUS_MAX)
				units->rank[unit->os_index] = (uint16_t)(unit->logical_index + 1);
	}
	hwloc_topology_destroy(topology);
#endif
}

static void rank_units(void)
{
	lsi_cpu_topology_order(&machine);
}

bool lsi_binding_make(struct lsi_binding *binding, enum ls_bind bind)
{
	enum { UNORDERED_CORES = 2 }; /* up to 2 cores need no order, which takes milliseconds */
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct lsi_cpu_set cpus =
		bind == LS_BIND_NONE ? (struct lsi_cpu_set){ 0 } : read_allowed_units();

	if (lsi_cpu_topology_cores(&machine, &cpus) > UNORDERED_CORES)
		pthread_once(&once, rank_units);
	return lsi_binding_make_from(binding, &machine, &cpus);
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The rank of the core, then the unit; cores of unknown rank come last, by number. */
static uint64_t make_sort_key(struct lsi_cpu_topology *units, int unit)
{
	const int core = find_leader(units, unit);
	const int rank = units->rank[core] ? units->rank[core] : LSI_CPUS_MAX + 1 + core;

	return (uint64_t)rank << 32 | (uint64_t)unit;
}

bool lsi_binding_make_from(
	struct lsi_binding *binding, struct lsi_cpu_topology *units, const struct lsi_cpu_set *cpus)
{
	const int n = count_units(cpus);

	*binding = (struct lsi_binding){ .units = n,
		.unit = lsi_alloc((size_t)n * sizeof(uint64_t) + (size_t)(n + 1) * sizeof(int)) };
	if (!binding->unit)
		return false;
	binding->begin = (int *)(void *)(binding->unit + n);
	for (int unit = lsi_cpu_set_next(cpus, 0), i = 0; i < n;
		 unit = lsi_cpu_set_next(cpus, unit + 1))
		binding->unit[i++] = make_sort_key(units, unit);
	qsort(binding->unit, (size_t)n, sizeof *binding->unit, compare_keys);
	binding->ranked = n > 0 && binding->unit[0] >> 32 <= LSI_CPUS_MAX;
	for (int i = 0; i < n; i++)
		if (i == 0 || binding->unit[i] >> 32 != binding->unit[i - 1] >> 32)
			binding->begin[binding->cores++] = i;
	binding->begin[binding->cores] = n;
	return true;
}
