#include "schedule/infer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/math.h"
#include "plan/plan_from_messages.h"
#include "topology/rank_text.h"

/* ---- The table
 *
 *   step    | row 0           | row 2  | end      index of the first row
 *   row     | node 0 | node 3 | node 1 |          index of the first action, and their number
 *   action  | send . copy | receive . copy | ..   slices: a run, or indices in number[]
 */

void lsi_infer_step(struct lsi_inference *x, bool local)
{
	struct lsi_table *t = x->table;

	if (!lsi_table_grow(&t->step, t->steps, &t->step_room, sizeof *t->step))
		x->no_memory = true;
	else
		t->step[t->steps++] = (struct lsi_table_step){ t->rows, local };
}

void lsi_infer_node(struct lsi_inference *x, int64_t node)
{
	struct lsi_table *t = x->table;

	if (x->no_memory || (t->rows > t->step[t->steps - 1].row && t->row[t->rows - 1].node == node))
		return;
	if (!lsi_table_grow(&t->row, t->rows, &t->row_room, sizeof *t->row))
		x->no_memory = true;
	else
		t->row[t->rows++] = (struct lsi_table_row){ .node = node, .first = t->actions };
}

void lsi_infer_action(struct lsi_inference *x, struct lsi_table_action action)
{
	struct lsi_table *t = x->table;

	if (x->no_memory)
		return;
	if (!lsi_table_grow(&t->action, t->actions, &t->action_room, sizeof *t->action)) {
		x->no_memory = true;
		return;
	}
	t->action[t->actions++] = action;
	t->row[t->rows - 1].actions++;
}

struct lsi_table_blocks lsi_infer_slice(
	struct lsi_inference *x, int buffer, const int64_t *index, int64_t n)
{
	struct lsi_table *t = x->table;
	const size_t begin = t->numbers;
	bool run = true;

	for (int64_t k = 1; k < n; k++)
		run = run && index[k] == index[0] + k;
	if (run)
		return (struct lsi_table_blocks){ index[0], n, false, (uint8_t)buffer };
	for (int64_t k = 0; k < n && !x->no_memory; k++) {
		if (!lsi_table_grow(&t->number, t->numbers, &t->number_room, sizeof *t->number))
			x->no_memory = true;
		else
			t->number[t->numbers++] = index[k];
	}
	return (struct lsi_table_blocks){ (int64_t)begin, n, true, (uint8_t)buffer };
}

static void close_table(struct lsi_inference *x)
{
	struct lsi_table *t = x->table;
	struct lsi_frame *frame = &x->plan->frame;

	lsi_infer_step(x, false); /* the end of the last step */
	if (x->no_memory)
		return;
	t->steps--;
	for (size_t s = 0; s < t->steps; s++)
		frame->locals += t->step[s].local;
	frame->rounds = (int64_t)t->steps - frame->locals;
}

/* ---- Rounds */

/* Sends of a node before its receives, both in the order of the schedule. */
static int compare_by_node(const void *left, const void *right)
{
	const struct lsi_part_of_round *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->sends != b->sends)
		return a->sends ? -1 : 1;
	return (a->message > b->message) - (a->message < b->message);
}

struct lsi_round_parts lsi_infer_round(struct lsi_inference *x, size_t first, int64_t round)
{
	struct lsi_round_parts parts = { .last = first };

	while (parts.last < x->count && x->message[parts.last].message.round == round)
		parts.last++;
	parts.part = lsi_alloc(2 * (parts.last - first) * sizeof *parts.part);
	if (!parts.part) {
		x->no_memory = true;
		return parts;
	}
	for (size_t i = first; i < parts.last; i++) {
		const struct ls_message *m = &x->message[i].message;

		if (!m->unsent)
			parts.part[parts.parts++] = (struct lsi_part_of_round){ m->src, true, i };
		parts.part[parts.parts++] = (struct lsi_part_of_round){ m->dst, false, i };
	}
	qsort(parts.part, parts.parts, sizeof *parts.part, compare_by_node);
	return parts;
}

/* ---- The schedule */

/* Tell where the law is broken of which x->why speaks; LS_ERR_LAW. */
static int locate(const struct lsi_inference *x, int64_t node, int64_t peer, int64_t round)
{
	if (x->why && x->why->size >= sizeof *x->why) {
		x->why->node = node;
		x->why->peer = peer;
		x->why->round = round;
	}
	return LS_ERR_LAW;
}

