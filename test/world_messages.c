/*
 * The messages between the processes of a sweep.  In each step, a pair of processes exchanges one
 * message of the transport in each direction, or at most two for every LSI_MESSAGE_BYTES.  They may
 * arrive in another order than that of their senders, and one process alone may trace them.
 *
 * A sweep takes the fast path with order 0, and else the reference path.
 */
/* alone: beside others its processes wait for cores */
#include <inttypes.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/pair_messages.h"
#include "support/world_sweep.h"
#include "test.h"

enum { MOST_PROCESSES = 13 };

/* ---- An all-reduce of ranks */

struct sum {
	ls_topology *topology;
	ls_plan *plan;
	struct ls_sweep sweep;
};

static void put_ranks(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank + (int64_t)(first + i);
}

static int take_sum(void *context, int64_t rank, const void *result)
{
	const struct ls_sweep *sweep = context;
	const int64_t p = ls_plan_nodes(sweep->plan), *sum = result;
	size_t i = 0;

	while (i < sweep->count && sum[i] == p * (p - 1) / 2 + p * (int64_t)i)
		i++;
	CHECK(i == sweep->count, "%s: element %zu of node %" PRId64, guarded(), i, rank);
	return 0;
}

static struct sum *sum_make(const char *spec, const char *algorithm, size_t count, int workers)
{
	struct sum *s = memory(1, sizeof *s);
	struct ls_request request = { .size = sizeof request,
		.operation = LS_ALLREDUCE,
		.algorithm = algorithm,
		.type = LS_INT64,
		.count = count };

	request.topology = s->topology = topology_of(spec);
	s->plan = plan_for(&request);
	s->sweep = (struct ls_sweep){ .size = sizeof s->sweep,
		.plan = s->plan,
		.count = count,
		.type = LS_INT64,
		.make = put_ranks,
		.take = take_sum,
		.context = &s->sweep,
		.workers = workers };
	return s;
}

static void sum_destroy(struct sum *s)
{
	ls_plan_destroy(s->plan);
	ls_topology_destroy(s->topology);
	free(s);
}

/* ---- How many */

/* Of the transport; those of the meetings are subtracted. */
static int64_t messages_of(const struct network_counts *counts, int processes)
{
	CHECK(counts->longest <= LSI_MESSAGE_BYTES, "%s: a message of %zu bytes", guarded(),
		counts->longest);
	return counts->messages - MEETING_MESSAGES * (int64_t)(processes - 1);
}

/* Of a pair with `blocks` blocks: as many whole ones pass at a time as a message can hold. */
static int64_t pieces_of(int64_t blocks, int64_t bytes)
{
	const int64_t together = bytes < LSI_MESSAGE_BYTES ? LSI_MESSAGE_BYTES / bytes : 1;
	int64_t sum = 0;

	for (; blocks > 0; blocks -= together) {
		const int64_t n = blocks < together ? blocks : together;

		sum += (n * bytes + LSI_MESSAGE_BYTES - 1) / LSI_MESSAGE_BYTES;
	}
	return sum;
}

/*
 * Doubling: in the last q rounds of a hypercube, every node sends to another of 2^q processes, all
 * nodes of a process to the same.
 */
