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
#include <stdlib.h>
#include <string.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/play.h"
#include "test.h"

enum { NODES = 8, ROUNDS_MOST = 64, NEVER = -1 };

/* ---- Every collective on a group */

struct call {
	int64_t mine[NODES], got[NODES], want[NODES];
	int64_t n; /* elements of the result */
};

static int move(ls_node *me, enum ls_operation operation, struct call *c)
{
	const int64_t p = ls_size(me), r = ls_rank(me);
	const bool gathers =
		operation == LS_ALLGATHER || operation == LS_ALLTOALL || (operation == LS_GATHER && r == 0);

	c->n = gathers ? p : 1;
	c->want[0] = 0;
	for (int64_t i = 0; i < p && gathers; i++)
		c->want[i] = i + 1 + (operation == LS_ALLTOALL ? 10 * r : 0);
	switch (operation) {
	case LS_BROADCAST:
		c->got[0] = c->mine[0];
		c->want[0] = 1;
		return ls_broadcast(me, c->got, 1, LS_INT64, 0);
	case LS_SCATTER:
		c->want[0] = 1 + 10 * r;
		return ls_scatter(me, c->mine, c->got, 1, LS_INT64, 0);
	case LS_SHIFT:
		c->want[0] = (r + p - 1) % p + 1;
		return ls_shift(me, c->mine, c->got, 1, LS_INT64, 1);
	case LS_ALLGATHER:
		return ls_allgather(me, c->mine, c->got, 1, LS_INT64);
	case LS_GATHER:
		return ls_gather(me, c->mine, c->got, 1, LS_INT64, 0);
	case LS_ALLTOALL:
		return ls_alltoall(me, c->mine, c->got, 1, LS_INT64);
	default:
		return ls_barrier(me);
	}
}

static int combine(ls_node *me, enum ls_operation operation, struct call *c)
{
	const int64_t p = ls_size(me), r = ls_rank(me), sum = p * (p + 1) / 2;

	c->n = 1;
	c->want[0] = sum;
	switch (operation) {
	case LS_REDUCE:
		c->want[0] = r == 0 ? sum : 0;
		return ls_reduce(me, c->mine, c->got, 1, LS_INT64, LS_SUM, 0);
	case LS_ALLREDUCE:
		return ls_allreduce(me, c->mine, c->got, 1, LS_INT64, LS_SUM);
	case LS_REDUCE_SCATTER:
		c->want[0] = sum + 10 * p * r;
		return ls_reduce_scatter(me, c->mine, c->got, 1, LS_INT64, LS_SUM);
	case LS_SCAN:
		c->want[0] = (r + 1) * (r + 2) / 2;
		return ls_scan(me, c->mine, c->got, 1, LS_INT64, LS_SUM);
	case LS_EXSCAN:
		c->want[0] = r * (r + 1) / 2;
		return ls_exscan(me, c->mine, c->got, 1, LS_INT64, LS_SUM);
	default:
		return move(me, operation, c);
	}
}

/* Any operation; contributions are rank + 1, for node j of a scatter or all-to-all + 10 j. */
static int call_again(ls_node *me, enum ls_operation operation)
{
	struct call c = { .n = 0 };
	int failed;

	for (int64_t i = 0; i < ls_size(me); i++)
		c.mine[i] = ls_rank(me) + 1 + 10 * i;
	failed = combine(me, operation, &c);
	for (int64_t i = 0; i < c.n && !failed; i++)
		CHECK(c.got[i] == c.want[i],
			"%s: element %" PRId64 " at %" PRId64 " of %" PRId64 ": %" PRId64, guarded(), i,
			ls_rank(me), ls_size(me), c.got[i]);
	return failed;
}

/* ---- Deaths by messages */

struct death {
	const struct messages *messages;
	enum ls_operation operation;
	int64_t rounds, round, node; /* the node that dies, and when */
	int64_t second;              /* the node that dies after the first recovery, or NEVER */
	int status;                  /* that its program returns */
	atomic_int survivors;
};

/* Send and receive the messages of one round. */
static int take_part(ls_node *me, const struct messages *m, int64_t round)
{
	static const uint64_t word = 42;
	uint64_t got = 0;
	int failed = LS_OK;

	for (size_t i = 0; i < m->n && !failed; i++) {
		if (m->record[i].round == round && m->record[i].src == ls_rank(me))
			failed = ls_send(me, m->record[i].dst, &word, sizeof word);
	}
	for (size_t i = 0; i < m->n && !failed; i++) {
		if (m->record[i].round == round && m->record[i].dst == ls_rank(me))
			failed = ls_receive(me, m->record[i].src, &got, sizeof got);
	}
	return failed ? failed : ls_next_round(me);
}

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
	return failed ? failed : call_again(*group, d->operation);
}

