#include "support/far_machine.h"

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

#include "world/agreement.h"

int __wrap_lsi_world_meet(
	ls_world *, int64_t *, const struct lsi_stop *, const struct lsi_stop *, bool *);

enum { SUMMED = 11 }; /* numbers of an agreement; the last one is 0 over all processes */

static struct far_machine *machine_of(struct lsi_transport *t)
{
	return t->state;
}

/* ---- The transport */

static int far_send(struct lsi_transport *t, int to, int tag, const void *data, size_t bytes,
	struct lsi_transfer *transfer)
{
	(void)tag, (void)transfer; /* complete at once */
	machine_of(t)->messages++;
	machine_of(t)->send(machine_of(t), to, data, bytes);
	return LS_OK;
}

static int far_receive(struct lsi_transport *t, int from, int tag, void *into, size_t bytes,
	struct lsi_transfer *transfer)
{
	(void)tag;
	machine_of(t)->receive(machine_of(t), from, into, bytes);
	transfer->begun = true;
	return LS_OK;
}

static int far_test(struct lsi_transport *t, struct lsi_transfer *transfer, bool *done)
{
	*done = !transfer->begun || !machine_of(t)->waits;
	transfer->begun = !*done;
	return LS_OK;
}

/* The others have the same numbers: those of a meeting, and those of an agreement. */
int __wrap_lsi_world_meet(ls_world *world, int64_t *number, const struct lsi_stop *withdraws,
	const struct lsi_stop *stop, bool *met)
{
	(void)world, (void)number, (void)withdraws, (void)stop;
	*met = true;
	return LS_OK;
}

static int far_least(struct lsi_transport *t, int64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)number, (void)n, (void)transfer;
	return LS_OK;
}

/*
 * The sums over all processes, as far as the sweep needs them.  The last number of an agreement is
 * that of the messages that leave minus those that come: over all processes it is 0.
 */
static int far_sum(struct lsi_transport *t, uint64_t *number, int n, struct lsi_transfer *transfer)
{
	(void)t, (void)transfer;
	if (n == SUMMED)
		number[n - 1] = 0;
	return LS_OK;
}

static void far_abort(struct lsi_transport *t, int code, const char *text)
{
	(void)t;
	CHECK(false, "aborted with %d: %s", code, text);
}

static void put_rank(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)first, (void)n;
	*(uint64_t *)into = (uint64_t)rank;
}

struct ls_sweep_result far_run(struct far_machine *m, const ls_plan *plan, uint64_t *output)
{
	m->transport.state = m;

	struct ls_world world = { .transport = &m->transport, .hosts = 1 };
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_UINT64,
		.make = put_rank,
		.output = output,
		.workers = 2,
		.world = &world };
	struct ls_sweep_result out = { .size = sizeof out };

	CHECK(ls_sweep_run(&sweep, &out) == out.error.kind, "%s", out.error.text);
	return out;
}

struct far_machine far_machine(int processes, int process, void *state)
{
	return (struct far_machine){ .transport = { .size = sizeof(struct lsi_transport),
									 .version = LSI_TRANSPORT_VERSION,
									 .processes = processes,
									 .process = process,
									 .library = "test",
									 .host = "test",
									 .send = far_send,
									 .receive = far_receive,
									 .test = far_test,
									 .least = far_least,
									 .sum = far_sum,
									 .abort = far_abort },
		.state = state };
}

ls_plan *far_plan(const ls_topology *t, const char *algorithm)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLREDUCE,
		.algorithm = algorithm,
		.type = LS_UINT64,
		.count = 1 };

	return plan_for(&request);
}

uint64_t sum_of_ranks(int64_t first, int64_t n)
{
	return (uint64_t)n * (uint64_t)first + (uint64_t)(n / 2) * (uint64_t)(n - 1);
}
