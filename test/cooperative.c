/*
 * What goes wrong with a call that nodes execute together: some node is late for it, or an operator
 * does what it should not.  The error is the right one and names the nodes; all come back with one
 * status, nobody while buffers are in use; a call that is not executed writes nothing; and the
 * machine runs again.
 *
 * Buffers are poisoned as soon as a call has returned, and come from the heap: of a thread that ends
 * in its call they are freed after the run, as nobody else can know when it is done.
 */
/* timeout: 80 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { CALLS = 3, SHORT = 6, WORDS = 6000, NODES = 40 };
enum { LEAVE = 1, FAIL = 7 };
enum { TOO_LONG = 150 };                      /* ms */
static const double limit = 0.1;

struct scene {
	const struct late *late;
	const struct trap *trap;
	ls_machine *machine, *inner;
	ls_op op;
	enum ls_rounds rounds;
	bool limited;
	int64_t p, node, call, sprung;        /* node: that is late; -1: none is */
	int64_t gone;                         /* its thread ended in an operator; or -1 */
	size_t words;
	int status[NODES][CALLS];
	int64_t *buffer[NODES];
	atomic_int users, uses;
	atomic_bool poisoned;
};

static _Thread_local ls_node *self;

static void nap(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

/* The nodes' program ------------------------------------------------------------------------ */

static void spring(struct scene *);

/* Records who uses operands, and whether they are what their owners gave. */
static void add(void *dst, const void *a, const void *b, size_t n, void *context)
{
	struct scene *s = context;
	const int64_t *x = a, *y = b;
	int64_t *sum = dst, least = 0;

	atomic_fetch_add(&s->users, 1);
	if (atomic_fetch_add(&s->uses, 1) == s->sprung)
		spring(s);
	for (size_t i = 0; i < n; i++) {
		least = x[i] < least ? x[i] : y[i] < least ? y[i] : least;
		sum[i] = x[i] + y[i];
	}
	if (least < 0)
		atomic_store(&s->poisoned, true);
	atomic_fetch_sub(&s->users, 1);
}

static int64_t given(int64_t rank, int64_t call, size_t i)
{
	return rank + 100 * call + (int64_t)i;
}

static void check_result(const struct scene *s, int64_t call, const int64_t *out)
{
	const int64_t p = s->p, ranks = p * (p - 1) / 2;
	size_t i = 0;

	while (i < s->words && out[i] == ranks + p * given(0, call, i))
		i++;
	CHECK(i == s->words, "%s: element %zu of call %" PRId64 " is %" PRId64, guarded(), i, call,
		out[i]);
}

/* Of a machine with a node missing each node executes its own steps, as far as it comes. */
static void check_untouched(const struct scene *s, int failed, const int64_t *out)
{
	size_t i = 0;

	while (i < s->words && out[i] == -1)
		i++;
	CHECK(i == s->words || failed == LS_ERR_LEFT || s->trap, "%s: a result is written", guarded());
}

static int call_once(ls_node *me, struct scene *s, int64_t call)
{
	const int64_t rank = ls_rank(me);
	int64_t *const in = memory(2 * s->words, sizeof *in), *const out = in + s->words;
	int failed;

	s->buffer[rank] = in;
	for (size_t i = 0; i < s->words; i++)
		in[i] = given(rank, call, i);
	memset(out, -1, s->words * sizeof *out);
	failed = ls_allreduce(me, in, out, s->words, LS_INT64, s->op);
	CHECK(atomic_load(&s->users) == 0 || failed == LS_ERR_LEFT,
		"%s: node %" PRId64 " is back while buffers are used", guarded(), rank);
	if (failed)
		check_untouched(s, failed, out);
	else
		check_result(s, call, out);
	memset(in, 0x80, 2 * s->words * sizeof *in);
	free(in);
	s->buffer[rank] = NULL;
	return failed;
}

static int act(ls_node *, struct scene *);

static int program(ls_node *me, void *arg)
{
	struct scene *s = arg;
	const int64_t rank = ls_rank(me);
	int failed = LS_OK;

	self = me;
	for (int64_t call = 0; call < CALLS && !failed; call++) {
		failed = rank == s->node && call == s->call ? act(me, s) : call_once(me, s, call);
		s->status[rank][call] = failed;
	}
	return failed == LEAVE ? 0 : failed;
}

/* Who is late ------------------------------------------------------------------------------- */

struct late {
	const char *name, *operation;         /* operation: what the roll call says it is in; or NULL */
	int (*act)(ls_node *, struct scene *);
	int kind;
	bool lockstep, limited;               /* only in these rounds; a run has a time limit */
};

static int leave(ls_node *me, struct scene *s) { (void)me; (void)s; return LEAVE; }
static int fail(ls_node *me, struct scene *s) { (void)me; (void)s; return FAIL; }
static int end_round(ls_node *me, struct scene *s) { (void)s; return ls_next_round(me); }

static int listen(ls_node *me, struct scene *s)
{
	int64_t word;

	return ls_receive(me, ls_neighbor(ls_node_topology(me), s->node, 0), &word, sizeof word);
}

static int split(ls_node *me, struct scene *s)
{
	ls_node *sub;

	(void)s;
	return ls_split(me, 0, 0, &sub);
}

static int oversleep(ls_node *me, struct scene *s)
{
	nap(TOO_LONG);
	return call_once(me, s, s->call);
}

/* So few that each node for itself is faster where there are cores for all. */
static int give_few(ls_node *me, struct scene *s)
{
	int64_t in[SHORT] = { 1 }, out[SHORT];

	return ls_allreduce(me, in, out, SHORT, LS_INT64, s->op);
}

static int stop(ls_node *me, struct scene *s)
{
	ls_machine_stop(s->machine, 0);
	return call_once(me, s, s->call);
}

static const struct late lates[] = {
	{ "has ended", NULL, leave, LS_ERR_LEFT, false, false },
	{ "has failed", NULL, fail, LS_ERR_PROGRAM, false, false },
	{ "waits for a message", "receive", listen, LS_ERR_DEADLOCK, false, false },
	{ "splits the machine", "split", split, LS_ERR_DEADLOCK, false, false },
	{ "ends its round", "next_round", end_round, LS_ERR_DEADLOCK, true, false },
	{ "oversleeps", NULL, oversleep, LS_ERR_TIMEOUT, false, true },
	{ "gives few words", NULL, give_few, LS_ERR_MISMATCH, false, false },
	{ "stops the machine", NULL, stop, LS_ERR_STOPPED, false, false },
};

static int act(ls_node *me, struct scene *s)
{
	return s->late->act(me, s);
}

/* Every node but the late one waited for all to assemble. */
static void check_roll_call(const struct scene *s)
{
	struct ls_waiting w = { .size = sizeof w };

	for (int64_t r = 0; r < s->p && s->late->operation; r++) {
		const bool waits = ls_roll_call(s->machine, r, &w);

		CHECK(waits
				&& (r == s->node ? strcmp(w.operation, s->late->operation) == 0
								 : strcmp(w.operation, "allreduce") == 0
							&& w.what == LS_AWAITS_ROUND && w.peer == LS_NOBODY),
			"%s: node %" PRId64 ": %s", guarded(), r, waits ? w.operation : "does not wait");
	}
}

static void run_again(struct scene *s)
{
	int status = LS_OK;

	for (int64_t r = 0; r < s->p; r++) {
		free(s->buffer[r]);
		s->buffer[r] = NULL;
	}
	s->node = s->sprung = -1;
	atomic_store(&s->users, 0);
	if (!s->limited)
		must_run(s->machine, program, s);
	else
		status = ls_run(s->machine, program, s);      /* a machine that others keep busy is slow */
	CHECK(status == LS_OK || status == LS_ERR_TIMEOUT, "%s: %s", guarded(), ls_status_name(status));
}

static void test_late(struct scene *s, int64_t node, int64_t call)
{
	struct ls_error e = { .size = sizeof e };
	int status;

	guard("node %" PRId64 " of %s %s before call %" PRId64 ", %s rounds", node,
		ls_topology_spec(ls_machine_topology(s->machine)), s->late->name, call,
		s->rounds == LS_LOCKSTEP ? "lockstep" : "free");
	s->node = node;
	s->call = call;
	s->sprung = -1;
	status = ls_run(s->machine, program, s);
	ls_last_error(s->machine, &e);
	CHECK(status == e.kind && e.kind == s->late->kind && e.text[0], "%s: %s: %s", guarded(),
		ls_status_name(status), e.text);
	if (s->late->act == leave || s->late->act == fail || s->late->act == listen
		|| s->late->act == give_few)
		CHECK(e.node == node || e.peer == node, "%s: %s", guarded(), e.text);
	check_roll_call(s);
	run_again(s);
}

/* What operators do ------------------------------------------------------------------------- */

struct trap {
	const char *name;
	void (*spring)(struct scene *);
	int kind;
	bool limited;
};

static int add_ranks(ls_node *me, void *arg)
{
	const int64_t mine = ls_rank(me);
	int64_t sum;
	const int failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, LS_SUM);

	(void)arg;
	CHECK(failed || sum == 3, "%s: inside: %" PRId64, guarded(), sum);
	return failed;
}

