#include "engine/sweep/sweep_node.h"

#include <inttypes.h>

#include "base/math.h"
#include "engine/sweep/sweep_agree.h"
#include "engine/sweep/sweep_exchange.h"
#include "plan/storage.h"

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

/* Whether a node receives a message from this one. */
static bool is_taken(const struct lsi_sweep_node_step *node, int64_t to)
{
	struct lsi_peers theirs;
	bool taken = false;

	lsi_plan_peers(node->worker->sweep->plan, to, node->step, &theirs);
	for (int port = 0; port < LS_PORTS && !taken; port++)
		taken = theirs.from[port] == node->rank;
	return taken;
}

/* ---- A node */

/*
 * Sends minus receives must be 0 for the messages inside a process.  If a message crosses, the
 * sender looks whether its receiver expects it.
 */
static void count_messages(const struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;
	const struct lsi_sweep_state *s = w->sweep;
	int64_t *unmatched = &w->unmatched[w->barriers % 2];

	for (int q = 0; q < node->actions.ports; q++) {
		const int64_t to = node->actions.to[q], from = node->actions.from[q];

		*unmatched -= from != LS_NO_RANK && lsi_sweep_is_local(s, from);
		if (to == LS_NO_RANK)
			continue;

		const int64_t words = (int64_t)lsi_sweep_words(s, node->rank, &node->actions.send[q]);
		const int64_t bytes = words * (int64_t)s->payload[LSI_PAYLOAD_DATA].combine.size;
		const bool crosses = !lsi_sweep_is_local(s, to);

		*unmatched += !crosses || !is_taken(node, to);
		w->messages++;
		w->words += words;
		w->bytes += bytes;
		w->crossing_messages += crosses;
		w->crossing_bytes += crosses ? bytes : 0;
	}
}

static void read_node_step(struct lsi_sweep_node_step *node, int64_t rank)
{
	node->rank = rank;
	for (int q = 0; q < LS_PORTS; q++) {
		node->sent[q] = NULL;
		node->arrival[q] = NULL;
	}
	ls_plan_step(node->worker->sweep->plan, rank, node->step, &node->actions);
}

/* Whether the node has the buffer of a slice with blocks; otherwise a violation. */
static bool has_buffer(
	const struct lsi_sweep_node_step *node, const char *use, const struct ls_slice *slice)
{
	const struct lsi_sweep_state *s = node->worker->sweep;

	if (lsi_storage_has(s->plan, node->rank, slice->buffer) || ls_slice_blocks(slice) == 0)
		return true;
	return lsi_sweep_report(node->worker,
		(struct lsi_sweep_fault){ LS_ERR_LAW, node->rank, LS_NO_RANK, node->step, s->operation },
		"law 5 (result): node %" PRId64 " %s %s in round %" PRId64
		", but only the root has it (%s)",
		lsi_sweep_host_rank(s, node->rank), use, slice->buffer == LS_INPUT ? "INPUT" : "OUTPUT",
		ls_plan_round(s->plan, node->step), s->operation);
}

static bool has_buffers(const struct lsi_sweep_node_step *node)
{
	const struct ls_step *actions = &node->actions;
	bool found = true;

	for (int q = 0; q < actions->ports && found; q++)
		found = actions->to[q] == LS_NO_RANK || has_buffer(node, "sends", &actions->send[q]);
	for (int m = 0; m < actions->n_moves && found; m++) {
		const struct ls_move *move = &actions->move[m];

		found = has_buffer(node, "writes", &move->dst) && has_buffer(node, "reads", &move->a)
			&& (move->action != LS_COMBINE || has_buffer(node, "reads", &move->b));
	}
	return found;
}

/* Read the actions of a node, and check its buffers and all its messages. */
static bool check_node(struct lsi_sweep_node_step *node, int64_t rank)
{
	read_node_step(node, rank);
	if (!ports_hold(node, node->actions.to, true) || !ports_hold(node, node->actions.from, false))
		return false;
	for (int q = 0; q < node->actions.ports; q++) {
		if (node->actions.from[q] != LS_NO_RANK && !arrival_holds(node, q))
			return false;
	}
	return has_buffers(node) && (!node->worker->sweep->exchange || lsi_sweep_lengths_hold(node));
}

/* Note the messages of a node that cross.  False: no memory. */
static bool note_crossings(const struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;
	const struct ls_step *actions = &node->actions;

	for (int q = 0; q < actions->ports && w->sweep->exchange; q++) {
		const int64_t from = actions->from[q], to = actions->to[q];

		if (from != LS_NO_RANK && !lsi_sweep_is_local(w->sweep, from)
			&& !lsi_exchange_add(w, &w->arrivals,
				(struct lsi_crossing){ node->rank, from, ls_slice_blocks(node->sent[q]), 0,
					(int)(node->sent[q] - node->peer_actions[q].send), q, NULL },
				node->step))
			return false;
		if (to != LS_NO_RANK && !lsi_sweep_is_local(w->sweep, to)
			&& !lsi_exchange_add(w, &w->departures,
				(struct lsi_crossing){
					node->rank, to, ls_slice_blocks(&actions->send[q]), 0, q, -1, NULL },
				node->step))
			return false;
	}
	return true;
}

