#include "engine/sweep/sweep_node.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/math.h"
#include "topology/link_traffic.h"

/* ---- Words */

struct words {
	char text[64];
};

/* "in round 3 (allreduce)" */
static struct words when(const struct lsi_sweep_node_step *scene)
{
	const struct ls_plan *plan = scene->worker->sweep->plan;
	struct words words;

	snprintf(words.text, sizeof words.text, "in round %" PRId64 " (%s)",
		ls_plan_round(plan, scene->step), ls_operation_name(plan->problem.operation));
	return words;
}

static int64_t place(const struct lsi_sweep_node_step *scene, int64_t rank)
{
	return lsi_sweep_host_rank(scene->worker->sweep, rank);
}

#define BROKEN(kind, peer, ...) \
	lsi_sweep_report(scene->worker, \
		(struct lsi_sweep_fault){ kind, scene->rank, peer, scene->step }, __VA_ARGS__)

/* ---- Ports */

struct verb {
	const char *does, *done, *noun;
};

static const struct verb sending = { "sends to", "sent to", "send" };
static const struct verb receiving = { "receives from", "received from", "receive" };

static bool ports_hold(
	const struct lsi_sweep_node_step *scene, const int64_t *peer, const struct verb *verb)
{
	const struct ls_plan *plan = scene->worker->sweep->plan;
	const int64_t here = place(scene, scene->rank);
	int used = 0, ports = plan->problem.ports;

	for (int q = 0; q < scene->does.ports; q++) {
		int64_t first = LS_NO_RANK;

		if (peer[q] == LS_NO_RANK)
			continue;
		if (peer[q] < 0 || peer[q] >= plan->problem.nodes)
			return BROKEN(LS_ERR_LINK, LS_NO_RANK,
				"node %" PRId64 " %s node %" PRId64 " %s, which does not exist", here, verb->does,
				peer[q], when(scene).text);
		for (int other = q - 1; other >= 0; other--) {
			if (peer[other] == peer[q])
				return BROKEN(LS_ERR_PORT, peer[q],
					"node %" PRId64 " %s node %" PRId64
					" %s on ports %d and %d; one message passes between two nodes",
					here, verb->does, place(scene, peer[q]), when(scene).text, other, q);
			first = peer[other] != LS_NO_RANK ? peer[other] : first;
		}
		if (++used > ports)
			return BROKEN(LS_ERR_PORT, peer[q],
				"node %" PRId64 " %s node %" PRId64 " %s, but has %s node %" PRId64
				" in it; a node has %d %s port%s",
				here, verb->does, place(scene, peer[q]), when(scene).text, verb->done,
				place(scene, first), ports, verb->noun, ports == 1 ? "" : "s");
	}
	return true;
}

/* ---- Links */

/* Messages on a link in this step, with this one; `load` counts steps in its upper half. */
static int64_t add_load(LSI_ATOMIC(uint64_t) * load, int64_t step)
{
	const uint64_t tag = (uint64_t)(step + 1) << 32;
	uint64_t old = lsi_load(load, relaxed), now; /* counter only */

	do {
		now = (old >> 32 == tag >> 32 ? old : tag) + 1;
	} while (!lsi_compare_swap(load, &old, now, relaxed)); /* counter only */
	return (int64_t)(now & UINT32_MAX);
}

/* Most messages on a link of a route; `add`: this one is to be counted. */
static int64_t load_route(const struct lsi_sweep_node_step *scene, int64_t to, bool add)
{
	const struct lsi_sweep_state *s = scene->worker->sweep;
	struct lsi_route route = lsi_route_begin(place(scene, scene->rank), place(scene, to));
	int64_t most = 0;

	while (lsi_route_hop(s->topology, &route)) {
		LSI_ATOMIC(uint64_t) *load =
			&s->load[lsi_link_traffics_number(s->topology, route.from, route.link)];
		const int64_t messages = add
			? add_load(load, scene->step)
			: (int64_t)(lsi_load(load, relaxed) & UINT32_MAX); /* a meeting was between */

		most = messages > most ? messages : most;
	}
	return most;
}

