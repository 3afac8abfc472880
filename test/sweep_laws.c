/*
 * A violation planted in one node of a plan is found by a sweep, whatever the workers and the order
 * of nodes, and named: kind, node, peer and round; on small networks and among the 362,880 nodes of
 * star:9.  All operands are zero: a wrong result is wrong in its fingerprint alone.
 */
/* timeout: 100 */
#include <inttypes.h>
#include <string.h>

#include <lockstep/check.h>
#include <lockstep/sweep.h>

#include "collective/algorithm.h"
#include "plan/plan.h"
#include "plan/step.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* What is wrong in one node v in one round; w is whom it sends to, x another. */
enum damage {
	SENDS_ELSEWHERE,  /* v to x, which hears another as well: two sends into one node */
	SENDS_TOO,        /* v, that was to be idle, to x */
	OFF_THE_WIRES,    /* v to x, which is no neighbour */
	NOT_SENT,         /* w expects what v does not send */
	NOT_TAKEN,        /* w does not expect what v sends */
	OTHER_COUNT,      /* v expects two blocks of x, which sends one */
	SECOND_PORT,      /* v has one port and sends to w and x */
	SAME_PEER,        /* v sends to w on two ports */
	HEARS_TWO,        /* v has one port and hears x and another */
	OTHER_BLOCK,      /* v sends its own operand in place of a sum */
	TWICE,            /* v adds its operand once more */
	SWAPPED,          /* v combines in another order */
	FORGOTTEN,        /* v does not move */
	DAMAGES
};

static const char *const damage_name[DAMAGES] = { "sends elsewhere", "sends too", "off the wires",
	"not sent", "not taken", "other count", "second port", "same peer", "hears two", "other block",
	"twice", "swapped", "forgotten" };

/* Where it is, and what must be said. */
struct spot {
	int64_t node, other, third, round, period;    /* 0: this node alone; else all that are alike */
	struct { int kind; int64_t node, peer, round; } want;
};

struct base { const char *spec; enum ls_operation operation; const char *algorithm; };

/* The algorithm at hand, and what is planted in it: its functions have no place for that. */
static const struct ls_algorithm *base;
static enum damage damage;
static struct spot spot;
static int64_t swapped[LS_MOVES][64];

/* The damaged algorithm --------------------------------------------------------------------- */

/* Shapes that no algorithm has. */
enum { NODE_SHAPE = -1001, OTHER_SHAPE = -1002 };

static bool is_at(int64_t rank, int64_t place)
{
	return spot.period ? rank % spot.period == place % spot.period : rank == place;
}

/* The node that is to this one as `of` is to `node`. */
static int64_t like(int64_t rank, int64_t node, int64_t of)
{
	return rank - node + of;
}

static void damaged_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	base->peers(plan, rank, round, out);
	if (round != spot.round)
		return;
	if (is_at(rank, spot.node)) {
		const int64_t third = like(rank, spot.node, spot.third);

		switch (damage) {
		case SENDS_ELSEWHERE:
		case SENDS_TOO:
		case OFF_THE_WIRES: out->to[0] = third; break;
		case NOT_SENT: out->to[0] = LS_NOBODY; break;
		case SECOND_PORT: out->to[1] = third; break;
		case SAME_PEER: out->to[1] = out->to[0]; break;
		case HEARS_TWO: out->from[1] = third; break;
		default: break;
		}
	}
	if (is_at(rank, spot.other) && (damage == NOT_TAKEN || damage == OFF_THE_WIRES))
		out->from[0] = LS_NOBODY;
}

static int64_t damaged_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	if (round == spot.round && is_at(rank, spot.node))
		return NODE_SHAPE;
	if (round == spot.round && is_at(rank, spot.other))
		return OTHER_SHAPE;
	return base->shape(plan, rank, round);
}

