/*
 * The faults of test/hang.c: what one node does wrong, and the error that must name it.
 */
#ifndef LOCKSTEP_TEST_HANG_FAULTS_H
#define LOCKSTEP_TEST_HANG_FAULTS_H

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <lockstep/collective.h>
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { ROUNDS = 3, NODES = 8, SHORT = 5, LONG = 3000 }; /* words: in a slot, zero-copy */
enum { GO_ON = 0, LEAVE = 1, FAIL = 7 };

struct faulty_run {
	const struct fault *fault;
	int64_t p, node, round; /* node -1: no node is faulty */
	enum ls_rounds rounds;
	size_t words;
	ls_machine *machine;
	int *ended; /* status of each node's calls */
};

/* What a node does instead of its exchange; a status, or one of the above. */
typedef int act(ls_node *me, const struct faulty_run *s);

struct fault {
	const char *name;
	act *act;
	int kind[3]; /* expected in lockstep, in free rounds, and what others may see before */
	bool (*right)(const struct faulty_run *, const struct ls_error *);
	int64_t least; /* nodes that it takes; 0: two */
	double timeout;
};

static int64_t right_of(const struct faulty_run *s, int64_t u)
{
	return (u + 1) % s->p;
}
static int64_t left_of(const struct faulty_run *s, int64_t u)
{
	return (u + s->p - 1) % s->p;
}

/* ---- The node program */

static uint64_t word_at(int64_t from, int64_t round, size_t i)
{
	return (uint64_t)from << 40 | (uint64_t)round << 32 | i;
}

static int send_words(ls_node *me, int64_t to, uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		words[i] = word_at(ls_rank(me), ls_round(me), i);
	return ls_send(me, to, words, n * sizeof *words);
}

static int receive_words(ls_node *me, const struct faulty_run *s, int64_t from, uint64_t *words)
{
	const int failed = ls_receive(me, from, words, s->words * sizeof *words);

	for (size_t i = 0; i < s->words && !failed; i++)
		CHECK(words[i] == word_at(from, ls_round(me), i), "%s: word %zu", guarded(), i);
	return failed;
}

/* Send to `to` n words, receive from `from`; LS_NO_RANK: not. */
static int exchange(ls_node *me, const struct faulty_run *s, int64_t to, size_t n, int64_t from)
{
	uint64_t *out = memory(s->words + 1, sizeof *out), *in = memory(s->words, sizeof *in);
	int failed = LS_OK;

	if (to != LS_NO_RANK)
		failed = send_words(me, to, out, n);
	if (!failed && from != LS_NO_RANK)
		failed = receive_words(me, s, from, in);
	if (!failed)
		failed = ls_next_round(me);
	free(out);
	free(in);
	return failed;
}

static int go(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, right_of(s, ls_rank(me)), s->words, left_of(s, ls_rank(me)));
}

static atomic_int nodes_failed; /* in the present run */

static int program(ls_node *me, void *arg)
{
	struct faulty_run *s = arg;
	const int64_t u = ls_rank(me);
	int status = LS_OK;

	for (int64_t round = 1; round <= ROUNDS && !status; round++)
		status = u == s->node && round == s->round ? s->fault->act(me, s) : go(me, s);
	s->ended[u] = status;
	atomic_fetch_add(&nodes_failed, status != LS_OK);
	return status == LEAVE ? 0 : status;
}

/* ---- Faults */

static int leave(ls_node *me, const struct faulty_run *s)
{
	(void)me;
	(void)s;
	return LEAVE;
}
static int fail(ls_node *me, const struct faulty_run *s)
{
	(void)me;
	(void)s;
	return FAIL;
}

static int quit(ls_node *me, const struct faulty_run *s)
{
	(void)me;
	(void)s;
	pthread_exit(NULL);
}

/* Twice in one round: with the memory of the first in the heap. */
static int twice(ls_node *me, const struct faulty_run *s,
	int (*again)(ls_node *, const struct faulty_run *, uint64_t *))
{
	uint64_t *out = memory(s->words, sizeof *out), *in = memory(s->words, sizeof *in);
	int failed = send_words(me, right_of(s, s->node), out, s->words);

	if (!failed)
		failed = receive_words(me, s, left_of(s, s->node), in);
	if (!failed)
		failed = again(me, s, in);
	free(out);
	free(in);
	return failed;
}

