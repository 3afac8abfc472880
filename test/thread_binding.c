/*
 * Nodes run on the promised cores: the affinity that the kernel reports for each thread equals the
 * one computed here, also if the caller is bound to one core.  Processes of a host use cores of
 * their own, if there are enough.
 */
/* variants: release checked asan chaos */
/* nodes: threads fibers */
#include "base/cores.h"

#include <lockstep.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { HERE = 4096, NODES_MOST = 7, PROCESSES_MOST = 4 };
struct mask {
	cpu_set_t set[HERE / CPU_SETSIZE];
};

static struct mask mask_now(void)
{
	struct mask mask = { 0 };

	if (sched_getaffinity(0, sizeof mask, mask.set))
		abort();
	return mask;
}

static bool holds(const struct mask *mask, int cpu)
{
	return CPU_ISSET_S((size_t)cpu, sizeof *mask, mask->set);
}

static void restrict_to(const struct mask *mask)
{
	if (sched_setaffinity(0, sizeof *mask, mask->set))
		abort();
}

/* The lowest unit of a core, by another of the kernel's tables than the library reads. */
static int core_of(int cpu)
{
	char path[128];
	int first = cpu;

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/core_cpus_list", cpu);

	FILE *file = fopen(path, "r");

	if (file && fscanf(file, "%d", &first) != 1)
		first = cpu;
	if (file)
		fclose(file);
	return first;
}

static int note(ls_node *me, void *arg)
{
	((struct mask *)arg)[ls_rank(me)] = mask_now();
	return 0;
}

/*
 * By number where there are so few cores that their order does not matter; where there are more a
 * place is a core, or a unit, and nodes * cores / p of them differ.
 */
static void check_nodes(
	const struct mask *found, const struct mask *before, enum ls_bind bind, int p)
{
	int core[HERE], cores = 0, units = 0;

	for (int c = 0; c < HERE; c++)
		units += holds(before, c);
	for (int c = 0; c < HERE; c++) {
		bool met = !holds(before, c);

		for (int i = 0; i < cores && !met && bind == LS_BIND_CORE; i++)
			met = core[i] == core_of(c);
		if (!met)
			core[cores++] = bind == LS_BIND_CORE ? core_of(c) : c;
	}
	for (int r = 0; r < p; r++) {
		const int count = CPU_COUNT_S(sizeof *found, found[r].set);
		int first = 0;

		while (first < HERE && !holds(&found[r], first))
			first++;
		if (bind == LS_BIND_NONE) {
			CHECK(
				!memcmp(&found[r], before, sizeof *before), "node %d of %d: %d units", r, p, count);
			continue;
		}
		for (int c = 0; c < HERE; c++) {
			const bool wanted = holds(before, c)
				&& (bind == LS_BIND_PU ? c == first : core_of(c) == core_of(first));

			CHECK(holds(&found[r], c) == wanted, "node %d of %d: unit %d", r, p, c);
		}
		if (cores == units && cores <= 2)
			CHECK(first == core[r * cores / p], "node %d of %d on %d", r, p, first);
		for (int s = 0; s < r; s++)
			CHECK((r * cores / p == s * cores / p) == !memcmp(&found[r], &found[s], sizeof *found),
				"nodes %d and %d of %d", s, r, p);
	}
}

static void check_run(enum ls_bind bind, int p)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .bind = bind, .node_kind = node_kind()
	};
	const struct mask before = mask_now();
	static struct mask found[NODES_MOST];
	char spec[32], text[512];
	ls_topology *topology;
	ls_machine *machine;

	snprintf(spec, sizeof spec, "complete:%d", p);
	if (ls_topology_make(spec, &topology, NULL) || ls_machine_make(topology, &options, &machine))
		abort();
	memset(found, 0, sizeof found);

	const int failed = ls_run(machine, note, found);

	CHECK(failed == LS_OK, "%s", ls_status_name(failed));
	check_nodes(found, &before, bind, p);
	for (int r = 0; r < p && bind != LS_BIND_NONE; r++) {
		struct lsi_cpu_set told;

		CHECK(ls_placement_node(bind, r, p, text, sizeof text) == LS_OK
				&& lsi_cpu_set_parse(&told, text) && !memcmp(&told, &found[r], sizeof found[r]),
			"node %d of %d: allowed %s", r, p, text);
	}

	const struct mask after = mask_now();

	CHECK(!memcmp(&after, &before, sizeof before), "the caller was bound");
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
}