static void swap(struct ls_move *move, int64_t *index)
{
	const struct ls_slice a = move->a;

	if (move->what == LS_COMBINE) {
		move->a = move->b;
		move->b = a;
	} else if (move->what == LS_FOLD) {
		const int64_t n = ls_slice_blocks(&a);

		for (int64_t i = 0; i < n; i++)
			index[i] = ls_slice_at(&a, n - 1 - i);
		move->a = ls_indexed(a.buffer, index, n);
	}
}

static void damage_step(struct ls_step *step)
{
	switch (damage) {
	case SENDS_TOO: ls_step_send(step, ls_one(LS_OUTPUT, 0)); break;
	case OTHER_COUNT: step->arrives[0] = 2; break;
	case SECOND_PORT:
	case SAME_PEER: ls_step_send_on(step, 1, step->send[0]); break;
	case HEARS_TWO: ls_step_receive_on(step, 1, 1); break;
	case OTHER_BLOCK: step->send[0] = ls_one(LS_INPUT, 0); break;
	case TWICE: ls_step_combine(step, ls_one(LS_OUTPUT, 0), ls_one(LS_OUTPUT, 0),
		ls_one(LS_INPUT, 0)); break;
	case SWAPPED:
		for (int i = 0; i < step->n_moves; i++)
			swap(&step->move[i], swapped[i]);
		break;
	case FORGOTTEN: step->n_moves = 0; break;
	default: break;
	}
}

static void damaged_body(
	const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	const bool node = shape == NODE_SHAPE, other = shape == OTHER_SHAPE;

	if (node || other)
		shape = base->shape(plan, node ? spot.node : spot.other, round);
	base->body(plan, round, shape, step);
	if (node)
		damage_step(step);
	if (other && (damage == NOT_TAKEN || damage == OFF_THE_WIRES)) {
		step->n_moves = 0;
		step->arrives[0] = 0;
	}
}

static struct ls_algorithm damaged(void)
{
	struct ls_algorithm a = *base;

	a.peers = damaged_peers;
	a.shape = damaged_shape;
	a.body = damaged_body;
	a.period = spot.period ? base->period : NULL;
	a.exchanges = NULL;
	a.tree = NULL;
	return a;
}

/* Spots ------------------------------------------------------------------------------------- */

static int64_t sends_to(const ls_plan *plan, int64_t rank, int64_t round)
{
	struct ls_peers peers;

	ls_plan_peers(plan, rank, round + plan->frame.lead, &peers);
	return peers.to[0];
}

static int64_t hears(const ls_plan *plan, int64_t rank, int64_t round)
{
	struct ls_peers peers;

	ls_plan_peers(plan, rank, round + plan->frame.lead, &peers);
	return peers.from[0];
}

/* A node, with a link to v or none, that hears another in the round. */
static int64_t third_of(const ls_plan *plan, int64_t v, int64_t round, bool linked)
{
	const int64_t nodes = ls_plan_nodes(plan), w = sends_to(plan, v, round);

	for (int64_t i = 1; i < nodes; i++) {
		const int64_t x = (v + i) % nodes, from = hears(plan, x, round);

		if (x != w && x != hears(plan, v, round) && from != LS_NOBODY && from != v
				&& (ls_link_to(plan->problem.topology, v, x) >= 0) == linked)
			return x;
	}
	return LS_NOBODY;
}

/* Does the last move of the node in this round make its result, and of what the damage needs? */
static bool finishes(const ls_plan *plan, int64_t v, int64_t round)
{
	struct ls_step step;
	bool combines = false;

	ls_plan_step(plan, v, round + plan->frame.lead, &step);
	for (int i = 0; i < step.n_moves; i++)
		combines |= step.move[i].what != LS_COPY;
	return step.n_moves > 0 && step.n_moves < LS_MOVES
		&& step.move[step.n_moves - 1].dst.buffer == LS_OUTPUT
		&& (combines || damage == FORGOTTEN)
		&& (damage != SWAPPED || base->claim == LS_ORDERED);
}

static void want(int kind, int64_t node, int64_t peer)
{
	spot.want.kind = kind;
	spot.want.node = node;
	spot.want.peer = peer;
	spot.want.round = kind == LS_ERR_LAW ? -1 : spot.round + 1;
}

