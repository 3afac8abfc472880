#include "engine/sweep/sweep_node.h"

#include "base/math.h"
#include "engine/sweep/sweep_rules.h"

/* ---- Messages of a node */

static struct lsi_message_end end_of(
	const struct lsi_sweep_node_step *node, int64_t peer, bool sends)
{
	return (struct lsi_message_end){ node->worker, node->rank, peer, node->step, sends,
		node->worker->sweep->operation };
}

/* No lower port has a message to, or from, the same peer. */
static bool is_only_port(const struct lsi_message_end *end, const int64_t *peer, int q)
{
	for (int other = 0; other < q; other++) {
		if (peer[other] == end->peer)
			return lsi_message_report(end,
				(struct lsi_message_error){ .rule = LSI_RULE_PEER, .count = other, .limit = q });
	}
	return true;
}

/* The rules of all messages that a node sends, or of all that it receives. */
static bool ports_hold(const struct lsi_sweep_node_step *node, const int64_t *peer, bool sends)
{
	int64_t first = LS_NO_RANK;
	int used = 0;

	for (int q = 0; q < node->actions.ports; q++) {
		const struct lsi_message_end end = end_of(node, peer[q], sends);

		if (peer[q] == LS_NO_RANK)
			continue;
		if (!is_only_port(&end, peer, q) || !lsi_message_holds(&end, used++, first, sends))
			return false;
		first = first == LS_NO_RANK ? peer[q] : first;
		if (sends)
			lsi_message_add_load(&end);
	}
	return true;
}

/* ---- Arrivals */

/*
 * Find what the peer of a receiving port sends to this node, and set node->sent[q] for the moves.
 * False: it sends nothing, or another number of blocks than the node expects.
 */
static bool arrival_holds(struct lsi_sweep_node_step *node, int q)
{
	const struct lsi_message_end end = end_of(node, node->actions.from[q], false);
	struct ls_step *peer = &node->peer_actions[q];

	ls_plan_step(node->worker->sweep->plan, end.peer, node->step, peer);
	for (int port = 0; port < peer->ports && !node->sent[q]; port++) {
		if (peer->to[port] == node->rank)
			node->sent[q] = &peer->send[port];
	}
	if (!node->sent[q])
		return lsi_message_report(&end, (struct lsi_message_error){ .rule = LSI_RULE_SEND });

	const int64_t blocks = ls_slice_blocks(node->sent[q]);

	return blocks == node->actions.arrives[q]
		|| lsi_message_report(&end,
			(struct lsi_message_error){ .rule = LSI_RULE_SIZE,
				.limit = node->actions.arrives[q],
				.count = blocks,
				.name = "blocks" });
}

/* ---- A node */

static void count_messages(const struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;
	const struct lsi_sweep_state *s = w->sweep;

	for (int q = 0; q < node->actions.ports; q++) {
		w->unmatched[w->barriers % 2] -= node->actions.from[q] != LS_NO_RANK;
		if (node->actions.to[q] == LS_NO_RANK)
			continue;

		const int64_t words = (int64_t)lsi_sweep_words(s, node->rank, &node->actions.send[q]);

		w->unmatched[w->barriers % 2]++;
		w->messages++;
		w->words += words;
		w->bytes += words * (int64_t)s->payload[LSI_PAYLOAD_DATA].combine.size;
	}
}

static void read_node_step(struct lsi_sweep_node_step *node, int64_t rank)
{
	node->rank = rank;
	for (int q = 0; q < LS_PORTS; q++)
		node->sent[q] = NULL;
	ls_plan_step(node->worker->sweep->plan, rank, node->step, &node->actions);
}

/* Read the actions of a node, and check all its messages. */
static bool check_node(struct lsi_sweep_node_step *node, int64_t rank)
{
	read_node_step(node, rank);
	if (!ports_hold(node, node->actions.to, true) || !ports_hold(node, node->actions.from, false))
		return false;
	for (int q = 0; q < node->actions.ports; q++) {
		if (node->actions.from[q] != LS_NO_RANK && !arrival_holds(node, q))
			return false;
	}
	return true;
}

