/*
 * Handles that a program must not use: of a run that has ended, of another node, of a group that
 * was left, NULL.  Every call returns LS_ERR_ARGUMENT, changes nothing, and the next run is right.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { P = 4 };

/* ---- Every call of a node; the buffers are large enough for all */

static int64_t in[P * P], out[P * P];
static const size_t counts[P] = { 1, 1, 1, 1 };

#define FOR_CALLS(X) \
	X(ls_send(me, 1, in, 8)) \
	X(ls_receive(me, 1, out, 8)) \
	X(ls_next_round(me)) \
	X(ls_split(me, 0, 0, &sub)) \
	X(ls_split_axis(me, 0, &sub)) \
	X(ls_split_subcube(me, 1, &sub)) \
	X(ls_split_substar(me, 1, &sub)) \
	X(ls_embed(me, NULL, &sub)) \
	X(ls_detach(me)) \
	X(ls_barrier(me)) \
	X(ls_broadcast(me, out, 1, LS_INT64, 0)) \
	X(ls_reduce(me, in, out, 1, LS_INT64, LS_SUM, 0)) \
	X(ls_allreduce(me, in, out, 1, LS_INT64, LS_SUM)) \
	X(ls_scan(me, in, out, 1, LS_INT64, LS_SUM)) \
	X(ls_exscan(me, in, out, 1, LS_INT64, LS_SUM)) \
	X(ls_shift(me, in, out, 1, LS_INT64, 1)) \
	X(ls_allgather(me, in, out, 1, LS_INT64)) \
	X(ls_gather(me, in, out, 1, LS_INT64, 0)) \
	X(ls_scatter(me, in, out, 1, LS_INT64, 0)) \
	X(ls_reduce_scatter(me, in, out, 1, LS_INT64, LS_SUM)) \
	X(ls_alltoall(me, in, out, 1, LS_INT64)) \
	X(ls_allgatherv(me, in, out, counts, LS_INT64)) \
	X(ls_gatherv(me, in, out, counts, LS_INT64, 0)) \
	X(ls_scatterv(me, in, out, counts, LS_INT64, 0)) \
	X(ls_reduce_scatterv(me, in, out, counts, LS_INT64, LS_SUM)) \
	X(ls_alltoallv(me, in, counts, out, counts, LS_INT64)) \
	X(ls_collective(me, &call)) \
	X(ls_collective(me, NULL))

static void use(ls_node *me)
{
	const struct ls_call call = { .size = sizeof call, .operation = LS_BARRIER };
	ls_node *sub = me;

#define REFUSED(what) \
	CHECK(what == LS_ERR_ARGUMENT, "%s: " #what ": not refused", guarded()); \
	CHECK(!sub || sub == me, "%s: " #what ": a handle", guarded());
	FOR_CALLS(REFUSED)
	ls_leave(me);
	ls_leave(me);
}

/* Queries answer for any handle. */
static void query(const ls_node *me, bool is_known)
{
	const int64_t rank = ls_rank(me), size = ls_size(me);

	CHECK(is_known ? rank >= 0 && rank < P && size == P : rank == LS_NO_RANK && size == 0,
		"%s: rank %" PRId64 " of %" PRId64, guarded(), rank, size);
	CHECK(is_known == (ls_node_topology(me) != NULL), "%s: topology", guarded());
	CHECK(is_known || ls_round(me) == 0, "%s: round %" PRId64, guarded(), ls_round(me));
}

/* ---- Of a run that has ended */

static ls_node *whole[P], *part[P];

static int keep_handles(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	int64_t sum, one = 1;
	int failed = ls_split(me, rank % 2, 0, &part[rank]);

	(void)unused;
	whole[rank] = me;
	if (!failed)
		failed = ls_allreduce(part[rank], &one, &sum, 1, LS_INT64, LS_SUM);
	return failed ? failed : add_ranks(me);
}

static void use_all(void)
{
	for (int i = 0; i < P; i++) {
		use(whole[i]);
		use(part[i]);
		query(whole[i], true);
		query(part[i], false);
	}
}

static void test_ended(ls_machine *machine)
{
	for (int run = 0; run < 3; run++) {
		guard("handles of a run that has ended, run %d", run);
		must_run(machine, keep_handles, NULL);
		use_all();
	}
	must_run(machine, add_ranks_program, NULL);
}

/* ---- Of another node, or of a run before, while the next one runs */

static atomic_int ready, used;

static int use_others(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	ls_node *sub;
	int failed = ls_split(me, 0, 0, &sub);

	(void)unused;
	if (failed)
		return failed;
	use(part[rank]);
	whole[rank] = sub;
	atomic_fetch_add(&ready, 1);
	failed = ls_barrier(me);
	for (int i = 0; i < P; i++) {
		if (i != rank)
			use(whole[i]);
	}
	while (!atomic_load(&used))
		;
	return failed ? failed : add_ranks(sub);
}

static void *use_in_thread(void *unused)
{
	(void)unused;
	while (atomic_load(&ready) < P)
		;
	for (int i = 0; i < P; i++)
		use(whole[i]);
	atomic_store(&used, 1);
	return NULL;
}

static void test_foreign(ls_machine *machine)
{
	pthread_t thread;

	guard("handles of other nodes");
	must_run(machine, keep_handles, NULL);
	thread = start_thread(use_in_thread, NULL);
	must_run(machine, use_others, NULL);
	pthread_join(thread, NULL);
}

/* ---- Of a group that was left */

static int leave_and_use(ls_node *me, void *unused)
{
	enum { GROUPS = 200 };
	ls_node *sub[GROUPS];
	int failed = LS_OK;

	(void)unused;
	for (int i = 0; i < GROUPS && !failed; i++) {
		failed = ls_split(me, 0, 0, &sub[i]);
		if (!failed)
			failed = add_ranks(sub[i]);
		ls_leave(sub[i]);
		use(sub[i]);
		query(sub[i], false);
	}
	return failed ? failed : add_ranks(me);
}

/* ---- After an error */

static int fail_and_use(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	int64_t word = 0;
	ls_node *sub;
	int failed = ls_split(me, 0, 0, &sub);

	(void)unused;
	if (!failed)
		failed = rank == 2 ? ls_send(me, 2, &word, sizeof word) : ls_barrier(sub);
	CHECK(failed == LS_ERR_LINK && add_ranks(me) == failed && add_ranks(sub) == failed
			&& ls_next_round(me) == failed && ls_split(me, 0, 0, &sub) == failed && !sub,
		"%s: %s", guarded(), ls_status_name(failed));
	ls_leave(me);
	ls_leave(sub);
	return rank == 1 ? 0 : failed;
}

int main(void)
{
	ls_topology *t = topology_of("complete:4");
	ls_machine *machine = machine_on(t, NULL);

	guard("no handle");
	use(NULL);
	query(NULL, false);
	test_ended(machine);
	test_foreign(machine);
	guard("handles that were left");
	must_run(machine, leave_and_use, NULL);
	guard("calls after an error");
	CHECK(ls_run(machine, fail_and_use, NULL) == LS_ERR_LINK, "%s", guarded());
	must_run(machine, add_ranks_program, NULL);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return test_result();
}