/* Can v be the damaged node?  Then the rest of the spot is set. */
static bool fits(const ls_plan *plan, int64_t v)
{
	const int64_t w = sends_to(plan, v, spot.round), from = hears(plan, v, spot.round);
	const bool linked = damage != OFF_THE_WIRES;

	spot.node = v;
	spot.other = w == LS_NOBODY ? v : w;
	spot.third = damage <= OFF_THE_WIRES || damage == SECOND_PORT || damage == HEARS_TWO
		? third_of(plan, v, spot.round, linked) : LS_NOBODY;
	switch (damage) {
	case SENDS_ELSEWHERE: want(LS_ERR_MATCH, w, v); break;
	case SENDS_TOO:
		want(LS_ERR_UNTAKEN, v, spot.third);
		return w == LS_NOBODY && from == LS_NOBODY && spot.third != LS_NOBODY;
	case OFF_THE_WIRES: want(LS_ERR_LINK, v, spot.third); break;
	case NOT_SENT: return want(LS_ERR_MATCH, w, v), w != LS_NOBODY;
	case NOT_TAKEN: return want(LS_ERR_UNTAKEN, v, w), w != LS_NOBODY;
	case OTHER_COUNT: return want(LS_ERR_MATCH, v, from), from != LS_NOBODY;
	case SECOND_PORT: want(LS_ERR_PORT, v, spot.third); break;
	case SAME_PEER: return want(LS_ERR_PORT, v, w), w != LS_NOBODY;
	case HEARS_TWO:
		want(LS_ERR_PORT, v, spot.third);
		return from != LS_NOBODY && spot.third != LS_NOBODY;
	case OTHER_BLOCK:
		want(LS_ERR_LAW, w, LS_NOBODY);
		return w != LS_NOBODY && finishes(plan, w, spot.round);
	default: return want(LS_ERR_LAW, v, LS_NOBODY), finishes(plan, v, spot.round);
	}
	return w != LS_NOBODY && spot.third != LS_NOBODY;
}

/* The first such node from the middle on; false: this plan has none in this round. */
static bool find_spot(const ls_plan *plan, int64_t round)
{
	const int64_t nodes = ls_plan_nodes(plan), tries = nodes < 1000 ? nodes : 1000;

	memset(&spot, 0, sizeof spot);
	spot.round = round;
	for (int64_t i = 0; i < tries; i++) {
		if (fits(plan, (nodes / 2 + 1 + i) % nodes))
			return true;
	}
	return false;
}

/* Sweeping ---------------------------------------------------------------------------------- */

static void zeros(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context, (void)rank, (void)first;
	memset(into, 0, n * sizeof(int64_t));
}

static struct ls_swept swept(const ls_plan *plan, int workers, uint64_t order, bool strict)
{
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = (size_t)ls_plan_blocks(plan),
		.type = LS_INT64,
		.make = zeros,
		.workers = workers,
		.order = order,
		.strict = strict };
	struct ls_swept out = { .size = sizeof out };

	CHECK(ls_sweep_run(&sweep, &out) == out.error.kind, "%s: what is returned", guarded());
	return out;
}

