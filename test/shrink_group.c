/*
 * A node dies; the others learn its name, get a group of those that live, and make the call again.
 *
 *   by messages   every node dies at every round of every collective: the nodes send the messages
 *                 of its plan themselves, and the one that dies returns
 *   in a call     the operator of a node ends its thread
 *
 * In some trials another node dies after the first recovery.
 */
/* nodes: threads fibers */
#include <inttypes.h>

#include "support/cells.h"
#include "support/group_call.h"
#include "support/guard.h"
#include "test.h"

enum { NEVER = -1 };

/* ---- Deaths by messages */

struct death {
	const struct plan_messages *messages;
	enum ls_operation operation;
	int64_t round, node; /* the node that dies, and when */
	int64_t second;      /* the node that dies after the first recovery, or NEVER */
	int status;          /* that its program returns */
	atomic_int survivors;
};

/* The error names the node. */
static void check_name(const struct death *d, const struct ls_error *why, int64_t node, int failed)
{
	CHECK(failed == why->kind
			&& (d->status ? why->kind == LS_ERR_PROGRAM && why->node == node
						  : why->kind == LS_ERR_LEFT && why->peer == node),
		"%s: %s, node %" PRId64 ", peer %" PRId64 ": %s", guarded(), ls_status_name(failed),
		why->node, why->peer, why->text);
}

/* Shrink after the death of `node`; the group has one member less. */
static int go_on(ls_node *me, ls_node **group, const struct death *d, int64_t node, int failed)
{
	const int64_t size = ls_size(*group) - 1;
	struct ls_error why = { .size = sizeof why };

	CHECK(failed, "%s: a barrier without node %" PRId64 " has ended", guarded(), node);

	const int shrunk = ls_shrink(*group, group, &why);

	CHECK(shrunk == LS_OK, "%s: ls_shrink: %s", guarded(), ls_status_name(shrunk));
	if (shrunk)
		return shrunk;
	check_name(d, &why, node, failed);
	CHECK(ls_size(*group) == size, "%s: %" PRId64 " live", guarded(), ls_size(*group));
	failed = ls_next_round(me); /* of the whole machine, without those that have ended */
	return failed ? failed : group_call(*group, d->operation, LS_SUM);
}

static int die_by_messages(ls_node *me, void *arg)
{
	struct death *d = arg;
	const int64_t rank = ls_rank(me);
	ls_node *group = me;
	int failed = LS_OK;

	for (int64_t round = 1; round <= d->messages->rounds && !failed; round++) {
		if (rank == d->node && round == d->round)
			return d->status;
		failed = plan_messages_play(me, d->messages, round);
	}
	if (rank == d->node) /* after the last round */
		return d->status;
	failed = failed ? failed : ls_barrier(me);
	failed = go_on(me, &group, d, d->node, failed);
	if (rank == d->second && !failed)
		return d->status;
	if (d->second != NEVER && !failed) {
		failed = group_call(group, d->operation, LS_SUM);
		failed = failed ? failed : ls_barrier(group);
		failed = go_on(me, &group, d, d->second, failed);
	}
	atomic_fetch_add(&d->survivors, 1);
	return failed;
}

static void test_death(const ls_topology *t, struct death *d, const struct ls_machine_options *o)
{
	ls_machine *machine = machine_on(t, o);
	const int64_t p = ls_topology_nodes(t);
	const int64_t live = p - 1 - (d->second != NEVER);

	atomic_store(&d->survivors, 0);
	must_run(machine, die_by_messages, d);
	CHECK(atomic_load(&d->survivors) == live, "%s: %d survivors", guarded(),
		atomic_load(&d->survivors));
	ls_machine_destroy(machine);
}

static void test_messages(const char *spec, enum ls_mode mode)
{
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);
	int64_t trial = 0;

	for (int operation = 0; operation < LS_OPERATIONS; operation++) {
		struct plan_messages messages;

		if (!plan_messages_make(&messages, t, (enum ls_operation)operation, mode))
			continue;

		const int64_t rounds = messages.rounds;

		for (int64_t node = 0; node < p; node++)
			for (int64_t round = 1; round <= rounds + 1; round++) {
				const struct ls_machine_options options = { .size = sizeof options,
					.mode = mode,
					.rounds = trial / 2 % 2 ? LS_FREE : LS_LOCKSTEP,
					.engine = trial / 4 % 2 ? LS_MAILBOXES : LS_AUTO,
					.recover = true };
				struct death d = { &messages, (enum ls_operation)operation, round, node,
					trial % 3 ? NEVER : (node + 1) % p, trial % 2 ? 7 : LS_OK, 0 };

				if (!(is_fast() || is_thin()) || trial % 29 == 0) {
					guard("%s %s: node %" PRId64 " dies in round %" PRId64 " of %" PRId64
						  ", %s, %s",
						spec, ls_operation_name(d.operation), node, round, rounds,
						options.rounds ? "free" : "lockstep", d.status ? "error" : "end");
					test_death(t, &d, &options);
				}
				trial++;
			}
		plan_messages_free(&messages);
	}
	ls_topology_destroy(t);
}

