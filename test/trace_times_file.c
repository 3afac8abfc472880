/*
 * The file of LOCKSTEP_TRACE with times: its columns, and the core of each node in its first line.
 * The affinity that the kernel reports for each node is the reference for the cores.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <lockstep/placement.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 6, ROWS = 3 * NODES };

static char path[PATH_MAX];
static cpu_set_t affinity[NODES];

/* Three rounds around the ring. */
static int around(ls_node *me, void *unused)
{
	const int64_t p = ls_size(me), rank = ls_rank(me);
	double out = 1, in;
	int failed = LS_OK;

	(void)unused;
	if (sched_getaffinity(0, sizeof affinity[rank], &affinity[rank]))
		return LS_ERR_PROGRAM;
	for (int round = 0; round < 3 && !failed; round++) {
		failed = ls_send(me, (rank + 1) % p, &out, sizeof out);
		if (!failed)
			failed = ls_receive(me, (rank + p - 1) % p, &in, sizeof in);
		if (!failed)
			failed = ls_next_round(me);
	}
	return failed;
}

/* ---- The file */

struct row {
	int64_t round, src, dst, words, sent, received, waited;
};

struct found {
	char first[256], columns[256];
	struct row row[ROWS];
	int rows;
	int core[NODES], cores; /* cores: how many the first line has */
};

static void read_cores(struct found *found)
{
	const char *list = strstr(found->first, " cores=");
	int n, core;

	if (list)
		list += strlen(" cores=");
	for (; list && sscanf(list, "%d%n", &core, &n) == 1; list += n + (list[n] == ',')) {
		CHECK(found->cores < NODES, "too many cores: %s", found->first);
		found->core[found->cores++] = core;
	}
}

/* columns: 4 or 7, the same in every row. */
static struct found read_file(int columns)
{
	struct found found = { 0 };
	FILE *file = fopen(path, "r");
	char line[256];

	CHECK(file, "%s: no file", guarded());
	if (!file)
		return found;
	CHECK(fgets(found.first, sizeof found.first, file)
			&& fgets(found.columns, sizeof found.columns, file),
		"%s: a head", guarded());
	while (found.rows < ROWS && fgets(line, sizeof line, file)) {
		struct row *r = &found.row[found.rows++];
		char end = 0;
		const int n = columns == 7
			? sscanf(line,
				"%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64
				"%c",
				&r->round, &r->src, &r->dst, &r->words, &r->sent, &r->received, &r->waited, &end)
			: sscanf(line, "%" SCNd64 ",%" SCNd64 ",%" SCNd64 ",%" SCNd64 "%c", &r->round, &r->src,
				&r->dst, &r->words, &end);

		CHECK(n == columns + 1 && end == '\n', "%s: row %s", guarded(), line);
	}
	fclose(file);
	read_cores(&found);
	return found;
}

/* ---- Runs */

static char folder[PATH_MAX / 2];

/* A machine whose next run writes a file of its own. */
static ls_machine *machine_of(const ls_topology *topology, struct ls_machine_options options)
{
	static int trial;

	snprintf(path, sizeof path, "%s/%d.csv", folder, ++trial);
	setenv("LOCKSTEP_TRACE", path, 1);
	options.size = sizeof options;
	return machine_on(topology, &options);
}

static const char plain[] = "round,src,dst,words\n";
static const char timed[] = "round,src,dst,words,sent_ns,received_ns,waited_ns\n";

static struct found file_of(
	struct ls_machine_options options, int (*program)(ls_node *, void *), int columns)
{
	ls_topology *topology = topology_of("ring:6");
	ls_machine *machine = machine_of(topology, options);
	struct found found;

