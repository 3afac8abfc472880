/* The choice of the engine for operations whose root changes. */
#include <inttypes.h>

#include "call/call.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/*
 * A broadcast to more nodes than cores runs ahead by mailboxes while its root stays the same.  Few
 * light nodes use mailboxes with another root, too.
 */
static void test_roots(void)
{
	static const struct {
		enum ls_node_kind kind;
		const char *network;
		int64_t nodes;
		bool depends;
	} rows[] = {
		{ LS_NODE_FIBER, "complete:24", 24, false },
		{ LS_NODE_FIBER, "complete:25", 25, true },
		{ LS_NODE_THREAD, "complete:24", 24, true },
		{ LS_NODE_THREAD, "complete:25", 25, true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct ls_machine_options options = {
			.size = sizeof options, .rounds = LS_FREE, .node_kind = rows[i].kind
		};
		ls_topology *t = topology_of(rows[i].network);
		ls_machine *machine = machine_on(t, &options);
		const bool many = rows[i].nodes > (int64_t)machine->cores;

		guard("%" PRId64 " nodes as %s", rows[i].nodes, ls_node_kind_name(rows[i].kind));
		CHECK(lsi_engine_depends_on_root(machine, rows[i].nodes, LS_BROADCAST, 8)
				== (many && rows[i].depends),
			"%s", guarded());
		CHECK(!lsi_engine_depends_on_root(machine, rows[i].nodes, LS_REDUCE, 8), "%s", guarded());
		ls_machine_destroy(machine);
		ls_topology_destroy(t);
	}
}

int main(void)
{
	test_roots();
	return test_result();
}
