/*
 * A plan of the caller that does not fit a call, its network, type or operator, is refused at every
 * node, before any message.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct planned {
	const char *name;
	const char *spec; /* of the plan's network; the machine has a ring */
	ls_type type;
	ls_op op;
	const ls_plan *plan;
};

static int call_by_plan(ls_node *me, void *arg)
{
	const struct planned *planned = arg;
	int64_t mine[2] = { ls_rank(me) }, sum[2];
	const struct ls_call call = { .size = sizeof call,
		.operation = LS_ALLREDUCE,
		.input = mine,
		.output = sum,
		.count = 1,
		.type = planned->type,
		.op = planned->op,
		.plan = planned->plan };
	const int status = ls_collective(me, &call);

	CHECK(status == LS_ERR_ARGUMENT, "%s: node %" PRId64 ": %s", guarded(), ls_rank(me),
		ls_status_name(status));
	return LS_OK;
}

static void test_planned(ls_machine *machine, struct planned planned)
{
	ls_topology *t = topology_of(planned.spec);
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .operation = LS_ALLREDUCE
	};
	ls_plan *plan;

	guard("%s", planned.name);
	CHECK(!ls_plan_make(&request, &plan, NULL), "plan");
	planned.plan = plan;
	must_run(machine, call_by_plan, &planned);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_plans(enum ls_engine engine)
{
	const struct planned plans[] = {
		{ "another network", "hypercube:3", LS_INT64, LS_SUM, NULL },
		{ "bits of a double", "ring:8", LS_DOUBLE, LS_BAND, NULL },
		{ "bits of the default type", "ring:8", NULL, LS_BXOR, NULL },
		{ "the place of a plain number", "ring:8", LS_INT64, LS_MINLOC, NULL },
	};
	ls_topology *ring = topology_of("ring:8");
	const struct ls_machine_options options = { .size = sizeof options, .engine = engine };
	ls_machine *machine = machine_on(ring, &options);

	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
		test_planned(machine, plans[i]);
	ls_machine_destroy(machine);
	ls_topology_destroy(ring);
}

int main(void)
{
	test_plans(LS_MAILBOXES);
	test_plans(LS_COOPERATIVE);
	return test_result();
}
