#include "engine/sweep/sweep_node.h"

#include "base/math.h"
#include "machine/message_rules.h"
#include "topology/link_traffic.h"

/* ---- Broken rules */

static int64_t host_rank(const struct lsi_sweep_node_step *scene, int64_t rank)
{
	return lsi_sweep_host_rank(scene->worker->sweep, rank);
}

/* Of a message to or from `peer`; LS_NO_RANK: no node has its rank. */
static struct lsi_message_error error_of(
	const struct lsi_sweep_node_step *scene, enum lsi_message_rule rule, bool sends, int64_t peer)
{
	const struct ls_plan *plan = scene->worker->sweep->plan;

	return (struct lsi_message_error){ .rule = rule,
		.sends = sends,
		.node = host_rank(scene, scene->rank),
		.peer = peer == LS_NO_RANK ? LS_NO_RANK : host_rank(scene, peer),
		.round = ls_plan_round(plan, scene->step),
		.link = -1,
		.operation = ls_operation_name(plan->problem.operation) };
}

static bool report(
	const struct lsi_sweep_node_step *scene, const struct lsi_message_error *error, int64_t peer)
{
	char text[sizeof(((struct ls_error *)0)->text)];
	const int kind = lsi_message_describe(error, text, sizeof text);

	return lsi_sweep_report(scene->worker,
		(struct lsi_sweep_fault){ kind, scene->rank, peer, scene->step }, "%s", text);
}

/* ---- Ports */

static bool report_port(const struct lsi_sweep_node_step *scene, enum lsi_message_rule rule,
	bool sends, int64_t peer, int64_t other)
{
	const struct ls_plan *plan = scene->worker->sweep->plan;
	const bool exists = rule != LSI_RULE_RANK;
	struct lsi_message_error error = error_of(scene, rule, sends, exists ? peer : LS_NO_RANK);

	if (!exists)
		error.peer = peer;
	error.limit = exists ? plan->problem.ports : plan->problem.nodes - 1;
	error.other = other == LS_NO_RANK ? LS_NO_RANK : host_rank(scene, other);
	return report(scene, &error, exists ? peer : LS_NO_RANK);
}

/* No earlier port, of those before q, has the same peer; *other: the first peer before q. */
static bool is_only_port(const int64_t *peer, int q, int *same, int64_t *other)
{
	*other = LS_NO_RANK;
	for (*same = 0; *same < q; ++*same) {
		if (peer[*same] == peer[q])
			return false;
		if (*other == LS_NO_RANK)
			*other = peer[*same];
	}
	return true;
}

static bool ports_hold(const struct lsi_sweep_node_step *scene, const int64_t *peer, bool sends)
{
	const struct ls_plan *plan = scene->worker->sweep->plan;
	int used = 0;

	for (int q = 0; q < scene->does.ports; q++) {
		const struct lsi_message_facts facts = { scene->rank, peer[q], plan->problem.nodes, used,
			plan->problem.ports, true };
		enum lsi_message_rule rule;
		int64_t other;
		int same;

		if (peer[q] == LS_NO_RANK)
			continue;
		if (!is_only_port(peer, q, &same, &other)) {
			struct lsi_message_error error = error_of(scene, LSI_RULE_PEER, sends, peer[q]);

			error.count = same;
			error.limit = q;
			return report(scene, &error, peer[q]);
		}
		rule = lsi_message_check(&facts);
		if (rule != LSI_RULES_KEPT)
			return report_port(scene, rule, sends, peer[q], other);
		used++;
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
	struct lsi_route route = lsi_route_begin(host_rank(scene, scene->rank), host_rank(scene, to));
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

	if (s->mode == LS_HOP
		&& ls_link_to(s->topology, host_rank(scene, scene->rank), host_rank(scene, to)) < 0) {
		struct lsi_message_error error = error_of(scene, LSI_RULE_LINK, true, to);

		error.name = ls_topology_spec(s->topology);
		return report(scene, &error, to);
	}

	const int64_t load = s->mode == LS_ROUTED ? load_route(scene, to, true) : 1;

	if (load > w->load)
		w->load = load;
	w->crowded[w->meetings % 2] |= load > 1;
	return true;
}

/* ---- What arrives */

static bool report_arrival(
	const struct lsi_sweep_node_step *scene, enum lsi_message_rule rule, int q, int64_t blocks)
{
	const int64_t from = scene->does.from[q];
	struct lsi_message_error error = error_of(scene, rule, false, from);

	error.limit = scene->does.arrives[q];
	error.count = blocks;
	error.name = "blocks";
	return report(scene, &error, from);
}

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
		return report_arrival(scene, LSI_RULE_SEND, q, 0);

	const int64_t blocks = ls_slice_blocks(scene->sent[q]);

	return blocks == scene->does.arrives[q] || report_arrival(scene, LSI_RULE_SIZE, q, blocks);
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
	if (!ports_hold(scene, does->to, true) || !ports_hold(scene, does->from, false))
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
				const struct lsi_message_error error =
					error_of(scene, LSI_RULE_RECEIVE, true, mine.to[q]);

				report(scene, &error, mine.to[q]);
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
				struct lsi_message_error error = error_of(scene, LSI_RULE_STRICT, true, to);

				error.count = load;
				report(scene, &error, to);
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
