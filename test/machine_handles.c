/*
 * A node with several handles: each has its own rounds, a port stays taken until the round of its
 * handle ends, and a handle that was left or lost can still be queried.
 */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { LONG = 1 << 12 };  /* bytes; too long for a slot */
enum { MANY_SENDS = 80 }; /* more than a node can have pending */

typedef int node_program(ls_node *me, void *arg);

/* A run on a machine of its own, with the status that is wanted. */
static struct ls_error played(
	const char *spec, struct ls_machine_options options, node_program *program, int want)
{
	struct ls_error e = { .size = sizeof e };

	options.size = sizeof options;

	ls_topology *t = topology_of(spec);
	ls_machine *machine = machine_on(t, &options);
	const int status = ls_run(machine, program, NULL);

	ls_last_error(machine, &e);
	CHECK(status == want, "%s: %s instead of %s: %s", guarded(), ls_status_name(status),
		ls_status_name(want), e.text);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return e;
}

/*
 * Rounds of two handles
 * ----------------------------------------------------------------------------------
 */

/* Two nodes exchange along `me`, and end a round of `sub` between the sends and the receives. */
static int cross(ls_node *me, ls_node *sub, size_t bytes)
{
	const int64_t rank = ls_rank(me), peer = rank ^ 1;
	char *out = memory(bytes, 1), *in = memory(bytes, 1);

	memset(out, (int)rank + 1, bytes);

	int failed = ls_send(me, peer, out, bytes);

	if (!failed)
		failed = ls_next_round(sub);
	if (!failed)
		failed = ls_receive(me, peer, in, bytes);
	CHECK(failed || (in[0] == peer + 1 && in[bytes - 1] == peer + 1), "%s: wrong bytes", guarded());
	if (!failed)
		failed = ls_next_round(me);
	free(out);
	free(in);
	return failed;
}

static int cross_both(ls_node *me, size_t bytes)
{
	ls_node *sub;
	int failed = ls_split(me, 0, 0, &sub);

	if (!failed)
		failed = cross(me, sub, bytes);
	return failed ? failed : cross(sub, me, bytes);
}

static int cross_short(ls_node *me, void *arg)
{
	(void)arg;
	return cross_both(me, sizeof(int64_t));
}

static int cross_long(ls_node *me, void *arg)
{
	(void)arg;
	return cross_both(me, LONG);
}

/* The port is still taken: the round in which it was used has not ended. */
static int send_past_round(ls_node *me, void *arg)
{
	int64_t word = 1;
	ls_node *sub;
	int failed = ls_split(me, 0, 0, &sub);

	(void)arg;
	if (!failed && ls_rank(me) == 0)
		failed = ls_send(me, 1, &word, sizeof word);
	if (!failed)
		failed = ls_next_round(sub);
	if (!failed && ls_rank(me) == 0)
		failed = ls_send(sub, 1, &word, sizeof word);
	if (!failed && ls_rank(me) == 1)
		failed = ls_receive(me, 0, &word, sizeof word);
	return failed ? failed : ls_next_round(sub);
}

/*
 * Two ports: a collective call on one handle does not wait for the reader of a zero-copy message
 * that another handle sent.
 */
static int send_and_add(ls_node *me, void *arg)
{
	const int64_t peer = ls_rank(me) ^ 2, one = 1;
	char *out = memory(LONG, 1), *in = memory(LONG, 1);
	int64_t sum = 0;
	ls_node *sub;
	int failed = ls_split(me, ls_rank(me) / 2, 0, &sub);

	(void)arg;
	if (!failed)
		failed = ls_send(me, peer, out, LONG);
	for (int i = 0; i < MANY_SENDS && !failed; i++)
		failed = ls_allreduce(sub, &one, &sum, 1, LS_INT64, LS_SUM);
	CHECK(failed || sum == 2, "%s: sum %" PRId64, guarded(), sum);
	if (!failed)
		failed = ls_receive(me, peer, in, LONG);
	if (!failed)
		failed = ls_next_round(me);
	free(out);
	free(in);
	return failed;
}