static void sleep_long(struct scene *s) { (void)s; nap(TOO_LONG); }
static void stop_all(struct scene *s) { ls_machine_stop(s->machine, LS_ERR_PROGRAM); nap(5); }
static void run_inside(struct scene *s) { must_run(s->inner, add_ranks, NULL); }

static void end_thread(struct scene *s)
{
	s->gone = ls_rank(self);
	atomic_fetch_sub(&s->users, 1);
	pthread_exit(NULL);
}

static void meet_inside(struct scene *s)
{
	(void)s;
	CHECK(ls_barrier(self) == LS_ERR_BUSY, "%s: a call in a call", guarded());
}

static void listen_inside(struct scene *s)
{
	int64_t word;

	(void)s;
	CHECK(ls_receive(self, ls_neighbor(ls_node_topology(self), ls_rank(self), 0), &word, sizeof word)
			== LS_ERR_DEADLOCK,
		"%s: nobody sends", guarded());
}

static void fork_inside(struct scene *s)
{
	const char *variant = getenv("LS_VARIANT");
	int result = -1;

	(void)s;
	if (variant && !strcmp(variant, "tsan"))     /* which has no fork of a process with threads */
		return;

	const pid_t child = fork();

	if (child == 0)
		_exit(ls_barrier(self) == LS_ERR_FORK ? 0 : 1);
	CHECK(child > 0 && waitpid(child, &result, 0) == child && result == 0, "%s: %d", guarded(),
		result);
}

