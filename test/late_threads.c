/*
 * Threads that return after the time limit of their run: their trace records do not reach the next
 * run, and the error that ls_detach has returned stays.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static pthread_t start(void *(*body)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, arg))
		exit(1);
	return thread;
}

static ls_node *attached_to(ls_machine *machine, int64_t rank, unsigned flags)
{
	ls_node *me;
	const int status = ls_attach(machine, rank, flags, &me);

	CHECK(status == LS_OK, "%s: node %" PRId64 ": %s", guarded(), rank, ls_status_name(status));
	if (status)
		exit(1);
	return me;
}

enum { STAYING = 8 };
static _Thread_local int own_rank;
static atomic_int stuck_rank, release;

static void stick(void *dst, const void *a, const void *b, size_t n, void *context)
{
	int none = -1;

	(void)context;
	(void)b;
	if (atomic_compare_exchange_strong(&stuck_rank, &none, own_rank))
		while (!atomic_load(&release))
			nap(1);
	memcpy(dst, a, n * sizeof(int64_t));
}

static int add_stuck(ls_node *me, void *op)
{
	static int64_t in[STAYING], out[STAYING];

	own_rank = (int)ls_rank(me);
	return ls_allreduce(me, &in[own_rank], &out[own_rank], 1, LS_INT64, *(ls_op *)op);
}

static int do_nothing(ls_node *me, void *unused)
{
	(void)me;
	(void)unused;
	return 0;
}

static void count(void *records, const struct ls_record *record)
{
	(void)record;
	++*(int *)records;
}

/* The thread puts records after the end of its run. */
static void test_late_records(enum ls_rounds rounds)
{
	int records;
	const struct ls_machine_options options = {
		.size = sizeof options,
		.rounds = rounds,
		.timeout = 0.2,
		.trace = count,
		.trace_context = &records,
		.engine = LS_MAILBOXES,
	};
	const struct ls_op_options how = { .size = sizeof how, .combine = stick, .commutative = true };
	ls_topology *t = topology_of("hypercube:3");
	ls_machine *machine = machine_on(t, &options);
	ls_op op;
	int status;

	guard("records of a thread that stays, rounds %d", (int)rounds);
	if (ls_op_make(&how, &op))
		exit(1);
	atomic_store(&stuck_rank, -1);
	atomic_store(&release, 0);
	status = ls_run(machine, add_stuck, &op);
	CHECK(status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(status));
	atomic_store(&release, 1);
	while (ls_machine_busy(machine))
		nap(1);
	records = 0;
	status = ls_run(machine, do_nothing, NULL);
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(),
		ls_status_name(status)); /* on a busy computer, past the limit */
	CHECK(records == 0, "%s: %d", guarded(), records);
	ls_op_destroy(op);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void *detach_late(void *machine)
{
	ls_node *me = attached_to(machine, 1, 0);

	while (!atomic_load_explicit(&release, memory_order_relaxed))
		nap(1);
	CHECK(ls_detach(me) == LS_ERR_TIMEOUT, "%s: node 1", guarded());
	return NULL;
}

static void test_late_detach(const ls_topology *t)
{
	const struct ls_machine_options options = { .size = sizeof options, .timeout = 1 };
	ls_machine *machine = machine_on(t, &options);
	struct ls_error first = { .size = sizeof first }, e = { .size = sizeof e };
	pthread_t late;

	guard("an attached thread detaches after the end of the run");
	atomic_store(&release, 0);
	late = start(detach_late, machine);
	CHECK(ls_detach(attached_to(machine, 0, 0)) == LS_ERR_TIMEOUT, "%s: node 0", guarded());
	CHECK(ls_last_error(machine, &first) == LS_ERR_TIMEOUT && first.node == 1, "%s: %s", guarded(),
		first.text);
	atomic_store_explicit(&release, 1, memory_order_relaxed);
	for (int i = 0; i < 20 || ls_machine_busy(machine); i++) {
		CHECK(ls_last_error(machine, &e) == LS_ERR_TIMEOUT && e.node == first.node
				&& strcmp(e.text, first.text) == 0,
			"%s: %s", guarded(), e.text);
		nap(1);
	}
	pthread_join(late, NULL);
	ls_machine_destroy(machine);
}

int main(void)
{
	ls_topology *t = topology_of("complete:2");

	test_late_records(LS_LOCKSTEP);
	test_late_records(LS_FREE);
	test_late_detach(t);
	ls_topology_destroy(t);
	return test_result();
}
