/*
 * Nodes go down.  In routed mode each message between the others arrives, for every set of fewer
 * nodes than the degree.  A message from or to a node that is down, or that has no path, is an
 * error that names what is down.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/spread_machine.h"
#include "test.h"

enum { MOST = 3 };

/* ---- Every set of nodes */

struct sets {
	ls_machine *machine;
	int most, every; /* set number 0, every, 2 every, .. is tried */
};

/* The next set of up to `most` of p nodes, in increasing order; false: it was the last. */
static bool next_set(int64_t *set, int *n, int most, int64_t p)
{
	if (*n < most && (*n == 0 || set[*n - 1] + 1 < p)) {
		set[*n] = *n == 0 ? 0 : set[*n - 1] + 1;
		++*n;
		return true;
	}
	while (*n > 0 && set[*n - 1] + 1 >= p)
		--*n;
	if (*n > 0)
		set[*n - 1]++;
	return *n > 0;
}

static bool contains(const int64_t *set, int n, int64_t node)
{
	while (n > 0 && set[n - 1] != node)
		n--;
	return n > 0;
}

/* In round k every node that is up sends to the one k ranks further, if that one is up. */
static int send_to_all(ls_node *me, const int64_t *set, int n)
{
	const int64_t p = ls_size(me), rank = ls_rank(me);
	int failed = LS_OK;

	for (int64_t k = 1; k < p && !failed; k++) {
		const int64_t to = (rank + k) % p, from = (rank + p - k) % p, mine = rank * p + k;
		int64_t got = -1;
		const bool up = !contains(set, n, rank);
		const bool sends = up && !contains(set, n, to), receives = up && !contains(set, n, from);

		if (sends)
			failed = ls_send(me, to, &mine, sizeof mine);
		if (receives && !failed)
			failed = ls_receive(me, from, &got, sizeof got);
		CHECK(failed || !receives || got == from * p + k, "%s: %" PRId64 " at %" PRId64, guarded(),
			got, rank);
		failed = failed ? failed : ls_next_round(me);
	}
	return failed;
}

static int change_all(ls_machine *machine, const int64_t *set, int n, bool up)
{
	int failed = LS_OK;

	for (int i = 0; i < n && !failed; i++)
		failed = ls_node_set(machine, set[i], up);
	return failed;
}

/* Node 0 changes the nodes, between two rounds. */
static int try_sets(ls_node *me, void *arg)
{
	const struct sets *s = arg;
	int64_t set[MOST];
	int n = 0, failed = LS_OK;

	for (int number = 0; !failed && next_set(set, &n, s->most, ls_size(me)); number++) {
		if (number % s->every)
			continue;
		if (ls_rank(me) == 0)
			CHECK(change_all(s->machine, set, n, false) == LS_OK, "%s: down", guarded());
		failed = ls_next_round(me);
		failed = failed ? failed : send_to_all(me, set, n);
		if (ls_rank(me) == 0)
			CHECK(change_all(s->machine, set, n, true) == LS_OK, "%s: up", guarded());
		failed = failed ? failed : ls_next_round(me);
	}
	return failed;
}

static void test_sets(const char *spec, int most, int every)
{
	ls_topology *t = topology_of(spec);
	const struct ls_machine_options options = { .size = sizeof options, .mode = LS_ROUTED };
	struct sets s = { machine_on(t, &options), most, every };

	guard("sets of up to %d nodes of %s", most, spec);
	must_run(s.machine, try_sets, &s);
	check_reroutes(s.machine);
	ls_machine_destroy(s.machine);
	ls_topology_destroy(t);
}

/* ---- The errors */

/* Node 0 sends a word to node 7. */
static int send_one(ls_node *me, void *arg)
{
	int64_t word = 1;

	(void)arg;
	if (ls_rank(me) == 0)
		return ls_send(me, 7, &word, sizeof word);
	return ls_rank(me) == 7 ? ls_receive(me, 0, &word, sizeof word) : LS_OK;
}