/* qsort is not stable: the number keeps the order of the caller within a round. */
static int compare_by_round(const void *left, const void *right)
{
	const struct lsi_scheduled *a = left, *b = right;

	if (a->message.round != b->message.round)
		return a->message.round < b->message.round ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Rounds count from 1; both ends are nodes. */
static int check_message(const struct lsi_inference *x, const struct ls_message *m)
{
	const int64_t nodes = x->plan->problem.nodes;

	if (m->round < 1 || m->round > LS_SCHEDULE_ROUNDS)
		return lsi_error_set(x->why, LS_ERR_ARGUMENT,
			"round %" PRId64 " is out of range; expected 1..%d", m->round, LS_SCHEDULE_ROUNDS);
	if (m->src < 0 || m->src >= nodes || m->dst < 0 || m->dst >= nodes)
		return lsi_error_set(x->why, LS_ERR_ARGUMENT,
			"a message from %" PRId64 " to %" PRId64 "; expected ranks 0..%" PRId64, m->src, m->dst,
			nodes - 1);
	return LS_OK;
}

/* The sender (end 0) or receiver has more messages in a round than a node can have ports. */
static int fail_crowded(const struct lsi_inference *x, const struct ls_message *m, int end)
{
	const int64_t node = end ? m->dst : m->src;
	const int ports = x->plan->problem.ports;

	lsi_error_set(x->why, LS_ERR_LAW,
		"law 1 (port): node %" PRId64 ": round %" PRId64
		": %s more than %d messages in this round, but has %d port%s; try other rounds for them",
		node, m->round, end ? "receives" : "sends", LS_PORTS, ports, ports > 1 ? "s" : "");
	return locate(x, node, -1, m->round);
}

/*
 * Assign each message the next free port at its sender and at its receiver.  A message that is
 * never sent uses no port of its sender.
 */
static int assign_ports(struct lsi_inference *x)
{
	const size_t nodes = (size_t)x->plan->problem.nodes;
	struct last {
		int64_t round;
		int used;
	} *last = lsi_alloc_zero(2 * nodes, sizeof *last);
	int status = last ? LS_OK : LS_ERR_MEMORY;

	for (size_t i = 0; i < x->count && status == LS_OK; i++) {
		struct lsi_scheduled *s = &x->message[i];
		const int64_t end[] = { s->message.src, s->message.dst };
		uint8_t *port[] = { &s->out, &s->in };

		for (int e = s->message.unsent; e < 2 && status == LS_OK; e++) {
			struct last *l = &last[2 * end[e] + e];

			if (l->round != s->message.round)
				*l = (struct last){ s->message.round, 0 };
			if (l->used == LS_PORTS)
				status = fail_crowded(x, &s->message, e);
			*port[e] = (uint8_t)l->used++;
		}
	}
	lsi_free(last);
	return status;
}

/* Copy the messages, sort them by round unless they are sorted, and assign their ports. */
static int read_messages(struct lsi_inference *x, const struct ls_message *message, size_t count)
{
	x->message = lsi_alloc(count * sizeof *x->message);
	if (!x->message)
		return LS_ERR_MEMORY;
	for (size_t i = 0; i < count; i++) {
		const int status = check_message(x, &message[i]);

		if (status != LS_OK)
			return status;
		x->message[i] = (struct lsi_scheduled){ .message = message[i], .number = i };
		x->rounds = message[i].round > x->rounds ? message[i].round : x->rounds;
	}
	x->count = count;
	for (size_t i = 1; i < count; i++) {
		if (x->message[i - 1].message.round > x->message[i].message.round) {
			qsort(x->message, count, sizeof *x->message, compare_by_round);
			break;
		}
	}
	return assign_ports(x);
}

/* ---- Messages of a node that has nothing */

/* The first of the messages up to `last` that has no link; last + 1: none. */
static size_t first_without_link(const struct lsi_inference *x, size_t last)
{
	const struct lsi_problem *p = &x->plan->problem;
	size_t i = 0;

	while (i <= last
		&& (p->mode != LS_HOP || x->message[i].message.unsent
			|| ls_link_to(p->topology, x->message[i].message.src, x->message[i].message.dst) >= 0))
		i++;
	return i;
}

/* The first message that brings something to a node; x->count: none. */
static size_t first_to(const struct lsi_inference *x, int64_t node)
{
	size_t i = 0;

	while (i < x->count && (x->message[i].message.dst != node || x->message[i].message.src == node))
		i++;
	return i;
}

int lsi_infer_fail_empty(const struct lsi_inference *x, size_t number)
{
	const size_t unlinked = first_without_link(x, number);
	const struct ls_message *m = &x->message[unlinked < number ? unlinked : number].message;
	const size_t next = first_to(x, m->src);
	char when[100] = "no message reaches it before";

	if (next < x->count)
		snprintf(when, sizeof when, "its first message arrives in round %" PRId64 "%s",
			x->message[next].message.round,
			x->message[next].message.round > m->round
				? ""
				: ", and a node sends what it had before the round");
	if (m->src == m->dst)
		lsi_error_set(x->why, LS_ERR_LAW,
			"law 3 (link): node %" PRId64 ": round %" PRId64 ": sends to itself", m->src, m->round);
	else if (unlinked <= number)
		lsi_error_set(x->why, LS_ERR_LAW, "law 3 (link): node %" PRId64 ": round %" PRId64 ": %s",
			m->src, m->round, lsi_no_link_text(x->plan->problem.topology, m->src, m->dst).text);
	else
		lsi_error_set(x->why, LS_ERR_LAW,
			"law 5 (result): node %" PRId64 ": round %" PRId64 ": sends to node %" PRId64
			", but has nothing to send yet; %s",
			m->src, m->round, m->dst, when);
	return locate(x, m->src, m->dst, m->round);
}

/* ---- The plan */

static int check_request(const struct ls_request *request, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(request->topology);

	if (request->root < 0 || request->root >= nodes)
		return lsi_error_set(why, LS_ERR_ARGUMENT,
			"root %" PRId64 " is not a node; expected 0..%" PRId64, request->root, nodes - 1);
	if (request->ports < 0 || request->ports > LS_PORTS)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "the port count is %d; expected 1..%d", request->ports, LS_PORTS);
	return LS_OK;
}

