/*
 * The cost of rounds and small operations, measured in turns with the primitives they consist of.
 *
 *   round       ls_next_round in lockstep rounds, ns for one round of all nodes, which are threads
 *               or fibers
 *   spin        a barrier of two threads that spin on one word
 *   pthread     pthread_barrier_wait
 *   dispatch    ls_allreduce of 8 bytes on complete:1: a call that never waits
 *   call        the same sum by a function behind a pointer
 *   in groups   all-reduce of 8 bytes by 64 nodes in 8 groups at the same time; a group has
 *               consecutive ranks and so one core, or every 8th rank and so all cores
 *   all 64      the same by all 64 nodes together
 *   mailboxes   all-reduce of 8 bytes by 64 nodes with the engine mailboxes, as fibers and as
 *               threads
 *   exchange    two threads; each writes a cache line and waits for the line of the other
 *   hand        two threads with the minimum that the operation needs: lines with a flag in each;
 *               for 1 KiB two alternating buffers; for broadcasts four lines, as many as the
 *               mailbox has slots
 *
 * all-reduce, barrier and broadcast run on complete:2 in free rounds, CALLS times in a loop.
 *
 * Each pair is measured in turns, SAMPLES times.  The output is the two medians, the median of the
 * ratio and its quartiles.  Arguments: the node counts of the barriers (default 2 64 720 5040), or
 * 0 for none.
 */
#include <lockstep.h>

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 11, CALLS = 300000, KIBI = 128 }; /* doubles in 1 KiB */
enum { GROUPS = 8, GROUP_CALLS = 2000 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- Lockstep */

enum split { WHOLE, NEAR, SPREAD };

struct job {
	int rounds;
	enum split split;
	enum ls_node_kind kind;
	enum ls_engine engine;
	int (*call)(ls_node *, double *mine, double *result);
	double ns;
};

static int round_of(ls_node *me, double *mine, double *result)
{
	(void)mine;
	(void)result;
	return ls_next_round(me);
}

static int allreduce_of(ls_node *me, double *mine, double *result)
{
	return ls_allreduce(me, mine, result, 1, LS_DOUBLE, LS_SUM);
}

static int allreduce_of_kibi(ls_node *me, double *mine, double *result)
{
	return ls_allreduce(me, mine, result, KIBI, LS_DOUBLE, LS_SUM);
}

static int allgather_of(ls_node *me, double *mine, double *result)
{
	return ls_allgather(me, mine, result, 1, LS_DOUBLE);
}

static int alltoall_of(ls_node *me, double *mine, double *result)
{
	return ls_alltoall(me, mine, result, 1, LS_DOUBLE);
}

static int broadcast_of(ls_node *me, double *mine, double *result)
{
	(void)result;
	return ls_broadcast(me, mine, 1, LS_DOUBLE, 0);
}

static int barrier_of(ls_node *me, double *mine, double *result)
{
	(void)mine;
	(void)result;
	return ls_barrier(me);
}

static int program(ls_node *me, void *arg)
{
	struct job *job = arg;
	double mine[KIBI] = { 1 }, result[KIBI] = { 0 };
	const int before = job->rounds < 100 ? job->rounds : 100;
	const int64_t rank = ls_rank(me);
	int failed = LS_OK;
	double begin = 0;

	if (job->split)
		failed = ls_split(me, job->split == NEAR ? rank / GROUPS : rank % GROUPS, 0, &me);
	for (int i = -before; i < job->rounds && !failed; i++) {
		if (i == 0)
			begin = now();
		failed = job->call(me, mine, result);
	}
	if (rank == 0)
		job->ns = (now() - begin) / job->rounds;
	return failed;
}

static double play(const char *spec, enum ls_rounds mode, struct job job)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = mode, .engine = job.engine, .node_kind = job.kind
	};
	ls_topology *topology;
	ls_machine *machine;

	if (ls_topology_make(spec, &topology, NULL) || ls_machine_make(topology, &options, &machine)
		|| ls_run(machine, program, &job)) {
		fprintf(stderr, "rounds: %s failed\n", spec);
		exit(1);
	}
	ls_machine_destroy(machine);
	ls_topology_destroy(topology);
	return job.ns;
}

static double on_machine(
	const char *spec, enum ls_rounds mode, int (*call)(ls_node *, double *, double *), int rounds)
{
	return play(spec, mode, (struct job){ .rounds = rounds, .call = call });
}

