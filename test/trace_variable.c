/*
 * LOCKSTEP_TRACE=FILE: any program writes its trace, a file per run.  The expected files are
 * written out here; no trace code of the library makes them.
 */
/* nodes: threads fibers */
/* link: @test/support/spread.flags */
/* processes: 1 3 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/collective.h>
#include <lockstep/node.h>

#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

static char folder[PATH_MAX];

/* A path in the test's folder. */
struct path {
	char text[2 * PATH_MAX];
};

static struct path in_folder(const char *name)
{
	struct path path;

	snprintf(path.text, sizeof path.text, "%s/%s", folder, name);
	return path;
}

static bool exists(const char *name)
{
	return access(in_folder(name).text, F_OK) == 0;
}

static void check_file(const char *name, const char *expected)
{
	char found[4096] = "";
	FILE *file = fopen(in_folder(name).text, "r");

	CHECK(file, "%s exists", name);
	if (!file)
		return;
	found[fread(found, 1, sizeof found - 1, file)] = '\0';
	fclose(file);
	CHECK(strcmp(found, expected) == 0, "%s holds\n%s, expected\n%s", name, found, expected);
}

static void set_variable(const char *name)
{
	setenv("LOCKSTEP_TRACE", in_folder(name).text, 1);
}

static ls_machine *machine_of(const char *spec, struct ls_machine_options options)
{
	static ls_topology *topology;
	ls_machine *machine = NULL;

	ls_topology_destroy(topology); /* of the machine before, which is destroyed */
	topology = NULL;
	options.size = sizeof options;
	options.node_kind = node_kind();
	CHECK(ls_topology_make(spec, &topology, NULL) == LS_OK, "topology %s", spec);
	CHECK(ls_machine_make(topology, &options, &machine) == LS_OK, "machine %s", spec);
	return machine;
}

/* ---- Programs */

static int entered;

/* Two rounds: to the next node of a ring, then node 0 alone to the one before it. */
static int ring(ls_node *me, void *argument)
{
	const int64_t p = ls_size(me), rank = ls_rank(me);
	double out = 1, in;
	int failed;

	(void)argument;
	__atomic_fetch_add(&entered, 1, __ATOMIC_RELAXED);
	failed = ls_send(me, (rank + 1) % p, &out, sizeof out);
	if (!failed)
		failed = ls_receive(me, (rank + p - 1) % p, &in, sizeof in);
	if (!failed)
		failed = ls_next_round(me);
	if (!failed && rank == 0)
		failed = ls_send(me, p - 1, "abc", 3);
	if (!failed && rank == p - 1)
		failed = ls_receive(me, 0, &in, 3);
	return failed ? failed : ls_next_round(me);
}
static const char ring_rows[] =
	"round,src,dst,words\n1,0,1,8\n1,1,2,8\n1,2,3,8\n1,3,0,8\n2,0,3,3\n";

static int broadcast(ls_node *me, void *argument)
{
	double data[3] = { 0 };

	(void)argument;
	return ls_broadcast(me, data, 3, LS_DOUBLE, 1);
}

/* To a node that is two links away. */
static int far(ls_node *me, void *argument)
{
	char byte = 1;

	(void)argument;
	if (ls_rank(me) == 0)
		return ls_send(me, 2, &byte, 1);
	return ls_rank(me) == 2 ? ls_receive(me, 0, &byte, 1) : LS_OK;
}

static struct path expected_ring(const char *mode)
{
	struct path text;

	snprintf(text.text, sizeof text.text, "# topology=ring:4 mode=%s\n%s", mode, ring_rows);
	return text;
}

/* ---- Tests */

static void count_record(void *context, const struct ls_record *record)
{
	(void)record;
	++*(int *)context;
}

static void test_runs(enum ls_rounds rounds, const char *name)
{
	char second[64], third[64];
	const char *dot = strrchr(name, '.');
	const int stem = (int)(dot ? dot - name : (long)strlen(name));
	int records = 0;
	ls_machine *machine;

	snprintf(second, sizeof second, "%.*s.2%s", stem, name, dot ? dot : "");
	snprintf(third, sizeof third, "%.*s.3%s", stem, name, dot ? dot : "");
	set_variable(name);
	machine = machine_of("ring:4",
		(struct ls_machine_options){
			.rounds = rounds, .trace = count_record, .trace_context = &records });
	CHECK(ls_run(machine, ring, NULL) == LS_OK, "first run");
	CHECK(records == 5, "options.trace has %d records, expected 5", records);
	check_file(name, expected_ring("hop").text);
	CHECK(!exists(second), "a run writes one file");
	CHECK(ls_run(machine, broadcast, NULL) == LS_OK, "second run");
	check_file(name, expected_ring("hop").text);
	CHECK(exists(second), "the second run writes %s", second);
	ls_machine_destroy(machine);
	machine = machine_of("linear:2", (struct ls_machine_options){ .rounds = rounds });
	CHECK(ls_run(machine, broadcast, NULL) == LS_OK, "a run of another machine");
	check_file(third, "# topology=linear:2 mode=hop\nround,src,dst,words\n1,1,0,3\n");
	ls_machine_destroy(machine);
}