	must_run(machine, program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	found = read_file(columns);
	CHECK(strcmp(found.columns, columns == 7 ? timed : plain) == 0, "%s: columns %s", guarded(),
		found.columns);
	return found;
}

static void check_times(const struct found *found)
{
	CHECK(found->rows == ROWS, "%s: %d rows", guarded(), found->rows);
	for (int i = 0; i < found->rows; i++) {
		const struct row *r = &found->row[i];

		CHECK(r->round == 1 + i / NODES && r->src == i % NODES && r->dst == (i + 1) % NODES
				&& r->words == 8,
			"%s: row %d", guarded(), i);
		CHECK(r->sent >= 0 && r->sent <= r->received && r->waited >= 0 && r->waited <= r->received,
			"%s: row %d: times", guarded(), i);
	}
}

/* Nodes on one core have one affinity, if they are bound to whole cores; else at least the same. */
static void check_cores(const struct found *found, enum ls_bind bind)
{
	int core[NODES];

	CHECK(found->cores == NODES, "%s: %d cores in %s", guarded(), found->cores, found->first);
	for (int a = 0; a < NODES; a++) {
		CHECK(found->core[a] >= (a > 0 ? found->core[a - 1] : 0) && found->core[0] == 0,
			"%s: cores in the order of the nodes: %s", guarded(), found->first);
		for (int b = 0; b < a; b++) {
			const bool same = CPU_EQUAL(&affinity[a], &affinity[b]);

			CHECK(bind == LS_BIND_CORE ? same == (found->core[a] == found->core[b])
									   : !same || found->core[a] == found->core[b],
				"%s: nodes %d and %d: cores %d and %d", guarded(), a, b, found->core[a],
				found->core[b]);
		}
	}
	CHECK(ls_placement_cores(bind, node_kind(), NODES, core) == LS_OK
			&& memcmp(core, found->core, sizeof core) == 0,
		"%s: placement", guarded());
}

/* ---- Tests */

static void test_columns(void)
{
	const struct ls_machine_options by_option = { .trace_times = true }, none = { 0 };
	struct found found;

	guard("no times");
	unsetenv("LOCKSTEP_TRACE_TIMES");
	CHECK(file_of(none, around, 4).cores == 0, "%s: cores", guarded());
	setenv("LOCKSTEP_TRACE_TIMES", "", 1);
	CHECK(file_of(none, around, 4).rows == ROWS, "%s", guarded());
	setenv("LOCKSTEP_TRACE_TIMES", "0", 1);
	CHECK(file_of(none, around, 4).rows == ROWS, "%s", guarded());
	guard("times by the option");
	found = file_of(by_option, around, 7);
	check_times(&found);
	guard("times by the variable");
	setenv("LOCKSTEP_TRACE_TIMES", "1", 1);
	found = file_of(none, around, 7);
	check_times(&found);
}

static void test_cores(void)
{
	static const enum ls_bind binds[] = { LS_BIND_CORE, LS_BIND_PU };
	struct found found;
	int core[NODES];

	for (size_t i = 0; i < sizeof binds / sizeof *binds; i++) {
		guard("bind %d", (int)binds[i]);
		found = file_of((struct ls_machine_options){ .bind = binds[i] }, around, 7);
		check_times(&found);
		check_cores(&found, binds[i]);
	}
	guard("no binding");
	found = file_of((struct ls_machine_options){ .bind = LS_BIND_NONE }, around, 7);
	check_times(&found);
	CHECK(found.cores == 0, "%s: %s", guarded(), found.first);
	CHECK(ls_placement_cores(LS_BIND_NONE, LS_NODE_THREAD, NODES, core) == LS_OK && core[0] == -1
			&& core[NODES - 1] == -1,
		"no binding has cores");
	CHECK(ls_placement_cores((enum ls_bind)3, LS_NODE_THREAD, NODES, core) == LS_ERR_ARGUMENT
			&& ls_placement_cores(LS_BIND_CORE, (enum ls_node_kind)2, NODES, core)
				== LS_ERR_ARGUMENT
			&& ls_placement_cores(LS_BIND_CORE, LS_NODE_THREAD, 0, core) == LS_ERR_ARGUMENT,
		"wrong arguments of ls_placement_cores");
}

/* The cooperative engine passes no messages. */
static void test_cooperative(void)
{
	struct found found;

	guard("cooperative");
	found = file_of((struct ls_machine_options){ .engine = LS_COOPERATIVE }, add_ranks_program, 7);
	CHECK(found.rows > 0, "%s: no row", guarded());
	for (int i = 0; i < found.rows; i++)
		CHECK(found.row[i].sent == -1 && found.row[i].received == -1 && found.row[i].waited == -1,
			"%s: times", guarded());
}

struct guest {
	ls_machine *machine;
	int64_t rank;
	pthread_t thread;
};

static void *attach(void *arg)
{
	const struct guest *guest = arg;
	ls_node *me = attached_to(guest->machine, guest->rank, 0);

	CHECK(around(me, NULL) == LS_OK && ls_detach(me) == LS_OK, "%s", guarded());
	return NULL;
}

/* The machine does not bind threads that attach. */
static void test_attached(void)
{
	ls_topology *topology = topology_of("ring:6");
	ls_machine *machine = machine_of(topology, (struct ls_machine_options){ 0 });
	struct guest guest[NODES];
	struct found found;

	guard("attached");
	for (int i = 0; i < NODES; i++) {
		guest[i] = (struct guest){ .machine = machine, .rank = i };
		guest[i].thread = start_thread(attach, &guest[i]);
	}
	for (int i = 0; i < NODES; i++)
		pthread_join(guest[i].thread, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	found = read_file(7);
	check_times(&found);
	CHECK(found.cores == 0, "%s: %s", guarded(), found.first);
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	char command[PATH_MAX];

	snprintf(folder, sizeof folder, "%s/lockstep.XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(folder)) {
		perror(folder);
		return EXIT_FAILURE;
	}
	test_columns();
	test_cores();
	test_cooperative();
	if (node_kind() == LS_NODE_THREAD)
		test_attached();
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	CHECK(system(command) == 0, "remove %s", folder);
	return test_result();
}