static double with_mailboxes(enum ls_node_kind kind)
{
	return play("complete:64", LS_FREE,
		(struct job){
			.rounds = GROUP_CALLS, .kind = kind, .engine = LS_MAILBOXES, .call = allreduce_of });
}

static double in_groups(enum split split)
{
	return play("complete:64", LS_FREE,
		(struct job){ .rounds = GROUP_CALLS, .split = split, .call = allreduce_of });
}

/* ---- Alternatives */

struct shared {
	alignas(64) atomic_int arrived;
	alignas(64) atomic_int epoch;
	alignas(64) atomic_int line[2][16];
	alignas(64) struct {
		atomic_int round;
		double value;
		char rest[48];
	} ring[2][4];
	alignas(64) struct {
		double value[KIBI];
		alignas(64) atomic_int round;
	} buffer[2][2];
	double result[2][KIBI * 2];
	pthread_barrier_t barrier;
	int threads, rounds;
	void (*wait)(struct shared *, int me, int round);
	alignas(64) double ns;
};

struct thread {
	pthread_t id;
	struct shared *shared;
	int me;
};

static void spin_wait(struct shared *s, int me, int round)
{
	(void)me;
	if (atomic_fetch_add_explicit(&s->arrived, 1, memory_order_acq_rel) == s->threads - 1) {
		atomic_store_explicit(&s->arrived, 0, memory_order_relaxed);
		atomic_store_explicit(&s->epoch, round, memory_order_release);
	}
	while (atomic_load_explicit(&s->epoch, memory_order_acquire) != round)
		;
}

static void pthread_wait(struct shared *s, int me, int round)
{
	(void)me;
	(void)round;
	pthread_barrier_wait(&s->barrier);
}

static void flag_wait(atomic_int *flag, int round)
{
	while (atomic_load_explicit(flag, memory_order_acquire) < round)
		;
}

static void exchange_wait(struct shared *s, int me, int round)
{
	atomic_store_explicit(&s->line[me][0], round, memory_order_release);
	flag_wait(&s->line[!me][0], round);
}

static void hand_allreduce(struct shared *s, int me, int round)
{
	const int i = round % 2;
	double *mine = s->buffer[me][i].value, *other = s->buffer[!me][i].value,
		   *result = s->result[me];

	for (int k = 0; k < KIBI; k++)
		mine[k] = result[KIBI + k];
	atomic_store_explicit(&s->buffer[me][i].round, round, memory_order_release);
	flag_wait(&s->buffer[!me][i].round, round);
	for (int k = 0; k < KIBI; k++)
		result[k] = mine[k] + other[k];
}

static void hand_broadcast(struct shared *s, int me, int round)
{
	if (me == 0) {
		flag_wait(&s->line[1][0], round - 4);
		s->ring[0][round % 4].value = s->result[0][0];
		atomic_store_explicit(&s->ring[0][round % 4].round, round, memory_order_release);
	} else {
		flag_wait(&s->ring[0][round % 4].round, round);
		s->result[1][0] = s->ring[0][round % 4].value;
		atomic_store_explicit(&s->line[1][0], round, memory_order_release);
	}
}

static void hand_sum(struct shared *s, int me, int round)
{
	(void)round;
	s->result[me][0] = s->result[me][1];
}

static void *thread_body(void *arg)
{
	const struct thread *thread = arg;
	struct shared *s = thread->shared;
	const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)((long)thread->me * cores / s->threads), &set);
	pthread_setaffinity_np(pthread_self(), sizeof set, &set);
	pthread_barrier_wait(&s->barrier);

	const double begin = now();

	for (int round = 1; round <= s->rounds; round++)
		s->wait(s, thread->me, round);
	if (thread->me == 0)
		s->ns = (now() - begin) / s->rounds;
	return NULL;
}

static double on_threads(int threads, void (*wait)(struct shared *, int, int), int rounds)
{
	static struct shared shared;
	struct thread *thread = calloc((size_t)threads, sizeof *thread);
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 << 10);
	memset(&shared, 0, sizeof shared);
	shared.threads = threads;
	shared.rounds = rounds;
	shared.wait = wait;
	pthread_barrier_init(&shared.barrier, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		thread[i].shared = &shared;
		thread[i].me = i;
		if (pthread_create(&thread[i].id, &attributes, thread_body, &thread[i])) {
			fprintf(stderr, "rounds: cannot start %d threads\n", threads);
			exit(1);
		}
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i].id, NULL);
	pthread_barrier_destroy(&shared.barrier);
	pthread_attr_destroy(&attributes);
	free(thread);
	return shared.ns;
}

