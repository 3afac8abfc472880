/*
 * A trace file on the engine sweep: its rows become a plan of the library, which the engine checks
 * and counts as any other.
 */
#include "run/run_parts.h"

#include "job/job.h"
#include "job/job_sweep.h"

#include <stdlib.h>

/* For each node of a deadlock, the node whose message it waits for, or LS_NO_RANK. */
struct waiting_nodes {
	int64_t *peer;
	int64_t round;
};

static bool waits(const void *context, int64_t rank, struct ls_wait_state *out)
{
	const struct waiting_nodes *blocked = context;
	const int64_t peer = blocked->peer[rank];
	const bool receives = peer != LS_NO_RANK;

	*out = (struct ls_wait_state){ out->size, receives ? LS_WAITS_FOR_MESSAGE : LS_WAITS_FOR_ROUND,
		peer, blocked->round, receives ? "receive" : "next_round" };
	return true;
}

/* In the round of a deadlock a node waits at its first row that is never sent. */
static struct waiting_nodes find_waiting(
	const struct ls_message *rows, size_t count, int64_t nodes, int64_t round)
{
	struct waiting_nodes blocked = { require_memory(malloc((size_t)nodes * sizeof *blocked.peer)),
		round };

	for (int64_t rank = 0; rank < nodes; rank++)
		blocked.peer[rank] = LS_NO_RANK;
	for (size_t i = 0; i < count; i++)
		if (rows[i].round == round && rows[i].unsent && blocked.peer[rows[i].dst] == LS_NO_RANK)
			blocked.peer[rows[i].dst] = rows[i].src;
	return blocked;
}

static void sweep_plan(
	const ls_plan *plan, struct output_file *trace, struct watch *watch, struct outcome *outcome)
{
	const struct query *query = outcome->query;
	const struct execution *how = outcome->how;
	struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.type = query->type,
		.workers = how->workers,
		.bind = how->bind,
		.strict = how->strict,
		.trace = trace->file ? trace_record : NULL,
		.trace_context = trace };

	outcome->status = watched_sweep(&sweep, watch, &outcome->sweep);
	outcome->measured = outcome->sweep.stats;
	outcome->error = outcome->sweep.error;
	outcome->timing = timing_one(outcome->sweep.seconds * 1e9);
}

int play_on_sweep(
	const struct ls_message *rows, size_t count, struct output_file *file, struct outcome *outcome)
{
	const struct query *query = outcome->query;
	const ls_topology *t = outcome->topology;
	const struct ls_request request = {
		.size = sizeof request, .topology = t, .mode = mode_on(query, t), .ports = query->ports
	};
	struct ls_error why = { .size = sizeof why };
	struct waiting_nodes blocked = { 0 };
	struct watch watch;
	ls_plan *plan;
	int result;

	if (ls_plan_from_messages(&request, rows, count, &plan, &why) != LS_OK)
		return print_ls_error(&why);
	outcome->sweeps = true;
	watch_begin(&watch, outcome->how, outcome->output, clock_now());
	sweep_plan(plan, file, &watch, outcome);
	if (outcome->status == LS_ERR_DEADLOCK) {
		blocked = find_waiting(rows, count, ls_topology_nodes(t), outcome->error.round);
		outcome->blocked = (struct blocked_nodes){ t, waits, &blocked };
	}
	result = report_outcome(outcome, NULL, watch.signal);
	free(blocked.peer);
	ls_plan_destroy(plan);
	return result;
}
