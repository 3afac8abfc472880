/*
 * Nodes that wait for the same kind of thing in the same round and operation make a group.
 */
#include "report/blocked_nodes.h"

#include "base/messages.h"
#include "base/object_text.h"
#include "base/processes.h"
#include "base/shared_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 16, SHOWN = 4 };

struct blocked_group {
	struct ls_wait_state waiting;
	int64_t nodes;
	int64_t node[SHOWN], peer[SHOWN];
};

struct blocked_groups {
	struct blocked_group group[GROUPS];
	int groups;
	int64_t waiting, further; /* nodes; of these, in groups beyond GROUPS */
};

static bool waits_alike(const struct ls_wait_state *a, const struct ls_wait_state *b)
{
	return a->reason == b->reason && a->round == b->round
		&& strcmp(a->operation ? a->operation : "", b->operation ? b->operation : "") == 0;
}

static void add_node(struct blocked_groups *all, int64_t rank, const struct ls_wait_state *waiting)
{
	int i = 0;

	all->waiting++;
	while (i < all->groups && !waits_alike(&all->group[i].waiting, waiting))
		i++;
	if (i == GROUPS) {
		all->further++;
		return;
	}
	if (i == all->groups)
		all->group[all->groups++] = (struct blocked_group){ .waiting = *waiting };

	struct blocked_group *group = &all->group[i];

	if (group->nodes < SHOWN) {
		group->node[group->nodes] = rank;
		group->peer[group->nodes] = waiting->peer;
	}
	group->nodes++;
}

static bool waits_on_machine(const void *machine, int64_t rank, struct ls_wait_state *out)
{
	return ls_blocked_on(machine, rank, out);
}

/* The state of a node, as a process hands it over; it has no pointers. */
struct reported_state {
	bool waits, in_operation;
	enum ls_wait_reason reason;
	int64_t peer, round;
	char operation[24];
};

static struct reported_state state_on(const ls_machine *machine, int64_t rank)
{
	struct ls_wait_state waiting = { .size = sizeof waiting };
	struct reported_state state = { .waits = ls_blocked_on(machine, rank, &waiting) };

	if (!state.waits)
		return state;
	state.reason = waiting.reason;
	state.peer = waiting.peer;
	state.round = waiting.round;
	state.in_operation = waiting.operation != NULL;
	snprintf(
		state.operation, sizeof state.operation, "%s", waiting.operation ? waiting.operation : "");
	return state;
}

static bool waits_as_reported(const void *states, int64_t rank, struct ls_wait_state *out)
{
	const struct reported_state *state = (const struct reported_state *)states + rank;

	if (state->waits)
		*out = (struct ls_wait_state){ out->size, state->reason, state->peer, state->round,
			state->in_operation ? state->operation : NULL };
	return state->waits;
}

/* The states of all nodes at process 0, those of the local ones elsewhere. */
static struct reported_state *collect_states(const ls_machine *machine)
{
	const ls_topology *topology = ls_machine_topology(machine);
	const struct local_ranks local = local_ranks_of(topology);
	struct reported_state *states =
		require_memory(calloc((size_t)ls_topology_nodes(topology), sizeof *states));

	for (int64_t rank = local.first; rank < local.end; rank++)
		states[rank] = state_on(machine, rank);
	for (int i = 1; i < processes_here()->count; i++) {
		const struct local_ranks ranks = ranks_of_process(topology, i);

		if ((processes_is_first() || processes_here()->number == i) && ranks.end > ranks.first)
			fetch_bytes(
				i, states + ranks.first, (size_t)(ranks.end - ranks.first) * sizeof *states);
	}
	return states;
}

struct blocked_nodes blocked_nodes_of(const ls_machine *machine)
{
	static struct reported_state *states; /* of the last machine that failed */

	if (!shared_world())
		return (struct blocked_nodes){ ls_machine_topology(machine), waits_on_machine, machine };
	free(states);
	states = collect_states(machine);
	return (struct blocked_nodes){ ls_machine_topology(machine), waits_as_reported, states };
}

