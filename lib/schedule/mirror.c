/*
 * The blocks of a node never leave and arrive in the same round: in the all-gather, a node first
 * receives a block and sends it on in later rounds.  So a round may add to the blocks in place.
 */
#include "schedule/partial_sums.h"

#include "base/alloc.h"

/* ---- Rounds of sums */

static void write_receive(
	struct lsi_inference *x, const struct lsi_sum_message *m, uint8_t port, bool adds)
{
	const struct lsi_table_blocks keep = lsi_infer_slice(x, LS_SCRATCH, m->keep, m->n),
								  arrival = { 0, m->n, false, (uint8_t)(LS_ARRIVAL + port) };
	struct lsi_table_action move = { .kind = LSI_ACT_COPY, .dst = keep, .a = arrival };

	if (adds) {
		move.kind = LSI_ACT_COMBINE;
		move.a = keep;
		move.b = arrival;
	}
	lsi_infer_action(x, move);
}

/* The row of a node: sends and receives use the ports 0, 1, .. in the order of the messages. */
static void write_node(struct lsi_inference *x, const struct lsi_sum_message *message, size_t count,
	int node, bool adds)
{
	uint8_t out = 0, in = 0, moved = 0;

	for (size_t i = 0; i < count; i++)
		if (message[i].from == node) {
			lsi_infer_node(x, node);
			lsi_infer_action(x,
				(struct lsi_table_action){ .kind = LSI_ACT_SEND,
					.port = out++,
					.peer = message[i].to,
					.a = lsi_infer_slice(x, LS_SCRATCH, message[i].send, message[i].n) });
		}
	for (size_t i = 0; i < count; i++)
		if (message[i].to == node) {
			lsi_infer_node(x, node);
			lsi_infer_action(x,
				(struct lsi_table_action){ .kind = LSI_ACT_RECEIVE,
					.port = in++,
					.peer = message[i].from,
					.arrives = message[i].n });
		}
	for (size_t i = 0; i < count; i++)
		if (message[i].to == node)
			write_receive(x, &message[i], moved++, adds);
}

void lsi_sums_round(
	struct lsi_inference *x, const struct lsi_sum_message *message, size_t count, bool adds)
{
	lsi_infer_step(x, false);
	for (int v = 0; v < (int)x->plan->problem.nodes && !x->no_memory; v++)
		write_node(x, message, count, v, adds);
}

void lsi_sums_copy(struct lsi_inference *x, int64_t blocks, int to, int from)
{
	lsi_infer_step(x, true);
	for (int64_t v = 0; v < x->plan->problem.nodes && !x->no_memory; v++) {
		lsi_infer_node(x, v);
		lsi_infer_action(x,
			(struct lsi_table_action){ .kind = LSI_ACT_COPY,
				.dst = { 0, blocks, false, (uint8_t)to },
				.a = { 0, blocks, false, (uint8_t)from } });
	}
}

/* ---- The mirror image of an all-gather */

/* The messages of a round, backwards; blocks holds the lists. */
static size_t mirror_round(
	const struct lsi_deliveries *d, int round, struct lsi_sum_message *message, int64_t *blocks)
{
	const struct lsi_arcs *arcs = d->schedule->arcs;
	size_t count = 0;

	for (int a = 0; a < arcs->count; a++) {
		const int64_t n = lsi_nodes_list(lsi_deliveries_at(d, round, a), blocks);

		if (n == 0)
			continue;
		message[count++] =
			(struct lsi_sum_message){ arcs->arc[a].to, arcs->arc[a].from, n, blocks, blocks };
		blocks += n;
	}
	return count;
}

/* The last step: each node's own block. */
static void copy_own_blocks(struct lsi_inference *x)
{
	lsi_infer_step(x, true);
	for (int64_t v = 0; v < x->plan->problem.nodes && !x->no_memory; v++) {
		lsi_infer_node(x, v);
		lsi_infer_action(x,
			(struct lsi_table_action){ .kind = LSI_ACT_COPY,
				.dst = { 0, 1, false, LS_OUTPUT },
				.a = { v, 1, false, LS_SCRATCH } });
	}
}

int lsi_mirror_plan(const struct ls_request *request, const struct lsi_deliveries *d, ls_plan **out,
	struct ls_error *why)
{
	const struct lsi_arcs *arcs = d->schedule->arcs;
	const size_t nodes = (size_t)arcs->nodes, ports = (size_t)d->schedule->ports;
	struct lsi_inference x = { .why = why };
	struct lsi_sum_message *message;
	int64_t *blocks;
	int status = lsi_infer_begin(&x, request);

	if (status != LS_OK)
		return status;
	/* A node receives a block once in an all-gather, so a round has at most this many. */
	blocks = lsi_alloc(nodes * nodes * sizeof *blocks);
	message = lsi_alloc((nodes * ports + 1) * sizeof *message);
	x.no_memory = !blocks || !message;
	x.table->algorithm.claim = LS_COMMUTATIVE;
	x.plan->frame.scratch[0] = (struct lsi_scratch){ arcs->nodes, 1 };
	if (!x.no_memory)
		lsi_sums_copy(&x, arcs->nodes, LS_SCRATCH, LS_INPUT);
	for (int t = d->schedule->rounds - 1; t >= 0 && !x.no_memory; t--)
		lsi_sums_round(&x, message, mirror_round(d, t, message, blocks), true);
	if (!x.no_memory)
		copy_own_blocks(&x);
	lsi_free(blocks);
	lsi_free(message);
	return lsi_infer_end(&x, LS_OK, out);
}
