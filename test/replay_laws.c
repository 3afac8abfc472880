/*
 * Plans give right results on data, by a second interpreter that shares no code with the one that
 * proves the laws.
 *
 * Elements are strings of ranks and the operator joins them, so that nothing commutes, vanishes
 * or goes unnoticed.  Nodes read their peers' memory instead of messages, in two kinds of
 * schedule:
 *
 *   rounds   all nodes do a step, in random order, before any does the next;
 *   free     a node runs ahead as far as its messages and the waits of law 8 let it.
 *
 * Elements run through the whole plan in strips, in random order.
 */
/* variants: release checked asan chaos */
/* nodes: threads fibers */
#include <inttypes.h>
#include <string.h>

#include "plan/zero_copy_waits.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "replay_machine.h"
#include "test.h"
/* ---- What must come out */

/*
 * What an element of OUTPUT is made of: contributions of `count` ranks from `first` to one place in
 * INPUT.
 */
struct truth {
	int64_t first, count;
	size_t element;
};

static struct truth truth_of(const struct lsi_problem *p, int64_t node, size_t i, size_t n)
{
	const size_t mine = (size_t)node * n;

	switch (p->operation) {
	case LS_BROADCAST:
		return (struct truth){ p->root, 1, i };
	case LS_SCAN:
		return (struct truth){ 0, node + 1, i };
	case LS_EXSCAN:
		return (struct truth){ 0, node, i };
	case LS_ALLGATHER:
	case LS_GATHER:
		return (struct truth){ (int64_t)(i / n), 1, i % n };
	case LS_REDUCE_SCATTER:
		return (struct truth){ 0, p->nodes, mine + i };
	case LS_SCATTER:
		return (struct truth){ p->root, 1, mine + i };
	case LS_ALLTOALL:
		return (struct truth){ (int64_t)(i / n), 1, mine + i % n };
	case LS_SHIFT:
		return (struct truth){ (node - p->shift + p->nodes) % p->nodes, 1, i };
	default:
		return (struct truth){ 0, p->nodes, i };
	}
}

static bool is_right(
	const struct cell *cell, int64_t node, size_t i, size_t n, const struct word *word)
{
	const struct truth truth = truth_of(&cell->problem, node, i, n);
	int64_t times[RANKS_MAX] = { 0 };

	if (truth.count == 0) /* exscan at rank 0: as it was */
		return cell->problem.in_place ? word->length == 1 && word->rank[0] == node
									  : word->length < 0;
	if (word->length < 0 || word->element != (int32_t)truth.element)
		return false;
	for (int k = 0; k < word->length; k++) {
		times[word->rank[k]]++;
		if (cell->algorithm->claim == LS_ORDERED && word->rank[k] != truth.first + k)
			return false;
	}
	for (int64_t r = 0; r < cell->problem.nodes; r++) {
		const bool wanted = r >= truth.first && r < truth.first + truth.count;

		if (wanted ? times[r] < 1 : times[r] > 0)
			return false;
		if (times[r] > 1 && cell->algorithm->claim != LS_IDEMPOTENT)
			return false;
	}
	return true;
}

/* ---- Machines */

/* In place: which buffer is part of the other, and from which of its blocks on. */
static void share(struct machine *m, int64_t node)
{
	const struct lsi_problem *p = &m->plan->problem;
	struct word **buffer = m->buffer + node * LS_BUFFERS;
	const bool is_root = node == p->root;

	switch (p->operation) {
	case LS_GATHER:
	case LS_ALLGATHER:
		if (is_root || p->operation == LS_ALLGATHER)
			buffer[LS_INPUT] = buffer[LS_OUTPUT] + (size_t)node * m->n;
		break;
	case LS_SCATTER:
	case LS_REDUCE_SCATTER:
		if (is_root || p->operation == LS_REDUCE_SCATTER)
			buffer[LS_OUTPUT] = buffer[LS_INPUT] + (size_t)node * m->n;
		break;
	default:
		buffer[LS_OUTPUT] = buffer[LS_INPUT];
	}
}

static struct machine machine_of(const struct ls_plan *plan, size_t n)
{
	const int64_t p = ls_plan_nodes(plan), steps = ls_plan_steps(plan);
	const struct lsi_measure measure = { .n = n };
	struct machine m = { .plan = plan, .nodes = p, .steps = steps, .n = n };

	m.buffer = memory((size_t)(p * LS_BUFFERS), sizeof *m.buffer);
	m.owned = memory((size_t)(p * LS_BUFFERS), sizeof *m.owned);
	m.waits = memory((size_t)(p * steps), sizeof *m.waits);
	m.done = memory((size_t)p, sizeof *m.done);
	for (int64_t u = 0; u < p; u++) {
		if (lsi_plan_zero_copy_waits(plan, u, m.waits + u * steps) != LS_OK)
			exit(1);
		for (int b = 0; b < LS_BUFFERS; b++) {
			if (b >= LS_ARRIVAL && b < LS_SCRATCH)
				continue;
			m.buffer[u * LS_BUFFERS + b] = m.owned[u * LS_BUFFERS + b] =
				memory(lsi_buffer_size(plan, u, b, &measure), sizeof(struct word));
		}
		if (plan->problem.in_place)
			share(&m, u);
	}
	return m;
}