static void test_rounds(enum ls_rounds rounds)
{
	const struct ls_machine_options one = { .rounds = rounds, .mode = LS_ROUTED };
	const struct ls_machine_options two = { .rounds = rounds, .mode = LS_ROUTED, .ports = 2 };

	guard("rounds of two handles, %s", rounds == LS_LOCKSTEP ? "lockstep" : "free");
	played("complete:4", one, cross_short, LS_OK);
	if (rounds == LS_LOCKSTEP) /* in free rounds the end of any round waits for all pending sends */
		played("complete:4", one, cross_long, LS_OK);

	const struct ls_error e = played("complete:4", one, send_past_round, LS_ERR_PORT);

	CHECK(e.node == 0 && e.peer == 1, "%s: %s", guarded(), e.text);
	played("complete:4", two, send_and_add, LS_OK);
}

/*
 * As many zero-copy messages in a round as there are ports.
 * -----------------------------------------------------
 */

static int exchange_all(ls_node *me, void *arg)
{
	char *out = memory(LONG, 1), *in = memory(LONG, 1);
	int failed = LS_OK;

	(void)arg;
	for (int64_t u = 0; u < ls_size(me) && !failed; u++)
		failed = u == ls_rank(me) ? LS_OK : ls_send(me, u, out, LONG);
	for (int64_t u = 0; u < ls_size(me) && !failed; u++)
		failed = u == ls_rank(me) ? LS_OK : ls_receive(me, u, in, LONG);
	if (!failed)
		failed = ls_next_round(me);
	free(out);
	free(in);
	return failed;
}

static void test_ports(enum ls_rounds rounds)
{
	guard("%d ports, %s", MANY_SENDS - 1, rounds == LS_LOCKSTEP ? "lockstep" : "free");
	played("complete:80", (struct ls_machine_options){ .rounds = rounds, .ports = MANY_SENDS - 1 },
		exchange_all, LS_OK);
}

/*
 * Groups that follow one another
 * ---------------------------------------------------------------------------
 */

/* The first round of one group is not that of the next: no link carries two messages in one. */
static int talk_in_groups(ls_node *me, void *arg)
{
	int64_t word = 1;
	int failed = LS_OK;

	(void)arg;
	for (int i = 0; i < 3 && !failed; i++) {
		ls_node *sub;

		failed = ls_split(me, 0, 0, &sub);
		if (!failed && ls_rank(me) < 2)
			failed = ls_rank(me) ? ls_receive(sub, 0, &word, sizeof word)
								 : ls_send(sub, 1, &word, sizeof word);
		if (!failed)
			failed = ls_next_round(sub);
		ls_leave(sub);
	}
	return failed;
}

/*
 * A node leaves a group in the round of a zero-copy message: memory and port are free afterwards.
 */
static int send_and_leave(ls_node *me, void *arg)
{
	char *data = memory(LONG, 1);
	int failed = LS_OK;

	(void)arg;
	for (int i = 0; i < MANY_SENDS && !failed; i++) {
		ls_node *sub;

		failed = ls_split(me, 0, 0, &sub);
		if (!failed && ls_rank(me) < 2)
			failed = ls_rank(me) ? ls_receive(sub, 0, data, LONG) : ls_send(sub, 1, data, LONG);
		CHECK(failed || ls_rank(me) != 1 || data[0] == i % 100, "%s: byte %d", guarded(), data[0]);
		ls_leave(sub);
		memset(data, (i + 1) % 100, LONG);
	}
	free(data);
	return failed;
}

/* The handle of the machine cannot be left; those of groups can, the first one first. */
static int leave_in_order(ls_node *me, void *arg)
{
	ls_node *first, *second;
	int failed = ls_split(me, 0, 0, &first);

	(void)arg;
	if (!failed)
		failed = ls_split(me, 0, 0, &second);
	if (failed)
		return failed;
	ls_leave(me);
	ls_leave(first);
	failed = ls_barrier(second);
	ls_leave(second);
	return failed ? failed : ls_barrier(me);
}

/* Who has ended, or left the group, cannot be in a part of it. */
static int split_without(ls_node *me, void *arg)
{
	ls_node *sub;

	(void)arg;
	return ls_rank(me) == 2 ? 0 : ls_split(me, ls_rank(me) % 2, 0, &sub);
}