static bool link_holds(const struct lsi_sweep_node_step *scene, int64_t to)
{
	struct lsi_sweep_worker *w = scene->worker;
	const struct lsi_sweep_state *s = w->sweep;
	const int64_t here = place(scene, scene->rank), there = place(scene, to);

	if (here == there || (s->mode == LS_HOP && ls_link_to(s->topology, here, there) < 0))
		return BROKEN(LS_ERR_LINK, to,
			"node %" PRId64 " has no link to node %" PRId64
			" %s; %s messages reach neighbours only in hop mode",
			here, there, when(scene).text, ls_topology_spec(s->topology));

	const int64_t load = s->mode == LS_ROUTED ? load_route(scene, to, true) : 1;

	if (load > w->load)
		w->load = load;
	w->crowded[w->meetings % 2] |= load > 1;
	return true;
}

/* ---- What arrives */

static bool arrival_holds(struct lsi_sweep_node_step *scene, int q)
{
	const struct lsi_sweep_state *s = scene->worker->sweep;
	const int64_t from = scene->does.from[q];
	struct ls_step *peer = &scene->peer[q];

	ls_plan_step(s->plan, from, scene->step, peer);
	for (int port = 0; port < peer->ports && !scene->sent[q]; port++) {
		if (peer->to[port] == scene->rank)
			scene->sent[q] = &peer->send[port];
	}
	if (!scene->sent[q])
		return BROKEN(LS_ERR_MATCH, from,
			"node %" PRId64 " expects a message from node %" PRId64 " %s, which sends it none",
			place(scene, scene->rank), place(scene, from), when(scene).text);

	const int64_t blocks = ls_slice_blocks(scene->sent[q]);

	if (blocks != scene->does.arrives[q])
		return BROKEN(LS_ERR_MATCH, from,
			"node %" PRId64 " expects %" PRId64 " blocks from node %" PRId64 " %s; %" PRId64
			" came",
			place(scene, scene->rank), scene->does.arrives[q], place(scene, from), when(scene).text,
			blocks);
	return true;
}

/* ---- A node */

static void count(const struct lsi_sweep_node_step *scene)
{
	struct lsi_sweep_worker *w = scene->worker;
	const struct lsi_sweep_state *s = w->sweep;

	for (int q = 0; q < scene->does.ports; q++) {
		w->open[w->meetings % 2] -= scene->does.from[q] != LS_NO_RANK;
		if (scene->does.to[q] == LS_NO_RANK)
			continue;

		const int64_t words = (int64_t)lsi_sweep_words(s, scene->rank, &scene->does.send[q]);

		w->open[w->meetings % 2]++;
		w->messages++;
		w->words += words;
		w->bytes += words * (int64_t)s->payload[LSI_PAYLOAD_DATA].combine.size;
	}
}

static void enter(struct lsi_sweep_node_step *scene, int64_t rank)
{
	scene->rank = rank;
	for (int q = 0; q < LS_PORTS; q++)
		scene->sent[q] = NULL;
	ls_plan_step(scene->worker->sweep->plan, rank, scene->step, &scene->does);
}

/* Find what a node does in the step, and whether it may. */
static bool look(struct lsi_sweep_node_step *scene, int64_t rank)
{
	const struct ls_step *does = &scene->does;

	enter(scene, rank);
	if (!ports_hold(scene, does->to, &sending) || !ports_hold(scene, does->from, &receiving))
		return false;
	for (int q = 0; q < does->ports; q++) {
		if (does->to[q] != LS_NO_RANK && !link_holds(scene, does->to[q]))
			return false;
	}
	for (int q = 0; q < does->ports; q++) {
		if (does->from[q] != LS_NO_RANK && !arrival_holds(scene, q))
			return false;
	}
	return true;
}

/* ---- At the end of a step */

/* Note the first node that is not heard. */
static void find_untaken(struct lsi_sweep_node_step *scene)
{
	const struct lsi_sweep_worker *w = scene->worker;
	const struct ls_plan *plan = w->sweep->plan;
	struct lsi_peers mine, theirs;

	for (scene->rank = w->first; scene->rank < w->last; scene->rank++) {
		lsi_plan_peers(plan, scene->rank, scene->step, &mine);
		for (int q = 0; q < LS_PORTS; q++) {
			bool taken = mine.to[q] == LS_NO_RANK;

			if (!taken)
				lsi_plan_peers(plan, mine.to[q], scene->step, &theirs);
			for (int port = 0; port < LS_PORTS && !taken; port++)
				taken = theirs.from[port] == scene->rank;
			if (!taken) {
				BROKEN(LS_ERR_UNTAKEN, mine.to[q],
					"the message of round %" PRId64 " from node %" PRId64 " to node %" PRId64
					" was left untaken (%s); what is sent in a round is received in it",
					ls_plan_round(plan, scene->step), place(scene, scene->rank),
					place(scene, mine.to[q]), ls_operation_name(plan->problem.operation));
				return;
			}
		}
	}
}