static int die_by_messages(ls_node *me, void *arg)
{
	struct death *d = arg;
	const int64_t rank = ls_rank(me);
	ls_node *group = me;
	int failed = LS_OK;

	for (int64_t round = 1; round <= d->rounds && !failed; round++) {
		if (rank == d->node && round == d->round)
			return d->status;
		failed = take_part(me, d->messages, round);
	}
	if (rank == d->node) /* after the last round */
		return d->status;
	failed = failed ? failed : ls_barrier(me);
	failed = go_on(me, &group, d, d->node, failed);
	if (rank == d->second && !failed)
		return d->status;
	if (d->second != NEVER && !failed) {
		failed = call_again(group, d->operation);
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

static int keep(void *messages, const struct ls_record *record)
{
	messages_add(messages, record);
	return LS_OK;
}

static void test_messages(const char *spec, enum ls_mode mode)
{
	ls_topology *t = topology_of(spec);
	const int64_t p = ls_topology_nodes(t);
	int64_t trial = 0;

	for (int operation = 0; operation < LS_OPERATIONS; operation++) {
		const struct ls_request request = { .size = sizeof request,
			.operation = (enum ls_operation)operation,
			.topology = t,
			.count = 1,
			.shift = 1,
			.mode = mode,
			.ports = 1 };
		ls_plan *plan = plan_for(&request);
		struct messages messages = { .n = 0 };

		CHECK(ls_trace_plan(plan, 1, keep, &messages) == LS_OK, "trace");

		const int64_t rounds = ls_plan_rounds(plan);

		for (int64_t node = 0; node < p; node++)
			for (int64_t round = 1; round <= rounds + 1; round++) {
				const struct ls_machine_options options = { .size = sizeof options,
					.mode = mode,
					.rounds = trial / 2 % 2 ? LS_FREE : LS_LOCKSTEP,
					.engine = trial / 4 % 2 ? LS_MAILBOXES : LS_AUTO,
					.recover = true };
				struct death d = { &messages, request.operation, rounds, round, node,
					trial % 3 ? NEVER : (node + 1) % p, trial % 2 ? 7 : LS_OK, 0 };

				if (!(is_fast() || is_thin()) || trial % 7 == 0) {
					guard("%s %s: node %" PRId64 " dies in round %" PRId64 " of %" PRId64
						  ", %s, %s",
						spec, ls_operation_name(request.operation), node, round, rounds,
						options.rounds ? "free" : "lockstep", d.status ? "error" : "end");
					test_death(t, &d, &options);
				}
				trial++;
			}
		free(messages.record);
		ls_plan_destroy(plan);
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

/* ---- What cannot go on */

/* Node 1 ends; node 2 never calls ls_shrink: it stops the machine, or computes too long. */
static int hinder(ls_node *me, void *arg)
{
	ls_node *group = me;
	int failed;

	CHECK(ls_shrink(me, &group, NULL) == LS_ERR_ARGUMENT && !group, "%s: running", guarded());
	if (ls_rank(me) == 1)
		return LS_OK;
	failed = ls_barrier(me);
	CHECK(ls_shrink(me, NULL, NULL) == LS_ERR_ARGUMENT, "%s: no group", guarded());
	if (arg && ls_rank(me) == 2) {
		ls_machine_stop(arg, LS_ERR_STOPPED);
	} else if (ls_rank(me) == 2) {
		nap(150);
		return failed;
	}
	failed = ls_shrink(me, &group, NULL);
	return failed ? failed : ls_barrier(group);
}

static int shrink_without_option(ls_node *me, void *arg)
{
	ls_node *group;

	(void)arg;
	return ls_shrink(me, &group, NULL) == LS_ERR_ARGUMENT ? LS_OK : 1;
}

static void test_refusals(void)
{
	ls_topology *t = topology_of("ring:4");
	struct ls_machine_options options = { .size = sizeof options };
	ls_machine *machine = machine_on(t, &options);

	guard("no option");
	must_run(machine, shrink_without_option, NULL);
	ls_machine_destroy(machine);
	options.recover = true;
	machine = machine_on(t, &options);
	guard("a stop while others wait in ls_shrink");
	CHECK(ls_run(machine, hinder, machine) == LS_ERR_STOPPED, "%s", guarded());
	ls_machine_destroy(machine);
	options.timeout = 0.1;
	machine = machine_on(t, &options);
	guard("a node computes past the time limit while others wait in ls_shrink");
	CHECK(ls_run(machine, hinder, NULL) != LS_OK, "%s", guarded());
	while (ls_machine_busy(machine))
		nap(1);
	ls_machine_destroy(machine);
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
	test_refusals();
	test_messages("ring:4", LS_ROUTED);
	test_messages("hypercube:3", LS_ROUTED);
	return test_result();
}
