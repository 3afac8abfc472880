/*
 * Nodes die at any step of any collective; all that live get the same verdicts, and then a group of
 * those that live, on which the call succeeds.
 *
 *   every step   on up to 16 nodes each node dies at each step of each collective
 *   random       on 16 and 120 nodes up to three nodes die, each in one of these ways:
 *
 *   in a round         the nodes send the messages of a plan themselves, and one of them returns
 *   in a call          its operator ends its thread
 *   after a recovery   it returns while others call again
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/cells.h"
#include "support/group_call.h"
#include "support/guard.h"
#include "test.h"

enum { STEP_NODES = 16, VICTIMS = 3 };

enum way { IN_ROUND, IN_CALL, AFTER_RECOVERY };
struct victim {
	int64_t node, step; /* step: the round, the use of the operator, or the number of recoveries */
	enum way way;
	int status; /* that its program returns */
};

/* What a node got from ls_shrink. */
struct verdict {
	int status;
	int64_t living;
	struct ls_error why;
};

struct trial {
	const struct plan_messages *messages; /* played in place of the first call; NULL: none are */
	enum ls_operation operation;
	int victims;
	struct victim victim[VICTIMS];
	int uses[GROUP_CALL_NODES]; /* of the operator, by each node that may die in it */
	atomic_int died, survived;
	pthread_mutex_t lock;
	int verdicts; /* by number of recoveries, as its first node got it */
	struct verdict verdict[VICTIMS];
};
static struct trial *current; /* for the operator */
static atomic_llong compared;
static long long trials, deaths, recoveries;

/* ---- Die */

static const struct victim *victim_of(const struct trial *t, int64_t node)
{
	for (int i = 0; i < t->victims; i++) {
		if (t->victim[i].node == node)
			return &t->victim[i];
	}
	return NULL;
}

static bool dies(const struct victim *v, enum way way, int64_t step)
{
	return v && v->way == way && v->step == step;
}

static void add_or_die(void *out, const void *a, const void *b, size_t n, void *unused)
{
	const int64_t rank = ls_rank(node_here());
	const struct victim *v = victim_of(current, rank);

	(void)unused;
	if (v && v->way == IN_CALL && current->uses[rank]++ == v->step) {
		atomic_fetch_add(&current->died, 1);
		pthread_exit(NULL);
	}
	for (size_t i = 0; i < n; i++)
		((int64_t *)out)[i] = ((const int64_t *)a)[i] + ((const int64_t *)b)[i];
}

static ls_op own_sum;

/* ---- Live */

static bool are_same(const struct verdict *a, const struct verdict *b)
{
	const struct ls_error *x = &a->why, *y = &b->why;

	return a->status == b->status && a->living == b->living && x->kind == y->kind
		&& x->node == y->node && x->peer == y->peer && x->round == y->round
		&& strcmp(x->text, y->text) == 0;
}

static bool names_victim(const struct trial *t, const struct ls_error *why)
{
	return (why->kind == LS_ERR_LEFT && victim_of(t, why->peer))
		|| (why->kind == LS_ERR_PROGRAM && victim_of(t, why->node));
}

/* All nodes that live get the same from their call number k. */
static void compare(struct trial *t, int k, const struct verdict *mine)
{
	CHECK(k < VICTIMS, "%s: %d recoveries", guarded(), k);
	if (k >= VICTIMS)
		return;
	pthread_mutex_lock(&t->lock);
	if (t->verdicts == k)
		t->verdict[t->verdicts++] = *mine;
	pthread_mutex_unlock(&t->lock);
	CHECK(are_same(mine, &t->verdict[k]), "%s: verdict %d: %s, %" PRId64 " live: %s; not: %s",
		guarded(), k, ls_status_name(mine->status), mine->living, mine->why.text,
		t->verdict[k].why.text);
	CHECK(!mine->status && names_victim(t, &mine->why), "%s: verdict %d: %s: %s", guarded(), k,
		ls_status_name(mine->status), mine->why.text);
	atomic_fetch_add(&compared, 1);
}

