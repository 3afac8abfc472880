/*
 * Plans give right answers on data: a second interpreter, which knows nothing of the one that
 * proves the laws.
 *
 * Elements are strings of ranks and the operator joins them, so that nothing commutes, vanishes
 * or goes unnoticed.  Nodes read their peers' memory instead of messages, in two kinds of
 * schedule:
 *
 *   rounds   all nodes do a step, in random order, before any does the next;
 *   free     a node runs ahead as far as its messages and the waits of law 8 let it.
 *
 * Elements run through the whole plan in strips, in random order (plan.md section 5).
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include "plan/lending_waits.h"
#include "plan/storage.h"
#include "support/cells.h"
#include "test.h"

enum { RANKS_MAX = 64 };

/*
 * One element: its place in INPUT, and the ranks that contributed, in order. length -1: never
 * written.
 */
struct word {
	int32_t element;
	int16_t length;
	uint8_t rank[RANKS_MAX];
};

struct machine {
	const struct ls_plan *plan;
	int64_t nodes, steps;
	size_t n;
	struct word **buffer; /* LS_BUFFERS for each node */
	struct word **owned;  /* of these: what is no part of another */
	int64_t *waits;       /* steps for each node */
	int64_t *done;        /* steps of each node */
	bool broken;          /* something undefined or ill matched was computed */
};

static uint64_t state = 88172645463325252u; /* xorshift64 */

static int64_t random_below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)n);
}

static void *memory(size_t count, size_t bytes)
{
	void *m = calloc(count ? count : 1, bytes);

	if (!m)
		exit(1);
	return m;
}

/* Computing ---------------------------------------------------------------------------------- */

struct span {
	struct word *at;
	size_t length;
}; /* one block, the part of it in the strip */
struct strip {
	size_t from, to;
};

static struct word *buffer_of(const struct machine *m, int64_t node, int buffer)
{
	return m->buffer[node * LS_BUFFERS + buffer];
}

static struct span block_at(const struct machine *m, int64_t node, const struct ls_slice *slice,
	int64_t k, struct strip strip)
{
	const struct lsi_measure measure = { .n = m->n };
	const int64_t block = ls_slice_at(slice, k);
	const size_t length = lsi_buffer_length(m->plan, node, slice->buffer, block, &measure);
	const size_t from = strip.from < length ? strip.from : length,
				 to = strip.to < length ? strip.to : length;

	return (struct span){ buffer_of(m, node, slice->buffer)
			+ lsi_buffer_offset(m->plan, slice->buffer, block, &measure) + from,
		to - from };
}

/* Block k of a slice that a move names; ARRIVAL is the memory of the sender. */
static struct span operand(const struct machine *m, int64_t node, int64_t t,
	const struct ls_step *step, const struct ls_slice *slice, int64_t k, struct strip strip)
{
	if (slice->buffer < LS_ARRIVAL || slice->buffer >= LS_SCRATCH)
		return block_at(m, node, slice, k, strip);

	const int64_t from = step->from[slice->buffer - LS_ARRIVAL];
	struct ls_step peer;
	int q = 0;

	ls_plan_step(m->plan, from, t, &peer);
	while (peer.to[q] != node)
		q++;
	return block_at(m, from, &peer.send[q], ls_slice_at(slice, k), strip);
}

static bool has(const struct word *word, uint8_t rank)
{
	return memchr(word->rank, rank, (size_t)word->length) != NULL;
}

/* Of a plan that needs an idempotent operator ranks are taken over once. */
static struct word join(struct machine *m, struct word a, struct word b)
{
	const bool once = m->plan->algorithm->claim == LS_IDEMPOTENT;

	m->broken |= a.length < 0 || b.length < 0 || a.element != b.element;
	for (int i = 0; i < b.length && !m->broken; i++) {
		if (once && has(&a, b.rank[i]))
			continue;
		if (a.length == RANKS_MAX)
			m->broken = true;
		else
			a.rank[a.length++] = b.rank[i];
	}
	return a;
}

