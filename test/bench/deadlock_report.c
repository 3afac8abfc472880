/*
 * A deadlock: all nodes of a network receive and none sends.  Columns: network, round mode, and
 * milliseconds from the last wait until every node has its error, and until ls_run returns.
 */
#include <inttypes.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct times {
	double *entered, *ended; /* of each node */
};

static int receive_all(ls_node *me, void *arg)
{
	const struct times *times = arg;
	const int64_t rank = ls_rank(me), peer = ls_neighbor(ls_node_topology(me), rank, 0);
	int64_t word;
	int status;

	times->entered[rank] = seconds();
	status = ls_receive(me, peer, &word, sizeof word);
	times->ended[rank] = seconds();
	return status;
}

static double latest(const double *time, int64_t n)
{
	double last = time[0];

	for (int64_t i = 1; i < n; i++)
		last = time[i] > last ? time[i] : last;
	return last;
}

static void measure(const char *spec, enum ls_rounds rounds)
{
	ls_topology *t = topology_of(spec);
	const int64_t nodes = ls_topology_nodes(t);
	const struct ls_machine_options options = { .size = sizeof options, .rounds = rounds };
	ls_machine *machine = machine_on(t, &options);
	struct times times = { memory((size_t)nodes, sizeof(double)),
		memory((size_t)nodes, sizeof(double)) };

	guard("deadlock of %s", spec);
	const int status = ls_run(machine, receive_all, &times);
	const double returned = seconds(), last_wait = latest(times.entered, nodes);

	CHECK(status == LS_ERR_DEADLOCK, "%s: %s", spec, ls_status_name(status));
	printf("%-12s %-8s %8.2f %8.2f\n", spec, rounds == LS_FREE ? "free" : "lockstep",
		1e3 * (latest(times.ended, nodes) - last_wait), 1e3 * (returned - last_wait));
	free(times.entered);
	free(times.ended);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const specs[] = { "complete:2", "hypercube:7", "star:7" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		measure(specs[i], LS_LOCKSTEP);
		measure(specs[i], LS_FREE);
	}
	return test_result();
}
