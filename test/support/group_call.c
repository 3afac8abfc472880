#include "support/group_call.h"

#include <inttypes.h>
#include <stdlib.h>

#include <lockstep/collective.h>

#include "support/guard.h"
#include "test.h"

/* ---- Every collective */

struct call {
	int64_t mine[GROUP_CALL_NODES], got[GROUP_CALL_NODES], want[GROUP_CALL_NODES];
	int64_t n; /* elements of the result */
	ls_op sum;
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
		return ls_reduce(me, c->mine, c->got, 1, LS_INT64, c->sum, 0);
	case LS_ALLREDUCE:
		return ls_allreduce(me, c->mine, c->got, 1, LS_INT64, c->sum);
	case LS_REDUCE_SCATTER:
		c->want[0] = sum + 10 * p * r;
		return ls_reduce_scatter(me, c->mine, c->got, 1, LS_INT64, c->sum);
	case LS_SCAN:
		c->want[0] = (r + 1) * (r + 2) / 2;
		return ls_scan(me, c->mine, c->got, 1, LS_INT64, c->sum);
	case LS_EXSCAN:
		c->want[0] = r * (r + 1) / 2;
		return ls_exscan(me, c->mine, c->got, 1, LS_INT64, c->sum);
	default:
		return move(me, operation, c);
	}
}

int group_call(ls_node *me, enum ls_operation operation, ls_op sum)
{
	struct call c = { .n = 0, .sum = sum };
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

/* ---- The messages of a plan */

static int keep(void *messages, const struct ls_record *record)
{
	messages_add(messages, record);
	return LS_OK;
}

bool plan_messages_make(
	struct plan_messages *m, const ls_topology *t, enum ls_operation operation, enum ls_mode mode)
{
	const struct ls_request request = { .size = sizeof request,
		.operation = operation,
		.topology = t,
		.count = 1,
		.shift = 1,
		.mode = mode,
		.ports = 1 };
	ls_plan *plan;
	size_t i = 0;

	if (ls_plan_make(&request, &plan, NULL) != LS_OK)
		return false;
	*m = (struct plan_messages){ .rounds = ls_plan_rounds(plan) };
	CHECK(ls_trace_plan(plan, 1, keep, &m->messages) == LS_OK, "trace");
	ls_plan_destroy(plan);
	m->first = memory((size_t)m->rounds + 2, sizeof *m->first);
	for (int64_t round = 1; round <= m->rounds + 1; round++) {
		while (i < m->messages.n && m->messages.record[i].round < round)
			i++;
		m->first[round] = i;
	}
	return true;
}

void plan_messages_free(struct plan_messages *m)
{
	free(m->messages.record);
	free(m->first);
}

int plan_messages_play(ls_node *me, const struct plan_messages *m, int64_t round)
{
	static const uint64_t word = 42;
	uint64_t got = 0;
	int failed = LS_OK;

	for (size_t i = m->first[round]; i < m->first[round + 1] && !failed; i++) {
		if (m->messages.record[i].src == ls_rank(me))
			failed = ls_send(me, m->messages.record[i].dst, &word, sizeof word);
	}
	for (size_t i = m->first[round]; i < m->first[round + 1] && !failed; i++) {
		if (m->messages.record[i].dst == ls_rank(me))
			failed = ls_receive(me, m->messages.record[i].src, &got, sizeof got);
	}
	return failed ? failed : ls_next_round(me);
}