static void check_runs(void)
{
	static const enum ls_bind binds[] = { LS_BIND_CORE, LS_BIND_PU, LS_BIND_NONE };
	const struct mask now = mask_now();
	struct ls_placement placement = { .size = sizeof placement };

	for (size_t b = 0; b < sizeof binds / sizeof *binds; b++) {
		/* A node has the binding of its worker: where nodes of one worker would have several. */
		if (node_kind() == LS_NODE_FIBER && lsi_core_count() != CPU_COUNT_S(sizeof now, now.set))
			continue;
		for (int p = 1; p <= NODES_MOST; p++)
			check_run(binds[b], p);
	}

	CHECK(ls_placement_read(&placement) == LS_OK
			&& placement.units == CPU_COUNT_S(sizeof now, now.set) && placement.cores >= 1
			&& placement.cores <= placement.units && placement.quota >= 0,
		"%d cores, %d units", placement.cores, placement.units);
	CHECK(
		lsi_core_count() >= 1 && lsi_core_count() <= placement.cores, "%d cores", lsi_core_count());
}

/* Do two nodes share a unit? */
static bool overlap(const struct mask *a, const struct mask *b)
{
	for (int c = 0; c < HERE; c++)
		if (holds(a, c) && holds(b, c))
			return true;
	return false;
}

/* The nodes of each process are on its part of the cores, and those of two parts apart. */
static void check_parts(const struct spread *s, const ls_topology *t, const struct mask *found)
{
	const int64_t nodes = ls_topology_nodes(t);
	const int cores = lsi_core_count(), most = cores / s->processes > 1 ? cores / s->processes : 1;

	for (int i = 0; i < s->processes; i++) {
		const struct lsi_core_part part = lsi_world_core_part(s->world[i]);

		CHECK(part.parts == s->processes && part.number == i
				&& lsi_world_core_count(s->world[i]) == most,
			"process %d of %d: part %d of %d", i, s->processes, part.number, part.parts);
	}
	for (int64_t a = 0; a < nodes && s->processes <= cores; a++) {
		for (int64_t b = ls_first_rank(t, s->processes, 1); b < nodes; b++)
			CHECK(a >= ls_first_rank(t, s->processes, 1) || !overlap(&found[a], &found[b]),
				"%d processes: nodes %d and %d", s->processes, (int)a, (int)b);
	}
}

/* A process whose cores have changed since the world was opened uses all that it has. */
static void check_processes(const struct mask *all)
{
	const struct ls_machine_options options = { .size = sizeof options, .node_kind = node_kind() };
	struct mask one = { 0 };
	ls_topology *topology;
	struct spread s;

	for (int c = 0; c < HERE && CPU_COUNT_S(sizeof one, one.set) == 0; c++)
		if (holds(all, c))
			CPU_SET_S((size_t)c, sizeof one, one.set);
	if (ls_topology_make("complete:7", &topology, NULL))
		abort();
	for (int p = 2; p <= PROCESSES_MOST; p++) {
		static struct mask found[NODES_MOST];

		spread_open(&s, p, 2);
		CHECK(spread_make(&s, topology, &options) == LS_OK && spread_run(&s, note, found) == LS_OK,
			"%d processes", p);
		check_parts(&s, topology, found);
		restrict_to(&one);
		CHECK(CPU_COUNT_S(sizeof *all, all->set) == 1 || lsi_world_core_part(s.world[0]).parts == 1,
			"%d processes, bound later", p);
		restrict_to(all);
		spread_destroy(&s);
	}
	ls_topology_destroy(topology);
}

int main(void)
{
	const struct mask all = mask_now();
	char line[64];

	CHECK(ls_placement_read(&(struct ls_placement){ 0 }) == LS_ERR_ARGUMENT
			&& ls_placement_node(LS_BIND_CORE, 2, 2, line, sizeof line) == LS_ERR_ARGUMENT
			&& ls_placement_node((enum ls_bind)3, 0, 2, line, sizeof line) == LS_ERR_ARGUMENT,
		"bad arguments");
	check_runs();
	for (int c = 0, tried = 0; c < HERE && tried < 2; c++) {
		struct mask one = { 0 };

		if (!holds(&all, c))
			continue;
		CPU_SET_S((size_t)c, sizeof one, one.set);
		restrict_to(&one);
		CHECK(lsi_core_count() == 1, "one unit, %d cores", lsi_core_count());
		check_runs();
		restrict_to(&all);
		tried++;
	}
	check_runs();
	check_processes(&all);
	return test_result();
}
