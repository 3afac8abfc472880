/*
 * The choice of the engine that executes a call.
 *
 *   mailboxes     Each node executes its own steps.  Best where nodes run ahead of each other, or
 *                 where a short message passes between two cores.
 *   cooperative   All nodes wait for each other once per call.  Best where they would switch
 *                 threads, or wait for a barrier, in every round.
 */
#include "call/call.h"
#include "machine/carrier.h"

/*
 * Bytes.  In free rounds, where each node has a core, the engine mailboxes is faster up to about
 * this size.  It is measured: there the ratio of the two times passes 1 in the output of
 *
 *   lockstep bench OPERATION -t complete:2 -m 1:64K -e mailboxes,cooperative --rounds free
 */
enum { MAILBOXES_BYTES_MAX = 16 << 10 };

/*
 * Light nodes.  If the root changes from call to call, the engine mailboxes is faster up to about
 * this number of nodes: 8 nodes take 0.7 and 48 nodes 1.4 times as long as with the engine
 * cooperative (0.5 and 0.7 times if the cores are far apart).
 */
enum { MAILBOXES_FIBERS_MAX = 24 };

const char *ls_engine_name(enum ls_engine engine)
{
	static const char *const name[] = { "auto", "mailboxes", "cooperative", "sweep" };

	return (unsigned)engine < sizeof name / sizeof *name ? name[engine] : NULL;
}

/*
 * In a rooted operation some nodes only send and others only receive; in a shift no node waits for
 * an answer.  If every message also fits into its slot, nodes run ahead of each other by the
 * capacity of the mailboxes: one switch serves several calls.
 */
static bool runs_ahead(
	const struct ls_machine *machine, int64_t nodes, enum ls_operation operation, size_t bytes)
{
	const struct ls_operation_info *o = &lsi_operations[operation];
	const size_t blocks = o->input == LS_BLOCKS || o->output == LS_BLOCKS ? (size_t)nodes : 1;

	return (lsi_operation_is_rooted(operation) || operation == LS_SHIFT)
		&& bytes <= (machine->slot_bytes - sizeof(struct lsi_slot)) / blocks;
}

struct choice {
	enum ls_engine engine;
	const char *why;
	bool runs_ahead; /* the reason is that nodes run ahead */
};

/* The first reason that applies. */
static struct choice choose(
	const struct ls_machine *machine, int64_t nodes, enum ls_operation operation, size_t bytes)
{
	const bool many = nodes > (int64_t)machine->cores;

	if (nodes == 1)
		return (struct choice){ LS_MAILBOXES, "one node", false };
	if (machine->load)
		return (struct choice){ LS_MAILBOXES, "link load is counted message by message", false };
	if (machine->options.engine != LS_AUTO)
		return (struct choice){ machine->options.engine, "set by the machine's options", false };
	if (machine->records)
		return (struct choice){ LS_MAILBOXES, "a trace shows the messages in mailboxes", false };
	if (machine->options.rounds == LS_LOCKSTEP)
		return (struct choice){ LS_COOPERATIVE, "one barrier per call instead of one per round",
			false };
	if (machine->processes && nodes == machine->nodes)
		return (struct choice){ LS_COOPERATIVE,
			"nodes in several processes: one exchange per process, not per node", false };
	if (many && runs_ahead(machine, nodes, operation, bytes))
		return (struct choice){ LS_MAILBOXES,
			"more nodes than cores, and short messages that run ahead", true };
	if (many)
		return (
			struct choice){ LS_COOPERATIVE, "more nodes than cores: one switch per node", false };
	if (bytes > MAILBOXES_BYTES_MAX)
		return (
			struct choice){ LS_COOPERATIVE, "a core for each node, and a large message", false };
	return (struct choice){ LS_MAILBOXES, "a core for each node, and a small message", false };
}

enum ls_engine lsi_engine_choose(const struct ls_machine *machine, int64_t nodes,
	enum ls_operation operation, size_t bytes, const char **why)
{
	const struct choice choice = choose(machine, nodes, operation, bytes);

	if (why)
		*why = choice.why;
	return choice.engine;
}

bool lsi_engine_depends_on_root(
	const struct ls_machine *machine, int64_t nodes, enum ls_operation operation, size_t bytes)
{
	return choose(machine, nodes, operation, bytes).runs_ahead
		&& lsi_operations[operation].from_root
		&& (!machine->carrier->shares_threads || nodes > MAILBOXES_FIBERS_MAX);
}

enum ls_engine ls_engine_for(
	const ls_machine *machine, enum ls_operation operation, size_t bytes, const char **why)
{
	if (!machine) {
		if (why)
			*why = "no machine";
		return LS_AUTO;
	}
	return lsi_engine_choose(machine, machine->nodes, operation, bytes, why);
}
