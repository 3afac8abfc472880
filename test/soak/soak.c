/*
 * A long run: machines of threads and fibers are made and destroyed, their nodes make collective
 * calls, links change meanwhile, nodes break rules, and machines are stopped.  Results and statuses
 * must be right, and after the first tenth of the time no resource may grow.
 *
 * It ends after SECONDS seconds, COLLECTIVES collectives and MACHINES machines, whatever of these
 * is given; without them after 10^8 collectives and 10^5 machines.  LS_SEED=N repeats a run.
 */
/* link: -Wl,--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=free */
/* link: -Wl,--wrap=mmap,--wrap=munmap */
/* link: -Wl,--wrap=pthread_create */
#include <time.h>

#include "support/cells.h"
#include "support/resources.h"
#include "soak/soak_calls.h"

/* Runs have up to 2^k calls, k at random below: */
enum { CALL_SIZES = 9, CALL_SIZES_FIBERS = 14 };
enum { PARTS = 10, SAMPLES_PER_PART = 10 };
enum { LEAVE = 1, FAIL = 7 };
static const double time_limit = 0.02;

static atomic_llong collectives, flips;
static long long machines, runs, ended[-LS_ERR_CONGESTION + 1]; /* runs by -status */

/* ---- Runs */

struct soak_run {
	const struct scenario *scenario; /* NULL: no node breaks a rule */
	ls_machine *machine;
	int64_t p, calls;
	int64_t culprit, moment; /* the call before which the culprit acts; culprit -1: all nodes */
	uint64_t seed;
	double start;
	atomic_int failed, over; /* nodes; is the run over? */
};

/* What happens in a run, and how it may end. */
struct scenario {
	const char *name;
	int (*act)(ls_node *, struct soak_run *, int64_t *in, int64_t *out);
	bool all, flips;
	double timeout;
	int statuses[2]; /* the second one may be missing; with a time limit also LS_OK */
};

/* A group of every other node now and then. */
static int call_in_group(ls_node *me, uint64_t *random, int64_t *in, int64_t *out)
{
	ls_node *group;
	int failed = ls_split(me, ls_rank(me) % 2, 0, &group);

	if (failed)
		return failed;

	uint64_t own = random_next(random);
	const struct soak_call call = random_call(&own, ls_size(group));

	failed = make_call(group, &call, in, out);
	ls_leave(group);
	return failed;
}

static int call_next(ls_node *me, uint64_t *random, int64_t *in, int64_t *out)
{
	if (random_below(random, 32) == 0)
		return call_in_group(me, random, in, out);

	const struct soak_call call = random_call(random, ls_size(me));

	return make_call(me, &call, in, out);
}

static int leave(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)me, (void)run, (void)in, (void)out;
	return LEAVE;
}

static int play(ls_node *me, void *arg)
{
	struct soak_run *run = arg;
	const int64_t rank = ls_rank(me);
	uint64_t random = run->seed;
	int64_t *in = memory((size_t)run->p * MOST_WORDS, sizeof *in);
	int64_t *out = memory((size_t)run->p * MOST_WORDS, sizeof *out);
	int failed = LS_OK;

	for (int64_t call = 0; call < run->calls && !failed; call++) {
		const bool acts = run->scenario && run->scenario->act && call == run->moment
			&& (run->culprit < 0 || run->culprit == rank);

		if (acts)
			failed = run->scenario->act(me, run, in, out);
		if (!failed)
			failed = call_next(me, &random, in, out);
		if (!failed && rank == 0)
			atomic_fetch_add(&collectives, 1);
	}
	/* The last random call may send nothing; all nodes miss one that has left. */
	if (!failed && run->scenario && run->scenario->act == leave)
		failed = ls_barrier(me);
	if (failed)
		atomic_fetch_add(&run->failed, 1);
	free(in);
	free(out);
	return failed == LEAVE ? 0 : failed;
}

/* ---- Scenarios */

static int fail(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)me, (void)run, (void)in, (void)out;
	return FAIL;
}

static int stop(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)me, (void)in, (void)out;
	ls_machine_stop(run->machine, 0);
	return LS_OK;
}

/* All nodes call an all-reduce, the last one with another operator. */
static int mismatch(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)run;
	return ls_allreduce(me, in, out, 2, LS_INT64, ls_rank(me) == ls_size(me) - 1 ? LS_MAX : LS_SUM);
}

static int receive(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)run, (void)out;
	return ls_receive(me, ls_neighbor(ls_node_topology(me), ls_rank(me), 0), in, sizeof *in);
}

