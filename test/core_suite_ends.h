/*
 * The core suite: its networks and options, and runs that end by a deadlock, an error, a stop or a
 * time limit.
 */
#ifndef LOCKSTEP_TEST_CORE_SUITE_ENDS_H
#define LOCKSTEP_TEST_CORE_SUITE_ENDS_H

#include <inttypes.h>
#include <stdatomic.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* ---- Networks, options */

static const char *const suite_networks[] = { "complete:2", "ring:3", "linear:4", "mesh:2x3",
	"star:3", "hypercube:3", "torus:3x3", "hypercube:4" };
enum { SUITE_NETWORKS = sizeof suite_networks / sizeof *suite_networks };

/* Mostly small ones. */
static ls_topology *suite_network(uint64_t *seed)
{
	const int64_t most = random_below(seed, 4) ? 5 : SUITE_NETWORKS;

	return topology_of(suite_networks[random_below(seed, most)]);
}

static struct ls_machine_options suite_options(uint64_t *seed)
{
	return (struct ls_machine_options){ .size = sizeof(struct ls_machine_options),
		.rounds = random_below(seed, 2) ? LS_FREE : LS_LOCKSTEP,
		.mode = LS_ROUTED,
		.mailbox = 1 << random_below(seed, 3),
		.engine = (enum ls_engine)random_below(seed, 3),
		.node_kind = random_below(seed, 2) ? LS_NODE_FIBER : LS_NODE_THREAD };
}

/* ---- Ends: a deadlock, an error, different calls, a stop, a time limit, a stop and a deadlock */

enum suite_end { LISTENS, FAILS, DIFFERS, IS_STOPPED, IS_LATE, IS_STOPPED_LISTENING, SUITE_ENDS };
static const int end_status[SUITE_ENDS] = { LS_ERR_DEADLOCK, LS_ERR_PROGRAM, LS_ERR_MISMATCH,
	LS_ERR_STOPPED, LS_ERR_TIMEOUT, LS_ERR_STOPPED };

struct suite_ending {
	enum suite_end end;
	int64_t node, calls; /* the node that ends the run, after this number of barriers */
	ls_machine *machine;
	atomic_bool has_ended;
	int status[16]; /* that the nodes return */
};

static bool all_listen(const struct suite_ending *s)
{
	return s->end == LISTENS || s->end == IS_STOPPED_LISTENING;
}

static int end_run(ls_node *me, const struct suite_ending *s)
{
	int64_t word = 1;

	if (all_listen(s))
		return ls_receive(me, (ls_rank(me) + 1) % ls_size(me), &word, sizeof word);
	return s->end == FAILS ? 7 : ls_broadcast(me, &word, 1, LS_INT64, 0);
}

/* Endless runs have a node for which the others wait long. */
static int ending_program(ls_node *me, void *arg)
{
	struct suite_ending *s = arg;
	const bool is_endless = s->end == IS_STOPPED || s->end == IS_LATE;
	int failed = LS_OK;

	for (int64_t i = 0; (i < s->calls || is_endless) && !failed; i++) {
		if (is_endless && ls_rank(me) == s->node)
			nap(0.2);
		failed = ls_barrier(me);
	}
	if (!failed)
		failed = all_listen(s) || ls_rank(me) == s->node ? end_run(me, s) : ls_barrier(me);
	s->status[ls_rank(me)] = failed;
	return failed;
}

/* A run may end by a deadlock before this thread has seen it. */
static void *stop_machine(void *arg)
{
	struct suite_ending *s = arg;

	while (!ls_machine_busy(s->machine)) {
		if (atomic_load(&s->has_ended))
			return NULL;
		nap(0.01);
	}
	for (int64_t i = 0; i < s->calls; i++)
		nap(0.05);
	ls_machine_stop(s->machine, LS_ERR_STOPPED);
	return NULL;
}

/* All nodes return the status of the run, except the one that failed, and those that a stop before
 * the start has kept from beginning. */
static void check_end(const struct suite_ending *s, int status)
{
	struct ls_error error = { .size = sizeof error };

	ls_last_error(s->machine, &error);
	CHECK(status == end_status[s->end]
			|| (s->end == IS_STOPPED_LISTENING && status == LS_ERR_DEADLOCK),
		"%s: end %d: %s", guarded(), (int)s->end, error.text);
	CHECK(s->end >= DIFFERS || error.node == (s->end == FAILS ? s->node : 0),
		"%s: node %" PRId64 " is named: %s", guarded(), error.node, error.text);
	for (int64_t u = 0; u < ls_topology_nodes(ls_machine_topology(s->machine)); u++)
		CHECK(s->status[u] == status || (s->end == FAILS && u == s->node && s->status[u] == 7)
				|| (s->end >= IS_STOPPED && s->status[u] == LS_OK),
			"%s: end %d: node %" PRId64 " returned %s, the run %s", guarded(), (int)s->end, u,
			ls_status_name(s->status[u]), ls_status_name(status));
}

static void play_ends(uint64_t *seed)
{
	ls_topology *t = suite_network(seed);
	struct ls_machine_options options = suite_options(seed);
	struct suite_ending s = { .end = (enum suite_end)random_below(seed, SUITE_ENDS),
		.node = random_below(seed, ls_topology_nodes(t)),
		.calls = random_below(seed, 4) };
	const bool is_stopped = s.end == IS_STOPPED || s.end == IS_STOPPED_LISTENING;
	pthread_t stopper = 0;
	int status;

	options.timeout = s.end == IS_LATE ? 0.0005 * (double)(1 + s.calls) : 0;
	if (s.end == DIFFERS)
		options.rounds = LS_LOCKSTEP; /* free rounds compare calls only when a message arrives */
	s.machine = machine_on(t, &options);
	if (is_stopped)
		stopper = start_thread(stop_machine, &s);
	status = ls_run(s.machine, ending_program, &s);
	atomic_store(&s.has_ended, true);
	while (ls_machine_busy(s.machine)) /* after the time limit, threads may return late */
		nap(1);
	if (is_stopped)
		pthread_join(stopper, NULL);
	check_end(&s, status);
	if (s.end != IS_LATE) /* the next run would be, too */
		must_run(s.machine, add_ranks_program, NULL);
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

#endif