static int send_again(ls_node *me, const struct faulty_run *s, uint64_t *words)
{
	return send_words(me, right_of(s, s->node), words, s->words);
}

static int receive_again(ls_node *me, const struct faulty_run *s, uint64_t *words)
{
	return receive_words(me, s, left_of(s, s->node), words);
}

static int send_twice(ls_node *me, const struct faulty_run *s)
{
	return twice(me, s, send_again);
}
static int receive_twice(ls_node *me, const struct faulty_run *s)
{
	return twice(me, s, receive_again);
}

static int send_far(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, (s->node + 2) % s->p, s->words, LS_NO_RANK);
}

static int receive_far(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, right_of(s, s->node), s->words, (s->node + 2) % s->p);
}

static int send_to_itself(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, s->node, s->words, LS_NO_RANK);
}

static int receive_from_itself(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, LS_NO_RANK, 0, s->node);
}

static int send_past_the_last(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, s->p, s->words, LS_NO_RANK);
}

static int receive_before_the_first(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, LS_NO_RANK, 0, -2);
}

static int receive_less(ls_node *me, const struct faulty_run *s)
{
	struct faulty_run less = *s;

	less.words--;
	return exchange(me, &less, right_of(s, s->node), s->words, left_of(s, s->node));
}

static int send_more(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, right_of(s, s->node), s->words + 1, left_of(s, s->node));
}

static int leave_untaken(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, right_of(s, s->node), s->words, LS_NO_RANK);
}

static int receive_from_the_right(ls_node *me, const struct faulty_run *s)
{
	return exchange(me, s, right_of(s, s->node), s->words, right_of(s, s->node));
}

static int skip_a_round(ls_node *me, const struct faulty_run *s)
{
	(void)s;
	return ls_next_round(me);
}

static int stop(ls_node *me, const struct faulty_run *s)
{
	ls_machine_stop(s->machine, 0);
	return go(me, s);
}

static int sleep_too_long(ls_node *me, const struct faulty_run *s)
{
	const double enough = seconds() + 2 * s->fault->timeout; /* the others may have no other core */

	while (atomic_load(&nodes_failed) == 0 /* until the limit is over for another node */
		&& !(node_kind() == LS_NODE_FIBER && seconds() >= enough))
		nap(1);
	return go(me, s);
}

/* ---- The expected error */

static bool is_at(const struct ls_error *e, int64_t node, int64_t peer, int64_t round)
{
	return e->node == node && e->peer == peer && e->round == round;
}

static bool any(const struct faulty_run *s, const struct ls_error *e)
{
	(void)s;
	(void)e;
	return true;
}

static bool at_node(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, -1, s->round);
}
static bool at_right(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, right_of(s, s->node), s->round);
}
static bool at_left(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, left_of(s, s->node), s->round);
}
static bool at_far(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, (s->node + 2) % s->p, s->round);
}
static bool at_itself(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, s->node, s->round);
}
static bool at_p(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, s->p, s->round);
}
static bool at_minus_two(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, s->node, -2, s->round);
}
static bool by_right(const struct faulty_run *s, const struct ls_error *e)
{
	return is_at(e, right_of(s, s->node), s->node, s->round);
}

/*
 * One of the two neighbors needs the node; the left one, which runs ahead in free rounds,
 * perhaps later.
 */
static bool by_neighbor(const struct faulty_run *s, const struct ls_error *e)
{
	return e->peer == s->node && (e->node == left_of(s, s->node) || e->node == right_of(s, s->node))
		&& (e->round == s->round || (s->rounds == LS_FREE && e->round > s->round));
}

/* The sender finds out at the end of the round; in free rounds the receiver does in the next. */
static bool untaken(const struct faulty_run *s, const struct ls_error *e)
{
	if (s->rounds == LS_LOCKSTEP || s->round == ROUNDS)
		return is_at(e, left_of(s, s->node), s->node, s->round);
	return is_at(e, s->node, left_of(s, s->node), s->round + 1);
}

