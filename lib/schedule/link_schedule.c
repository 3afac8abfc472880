/*
 * Replaying a schedule of links: in each round, every receiver hears of all that its sender knew
 * before the round.  This is the meaning against which models of the formula are verified; it
 * shares nothing with the formula.
 */
#include "schedule/link_schedule.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/math.h"
#include "plan/plan_internal.h"

int lsi_nodes_next(const struct lsi_node_set *set, int first)
{
	for (int w = first / 64; w < LSI_SET_WORDS; w++) {
		const uint64_t rest =
			set->word[w] & (w == first / 64 ? ~(uint64_t)0 << (first % 64) : ~(uint64_t)0);

		if (rest)
			return 64 * w + __builtin_ctzll(rest);
	}
	return LSI_FIND_NODES;
}

int64_t lsi_nodes_list(const struct lsi_node_set *set, int64_t *list)
{
	int64_t n = 0;

	for (int x = lsi_nodes_next(set, 0); x < LSI_FIND_NODES; x = lsi_nodes_next(set, x + 1))
		list[n++] = x;
	return n;
}

/* ---- Directed links */

/* By node and link, so that the numbers of arcs depend on the network alone. */
static void fill_arcs(struct lsi_arcs *arcs, const ls_topology *t)
{
	for (int v = 0; v < arcs->nodes; v++)
		for (int l = 0; l < (int)ls_degree(t, v); l++) {
			const int to = (int)ls_neighbor(t, v, l);

			arcs->arc[arcs->count++] = (struct lsi_arc){ v, to, l, (int)ls_link_to(t, to, v) };
		}
}

int lsi_find_check_network(const ls_topology *t, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(t);

	if (nodes > LSI_FIND_NODES)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"a search takes at most %d nodes, but %s has %" PRId64 "; try a smaller network",
			LSI_FIND_NODES, ls_topology_spec(t), nodes);
	if (ls_topology_vertices(t) > nodes)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"a search needs links between nodes, but %s has switches; try another network",
			ls_topology_spec(t));
	return LS_OK;
}

int lsi_arcs_init_links(struct lsi_arcs *arcs, const ls_topology *t, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(t);
	const int status = lsi_find_check_network(t, why);
	size_t count = 0;

	*arcs = (struct lsi_arcs){ 0 };
	if (status != LS_OK)
		return status;
	for (int64_t v = 0; v < nodes; v++)
		count += (size_t)ls_degree(t, v);
	arcs->nodes = (int)nodes;
	arcs->arc = lsi_alloc((count + 1) * sizeof *arcs->arc);
	if (!arcs->arc)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the links of the network");
	fill_arcs(arcs, t);
	return LS_OK;
}

int lsi_arcs_init(struct lsi_arcs *arcs, const ls_topology *t, struct ls_error *why)
{
	const int status = lsi_arcs_init_links(arcs, t, why);
	const size_t nodes = (size_t)arcs->nodes;

	if (status != LS_OK)
		return status;
	arcs->distance = lsi_alloc(nodes * nodes * sizeof *arcs->distance);
	if (!arcs->distance)
		return lsi_error_set(why, LS_ERR_MEMORY, "no memory for the distances of the network");
	for (size_t i = 0; i < nodes * nodes; i++)
		arcs->distance[i] = (int)ls_distance(t, (int64_t)(i / nodes), (int64_t)(i % nodes));
	return LS_OK;
}

void lsi_arcs_fini(struct lsi_arcs *arcs)
{
	lsi_free(arcs->arc);
	lsi_free(arcs->distance);
}

/* ---- Goals */

enum family { FROM_ROOT, FROM_ALL, FROM_LOWER, FROM_ONE };

static enum family family_of(enum ls_operation operation)
{
	if (lsi_operation_is_rooted(operation))
		return FROM_ROOT;
	switch (operation) {
	case LS_SCAN:
	case LS_EXSCAN:
		return FROM_LOWER;
	case LS_SHIFT:
		return FROM_ONE;
	default:
		return FROM_ALL;
	}
}

/* Node v of node x, in the operation or in its mirror image. */
static bool must_hear(const struct ls_request *request, int nodes, int v, int x)
{
	switch (family_of(request->operation)) {
	case FROM_ROOT:
		return x == request->root;
	case FROM_LOWER:
		return x <= v;
	case FROM_ONE:
		return v == lsi_wrap(x + lsi_wrap(request->shift, nodes), nodes);
	default:
		return true;
	}
}

bool lsi_goal_is_same(const struct ls_request *a, const struct ls_request *b, int nodes)
{
	const enum family family = family_of(a->operation);

	return family == family_of(b->operation) && (family != FROM_ROOT || a->root == b->root)
		&& (family != FROM_ONE || lsi_wrap(a->shift, nodes) == lsi_wrap(b->shift, nodes));
}

struct lsi_goal lsi_goal_of(const struct ls_request *request, int nodes)
{
	const enum ls_operation operation = request->operation;
	struct lsi_goal goal = { .backward = operation == LS_REDUCE || operation == LS_GATHER
			|| operation == LS_REDUCE_SCATTER };

	for (int v = 0; v < nodes; v++)
		for (int x = 0; x < nodes; x++)
			if (must_hear(request, nodes, v, x))
				lsi_nodes_add(&goal.wants[v], x);
	return goal;
}

/* ---- Schedules */

/* In a round each node sends, and receives, at most as many messages as it has ports. */
static bool keeps_ports(const struct lsi_link_schedule *s, int round)
{
	int sent[LSI_FIND_NODES] = { 0 }, received[LSI_FIND_NODES] = { 0 };
	bool kept = true;

	for (int a = 0; a < s->arcs->count; a++)
		if (s->used[round * s->arcs->count + a]) {
			kept &= ++sent[s->arcs->arc[a].from] <= s->ports;
			kept &= ++received[s->arcs->arc[a].to] <= s->ports;
		}
	return kept;
}

bool lsi_schedule_reaches(const struct lsi_link_schedule *s, const struct lsi_goal *goal)
{
	struct lsi_node_set known[LSI_FIND_NODES] = { 0 }, before[LSI_FIND_NODES];

	for (int v = 0; v < s->arcs->nodes; v++)
		lsi_nodes_add(&known[v], v);
	for (int t = 0; t < s->rounds; t++) {
		if (!keeps_ports(s, t))
			return false;
		for (int v = 0; v < s->arcs->nodes; v++)
			before[v] = known[v];
		for (int a = 0; a < s->arcs->count; a++) {
			const struct lsi_arc *arc = &s->arcs->arc[a];

			if (s->used[t * s->arcs->count + a])
				known[arc->to] = lsi_nodes_union(known[arc->to], before[arc->from]);
		}
	}
	for (int v = 0; v < s->arcs->nodes; v++) {
		const struct lsi_node_set lacking = lsi_nodes_without(goal->wants[v], known[v]);

		if (!lsi_nodes_is_empty(&lacking))
			return false;
	}
	return true;
}