/* ---- Deaths in a call */

struct call_death {
	int64_t node;
	atomic_int survivors;
};
static _Thread_local struct {
	bool dies;
	int combines;
} here;
static int last_combine; /* the number of the call of its operator that ends its thread */

static void add_or_die(void *out, const void *a, const void *b, size_t n, void *unused)
{
	(void)unused;
	if (here.dies && here.combines++ == last_combine)
		pthread_exit(NULL);
	for (size_t i = 0; i < n; i++)
		((int64_t *)out)[i] = ((const int64_t *)a)[i] + ((const int64_t *)b)[i];
}

static ls_op own_sum;

static int die_in_call(ls_node *me, void *arg)
{
	struct call_death *d = arg;
	struct ls_error why = { .size = sizeof why };
	int64_t mine = ls_rank(me) + 1, sum = 0;
	const int64_t all = ls_size(me) * (ls_size(me) + 1) / 2;
	ls_node *group = me;
	int failed;

	here.dies = ls_rank(me) == d->node;
	here.combines = 0;
	failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, own_sum);
	if (ls_rank(me) == d->node)
		return LS_OK; /* it has combined less often */
	failed = failed ? failed : ls_barrier(me);
	CHECK(failed == LS_ERR_LEFT, "%s: %s", guarded(), ls_status_name(failed));
	failed = ls_shrink(group, &group, &why);
	CHECK(failed == LS_OK && why.kind == LS_ERR_LEFT && why.peer == d->node, "%s: %s, %s",
		guarded(), ls_status_name(failed), why.text);
	failed = failed ? failed : ls_allreduce(group, &mine, &sum, 1, LS_INT64, own_sum);
	CHECK(sum == all - d->node - 1, "%s: the sum is %" PRId64, guarded(), sum);
	failed = failed ? failed : ls_barrier(me);
	CHECK(failed == LS_ERR_LEFT, "%s: the whole machine: %s", guarded(), ls_status_name(failed));
	failed = ls_shrink(me, &group, &why);
	CHECK(failed == LS_OK && why.peer == d->node && ls_size(group) == ls_size(me) - 1,
		"%s: again: %s, %s", guarded(), ls_status_name(failed), why.text);
	atomic_fetch_add(&d->survivors, 1);
	return failed;
}

static void test_calls(const char *spec, enum ls_rounds rounds)
{
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);
	const struct ls_machine_options options = {
		.size = sizeof options, .rounds = rounds, .engine = LS_MAILBOXES, .recover = true
	};

	for (int64_t node = 0; node < p; node++)
		for (last_combine = 0; last_combine < 4; last_combine++) {
			ls_machine *machine = machine_on(t, &options);
			struct call_death d = { .node = node };

			guard("%s: node %" PRId64 " dies at its combination %d, %s rounds", spec, node,
				last_combine, rounds == LS_FREE ? "free" : "lockstep");
			must_run(machine, die_in_call, &d);
			CHECK(atomic_load(&d.survivors) == p - 1, "%s: %d survivors", guarded(),
				atomic_load(&d.survivors));
			ls_machine_destroy(machine);
		}
	ls_topology_destroy(t);
}

int main(void)
{
	const struct ls_op_options sum = {
		.size = sizeof sum, .combine = add_or_die, .commutative = true
	};

	CHECK(ls_op_make(&sum, &own_sum) == LS_OK, "operator");
	if (node_kind() == LS_NODE_THREAD) {
		test_calls("ring:4", LS_LOCKSTEP);
		test_calls("hypercube:3", LS_FREE);
	}
	ls_op_destroy(own_sum);
	test_messages("ring:4", LS_ROUTED);
	test_messages("hypercube:3", LS_ROUTED);
	return test_result();
}
