/*
 * A sweep finds a violation planted in one node of a plan, with any number of workers and any order
 * of nodes.  Its error has the right kind, node, peer and round.  It does so on small networks and
 * among the 362,880 nodes of star:9.  All operands are zero: a wrong result is wrong in its
 * fingerprint alone.
 */
/* alone: beside others its workers wait for processors */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/sweep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "sweep_damage.h"
#include "test.h"

struct base {
	const char *spec;
	enum ls_operation operation;
	const char *algorithm;
};

static bool in_place; /* the plans at hand */

/* ---- Sweeping */

static void zeros(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)rank, (void)first;
	memset(into, 0, n * sizeof(int64_t));
}

static struct ls_sweep_result swept(const ls_plan *plan, int workers, uint64_t order, bool strict)
{
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = (size_t)ls_plan_blocks(plan),
		.type = LS_INT64,
		.make = zeros,
		.workers = workers,
		.order = order,
		.strict = strict };
	struct ls_sweep_result out = { .size = sizeof out };

	CHECK(ls_sweep_run(&sweep, &out) == out.error.kind, "%s: what is returned", guarded());
	return out;
}

static void check(const ls_plan *plan, int workers, uint64_t order)
{
	const struct ls_sweep_result out = swept(plan, workers, order, false);
	const struct ls_error *e = &out.error;
	char name[32];

	snprintf(name, sizeof name, "node %" PRId64, spot.want.node);
	CHECK(e->kind == spot.want.kind && e->node == spot.want.node && e->peer == spot.want.peer
			&& e->round == spot.want.round,
		"%s, %d workers, order %" PRIu64 ": %s, node %" PRId64 ", peer %" PRId64 ", round %" PRId64
		", not %s, %" PRId64 ", %" PRId64 ", %" PRId64 ": %s",
		guarded(), workers, order, ls_status_name(e->kind), e->node, e->peer, e->round,
		ls_status_name(spot.want.kind), spot.want.node, spot.want.peer, spot.want.round, e->text);
	CHECK(strstr(e->text, name) && !strchr(e->text, '\n'), "%s: '%s'", guarded(), e->text);
	CHECK(!out.proved, "%s: proved", guarded());
}

static const struct lsi_algorithm *algorithm_of(const ls_plan *plan)
{
	CHECK(plan->algorithm->shape && !plan->algorithm->is_local, "%s: not to be damaged", guarded());
	return plan->algorithm;
}

static ls_plan *plan_of_base(const struct base *b, const ls_topology *t)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = b->operation,
		.algorithm = b->algorithm,
		.type = LS_INT64,
		.root = 1,
		.count = 1,
		.in_place = in_place };

	return plan_for(&request);
}

static int64_t planted[DAMAGES];

static void check_claim(const ls_plan *plan, bool every_way)
{
	const struct lsi_algorithm algorithm = damaged();
	ls_plan *wrong;

	if (lsi_plan_make_from(&algorithm, &plan->problem, &wrong) != LS_OK)
		exit(1);
	check(wrong, 2, 0);
	if (every_way) {
		check(wrong, 1, 0);
		check(wrong, 7, 0);
		check(wrong, 2, 5);
	}
	ls_plan_destroy(wrong);
}

/* The plan as it is found at the spot, whatever it says of periods. */
static void check_damaged(const ls_plan *plan, bool every_way)
{
	claims = false;
	check_claim(plan, every_way);
	claims = lsi_whole_machine_of(base)->period && !spot.period;
	if (claims)
		check_claim(plan, every_way);
	planted[damage]++;
}

