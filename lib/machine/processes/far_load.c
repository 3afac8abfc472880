/*
 * The load of links in lockstep rounds of a group whose members are in several processes.
 *
 * A local sender adds its message to the counters of links.c, as in one process, and records each
 * hop.  The arrival of a process at the end of the round carries the hops of its members.  The
 * others add them to their counters, so all counters are complete when the gate opens.  Hops of the
 * odd and the even rounds are kept apart: those of a round that has ended stay until the next ends.
 */
#include "base/alloc.h"
#include "base/math.h"
#include "machine/links.h"
#include "machine/processes/far_internal.h"
#include "machine/verdict.h"
#include "machine/wait.h"
#include "topology/topology_internal.h"

/* ---- Senders */

/* Twice as much memory; false: there is none.  The caller holds the lock. */
static bool grow(struct lsi_hops *hops)
{
	const size_t capacity = hops->capacity ? 2 * hops->capacity : 64;
	struct lsi_hop *larger =
		lsi_alloc_grow(hops->hop, hops->n * sizeof *larger, capacity * sizeof *larger);

	if (!larger)
		return false;
	hops->hop = larger;
	hops->capacity = capacity;
	return true;
}

void lsi_far_load_lock(const struct ls_node *node)
{
	if (node->group->far)
		pthread_mutex_lock(&node->group->far->processes->lock);
}

void lsi_far_load_unlock(const struct ls_node *node)
{
	if (node->group->far)
		pthread_mutex_unlock(&node->group->far->processes->lock);
}

bool lsi_far_load_add(const struct lsi_envelope *e, int64_t peer, int64_t at, int64_t link)
{
	const struct ls_node *node = e->node;
	struct lsi_far_group *far = node->group->far;
	struct lsi_hops *hops = far ? &far->hops[node->round % 2] : NULL;

	if (!far)
		return true;
	if (hops->n == hops->capacity && !grow(hops))
		return false;
	hops->hop[hops->n++] = (struct lsi_hop){ node->self->rank, peer, at, link, 1, e->operation };
	return true;
}

/* The error of a message on a link with others; only strict machines call it an error. */
static struct lsi_message_error error_of(
	const struct ls_machine *machine, const struct lsi_hop *hop, int64_t round)
{
	const struct ls_topology *t = machine->topology;
	const int64_t link = ls_link_to(t, hop->rank, hop->peer);

	return (struct lsi_message_error){ .rule = LSI_RULE_STRICT,
		.sends = true,
		.node = hop->rank,
		.peer = hop->peer,
		.round = round,
		.link = link >= 0 ? ls_link_label(t, link) : -1,
		.operation = hop->operation,
		.count = hop->load,
		.other = hop->at,
		.limit = ls_neighbor(t, hop->at, hop->link) };
}

/* The most loaded hop of a node, the first of several; NULL: none has two messages. */
static const struct lsi_hop *most_loaded(const struct lsi_hops *hops, int64_t rank)
{
	const struct lsi_hop *most = NULL;

	for (size_t i = 0; i < hops->n; i++) {
		const struct lsi_hop *hop = &hops->hop[i];

		if (hop->rank == rank && hop->load > (most ? most->load : 1))
			most = hop;
	}
	return most;
}

/* The gate has opened, so the hops of this round do not change before this node arrives again. */
int lsi_far_load_check(const struct ls_node *node)
{
	struct lsi_node_state *me = node->self;
	const struct lsi_hop *hop = most_loaded(&node->group->far->hops[node->round % 2], me->rank);

	if (!hop)
		return LS_OK;

	const struct lsi_message_error error = error_of(me->machine, hop, node->round);

	return lsi_message_fail(me, &error);
}

/* ---- The communication thread */

static LSI_ATOMIC(uint64_t) * counter_of(struct ls_machine *machine, int64_t at, int64_t link)
{
	return &machine->load[at * machine->topology->degree + link];
}

/* The round of the group that its gate ends next. */
static int64_t round_of(const struct lsi_far_group *far)
{
	return (int64_t)far->gate[LSI_GATE_ROUND].opened + 1;
}

