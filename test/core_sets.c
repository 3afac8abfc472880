/*
 * Cores and placement: valid and damaged texts of the kernel, and machines described by files,
 * with hardware threads and with unusual topologies.
 */
/* variants: release checked asan chaos */
#include "base/cores.h"
#include "base/cgroups.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "test.h"

/* ---- Texts */

static void check_lists(void)
{
	static const struct {
		const char *text;
		int count, last; /* 0: broken */
	} lists[] = {
		{ "0", 1, 0 },
		{ "5\n", 1, 5 },
		{ "0-3,8,10-11", 7, 11 },
		{ "0-3,8,10-11\n", 7, 11 },
		{ "7-7", 1, 7 },
		{ "0,2000-2001,16383", 4, 16383 },
		{ "63-64", 2, 64 },
		{ "", 0, 0 },
		{ "\n", 0, 0 },
		{ "-3", 0, 0 },
		{ "3-", 0, 0 },
		{ "3-1", 0, 0 },
		{ "1,", 0, 0 },
		{ ",1", 0, 0 },
		{ "1;2", 0, 0 },
		{ "1 2", 0, 0 },
		{ "16384", 0, 0 },
		{ "0-16384", 0, 0 },
		{ "99999999999999999999", 0, 0 },
		{ "0-99999999999999999999", 0, 0 },
		{ "x", 0, 0 },
		{ "0x1", 0, 0 },
		{ "1--2", 0, 0 },
	};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct lsi_cpu_set cpus;
		const bool read = lsi_cpu_set_parse(&cpus, lists[i].text);
		int count = 0, last = 0;

		for (int c = lsi_cpu_set_next(&cpus, 0); c < LSI_CPUS_MAX;
			 c = lsi_cpu_set_next(&cpus, c + 1))
			count++, last = c;
		CHECK(read == (lists[i].count > 0), "\"%s\"", lists[i].text);
		CHECK(!read || (count == lists[i].count && last == lists[i].last),
			"\"%s\": %d units, last %d", lists[i].text, count, last);
	}
}

static void check_quotas(void)
{
	static const struct {
		const char *text;
		double quota;
	} quotas[] = {
		{ "max 100000", INFINITY },
		{ "max", INFINITY },
		{ "150000 100000", 1.5 },
		{ "150000 100000\n", 1.5 },
		{ "-1 100000", INFINITY },
		{ "1000 100000", 0.01 },
		{ "700000 100000", 7 },
		{ "0 100000", INFINITY },
		{ "100000 0", INFINITY },
		{ "", INFINITY },
		{ "100000", INFINITY },
		{ "100000 ", INFINITY },
		{ "100000 x", INFINITY },
		{ "100000 100000 1", INFINITY },
		{ "1e5 1e5", INFINITY },
		{ "nan inf", INFINITY },
	};

	for (size_t i = 0; i < sizeof quotas / sizeof *quotas; i++) {
		const double found = lsi_cpu_quota_parse(quotas[i].text);

		CHECK(found == quotas[i].quota, "\"%s\": %g", quotas[i].text, found);
	}
}

static void check_groups(void)
{
	static const struct {
		const char *line, *group;
		bool unified;
	} lines[] = {
		{ "0::/", "/", true },
		{ "0::/a/b c", "/a/b c", true },
		{ "0::/a:b", "/a:b", true },
		{ "4:cpu,cpuacct:/x", "/x", false },
		{ "4:cpuacct,cpu:/x", "/x", false },
		{ "1:cpu:/", "/", false },
		{ "9:name=systemd:/", NULL, false },
		{ "2:cpuacct:/x", NULL, false },
		{ "3:cpuset:/cpu", NULL, false },
		{ "4:xcpu:/cpu", NULL, false },
		{ "0::", NULL, false },
		{ "0::a", NULL, false },
		{ "", NULL, false },
		{ "4:cpu", NULL, false },
		{ ":", NULL, false },
		{ "::", NULL, false },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		bool unified = false;
		const char *group = lsi_cgroup_parse(lines[i].line, "cpu", &unified);

		CHECK(!group == !lines[i].group, "\"%s\": %s", lines[i].line, group ? group : "none");
		CHECK(!group || !lines[i].group
				|| (!strcmp(group, lines[i].group) && unified == lines[i].unified),
			"\"%s\": %s", lines[i].line, group ? group : "none");
	}
}