static void test_doubling(const char *spec, size_t count, int processes, int rounds)
{
	struct sum *s = sum_make(spec, "doubling", count, 1);
	const int64_t p = ls_topology_nodes(s->topology), each = p / processes;
	const int64_t pieces = pieces_of(each, ((int64_t)count + 1) * 8);
	struct network_counts counts;
	struct ls_sweep_result out;

	guard("%s, %zu elements, %d processes", spec, count, processes);
	out = sweep_in_processes(processes, 3, &s->sweep, &counts);
	CHECK(out.error.kind == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
	CHECK(out.crossing_messages == p * rounds
			&& out.crossing_bytes == p * rounds * (int64_t)count * 8
			&& out.crossing_rounds == rounds,
		"%s: %" PRId64 " messages cross", guarded(), out.crossing_messages);
	CHECK(messages_of(&counts, processes) == processes * rounds * pieces,
		"%s: %" PRId64 " messages of the transport", guarded(), counts.messages);
	sum_destroy(s);
}

static void test_number(const char *spec, const char *algorithm, size_t count, uint64_t order)
{
	struct sum *s = sum_make(spec, algorithm, count, 2);

	s->sweep.order = order;
	for (int processes = 2; processes <= MOST_PROCESSES; processes++) {
		const int64_t least =
			count_pair_messages(s->plan, count, sizeof(int64_t), processes).messages;
		const int64_t edges = edge_messages_most(s->plan, order, processes);
		struct network_counts counts;
		struct ls_sweep_result out;
		int64_t messages;

		guard("%s %s, %zu elements, order %d, %d processes", spec, algorithm, count, (int)order,
			processes);
		out = sweep_in_processes(processes, (uint64_t)processes, &s->sweep, &counts);
		messages = messages_of(&counts, processes);
		CHECK(out.error.kind == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
		CHECK(least > 0 && messages >= least && messages <= 2 * least + edges,
			"%s: %" PRId64 " messages of the transport for %" PRId64, guarded(), messages, least);
	}
	sum_destroy(s);
}

/* One message for each pair and step, and several. */
static void test_numbers(void)
{
	static const struct {
		const char *spec, *algorithm;
		size_t count, long_count;
	} networks[] = { { "star:5", "paper", 1, 1 << 14 }, { "hypercube:6", "doubling", 3, 1 << 15 },
		{ "ring:12", "spanning-tree", 2, 1 << 18 }, { "mesh:4x5", "spanning-tree", 1, 1 << 17 },
		{ "star:4", "matching", 5, 1 << 16 } };

	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		for (uint64_t order = 0; order < 2; order++) {
			test_number(networks[i].spec, networks[i].algorithm, networks[i].count, order);
			if (!is_fast() || i < 2)
				test_number(networks[i].spec, networks[i].algorithm, networks[i].long_count, order);
		}
	}
	test_doubling("hypercube:8", 1, 2, 1);
	test_doubling("hypercube:8", 3, 4, 2);
	test_doubling("hypercube:8", 1 << 14, 2, 1);
	test_doubling("hypercube:2", 1 << 18, 2, 1);
	test_doubling("hypercube:2", 1 << 20, 2, 1);
	test_doubling("hypercube:2", 1 << 20, 4, 2); /* a block exceeds a chunk */
}

/* ---- Their order */

/*
 * On a star, messages from another process do not arrive in the order of their senders.  With a
 * worker for each node, no worker alone sees that.
 */
static void test_order(const char *spec, int processes, int workers)
{
	struct sum *s = sum_make(spec, "paper", 1, workers);
	struct ls_sweep_result out;

	guard("%s, %d processes, %d workers", spec, processes, workers);
	out = sweep_in_processes(processes, 5, &s->sweep, NULL);
	CHECK(out.error.kind == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
	sum_destroy(s);
}

/* ---- A trace in one process */

static void count_message(void *context, const struct ls_record *message)
{
	(void)message;
	++*(int64_t *)context;
}

static int64_t traced;

static void trace_in_first(int process, struct ls_sweep *sweep)
{
	sweep->trace = process == 0 ? count_message : NULL;
	sweep->trace_context = &traced;
}

/* All processes execute the same stages, whoever traces. */
static void test_trace(void)
{
	struct sum *s = sum_make("hypercube:8", NULL, 1, 2);
	struct network *network = network_make(3, 9);
	const struct ls_sweep_result out = sweep_in_network(network, 3, &s->sweep, trace_in_first);

	CHECK(out.error.kind == LS_OK && out.proved && traced == out.stats.messages,
		"%s, %" PRId64 " messages traced", out.error.text, traced);
	network_destroy(network);
	sum_destroy(s);
}

int main(void)
{
	const bool few = is_thin() || is_fast();

	test_numbers();
	test_trace();
	for (int processes = 2; processes < 6; processes++) {
		test_order("star:4", processes, 24);
		test_order(few ? "star:5" : "star:7", processes, processes % 3 + 1);
	}
	return test_result();
}
