/*
 * Routed messages in lockstep rounds over processes: the load of links.  Random messages, whose
 * routes this test counts by itself; collective calls, compared with one process; strict machines,
 * in which two messages on a link are an error; a link that two groups use in the same round; and
 * one that changes while runs begin.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/world_run.h"
#include "test.h"

enum { NODES_MOST = 12, ROUNDS = 6, LINKS_MOST = 1000 };

/* ---- Random messages: to[r][i] is the receiver of node i in round r, or -1 */

struct script {
	int64_t nodes;
	int64_t to[ROUNDS][NODES_MOST];
	bool ends_last_round;
};

static int64_t sender_to(const struct script *s, int round, int64_t rank)
{
	for (int64_t i = 0; i < s->nodes; i++) {
		if (s->to[round][i] == rank)
			return i;
	}
	return -1;
}

static int play_script(ls_node *me, void *script)
{
	const struct script *s = script;
	const int64_t rank = ls_rank(me);
	int failed = 0;

	for (int r = 0; r < ROUNDS && !failed; r++) {
		const int64_t to = s->to[r][rank], from = sender_to(s, r, rank);
		int64_t word = rank;

		if (to >= 0)
			failed = ls_send(me, to, &word, sizeof word);
		if (!failed && from >= 0)
			failed = ls_receive(me, from, &word, sizeof word);
		if (!failed && (r + 1 < ROUNDS || s->ends_last_round))
			failed = ls_next_round(me);
	}
	return failed;
}

/* From some round on a random permutation, without its fixed points and some others. */
static struct script random_script(int64_t nodes, uint64_t *random, int64_t density)
{
	struct script s = { .nodes = nodes, .ends_last_round = random_below(random, 2) };
	const int64_t first = random_below(random, 2) ? ROUNDS - 1 : random_below(random, ROUNDS);

	memset(s.to, 0xff, sizeof s.to);
	for (int64_t r = first; r < ROUNDS; r++) {
		for (int64_t i = 0; i < nodes; i++)
			s.to[r][i] = i;
		for (int64_t i = nodes - 1; i > 0; i--) {
			const int64_t j = random_below(random, i + 1), other = s.to[r][i];

			s.to[r][i] = s.to[r][j];
			s.to[r][j] = other;
		}
		for (int64_t i = 0; i < nodes; i++) {
			if (s.to[r][i] == i || random_below(random, 100) >= density)
				s.to[r][i] = -1;
		}
	}
	return s;
}

/* The largest load, and the first round in which it exceeds 1 (0: none). */
static int64_t largest_load(const ls_topology *t, const struct script *s, int *crowded)
{
	int64_t most = 0;

	*crowded = 0;
	for (int r = 0; r < ROUNDS; r++) {
		int64_t load[LINKS_MOST] = { 0 };

		for (int64_t i = 0; i < s->nodes; i++) {
			for (int64_t at = i; s->to[r][i] >= 0 && at != s->to[r][i];) {
				const int64_t link = ls_first_hop(t, at, s->to[r][i]);
				int64_t *here = &load[at * ls_topology_degree(t) + link];

				most = ++*here > most ? *here : most;
				if (*here > 1 && !*crowded)
					*crowded = r + 1;
				at = ls_neighbor(t, at, link);
			}
		}
	}
	return most;
}

static void test_script(
	const ls_topology *t, const char *spec, int processes, struct script s, uint64_t seed)
{
	int crowded;
	const int64_t load = largest_load(t, &s, &crowded);
	struct world_run run = { .processes = processes,
		.seed = seed,
		.spec = spec,
		.options = { .mode = LS_ROUTED },
		.program = play_script,
		.arg = &s };
	struct world_outcome outcome;

	guard("%s, %d processes, messages%s", spec, processes,
		s.ends_last_round ? "" : ", the last round does not end");
	outcome = world_run(&run);
	CHECK(outcome.status == LS_OK && outcome.stats.link_load == load,
		"%s: %s: load %" PRId64 ", expected %" PRId64, guarded(), outcome.error.text,
		outcome.stats.link_load, load);
	run.options.strict = true;
	outcome = world_run(&run);
	CHECK(outcome.status == (crowded ? LS_ERR_CONGESTION : LS_OK)
			&& (!crowded || outcome.error.round == crowded),
		"%s, strict: %s, round %" PRId64 ", expected %d", guarded(), outcome.error.text,
		outcome.error.round, crowded);
}

/* The senders 2 and 4 of ring:8 are in different processes, and both use the link from 4 to 5. */
static void test_shared_link(void)
{
	ls_topology *t = topology_of("ring:8");

	for (int ends = 0; ends < 2; ends++) {
		struct script s = { .nodes = 8, .ends_last_round = ends };

		memset(s.to, 0xff, sizeof s.to);
		s.to[ROUNDS - 1][2] = 5;
		s.to[ROUNDS - 1][4] = 6;
		test_script(t, "ring:8", 2, s, 1 + (uint64_t)ends);
	}
	ls_topology_destroy(t);
}