static void test_base(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);
	const int64_t rounds = ls_plan_rounds(plan);

	base = algorithm_of(plan);
	for (int d = 0; d < DAMAGES; d++) {
		damage = (enum damage)d;
		for (int64_t round = first_round(rounds); round < rounds; round++) {
			guard("%s %s %s%s, %s, round %" PRId64, b->spec, ls_operation_name(b->operation),
				b->algorithm, in_place ? " in place" : "", damage_name[d], round + 1);
			if (find_spot(plan, round))
				check_damaged(plan, true);
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* One node of many: in the first and a later round, results in the last. */
static void test_large(const struct base *b, uint32_t damages, int64_t round)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);

	base = algorithm_of(plan);
	for (int d = 0; d < DAMAGES; d++) {
		damage = (enum damage)d;
		guard(
			"%s %s %s, %s", b->spec, ls_operation_name(b->operation), b->algorithm, damage_name[d]);
		if (!(damages >> d & 1))
			continue;

		const bool found = find_spot(plan, lsi_max(round, first_round(ls_plan_rounds(plan))));

		CHECK(found, "%s: no place", guarded());
		if (found)
			check_damaged(plan, false);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* A round that repeats, wrongly described, is wrong in every block of ranks; the first is named. */
static void test_period(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);
	const int64_t rounds = ls_plan_rounds(plan);

	base = algorithm_of(plan);
	CHECK(lsi_whole_machine_of(base)->period, "%s %s has no period", b->spec, b->algorithm);
	for (int d = 0; d < DAMAGES && lsi_whole_machine_of(base)->period; d++) {
		damage = (enum damage)d;
		for (int64_t round = 0; round < rounds; round++) {
			const int64_t period = lsi_whole_machine_of(base)->period(plan, round);
			struct spot *s = &spot;

			guard("%s %s, %s, round %" PRId64 ", period %" PRId64, b->spec, b->algorithm,
				damage_name[d], round + 1, period);
			if ((damage >= OTHER_BLOCK && round < rounds - 1) || !find_spot(plan, round)
				|| s->node / period != s->other / period
				|| (s->third != LS_NO_RANK && s->third / period != s->node / period))
				continue;

			const int64_t shift = s->node / period * period;

			s->period = period;
			s->want.node -= shift;
			s->want.peer -= s->want.peer == LS_NO_RANK ? 0 : shift;
			check_damaged(plan, true);
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Descriptions */

/*
 * What an algorithm says of all nodes at once is believed no more than what it says of each: where
 * it does not hold together, nodes are asked one by one.
 */
enum { STRANGER, SISTER, LATE, NEVER, LIES };
static int lie;

static bool lying_exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *shape)
{
	const bool told = lsi_whole_machine_of(base)->exchanges(plan, first, count, round, peer, shape);
	const int64_t i = spot.node - first;

	if (told && round == spot.round && i >= 0 && i < count)
		peer[i] = lie == STRANGER ? third_of(plan, spot.node, round, false)
			: lie == SISTER       ? third_of(plan, spot.node, round, true)
			: lie == LATE         ? spot.node
								  : plan->problem.nodes;
	return told;
}

static struct lsi_receive_at lying_receives(const struct ls_plan *plan, int64_t rank)
{
	const struct lsi_receive_at receipt = lsi_whole_machine_of(base)->tree->receives(plan, rank);
	const struct lsi_receive_at lies[LIES] = { { receipt.round, plan->problem.nodes - 1 - rank },
		{ receipt.round ? receipt.round - 1 : 1, receipt.from },
		{ plan->frame.rounds, receipt.from }, { -1, LS_NO_RANK } };

	return rank == spot.node ? lies[lie] : receipt;
}

static void test_lies(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t), *wrong;
	struct lsi_whole_machine whole;
	struct lsi_single_tree tree;
	struct lsi_algorithm lying;

	base = algorithm_of(plan);
	lying = *base;
	lying.whole = &whole;
	whole = *lsi_whole_machine_of(base);
	CHECK(whole.exchanges || whole.tree, "%s states nothing about many nodes", b->algorithm);
	if (whole.exchanges)
		whole.exchanges = lying_exchanges;
	if (whole.tree) {
		tree = *whole.tree;
		tree.receives = lying_receives;
		whole.tree = &tree;
	}
	if (lsi_plan_make_from(&lying, &plan->problem, &wrong) != LS_OK)
		exit(1);
	for (lie = 0; lie < LIES; lie++) {
		const struct ls_counts counts = ls_plan_predict(plan, 1);

		memset(&spot, 0, sizeof spot);
		spot.node = ls_plan_nodes(plan) / 2 + 1;
		spot.round = ls_plan_rounds(plan) / 2;
		for (int workers = 1; workers < 4; workers++) {
			struct ls_sweep_result out;

			guard("%s %s, lie %d, %d workers", b->spec, b->algorithm, lie, workers);
			out = swept(wrong, workers, 0, false);
			/* A lie that both ends of a message believe may spoil the result: that is seen. */
			CHECK(out.error.kind == LS_ERR_LAW
					? !out.proved
					: out.error.kind == LS_OK && out.proved && out.stats.messages == counts.messages
						&& out.stats.rounds == counts.rounds,
				"%s: %" PRId64 " messages: %s", guarded(), out.stats.messages, out.error.text);
		}
	}
	ls_plan_destroy(wrong);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* ---- Congestion */

static void test_congestion(const char *spec, enum ls_operation operation, const char *algorithm)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.mode = LS_ROUTED,
		.operation = operation,
		.algorithm = algorithm,
		.type = LS_INT64,
		.count = 1 };
	struct ls_check_options strict = { .size = sizeof strict, .strict = true };
	struct ls_certificate lax = { .size = sizeof lax }, found = { .size = sizeof found };
	ls_plan *plan;

	guard("%s %s %s, strict", spec, ls_operation_name(operation), algorithm);
	plan = plan_for(&request);
	CHECK(ls_check(plan, (size_t)ls_plan_blocks(plan), NULL, &lax) == LS_OK, "%s: %s", guarded(),
		lax.text);

	const bool crowded = ls_check(plan, (size_t)ls_plan_blocks(plan), &strict, &found) != LS_OK;

	for (int i = 0; i < 6; i++) {
		const int workers[] = { 1, 2, 7 };
		const struct ls_sweep_result out = swept(plan, workers[i % 3], (uint64_t)(i / 3), true),
									 free = swept(plan, workers[i % 3], (uint64_t)(i / 3), false);

		CHECK(out.error.kind == (crowded ? LS_ERR_CONGESTION : LS_OK), "%s: %s: %s", guarded(),
			ls_status_name(out.error.kind), out.error.text);
		CHECK(!crowded
				|| (out.error.round == found.round && out.error.node >= 0
					&& out.error.node < ls_plan_nodes(plan) && out.error.text[0]),
			"%s: round %" PRId64 ", not %" PRId64 ": %s", guarded(), out.error.round, found.round,
			out.error.text);
		CHECK(free.error.kind == LS_OK && free.stats.link_load == lax.link_load,
			"%s: load %" PRId64 ", not %" PRId64 ": %s", guarded(), free.stats.link_load,
			lax.link_load, free.error.text);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	static const struct base small[] = {
		{ "star:4", LS_ALLREDUCE, "paper" },
		{ "star:4", LS_ALLREDUCE, "substar" },
		{ "star:4", LS_BROADCAST, "matching" },
		{ "star:4", LS_REDUCE, "matching" },
		{ "hypercube:4", LS_ALLREDUCE, "doubling" },
		{ "torus:4x4", LS_ALLREDUCE, "neighbor-exchange" },
		{ "mesh:4x5", LS_SCAN, "dimension" },
		{ "ring:10", LS_BROADCAST, "spanning-tree" },
		{ "bintree:4", LS_BROADCAST, "spanning-tree" },
		{ "hypercube:4", LS_REDUCE, "binomial" },
		{ "hypercube:4", LS_BROADCAST, "binomial" },
	};
	const char *star = is_thin() || is_fast() ? "star:7" : "star:9";
	const uint32_t messages = (1u << OTHER_BLOCK) - 1 - (1u << SENDS_TOO);

	for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
		test_base(&small[i]);
		in_place = small[i].operation == LS_BROADCAST;
		if (in_place)
			test_base(&small[i]);
		in_place = false;
	}
	for (int d = 0; d < DAMAGES; d++)
		CHECK(planted[d] >= 2, "%s: planted %" PRId64 " times", damage_name[d], planted[d]);
	test_large(&(struct base){ star, LS_ALLREDUCE, "paper" },
		messages | 1u << OTHER_BLOCK | 1u << TWICE, 4);
	test_large(&(struct base){ star, LS_ALLREDUCE, "substar" }, 1u << SWAPPED, 0);
	test_large(&(struct base){ star, LS_BROADCAST, "matching" },
		1u << SENDS_TOO | 1u << NOT_SENT | 1u << FORGOTTEN, is_thin() || is_fast() ? 6 : 12);
	test_period(&(struct base){ "star:4", LS_ALLREDUCE, "paper" });
	test_period(&(struct base){ "star:5", LS_ALLREDUCE, "substar" });
	test_lies(&(struct base){ "star:5", LS_ALLREDUCE, "paper" });
	test_lies(&(struct base){ "star:5", LS_BROADCAST, "matching" });
	test_lies(&(struct base){ "star:5", LS_REDUCE, "matching" });
	test_congestion("ring:16", LS_ALLREDUCE, "doubling");
	test_congestion("tree:16", LS_ALLGATHER, "doubling");
	test_congestion("linear:8", LS_BROADCAST, "binomial");
	test_congestion("linear:8", LS_BROADCAST, "wrong-order");
	test_congestion("hypercube:4", LS_ALLTOALL, "ecube");
	test_congestion("ring:64", LS_SHIFT, "direct");
	return test_result();
}