static int split_without_member(ls_node *me, void *arg)
{
	ls_node *sub, *further;
	int failed = ls_split(me, 0, 0, &sub);

	(void)arg;
	if (!failed && ls_rank(me) == 2)
		ls_leave(sub);
	else if (!failed)
		failed = ls_split(sub, 0, 0, &further);
	return failed ? failed : ls_barrier(me);
}

/* Groups are left when the machine has stopped, and what was called in them is still told. */
static int leave_after_failure(ls_node *me, void *arg)
{
	int64_t word = 1, sum;
	ls_node *sub, *none;
	int failed = ls_split(me, 0, 0, &sub);

	(void)arg;
	if (!failed)
		failed = ls_split(me, -5, 0, &none);
	if (failed)
		return failed;
	CHECK(!none, "%s: a handle of no group", guarded());
	failed = ls_rank(me) ? ls_allreduce(sub, &word, &sum, 1, LS_INT64, LS_SUM)
						 : ls_broadcast(me, &word, 1, LS_INT64, 1);
	ls_leave(none);
	ls_leave(sub);
	return failed;
}

/* All must split in one way. */
struct ways {
	const char *spec;
	int (*split)(ls_node *, ls_node **);
};

static int by_axis(ls_node *me, ls_node **sub)
{
	return ls_split_axis(me, ls_rank(me) == 1, sub);
}
static int by_mask(ls_node *me, ls_node **sub)
{
	return ls_split_subcube(me, ls_rank(me) == 1 ? 2 : 1, sub);
}
static int by_star(ls_node *me, ls_node **sub)
{
	return ls_split_substar(me, ls_rank(me) == 1 ? 2 : 3, sub);
}
static int by_part(ls_node *me, ls_node **sub)
{
	return ls_rank(me) == 1 ? ls_split_axis(me, 0, sub) : ls_split(me, 0, 0, sub);
}

static int split_differently(ls_node *me, void *arg)
{
	ls_node *sub;

	return ((const struct ways *)arg)->split(me, &sub);
}

static void test_ways(void)
{
	static struct ways ways[] = { { "mesh:3x3", by_axis }, { "hypercube:3", by_mask },
		{ "star:3", by_star }, { "ring:3", by_part } };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		ls_topology *t = topology_of(ways[i].spec);
		ls_machine *machine = machine_on(t, NULL);
		struct ls_error e = { .size = sizeof e };

		guard("%s split in two ways", ways[i].spec);
		CHECK(ls_run(machine, split_differently, &ways[i]) == LS_ERR_MISMATCH
				&& ls_last_error(machine, &e) == LS_ERR_MISMATCH && e.node == 0 && e.peer == 1,
			"%s: %s", guarded(), e.text);
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
	}
}

static void test_groups(enum ls_rounds rounds)
{
	const struct ls_machine_options strict = {
		.rounds = rounds, .mode = LS_ROUTED, .strict = true
	};
	struct ls_error e;

	guard("groups, %s", rounds == LS_LOCKSTEP ? "lockstep" : "free");
	played("complete:4", strict, talk_in_groups, LS_OK);
	played("complete:4", strict, send_and_leave, LS_OK);
	played("complete:4", strict, leave_in_order, LS_OK);
	e = played("complete:4", strict, split_without, LS_ERR_LEFT);
	CHECK(e.node == 0 && e.peer == 2 && !strcmp(e.operation, "split"), "%s: %s", guarded(), e.text);
	e = played("complete:4", strict, split_without_member, LS_ERR_LEFT);
	CHECK(e.node == 0 && e.peer == 2 && !strcmp(e.operation, "split"), "%s: %s", guarded(), e.text);
	e = played("complete:4", strict, leave_after_failure, LS_ERR_MISMATCH);
	CHECK(strstr(e.text, "broadcast") && strstr(e.text, "allreduce"), "%s: %s", guarded(), e.text);
}

int main(void)
{
	for (int rounds = LS_LOCKSTEP; rounds <= LS_FREE; rounds++) {
		test_rounds((enum ls_rounds)rounds);
		test_ports((enum ls_rounds)rounds);
		test_groups((enum ls_rounds)rounds);
	}
	test_ways();
	return test_result();
}