static const struct trap traps[] = {
	{ "sleeps past the limit", sleep_long, LS_ERR_TIMEOUT, true },
	{ "stops the machine", stop_all, LS_ERR_PROGRAM, false },
	{ "runs another machine", run_inside, LS_OK, false },
	{ "ends its thread", end_thread, LS_ERR_LEFT, false },
	{ "calls a collective of its own machine", meet_inside, LS_ERR_BUSY, false },
	{ "waits for a message", listen_inside, LS_ERR_DEADLOCK, false },
	{ "forks", fork_inside, LS_OK, false },
};

static void spring(struct scene *s)
{
	s->trap->spring(s);
}

/* All come back with one status: the call is executed, or fails; a later one fails at the latest. */
static void check_statuses(const struct scene *s, int status)
{
	const int *told = s->status[s->gone == 0];

	for (int64_t r = 0; r < s->p; r++) {
		if (r != s->gone)
			CHECK(!memcmp(s->status[r], told, sizeof s->status[r])
					&& (told[0] == status || told[1] == status),
				"%s: %s and %s at node %" PRId64 ", %s and %s at another", guarded(),
				ls_status_name(s->status[r][0]), ls_status_name(s->status[r][1]), r,
				ls_status_name(told[0]), ls_status_name(told[1]));
	}
}

static void test_trap(struct scene *s, int64_t use)
{
	struct ls_error e = { .size = sizeof e };
	int status;

	guard("operator %s in use %" PRId64 " on %s, %s rounds", s->trap->name, use,
		ls_topology_spec(ls_machine_topology(s->machine)),
		s->rounds == LS_LOCKSTEP ? "lockstep" : "free");
	s->node = s->gone = -1;
	s->sprung = use;
	memset(s->status, 0, sizeof s->status);
	atomic_store(&s->uses, 0);
	status = ls_run(s->machine, program, s);
	ls_last_error(s->machine, &e);
	CHECK(status == s->trap->kind && e.kind == status && !e.text[0] == !status, "%s: %s: %s",
		guarded(), ls_status_name(status), e.text);
	check_statuses(s, status);
	CHECK(!atomic_load(&s->poisoned), "%s: a buffer was read after its call", guarded());
	run_again(s);
}

/* Stopped from outside, at any time: nobody has made a call that the others have not. -------- */

static void *stopper(void *machine)
{
	uint64_t state = (uint64_t)(seconds() * 1e6);

	nanosleep(&(struct timespec){ 0, random_below(&state, 3000000) }, NULL);
	ls_machine_stop(machine, LS_ERR_PROGRAM);
	return NULL;
}