/* The problem and frame that the request implies.  The method may weaken the claim. */
static void fill_plan(struct ls_plan *plan, const struct ls_request *request)
{
	struct lsi_table *t = plan->table;
	const bool vector = lsi_operation_is_vector(request->operation);

	plan->problem.operation = request->operation;
	plan->problem.mode = request->mode;
	plan->problem.root = request->root;
	plan->problem.shift = lsi_wrap(request->shift, plan->problem.nodes);
	plan->problem.ports = request->ports ? request->ports : 1;
	plan->frame.blocks = vector || request->operation == LS_SHIFT ? 1 : plan->problem.nodes;
	t->algorithm.source = "from a list of messages";
	t->algorithm.claim = lsi_operation_adds(request->operation) ? LS_ORDERED : LS_MOVE;
	snprintf(t->name, sizeof t->name, "%s", request->algorithm ? request->algorithm : "trace");
}

int lsi_infer_begin(struct lsi_inference *x, const struct ls_request *request)
{
	x->plan = lsi_table_plan(request->topology);
	if (!x->plan)
		return lsi_error_set(x->why, LS_ERR_MEMORY, "no memory for a plan");
	x->table = x->plan->table;
	fill_plan(x->plan, request);
	return LS_OK;
}

int lsi_infer_end(struct lsi_inference *x, int status, ls_plan **out)
{
	if (status == LS_OK)
		close_table(x);
	if (status == LS_OK && !x->no_memory) {
		*out = x->plan;
		return LS_OK;
	}
	ls_plan_destroy(x->plan);
	if (x->no_memory || status == LS_ERR_MEMORY)
		return lsi_error_set(x->why, LS_ERR_MEMORY, "no memory for the plan of a schedule");
	return status;
}

/* Operations whose result is one sum of all contributions, which partial sums can build. */
static bool may_sum(enum ls_operation operation)
{
	return operation == LS_REDUCE || operation == LS_ALLREDUCE || operation == LS_BARRIER;
}

/*
 * Partial sums come first: each message is then one block.  Where a contribution would enter a sum
 * twice, lists of single contributions are used; they serve every schedule that is complete.
 */
int lsi_infer_plan(const struct ls_request *request, const struct ls_message *message, size_t count,
	bool apart, ls_plan **out, struct ls_error *why)
{
	struct lsi_inference x = { .why = why };
	int status = lsi_schedule_begin(request, message, count, out, why);

	if (status == LS_OK)
		status = check_request(request, why);
	if (status == LS_OK)
		status = lsi_infer_begin(&x, request);
	if (status != LS_OK)
		return status;
	status = read_messages(&x, message, count);
	apart |= !may_sum(request->operation);
	if (status == LS_OK && !apart)
		status = lsi_infer_sums(&x);
	if (status == LS_ERR_UNSUPPORTED || (status == LS_OK && apart))
		status = lsi_infer_blocks(&x);
	lsi_free(x.message);
	return lsi_infer_end(&x, status, out);
}

int ls_plan_infer(const struct ls_request *request, const struct ls_message *message, size_t count,
	ls_plan **out, struct ls_error *why)
{
	return lsi_infer_plan(request, message, count, false, out, why);
}