/* ---- Collective calls, also of groups */

static int call_all(ls_node *me, void *unused)
{
	const int64_t mine = ls_rank(me);
	int64_t sum;
	ls_node *half;
	int failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, LS_SUM);

	(void)unused;
	if (!failed)
		failed = ls_split(me, ls_rank(me) % 2, 0, &half);
	if (!failed)
		failed = add_ranks(half);
	if (!failed)
		ls_leave(half);
	return failed ? failed : add_ranks(me);
}

static void test_calls(const char *spec, int processes)
{
	struct world_run run = { .processes = 1,
		.seed = 1,
		.spec = spec,
		.options = { .mode = LS_ROUTED },
		.program = call_all };
	const struct world_outcome one = world_run(&run);
	struct world_outcome several;

	guard("%s, %d processes, calls", spec, processes);
	run.processes = processes;
	several = world_run(&run);
	CHECK(one.status == LS_OK && several.status == LS_OK && several.stats.rounds == one.stats.rounds
			&& several.stats.messages == one.stats.messages
			&& several.stats.words == one.stats.words,
		"%s: %s", guarded(), several.error.text);
}

/* ---- Two groups on one link: each counts its own messages */

/* On ring:8 the messages from 5 to 0 and from 6 to 7 share the link from 6 to 7. */
static int share_link(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me);
	int64_t word = rank;
	ls_node *part;
	int failed = ls_split(me, rank >= 6, 0, &part);

	(void)unused;
	if (failed)
		return failed;
	if (rank == 5 || rank == 6)
		failed = ls_send(part, rank == 5 ? 0 : 1, &word, sizeof word);
	if (rank == 0 || rank == 7)
		failed = ls_receive(part, rank == 0 ? 5 : 0, &word, sizeof word);
	if (!failed)
		failed = ls_next_round(part);
	ls_leave(part);
	return failed;
}

/* The lowest ranks of the groups are in one process, or in two. */
static void test_groups(int processes)
{
	const struct world_run run = { .processes = processes,
		.seed = 1,
		.spec = "ring:8",
		.options = { .mode = LS_ROUTED, .strict = true },
		.program = share_link };
	struct world_outcome outcome;

	guard("%d processes, two groups on one link", processes);
	outcome = world_run(&run);
	CHECK(outcome.status == LS_OK && outcome.stats.link_load == 1, "%s: %s: load %" PRId64,
		guarded(), outcome.error.text, outcome.stats.link_load);
}

/* ---- A link changes while a run begins */

static atomic_int has_run;

static void *change_links(void *machine)
{
	for (int k = 0; !atomic_load(&has_run) || k % 2; k++) {
		CHECK(ls_link_set(machine, 0, 1, k % 2) == LS_OK, "%s", guarded());
		nap(1); /* a run that begins needs the lock, too */
	}
	return NULL;
}

/* The processes compare their lists of links. */
static void test_changing_links(void)
{
	const struct ls_machine_options options = { .size = sizeof options, .mode = LS_ROUTED };
	ls_topology *t = topology_of("ring:8");
	struct spread s;
	pthread_t changes;

	guard("a link changes while runs begin");
	spread_open(&s, 2, 1);
	CHECK(spread_make(&s, t, &options) == LS_OK, "no machine");
	atomic_store(&has_run, 0);
	changes = start_thread(change_links, s.machine[0]);
	for (int k = 0; k < 5; k++) {
		const int status = spread_run(&s, add_ranks_program, NULL);

		CHECK(status == LS_OK || strstr(s.error[0].text, "with other options or links"), "%s: %s",
			guarded(), s.error[0].text);
	}
	atomic_store(&has_run, 1);
	pthread_join(changes, NULL);
	spread_destroy(&s);
	ls_topology_destroy(t);
}

int main(void)
{
	/* linear:2: one of three processes has no node. */
	const char *const specs[] = { "ring:8", "linear:7", "mesh:3x4", "hypercube:3", "tree:8",
		"linear:2" };
	const int scripts = is_fast() ? 2 : is_long() ? 40 : 6;
	uint64_t random = 1;

	for (int processes = 1; processes <= 4; processes++)
		test_groups(processes);
	test_changing_links();
	test_shared_link();
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		for (int processes = 2; processes <= 3; processes++) {
			for (int k = 0; k < scripts; k++)
				test_script(t, specs[i], processes,
					random_script(ls_topology_nodes(t), &random, 20 + random_below(&random, 80)),
					random);
			test_calls(specs[i], processes);
		}
		ls_topology_destroy(t);
	}
	return test_result();
}
