/*
 * What ls_shrink refuses, and what ends its waits: every node that waits gets the same status, and
 * ls_run returns the error that was not ended.
 */
/* nodes: threads fibers */
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { NODES = 4 };

/* ---- Refused calls */

/* Some nodes call ls_shrink when the machine has stopped. */
struct refusal {
	int status;       /* that ls_shrink returns */
	const char *text; /* of its error, which the run has if all nodes fail */
	bool stops;       /* node 1 ends first */
};

static int call_shrink(ls_node *me, void *arg)
{
	const struct refusal *r = arg;
	ls_node *group = me;
	int failed;

	if (r->stops && ls_rank(me) == 1)
		return LS_OK;
	failed = r->stops ? ls_barrier(me) : LS_OK;
	CHECK(!r->stops || failed == LS_ERR_LEFT, "%s: %s", guarded(), ls_status_name(failed));
	failed = ls_shrink(me, &group, NULL);
	CHECK(failed == r->status && !group, "%s: %s", guarded(), ls_status_name(failed));
	CHECK(ls_shrink(me, NULL, NULL) == LS_ERR_ARGUMENT, "%s: no group", guarded());
	return ls_shrink(me, &group, NULL);
}

/* The error of the run names the call. */
static void check_error(const struct refusal *r, int status, const struct ls_error *error)
{
	const int expected = r->stops ? LS_ERR_LEFT : LS_ERR_PROGRAM;

	CHECK(status == expected && (r->stops || strstr(error->text, r->text)), "%s: %s: %s", guarded(),
		ls_status_name(status), error->text);
}

static void test_refusal(const ls_topology *t, struct ls_machine_options options, struct refusal r)
{
	struct ls_error error = { .size = sizeof error };
	ls_machine *machine = machine_on(t, &options);
	const int status = ls_run(machine, call_shrink, &r);

	ls_last_error(machine, &error);
	check_error(&r, status, &error);
	ls_machine_destroy(machine);
}

static void test_refusals(const ls_topology *t)
{
	static const char world_or_trace[] =
		"ls_shrink: the machine has a world or a trace; try one process and no trace";
	struct ls_machine_options options = { .size = sizeof options };

	guard("no option");
	test_refusal(t, options,
		(struct refusal){
			LS_ERR_ARGUMENT, "ls_shrink: the machine was made without the option recover", false });
	options.recover = true;
	guard("running");
	test_refusal(t, options,
		(struct refusal){ LS_ERR_ARGUMENT, "ls_shrink: the machine has not stopped", false });
	options.trace = ignore_record;
	guard("a trace");
	test_refusal(t, options, (struct refusal){ LS_ERR_UNSUPPORTED, world_or_trace, false });
	guard("a trace, after an error");
	test_refusal(t, options, (struct refusal){ LS_ERR_UNSUPPORTED, world_or_trace, true });
}

/* ---- Worlds and attached threads */

static void test_world(const ls_topology *t, struct refusal r)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .node_kind = node_kind(), .recover = true
	};
	struct spread s;

	guard("a world%s", r.stops ? ", after an error" : "");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "%s: no machine", guarded());
	spread_run(&s, call_shrink, &r);
	check_error(&r, s.status[0], &s.error[0]);
	spread_destroy(&s);
}

/* The processes must agree about the option. */
static void test_differing(const ls_topology *t)
{
	struct ls_machine_options options = { .size = sizeof options, .node_kind = node_kind() };
	struct spread s;

	guard("one process has the option");
	spread_open(&s, 2, 1);
	for (int i = 0; i < 2; i++) {
		options.world = s.world[i];
		options.recover = i == 1;
		CHECK(ls_machine_make(t, &options, &s.machine[i]) == LS_OK, "%s: no machine", guarded());
	}
	spread_run(&s, add_ranks_program, NULL);
	CHECK(s.status[0] == LS_ERR_ARGUMENT && strstr(s.error[0].text, "with other options"),
		"%s: %s: %s", guarded(), ls_status_name(s.status[0]), s.error[0].text);
	spread_destroy(&s);
}

static void test_attached(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .recover = true };
	struct ls_error error = { .size = sizeof error };
	ls_machine *machine;
	ls_node *me;

	guard("a thread attaches");
	CHECK(ls_machine_make(t, &options, &machine) == LS_OK, "%s: no machine", guarded());
	CHECK(ls_attach(machine, 0, 0, &me) == LS_ERR_UNSUPPORTED && !me, "%s", guarded());
	CHECK(ls_last_error(machine, &error) == LS_ERR_UNSUPPORTED
			&& strstr(error.text, "cannot attach to a machine with the option recover; try ls_run"),
		"%s: %s", guarded(), error.text);
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
}

/* ---- Waits that end without a recovery */

static atomic_int returned[2]; /* nodes whose ls_shrink returned this status, and others */

/* Node 1 ends; node 2 never calls ls_shrink: it stops the machine, or computes too long. */
static int hinder(ls_node *me, void *arg)
{
	const int expected = arg ? LS_ERR_STOPPED : LS_ERR_TIMEOUT;
	ls_node *group = me;
	int failed;

	if (ls_rank(me) == 1)
		return LS_OK;
	failed = ls_barrier(me);
	if (arg && ls_rank(me) == 2)
		ls_machine_stop(arg, expected);
	while (ls_rank(me) == 2 && node_kind() == LS_NODE_THREAD
		&& atomic_load(&returned[0]) + atomic_load(&returned[1]) < NODES - 2)
		nap(1);
	CHECK(failed == LS_ERR_LEFT || (!arg && failed == LS_ERR_TIMEOUT), "%s: %s", guarded(),
		ls_status_name(failed)); /* on a busy computer the limit comes first */
	failed = ls_shrink(me, &group, NULL);
	CHECK(!group && ls_shrink(me, &group, NULL) == failed, "%s: again", guarded());
	atomic_fetch_add(&returned[failed != expected], 1);
	return failed;
}

static void test_hindered(const ls_topology *t, bool stops)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .recover = true, .timeout = stops ? 0 : 0.1
	};
	ls_machine *machine = machine_on(t, &options);
	int status;

	guard("%s while others wait in ls_shrink", stops ? "a stop" : "the time limit");
	atomic_store(&returned[0], 0);
	atomic_store(&returned[1], 0);
	status = ls_run(machine, hinder, stops ? machine : NULL);
	while (ls_machine_busy(machine)) /* node 2 may return late */
		nap(1);
	CHECK((status == LS_ERR_LEFT || (!stops && status == LS_ERR_TIMEOUT))
			&& atomic_load(&returned[0]) == NODES - 1,
		"%s: %s, %d nodes", guarded(), ls_status_name(status), atomic_load(&returned[0]));
	if (stops)
		must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
}

int main(void)
{
	static const char text[] =
		"ls_shrink: the machine has a world or a trace; try one process and no trace";
	ls_topology *t = topology_of("ring:4");

	test_refusals(t);
	test_world(t, (struct refusal){ LS_ERR_UNSUPPORTED, text, false });
	test_world(t, (struct refusal){ LS_ERR_UNSUPPORTED, text, true });
	test_differing(t);
	test_attached(t);
	test_hindered(t, true);
	if (node_kind() == LS_NODE_THREAD) /* a light node that computes delays the others */
		test_hindered(t, false);
	ls_topology_destroy(t);
	return test_result();
}
