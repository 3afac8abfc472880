/*
 * Nodes that wait for the same kind of thing in the same round and operation make a group.
 */
#include "report/blocked_nodes.h"

#include "base/object_text.h"

#include <inttypes.h>
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

struct blocked_nodes blocked_nodes_of(const ls_machine *machine)
{
	return (struct blocked_nodes){ ls_machine_topology(machine), waits_on_machine, machine };
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
