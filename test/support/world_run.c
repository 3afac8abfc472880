#include "support/world_run.h"

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct world_run cooperative_run(
	const char *spec, enum ls_rounds rounds, int (*program)(ls_node *, void *), void *arg)
{
	return (struct world_run){ .processes = 1,
		.seed = 1,
		.spec = spec,
		.options = { .rounds = rounds, .node_kind = node_kind(), .engine = LS_COOPERATIVE },
		.program = program,
		.arg = arg };
}

struct world_outcome world_run_in(struct network *network, const struct world_run *run)
{
	ls_topology *t = topology_of(run->spec);
	struct ls_machine_options options = run->options;
	struct world_outcome outcome;
	struct spread s;

	options.size = sizeof options;
	spread_open_in(&s, run->processes, network);
	s.before = run->before;
	s.after = run->after;
	if (spread_make(&s, t, &options) != LS_OK)
		exit(1);
	for (int i = 0; i == 0 || i < run->runs; i++)
		spread_run(&s, run->program, run->arg);
	outcome = (struct world_outcome){ s.status[0], s.error[0], s.stats[0] };
	spread_destroy(&s);
	ls_topology_destroy(t);
	return outcome;
}

struct world_outcome world_run(const struct world_run *run)
{
	struct network *network = run->processes > 1 ? network_make(run->processes, run->seed) : NULL;
	const struct world_outcome outcome = world_run_in(network, run);

	if (network)
		network_destroy(network);
	return outcome;
}
