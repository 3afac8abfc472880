/*
 * The directory is a list behind one pointer (live_paths.h).  The list never changes: nodes read it
 * inside an RCU lookup; a thread that changes a link or a node replaces the whole list, and frees
 * the old one a grace period later.
 *
 * Evidence  test/link_readers.c
 */
#include "machine/links.h"

#include "base/alloc.h"
#include "base/math.h"
#include "machine/live_paths.h"
#include "machine/processes/far_nodes.h"
#include "machine/verdict.h"
#include "topology/topology_internal.h"

/* ---- The directory */

/* The same number for the same list in any order; 0: nothing is down. */
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
	pthread_mutex_lock(&machine->control);

	struct lsi_links *old = lsi_load(&machine->links, acquire); /* DIRECTORY: holds control */
	struct lsi_links *links = lsi_links_changed(machine->topology, old, u, v, up);
	const int status = links ? LS_OK : LS_ERR_MEMORY;

	if (links) {
		const bool is_empty = links->n == 0;

		lsi_store(&machine->links, is_empty ? NULL : links, release); /* DIRECTORY */
		if (is_empty)
			lsi_links_free(links);
		lsi_rcu_wait(); /* GRACE */
		lsi_links_free(old);
	}
	pthread_mutex_unlock(&machine->control);
	return status;
}

/* LS_OK, or why the directory cannot be changed. */
static int check_machine(const struct ls_machine *machine)
{
	if (!machine)
		return LS_ERR_ARGUMENT;
	return *machine->fork_guard == 0 || !lsi_rcu_is_usable() ? LS_ERR_FORK : LS_OK;
}

/* Change the link {u, v}, or the node u == v, in all processes. */
static int change(struct ls_machine *machine, int64_t u, int64_t v, bool up)
{
	int cancel, status;

	pthread_setcancelstate(
		PTHREAD_CANCEL_DISABLE, &cancel); /* the wait may be a cancellation point */
	if (!machine->processes || !lsi_processes_set_link(machine, u, v, up, &status))
		status = lsi_link_change(machine, u, v, up);
	pthread_setcancelstate(cancel, NULL);
	return status;
}

int ls_link_set(ls_machine *machine, int64_t a, int64_t b, bool up)
{
	const int64_t u = a < b ? a : b, v = a < b ? b : a;
	const int failed = check_machine(machine);

	if (failed)
		return failed;
	if (u < 0 || v >= machine->topology->vertices || u == v
		|| ls_link_to(machine->topology, u, v) < 0)
		return LS_ERR_ARGUMENT;
	return change(machine, u, v, up);
}

int ls_node_set(ls_machine *machine, int64_t node, bool up)
{
	const int failed = check_machine(machine);

	if (failed)
		return failed;
	if (node < 0 || node >= machine->topology->vertices)
		return LS_ERR_ARGUMENT;
	return change(machine, node, node, up);
}

void lsi_links_destroy(struct ls_machine *machine)
{
	lsi_links_free(lsi_load(&machine->links, relaxed)); /* no run is alive */
}

/* ---- The load of links */

int64_t lsi_link_load_add(LSI_ATOMIC(uint64_t) * load, uint64_t tag)
{
	uint64_t old = lsi_load(load, relaxed), new; /* counter only */

	do {
		new = (old >> 24 == tag >> 24 ? old : tag) + 1;
	} while (!lsi_compare_swap(load, &old, new, relaxed)); /* counter only */
	return (int64_t)(new & 0xffffff);
}

/*
 * Count a message on every link of its way: `path`, or the route of the topology.  Returns the most
 * loaded link; with 0 messages: no memory.
 */
static struct lsi_link_load count_route(
	const struct lsi_envelope *e, const int64_t *path, int64_t to)
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
	for (int64_t at = from, hop = 0; at != to; hop++) {
		const int64_t link = path ? path[hop] : ls_first_hop(t, at, to);
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

/* Something is down; cut: what separates the nodes, for a rule that names it. */
static int reject_fault(const struct lsi_envelope *e, const struct lsi_channel *channel,
	enum lsi_message_rule rule, const char *cut)
{
	struct lsi_message_error error = lsi_message_error_of(e, channel, channel->peer, rule, true);

	error.name = cut;
	return lsi_message_fail(e->node->self, &error);
}

/* Which rule does a message break because of what is down?  Routed: *path, see lsi_live_path. */
static enum lsi_message_rule check_faults(const struct lsi_envelope *e, struct lsi_links *links,
	int64_t to, int64_t **path, struct lsi_cut_text *cut)
{
	const int64_t from = e->node->self->rank;
	int status;

	if (lsi_is_down(links, from, from))
		return LSI_RULE_NODE_UP;
	if (lsi_is_down(links, to, to))
		return LSI_RULE_PEER_UP;
	if (e->node->group->mode == LS_HOP)
		return lsi_is_down(links, from, to) ? LSI_RULE_LINK_UP : LSI_RULES_KEPT;
	status = lsi_live_path(links, from, to, path);
	if (status == LS_ERR_LINK)
		*cut = lsi_cut_describe(links, from, to);
	return status == LS_OK      ? LSI_RULES_KEPT
		: status == LS_ERR_LINK ? LSI_RULE_PATH_UP
								: LSI_RULE_PATH_MEMORY;
}

/* Find the way of a message.  *path is NULL if it is the route of the topology, or in hop mode. */
static int find_path(
	const struct lsi_envelope *e, const struct lsi_channel *channel, int64_t **path)
{
	enum lsi_message_rule rule = LSI_RULES_KEPT;
	struct lsi_cut_text cut = { "" };

	*path = NULL;
	lsi_rcu_enter();

	struct lsi_links *links = lsi_load(&e->node->self->machine->links, acquire); /* DIRECTORY */

	if (links)
		rule = check_faults(e, links, channel->peer, path, &cut);
	lsi_rcu_leave();
	return rule == LSI_RULES_KEPT ? LS_OK : reject_fault(e, channel, rule, cut.text);
}

/* Only routed messages in lockstep rounds have a load: see loads_make in machine.c. */
int lsi_link_admit(const struct lsi_envelope *e, const struct lsi_channel *channel)
{
	struct lsi_node_state *me = e->node->self;
	struct ls_machine *machine = me->machine;
	int64_t *path;
	const int failed = find_path(e, channel, &path);

	if (failed)
		return failed;

	const struct lsi_link_load load = count_route(e, path, channel->peer);

	me->count.reroutes += path != NULL;
	lsi_free(path);
	if (load.messages > me->count.load)
		me->count.load = load.messages;
	if (load.messages == 0)
		return lsi_machine_fail(me,
			(struct lsi_fault){ LS_ERR_MEMORY, channel->peer, e->node->round, -1, e->operation },
			"no memory for the load of links");
	return load.messages > 1 && machine->options.strict ? reject_load(e, channel, &load) : LS_OK;
}
