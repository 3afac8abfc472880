/*
 * The directory is a list behind one pointer.  The list never changes: nodes read it inside an RCU
 * lookup; a thread that changes a link replaces the whole list, and frees the old one a grace
 * period later.
 *
 * A routed message follows the route of the topology.  If a link of the route is down, the message
 * takes a shortest path over links that are up, found by breadth-first search.
 */
#include "machine/links.h"

#include <string.h>

#include "base/alloc.h"
#include "base/math.h"
#include "machine/processes/far_nodes.h"
#include "machine/verdict.h"
#include "topology/topology_internal.h"

/* ---- The directory */

struct lsi_links {
	size_t n;
	struct {
		int64_t u, v;
	} down[]; /* u < v */
};

/* A linear search, for the list is short. */
static bool is_down(const struct lsi_links *links, int64_t a, int64_t b)
{
	const int64_t u = a < b ? a : b, v = a < b ? b : a;

	for (size_t i = 0; links && i < links->n; i++) {
		if (links->down[i].u == u && links->down[i].v == v)
			return true;
	}
	return false;
}

/* Copy the list, with link {u, v} added or removed.  NULL: no memory.  *none: every link is up. */
static struct lsi_links *changed_copy(
	const struct lsi_links *old, int64_t u, int64_t v, bool up, bool *none)
{
	const size_t n = old ? old->n : 0;
	struct lsi_links *links = lsi_alloc(sizeof *links + (n + 1) * sizeof links->down[0]);

	if (!links)
		return NULL;
	links->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (old->down[i].u != u || old->down[i].v != v)
			links->down[links->n++] = old->down[i];
	}
	if (!up) {
		links->down[links->n].u = u;
		links->down[links->n++].v = v;
	}
	*none = links->n == 0;
	return links;
}

/* The same number for the same list in any order; 0: no link is down. */
int64_t lsi_links_fingerprint(struct ls_machine *machine)
{
	uint64_t sum = 0;

	pthread_mutex_lock(&machine->control);

	const struct lsi_links *links = lsi_load(&machine->links, acquire); /* DIRECTORY: control */

	for (size_t i = 0; links && i < links->n; i++)
		sum += lsi_mix(lsi_mix((uint64_t)links->down[i].u + 1) + (uint64_t)links->down[i].v);
	pthread_mutex_unlock(&machine->control);
	return (int64_t)sum;
}

/* Changes are rare: one lock, and a grace period for each. */
int lsi_link_change(struct ls_machine *machine, int64_t u, int64_t v, bool up)
{
	bool none;

	pthread_mutex_lock(&machine->control);

	struct lsi_links *old = lsi_load(&machine->links, acquire); /* DIRECTORY: holds control */
	struct lsi_links *links = changed_copy(old, u, v, up, &none);

	if (links) {
		lsi_store(&machine->links, none ? NULL : links, release); /* DIRECTORY */
		if (none)
			lsi_free(links);
		lsi_rcu_wait(); /* GRACE */
		lsi_free(old);
	}
	pthread_mutex_unlock(&machine->control);
	return links ? LS_OK : LS_ERR_MEMORY;
}

int ls_link_set(ls_machine *machine, int64_t a, int64_t b, bool up)
{
	const int64_t u = a < b ? a : b, v = a < b ? b : a;
	int cancel, status;

	if (!machine)
		return LS_ERR_ARGUMENT;
	if (*machine->fork_guard == 0 || !lsi_rcu_is_usable())
		return LS_ERR_FORK;
	if (u < 0 || v >= machine->topology->vertices || u == v
		|| ls_link_to(machine->topology, u, v) < 0)
		return LS_ERR_ARGUMENT;
	pthread_setcancelstate(
		PTHREAD_CANCEL_DISABLE, &cancel); /* the wait may be a cancellation point */
	if (!machine->processes || !lsi_processes_set_link(machine, u, v, up, &status))
		status = lsi_link_change(machine, u, v, up);
	pthread_setcancelstate(cancel, NULL);
	return status;
}

void lsi_links_destroy(struct ls_machine *machine)
{
	lsi_free(lsi_load(&machine->links, relaxed)); /* no run is alive */
}

/* ---- Routes and their load */

/* Is every link of the route of the topology up? */
static bool route_is_up(
	const struct ls_topology *t, const struct lsi_links *links, int64_t from, int64_t to)
{
	struct lsi_route route = lsi_route_begin(from, to);

	while (lsi_route_hop(t, &route)) {
		if (is_down(links, route.from, route.at))
			return false;
	}
	return true;
}

/*
 * next[v]: the vertex after v on a shortest live path to `to`, -1 where there is none (breadth
 * first, from the far end).  NULL: no memory.
 */
