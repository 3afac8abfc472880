#include "support/pair_messages.h"

#include <stdlib.h>
#include <string.h>

#include <lockstep/trace.h>
#include <lockstep/world.h>

#include "plan/plan_internal.h"
#include "support/guard.h"
#include "test.h"
#include "world/transport.h"

enum { FINGERPRINT = 8 }; /* bytes with each message */

struct tally {
	const ls_topology *topology;
	int processes;
	size_t size;
	int64_t round;
	struct pair_messages count;
	size_t *bytes; /* of each pair in this round */
};

static int process_of(const struct tally *t, int64_t rank)
{
	int process = t->processes - 1;

	while (ls_first_rank(t->topology, t->processes, process) > rank)
		process--;
	return process;
}

static void end_round(struct tally *t)
{
	const size_t pairs = (size_t)t->processes * (size_t)t->processes;
	const int64_t before = t->count.messages;

	for (size_t i = 0; i < pairs; i++)
		t->count.messages += (int64_t)((t->bytes[i] + LSI_MESSAGE_BYTES - 1) / LSI_MESSAGE_BYTES);
	t->count.rounds += t->count.messages > before;
	memset(t->bytes, 0, pairs * sizeof *t->bytes);
}

static int add(void *context, const struct ls_record *record)
{
	struct tally *t = context;
	const int from = process_of(t, record->src), to = process_of(t, record->dst);

	if (record->round != t->round)
		end_round(t);
	t->round = record->round;
	if (from != to)
		t->bytes[from * t->processes + to] += record->words * t->size + FINGERPRINT;
	return 0;
}

struct pair_messages count_pair_messages(
	const ls_plan *plan, size_t count, size_t size, int processes)
{
	struct tally t = { .topology = plan->problem.topology,
		.processes = processes,
		.size = size,
		.bytes = memory((size_t)processes * (size_t)processes, sizeof *t.bytes) };

	CHECK(ls_trace_plan(plan, count, add, &t) == 0, "%s: no messages", guarded());
	end_round(&t);
	free(t.bytes);
	return t.count;
}

int64_t edge_messages_most(const ls_plan *plan, uint64_t order, int processes)
{
	const bool has_edges = order == 0 && lsi_whole_machine_of(plan->algorithm)->tree;

	return has_edges ? 2 * (int64_t)processes * (processes - 1) : 0;
}