/* ---- At the end of a step */

/* Report the first node whose message no node receives. */
static void report_untaken(struct lsi_sweep_node_step *node)
{
	const struct lsi_sweep_worker *w = node->worker;
	const struct ls_plan *plan = w->sweep->plan;
	struct lsi_peers mine, theirs;

	for (node->rank = w->first; node->rank < w->last; node->rank++) {
		lsi_plan_peers(plan, node->rank, node->step, &mine);
		for (int q = 0; q < LS_PORTS; q++) {
			const struct lsi_message_end end = end_of(node, mine.to[q], true);
			bool taken = mine.to[q] == LS_NO_RANK;

			if (!taken)
				lsi_plan_peers(plan, mine.to[q], node->step, &theirs);
			for (int port = 0; port < LS_PORTS && !taken; port++)
				taken = theirs.from[port] == node->rank;
			if (!taken) {
				lsi_message_report(&end, (struct lsi_message_error){ .rule = LSI_RULE_RECEIVE });
				return;
			}
		}
	}
}

/* Report the first node that sends over a link which more than one message crosses. */
static void report_congestion(struct lsi_sweep_node_step *node)
{
	const struct lsi_sweep_worker *w = node->worker;
	struct lsi_peers peers;

	for (node->rank = w->first; node->rank < w->last; node->rank++) {
		lsi_plan_peers(w->sweep->plan, node->rank, node->step, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			const struct lsi_message_end end = end_of(node, peers.to[q], true);

			if (end.peer != LS_NO_RANK && !lsi_message_has_free_links(&end))
				return;
		}
	}
}

/* After all nodes were checked: every message was received, and no link is crowded. */
static bool step_holds(struct lsi_sweep_node_step *node, int parity)
{
	const struct lsi_step_sums sums = lsi_step_sums_of(node->worker->sweep, parity);

	if (sums.unmatched == 0 && !sums.crowded)
		return true;
	if (sums.crowded)
		report_congestion(node);
	else
		report_untaken(node);
	return lsi_sweep_barrier(node->worker);
}

/* ---- All nodes of a worker */

static bool run_in_order(struct lsi_sweep_node_step *node, bool moves)
{
	struct lsi_sweep_worker *w = node->worker;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
			return false;
		if (!check_node(node, rank))
			return false;
		count_messages(node);
		if (moves && !lsi_sweep_moves(node))
			return false;
	}
	return true;
}

static void shuffle_nodes(struct lsi_sweep_worker *w, int64_t step)
{
	const int64_t n = w->last - w->first;
	uint64_t state =
		w->sweep->request.order + (uint64_t)step * 0xd1342543de82ef95u + (uint64_t)w->first;

	for (int64_t i = 0; i < n; i++) {
		const int64_t other = (int64_t)(lsi_mix(state += 0x9e3779b97f4a7c15u) % (uint64_t)(i + 1));

		w->shuffled[i] = w->shuffled[other];
		w->shuffled[other] = w->first + i;
	}
}

/* Check the rules in rank order, so that the first violation is found; then move in any order. */
static bool run_shuffled(struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;

	if (!run_in_order(node, false))
		return false;
	shuffle_nodes(w, node->step);
	for (int64_t i = 0; i < w->last - w->first; i++) {
		read_node_step(node, w->shuffled[i]);
		for (int q = 0; q < node->actions.ports; q++) {
			if (node->actions.from[q] != LS_NO_RANK)
				arrival_holds(node, q);
		}
		if (!lsi_sweep_moves(node))
			return false;
	}
	return true;
}

bool lsi_sweep_step(struct lsi_sweep_worker *w, int64_t step)
{
	const int parity = (int)(w->barriers % 2);
	struct lsi_sweep_node_step node; /* large, so fields are set when they are used */

	node.worker = w;
	node.step = step;
	w->unmatched[parity] = 0;
	w->crowded[parity] = false;
	if (w->sweep->request.order)
		run_shuffled(&node);
	else
		run_in_order(&node, true);
	return lsi_sweep_barrier(w) && step_holds(&node, parity);
}
