/*
 * Statements of algorithms about many nodes at once hold: the ranks after which a round repeats,
 * peers and shapes of many nodes, and the tree that all messages follow.  They are compared with
 * peers and shape of every node in every round.
 *
 * Also: the positions that identify sub-stars, by a count; and shapes of a shift so long that a
 * product of two numbers of rounds would overflow.
 *
 * Two processes share the networks; of larger ones they test some cells only.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>

#include "collective/algorithm.h"
#include "collective/cayley/star_levels.h"
#include "collective/tree/reversal.h"
#include "plan/step.h"
#include "support/cells.h"
#include "support/guard.h"
#include "support/workers.h"
#include "test.h"

/*
 * The least numbers of rounds with a period, of rounds with exchanges, and of trees to be found.
 */
enum { SHORTER = 60000, EXCHANGES = 1000, TREES = 15000, FAST_PART = 30 };

static struct {
	atomic_llong shorter, exchanges, trees;
} * found;

/* ---- Periods */

static bool same_slice(const struct ls_slice *a, const struct ls_slice *b)
{
	return a->buffer == b->buffer && a->first == b->first && a->run == b->run
		&& a->stride == b->stride && a->runs == b->runs && a->cycle == b->cycle
		&& a->index == b->index && a->map[0] == b->map[0];
}

static bool same_moves(const struct ls_step *a, const struct ls_step *b)
{
	bool same = a->n_moves == b->n_moves;

	for (int i = 0; same && i < a->n_moves; i++)
		same = a->move[i].action == b->move[i].action
			&& same_slice(&a->move[i].dst, &b->move[i].dst)
			&& same_slice(&a->move[i].a, &b->move[i].a)
			&& (a->move[i].action != LS_COMBINE || same_slice(&a->move[i].b, &b->move[i].b));
	return same;
}

/* Peers of two nodes at the same offset of two blocks. */
static bool same_peer(int64_t a, int64_t b, int64_t apart)
{
	return a == LS_NO_RANK ? b == LS_NO_RANK : b == a + apart;
}

static bool is_inside(int64_t peer, int64_t rank, int64_t period)
{
	return peer == LS_NO_RANK || peer / period == rank / period;
}

static bool repeats(const struct ls_plan *plan, int64_t rank, int64_t step, int64_t period)
{
	const struct lsi_algorithm *const a = plan->algorithm;
	const int64_t round = step - plan->frame.has_prologue, below = rank % period;
	struct lsi_peers mine, first;

	if (!lsi_plan_peers(plan, rank, step, &mine)) {
		struct ls_step one, other;

		ls_plan_step(plan, rank, step, &one);
		ls_plan_step(plan, below, step, &other);
		return same_moves(&one, &other);
	}
	lsi_plan_peers(plan, below, step, &first);
	for (int q = 0; q < LS_PORTS; q++) {
		if (!is_inside(mine.to[q], rank, period) || !is_inside(mine.from[q], rank, period)
			|| !same_peer(first.to[q], mine.to[q], rank - below)
			|| !same_peer(first.from[q], mine.from[q], rank - below))
			return false;
	}
	return a->shape && a->shape(plan, rank, round) == a->shape(plan, below, round);
}

static void test_periods(const struct ls_plan *plan, const struct cell *cell)
{
	for (int64_t step = 0; step < ls_plan_steps(plan); step++) {
		const int64_t period =
			lsi_whole_machine_of(plan->algorithm)->period(plan, step - plan->frame.has_prologue);
		int64_t rank = 0;

		CHECK(period > 0 && plan->problem.nodes % period == 0,
			"%s: step %" PRId64 ": period %" PRId64, cell_name(cell).text, step, period);
		if (period <= 0 || period >= plan->problem.nodes)
			continue;
		atomic_fetch_add(&found->shorter, 1);
		while (rank < plan->problem.nodes && repeats(plan, rank, step, period))
			rank++;
		CHECK(rank == plan->problem.nodes,
			"%s: step %" PRId64 ": period %" PRId64 ": not node %" PRId64, cell_name(cell).text,
			step, period, rank);
	}
}