/* The first message that arrives at this node or a later one, by number. */
static int64_t find_arrival(const struct lsi_crossings *arrivals, int64_t rank)
{
	int64_t low = 0, high = arrivals->n;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (arrivals->item[middle].node < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Execute the moves of a node whose messages were checked, and have arrived if they cross.  False:
 * a violation.
 */
static bool move_node(struct lsi_sweep_node_step *node, int64_t rank)
{
	const struct lsi_crossings *arrivals = &node->worker->arrivals;

	read_node_step(node, rank);
	for (int q = 0; q < node->actions.ports; q++) {
		if (node->actions.from[q] != LS_NO_RANK)
			arrival_holds(node, q);
	}
	for (int64_t i = find_arrival(arrivals, rank);
		 i < arrivals->n && arrivals->item[i].node == rank; i++)
		node->arrival[arrivals->item[i].receive_port] = &arrivals->item[i];
	return lsi_sweep_moves(node);
}

/* ---- At the end of a step */

/* Report the first node whose message no node receives. */
static void report_untaken(struct lsi_sweep_node_step *node)
{
	const struct lsi_sweep_worker *w = node->worker;
	struct lsi_peers mine;

	for (node->rank = w->first; node->rank < w->last; node->rank++) {
		lsi_plan_peers(w->sweep->plan, node->rank, node->step, &mine);
		for (int q = 0; q < LS_PORTS; q++) {
			const struct lsi_message_end end = end_of(node, mine.to[q], true);

			if (end.peer != LS_NO_RANK && !is_taken(node, end.peer)) {
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
static bool step_holds(struct lsi_sweep_node_step *node, struct lsi_step_sums sums)
{
	if (sums.unmatched == 0 && !sums.crowded)
		return true;
	if (sums.crowded)
		report_congestion(node);
	else
		report_untaken(node);
	return lsi_sweep_meet(node->worker);
}

/* ---- All nodes of a worker */

/*
 * Check all nodes, and, if `moves`, execute their moves at once, except for nodes with messages
 * from other processes.  False: a violation.
 */
static bool run_in_order(struct lsi_sweep_node_step *node, bool moves)
{
	struct lsi_sweep_worker *w = node->worker;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
			return false;
		const int64_t arrivals = w->arrivals.n;

		if (!check_node(node, rank) || !note_crossings(node))
			return false;
		count_messages(node);
		if (moves && w->arrivals.n == arrivals && !lsi_sweep_moves(node))
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

static void move_shuffled(struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;

	shuffle_nodes(w, node->step);
	for (int64_t i = 0; i < w->last - w->first && move_node(node, w->shuffled[i]); i++)
		;
}

/* The nodes with messages from other processes, in rank order. */
static void move_receivers(struct lsi_sweep_node_step *node)
{
	const struct lsi_crossings *arrivals = &node->worker->arrivals;

	for (int64_t i = 0; i < arrivals->n; i++) {
		if (i == 0 || arrivals->item[i].node != arrivals->item[i - 1].node)
			move_node(node, arrivals->item[i].node);
	}
}

/* ---- Messages between processes */

static void pack_departures(struct lsi_sweep_node_step *node)
{
	const struct lsi_crossings *departures = &node->worker->departures;

	for (int64_t i = 0; i < departures->n; i++) {
		if (i == 0 || departures->item[i].node != departures->item[i - 1].node)
			read_node_step(node, departures->item[i].node);
		lsi_sweep_pack(node, &departures->item[i]);
	}
}

/* Exchange the messages that cross, and execute the moves that are left.  False: the sweep ends. */
static bool cross(struct lsi_sweep_node_step *node)
{
	struct lsi_sweep_worker *w = node->worker;
	const struct lsi_sweep_state *s = w->sweep;

	if (!s->exchange || (!s->exchange->crosses && !s->request.order))
		return true;
	if (s->exchange->crosses) {
		pack_departures(node);
		if (!lsi_sweep_barrier(w))
			return false;
		if (w->number == 0)
			lsi_exchange_run(w);
		if (!lsi_sweep_barrier(w))
			return false;
	}
	if (s->request.order)
		move_shuffled(node);
	else
		move_receivers(node);
	return lsi_sweep_barrier(w);
}

bool lsi_sweep_step(struct lsi_sweep_worker *w, int64_t step)
{
	const int parity = (int)(w->barriers % 2);
	const bool shuffled = w->sweep->request.order;
	struct lsi_sweep_node_step node; /* large, so fields are set when they are used */
	struct lsi_step_sums sums;

	node.worker = w;
	node.step = step;
	w->unmatched[parity] = 0;
	w->crowded[parity] = false;
	w->departures.n = w->arrivals.n = 0;
	/* Rules are checked in rank order, so that the first violation is found. */
	if (run_in_order(&node, !shuffled) && shuffled && !w->sweep->exchange)
		move_shuffled(&node);
	return lsi_sweep_agree_step(w, step, parity, &sums) && step_holds(&node, sums) && cross(&node);
}