static int call_forever(ls_node *me, void *arg)
{
	struct scene *s = arg;
	int failed = LS_OK, calls = 0;

	for (; !failed; calls += !failed)
		failed = call_once(me, s, calls);
	s->status[ls_rank(me)][0] = calls;
	return failed;
}

static void test_stops(struct scene *s)
{
	guard("stops from outside on %s", ls_topology_spec(ls_machine_topology(s->machine)));
	s->sprung = -1;
	for (int i = 0; i < (is_thin() ? 5 : 30); i++) {
		pthread_t thread;

		CHECK(pthread_create(&thread, NULL, stopper, s->machine) == 0, "a thread");

		const int status = ls_run(s->machine, call_forever, s);

		pthread_join(thread, NULL);
		CHECK(status == LS_ERR_PROGRAM, "%s: %s", guarded(), ls_status_name(status));
		for (int64_t r = 1; r < s->p; r++)
			CHECK(s->status[r][0] == s->status[0][0], "%s: %d calls at node %" PRId64 ", %d at 0",
				guarded(), s->status[r][0], r, s->status[0][0]);
		CHECK(!atomic_load(&s->poisoned), "%s: a buffer was read after its call", guarded());
	}
	run_again(s);
}

/* Machines ---------------------------------------------------------------------------------- */

/* Uses of the operator in the calls of a run in which nothing goes wrong. */
static int count_uses(struct scene *s)
{
	atomic_store(&s->uses, 0);
	guard("%s", ls_topology_spec(ls_machine_topology(s->machine)));
	run_again(s);
	return atomic_load(&s->uses) / CALLS;
}

static void on_machine(const ls_topology *t, struct scene *s, bool limited, enum ls_engine engine)
{
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = s->rounds, .engine = engine, .timeout = limited ? limit : 0
	};

	s->limited = limited;
	s->machine = machine_on(t, &options);
}

static void test_lates(const ls_topology *t, struct scene *s)
{
	for (size_t i = 0; i < sizeof lates / sizeof *lates; i++) {
		s->late = &lates[i];
		if (s->late->lockstep && s->rounds == LS_FREE)
			continue;

		/* Few words go another way only where the engine is chosen. */
		on_machine(t, s, s->late->limited,
			s->late->act == give_few || s->rounds == LS_LOCKSTEP ? LS_AUTO : LS_COOPERATIVE);
		for (int64_t node = 0; node < s->p; node += s->p > 8 ? 17 : 1) {
			for (int64_t call = s->limited ? CALLS - 1 : 0; call < CALLS; call++)
				test_late(s, node, call);
		}
		ls_machine_destroy(s->machine);
	}
	s->late = NULL;
}

static void test_traps(const ls_topology *t, struct scene *s)
{
	int uses;

	on_machine(t, s, false, LS_COOPERATIVE);
	test_stops(s);
	uses = count_uses(s);
	CHECK(uses > 0, "%s: the operator is not used", guarded());
	ls_machine_destroy(s->machine);
	for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
		s->trap = &traps[i];
		on_machine(t, s, s->trap->limited, LS_COOPERATIVE);
		for (int use = 0; use < uses - 1; use += 1 + uses / 3)
			test_trap(s, use);
		test_trap(s, uses - 1);
		ls_machine_destroy(s->machine);
	}
	s->trap = NULL;
}

static void test_network(const char *spec, enum ls_rounds rounds, size_t words)
{
	ls_topology *t = topology_of(spec), *three = topology_of("complete:3");
	struct scene s = { .rounds = rounds, .p = ls_topology_nodes(t), .words = words };
	const struct ls_op_options add_options = { .size = sizeof add_options,
		.name = "add", .combine = add, .context = &s, .commutative = true };
	const struct ls_machine_options options = {
		.size = sizeof options, .engine = LS_COOPERATIVE, .rounds = rounds
	};

	CHECK(ls_op_make(&add_options, &s.op) == LS_OK, "no memory");
	s.inner = machine_on(three, &options);
	test_lates(t, &s);
	test_traps(t, &s);
	ls_machine_destroy(s.inner);
	ls_op_destroy(s.op);
	ls_topology_destroy(three);
	ls_topology_destroy(t);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_network("complete:2", (enum ls_rounds)rounds, WORDS);
		test_network("ring:5", (enum ls_rounds)rounds, WORDS);
		test_network("star:3", (enum ls_rounds)rounds, SHORT + 1);
		if (!is_thin())
			test_network("complete:40", (enum ls_rounds)rounds, WORDS / 8);
	}
	return test_result();
}