enum { HOPS_MOST = LSI_PACKET_BYTES / 2 / sizeof(int64_t) };

/*
 * Send a process the hops of the round, in several records if they are many.  call[1]: 1: more
 * follow.  The last record is the arrival, unless the members leave.
 */
void lsi_far_load_send(
	struct lsi_processes *p, const struct lsi_far_group *far, int process, bool leaves)
{
	const struct lsi_hops *hops = &far->hops[round_of(far) % 2];
	const int64_t degree = p->machine->topology->degree;
	size_t at = 0;

	do {
		const size_t left = hops->n - at, some = left < HOPS_MOST ? left : HOPS_MOST;
		struct lsi_gate_record *record =
			lsi_record_put(p, process, LSI_RECORD_GATE, sizeof *record + some * sizeof(int64_t));
		int64_t *link = (int64_t *)(void *)(record + 1);

		record->context = far->context;
		record->gate = LSI_GATE_ROUND;
		record->call[1] = some < left || leaves;
		record->offers = (uint32_t)some;
		for (size_t i = 0; i < some; i++, at++)
			link[i] = hops->hop[at].at * degree + hops->hop[at].link;
	} while (at < hops->n);
}

void lsi_far_load_arrives(
	struct lsi_processes *p, const struct lsi_far_group *far, const struct lsi_gate_record *record)
{
	const int64_t *link = (const int64_t *)(const void *)(record + 1);

	for (uint32_t i = 0; i < record->offers; i++)
		p->most_load = lsi_max(p->most_load,
			lsi_link_load_add(
				&p->machine->load[link[i]], lsi_link_load_tag(far->context, round_of(far))));
}

/* The counters of all links of a round are complete.  The caller holds the lock. */
static struct lsi_hops *complete(struct lsi_processes *p, struct lsi_far_group *far)
{
	struct lsi_hops *hops = &far->hops[round_of(far) % 2];
	const uint64_t tag = lsi_link_load_tag(far->context, round_of(far));

	for (size_t i = 0; i < hops->n; i++) {
		struct lsi_hop *hop = &hops->hop[i];

		hop->load = lsi_link_messages(counter_of(p->machine, hop->at, hop->link), tag);
		p->most_load = lsi_max(hop->load, p->most_load);
	}
	return hops;
}

void lsi_far_load_close(struct lsi_processes *p, struct lsi_far_group *far)
{
	pthread_mutex_lock(&p->lock);
	complete(p, far);
	far->hops[(round_of(far) + 1) % 2].n = 0;
	pthread_mutex_unlock(&p->lock);
}

/* ---- The end of a run */

/* The errors of messages that shared a link in a round.  The caller holds the lock. */
static void record_errors(struct ls_machine *machine, const struct lsi_hops *hops, int64_t round)
{
	for (size_t i = 0; i < hops->n; i++) {
		struct lsi_node_state *node = &machine->node_state[hops->hop[i].rank];
		const struct lsi_hop *hop = most_loaded(hops, node->rank);

		if (hop && !lsi_stop_reason(machine)) {
			const struct lsi_message_error error = error_of(machine, hop, round);

			lsi_message_error_record(node, &error);
		}
	}
}

/*
 * The run has ended: look at the round of the whole machine that no barrier has ended.  Nodes of a
 * run that was abandoned may still count a message.
 */
void lsi_far_loads_end(struct lsi_processes *p)
{
	struct ls_machine *machine = p->machine;
	const struct lsi_hops *hops;

	if (!machine->load || !p->whole || p->broken)
		return;
	pthread_mutex_lock(&p->lock);
	hops = complete(p, p->whole);
	machine->total.load = lsi_max(machine->total.load, p->most_load);
	if (machine->options.strict)
		record_errors(machine, hops, round_of(p->whole));
	pthread_mutex_unlock(&p->lock);
}

void lsi_far_load_reset(struct lsi_far_group *far)
{
	far->hops[0].n = far->hops[1].n = 0;
}

void lsi_far_load_free(struct lsi_far_group *far)
{
	lsi_free(far->hops[0].hop);
	lsi_free(far->hops[1].hop);
}
