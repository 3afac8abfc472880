/*
 * Links go down and come up while nodes run all-reduces.  Every result is right, and messages take
 * a route without the link that is down.  In hop mode a message across it fails with LS_ERR_LINK.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sched.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { CHANGES = 300, WORDS = 600 };

struct storm {
	const ls_topology *topology;
	ls_machine *machine;
	atomic_int over;
	atomic_llong calls; /* that node 0 has completed */
};

/* A wire of the network, by a random node and link. */
static int64_t wire(const ls_topology *t, uint64_t *state, int64_t *peer)
{
	int64_t u;

	do
		u = random_below(state, ls_topology_nodes(t));
	while (ls_degree(t, u) == 0);
	*peer = ls_neighbor(t, u, random_below(state, ls_degree(t, u)));
	return u;
}

static void await_calls(struct storm *storm, long long n)
{
	const long long until = atomic_load(&storm->calls) + n;

	while (atomic_load(&storm->calls) < until && !atomic_load(&storm->over))
		sched_yield();
}

/* One wire is down at a time: the networks below stay connected. */
static void *change(void *arg)
{
	struct storm *storm = arg;
	uint64_t state = 7;

	if (process_count() > 1) /* which must have equal links when they begin a run */
		await_calls(storm, 1);
	for (int i = 0; i < CHANGES; i++) {
		int64_t v;
		const int64_t u = wire(storm->topology, &state, &v);

		CHECK(ls_link_set(storm->machine, u, v, false) == LS_OK, "%s: down", guarded());
		await_calls(storm, 2); /* so that a whole call runs without the wire */
		CHECK(ls_link_set(storm->machine, v, u, true) == LS_OK, "%s: up", guarded());
	}
	atomic_store(&storm->over, 1);
	return NULL;
}

/* All-reduces until the storm is over, which all nodes learn from the sum of their flags. */
static int program(ls_node *me, void *arg)
{
	struct storm *storm = arg;
	int64_t *in = memory(WORDS, sizeof *in), *out = memory(WORDS, sizeof *out);
	const int64_t p = ls_size(me);
	int64_t over = 0;
	int failed = LS_OK;

	for (int64_t call = 0; over == 0 && !failed; call++) {
		const size_t n = call % 3 ? 2 : WORDS;

		for (size_t i = 0; i < n; i++)
			in[i] = ls_rank(me) + call + (int64_t)i;
		in[0] = atomic_load(&storm->over);
		failed = ls_allreduce(me, in, out, n, LS_INT64, LS_SUM);
		over = out[0];
		if (ls_rank(me) == 0)
			atomic_fetch_add(&storm->calls, 1);
		sched_yield(); /* fibers leave no time for the thread that changes wires */
		for (size_t i = 1; i < n && !failed; i++)
			CHECK(out[i] == p * (p - 1) / 2 + p * (call + (int64_t)i), "%s: call %" PRId64,
				guarded(), call);
	}
	free(in);
	free(out);
	return failed;
}

static void test_storm(const char *spec, enum ls_rounds rounds)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .mode = LS_ROUTED
	};
	struct storm storm = { .topology = t, .machine = machine_on(t, &options) };
	pthread_t thread;

	guard("storm on %s, %s rounds", spec, rounds == LS_LOCKSTEP ? "lockstep" : "free");
	thread = start_thread(change, &storm);
	must_run(storm.machine, program, &storm);
	atomic_store(&storm.over, 1); /* also after a failed run */
	pthread_join(thread, NULL);
	check_reroutes(storm.machine);
	ls_machine_destroy(storm.machine);
	ls_topology_destroy(t);
}

/* ---- A single wire down for a whole run */

/* A word to the neighbor over link 0 of node 0, and back the other way. */
static int cross(ls_node *me, void *arg)
{
	const int64_t peer = *(const int64_t *)arg, u = ls_rank(me);
	int64_t got = -1;
	int failed = LS_OK;

	if (u == 0)
		failed = ls_send(me, peer, &u, sizeof u);
	if (u == peer)
		failed = ls_receive(me, 0, &got, sizeof got);
	CHECK(failed || u != peer || got == 0, "%s: %" PRId64, guarded(), got);
	return failed ? failed : ls_next_round(me);
}

static void test_down(const char *spec, enum ls_mode mode, int want, int64_t load)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = { .size = sizeof options, .mode = mode };
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };
	struct ls_stats stats = { .size = sizeof stats };
	int64_t peer = ls_neighbor(t, 0, 0);

	guard("a wire of %s is down, %s", spec, mode == LS_HOP ? "hop" : "routed");
	CHECK(ls_link_set(machine, 0, peer, false) == LS_OK
			&& ls_link_set(machine, peer, 0, false) == LS_OK,
		"%s", guarded());

	const int status = ls_run(machine, cross, &peer);

	ls_last_error(machine, &e);
	CHECK(status == want && e.kind == want, "%s: %s", guarded(), e.text);
	CHECK(want == LS_OK
			|| (e.node == 0 && e.peer == peer && e.round == 1 && e.link == ls_link_label(t, 0)),
		"%s: node %" PRId64 ", peer %" PRId64 ", link %" PRId64, guarded(), e.node, e.peer, e.link);
	ls_machine_stats(machine, &stats);
	CHECK(want || (stats.reroutes == 1 && stats.link_load == load), "%s: %" PRId64, guarded(),
		stats.reroutes);
	CHECK(ls_link_set(machine, 0, peer, true) == LS_OK
			&& ls_link_set(machine, 0, peer, true) == LS_OK,
		"%s", guarded());
	must_run(machine, cross, &peer);
	ls_machine_stats(machine, &stats);
	CHECK(stats.reroutes == 0, "%s: a re-route over a wire that is up", guarded());
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

static void test_arguments(void)
{
	ls_topology *t = topology_of("ring:6");
	ls_machine *machine = machine_on(t, NULL);

	guard("wires that are none");
	CHECK(ls_link_set(machine, 0, 2, false) == LS_ERR_ARGUMENT
			&& ls_link_set(machine, 0, 0, false) == LS_ERR_ARGUMENT
			&& ls_link_set(machine, -1, 0, true) == LS_ERR_ARGUMENT
			&& ls_link_set(machine, 0, 6, true) == LS_ERR_ARGUMENT
			&& ls_link_set(machine, INT64_MIN, INT64_MAX, true) == LS_ERR_ARGUMENT,
		"%s", guarded());
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "ring:5", "torus:3x3", "hypercube:3", "star:3" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		test_storm(specs[i], LS_LOCKSTEP);
		test_storm(specs[i], LS_FREE);
		test_down(specs[i], LS_HOP, LS_ERR_LINK, 0);
		test_down(specs[i], LS_ROUTED, LS_OK, 1);
	}
	test_down("linear:3", LS_ROUTED, LS_ERR_LINK, 0);
	test_arguments();
	return test_result();
}