static int send_to_itself(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)run, (void)out;
	return ls_send(me, ls_rank(me), in, sizeof *in);
}

/* Until the limit is over for another node; perhaps none waits, and fibers may have no worker. */
static int sleep_too_long(ls_node *me, struct soak_run *run, int64_t *in, int64_t *out)
{
	(void)me, (void)in, (void)out;
	while (atomic_load(&run->failed) == 0 && seconds() < run->start + 3 * time_limit)
		nap(1);
	return LS_OK;
}

static const struct scenario scenarios[] = {
	{ "calls", NULL, false, false, 0, { LS_OK } },
	{ "links change", NULL, false, true, 0, { LS_OK } },
	{ "a node leaves", leave, false, false, 0, { LS_ERR_LEFT, LS_ERR_UNTAKEN } },
	{ "a node fails", fail, false, false, 0, { LS_ERR_PROGRAM } },
	{ "a node stops the machine", stop, false, false, 0, { LS_ERR_STOPPED } },
	{ "a node sends to itself", send_to_itself, false, false, 0, { LS_ERR_LINK } },
	{ "calls differ", mismatch, true, false, 0, { LS_ERR_MISMATCH } },
	{ "all receive", receive, true, false, 0, { LS_ERR_DEADLOCK } },
	{ "a node sleeps", sleep_too_long, false, false, time_limit, { LS_ERR_TIMEOUT } },
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static bool may_end(const struct scenario *s, int status)
{
	return status == s->statuses[0] || (s->statuses[1] != 0 && status == s->statuses[1])
		|| (s->timeout > 0 && status == LS_OK);
}

/* ---- Ways to run */

/* Takes one wire after another down and up; the networks below stay connected. */
static void *change_links(void *arg)
{
	struct soak_run *run = arg;
	const ls_topology *t = ls_machine_topology(run->machine);
	uint64_t random = run->seed;

	while (!atomic_load(&run->over)) {
		const int64_t u = random_below(&random, run->p);
		const int64_t v = ls_neighbor(t, u, random_below(&random, ls_degree(t, u)));

		CHECK(ls_link_set(run->machine, u, v, false) == LS_OK, "%s: down", guarded());
		nap(0.05);
		CHECK(ls_link_set(run->machine, v, u, true) == LS_OK, "%s: up", guarded());
		atomic_fetch_add(&flips, 1);
	}
	return NULL;
}

struct attached {
	struct soak_run *run;
	int64_t rank;
	int status;
	pthread_t thread;
};

static void *attach(void *arg)
{
	struct attached *a = arg;
	ls_node *me = attached_to(a->run->machine, a->rank, 0);
	const int failed = play(me, a->run);

	a->status = ls_detach(me);
	CHECK(!failed && !a->status, "%s: attached: %s", guarded(), ls_status_name(a->status));
	return NULL;
}

static int run_attached(struct soak_run *run)
{
	struct attached *a = memory((size_t)run->p, sizeof *a);
	int status = LS_OK;

	for (int64_t r = 0; r < run->p; r++) {
		a[r] = (struct attached){ .run = run, .rank = r };
		a[r].thread = start_thread(attach, &a[r]);
	}
	for (int64_t r = 0; r < run->p; r++) {
		pthread_join(a[r].thread, NULL);
		status = status ? status : a[r].status;
	}
	free(a);
	return status;
}

static void play_run(
	struct soak_run *run, const struct scenario *s, bool attaches, uint64_t *random)
{
	/* A call of fibers takes a part of the time. */
	const bool fibers = ls_machine_threads(run->machine) < run->p;
	const int64_t calls = random_length(random, fibers ? CALL_SIZES_FIBERS : CALL_SIZES);
	pthread_t changer = pthread_self();
	struct ls_error e = { .size = sizeof e };

	*run = (struct soak_run){ .machine = run->machine,
		.p = run->p,
		.scenario = s,
		.culprit = s->all ? -1 : random_below(random, run->p),
		.calls = calls,
		.moment = random_below(random, calls),
		.seed = random_next(random),
		.start = seconds() };
	if (s->flips)
		changer = start_thread(change_links, run);

	const int status = attaches ? run_attached(run) : ls_run(run->machine, play, run);

	while (ls_machine_busy(run->machine)) /* ls_run may return before a node that slept */
		nap(1);
	atomic_store(&run->over, 1);
	if (s->flips)
		pthread_join(changer, NULL);
	ls_last_error(run->machine, &e);
	CHECK(may_end(s, status), "%s: %s: %s", guarded(), ls_status_name(status), e.text);
	runs++;
	ended[-status]++;
}

/* ---- Machines */

/* A right run, one of a scenario, and a right one again. */
static void play_machine(const char *spec, const struct ls_machine_options *options,
	const struct scenario *s, uint64_t *random)
{
	ls_topology *t = topology_of(spec);
	struct soak_run run = { .p = ls_topology_nodes(t) };
	const bool attaches = options->node_kind == LS_NODE_THREAD && random_below(random, 4) == 0;

	if (ls_machine_make(t, options, &run.machine) != LS_OK) {
		CHECK(false, "%s: no machine", guarded());
		exit(1);
	}
	machines++;
	if (options->timeout <= 0)
		play_run(&run, &scenarios[0], attaches, random);
	play_run(&run, s, false, random);
	if (options->timeout <= 0)
		play_run(&run, &scenarios[0], false, random);
	ls_machine_destroy(run.machine);
	ls_topology_destroy(t);
}

static void play_random_machine(uint64_t seed)
{
	static const char *const specs[] = { "ring:5", "torus:3x3", "hypercube:3", "hypercube:4",
		"star:3", "complete:7", "complete:3", "mesh:2x3" };
	uint64_t random = seed;
	const char *spec = specs[random_below(&random, sizeof specs / sizeof *specs)];
	const struct scenario *s = &scenarios[random_below(&random, SCENARIOS)];
	const struct ls_machine_options options = { .size = sizeof options,
		.node_kind = (enum ls_node_kind)random_below(&random, 2),
		.rounds = (enum ls_rounds)random_below(&random, 2),
		.engine = (enum ls_engine)random_below(&random, LS_SWEEP),
		.mode = s->flips ? LS_ROUTED : (enum ls_mode)random_below(&random, 2),
		.mailbox = 1 << random_below(&random, 4),
		.timeout = s->timeout };

	guard("machine %" PRIu64 ": %s, %s, %s rounds, %s, %s, %s", seed, spec,
		ls_node_kind_name(options.node_kind), options.rounds == LS_FREE ? "free" : "lockstep",
		ls_engine_name(options.engine), options.mode == LS_ROUTED ? "routed" : "hop", s->name);
	play_machine(spec, &options, s, &random);
}

/* ---- The whole run */

static void print_counts(void)
{
	printf("%lld machines, %lld runs, %lld collectives, %lld flips of links; runs ended:", machines,
		runs, atomic_load(&collectives), atomic_load(&flips));
	for (int status = 0; status <= -LS_ERR_CONGESTION; status++) {
		if (ended[status] > 0)
			printf(" %lld %s", ended[status], ls_status_name(-status));
	}
	putchar('\n');
}

/* What a run must reach; 0: no goal. */
struct goals {
	double seconds, collectives, machines;
};

static double number_of(const char *variable)
{
	const char *text = getenv(variable);

	return text ? strtod(text, NULL) : 0;
}

static struct goals given_goals(void)
{
	const struct goals given = { number_of("SECONDS"), number_of("COLLECTIVES"),
		number_of("MACHINES") };
	const bool none = given.seconds <= 0 && given.collectives <= 0 && given.machines <= 0;

	return none ? (struct goals){ .collectives = 1e8, .machines = 1e5 } : given;
}

/* Is a part of every goal reached? */
static bool reached(const struct goals *goals, double part, double start)
{
	return seconds() - start >= part * goals->seconds
		&& (double)atomic_load(&collectives) >= part * goals->collectives
		&& (double)machines >= part * goals->machines;
}

int main(void)
{
	static struct samples samples;
	const struct goals goals = given_goals();
	const double start = seconds();
	const uint64_t seed = getenv("LS_SEED") ? (uint64_t)number_of("LS_SEED") : (uint64_t)time(NULL);
	uint64_t machine = seed;

	printf("seed %" PRIu64 ": %.0f seconds, %.0f collectives, %.0f machines\n", seed, goals.seconds,
		goals.collectives, goals.machines);
	resources_begin();
	for (int sample = 1; sample <= PARTS * SAMPLES_PER_PART; sample++) {
		do
			play_random_machine(machine++);
		while (!reached(&goals, (double)sample / (PARTS * SAMPLES_PER_PART), start));
		if (sample < SAMPLES_PER_PART)
			continue;
		samples_add(&samples);
		if (sample % SAMPLES_PER_PART == 0) {
			printf(
				"%3d %%, %.0f s: ", 100 * sample / (PARTS * SAMPLES_PER_PART), seconds() - start);
			samples_print(&samples);
			printf("; ");
			print_counts();
			fflush(stdout);
		}
	}
	samples_check(&samples);
	return test_result();
}
