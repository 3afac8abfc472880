/*
 * A program for debuggers: test/fibers_debuggers.sh runs it in gdb and in Valgrind.  Without an
 * argument it is right.  With one, node 1 plants an error that only its own stack shows:
 *
 *   undefined   a decision by a variable that has no value
 *   below       a write below the stack pointer, to the variable of a function that has returned
 */
#include <stdint.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static const char *planted = "";
static volatile uintptr_t kept; /* an address, which the compiler does not follow */
static _Thread_local volatile int sink;

static __attribute__((noinline)) void keep_local(void)
{
	int local[64];

	kept = (uintptr_t)local;
}

static __attribute__((noinline)) void write_below(void)
{
	keep_local();
	*(volatile int *)kept = 1;
}

static __attribute__((noinline)) void decide(const int *value)
{
	if (*value > 0)
		sink = 1;
}

static __attribute__((noinline)) void decide_by_undefined(void)
{
	int values[4];

	kept = (uintptr_t)values;
	decide(values + 2);
}

/* gdb stops here. */
__attribute__((noinline)) void fiber_debugged_stop(int64_t rank)
{
	sink = (int)rank;
	if (rank == 1 && strcmp(planted, "undefined") == 0)
		decide_by_undefined();
	if (rank == 1 && strcmp(planted, "below") == 0)
		write_below();
	sink = 0;
}

static int stop_between(ls_node *me, void *unused)
{
	int failed = add_ranks(me);

	(void)unused;
	if (!failed)
		fiber_debugged_stop(ls_rank(me));
	return failed ? failed : add_ranks(me);
}

int main(int argc, char **argv)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.node_kind = LS_NODE_FIBER };
	ls_topology *t = topology_of("complete:8");
	ls_machine *machine = machine_on(t, &options);

	planted = argc > 1 ? argv[1] : "";
	must_run(machine, stop_between, NULL);
	must_run(machine, stop_between, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return test_result();
}
