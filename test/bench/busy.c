/*
 * Collectives on a busy computer: alone, and beside one busy loop per core in other processes.
 *
 * Each row is one operation of 8 bytes on complete:P in free rounds.  The nodes are
 *
 *   threads   with more nodes than cores, a thread that waits sleeps at once while it finds that
 *             other programs take a large part of the cores
 *   asleep    threads of which each sleeps whenever it waits, at once: only with more nodes than
 *             cores
 *   fibers
 *
 * A sample makes calls for about SAMPLE_NS; the samples of all kinds, alone and busy, alternate,
 * SAMPLES times.
 *
 *   alone, busy   medians, us for one call
 *   ratio         busy / alone
 *   bound         of fibers 2 T (c + L) / c, where T is the time alone, c the number of cores and L
 *                 the number of busy loops: twice a fair share of the cores, us; of threads 1.5
 *                 times what `asleep` takes beside the loops
 */
#include <lockstep.h>

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/machine_types.h"

enum { SAMPLES = 5, LOOPS_MOST = 256 };

static const double sample_ns = 1e8;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void require(bool right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "busy: %s failed\n", what);
	exit(1);
}

/* ---- Busy loops */

static pid_t loop[LOOPS_MOST];

static void start_loops(int loops)
{
	const pid_t parent = getpid();

	for (int i = 0; i < loops; i++) {
		loop[i] = fork();
		require(loop[i] >= 0, "fork");
		if (loop[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (getppid() == parent)
				for (volatile int k = 0; k < 1 << 20; k++)
					;
			_exit(0);
		}
	}
	usleep(50000);
}

static void end_loops(int loops)
{
	for (int i = 0; i < loops; i++) {
		kill(loop[i], SIGKILL);
		waitpid(loop[i], NULL, 0);
	}
}

/* ---- Operations */

typedef int operation(ls_node *, double *mine, double *result);

static int allreduce(ls_node *me, double *mine, double *result)
{
	return ls_allreduce(me, mine, result, 1, LS_DOUBLE, LS_SUM);
}

static int barrier(ls_node *me, double *mine, double *result)
{
	(void)mine;
	(void)result;
	return ls_barrier(me);
}

static int broadcast(ls_node *me, double *mine, double *result)
{
	(void)result;
	return ls_broadcast(me, mine, 1, LS_DOUBLE, 0);
}

struct job {
	operation *call;
	double ns; /* of one call */
};

/* Double the calls until they take long enough; node 0 decides, and all nodes know. */
static int program(ls_node *me, void *arg)
{
	struct job *job = arg;
	double mine = 1, result = 0, more = 1;
	int failed = LS_OK;

	for (double calls = 4; more != 0 && !failed; calls *= 2) {
		failed = ls_barrier(me);

		const double begin = now();

		for (double i = 0; i < calls && !failed; i++)
			failed = job->call(me, &mine, &result);
		if (!failed)
			failed = ls_barrier(me);
		if (ls_rank(me) == 0) {
			job->ns = (now() - begin) / calls;
			more = now() - begin < sample_ns;
		}
		if (!failed)
			failed = ls_broadcast(me, &more, 1, LS_DOUBLE, 0);
	}
	return failed;
}

/* ---- Kinds of nodes */

enum kind { THREADS, ASLEEP, FIBERS, KINDS };

static const char *const kind_names[KINDS] = { "threads", "asleep", "fibers" };

static double sample(int nodes, enum kind kind, operation *call)
{
	const struct ls_machine_options options = { .size = sizeof options,
		.rounds = LS_FREE,
		.node_kind = kind == FIBERS ? LS_NODE_FIBER : LS_NODE_THREAD };
	struct job job = { .call = call };
	ls_topology *topology = NULL;
	ls_machine *machine = NULL;
	char spec[32];

	snprintf(spec, sizeof spec, "complete:%d", nodes);
	require(
		!ls_topology_make(spec, &topology, NULL) && !ls_machine_make(topology, &options, &machine),
		spec);
	if (kind == ASLEEP)
		lsi_store(&machine->other_load.until, UINT64_MAX / 2, relaxed); /* no thread waits yet */
	require(!ls_run(machine, program, &job), spec);
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	return job.ns;
}

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *value)
{
	qsort(value, SAMPLES, sizeof *value, ascending);
	return value[SAMPLES / 2];
}

static bool exists(enum kind kind, int nodes, int cores)
{
	return kind != ASLEEP || nodes > cores;
}

struct row {
	const char *name;
	int nodes, cores, loops;
	double alone[KINDS], busy[KINDS]; /* us */
};

static void print_row(const struct row *row, enum kind kind)
{
	const bool above_cores = row->nodes > row->cores;
	const double alone = row->alone[kind], busy = row->busy[kind];
	const double share = 2 * alone * (row->cores + row->loops) / row->cores;
	const double bound = kind == THREADS && above_cores ? 1.5 * row->busy[ASLEEP] : share;

	printf("%-10s %4d  %-8s %11.3f %11.3f %9.2f", row->name, row->nodes, kind_names[kind], alone,
		busy, busy / alone);
	if (kind == ASLEEP)
		printf("\n");
	else
		printf(" %11.3f   %s\n", bound, busy <= bound ? "within" : "above");
	fflush(stdout);
}

static void measure(const char *name, operation *call, int nodes, int cores)
{
	double alone[KINDS][SAMPLES], busy[KINDS][SAMPLES];
	struct row row = { .name = name, .nodes = nodes, .cores = cores, .loops = cores };

	for (int i = 0; i < SAMPLES; i++) {
		for (enum kind k = 0; k < KINDS; k++)
			alone[k][i] = exists(k, nodes, cores) ? sample(nodes, k, call) : 0;
		start_loops(row.loops);
		for (enum kind k = 0; k < KINDS; k++)
			busy[k][i] = exists(k, nodes, cores) ? sample(nodes, k, call) : 0;
		end_loops(row.loops);
	}
	for (enum kind k = 0; k < KINDS; k++) {
		row.alone[k] = median(alone[k]) / 1e3;
		row.busy[k] = median(busy[k]) / 1e3;
	}
	for (enum kind k = 0; k < KINDS; k++)
		if (exists(k, nodes, cores))
			print_row(&row, k);
}

static int count_cores(void)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof allowed, &allowed);
	return CPU_COUNT(&allowed) < LOOPS_MOST ? CPU_COUNT(&allowed) : LOOPS_MOST;
}

int main(void)
{
	static const struct {
		const char *name;
		operation *call;
	} operations[] = { { "allreduce", allreduce }, { "barrier", barrier },
		{ "broadcast", broadcast } };
	static const int nodes[] = { 2, 8, 64 };
	const int cores = count_cores();

	printf("%d cores, %d busy loops; us\n", cores, cores);
	printf("%-10s %4s  %-8s %11s %11s %9s %11s\n", "operation", "p", "nodes", "alone", "busy",
		"ratio", "bound");
	for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
		for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
			measure(operations[o].name, operations[o].call, nodes[k], cores);
	return 0;
}
