/*
 * The reference of tests of flows: it executes the plan of all nodes, step by step.
 */
#ifndef LOCKSTEP_TEST_FLOW_REFERENCE_H
#define LOCKSTEP_TEST_FLOW_REFERENCE_H

#include <inttypes.h>
#include <string.h>
#include "base/alloc.h"
#include "engine/cooperative/flow_bind.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/inject.h"
#include "support/operand.h"
#include "test.h"

enum { UNTOUCHED = 0xa5, NODES_MAX = 64 };

static struct element element[ELEMENTS];

/* ---- Memory of all nodes */

struct machine {
	const struct ls_plan *plan;
	const struct element *e;
	struct lsi_operator combine;
	struct lsi_measure measure;
	char *owned[NODES_MAX][LS_BUFFERS]; /* what is no part of another */
	void *buffer[NODES_MAX][LS_BUFFERS];
	size_t bytes[NODES_MAX][LS_BUFFERS];
};

/* In place: which buffer is part of the other. */
static void share(struct machine *m, int64_t node)
{
	void **buffer = m->buffer[node];
	const enum ls_operation operation = m->plan->problem.operation;

	if (!buffer[LS_INPUT] || !buffer[LS_OUTPUT])
		return;
	if (lsi_operation_gathers(operation))
		buffer[LS_INPUT] = (char *)buffer[LS_OUTPUT]
			+ m->e->size * lsi_buffer_offset(m->plan, LS_OUTPUT, node, &m->measure);
	else if (lsi_operation_scatters(operation))
		buffer[LS_OUTPUT] = (char *)buffer[LS_INPUT]
			+ m->e->size * lsi_buffer_offset(m->plan, LS_INPUT, node, &m->measure);
	else
		buffer[LS_OUTPUT] = buffer[LS_INPUT];
}

static void fill(struct machine *m, int64_t u)
{
	for (int b = 0; b < LS_BUFFERS; b++) {
		if (m->owned[u][b])
			memset(m->owned[u][b], UNTOUCHED, m->bytes[u][b]);
	}
	if (m->buffer[u][LS_INPUT])
		operand_fill(m->e, m->buffer[u][LS_INPUT], m->bytes[u][LS_INPUT] / m->e->size, u, 7);
}

static struct machine *machine_of(
	const struct ls_plan *plan, const struct element *e, const struct lsi_measure *measure)
{
	struct machine *m = memory(1, sizeof *m);

	m->plan = plan;
	m->e = e;
	m->combine = lsi_kernel_for(e->op, e->type);
	m->measure = *measure;
	for (int64_t u = 0; u < plan->problem.nodes; u++) {
		for (int b = 0; b < LS_BUFFERS; b++) {
			if ((b >= LS_ARRIVAL && b < LS_SCRATCH) || !lsi_storage_has(plan, u, b))
				continue;
			m->bytes[u][b] = e->size * lsi_buffer_size(plan, u, b, measure);
			m->buffer[u][b] = m->owned[u][b] = memory(m->bytes[u][b], 1);
		}
		if (plan->problem.in_place)
			share(m, u);
		fill(m, u);
	}
	return m;
}

static void discard(struct machine *m)
{
	for (int u = 0; u < NODES_MAX; u++) {
		for (int b = 0; b < LS_BUFFERS; b++)
			free(m->owned[u][b]);
	}
	free(m);
}

/* ---- The truth */

struct span {
	char *at;
	size_t elements;
};

static struct span block_at(
	const struct machine *m, int64_t node, const struct ls_slice *slice, int64_t k)
{
	const int64_t block = ls_slice_at(slice, k);

	return (struct span){ (char *)m->buffer[node][slice->buffer]
			+ m->e->size * lsi_buffer_offset(m->plan, slice->buffer, block, &m->measure),
		lsi_buffer_length(m->plan, node, slice->buffer, block, &m->measure) };
}

/* A message: its blocks one after the other. */
struct message {
	int64_t from, to;
	char *bytes;
	size_t *at;
};

static struct message sent(
	const struct machine *m, int64_t node, int64_t to, const struct ls_slice *slice)
{
	const int64_t blocks = ls_slice_blocks(slice);
	struct message message = { node, to,
		memory(m->e->size * lsi_slice_words(m->plan, node, slice, &m->measure), 1),
		memory((size_t)blocks + 1, sizeof *message.at) };

	for (int64_t k = 0; k < blocks; k++) {
		const struct span span = block_at(m, node, slice, k);

		if (span.elements > 0)
			memcpy(message.bytes + message.at[k], span.at, m->e->size * span.elements);
		message.at[k + 1] = message.at[k] + m->e->size * span.elements;
	}
	return message;
}

static const char *operand(const struct machine *m, int64_t node, const struct ls_step *step,
	const struct message *message, const struct ls_slice *slice, int64_t k)
{
	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		return block_at(m, node, slice, k).at;
	while (message->to != node || message->from != step->from[slice->buffer - LS_ARRIVAL])
		message++;
	return message->bytes + message->at[ls_slice_at(slice, k)];
}

static void do_move(const struct machine *m, int64_t node, const struct ls_step *step,
	const struct message *message, const struct ls_move *move)
{
	const int64_t blocks = ls_slice_blocks(&move->dst), of = ls_slice_blocks(&move->a);

	for (int64_t k = 0; k < blocks; k++) {
		const struct span dst = block_at(m, node, &move->dst, k);
		const char *a = operand(m, node, step, message, &move->a, k), *b;

		if (dst.elements == 0)
			continue;
		if (move->action == LS_COMBINE) {
			b = operand(m, node, step, message, &move->b, k);
			lsi_combine(&m->combine, dst.at, a, b, dst.elements);
			continue;
		}
		memmove(dst.at, a, m->e->size * dst.elements);
		for (int64_t part = blocks + k; part < of; part += blocks) {
			b = operand(m, node, step, message, &move->a, part);
			lsi_combine(&m->combine, dst.at, dst.at, b, dst.elements);
		}
	}
}

static void play(const struct machine *m)
{
	const int64_t p = m->plan->problem.nodes;
	struct message message[NODES_MAX * LS_PORTS];
	struct ls_step step;

	for (int64_t t = 0; t < ls_plan_steps(m->plan); t++) {
		int messages = 0;

		for (int64_t u = 0; u < p; u++) {
			ls_plan_step(m->plan, u, t, &step);
			for (int q = 0; q < step.ports; q++) {
				if (step.to[q] != LS_NO_RANK)
					message[messages++] = sent(m, u, step.to[q], &step.send[q]);
			}
		}
		for (int64_t u = 0; u < p; u++) {
			ls_plan_step(m->plan, u, t, &step);
			for (int i = 0; i < step.n_moves; i++)
				do_move(m, u, &step, message, &step.move[i]);
		}
		while (messages > 0) {
			free(message[--messages].bytes);
			free(message[messages].at);
		}
	}
}

#endif