/* ---- Exchanges */

/* Many nodes at once. */
static void test_exchanges(
	const struct ls_plan *plan, const struct cell *cell, int64_t first, int64_t count)
{
	const struct lsi_algorithm *const a = plan->algorithm;
	int64_t *const peer = memory((size_t)count, sizeof *peer);
	int64_t *const shape = memory((size_t)count, sizeof *shape);

	for (int64_t round = 0; round < plan->frame.rounds; round++) {
		int64_t i = 0;

		if (!lsi_whole_machine_of(a)->exchanges(plan, first, count, round, peer, shape))
			continue;
		atomic_fetch_add(&found->exchanges, 1);
		for (bool same = true; same && i < count; i += same) {
			struct lsi_peers truth;

			lsi_plan_peers(plan, first + i, round + plan->frame.has_prologue, &truth);
			same = truth.to[0] == peer[i] && truth.from[0] == peer[i]
				&& a->shape(plan, first + i, round) == shape[i];
			for (int q = 1; q < LS_PORTS; q++)
				same &= truth.to[q] == LS_NO_RANK && truth.from[q] == LS_NO_RANK;
		}
		CHECK(i == count, "%s: round %" PRId64 ": not node %" PRId64 " of those from %" PRId64,
			cell_name(cell).text, round, first + i, first);
	}
	free(peer);
	free(shape);
}

/* ---- Trees */

struct tree {
	const struct ls_plan *plan;
	struct lsi_receive_at *receipt; /* of each node */
	int64_t *last;                  /* the last round in which it sends to a child; -1: none */
	int64_t *child;                 /* the child that it sends to in this round */
};

static void grow(struct tree *tree, const struct cell *cell)
{
	const struct ls_plan *const plan = tree->plan;

	for (int64_t u = 0; u < plan->problem.nodes; u++)
		tree->last[u] = -1;
	for (int64_t u = 0; u < plan->problem.nodes; u++) {
		const struct lsi_receive_at h =
			lsi_whole_machine_of(plan->algorithm)->tree->receives(plan, u);

		tree->receipt[u] = h;
		if (h.round >= 0 && tree->last[h.from] < h.round)
			tree->last[h.from] = h.round;
		CHECK((h.round < 0) == (u == lsi_reversal_root(&plan->problem)),
			"%s: node %" PRId64 " receives in round %" PRId64, cell_name(cell).text, u, h.round);
	}
}

static struct lsi_edge edge_of(const struct tree *tree, int64_t u, int64_t broadcast_round)
{
	const bool up = tree->receipt[u].round == broadcast_round;

	return (struct lsi_edge){ up ? tree->receipt[u].from : tree->child[u], up,
		tree->last[u] <= broadcast_round };
}

static bool agrees(
	const struct tree *tree, int64_t u, int64_t round, struct lsi_edge edge, bool sends)
{
	const struct ls_plan *const plan = tree->plan;
	const struct lsi_algorithm *const a = plan->algorithm;
	struct lsi_peers peers;
	struct ls_step idle;

	lsi_plan_peers(plan, u, round + plan->frame.has_prologue, &peers);
	for (int q = 1; q < LS_PORTS; q++) {
		if (peers.to[q] != LS_NO_RANK || peers.from[q] != LS_NO_RANK)
			return false;
	}
	if (edge.peer == LS_NO_RANK) {
		ls_plan_step(plan, u, round + plan->frame.has_prologue, &idle);
		return peers.to[0] == LS_NO_RANK && peers.from[0] == LS_NO_RANK && idle.n_moves == 0;
	}
	return (sends ? peers.to : peers.from)[0] == edge.peer
		&& (sends ? peers.from : peers.to)[0] == LS_NO_RANK
		&& lsi_whole_machine_of(a)->tree->shape(plan, u, round, edge) == a->shape(plan, u, round);
}

