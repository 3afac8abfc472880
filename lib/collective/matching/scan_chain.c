/*
 * Scan and exscan of long vectors, on any network without switches: every block moves from rank to
 * rank, and the blocks follow each other.
 *
 * Rank i sends its prefix to rank i + 1 along a path of the network.  Other nodes on the path pass
 * blocks on.  The paths are chosen such that the busiest port has few hops; hops recur after L
 * rounds (periodic.h), where L is at least the number of these.
 *
 *   rounds     at most T + L (B - 1); T rounds for the first block, at least p - 1
 *   traffic    h B messages of m / B elements; h hops, at least p - 1
 *   cost       rounds (t_s + t_w m / B)
 *   memory     blocks on their way; 8 L p bytes with the topology; 8 (T + L B) with the plan, where
 *              L B is at most 2^22
 *   requires   hop mode, at most 256 nodes
 *   source     this project
 */
#include "base/alloc.h"
#include "collective/matching/chain_paths.h"
#include "collective/prefix.h"
#include "collective/round_bound.h"

static bool supports(const struct lsi_problem *problem)
{
	return problem->mode == LS_HOP && problem->nodes <= LSI_CHAIN_NODES
		&& lsi_topology_is_direct(problem->topology);
}

/* ---- Waiting blocks */

/* Slots in which the blocks of a hop wait at its receiver: block b in slot first + b mod count. */
struct waiting {
	int64_t first, count; /* 0: they do not wait */
};

struct table {
	struct lsi_periodic_table common;
	const struct lsi_chain_paths *paths;
	struct waiting waiting[]; /* per hop */
};

/* Whether a hop ends at the rank that adds to the prefix; hop h + 1 begins there. */
static bool is_last(const struct table *table, int64_t h)
{
	return table->paths->hop[h].to == table->paths->hop[h].rank + 1;
}

/*
 * Where the prefix is OUTPUT, only blocks on their way wait.  A slot is written again after the
 * round in which its block leaves.
 */
static int64_t assign_slots(const struct ls_plan *plan, int64_t *used)
{
	struct table *const table = plan->table;
	const struct lsi_periodic *const s = table->common.schedule;
	int64_t most = 0;

	for (int64_t h = 0; h + 1 < s->hops; h++) {
		const int64_t at = s->hop[h].to, apart = s->hop[h + 1].start - s->hop[h].start;
		const int64_t need = apart / s->period + 1, B = plan->frame.blocks;

		if (is_last(table, h) && plan->problem.operation == LS_SCAN)
			continue;
		table->waiting[h] = (struct waiting){ used[at], need < B ? need : B };
		used[at] += table->waiting[h].count;
		most = most < used[at] ? used[at] : most;
	}
	return most;
}

static struct ls_slice slot_of(const struct ls_plan *plan, int64_t hop, int64_t block)
{
	const struct waiting w = ((const struct table *)plan->table)->waiting[hop];

	return lsi_block(LS_SCRATCH, block * plan->frame.scratch[0].slots + w.first + block % w.count);
}

/* ---- The plan */

static int64_t blocks_of(const struct lsi_problem *problem)
{
	const int64_t segments = problem->segments;

	return lsi_periodic_blocks(lsi_chain_schedule(problem->topology, segments), segments);
}

/* prepare() adds the rounds and the slots. */
static struct lsi_frame frame(const struct lsi_problem *problem)
{
	const int64_t blocks = blocks_of(problem);

	return (struct lsi_frame){
		.blocks = blocks,
		.has_prologue = true,
		.out_of_memory = blocks == 0,
	};
}

static int prepare(struct ls_plan *plan)
{
	const struct ls_topology *const t = plan->problem.topology;
	const struct lsi_chain_paths *const paths = lsi_chain_paths_of(t);
	const size_t hops = paths ? (size_t)paths->hops : 0;
	struct table *const table = lsi_alloc_zero(1, sizeof *table + hops * sizeof *table->waiting);
	int64_t *const used = lsi_alloc_zero((size_t)t->nodes, sizeof *used);
	int status = LS_ERR_MEMORY;

	plan->table = table;
	if (paths && table && used)
		status = lsi_periodic_prepare(plan, lsi_chain_schedule(t, plan->frame.blocks));
	if (status == LS_OK) {
		int64_t slots;

		table->paths = paths;
		slots = assign_slots(plan, used);
		plan->frame.scratch[0] = (struct lsi_scratch){ slots, slots };
	}
	lsi_free(used);
	return status;
}

/* What a node sends over a hop: a block on its way, or one of its prefix. */
static struct ls_slice sent(const struct ls_plan *plan, int64_t hop, int64_t block)
{
	const struct table *const table = plan->table;

	if (hop == 0)
		return lsi_block(LS_INPUT, block);
	if (is_last(table, hop - 1) && plan->problem.operation == LS_SCAN)
		return lsi_block(LS_OUTPUT, block);
	return slot_of(plan, hop - 1, block);
}

/* The prefix of the lower ranks has arrived. */
static void add(const struct ls_plan *plan, int64_t hop, int64_t block, struct ls_step *step)
{
	const struct table *const table = plan->table;
	const struct ls_slice input = lsi_block(LS_INPUT, block);

	if (plan->problem.operation == LS_EXSCAN && hop + 1 < table->common.schedule->hops)
		lsi_step_combine(step, slot_of(plan, hop, block), lsi_arrival(step), input);
	lsi_prefix_combine(&plan->problem, block, false, lsi_arrival(step), step);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const struct table *const table = plan->table;
	int64_t block, hop;

	if (round < 0) {
		if (rank == 0)
			lsi_prefix_first(&plan->problem, plan->frame.blocks, step);
		return;
	}
	hop = lsi_periodic_at(plan, LSI_HOP_SENT, rank, round, &block);
	if (hop >= 0)
		lsi_step_send(step, sent(plan, hop, block));
	hop = lsi_periodic_at(plan, LSI_HOP_RECEIVED, rank, round, &block);
	if (hop < 0)
		return;
	lsi_step_receive(step, 1);
	if (is_last(table, hop))
		add(plan, hop, block, step);
	else
		lsi_step_copy(step, slot_of(plan, hop, block), lsi_arrival(step));
}

static struct ls_counts predict(const struct lsi_problem *problem, size_t n)
{
	const int64_t blocks = blocks_of(problem);
	const struct lsi_periodic *const s =
		blocks > 0 ? lsi_chain_schedule(problem->topology, blocks) : NULL;

	return lsi_periodic_counts(s, blocks, n);
}

/* The first block crosses p - 1 links at least. */
static struct ls_counts predict_least(const struct lsi_problem *problem, size_t n)
{
	return (struct ls_counts){ problem->nodes - 1, 0, 0, (int64_t)n };
}

const struct lsi_algorithm lsi_scan_chain = {
	.operations = LSI_PREFIXES,
	.name = "chain",
	.networks = "any network without switches, in hop mode",
	.rounds = "at most T + L (B - 1); T rounds for a block, L hops of the busiest port or more",
	.bound = LSI_ROUND_BOUND,
	.source = "this project",
	.claim = LS_ORDERED,
	.general = true,
	.supports = supports,
	.frame = frame,
	.prepare = prepare,
	.release = lsi_periodic_release,
	.peers = lsi_periodic_peers,
	.body = body,
	.predict = predict,
	.predict_least = predict_least,
	.lower_bound = lsi_round_lower_bound,
};