static int64_t *find_live_paths(
	const struct ls_topology *t, const struct lsi_links *links, int64_t to)
{
	int64_t *next = lsi_alloc(2 * (size_t)t->vertices * sizeof *next);
	int64_t *queue, head = 0, tail = 0;

	if (!next)
		return NULL;
	queue = next + t->vertices;
	memset(next, 0xff, (size_t)t->vertices * sizeof *next);
	next[to] = to;
	queue[tail++] = to;
	while (head < tail) {
		const int64_t v = queue[head++], degree = ls_degree(t, v);

		for (int64_t link = 0; link < degree; link++) {
			const int64_t w = ls_neighbor(t, v, link);

			if (next[w] >= 0 || is_down(links, v, w))
				continue;
			next[w] = v;
			queue[tail++] = w;
		}
	}
	return next;
}

int64_t lsi_link_load_add(LSI_ATOMIC(uint64_t) * load, uint64_t tag)
{
	uint64_t old = lsi_load(load, relaxed), new; /* counter only */

	do {
		new = (old >> 24 == tag >> 24 ? old : tag) + 1;
	} while (!lsi_compare_swap(load, &old, new, relaxed)); /* counter only */
	return (int64_t)(new & 0xffffff);
}

/*
 * Count a message on every link of its route.  Returns the most loaded link; with 0 messages: no
 * memory.
 */
static struct lsi_link_load count_route(
	const struct lsi_envelope *e, const int64_t *next, int64_t to)
{
	const struct ls_node *node = e->node;
	struct ls_machine *machine = node->self->machine;
	const struct ls_topology *t = machine->topology;
	const int64_t from = node->self->rank;
	const uint64_t tag = lsi_link_load_tag(node->group->context, node->round);
	struct lsi_link_load most = { from, to, 1 };

	if (!machine->load)
		return most;
	lsi_far_load_lock(node);
	for (int64_t at = from; at != to;) {
		const int64_t link = next ? ls_link_to(t, at, next[at]) : ls_first_hop(t, at, to);
		const int64_t load = lsi_link_load_add(&machine->load[at * t->degree + link], tag);
		const int64_t end = ls_neighbor(t, at, link);

		if (!lsi_far_load_add(e, to, at, link)) {
			most = (struct lsi_link_load){ from, to, 0 };
			break;
		}
		if (load > most.messages)
			most = (struct lsi_link_load){ at, end, load };
		at = end;
	}
	lsi_far_load_unlock(node);
	return most;
}

/* ---- Admit a message */

static int reject_message(
	const struct lsi_envelope *e, const struct lsi_channel *channel, enum lsi_message_rule rule)
{
	const struct lsi_message_error error =
		lsi_message_error_of(e, channel, channel->peer, rule, true);

	return lsi_message_fail(e->node->self, &error);
}

/* More than one message crosses a link. */
static int reject_load(const struct lsi_envelope *e, const struct lsi_channel *channel,
	const struct lsi_link_load *load)
{
	struct lsi_message_error error =
		lsi_message_error_of(e, channel, channel->peer, LSI_RULE_STRICT, true);

	error.count = load->messages;
	error.other = load->from;
	error.limit = load->to;
	return lsi_message_fail(e->node->self, &error);
}

/* Find paths that avoid links that are down.  *next is NULL if the route has no such link. */
static int find_detour(
	const struct lsi_envelope *e, const struct lsi_channel *channel, int64_t **next)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;
	const struct ls_topology *t = machine->topology;
	const int64_t to = channel->peer;
	const bool hop = e->node->group->mode == LS_HOP;
	bool detour;

	*next = NULL;
	lsi_rcu_enter();

	const struct lsi_links *links = lsi_load(&machine->links, acquire); /* DIRECTORY */

	detour = links && (hop ? is_down(links, me->rank, to) : !route_is_up(t, links, me->rank, to));
	if (detour && !hop)
		*next = find_live_paths(t, links, to);
	lsi_rcu_leave();

	if (!detour)
		return LS_OK;
	if (hop)
		return reject_message(e, channel, LSI_RULE_LINK_UP);
	if (!*next)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, to, e->node->round, -1, e->operation },
			"no memory for a route around a link that is down");
	if ((*next)[me->rank] >= 0)
		return LS_OK;
	lsi_free(*next);
	return reject_message(e, channel, LSI_RULE_PATH_UP);
}

/* Only routed messages in lockstep rounds have a load: see loads_make in machine.c. */
int lsi_link_admit(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;
	int64_t *next;
	const int failed = find_detour(e, channel, &next);

	if (failed)
		return failed;

	const struct lsi_link_load load = count_route(e, next, channel->peer);

	me->count.reroutes += next != NULL;
	lsi_free(next);
	if (load.messages > me->count.load)
		me->count.load = load.messages;
	if (load.messages == 0)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, channel->peer, e->node->round, -1, e->operation },
			"no memory for the load of links");
	return load.messages > 1 && machine->options.strict ? reject_load(e, channel, &load) : LS_OK;
}