static void test_round(struct tree *tree, int64_t round, const struct cell *cell)
{
	const struct ls_plan *const plan = tree->plan;
	int64_t broadcast_round = -1, wrong = LS_NO_RANK;
	const bool up =
		lsi_whole_machine_of(plan->algorithm)->tree->moves_up(plan, round, &broadcast_round);

	for (int64_t u = 0; u < plan->problem.nodes; u++)
		tree->child[u] = LS_NO_RANK;
	for (int64_t u = 0; u < plan->problem.nodes; u++) {
		if (tree->receipt[u].round == broadcast_round)
			tree->child[tree->receipt[u].from] = u;
	}
	for (int64_t u = 0; u < plan->problem.nodes && wrong == LS_NO_RANK; u++) {
		const struct lsi_edge edge = edge_of(tree, u, broadcast_round);

		if (!agrees(tree, u, round, edge, edge.up == up))
			wrong = u;
	}
	CHECK(wrong == LS_NO_RANK, "%s: round %" PRId64 ": not node %" PRId64, cell_name(cell).text,
		round, wrong);
}

static void test_tree(const struct ls_plan *plan, const struct cell *cell)
{
	const size_t p = (size_t)plan->problem.nodes;
	struct tree tree = { plan, memory(p, sizeof *tree.receipt), memory(p, sizeof *tree.last),
		memory(p, sizeof *tree.child) };

	CHECK(!plan->frame.has_prologue && !plan->frame.has_epilogue && !plan->algorithm->is_local,
		"%s: local steps", cell_name(cell).text);
	grow(&tree, cell);
	/* At most 64 of the rounds. */
	for (int64_t round = 0; round < plan->frame.rounds; round += 1 + (plan->frame.rounds - 1) / 64)
		test_round(&tree, round, cell);
	atomic_fetch_add(&found->trees, 1);
	free(tree.receipt);
	free(tree.last);
	free(tree.child);
}

/* ---- Positions */

/* How many of the first k symbols are larger than the i-th, by a count. */
static void test_positions(void)
{
	for (int64_t rank = 0; rank < lsi_factorial(7); rank++) {
		const struct lsi_permutation q = lsi_permutation_of(rank, 7);

		for (int k = 2; k <= 7; k++) {
			for (int i = 1; i <= k; i++) {
				int larger = 0;

				for (int j = 1; j <= k; j++)
					larger += q.symbol[j] > q.symbol[i];
				CHECK(lsi_level_position(rank, i, k) == larger,
					"position of symbol %d of %d in %" PRId64, i, k, rank);
			}
		}
	}
}

/* ---- A long path */

static struct ls_plan *half_round(const ls_topology *ring, bool in_place)
{
	const int64_t p = ls_topology_nodes(ring);
	const struct ls_request request = { .size = sizeof request,
		.topology = ring,
		.operation = LS_SHIFT,
		.algorithm = "ring",
		.shift = p / 2,
		.in_place = in_place };

	return plan_for(&request);
}

/*
 * A node on the largest ring and one on a short ring do the same; both have even numbers of rounds.
 */
static void test_long_path(bool in_place)
{
	ls_topology *ring = topology_of("ring:12"), *large = topology_of("ring:4611686018427387904");
	struct ls_plan *plan = half_round(ring, in_place), *same = half_round(large, in_place);
	const int64_t steps = ls_plan_steps(plan), more = ls_plan_steps(same) - steps;

	CHECK(steps == 6 && more == LS_NODES_MAX / 2 - 6, "%" PRId64 " steps more", more);
	for (int64_t i = 0; i < steps; i++) {
		struct ls_step one, other;

		ls_plan_step(plan, 1, i, &one);
		ls_plan_step(same, 1, i < 3 ? i : i + more, &other);
		CHECK(one.n_moves == 1 && same_moves(&one, &other)
				&& same_slice(&one.send[0], &other.send[0]),
			"step %" PRId64, i);
	}
	ls_plan_destroy(same);
	ls_plan_destroy(plan);
	ls_topology_destroy(large);
	ls_topology_destroy(ring);
}