static void test_routed(void)
{
	ls_machine *machine;

	set_variable("routed.csv");
	machine = machine_of("ring:5", (struct ls_machine_options){ .mode = LS_ROUTED });
	CHECK(ls_run(machine, far, NULL) == LS_OK, "a routed run");
	check_file("routed.csv", "# topology=ring:5 mode=routed\nround,src,dst,words\n1,0,2,1\n");
	ls_machine_destroy(machine);
}

static void check_refused(const char *value, bool begins)
{
	struct ls_error error = { .size = sizeof error };
	ls_machine *machine;

	setenv("LOCKSTEP_TRACE", value, 1);
	machine = machine_of("ring:4", (struct ls_machine_options){ 0 });
	for (int run = 0; run < 2; run++) {
		entered = 0;
		CHECK(ls_run(machine, ring, NULL) == LS_ERR_ARGUMENT, "%s cannot be written", value);
		CHECK(ls_last_error(machine, &error) == LS_ERR_ARGUMENT, "the last error");
		CHECK(strstr(error.text, value) && strstr(error.text, "LOCKSTEP_TRACE"), "text '%s'",
			error.text);
		CHECK(entered == (begins ? 4 : 0), "%d nodes have begun", entered);
	}
	ls_machine_destroy(machine);
}

struct attached {
	ls_machine *machine;
	int64_t rank;
	int status;
};

static void *attach_body(void *argument)
{
	struct attached *a = argument;
	ls_node *me;

	a->status = ls_attach(a->machine, a->rank, 0, &me);
	if (a->status == LS_OK) {
		CHECK(ring(me, NULL) == LS_OK, "attached node %lld", (long long)a->rank);
		a->status = ls_detach(me);
	}
	return NULL;
}

static void test_attached(const char *name, int expected)
{
	struct attached attached[4];
	pthread_t thread[4];
	ls_machine *machine;

	set_variable(name);
	machine = machine_of("ring:4", (struct ls_machine_options){ 0 });
	for (int i = 0; i < 4; i++) {
		attached[i] = (struct attached){ machine, i, LS_OK };
		thread[i] = start_thread(attach_body, &attached[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		CHECK(attached[i].status == expected, "node %d: %s", i, ls_status_name(attached[i].status));
	}
	if (expected == LS_OK)
		check_file(name, expected_ring("hop").text);
	ls_machine_destroy(machine);
}

/* The variable is read when a machine is made. */
static void test_unset(void)
{
	ls_machine *machine;

	setenv("LOCKSTEP_TRACE", "", 1);
	machine = machine_of("ring:4", (struct ls_machine_options){ 0 });
	set_variable("late.csv");
	CHECK(ls_run(machine, ring, NULL) == LS_OK, "a run without a trace");
	CHECK(!exists("late.csv"), "no trace was set when the machine was made");
	ls_machine_destroy(machine);
}

/* A redirected standard output keeps the text before the trace, and after it. */
static void test_stdout(void)
{
	const struct path rows = expected_ring("hop");
	char *expected;
	pid_t child = fork();
	int status;

	if (child == 0) {
		const int file = open(in_folder("out").text, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		ls_machine *machine;

		setenv("LOCKSTEP_TRACE", "/dev/stdout", 1);
		if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || write(STDOUT_FILENO, "head\n", 5) != 5)
			_exit(2);
		machine = machine_of("ring:4", (struct ls_machine_options){ 0 });
		for (int run = 0; run < 2; run++)
			if (ls_run(machine, ring, NULL) != LS_OK)
				_exit(3);
		_exit(write(STDOUT_FILENO, "foot\n", 5) == 5 ? 0 : 4);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0, "the child: %d", status);
	CHECK(asprintf(&expected, "head\n%s%sfoot\n", rows.text, rows.text) > 0, "memory");
	check_file("out", expected);
	free(expected);
}

int main(void)
{
	spread_fills_processes = true;
	const char *temporary = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/lockstep.XXXXXX", temporary ? temporary : "/tmp");
	if (!mkdtemp(folder)) {
		perror(folder);
		return EXIT_FAILURE;
	}
	test_stdout();
	test_runs(LS_LOCKSTEP, "trace.csv");
	test_runs(LS_FREE, "free.rounds.csv");
	mkdir(in_folder("folder.d").text, 0777);
	test_runs(LS_LOCKSTEP, "trace");
	test_routed();
	if (node_kind() == LS_NODE_THREAD) {
		test_attached("attached.csv", LS_OK);
		test_attached("absent/attached.csv", LS_ERR_ARGUMENT);
	}
	test_unset();
	check_refused("/absent-folder/trace.csv", false);
	if (access("/dev/full", W_OK) == 0)
		check_refused("/dev/full", true);

	char command[PATH_MAX + 16];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	CHECK(system(command) == 0, "remove %s", folder);
	return test_result();
}