/* INPUT as the operation defines it, and nothing elsewhere. */
static void fill(struct machine *m)
{
	const struct lsi_measure measure = { .n = m->n };

	m->broken = false;
	for (int64_t u = 0; u < m->nodes; u++) {
		for (int b = LS_BUFFERS - 1; b >= 0; b--) {
			struct word *words = buffer_of(m, u, b);
			const bool defined = b == LS_INPUT && lsi_storage_has(m->plan, u, LS_INPUT);

			for (size_t i = 0; words && i < lsi_buffer_size(m->plan, u, b, &measure); i++)
				words[i] = (struct word){ (int32_t)i, defined ? 1 : -1, { (uint8_t)u } };
		}
	}
}

static void discard(struct machine *m)
{
	for (int64_t i = 0; i < m->nodes * LS_BUFFERS; i++)
		free(m->owned[i]);
	free(m->owned);
	free(m->buffer);
	free(m->waits);
	free(m->done);
}

static int64_t count_wrong(const struct machine *m, const struct cell *cell)
{
	const struct lsi_measure measure = { .n = m->n };
	int64_t wrong = m->broken;

	for (int64_t u = 0; u < m->nodes; u++) {
		const size_t words = lsi_buffer_size(m->plan, u, LS_OUTPUT, &measure);

		for (size_t i = 0; i < words && lsi_storage_has(m->plan, u, LS_OUTPUT); i++)
			wrong += !is_right(cell, u, i, m->n, &buffer_of(m, u, LS_OUTPUT)[i]);
	}
	return wrong;
}

static bool is_vector(const struct ls_plan *plan)
{
	return LSI_FOR(plan->problem.operation)
		& (LSI_FOR(LS_BROADCAST) | LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE) | LSI_FOR(LS_SCAN)
			| LSI_FOR(LS_EXSCAN) | LSI_FOR(LS_BARRIER));
}

/* Strips of random width over the longest block, the last of them first or last. */
static bool play_strips(struct machine *m, bool free, size_t width)
{
	const size_t longest = m->n / (is_vector(m->plan) ? (size_t)ls_plan_blocks(m->plan) : 1) + 1;
	const size_t strips = (longest + width - 1) / width,
				 turn = (size_t)random_below(&state, (int64_t)strips);
	bool ends = true;

	for (size_t i = 0; i < strips; i++) {
		const size_t at = (i + turn) % strips * width;

		ends &= play(m, free, (struct strip){ at, at + width });
	}
	return ends;
}

struct tally {
	int64_t runs, lost;
};

static void test_count(
	const struct cell *cell, const struct ls_plan *plan, size_t n, struct tally *tally)
{
	struct machine m = machine_of(plan, n);

	for (int free = 0; free < 2; free++) {
		fill(&m);
		CHECK(play_strips(&m, free, 1 + (size_t)random_below(&state, 3)), "%s: stuck",
			cell_name(cell).text);
		CHECK(count_wrong(&m, cell) == 0, "%s, n %zu, %s: %" PRId64 " wrong", cell_name(cell).text,
			n, free ? "free" : "rounds", count_wrong(&m, cell));
	}
	for (int64_t i = 0; i < m.nodes * m.steps; i++)
		m.waits[i] = -1;
	fill(&m);
	play_strips(&m, true, n);
	tally->lost += count_wrong(&m, cell) > 0;
	tally->runs++;
	discard(&m);
}

static void test_cell(const struct cell *cell, void *context)
{
	const size_t p = (size_t)cell->problem.nodes;
	struct ls_plan *plan = plan_of(cell);

	test_count(cell, plan, 1, context);
	test_count(cell, plan, !is_vector(plan) ? 2 : p > 1 ? p - 1 : 3, context);
	test_count(cell, plan, is_vector(plan) ? 2 * p + 3 : 5, context);
	ls_plan_destroy(plan);
}

enum { FAST_NODES = 8, THIN_NODES = 13 };

int main(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "linear:3", "ring:3", "ring:5",
		"linear:6", "ring:8", "ring:13", "mesh:2x3", "mesh:1x4", "torus:3x4", "mesh:2x2x3",
		"torus:3x3x2", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "complete:2",
		"complete:7", "complete:12", "star:2", "star:3", "star:4", "tree:4", "tree:8", "bintree:3",
		"debruijn:3", "pancake:3", "bubblesort:3", "ring:3*linear:2", "star:3*hypercube:1",
		"mct:2,2", "graph:test/data/petersen", "graph:test/data/claw*linear:2" };
	const int64_t most = is_fast() ? FAST_NODES : is_thin() ? THIN_NODES : INT64_MAX;
	struct tally tally = { 0, 0 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		if (ls_topology_nodes(t) <= most)
			each_cell(t, 6, test_cell, &tally);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " runs; %" PRId64 " of them lose data without the waits of law 8\n",
		tally.runs, tally.lost);
	CHECK(tally.lost > 0, "law 8 is never needed");
	return test_result();
}