static struct blocked_groups group_nodes(struct blocked_nodes who)
{
	const int64_t nodes = who.topology ? ls_topology_nodes(who.topology) : 0;
	struct blocked_groups all = { 0 };

	for (int64_t rank = 0; rank < nodes; rank++) {
		struct ls_wait_state waiting = { .size = sizeof waiting };

		if (who.waits(who.context, rank, &waiting))
			add_node(&all, rank, &waiting);
	}
	return all;
}

static int shown(const struct blocked_group *group)
{
	return group->nodes < SHOWN ? (int)group->nodes : SHOWN;
}

static void print_members(
	const ls_topology *topology, const struct blocked_group *group, FILE *file)
{
	char node[300], peer[300];

	for (int i = 0; i < shown(group); i++) {
		node_text(topology, group->node[i], node, sizeof node);
		fprintf(file, "%s %s", i ? "," : ":", node);
		if (group->peer[i] != LS_NO_RANK) {
			node_text(topology, group->peer[i], peer, sizeof peer);
			fprintf(file, " for %s", peer);
		}
	}
	if (group->nodes > SHOWN)
		fprintf(file, ", ... %" PRId64 " more", group->nodes - SHOWN);
}

void print_blocked_nodes(struct blocked_nodes who, FILE *file)
{
	static const char *const waits_for[] = {
		[LS_WAITS_FOR_MESSAGE] = "a message",
		[LS_WAITS_FOR_SPACE] = "room in a mailbox",
		[LS_WAITS_FOR_READER] = "the reader of a message",
		[LS_WAITS_FOR_ROUND] = "the end of the round",
		[LS_WAITS_FOR_ATTACH] = "all nodes to attach",
	};
	const struct blocked_groups all = group_nodes(who);

	if (all.waiting == 0)
		return;
	fprintf(file, "blocked nodes: %" PRId64 " of %" PRId64 " nodes wait\n", all.waiting,
		ls_topology_nodes(who.topology));
	for (int i = 0; i < all.groups; i++) {
		const struct blocked_group *group = &all.group[i];

		fprintf(file, "  round %" PRId64 "%s%s: %" PRId64 " %s for %s", group->waiting.round,
			group->waiting.operation ? ", " : "",
			group->waiting.operation ? group->waiting.operation : "", group->nodes,
			group->nodes == 1 ? "node waits" : "nodes wait", waits_for[group->waiting.reason]);
		print_members(who.topology, group, file);
		fputc('\n', file);
	}
	if (all.further > 0)
		fprintf(file, "  and %" PRId64 " nodes in other rounds and operations\n", all.further);
}

void blocked_nodes_json(struct blocked_nodes who, struct json *json, const char *name)
{
	static const char *const waits_for[] = {
		[LS_WAITS_FOR_MESSAGE] = "message",
		[LS_WAITS_FOR_SPACE] = "space",
		[LS_WAITS_FOR_READER] = "reader",
		[LS_WAITS_FOR_ROUND] = "round",
		[LS_WAITS_FOR_ATTACH] = "attach",
	};
	const struct blocked_groups all = group_nodes(who);

	json_array(json, name);
	for (int i = 0; i < all.groups; i++) {
		const struct blocked_group *group = &all.group[i];

		json_object(json, NULL);
		json_text(json, "waits_for", waits_for[group->waiting.reason]);
		json_int(json, "round", group->waiting.round);
		json_text(json, "operation", group->waiting.operation);
		json_int(json, "nodes", group->nodes);
		json_array(json, "first");
		for (int k = 0; k < shown(group); k++) {
			json_object(json, NULL);
			json_int(json, "node", group->node[k]);
			json_int(json, "peer", group->peer[k]);
			json_end(json);
		}
		json_end(json);
		json_end(json);
	}
	json_end(json);
}