/* Note the first node that sends over a link which more than one message crosses. */
static void find_crowd(struct lsi_sweep_node_step *scene)
{
	const struct lsi_sweep_worker *w = scene->worker;
	struct lsi_peers peers;

	for (scene->rank = w->first; scene->rank < w->last; scene->rank++) {
		lsi_plan_peers(w->sweep->plan, scene->rank, scene->step, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			const int64_t to = peers.to[q];
			const int64_t load = to == LS_NO_RANK ? 0 : load_route(scene, to, false);

			if (load > 1) {
				BROKEN(LS_ERR_CONGESTION, to,
					"%" PRId64 " messages cross one link %s"
					", one of them from node %" PRId64 " to node %" PRId64 "; --strict allows one",
					load, when(scene).text, place(scene, scene->rank), place(scene, to));
				return;
			}
		}
	}
}

/* All nodes were looked at: is all that was sent taken, and no link crowded? */
static bool step_holds(struct lsi_sweep_node_step *scene, int parity)
{
	const struct lsi_sweep_state *s = scene->worker->sweep;
	int64_t open = 0;
	bool crowded = false;

	for (int i = 0; i < s->workers; i++) {
		open += s->worker[i].open[parity];
		crowded |= s->worker[i].crowded[parity];
	}
	crowded &= s->asked.strict;
	if (open == 0 && !crowded)
		return true;
	if (crowded)
		find_crowd(scene);
	else
		find_untaken(scene);
	return lsi_sweep_barrier(scene->worker);
}

/* ---- All nodes of a worker */

static bool in_order(struct lsi_sweep_node_step *scene, bool moves)
{
	struct lsi_sweep_worker *w = scene->worker;

	for (int64_t rank = w->first; rank < w->last; rank++) {
		if (rank % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))
			return false;
		if (!look(scene, rank))
			return false;
		count(scene);
		if (moves && !lsi_sweep_moves(scene))
			return false;
	}
	return true;
}

static void shuffle(struct lsi_sweep_worker *w, int64_t step)
{
	const int64_t n = w->last - w->first;
	uint64_t state =
		w->sweep->asked.order + (uint64_t)step * 0xd1342543de82ef95u + (uint64_t)w->first;

	for (int64_t i = 0; i < n; i++) {
		const int64_t other = (int64_t)(lsi_mix(state += 0x9e3779b97f4a7c15u) % (uint64_t)(i + 1));

		w->shuffled[i] = w->shuffled[other];
		w->shuffled[other] = w->first + i;
	}
}

/* Who breaks a law first is found in order; the moves are then done in any. */
static bool in_any_order(struct lsi_sweep_node_step *scene)
{
	struct lsi_sweep_worker *w = scene->worker;

	if (!in_order(scene, false))
		return false;
	shuffle(w, scene->step);
	for (int64_t i = 0; i < w->last - w->first; i++) {
		enter(scene, w->shuffled[i]);
		for (int q = 0; q < scene->does.ports; q++) {
			if (scene->does.from[q] != LS_NO_RANK)
				arrival_holds(scene, q);
		}
		if (!lsi_sweep_moves(scene))
			return false;
	}
	return true;
}

bool lsi_sweep_step(struct lsi_sweep_worker *w, int64_t step)
{
	const int parity = (int)(w->meetings % 2);
	struct lsi_sweep_node_step scene; /* large: what is in it is set when it is used */

	scene.worker = w;
	scene.step = step;
	w->open[parity] = 0;
	w->crowded[parity] = false;
	if (w->sweep->asked.order)
		in_any_order(&scene);
	else
		in_order(&scene, true);
	return lsi_sweep_barrier(w) && step_holds(&scene, parity);
}
