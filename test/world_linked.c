/*
 * Threads that are nodes of a machine over processes and of other machines of their process.  A
 * deadlock through these machines is reported as in one process, by all of them; no other wait is.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/world_run.h"
#include "test.h"

enum { NODES = 6, PAIRS = NODES / 2 };

/* Nodes 2 j and 2 j + 1 are the nodes of machine pair[j], where they are in one process. */
struct linked {
	ls_machine *pair[PAIRS], *inner; /* inner: node 0 runs it */
	int processes;
	int status[NODES]; /* of the wait of a node in another machine */
	const ls_topology *topology;
};

static bool is_together(const struct linked *l, int64_t rank)
{
	const int64_t even = rank / 2 * 2;

	for (int i = 0; i <= l->processes; i++) {
		if (ls_first_rank(l->topology, l->processes, i) == even + 1)
			return false;
	}
	return true;
}

static int wait_for(ls_node *node, int64_t from)
{
	int64_t word;

	return ls_receive(node, from, &word, sizeof word);
}

static int tell(ls_node *node, int64_t to)
{
	return ls_send(node, to, &(int64_t){ 1 }, sizeof(int64_t));
}

/* Be a node of a pair, too: even nodes wait there, odd ones in the machine over processes. */
static int wait_in_pair(ls_node *me, struct linked *l, int64_t awaited)
{
	const int64_t rank = ls_rank(me);
	ls_node *own = attached_to(l->pair[rank / 2], rank % 2, 0);
	int status;

	if (rank % 2 == 0) {
		status = l->status[rank] = wait_for(own, 1);
	} else {
		status = wait_for(me, awaited);
		if (!status)
			status = tell(own, 0);
	}
	ls_detach(own);
	return status;
}

/* Every odd node waits for its even one, which waits for it in the other machine. */
static int circle(ls_node *me, void *arg)
{
	struct linked *l = arg;

	return is_together(l, ls_rank(me)) ? wait_in_pair(me, l, ls_rank(me) - 1)
									   : wait_for(me, (ls_rank(me) + 1) % NODES);
}

/* The same of one pair only; the other nodes wait for it, and the last one does so late. */
static int late(ls_node *me, void *arg)
{
	if (ls_rank(me) < 2)
		return wait_in_pair(me, arg, 0);
	if (ls_rank(me) == NODES - 1)
		nap(60);
	return wait_for(me, 1);
}

/* It looks the same until the last node sends. */
static int no_deadlock(ls_node *me, void *arg)
{
	if (ls_rank(me) < 2)
		return wait_in_pair(me, arg, NODES - 1);
	if (ls_rank(me) < NODES - 1)
		return LS_OK;
	nap(30);
	return tell(me, 1);
}

/* A node of the inner machine is node 1 of the pair, for whose message node 1 waits. */
static int be_in_pair(ls_node *me, void *arg)
{
	struct linked *l = arg;
	ls_node *own;
	int status;

	if (ls_rank(me) > 0)
		return LS_OK;
	own = attached_to(l->pair[0], 0, 0);
	status = wait_for(own, 1);
	ls_detach(own);
	return status;
}

/* Node 0 waits for the run of the inner machine, this one in the pair for node 1. */
static int run_inner(ls_node *me, void *arg)
{
	struct linked *l = arg;
	ls_node *own;
	int status;

	if (ls_rank(me) == 0)
		return l->status[0] = ls_run(l->inner, be_in_pair, l);
	if (ls_rank(me) > 1)
		return wait_for(me, 0);
	own = attached_to(l->pair[0], 1, 0);
	status = wait_for(me, 0);
	ls_detach(own);
	return status;
}

static int compute(ls_node *me, void *unused)
{
	(void)unused;
	nap(30);
	return ls_barrier(me);
}

/* The inner machine computes while all other nodes wait. */
static int wait_for_inner(ls_node *me, void *arg)
{
	struct linked *l = arg;
	const int64_t rank = ls_rank(me);
	int status =
		rank == 0 ? l->status[0] = ls_run(l->inner, compute, NULL) : wait_for(me, rank - 1);

	if (!status && rank < NODES - 1)
		status = tell(me, rank + 1);
	return status;
}

static const struct {
	const char *name;
	int (*program)(ls_node *, void *);
	bool is_deadlock;
	bool equal; /* the text is that of one process */
} programs[] = {
	{ "circle", circle, true, false },
	{ "late", late, true, true },
	{ "no deadlock", no_deadlock, false, true },
	{ "inner", run_inner, true, true },
	{ "inner computes", wait_for_inner, false, true },
};

static struct world_outcome run_linked(struct linked *l, const struct world_run *run)
{
	ls_topology *two = topology_of("complete:2");
	const struct ls_machine_options options = { .size = sizeof options, .rounds = LS_FREE };
	struct world_outcome outcome;

	for (int j = 0; j < PAIRS; j++)
		l->pair[j] = machine_on(two, &options);
	l->inner = machine_on(two, &options);
	outcome = world_run(run);
	for (int j = 0; j < PAIRS; j++)
		ls_machine_destroy(l->pair[j]);
	ls_machine_destroy(l->inner);
	ls_topology_destroy(two);
	return outcome;
}

static void test_program(size_t k, enum ls_rounds rounds)
{
	ls_topology *t = topology_of("complete:6");
	struct world_outcome one = { 0 };

	for (int processes = 1; processes <= 3; processes++) {
		for (int seed = 1; seed <= (is_fast() || processes == 1 ? 1 : 8); seed++) {
			struct linked l = { .processes = processes, .topology = t };
			const struct world_run run = { .processes = processes,
				.seed = (uint64_t)seed,
				.spec = "complete:6",
				.options = { .rounds = rounds },
				.program = programs[k].program,
				.arg = &l };
			struct world_outcome outcome;

			guard(
				"%s, %d processes, rounds %d, seed %d", programs[k].name, processes, rounds, seed);
			outcome = run_linked(&l, &run);
			one = processes == 1 ? outcome : one;
			CHECK(outcome.status == (programs[k].is_deadlock ? LS_ERR_DEADLOCK : LS_OK), "%s: '%s'",
				guarded(), outcome.error.text);
			CHECK(l.status[0] == outcome.status, "%s: %s in the other machine", guarded(),
				ls_status_name(l.status[0]));
			CHECK(!programs[k].equal || strcmp(outcome.error.text, one.error.text) == 0,
				"%s: '%s', but in one process '%s'", guarded(), outcome.error.text, one.error.text);
		}
	}
	ls_topology_destroy(t);
}

int main(void)
{
	for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
		test_program(k, LS_LOCKSTEP);
		test_program(k, LS_FREE);
	}
	return test_result();
}