/* Play the rounds up to that in which this node dies. */
static int play_rounds(ls_node *me, const struct trial *t, const struct victim *v)
{
	int failed = LS_OK;

	for (int64_t round = 1; round <= t->messages->rounds && !failed; round++) {
		if (dies(v, IN_ROUND, round))
			return LS_OK;
		failed = plan_messages_play(me, t->messages, round);
	}
	return failed;
}

/* The call, and one more that fails at all nodes if it fails at some. */
static int call(ls_node *group, const struct trial *t)
{
	const int failed = group_call(group, t->operation, own_sum);

	return failed ? failed : ls_barrier(group);
}

static int live_or_die(ls_node *me, void *arg)
{
	struct trial *t = arg;
	const struct victim *v = victim_of(t, ls_rank(me));
	ls_node *group = me;
	int failed;

	failed = t->messages ? play_rounds(me, t, v) : call(me, t);
	if (v && v->way == IN_ROUND) {
		atomic_fetch_add(&t->died, 1);
		return v->status;
	}
	if (t->messages && !failed)
		failed = ls_barrier(me);
	for (int k = 0; failed; k++) {
		struct verdict mine = { .why.size = sizeof mine.why };

		mine.status = ls_shrink(group, &group, &mine.why);
		mine.living = mine.status ? -1 : ls_size(group);
		compare(t, k, &mine);
		if (mine.status)
			return mine.status;
		if (dies(v, AFTER_RECOVERY, k + 1)) {
			atomic_fetch_add(&t->died, 1);
			return v->status;
		}
		failed = call(group, t);
	}
	CHECK(ls_size(group) == ls_size(me) - atomic_load(&t->died), "%s: %" PRId64 " live", guarded(),
		ls_size(group));
	atomic_fetch_add(&t->survived, 1);
	return LS_OK;
}

static void run_trial(
	const ls_topology *topology, struct trial *t, const struct ls_machine_options *o)
{
	ls_machine *machine = machine_on(topology, o);
	const int64_t p = ls_topology_nodes(topology);

	pthread_mutex_init(&t->lock, NULL);
	current = t;
	must_run(machine, live_or_die, t);
	CHECK(atomic_load(&t->survived) + atomic_load(&t->died) == p, "%s: %d of %" PRId64 " survived",
		guarded(), atomic_load(&t->survived), p);
	trials++;
	deaths += atomic_load(&t->died);
	recoveries += t->verdicts;
	pthread_mutex_destroy(&t->lock);
	ls_machine_destroy(machine);
}

/* Round modes and engines in turn. */
static struct ls_machine_options options_for(uint64_t k, enum ls_mode mode)
{
	return (struct ls_machine_options){ .size = sizeof(struct ls_machine_options),
		.mode = mode,
		.rounds = k % 2 ? LS_FREE : LS_LOCKSTEP,
		.engine = k / 2 % 2 ? LS_MAILBOXES : LS_AUTO,
		.recover = true };
}

/* ---- Every step */

/* The number of trials of which one is run; prime. */
static int64_t stride(void)
{
	return is_long() ? 1 : is_fast() || is_thin() ? 1009 : 83;
}

