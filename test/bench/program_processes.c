/*
 * Node programs over processes: scripts/bench-programs runs this program alone and by mpirun.
 *
 *   messages   all nodes of hypercube:10 exchange words along all dimensions in free rounds, with
 *              threads; messages per second of all nodes together
 *   round      ls_next_round of 64 nodes in lockstep rounds, ns
 *   verdict    64 nodes in lockstep rounds receive and none sends: from the last wait in process
 *              0 to the end of ls_run, us
 *   exchange   no nodes: each process sends a word to all others by the transport, and gets theirs,
 *              ns; a lower bound for what processes add to a round
 *
 * Process 0 prints the samples, one per line: name, kind of nodes, processes, value.
 */
#include <lockstep.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "world/agreement.h"

enum { SAMPLES = 5, EXCHANGES = 20, ROUNDS = 300, PROCESSES_MOST = 64 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Times that node 0 has taken; the last begin of a wait in this process. */
static double node_0_ns;
static _Atomic double last_wait;

static int exchange(ls_node *me, void *unused)
{
	const int64_t rank = ls_rank(me), degree = ls_degree(ls_node_topology(me), rank);
	double begin;
	int failed = ls_barrier(me);

	(void)unused;
	begin = now();
	for (int i = 0; i < EXCHANGES && !failed; i++) {
		for (int64_t link = 0; link < degree && !failed; link++) {
			const int64_t peer = ls_neighbor(ls_node_topology(me), rank, link);
			int64_t word = rank;

			failed = ls_send(me, peer, &word, sizeof word);
			if (!failed)
				failed = ls_receive(me, peer, &word, sizeof word);
			if (!failed)
				failed = ls_next_round(me);
			failed = failed ? failed : word != peer;
		}
	}
	if (!failed)
		failed = ls_barrier(me);
	if (rank == 0)
		node_0_ns = now() - begin;
	return failed;
}

static int rounds(ls_node *me, void *unused)
{
	int failed = ls_next_round(me);
	const double begin = now();

	(void)unused;
	for (int i = 0; i < ROUNDS && !failed; i++)
		failed = ls_next_round(me);
	if (ls_rank(me) == 0)
		node_0_ns = now() - begin;
	return failed;
}

static int wait_for_nothing(ls_node *me, void *unused)
{
	int64_t word;
	const int failed = ls_next_round(me);

	(void)unused;
	atomic_store(&last_wait, now());
	return failed ? failed : ls_receive(me, ls_rank(me) ^ 1, &word, sizeof word);
}

static const struct row {
	const char *name, *spec;
	int (*program)(ls_node *, void *);
	enum ls_rounds rounds;
	enum ls_node_kind kind;
	int expected;
} rows[] = {
	{ "messages", "hypercube:10", exchange, LS_FREE, LS_NODE_THREAD, LS_OK },
	{ "round", "hypercube:6", rounds, LS_LOCKSTEP, LS_NODE_THREAD, LS_OK },
	{ "round", "hypercube:6", rounds, LS_LOCKSTEP, LS_NODE_FIBER, LS_OK },
	{ "verdict", "hypercube:6", wait_for_nothing, LS_LOCKSTEP, LS_NODE_THREAD, LS_ERR_DEADLOCK },
	{ "verdict", "hypercube:6", wait_for_nothing, LS_LOCKSTEP, LS_NODE_FIBER, LS_ERR_DEADLOCK },
};

/* Messages per second, ns, us: after a run that has ended at `end`. */
static double value_of(const struct row *row, int64_t nodes, double end)
{
	if (row->program == exchange)
		return (double)(nodes * 10 * EXCHANGES) / node_0_ns * 1e9;
	if (row->program == rounds)
		return node_0_ns / ROUNDS;
	return (end - atomic_load(&last_wait)) / 1e3;
}

static int measure(const struct row *row, ls_world *world)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = row->rounds, .node_kind = row->kind, .world = world
	};
	struct ls_error error = { .size = sizeof error };
	ls_topology *t = NULL;
	ls_machine *machine = NULL;
	int status = ls_topology_make(row->spec, &t, &error);

	if (!status)
		status = ls_machine_make(t, &options, &machine);
	for (int i = -1; i < SAMPLES && !status; i++) {
		status = ls_run(machine, row->program, NULL);
		ls_last_error(machine, &error);
		if (status == row->expected && i >= 0 && ls_world_process(world) == 0)
			printf("%s %s %d %.1f\n", row->name, ls_node_kind_name(row->kind),
				ls_world_processes(world), value_of(row, ls_topology_nodes(t), now()));
		status = status == row->expected ? LS_OK : LS_ERR_PROGRAM;
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	if (status)
		fprintf(stderr, "program_processes: %s: %s\n", row->name, error.text);
	return status;
}

/* Without threads of nodes or of communication. */
static int exchange_words(ls_world *world)
{
	struct lsi_transport *const t = world->transport;
	struct lsi_transfer out[PROCESSES_MOST], in[PROCESSES_MOST];
	int word[PROCESSES_MOST];
	int failed = LS_OK;

	for (int peer = 0; peer < t->processes && !failed; peer++) {
		if (peer != t->process)
			failed = t->receive(t, peer, LSI_TAG_ENGINES, &word[peer], sizeof *word, &in[peer]);
		if (peer != t->process && !failed)
			failed = t->send(t, peer, LSI_TAG_ENGINES, &t->process, sizeof t->process, &out[peer]);
	}
	for (int peer = 0; peer < t->processes && !failed; peer++) {
		if (peer != t->process)
			failed = lsi_world_wait(world, &in[peer], NULL);
		if (peer != t->process && !failed)
			failed = lsi_world_wait(world, &out[peer], NULL);
	}
	return failed;
}

static int measure_exchange(ls_world *world)
{
	const int processes = ls_world_processes(world);
	int failed = LS_OK;

	for (int i = -1; i < SAMPLES && processes > 1 && processes <= PROCESSES_MOST && !failed; i++) {
		const double begin = now();

		for (int k = 0; k < ROUNDS && !failed; k++)
			failed = exchange_words(world);
		if (i >= 0 && ls_world_process(world) == 0)
			printf("exchange none %d %.1f\n", processes, (now() - begin) / ROUNDS);
	}
	return failed;
}

int main(void)
{
	struct ls_error why = { .size = sizeof why };
	ls_world *world;
	int failed = ls_world_open(&world, &why);

	if (failed) {
		fprintf(stderr, "program_processes: %s\n", why.text);
		return EXIT_FAILURE;
	}
	failed = measure_exchange(world);
	for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; i++)
		failed = measure(&rows[i], world);
	ls_world_close(world);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