/* ---- Cells */

static void test_cell(const struct cell *cell)
{
	struct ls_plan *plan = plan_of(cell);

	if (lsi_whole_machine_of(cell->algorithm)->period)
		test_periods(plan, cell);
	if (lsi_whole_machine_of(cell->algorithm)->exchanges) {
		test_exchanges(plan, cell, 0, plan->problem.nodes);
		test_exchanges(plan, cell, plan->problem.nodes / 5, plan->problem.nodes / 2);
	}
	if (lsi_whole_machine_of(cell->algorithm)->tree && plan->problem.nodes > 1)
		test_tree(plan, cell);
	ls_plan_destroy(plan);
}

/* An algorithm: some roots or shifts, each mode, one port and two, in place and not. */
static void test_algorithm(
	const struct ls_topology *t, const struct lsi_algorithm *algorithm, int64_t every)
{
	const int64_t nodes = ls_topology_nodes(t), root[] = { 0, 1 % nodes, nodes / 3, nodes - 1 };
	int64_t index = 0;

	for (int variant = 0; variant < LS_OPERATIONS << 5; variant++) {
		const enum ls_operation operation = (enum ls_operation)(variant >> 5);
		const int64_t at = root[variant & 3];
		const struct cell cell = { algorithm,
			{ .topology = t,
				.nodes = nodes,
				.operation = operation,
				.root = at,
				.segments = 1,
				.shift = operation == LS_SHIFT ? at : 0,
				.in_place = variant & 4,
				.mode = variant & 8 ? LS_ROUTED : LS_HOP,
				.ports = variant & 16 ? 2 : 1 } };

		if (algorithm->operations & LSI_FOR(operation) && algorithm->supports(&cell.problem)
			&& index++ % every == 0)
			test_cell(&cell);
	}
}

static void test_network(int item, void *context)
{
	ls_topology *t = topology_of(listed.spec[item]);
	const int64_t nodes = ls_topology_nodes(t);
	const int64_t every = is_fast() ? 7 : is_long() || nodes <= 64 ? 1 : nodes <= 720 ? 3 : 7;

	(void)context;
	for (int i = 0; lsi_algorithms[i]; i++) {
		if (lsi_whole_machine_of(lsi_algorithms[i])->period
			|| lsi_whole_machine_of(lsi_algorithms[i])->tree)
			test_algorithm(t, lsi_algorithms[i], every);
	}
	ls_topology_destroy(t);
}

int main(void)
{
	static const char *const large[] = { "star:7", "star:6", "pancake:6", "bubblesort:6", "star:5",
		"hypercube:10", "hypercube:8", "torus:6x10x12", "torus:16x24", "mesh:5x9x8", "mesh:20x18",
		"ring:360", "linear:240", "complete:256", "complete:210", "debruijn:8", "bintree:8",
		"tree:128", "star:4*hypercube:3", "mct:8,2" };
	const long long part = is_fast() ? FAST_PART : 1;
	long long shorter, exchanges, trees;

	test_positions();
	test_long_path(false);
	test_long_path(true);
	found = memory_of_all(sizeof *found);
	for (size_t i = is_fast(); i < sizeof large / sizeof *large; i += is_fast() ? 3 : 1)
		list_network(large[i], NULL);
	each_network(is_fast() ? 12
			: is_thin()    ? 24
						   : 40,
		is_fast()       ? 6
			: is_thin() ? 12
						: 16,
		list_network, NULL);
	share_work(listed.count, test_network, NULL);
	shorter = atomic_load(&found->shorter);
	exchanges = atomic_load(&found->exchanges);
	trees = atomic_load(&found->trees);
	printf("%lld rounds with a period, %lld in one go, %lld trees\n", shorter, exchanges, trees);
	CHECK(shorter >= SHORTER / part && exchanges >= EXCHANGES / part && trees >= TREES / part,
		"%lld rounds, %lld in one go, %lld trees", shorter, exchanges, trees);
	return test_result();
}
