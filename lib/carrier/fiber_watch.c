#include "carrier/fiber_watch.h"

#include "machine/verdict.h"

static const uint64_t stall_ns = 1000000000;

/*
 * A node that runs another machine waits for it.  One that prepares a collective call works in the
 * library, for all nodes of its group.
 */
static bool computes(const struct lsi_node_state *node)
{
	return node && !lsi_load(&node->awaited, relaxed) /* a hint */
		&& !lsi_load(&node->prepares_call, relaxed);  /* a hint */
}

/* Has the worker other nodes, which cannot run meanwhile? */
static bool delays_others(const struct lsi_worker *worker)
{
	return worker->end - worker->first > 1;
}

/*
 * Report a worker that has run one node for a second.  Report it again only after a switch.  The
 * time in which it sleeps, or waits for another machine, does not count.
 */
static void watch_worker(struct lsi_worker *worker, uint64_t now)
{
	const struct ls_machine_options *options = &worker->machine->options;
	const uint64_t switches = lsi_load(&worker->switches, relaxed);          /* a hint */
	const struct lsi_node_state *node = lsi_load(&worker->current, relaxed); /* a hint */
	const bool sleeps = lsi_load(&worker->parking.word, relaxed);            /* a hint */

	if (!worker->watched_since || switches != worker->watched_switches || sleeps
		|| !computes(node)) {
		worker->watched_since = now;
		worker->watched_switches = switches;
		worker->reported = false;
	} else if (!worker->reported && now - worker->watched_since >= stall_ns && delays_others(worker)
		&& !lsi_load(&worker->finished, relaxed)) { /* a hint */
		worker->reported = true;
		if (options->stalled)
			options->stalled(options->stalled_context, node->rank);
	}
}

void lsi_fiber_watch(struct ls_machine *machine, uint64_t now)
{
	const bool fails = lsi_load(&machine->state, relaxed) == LSI_FAILING; /* a hint */

	if (!fails)
		machine->failing_since = 0;
	else if (!machine->failing_since)
		machine->failing_since = now;
	else if (now - machine->failing_since >= lsi_verdict_wait_ns(machine))
		lsi_decide_early(machine); /* once: the nodes may recover */
	for (uint32_t i = 0; i < machine->workers; i++)
		watch_worker(&machine->worker[i], now);
}