/* ---- In turns */

static int ascending(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double quantile(double *sorted, int quarter)
{
	return sorted[(SAMPLES - 1) * quarter / 4];
}

static void report(const char *what, const char *peer, double *ours, double *theirs)
{
	double ratio[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		ratio[i] = ours[i] / theirs[i];
	qsort(ours, SAMPLES, sizeof *ours, ascending);
	qsort(theirs, SAMPLES, sizeof *theirs, ascending);
	qsort(ratio, SAMPLES, sizeof *ratio, ascending);
	printf("%-24s %12.0f ns   %-18s %12.0f ns   ratio %.3f   quartiles %.3f .. %.3f\n", what,
		quantile(ours, 2), peer, quantile(theirs, 2), quantile(ratio, 2), quantile(ratio, 1),
		quantile(ratio, 3));
	fflush(stdout);
}

static const struct {
	const char *what, *spec, *peer;
	int (*call)(ls_node *, double *, double *);
	void (*hand)(struct shared *, int, int);
} row[] = {
	{ "dispatch, 1 node", "complete:1", "call", allreduce_of, hand_sum },
	{ "all-reduce 8 B, 2 nodes", "complete:2", "exchange", allreduce_of, exchange_wait },
	{ "all-reduce 1 KiB", "complete:2", "hand", allreduce_of_kibi, hand_allreduce },
	{ "barrier", "complete:2", "exchange", barrier_of, exchange_wait },
	{ "broadcast 8 B", "complete:2", "hand", broadcast_of, hand_broadcast },
	{ "all-gather 8 B", "complete:2", "exchange", allgather_of, exchange_wait },
	{ "all-to-all 8 B", "complete:2", "exchange", alltoall_of, exchange_wait },
};

static void measure_rounds(int p, int rounds, enum ls_node_kind kind)
{
	double ours[SAMPLES], theirs[SAMPLES];
	char spec[32], what[32];

	snprintf(spec, sizeof spec, "ring:%d", p);
	snprintf(what, sizeof what, "round, %d %s", p, ls_node_kind_name(kind));
	for (int i = 0; i < SAMPLES; i++) {
		ours[i] = play(
			spec, LS_LOCKSTEP, (struct job){ .rounds = rounds, .kind = kind, .call = round_of });
		theirs[i] = on_threads(p, p <= 2 ? spin_wait : pthread_wait, rounds);
	}
	report(what, p <= 2 ? "spin barrier" : "pthread_barrier", ours, theirs);
}

int main(int argc, char **argv)
{
	static const int usual[] = { 2, 64, 720, 5040 };
	double ours[SAMPLES], theirs[SAMPLES];

	for (int k = 0; k < (argc > 1 ? argc - 1 : 4); k++) {
		const int p = argc > 1 ? atoi(argv[k + 1]) : usual[k];
		const int rounds = p <= 2 ? 200000 : 200000 / p / (p > 1000 ? 4 : 1) + 3;

		if (p <= 0)
			break;
		measure_rounds(p, rounds, LS_NODE_THREAD);
		measure_rounds(p, rounds, LS_NODE_FIBER);
	}
	for (int i = 0; i < SAMPLES; i++) {
		ours[i] = with_mailboxes(LS_NODE_FIBER);
		theirs[i] = with_mailboxes(LS_NODE_THREAD);
	}
	report("mailboxes, 64 fibers", "64 threads", ours, theirs);
	for (enum split split = NEAR; split <= SPREAD; split++) {
		for (int i = 0; i < SAMPLES; i++) {
			ours[i] = in_groups(split);
			theirs[i] = in_groups(WHOLE);
		}
		report(split == NEAR ? "in 8 groups, near" : "in 8 groups, spread", "all 64", ours, theirs);
	}
	for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
		for (int i = 0; i < SAMPLES; i++) {
			ours[i] = on_machine(row[k].spec, LS_FREE, row[k].call, CALLS);
			theirs[i] = on_threads(row[k].spec[9] - '0', row[k].hand, CALLS);
		}
		report(row[k].what, row[k].peer, ours, theirs);
	}
	return 0;
}
