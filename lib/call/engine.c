/*
 * Which engine executes a call.
 */
#include "call/call.h"

/*
 * In free rounds with a core for each node, a message through a mailbox costs less than an assembly
 * up to about so many bytes: lockstep bench OPERATION -t complete:2 -m 1:64K -e threads,cooperative
 * --rounds free, where the ratio passes 1.
 */
enum { MAILBOX_BEST = 16 << 10 };

const char *ls_engine_name(enum ls_engine engine)
{
	static const char *const name[] = { "auto", "threads", "cooperative", "sweep" };

	return (unsigned)engine < sizeof name / sizeof *name ? name[engine] : NULL;
}

/*
 * Where some nodes only send and others only receive, and no message is longer than a slot, nodes run
 * ahead of each other by the mailboxes' capacity: one switch of a core serves several calls.
 */
static bool runs_ahead(
	const struct ls_machine *machine, int64_t nodes, enum ls_operation operation, size_t bytes)
{
	const struct ls_operation_info *o = &ls_operations[operation];
	const size_t blocks = o->input == LS_BLOCKS || o->output == LS_BLOCKS ? (size_t)nodes : 1;

	return (ls_operation_is_rooted(operation) || operation == LS_SHIFT)
		&& bytes <= (machine->slot_bytes - sizeof(struct ls_slot)) / blocks;
}

static const char ahead[] = "more nodes than cores, and short messages that run ahead";

enum ls_engine ls_engine_choose(const struct ls_machine *machine, int64_t nodes,
	enum ls_operation operation, size_t bytes, const char **why)
{
	const char *unheard;
	const char **text = why ? why : &unheard;

	if (nodes == 1)
		return *text = "one node", LS_THREADS;
	if (machine->load)
		return *text = "link load is counted message by message", LS_THREADS;
	if (machine->options.engine != LS_AUTO)
		return *text = "asked for", machine->options.engine;
	if (machine->records)
		return *text = "a trace shows what passes the mailboxes", LS_THREADS;
	if (machine->options.rounds == LS_LOCKSTEP)
		return *text = "one assembly in place of a barrier a round", LS_COOPERATIVE;
	if (nodes > (int64_t)machine->seats && runs_ahead(machine, nodes, operation, bytes))
		return *text = ahead, LS_THREADS;
	if (nodes > (int64_t)machine->seats)
		return *text = "more nodes than cores: one switch a node", LS_COOPERATIVE;
	if (bytes > MAILBOX_BEST)
		return *text = "a core for each node, and a large message", LS_COOPERATIVE;
	return *text = "a core for each node, and a small message", LS_THREADS;
}

bool ls_engine_follows_root(
	const struct ls_machine *machine, int64_t nodes, enum ls_operation operation, size_t bytes)
{
	const char *why;

	ls_engine_choose(machine, nodes, operation, bytes, &why);
	return why == ahead && ls_operations[operation].from_root;
}

enum ls_engine ls_engine_for(
	const ls_machine *machine, enum ls_operation operation, size_t bytes, const char **why)
{
	return ls_engine_choose(machine, machine->nodes, operation, bytes, why);
}
