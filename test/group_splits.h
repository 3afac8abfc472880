/*
 * Node programs of test/group_calls.c that make groups with ls_split.
 */
#ifndef LOCKSTEP_TEST_GROUP_SPLITS_H
#define LOCKSTEP_TEST_GROUP_SPLITS_H

#include <inttypes.h>
#include <string.h>
#include <lockstep/collective.h>
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static enum ls_rounds rounds_now;

/* Which machine ranks should be in a group, in order, as its member sees it. */
typedef int64_t member(const ls_topology *, int64_t me, int64_t i);

static int call_in(ls_node *group, int64_t machine_rank, size_t n, int64_t root, int64_t *words)
{
	const int64_t p = ls_size(group);
	int64_t *sum = words + n, want = 0;
	int failed;

	for (size_t i = 0; i < n; i++)
		words[i] = machine_rank + 1;
	failed = ls_allreduce(group, words, sum, n, LS_INT64, LS_SUM);
	if (!failed)
		failed = ls_broadcast(group, words, n, LS_INT64, root);
	for (int64_t r = 0; r < p && !failed; r++) {
		int64_t theirs = machine_rank;

		failed = ls_broadcast(group, &theirs, 1, LS_INT64, r);
		want += theirs + 1;
		CHECK(failed || r != root || words[0] == theirs + 1, "%s: broadcast of %" PRId64, guarded(),
			root);
	}
	for (size_t i = 0; i < n && !failed; i++)
		CHECK(sum[i] == want, "%s: sum %" PRId64 ", not %" PRId64, guarded(), sum[i], want);
	return failed ? failed : ls_barrier(group);
}

/* Collective calls whose results tell who is in the group. */
static int use(ls_node *group, int64_t machine_rank)
{
	const size_t n = 500;
	int64_t *words = memory(2 * n, sizeof *words);
	int failed = call_in(group, machine_rank, 1, 0, words);

	if (!failed)
		failed = call_in(group, machine_rank, n, ls_size(group) - 1, words);
	free(words);
	return failed;
}

/* The members of a group by an all-gather of one word broadcasts. */
static int check_members(ls_node *me, ls_node *group, member *want, int64_t size, int64_t rank)
{
	int failed = LS_OK;

	CHECK(ls_size(group) == size && ls_rank(group) == rank && ls_round(group) == 1
			&& ls_topology_nodes(ls_node_topology(group)) == size,
		"%s: node %" PRId64 " is %" PRId64 " of %" PRId64, guarded(), ls_rank(me), ls_rank(group),
		ls_size(group));
	for (int64_t r = 0; r < size && !failed; r++) {
		int64_t theirs = ls_rank(me);

		failed = ls_broadcast(group, &theirs, 1, LS_INT64, r);
		CHECK(failed || theirs == want(ls_node_topology(me), ls_rank(me), r),
			"%s: member %" PRId64 " is %" PRId64, guarded(), r, theirs);
	}
	return failed ? failed : use(group, ls_rank(me));
}

/* ---- ls_split */

static int64_t parity(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	return me % 2 + 2 * i;
}
static int64_t reversed(const ls_topology *t, int64_t me, int64_t i)
{
	(void)me;
	return ls_topology_nodes(t) - 1 - i;
}
static int64_t itself(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	(void)i;
	return me;
}
static int64_t without_first(const ls_topology *t, int64_t me, int64_t i)
{
	(void)t;
	(void)me;
	return i + 1;
}

static int split_program(ls_node *me, void *arg)
{
	const int64_t p = ls_size(me), u = ls_rank(me);
	ls_node *sub = NULL;
	int failed = ls_split(me, u % 2, 0, &sub);

	(void)arg;
	if (!failed)
		failed = check_members(me, sub, parity, (p + 1 - u % 2) / 2, u / 2);
	if (!failed)
		failed = ls_split(me, 7, -u, &sub);
	if (!failed)
		failed = check_members(me, sub, reversed, p, p - 1 - u);
	if (!failed)
		failed = ls_split(me, u, 0, &sub);
	if (!failed)
		failed = check_members(me, sub, itself, 1, 0);
	if (!failed)
		failed = ls_split(me, u == 0 ? -1 : 5, 0, &sub);
	CHECK(failed || (u == 0) == (sub == NULL), "%s: no group for node %" PRId64, guarded(), u);
	if (!failed && sub)
		failed = check_members(me, sub, without_first, p - 1, u - 1);
	return failed ? failed : use(me, u);
}

/* Groups of one split have rounds of their own: each part calls as often as its number says. */
static int uneven_program(ls_node *me, void *arg)
{
	const int64_t part = ls_rank(me) % 3;
	ls_node *sub;
	int failed = ls_split(me, part, 0, &sub);

	(void)arg;
	for (int64_t i = 0; i < 5 * part && !failed; i++)
		failed = use(sub, ls_rank(me));
	CHECK(failed || part > 0 || ls_round(sub) == 1, "%s: round %" PRId64, guarded(), ls_round(sub));
	return failed ? failed : use(me, ls_rank(me));
}

/* Halves of halves, down to one; then back up, each group used again. */
static int nested_program(ls_node *me, void *arg)
{
	ls_node *group[16] = { me };
	int depth = 0, failed = LS_OK;

	(void)arg;
	while (!failed && ls_size(group[depth]) > 1) {
		failed = ls_split(
			group[depth], ls_rank(group[depth]) >= ls_size(group[depth]) / 2, 0, &group[depth + 1]);
		if (!failed)
			failed = use(group[++depth], ls_rank(me));
	}
	for (; depth >= 0 && !failed; depth--)
		failed = use(group[depth], ls_rank(me));
	return failed;
}

/* ls_leave: the others step on, also those that sleep at the barrier already. */
static int leave_program(ls_node *me, void *arg)
{
	int failed = LS_OK;

	(void)arg;
	for (int time = 0; time < 4 && !failed; time++) {
		ls_node *sub;

		failed = ls_split(me, ls_rank(me) % 2, 0, &sub);
		if (!failed)
			failed = use(sub, ls_rank(me));
		if (!failed && ls_rank(sub) == time % 2)
			nap(8);
		else
			for (int i = 0; i < 3 && !failed; i++)
				failed = ls_next_round(sub);
		if (!failed)
			ls_leave(sub);
	}
	return failed ? failed : use(me, ls_rank(me));
}

/* Point-to-point calls in a group: its ranks, its rounds. */
static int shift_program(ls_node *me, void *arg)
{
	const int64_t u = ls_rank(me);
	int64_t got = -1;
	ls_node *sub;
	int failed = ls_split(me, u % 2, -u, &sub);

	(void)arg;
	for (int64_t i = 1; i <= 4 && !failed; i++) {
		const int64_t q = ls_size(sub), to = (ls_rank(sub) + 1) % q,
					  from = (ls_rank(sub) + q - 1) % q;

		CHECK(ls_round(sub) == i, "%s: round %" PRId64, guarded(), ls_round(sub));
		if (q == 1)
			break;
		failed = ls_send(sub, to, &u, sizeof u);
		if (!failed)
			failed = ls_receive(sub, from, &got, sizeof got);
		CHECK(failed || got == (u + 2) % (2 * q) || u + 2 >= ls_size(me),
			"%s: node %" PRId64 " got %" PRId64, guarded(), u, got);
		if (!failed)
			failed = ls_next_round(sub);
	}
	return failed ? failed : use(me, u);
}

#endif