static void test_every_step(const char *spec, enum ls_mode mode, int64_t *number)
{
	ls_topology *topology = topology_of(spec);
	const int64_t p = ls_topology_nodes(topology);

	for (int operation = 0; operation < LS_OPERATIONS && p > 1 && p <= STEP_NODES; operation++) {
		struct plan_messages m;

		if (!plan_messages_make(&m, topology, (enum ls_operation)operation, mode))
			continue;
		for (int64_t at = 0; at < p * (m.rounds + 1); at++, ++*number) {
			const struct ls_machine_options options = options_for((uint64_t)(*number / 2), mode);
			const struct victim v = { at % p, at / p + 1, IN_ROUND, *number % 2 ? 7 : LS_OK };
			struct trial t = { .messages = &m,
				.operation = (enum ls_operation)operation,
				.victims = 1,
				.victim = { v } };

			if (*number % stride() != 0)
				continue;
			guard("%s %s %s: node %" PRId64 " dies in round %" PRId64 " of %" PRId64, spec,
				mode == LS_HOP ? "hop" : "routed", ls_operation_name(t.operation), v.node, v.step,
				m.rounds);
			run_trial(topology, &t, &options);
			CHECK(t.verdicts == 1, "%s: %d verdicts", guarded(), t.verdicts);
		}
		plan_messages_free(&m);
	}
	ls_topology_destroy(topology);
}

/* ---- Random deaths */

static struct victim random_victim(const struct trial *t, int64_t p, uint64_t *random)
{
	struct victim v = { .status = random_below(random, 2) ? 7 : LS_OK };

	do
		v.node = random_below(random, p);
	while (victim_of(t, v.node));
	v.way = (enum way)random_below(random, 3);
	if (v.way == IN_CALL && !may_exit_thread(node_kind()))
		v.way = AFTER_RECOVERY;
	if (v.way == IN_ROUND && !t->messages)
		v.way = IN_CALL;
	v.step = v.way == IN_ROUND ? 1 + random_below(random, t->messages->rounds + 1)
		: v.way == IN_CALL     ? random_below(random, 4)
							   : 1 + random_below(random, 2);
	return v;
}

static void test_random(const char *spec, int64_t count, uint64_t seed)
{
	ls_topology *topology = topology_of(spec);
	const int64_t p = ls_topology_nodes(topology);

	for (int64_t k = 0; k < count; k++) {
		uint64_t random = seed + (uint64_t)k;
		const enum ls_mode mode = random_below(&random, 2) ? LS_ROUTED : LS_HOP;
		const struct ls_machine_options options = options_for(random_next(&random), mode);
		const bool plays =
			!may_exit_thread(node_kind()) || random_below(&random, 3) > 0; /* else it calls */
		struct trial t = { .operation = (enum ls_operation)random_below(&random, LS_OPERATIONS) };
		struct plan_messages m;

		if (!plan_messages_make(&m, topology, t.operation, mode))
			continue;
		t.messages = plays ? &m : NULL;
		for (int n = 1 + (int)random_below(&random, VICTIMS); t.victims < n; t.victims++)
			t.victim[t.victims] = random_victim(&t, p, &random);
		guard("%s %s %s: %d nodes may die, seed %" PRIu64, spec, mode == LS_HOP ? "hop" : "routed",
			ls_operation_name(t.operation), t.victims, seed + (uint64_t)k);
		run_trial(topology, &t, &options);
		plan_messages_free(&m);
	}
	ls_topology_destroy(topology);
}

static void print_totals(const char *what)
{
	printf("%s: %lld trials, %lld nodes died, %lld recoveries, %lld verdicts agree\n", what, trials,
		deaths, recoveries, (long long)atomic_load(&compared));
}

int main(void)
{
	const struct ls_op_options sum = {
		.size = sizeof sum, .combine = add_or_die, .commutative = true
	};
	const int64_t count = is_long() ? 1000 : is_fast() || is_thin() ? 6 : 30;
	int64_t number = 0;

	CHECK(ls_op_make(&sum, &own_sum) == LS_OK, "operator");
	for (int i = 0; i < SMALL; i++) {
		test_every_step(small_networks[i], LS_HOP, &number);
		test_every_step(small_networks[i], LS_ROUTED, &number);
	}
	print_totals("every step");
	test_random("hypercube:4", count, 1000000);
	print_totals("and random, 16 nodes");
	test_random("star:5", count, 2000000);
	print_totals("and random, 120 nodes");
	ls_op_destroy(own_sum);
	return test_result();
}