/* ---- Machines of files */

static char root[] = "/tmp/lockstep-place-XXXXXX";

/* Write a file below root, and the folders on its way. */
static const char *put(const char *path, const char *text)
{
	static char full[512];

	snprintf(full, sizeof full, "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}

	FILE *file = fopen(full, "w");

	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
	return full;
}

/* A host of control groups: the lines of its process, some files, what they grant. */
struct grant {
	const char *groups, *file[6][2];
	double granted;
};

static void check_host(
	const char *name, const struct grant *host, double (*granted)(const char *, const char *))
{
	char path[128], base[128], groups[512];

	snprintf(base, sizeof base, "%s/%s", root, name);
	for (int f = 0; f < 6 && host->file[f][0]; f++) {
		snprintf(path, sizeof path, "%s/%s", name, host->file[f][0]);
		put(path, host->file[f][1]);
	}
	snprintf(path, sizeof path, "%s.groups", name);
	snprintf(groups, sizeof groups, "%s", put(path, host->groups));

	const double found = granted(groups, base);

	CHECK(found == host->granted, "host %s: %g", name, found);
}

static void check_quota_of_groups(void)
{
	static const struct grant hosts[] = {
		{ "0::/\n", { { "cpu.max", "max 100000\n" } }, INFINITY },
		{ "0::/\n", { { "cpu.max", "200000 100000\n" } }, 2 },
		{ "0::/a/b\n",
			{ { "cpu.max", "max 1" }, { "a/cpu.max", "150000 100000" }, { "a/b/cpu.max", "9 1" } },
			1.5 },
		{ "0::/a/b\n", { { "a/cpu.max", "9 1" }, { "a/b/cpu.max", "50000 100000\n" } }, 0.5 },
		{ "0::/seen/from/outside\n", { { "cpu.max", "3 1\n" } }, 3 },
		{ "0::/../../x\n", { { "cpu.max", "3 1\n" }, { "x/cpu.max", "1 1\n" } }, 3 },
		{ "0::/a\n", { { "a/cpu.max", "" }, { "cpu.max", "1 1 1 1" } }, INFINITY },
		{ "5:cpu,cpuacct:/a\n0::/b\n",
			{ { "cpu/a/cpu.cfs_quota_us", "250000\n" }, { "cpu/a/cpu.cfs_period_us", "100000\n" },
				{ "cpu/cpu.cfs_quota_us", "-1\n" }, { "cpu/cpu.cfs_period_us", "100000\n" } },
			2.5 },
		{ "5:cpu:/\n", { { "cpu/cpu.cfs_quota_us", "250000\n" } }, INFINITY },
		{ "0::/a", { { "cpu.max", "1 1" } }, INFINITY },
		{ "broken\n", { { "cpu.max", "1 1" } }, INFINITY },
		{ "", { { "cpu.max", "1 1" } }, INFINITY },
	};

	for (int i = 0; i < (int)(sizeof hosts / sizeof *hosts); i++) {
		char name[32];

		snprintf(name, sizeof name, "host%d", i);
		check_host(name, &hosts[i], lsi_cpu_quota_under);
	}
	CHECK(lsi_cpu_quota_under("/nowhere", "/nowhere") == INFINITY, "no files");
}

/* What is left of the least of the groups, pages of files not counted. */
static void check_memory_of_groups(void)
{
	static const struct grant hosts[] = {
		{ "0::/\n", { { "memory.max", "max\n" }, { "memory.current", "7\n" } }, INFINITY },
		{ "0::/\n", { { "memory.max", "1000\n" } }, 1000 },
		{ "0::/a/b\n",
			{ { "a/memory.max", "1000\n" }, { "a/memory.current", "300\n" },
				{ "a/memory.stat", "anon 1\ninactive_file 100\nactive_file 50\n" },
				{ "a/b/memory.max", "max\n" }, { "a/b/memory.current", "200\n" } },
			800 },
		{ "0::/a\n",
			{ { "a/memory.max", "1000\n" }, { "a/memory.current", "1200\n" },
				{ "memory.max", "9000\n" } },
			0 },
		{ "7:memory:/a\n",
			{ { "memory/a/memory.limit_in_bytes", "5000\n" },
				{ "memory/a/memory.usage_in_bytes", "600\n" },
				{ "memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 200\n" } },
			4600 },
		{ "5:cpu:/a\n", { { "cpu/a/memory.max", "1\n" }, { "memory.max", "1\n" } }, INFINITY },
	};

	for (int i = 0; i < (int)(sizeof hosts / sizeof *hosts); i++) {
		char name[32];

		snprintf(name, sizeof name, "memory%d", i);
		check_host(name, &hosts[i], lsi_memory_available_under);
	}
}

/* "3,11" */
static void list(const struct lsi_cpu_set *cpus, char *text, size_t bytes)
{
	size_t used = 0;

	snprintf(text, bytes, "any");
	for (int c = cpus ? lsi_cpu_set_next(cpus, 0) : LSI_CPUS_MAX; c < LSI_CPUS_MAX;
		 c = lsi_cpu_set_next(cpus, c + 1))
		used += (size_t)snprintf(text + used, bytes - used, "%s%d", used ? "," : "", c);
}

/* Units u and u + 4 are a core.  What the kernel says of unit 9 and 2000 is nothing. */
static struct lsi_cpu_topology plain, ranked, empty;
static const int rank[] = { 1, 5, 3, 7, 2, 6, 4, 8 }; /* two packages: even and odd */
static const struct {
	struct lsi_cpu_topology *units;
	const char *allowed;
	int cores;
	enum ls_bind bind;
	int nodes;
	const char *place[8];
	struct lsi_core_part part;
} cases[] = {
	{ &plain, "0-7", 4, LS_BIND_CORE, 4, { "0,4", "1,5", "2,6", "3,7" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_CORE, 2, { "0,4", "2,6" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_CORE, 6, { "0,4", "0,4", "1,5", "2,6", "2,6", "3,7" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_PU, 8, { "0", "4", "1", "5", "2", "6", "3", "7" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_PU, 4, { "0", "1", "2", "3" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_NONE, 2, { "any", "any" }, { 1, 0 } },
	{ &plain, "1,4-6", 3, LS_BIND_CORE, 3, { "4", "1,5", "6" }, { 1, 0 } },
	{ &plain, "6", 1, LS_BIND_CORE, 2, { "6", "6" }, { 1, 0 } },
	{ &plain, "3,9,2000", 3, LS_BIND_PU, 3, { "3", "9", "2000" }, { 1, 0 } },
	{ &ranked, "0-7", 4, LS_BIND_CORE, 4, { "0,4", "2,6", "1,5", "3,7" }, { 1, 0 } },
	{ &ranked, "0-7", 4, LS_BIND_CORE, 2, { "0,4", "1,5" }, { 1, 0 } },
	{ &ranked, "4-7,9", 5, LS_BIND_CORE, 5, { "4", "6", "5", "7", "9" }, { 1, 0 } },
	{ &ranked, "0-7", 4, LS_BIND_PU, 8, { "0", "4", "2", "6", "1", "5", "3", "7" }, { 1, 0 } },
	{ &empty, "0-2", 3, LS_BIND_CORE, 3, { "0", "1", "2" }, { 1, 0 } },
	{ &plain, "0-7", 4, LS_BIND_CORE, 2, { "2,6", "3,7" }, { 2, 1 } },
	{ &ranked, "0-7", 4, LS_BIND_PU, 2, { "2", "6" }, { 4, 1 } },
	{ &plain, "0-7", 4, LS_BIND_CORE, 1, { "1,5" }, { 3, 1 } },
	{ &plain, "0-7", 4, LS_BIND_CORE, 2, { "2,6", "2,6" }, { 7, 4 } },
	{ &plain, "0-7", 4, LS_BIND_NONE, 1, { "any" }, { 2, 1 } },
};

static void write_machines(void)
{
	static char folder[128];
	char path[128], siblings[16];

	for (int u = 0; u < 8; u++) {
		snprintf(path, sizeof path, "cpu/cpu%d/topology/thread_siblings_list", u);
		snprintf(siblings, sizeof siblings, "%d,%d\n", u % 4, u % 4 + 4);
		put(path, siblings);
	}
	setenv("HWLOC_SYNTHETIC", "package:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", 1);
	lsi_cpu_topology_order(&ranked);
	unsetenv("HWLOC_SYNTHETIC");
	for (int u = 0; u < 8; u++) {
#ifdef LSI_HWLOC
		CHECK(ranked.rank[u] == rank[u], "unit %d has rank %d", u, ranked.rank[u]);
#endif
		ranked.rank[u] = (uint16_t)rank[u];
	}
	put("cpu/cpu9/topology/thread_siblings_list", "8,x\n");
	snprintf(folder, sizeof folder, "%s/cpu", root);
	plain.folder = ranked.folder = folder;
	empty.folder = "/nowhere";
}

static void check_places(void)
{
	write_machines();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct lsi_binding places;
		struct lsi_cpu_set allowed;
		char text[64];

		if (!lsi_cpu_set_parse(&allowed, cases[i].allowed)
			|| !lsi_binding_make_from(&places, cases[i].units, &allowed))
			abort();
		CHECK(places.cores == cases[i].cores
				&& lsi_cpu_topology_cores(cases[i].units, &allowed) == places.cores,
			"case %zu: %d cores", i, places.cores);
		CHECK(places.ranked == (cases[i].units == &ranked), "case %zu", i);
		lsi_binding_restrict(&places, cases[i].part);
		for (int r = 0; r < cases[i].nodes; r++) {
			list(lsi_binding_for(&places, cases[i].bind, r, cases[i].nodes), text, sizeof text);
			CHECK(!strcmp(text, cases[i].place[r]), "case %zu: node %d on %s", i, r, text);
		}
		lsi_binding_destroy(&places);
	}
}

/* Units 0 and 1 share a last level, 2 has its own; of 3 nothing is said, and nonsense of 4. */
static void check_caches(void)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{ "cache/cpu0/cache/index0/size", "48K\n" },
		{ "cache/cpu0/cache/index0/shared_cpu_list", "0\n" },
		{ "cache/cpu0/cache/index1/size", "32768K\n" },
		{ "cache/cpu0/cache/index1/shared_cpu_list", "0-1\n" },
		{ "cache/cpu1/cache/index0/size", "7K\n" },
		{ "cache/cpu2/cache/index0/size", "16384K\n" },
		{ "cache/cpu2/cache/index0/shared_cpu_list", "2\n" },
		{ "cache/cpu4/cache/index0/size", "1M\n" },
		{ "cache/cpu4/cache/index0/shared_cpu_list", "4\n" },
	};
	static const struct {
		const char *allowed;
		size_t bytes;
	} caches[] = {
		{ "0", 32 << 20 },
		{ "0-1", 32 << 20 },
		{ "0-2", 48 << 20 },
		{ "2", 16 << 20 },
		{ "1", 0 },
		{ "3", 0 },
		{ "0,3", 0 },
		{ "4", 0 },
	};
	static struct lsi_cpu_topology units;
	static char folder[64];

	snprintf(folder, sizeof folder, "%s/cache", root);
	units.folder = folder;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		put(files[i].path, files[i].text);
	for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
		struct lsi_cpu_set allowed;

		if (!lsi_cpu_set_parse(&allowed, caches[i].allowed))
			abort();

		const size_t found = lsi_cpu_topology_cache(&units, &allowed);

		CHECK(found == caches[i].bytes, "units %s: %zu bytes", caches[i].allowed, found);
	}
}

int main(void)
{
	char command[64];

	check_lists();
	check_quotas();
	check_groups();
	if (!mkdtemp(root))
		abort();
	check_quota_of_groups();
	check_memory_of_groups();
	check_places();
	check_caches();
	snprintf(command, sizeof command, "rm -r %s", root);
	CHECK(system(command) == 0, "%s", command);
	return test_result();
}