/* In free rounds both the node that is ahead and the one behind it see that their rounds differ. */
static bool skipped(const struct faulty_run *s, const struct ls_error *e)
{
	if (e->kind == LS_ERR_UNTAKEN)
		return is_at(e, s->node, left_of(s, s->node), s->round + 1);
	return e->kind == LS_ERR_LEFT ? by_neighbor(s, e) : by_right(s, e);
}

/* ls_blocked_on reports what the faulty node waits for. */
static bool waits_for_right(const struct faulty_run *s, const struct ls_error *e)
{
	struct ls_wait_state w = { .size = sizeof w };

	if (e->kind == LS_ERR_LEFT)
		return at_right(s, e);
	return ls_blocked_on(s->machine, s->node, &w) && w.reason == LS_WAITS_FOR_MESSAGE
		&& w.peer == right_of(s, s->node) && w.round == s->round && !strcmp(w.operation, "receive");
}

/* A thread that ends is a node, or runs light nodes. */
static bool is_possible(const struct fault *fault)
{
	return fault->act != quit
		|| (may_exit_thread(node_kind())
			&& (fault->right == at_node) == (node_kind() == LS_NODE_FIBER));
}

static const struct fault faults[] = {
	{ "leaves", leave, { LS_ERR_LEFT, LS_ERR_LEFT }, by_neighbor, 0, 0 },
	{ "exits its thread", quit, { LS_ERR_LEFT, LS_ERR_LEFT }, by_neighbor, 0, 0 },
	{ "exits the thread of its worker", quit, { LS_ERR_PROGRAM, LS_ERR_PROGRAM }, at_node, 0, 0 },
	{ "fails", fail, { LS_ERR_PROGRAM, LS_ERR_PROGRAM }, at_node, 0, 0 },
	{ "sends twice", send_twice, { LS_ERR_PORT, LS_ERR_PORT }, at_right, 0, 0 },
	{ "receives twice", receive_twice, { LS_ERR_PORT, LS_ERR_PORT }, at_left, 0, 0 },
	{ "sends to no neighbor", send_far, { LS_ERR_LINK, LS_ERR_LINK }, at_far, 4, 0 },
	{ "receives from no neighbor", receive_far, { LS_ERR_LINK, LS_ERR_LINK }, at_far, 4, 0 },
	{ "sends to itself", send_to_itself, { LS_ERR_LINK, LS_ERR_LINK }, at_itself, 0, 0 },
	{ "receives from itself", receive_from_itself, { LS_ERR_LINK, LS_ERR_LINK }, at_itself, 0, 0 },
	{ "sends past the last", send_past_the_last, { LS_ERR_LINK, LS_ERR_LINK }, at_p, 0, 0 },
	{ "receives before the first", receive_before_the_first, { LS_ERR_LINK, LS_ERR_LINK },
		at_minus_two, 0, 0 },
	{ "receives less", receive_less, { LS_ERR_MATCH, LS_ERR_MATCH }, at_left, 0, 0 },
	{ "sends more", send_more, { LS_ERR_MATCH, LS_ERR_MATCH }, by_right, 0, 0 },
	{ "does not receive", leave_untaken, { LS_ERR_UNTAKEN, LS_ERR_UNTAKEN }, untaken, 0, 0 },
	{ "waits for the wrong one", receive_from_the_right, { LS_ERR_DEADLOCK, LS_ERR_DEADLOCK },
		waits_for_right, 3, 0 },
	{ "skips a round", skip_a_round, { LS_ERR_DEADLOCK, LS_ERR_MATCH, LS_ERR_UNTAKEN }, skipped, 0,
		0 },
	{ "stops the machine", stop, { LS_ERR_STOPPED, LS_ERR_STOPPED }, any, 0, 0 },
	{ "sleeps too long", sleep_too_long, { LS_ERR_TIMEOUT, LS_ERR_TIMEOUT }, any, 3, 0.05 },
};

#endif