static void test_errors(void)
{
	static const struct {
		const char *spec;
		enum ls_mode mode;
		int64_t down[4]; /* nodes; -1: none */
		const char *text;
	} row[] = {
		{ "hypercube:3", LS_ROUTED, { 0, -1, -1, -1 },
			"node 0 sends to node 7 in round 1 (send), but node 0 is down" },
		{ "hypercube:3", LS_ROUTED, { 7, -1, -1, -1 },
			"node 0 sends to node 7 in round 1 (send), but node 7 is down" },
		{ "hypercube:3", LS_ROUTED, { 6, 4, 3, 5 },
			"no path from node 0 to node 7 is up in round 1 (send); "
			"cut by node 6, node 3, node 5 around node 7" },
		{ "linear:8", LS_ROUTED, { 1, -1, -1, -1 },
			"no path from node 0 to node 7 is up in round 1 (send); cut by node 1 around node 0" },
		{ "linear:9", LS_ROUTED, { 5, -1, -1, -1 },
			"no path from node 0 to node 7 is up in round 1 (send); "
			"cut by node 5 around node 7 and 2 more" },
		{ "complete:8", LS_HOP, { 7, -1, -1, -1 },
			"node 0 sends to node 7 in round 1 (send), but node 7 is down" },
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		ls_topology *t = topology_of(row[i].spec);
		const struct ls_machine_options options = { .size = sizeof options, .mode = row[i].mode };
		ls_machine *machine = machine_on(t, &options);
		struct ls_error e = { .size = sizeof e };

		guard("error %zu on %s", i, row[i].spec);
		for (int k = 0; k < 4 && row[i].down[k] >= 0; k++)
			CHECK(ls_node_set(machine, row[i].down[k], false) == LS_OK, "%s", guarded());
		CHECK(ls_run(machine, send_one, NULL) == LS_ERR_LINK, "%s", guarded());
		ls_last_error(machine, &e);
		CHECK(strcmp(e.text, row[i].text) == 0 && e.node == 0 && e.peer == 7, "%s: '%s'", guarded(),
			e.text);
		for (int k = 0; k < 4 && row[i].down[k] >= 0; k++)
			CHECK(ls_node_set(machine, row[i].down[k], true) == LS_OK, "%s", guarded());
		must_run(machine, send_one, NULL);
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
	}
}

/* A cut of more faults than the text has room for. */
static void test_long_cut(void)
{
	ls_topology *t = topology_of("complete:40");
	const struct ls_machine_options options = { .size = sizeof options, .mode = LS_ROUTED };
	ls_machine *machine = machine_on(t, &options);
	struct ls_error e = { .size = sizeof e };
	int64_t named = 0, more = 0;
	const char *rest;

	guard("a long cut");
	for (int64_t v = 0; v < 40; v++)
		CHECK(v == 7 || ls_link_set(machine, v, 7, false) == LS_OK, "%s", guarded());
	CHECK(ls_run(machine, send_one, NULL) == LS_ERR_LINK, "%s", guarded());
	ls_last_error(machine, &e);
	for (const char *at = e.text; (at = strstr(at, "link ")); at++)
		named++;
	rest = strstr(e.text, " and ");
	CHECK(rest && sscanf(rest, " and %" SCNd64 " more around node 7", &more) == 1
			&& strstr(rest, " around node 7") && named + more == 39,
		"%s: '%s'", guarded(), e.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

/* A switch of a tree is a vertex, too; a rank that is none is refused. */
static void test_arguments(void)
{
	ls_topology *t = topology_of("tree:4");
	ls_machine *machine = machine_on(t, NULL);
	const int64_t last = ls_topology_vertices(t) - 1;

	guard("nodes that are none");
	CHECK(ls_node_set(machine, -1, false) == LS_ERR_ARGUMENT
			&& ls_node_set(machine, last + 1, false) == LS_ERR_ARGUMENT
			&& ls_node_set(machine, last, false) == LS_OK
			&& ls_node_set(machine, last, false) == LS_OK
			&& ls_node_set(machine, last, true) == LS_OK
			&& ls_node_set(machine, last, true) == LS_OK,
		"%s", guarded());
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	const int every = is_long() ? 1 : is_fast() || is_thin() ? 41 : 13;

	test_sets("hypercube:3", 2, every / 4 + 1);
	test_sets("hypercube:4", 3, every);
	test_sets("star:4", 2, every);
	test_errors();
	test_long_cut();
	test_arguments();
	return test_result();
}
