/*
 * Turns and decisions.
 *
 * Every thread has a word, and sleeps on it until its turn.  The thread whose turn it is gives the
 * turn to another one, and sleeps.  So nothing here needs a lock.
 */
#include "scheduler/scheduler.h"

#include <linux/futex.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/personality.h>

#include "scheduler/scheduled_threads.h"

enum {
	STEP_NS = 100,
	JUMP_NS = 5000000, /* at most */
	TURN_MOST = 20000, /* steps, while others could run: a loop that waits without a yield */
	IDLE_MOST = 20000  /* time limits in a row, with nothing else between them */
};

struct scheduler scheduler;
static _Thread_local struct scheduled_thread *self;

struct scheduled_thread *schedule_self(void)
{
	return self;
}

/* splitmix64 */
static uint64_t next_random(void)
{
	uint64_t x = scheduler.random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

uint64_t schedule_below(uint64_t n)
{
	return next_random() % n;
}

/* ---- Turns */

static void give_turn(struct scheduled_thread *to)
{
	scheduler.begun = scheduler.steps;
	atomic_store(&to->turn, 1u);
	(syscall)(SYS_futex, &to->turn, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

static void await_turn(struct scheduled_thread *me)
{
	while (atomic_load(&me->turn) == 0)
		(syscall)(SYS_futex, &me->turn, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
	atomic_store(&me->turn, 0u);
}

static void turn_to(struct scheduled_thread *next)
{
	struct scheduled_thread *me = self;

	if (next == me)
		return;
	give_turn(next);
	await_turn(me);
}

/* ---- The clock */

static void find_next_deadline(void)
{
	scheduler.next_deadline = UINT64_MAX;
	for (const struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
		if (t->deadline && t->deadline < scheduler.next_deadline)
			scheduler.next_deadline = t->deadline;
	}
}

static void let_run(struct scheduled_thread *t, bool timed_out)
{
	t->state = RUNS;
	t->awaited = NULL;
	t->deadline = 0;
	t->timed_out = timed_out;
	scheduler.has_woken = true;
}

static void pass_time(uint64_t ns)
{
	scheduler.now += ns;
	if (scheduler.now < scheduler.next_deadline)
		return;
	for (struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
		if (t->deadline && t->deadline <= scheduler.now) {
			let_run(t, true);
			scheduler.timed = t->number;
		}
	}
	find_next_deadline();
}

/* All threads wait: the next time limit ends. */
static void pass_idle_time(void)
{
	if (scheduler.next_deadline == UINT64_MAX)
		schedule_stuck("no thread can run: a wake-up is lost, or threads wait for each other");
	if (++scheduler.idle > IDLE_MOST)
		schedule_stuck("nothing happens but time limits: a wake-up is lost");
	pass_time(scheduler.next_deadline - scheduler.now);
}

/* ---- Decisions */

/* One of the threads that can run, other than `except`, by the strategy; NULL: there is none. */
static struct scheduled_thread *choose_among(const struct scheduled_thread *except)
{
	const bool by_priority = scheduler.strategy.one_in == 0;
	struct scheduled_thread *best = NULL;
	uint64_t found = 0;

	for (struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
		if (t->state != RUNS || t == except)
			continue;
		found++;
		if (!best || (by_priority ? t->priority > best->priority : schedule_below(found) == 0))
			best = t;
	}
	return best;
}

static void wake_spuriously(void)
{
	const uint64_t one_in = scheduler.strategy.wake_in;

	if (one_in && schedule_below(one_in) == 0)
		for (struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
			if (t->state == SLEEPS && t->awaited && schedule_below(2))
				let_run(t, false);
		}
}

/* The next thread; one that yields only if no other can run. */
static struct scheduled_thread *choose(struct scheduled_thread *yields_or_null)
{
	struct scheduled_thread *next;

	wake_spuriously();
	scheduler.has_woken = false;
	while (!(next = choose_among(yields_or_null))) {
		if (yields_or_null)
			return yields_or_null;
		pass_idle_time();
	}
	return next;
}

/* By priority: is this one of the steps at which the thread gets the lowest? */
static bool changes_priority(void)
{
	const struct schedule_strategy *s = &scheduler.strategy;

	for (size_t i = 0; i < sizeof s->changes / sizeof *s->changes; i++) {
		if (s->changes[i] == scheduler.steps)
			return true;
	}
	return scheduler.steps - scheduler.begun > TURN_MOST;
}

/* At an access: is there a choice? */
static bool decides(struct scheduled_thread *me)
{
	if (scheduler.strategy.one_in > 0)
		return schedule_below(scheduler.strategy.one_in) == 0;
	if (!changes_priority())
		return scheduler.has_woken;
	me->priority = --scheduler.lowest;
	scheduler.begun = scheduler.steps;
	return true;
}

/* ---- Points */

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

static void note(struct scheduled_thread *me, const char *action, const char *file, int line,
	const char *function)
{
	const uint64_t jump_in = scheduler.strategy.jump_in;

	me->last = (struct schedule_step){ ++scheduler.steps, scheduler.now, me->number, line, action,
		file, function };
	schedule_remember(&me->last);
	scheduler.hash = mix(scheduler.hash, (uint64_t)me->number << 32 | (uint64_t)line);
	if (me->number != scheduler.timed)
		scheduler.idle = 0;
	if (scheduler.steps >= scheduler.most_steps)
		schedule_stuck("the limit of steps is reached");
	pass_time(jump_in && schedule_below(jump_in) == 0 ? schedule_below(JUMP_NS) : STEP_NS);
}

void lsi_schedule_point(const char *action, const char *file, int line, const char *function)
{
	struct scheduled_thread *me = self;

	if (!me || me->quiet)
		return;
	note(me, action, file, line, function);
	if (decides(me))
		turn_to(choose(NULL));
}

int schedule_yield(const char *action, const char *file, int line, const char *function)
{
	struct scheduled_thread *me = self;

	if (!me || me->quiet)
		return 0;
	note(me, action, file, line, function);
	pass_time(*action == 'y' ? scheduler.strategy.yield_ns : 0);
	me->priority = --scheduler.lowest;
	turn_to(choose(me));
	return 0;
}

bool schedule_wait(enum scheduled_state state, const void *awaited, uint64_t deadline)
{
	struct scheduled_thread *me = self;

	me->state = state;
	me->awaited = awaited;
	me->deadline = deadline;
	me->timed_out = false;
	if (deadline && deadline < scheduler.next_deadline)
		scheduler.next_deadline = deadline;
	turn_to(choose(NULL));
	return !me->timed_out;
}

int schedule_wake(enum scheduled_state state, const void *awaited, int most)
{
	int woken = 0;

	for (; woken < most; woken++) {
		struct scheduled_thread *found = NULL;
		uint64_t waiting = 0;

		for (struct scheduled_thread *t = scheduler.threads; t; t = t->next) {
			if (t->state == state && t->awaited == awaited && schedule_below(++waiting) == 0)
				found = t;
		}
		if (!found)
			break;
		let_run(found, false);
	}
	if (woken > 0)
		find_next_deadline();
	return woken;
}

/* ---- Threads */

static void begin_thread(struct scheduled_thread *t)
{
	t->number = scheduler.numbers++;
	t->priority = (int64_t)schedule_below(1 << 30) + 1;
	t->state = RUNS;
}

struct scheduled_thread *schedule_add(void *(*body)(void *), void *argument)
{
	struct scheduled_thread *t = calloc(1, sizeof *t), **end = &scheduler.threads;

	if (!t)
		abort();
	t->body = body;
	t->argument = argument;
	begin_thread(t);
	while (*end)
		end = &(*end)->next;
	*end = t;
	scheduler.has_woken = true;
	return t;
}

void schedule_remove(struct scheduled_thread *t)
{
	struct scheduled_thread **at = &scheduler.threads;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	free(t);
}

void schedule_enter(struct scheduled_thread *me)
{
	self = me;
	await_turn(me);
}

void schedule_leave(void)
{
	struct scheduled_thread *me = self;

	note(me, "end of thread", __FILE__, __LINE__, __func__);
	me->state = HAS_ENDED;
	schedule_wake(JOINS, me, INT_MAX);
	self = NULL;
	give_turn(choose(NULL));
}

/* ---- Begin */

void schedule_draw(void)
{
	static const uint64_t walks[] = { 1, 2, 8, 32, 128, 0, 0, 0 };
	static const uint64_t spans[] = { 100, 1000, 10000 }, yields[] = { 50000, 500000, 5000000 };
	const uint64_t walk = schedule_below(8), span = spans[schedule_below(3)];
	struct schedule_strategy s = { .one_in = walks[walk],
		.jump_in = schedule_below(4) ? 0 : 1000,
		.wake_in = schedule_below(4) ? 0 : 64,
		.yield_ns = yields[schedule_below(3)],
		.idle_share = schedule_below(4) ? 1 : 8,
		.cores = 1 << schedule_below(3),
		.has_membarrier = schedule_below(4) > 0 };

	for (size_t i = 0; i < sizeof s.changes / sizeof *s.changes; i++)
		s.changes[i] = scheduler.steps + 1 + (int64_t)schedule_below(span);
	scheduler.strategy = s;
}

void schedule_begin(uint64_t seed)
{
	struct scheduled_thread *me = &scheduler.main;
	const int64_t most_steps = scheduler.most_steps;

	*me = (struct scheduled_thread){ .handle = pthread_self() };
	scheduler = (struct scheduler){ .threads = &scheduler.main,
		.main = *me,
		.seed = seed,
		.random = seed,
		.now = 1000000000,
		.next_deadline = UINT64_MAX,
		.most_steps = most_steps ? most_steps : INT64_MAX };
	schedule_forget();
	begin_thread(&scheduler.main);
	schedule_draw();
	self = &scheduler.main;
}

void schedule_limit(int64_t steps)
{
	scheduler.most_steps = scheduler.steps + steps;
}

struct schedule_trace schedule_trace(void)
{
	return (struct schedule_trace){ scheduler.seed, scheduler.hash, scheduler.steps,
		scheduler.numbers };
}

/* A child of fork has only the thread that called it. */
static void keep_self(void)
{
	if (!self)
		return;
	scheduler.threads = self;
	self->next = NULL;
	find_next_deadline();
}

/* The caches of the library hash addresses, so the process begins again without random ones. */
static void fix_addresses(char **argv)
{
	const int old = personality(0xffffffff);

	if (old >= 0 && !(old & ADDR_NO_RANDOMIZE)
		&& personality((unsigned)old | ADDR_NO_RANDOMIZE) >= 0)
		execv("/proc/self/exe", argv);
}

/* glibc passes the arguments of main to constructors. */
static __attribute__((constructor(101))) void begin_process(int argc, char **argv)
{
	const char *seed = getenv("LOCKSTEP_SCHEDULE");

	(void)argc;
	fix_addresses(argv);
	schedule_begin(seed ? strtoull(seed, NULL, 0) : 1);
	pthread_atfork(NULL, NULL, keep_self);
	schedule_watch_process();
}