static void check(const ls_plan *plan, int workers, uint64_t order)
{
	const struct ls_swept out = swept(plan, workers, order, false);
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

static const struct ls_algorithm *algorithm_of(const ls_plan *plan)
{
	CHECK(plan->algorithm->shape && !plan->algorithm->is_local, "%s: not to be damaged",
		guarded());
	return plan->algorithm;
}

static ls_plan *plan_of_base(const struct base *b, const ls_topology *t)
{
	const struct ls_request request = { .size = sizeof request, .topology = t,
		.operation = b->operation, .algorithm = b->algorithm, .type = LS_INT64, .root = 1,
		.count = 1 };
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	if (ls_plan_make(&request, &plan, &why) != LS_OK) {
		fprintf(stderr, "%s\n", why.text);
		exit(1);
	}
	return plan;
}

static int64_t planted[DAMAGES];

/* The plan as it is found at the spot. */
static void check_damaged(const ls_plan *plan, bool every_way)
{
	const struct ls_algorithm algorithm = damaged();
	ls_plan *wrong;

	if (ls_plan_from(&algorithm, &plan->problem, &wrong) != LS_OK)
		exit(1);
	check(wrong, 2, 0);
	if (every_way) {
		check(wrong, 1, 0);
		check(wrong, 7, 0);
		check(wrong, 2, 5);
	}
	ls_plan_destroy(wrong);
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
		for (int64_t round = damage < OTHER_BLOCK ? 0 : rounds - 1; round < rounds; round++) {
			guard("%s %s %s, %s, round %" PRId64, b->spec, ls_operation_name(b->operation),
				b->algorithm, damage_name[d], round + 1);
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
		guard("%s %s %s, %s", b->spec, ls_operation_name(b->operation), b->algorithm,
			damage_name[d]);
		if (!(damages >> d & 1))
			continue;

		const bool found = find_spot(plan, damage < OTHER_BLOCK ? round : ls_plan_rounds(plan) - 1);

		CHECK(found, "%s: no place", guarded());
		if (found)
			check_damaged(plan, false);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* A wrong description of a round that repeats is wrong in every block of ranks; the first is named. */
static void test_period(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t);
	const int64_t rounds = ls_plan_rounds(plan);

	base = algorithm_of(plan);
	CHECK(base->period, "%s %s has no period", b->spec, b->algorithm);
	for (int d = 0; d < DAMAGES && base->period; d++) {
		damage = (enum damage)d;
		for (int64_t round = 0; round < rounds; round++) {
			const int64_t period = base->period(plan, round);
			struct spot *s = &spot;

			guard("%s %s, %s, round %" PRId64 ", period %" PRId64, b->spec, b->algorithm,
				damage_name[d], round + 1, period);
			if ((damage >= OTHER_BLOCK && round < rounds - 1) || !find_spot(plan, round)
					|| s->node / period != s->other / period
					|| (s->third != LS_NOBODY && s->third / period != s->node / period))
				continue;

			const int64_t shift = s->node / period * period;

			s->period = period;
			s->want.node -= shift;
			s->want.peer -= s->want.peer == LS_NOBODY ? 0 : shift;
			check_damaged(plan, true);
		}
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Descriptions ------------------------------------------------------------------------------ */

/*
 * What an algorithm says of all nodes at once is believed no more than what it says of each: where it
 * does not hold together, nodes are asked one by one.
 */
enum { STRANGER, SISTER, LATE, NEVER, LIES };
static int lie;

static bool lying_exchanges(const struct ls_plan *plan, int64_t first, int64_t count, int64_t round,
	int64_t *peer, int64_t *shape)
{
	const bool told = base->exchanges(plan, first, count, round, peer, shape);
	const int64_t i = spot.node - first;

	if (told && round == spot.round && i >= 0 && i < count)
		peer[i] = lie == STRANGER ? third_of(plan, spot.node, round, false)
			: lie == SISTER       ? third_of(plan, spot.node, round, true)
			: lie == LATE         ? spot.node
			                      : plan->problem.nodes;
	return told;
}

static struct ls_hearing lying_hears(const struct ls_plan *plan, int64_t rank)
{
	const struct ls_hearing heard = base->tree->hears(plan, rank);
	const struct ls_hearing lies[LIES] = { { heard.round, plan->problem.nodes - 1 - rank },
		{ heard.round ? heard.round - 1 : 1, heard.from }, { plan->frame.rounds, heard.from },
		{ -1, LS_NOBODY } };

	return rank == spot.node ? lies[lie] : heard;
}

static void test_lies(const struct base *b)
{
	ls_topology *t = topology_of(b->spec);
	ls_plan *plan = plan_of_base(b, t), *wrong;
	struct ls_single_tree tree = { 0 };
	struct ls_algorithm lying;

	base = algorithm_of(plan);
	CHECK(base->exchanges || base->tree, "%s says nothing", b->algorithm);
	lying = *base;
	if (base->exchanges)
		lying.exchanges = lying_exchanges;
	if (base->tree) {
		tree = *base->tree;
		tree.hears = lying_hears;
		lying.tree = &tree;
	}
	if (ls_plan_from(&lying, &plan->problem, &wrong) != LS_OK)
		exit(1);
	for (lie = 0; lie < LIES; lie++) {
		const struct ls_counts counts = ls_plan_predicted(plan, 1);

		memset(&spot, 0, sizeof spot);
		spot.node = ls_plan_nodes(plan) / 2 + 1;
		spot.round = ls_plan_rounds(plan) / 2;
		for (int workers = 1; workers < 4; workers++) {
			struct ls_swept out;

			guard("%s %s, lie %d, %d workers", b->spec, b->algorithm, lie, workers);
			out = swept(wrong, workers, 0, false);
			/* A lie that both ends of a message believe may spoil the result: that is seen. */
			CHECK(out.error.kind == LS_ERR_LAW ? !out.proved : out.error.kind == LS_OK && out.proved
						&& out.stats.messages == counts.messages && out.stats.rounds == counts.rounds,
				"%s: %" PRId64 " messages: %s", guarded(), out.stats.messages, out.error.text);
		}
	}
	ls_plan_destroy(wrong);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Congestion -------------------------------------------------------------------------------- */

static void test_congestion(const char *spec, enum ls_operation operation, const char *algorithm)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request, .topology = t, .mode = LS_ROUTED,
		.operation = operation, .algorithm = algorithm, .type = LS_INT64, .count = 1 };
	struct ls_check_options strict = { .size = sizeof strict, .strict = true };
	struct ls_certificate lax = { .size = sizeof lax }, found = { .size = sizeof found };
	ls_plan *plan;

	guard("%s %s %s, strict", spec, ls_operation_name(operation), algorithm);
	if (ls_plan_make(&request, &plan, NULL) != LS_OK)
		exit(1);
	CHECK(ls_check(plan, (size_t)ls_plan_blocks(plan), NULL, &lax) == LS_OK, "%s: %s", guarded(),
		lax.text);

	const bool crowded = ls_check(plan, (size_t)ls_plan_blocks(plan), &strict, &found) != LS_OK;

	for (int i = 0; i < 6; i++) {
		const int workers[] = { 1, 2, 7 };
		const struct ls_swept out = swept(plan, workers[i % 3], (uint64_t)(i / 3), true),
							  free = swept(plan, workers[i % 3], (uint64_t)(i / 3), false);

		CHECK(out.error.kind == (crowded ? LS_ERR_CONGESTION : LS_OK), "%s: %s: %s", guarded(),
			ls_status_name(out.error.kind), out.error.text);
		CHECK(!crowded || (out.error.round == found.round && out.error.node >= 0
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
	};
	const char *star = is_thin() ? "star:7" : "star:9";
	const uint32_t messages = (1u << OTHER_BLOCK) - 1 - (1u << SENDS_TOO);

	for (size_t i = 0; i < sizeof small / sizeof *small; i++)
		test_base(&small[i]);
	for (int d = 0; d < DAMAGES; d++)
		CHECK(planted[d] >= 2, "%s: planted %" PRId64 " times", damage_name[d], planted[d]);
	test_large(&(struct base){ star, LS_ALLREDUCE, "paper" },
		messages | 1u << OTHER_BLOCK | 1u << TWICE, 4);
	test_large(&(struct base){ star, LS_ALLREDUCE, "substar" }, 1u << SWAPPED, 0);
	test_large(&(struct base){ star, LS_BROADCAST, "matching" },
		1u << SENDS_TOO | 1u << NOT_SENT | 1u << FORGOTTEN, is_thin() ? 6 : 12);
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