static void move(struct machine *m, int64_t node, int64_t t, const struct ls_step *step,
	const struct ls_move *move, struct strip strip)
{
	const int64_t blocks = ls_slice_blocks(&move->dst);
	const int64_t parts = move->action == LS_FOLD ? ls_slice_blocks(&move->a) / blocks : 1;

	for (int64_t k = 0; k < blocks; k++) {
		const struct span dst = block_at(m, node, &move->dst, k, strip);

		for (size_t i = 0; i < dst.length; i++) {
			struct word word = { 0, -1, { 0 } };

			for (int64_t part = 0; part < parts + (move->action == LS_COMBINE); part++) {
				const struct ls_slice *slice =
					part == 1 && move->action == LS_COMBINE ? &move->b : &move->a;
				const struct span a = operand(m, node, t, step, slice,
					move->action == LS_FOLD ? part * blocks + k : k, strip);

				m->broken |= a.length != dst.length || a.at[i].length < 0;
				word = part == 0 ? a.at[i] : join(m, word, a.at[i]);
			}
			dst.at[i] = word;
		}
	}
}

static void do_step(struct machine *m, int64_t node, struct strip strip)
{
	const int64_t t = m->done[node]++;
	struct ls_step step;

	ls_plan_step(m->plan, node, t, &step);
	for (int i = 0; i < step.n_moves; i++)
		move(m, node, t, &step, &step.move[i], strip);
}

/* Schedules ---------------------------------------------------------------------------------- */

/* Whether the receivers of everything lent up to a step are past their moves of it. */
static bool is_acknowledged(const struct machine *m, int64_t node, int64_t up_to)
{
	for (int64_t t = 0; t <= up_to; t++) {
		struct lsi_peers peers;

		lsi_plan_peers(m->plan, node, t, &peers);
		for (int q = 0; q < LS_PORTS; q++) {
			if (peers.to[q] != LS_NO_RANK && m->done[peers.to[q]] <= t)
				return false;
		}
	}
	return true;
}

static bool may_step(const struct machine *m, int64_t node, bool free)
{
	const int64_t t = m->done[node];
	struct lsi_peers peers;

	if (t == m->steps)
		return false;
	for (int64_t u = 0; u < m->nodes && !free; u++) {
		if (m->done[u] < t)
			return false;
	}
	lsi_plan_peers(m->plan, node, t, &peers);
	for (int q = 0; q < LS_PORTS; q++) {
		if (peers.from[q] != LS_NO_RANK && m->done[peers.from[q]] < t)
			return false;
	}
	return !free || is_acknowledged(m, node, m->waits[node * m->steps + t]);
}

/* Runs the plan to its end; false: no node could go on. */
static bool play(struct machine *m, bool free, struct strip strip)
{
	memset(m->done, 0, (size_t)m->nodes * sizeof *m->done);
	for (int64_t left = m->nodes * m->steps; left > 0; left--) {
		const int64_t start = random_below(m->nodes);
		int64_t tried = 0;

		while (tried < m->nodes && !may_step(m, (start + tried) % m->nodes, free))
			tried++;
		if (tried == m->nodes)
			return false;
		do_step(m, (start + tried) % m->nodes, strip);
		/* In free rounds sometimes run as far ahead as can be. */
		while (free && random_below(4) && may_step(m, (start + tried) % m->nodes, true)) {
			do_step(m, (start + tried) % m->nodes, strip);
			left--;
		}
	}
	return true;
}

/* What must come out ------------------------------------------------------------------------- */

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

/* Machines ----------------------------------------------------------------------------------- */

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
		if (lsi_plan_waits(plan, u, m.waits + u * steps) != LS_OK)
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
				 turn = (size_t)random_below((int64_t)strips);
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
		CHECK(
			play_strips(&m, free, 1 + (size_t)random_below(3)), "%s: stuck", cell_name(cell).text);
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

int main(void)
{
	static const char *const specs[] = { "linear:1", "ring:2", "linear:3", "ring:3", "ring:5",
		"linear:6", "ring:8", "ring:13", "mesh:2x3", "mesh:1x4", "torus:3x4", "mesh:2x2x3",
		"torus:3x3x2", "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "complete:2",
		"complete:7", "complete:12", "star:2", "star:3", "star:4", "tree:4", "tree:8", "bintree:3",
		"debruijn:3", "pancake:3", "bubblesort:3", "ring:3*linear:2", "star:3*hypercube:1",
		"mct:2,2", "graph:test/data/petersen", "graph:test/data/claw*linear:2" };
	struct tally tally = { 0, 0 };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t = topology_of(specs[i]);

		each_cell(t, 6, test_cell, &tally);
		ls_topology_destroy(t);
	}
	printf("%" PRId64 " runs; %" PRId64 " of them lose data without the waits of law 8\n",
		tally.runs, tally.lost);
	CHECK(tally.lost > 0, "law 8 is never needed");
	return test_result();
}
