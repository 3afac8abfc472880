/*
 * Every law catches the plans that break it, for the right reason: law, node, round and text are compared.
 *
 * The plan that is damaged is recursive doubling on a hypercube, written here for B blocks.  Undamaged it
 * passes.  A row of the table says what is damaged at which node and round, and what must be said about it.
 */
#include <string.h>

#include <lockstep/check.h>

#include "plan/plan.h"
#include "plan/step.h"
#include "plan/storage.h"
#include "test.h"

typedef void damage(int64_t rank, int64_t round, struct ls_peers *, struct ls_step *);

struct row {
	const char *text;               /* after "law N (name): "; NULL: the plan is right */
	enum ls_law law;
	int64_t node, round;
	damage *peers, *body;           /* the other of the two arguments is NULL   */
	const char *topology;           /* NULL: hypercube:2                        */
	int64_t blocks;                 /* 0: 1                                     */
	enum ls_operation operation;    /* 0: all-reduce                            */
	enum ls_claim claim;            /* 0: ordered                               */
	int ports;                      /* 0: 1                                     */
	bool routed, strict, in_place, nodup, differs, tail, windowed, idle;
	struct ls_counts off;           /* added to the formulas                    */
	int64_t bound;
	ls_waits *waits;
};

/* The row at hand: the functions of an algorithm have no place for it. */
static const struct row *now;

static int64_t blocks(void)
{
	return now->blocks ? now->blocks : 1;
}

static int dimensions(const struct ls_problem *problem)
{
	int d = 0;

	while ((int64_t)1 << d < problem->nodes)
		d++;
	return d;
}

static struct ls_frame frame(const struct ls_problem *problem)
{
	struct ls_frame f = { .rounds = dimensions(problem) + now->idle, .blocks = blocks(), .tail = now->tail };

	f.scratch[0] = (struct ls_scratch){ blocks(), 1 };
	f.scratch[1] = (struct ls_scratch){ 4, 1 };
	f.scratch[2] = (struct ls_scratch){ 1, 1 };     /* one slot, for whatever number of blocks */
	return f;
}

static void peers(const struct ls_plan *plan, int64_t rank, int64_t round, struct ls_peers *out)
{
	if (round < dimensions(&plan->problem))
		out->to[0] = out->from[0] = rank ^ (int64_t)1 << round;
	if (now->peers)
		now->peers(rank, round, out, NULL);
}

static void body(const struct ls_plan *plan, int64_t round, int64_t rank, struct ls_step *step)
{
	const int64_t d = dimensions(&plan->problem), B = blocks();

	if (round >= 0 && round < d) {
		const bool in_place = plan->problem.in_place;
		const struct ls_slice mine = ls_blocks(ls_place(round, d, in_place), 0, B);
		const struct ls_slice sum = ls_blocks(ls_place(round + 1, d, in_place), 0, B);

		ls_step_send(step, mine);
		ls_step_receive(step, B);
		if (rank & (int64_t)1 << round)
			ls_step_combine(step, sum, ls_arrival(step), mine);
		else
			ls_step_combine(step, sum, mine, ls_arrival(step));
	}
	if (now->body)
		now->body(rank, round, NULL, step);
}

static struct ls_counts predict(const struct ls_problem *problem, size_t n)
{
	const int64_t d = dimensions(problem), p = problem->nodes, m = (int64_t)n;

	return (struct ls_counts){ d + now->off.rounds, d * p + now->off.messages, d * p * m + now->off.words,
		d * m + now->off.volume };
}

static int64_t lower_bound(const struct ls_problem *problem)
{
	(void)problem;
	return now->bound;
}

static struct ls_window window(const struct ls_plan *plan, int64_t rank, int k)
{
	return (struct ls_window){ 0, now->windowed && k == 1 && rank == 3 ? 0 : plan->frame.scratch[k].slots };
}

/* Not damages: the sum of the last round by a FOLD of parts of B blocks, and a COPY that does nothing. */
static void folds(int64_t rank, int64_t round, struct ls_peers *unused, struct ls_step *step)
{
	const int64_t B = blocks();
	const struct ls_move sum = step->move[0];

	(void)rank, (void)unused;
	if (round != 1)
		return;
	step->n_moves = 0;
	ls_step_copy(step, ls_blocks(LS_SCRATCH + 1, 0, B), sum.a);
	ls_step_copy(step, ls_blocks(LS_SCRATCH + 1, B, B), sum.b);
	ls_step_fold(step, sum.dst, ls_blocks(LS_SCRATCH + 1, 0, 2 * B));
}

static void copies_onto_itself(int64_t rank, int64_t round, struct ls_peers *unused, struct ls_step *step)
{
	(void)rank, (void)unused;
	if (round == 0)
		ls_step_copy(step, ls_blocks(LS_OUTPUT, 0, blocks()), ls_blocks(LS_INPUT, 0, blocks()));
}

/* The damages: nodes and rounds (from 0) are those of the row. ------------------------------------- */

#define DAMAGE(name, at_rank, at_round, ...) \
	static void name(int64_t rank, int64_t round, struct ls_peers *peers, struct ls_step *step) \
	{ \
		(void)peers, (void)step; \
		if (rank == (at_rank) && round == (at_round)) { \
			__VA_ARGS__; \
		} \
	}

static struct ls_slice output(int64_t block) { return ls_one(LS_OUTPUT, block); }
static struct ls_slice scratch(int k, int64_t block) { return ls_one(LS_SCRATCH + k, block); }
static const int64_t zero_zero[] = { 0, 0 }, zero_seven[] = { 0, 7 }, one_zero[] = { 1, 0 }, negative[] = { -1 };

/* law 0 */
DAMAGE(reads_past_end, 1, 0, step->move[0].a = ls_one(LS_INPUT, 1))
DAMAGE(sends_past_end, 1, 0, step->send[0] = ls_one(LS_INPUT, 1))
DAMAGE(reads_negative, 1, 0, step->move[0].b = ls_indexed(LS_INPUT, negative, 1))
DAMAGE(reads_idle_port, 2, 1, step->move[0].a = ls_one(LS_ARRIVAL + 1, 0))
DAMAGE(reads_past_arrival, 2, 1, step->move[0].b = ls_one(LS_ARRIVAL, 1))
DAMAGE(writes_input, 3, 0, step->move[0].dst = ls_one(LS_INPUT, 0))
DAMAGE(writes_arrival, 3, 0, step->move[0].dst = ls_arrival(step))
DAMAGE(sends_arrival, 3, 0, step->send[0] = ls_arrival(step))
DAMAGE(sends_nothing, 3, 0, step->send[0] = ls_blocks(LS_INPUT, 0, 0))
DAMAGE(no_buffer, 3, 0, step->move[0].dst = ls_one(LS_BUFFERS, 0))
DAMAGE(no_scratch, 3, 0, step->move[0].dst = scratch(3, 0))
DAMAGE(outside_window, 3, 0, ls_step_copy(step, scratch(1, 0), ls_one(LS_INPUT, 0)))
DAMAGE(writes_twice, 0, 0, step->move[0].dst = ls_indexed(LS_SCRATCH, zero_zero, 2))
DAMAGE(too_short, 0, 0, step->move[0].dst = scratch(0, 0))
DAMAGE(mixes_blocks, 0, 1, ls_step_copy(step, output(1), ls_one(LS_INPUT, 0)))
DAMAGE(overlaps, 0, 1, ls_step_copy(step, ls_blocks(LS_OUTPUT, 0, 2), ls_indexed(LS_OUTPUT, one_zero, 2)))
DAMAGE(overlaps_in_part, 0, 1,
	ls_step_copy(step, ls_blocks(LS_SCRATCH + 1, 0, 2), ls_indexed(LS_SCRATCH + 1, zero_seven, 2)))
DAMAGE(runs_past_cycle, 0, 1, ls_step_copy(step, ls_blocks(LS_OUTPUT, 0, 3), ls_cyclic(LS_INPUT, 0, 3, 2)))
DAMAGE(past_measure, 0, 1, ls_step_copy(step, scratch(0, 2), ls_one(LS_INPUT, 0)))
DAMAGE(folds_unevenly, 0, 1, ls_step_fold(step, ls_blocks(LS_OUTPUT, 0, 2), ls_blocks(LS_INPUT, 0, 3)))
DAMAGE(folds_itself, 0, 1, ls_step_fold(step, output(0), output(0)))
DAMAGE(peer_is_no_node, 2, 0, peers->to[0] = 4)

static void mistakes_slot(int64_t rank, int64_t round, struct ls_peers *unused, struct ls_step *step)
{
	(void)unused;
	if (rank == 2 && round == 0)
		ls_step_copy(step, scratch(2, 4), ls_one(LS_INPUT, 0));     /* block 4 is 0 once more */
	if (rank == 2 && round == 1)
		ls_step_copy(step, output(1), scratch(2, 1));
}

/* law 1 */
DAMAGE(second_port, 3, 1, peers->to[1] = 2)
DAMAGE(receives_on_second_port, 3, 1, peers->from[1] = 2)
DAMAGE(sends_to_one_twice, 3, 1, peers->to[1] = peers->to[0])
DAMAGE(receives_of_one_twice, 1, 0, peers->from[1] = peers->from[0])

/* law 2 */
DAMAGE(does_not_send, 3, 0, peers->to[0] = LS_NOBODY)
DAMAGE(expects_two, 1, 1, ls_step_receive(step, 2))
DAMAGE(sends_other_block, 1, 0, step->send[0] = ls_indexed(LS_INPUT, one_zero, 2))

static void does_not_receive(int64_t rank, int64_t round, struct ls_peers *out, struct ls_step *step)
{
	if (rank == 2 && round == 1 && out)
		out->from[0] = LS_NOBODY;
	if (rank == 2 && round == 1 && step)
		step->n_moves = 0;
}

/* law 3 */
DAMAGE(sends_across, 0, 1, peers->to[0] = 3)
DAMAGE(sends_to_itself, 1, 0, peers->to[0] = 1)

/* law 4 */
DAMAGE(writes_sent, 2, 1, step->move[0].dst = scratch(0, 0))
DAMAGE(writes_sent_alias, 2, 0, ls_step_copy(step, output(0), ls_arrival(step)))
DAMAGE(writes_sent_slot, 1, 1, step->send[0] = scratch(2, 0); ls_step_copy(step, scratch(2, 2), ls_one(LS_ARRIVAL, 0)))
DAMAGE(writes_sent_run, 3, 1, ls_step_copy(step, scratch(0, 1), ls_one(LS_ARRIVAL, 1)))

/* law 5 */
DAMAGE(forgets_to_add, 3, 1, step->move[0] = (struct ls_move){ LS_COPY, output(0), ls_arrival(step), { 0 } })
DAMAGE(adds_twice, 1, 1, ls_step_combine(step, output(0), output(0), ls_one(LS_INPUT, 0)))
DAMAGE(swaps_operands, 2, 1, step->move[0].a = ls_one(LS_SCRATCH, 0); step->move[0].b = ls_arrival(step))
DAMAGE(reads_unwritten, 2, 0, step->move[0].a = ls_one(LS_OUTPUT, 0))
DAMAGE(sends_unwritten, 1, 1, step->send[0] = scratch(1, 0))
DAMAGE(does_not_write, 1, 1, step->n_moves = 0)
DAMAGE(tail_writes, 2, 2, ls_step_copy(step, output(0), ls_one(LS_INPUT, 0)))

/* law 7 */
static void meet_again(int64_t rank, int64_t round, struct ls_peers *out, struct ls_step *unused)
{
	(void)unused;
	if (round == 1)
		out->to[0] = out->from[0] = rank ^ 1;
}

static void two_meet_again(int64_t rank, int64_t round, struct ls_peers *out, struct ls_step *unused)
{
	(void)unused;
	if (round == 1)
		out->to[0] = out->from[0] = rank < 2 ? LS_NOBODY : rank ^ 1;
}

static void second_block_again(int64_t rank, int64_t round, struct ls_peers *unused, struct ls_step *step)
{
	(void)rank, (void)unused;
	if (round == 1) {
		step->send[0] = ls_one(LS_SCRATCH, 1);
		step->arrives[0] = 1;
		step->n_moves = 0;
	}
}

/* law 8 */
static int no_waits(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	(void)rank;
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = -1;
	return LS_OK;
}

static int one_too_few(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = rank == 5 && t > 0 ? t - 2 : t - 1;
	return LS_OK;
}

static int for_itself(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = rank == 2 ? t : t - 1;
	return LS_OK;
}

static int simplest(const ls_plan *plan, int64_t rank, int64_t *waits)
{
	(void)rank;
	for (int64_t t = 0; t < ls_plan_steps(plan); t++)
		waits[t] = t - 1;
	return LS_OK;
}

/* -------------------------------------------------------------------------------------------------- */

#define WRONG(LAW, at_node, at_round, says) .law = LS_LAW_ ## LAW, .node = at_node, .round = at_round, .text = says

static const struct row rows[] = {
	/* right */
	{ .text = NULL },
	{ .text = NULL, .nodup = true },
	{ .text = NULL, .blocks = 3 },
	{ .text = NULL, .topology = "hypercube:3", .in_place = true, .blocks = 2 },
	{ .text = NULL, .topology = "hypercube:9" },
	{ .text = NULL, .topology = "hypercube:9", .waits = simplest },
	{ .text = NULL, .topology = "hypercube:3", .waits = simplest },
	{ .text = NULL, .waits = no_waits },
	{ .text = NULL, .topology = "complete:4", .routed = true, .strict = true },
	{ .text = NULL, .topology = "linear:4", .routed = true },
	{ .text = NULL, .claim = LS_COMMUTATIVE, .body = swaps_operands, .differs = true },
	{ .text = NULL, .operation = LS_BARRIER },
	{ .text = NULL, .bound = 2 },
	{ .text = NULL, .body = folds, .blocks = 2 },
	{ .text = NULL, .body = copies_onto_itself, .in_place = true, .blocks = 2 },

	{ .body = reads_past_end, WRONG(SHAPE, 1, 1, "move 1 reads INPUT block 1, which does not exist") },
	{ .body = sends_past_end, WRONG(SHAPE, 1, 1, "sends INPUT block 1, which does not exist") },
	{ .body = reads_negative, WRONG(SHAPE, 1, 1, "move 1 reads INPUT block -1, which does not exist") },
	{ .body = reads_idle_port, WRONG(SHAPE, 2, 2, "move 1 reads ARRIVAL block 0, which does not exist") },
	{ .body = reads_past_arrival, WRONG(SHAPE, 2, 2, "move 1 reads ARRIVAL block 1, which does not exist") },
	{ .body = writes_input, WRONG(SHAPE, 3, 1, "move 1 writes INPUT") },
	{ .body = writes_arrival, WRONG(SHAPE, 3, 1, "move 1 writes ARRIVAL") },
	{ .body = sends_arrival, WRONG(SHAPE, 3, 1, "sends ARRIVAL, which must be copied first") },
	{ .body = sends_nothing, WRONG(SHAPE, 3, 1, "sends an empty slice") },
	{ .body = no_buffer, WRONG(SHAPE, 3, 1, "move 1 writes buffer 10, which does not exist") },
	{ .body = no_scratch, WRONG(SHAPE, 3, 1, "move 1 writes scratch 3 block 0, which does not exist") },
	{ .body = outside_window, .windowed = true, WRONG(SHAPE, 3, 1, "move 2 writes scratch 1 block 0, which does not exist") },
	{ .body = writes_twice, .blocks = 2, WRONG(SHAPE, 0, 1, "move 1 writes scratch 0 block 0 twice") },
	{ .body = too_short, .blocks = 2, WRONG(SHAPE, 0, 1, "move 1 makes 1 blocks of 2") },
	{ .body = mixes_blocks, .blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 makes OUTPUT block 1 of INPUT block 0, which measures otherwise") },
	{ .body = overlaps, .blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 makes OUTPUT block 0 of OUTPUT block 1, which measures otherwise") },
	{ .body = overlaps_in_part, .blocks = 2, WRONG(SHAPE, 0, 2, "move 2 reads in part what it writes") },
	{ .body = runs_past_cycle, .blocks = 3, WRONG(SHAPE, 0, 2, "move 2 reads a run of 3 in a cycle of 2") },
	{ .body = past_measure, .blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 writes scratch 0 block 2, which does not exist") },
	{ .body = folds_unevenly, .blocks = 3, WRONG(SHAPE, 0, 2, "move 2 makes 2 blocks of 3") },
	{ .body = folds_itself, WRONG(SHAPE, 0, 2, "move 2 reads in part what it writes") },
	{ .peers = peer_is_no_node, WRONG(SHAPE, 2, 1, "the peer of port 0 is no node") },
	{ .body = mistakes_slot, .blocks = 2,
		WRONG(SHAPE, 2, 2, "move 2 reads scratch 2 block 1, where block 0 lies") },

	{ .peers = second_port, WRONG(PORT, 3, 2, "port 1 is in use; the machine has 1") },
	{ .peers = receives_on_second_port, WRONG(PORT, 3, 2, "port 1 is in use; the machine has 1") },
	{ .peers = sends_to_one_twice, .ports = 2, WRONG(PORT, 3, 2, "ports 0 and 1 send to node 1") },
	{ .peers = receives_of_one_twice, .ports = 2, WRONG(PORT, 1, 1, "ports 0 and 1 receive from node 0") },

	{ .peers = does_not_send, WRONG(MATCH, 2, 1, "receives of node 3, which does not send to it") },
	{ .peers = does_not_receive, .body = does_not_receive,
		WRONG(MATCH, 0, 2, "sends to node 2, which does not receive of it") },
	{ .body = expects_two, WRONG(MATCH, 1, 2, "expects 2 blocks of node 3, which sends 1") },
	{ .body = sends_other_block, .blocks = 2,
		WRONG(MATCH, 0, 1, "move 1 makes scratch 0 block 0 of a block 1 that arrives") },

	{ .peers = sends_across, WRONG(LINK, 0, 2, "sends to node 3; there is no such link") },
	{ .peers = sends_to_itself, WRONG(LINK, 1, 1, "sends to node 1; there is no such link") },
	{ .peers = sends_to_itself, .routed = true, WRONG(LINK, 1, 1, "sends to node 1; there is no such link") },
	{ .topology = "linear:4", .routed = true, .strict = true,
		WRONG(LINK, 1, 2, "2 messages cross the link to node 2") },
	{ .topology = "linear:8", .routed = true, .strict = true,
		WRONG(LINK, 1, 2, "2 messages cross the link to node 2") },

	{ .body = writes_sent, WRONG(IN_FLIGHT, 2, 2, "move 1 writes scratch 0 block 0, which is being sent") },
	{ .body = writes_sent_alias, .in_place = true,
		WRONG(IN_FLIGHT, 2, 1, "move 2 writes OUTPUT block 0, which is being sent") },
	{ .body = writes_sent_slot, .blocks = 2,
		WRONG(IN_FLIGHT, 1, 2, "move 2 writes scratch 2 block 2, which is being sent") },
	{ .body = writes_sent_run, .blocks = 2,
		WRONG(IN_FLIGHT, 3, 2, "move 2 writes scratch 0 block 1, which is being sent") },

	{ .body = forgets_to_add, WRONG(RESULT, 3, 1, "OUTPUT block 0 lacks the contribution of node 2") },
	{ .body = adds_twice, WRONG(RESULT, 1, 2, "OUTPUT block 0 holds the contribution of node 1 twice") },
	{ .body = swaps_operands, WRONG(RESULT, 2, 2, "OUTPUT block 0 is not in rank order") },
	{ .body = swaps_operands, .claim = LS_COMMUTATIVE,
		WRONG(RESULT, 2, 2, "OUTPUT block 0 is another expression than at node 0") },
	{ .body = reads_unwritten, WRONG(RESULT, 2, 1, "move 1 reads OUTPUT block 0, which was never written") },
	{ .body = sends_unwritten, WRONG(RESULT, 1, 2, "sends scratch 1 block 0, which was never written") },
	{ .body = does_not_write, WRONG(RESULT, 1, -1, "OUTPUT block 0 was never written") },
	{ .operation = LS_REDUCE,
		WRONG(RESULT, 1, 2, "move 1 writes OUTPUT block 0, which the node does not have") },
	{ .operation = LS_SCAN, .differs = true, WRONG(RESULT, 0, 2,
		"OUTPUT block 0 holds the contribution of node 1, which does not belong there") },
	{ .operation = LS_EXSCAN, .differs = true, WRONG(RESULT, 0, 2, "OUTPUT block 0 is to stay as it was") },
	{ .body = tail_writes, .tail = true, WRONG(RESULT, 2, -1, "OUTPUT block 0 lacks the contribution of node 0") },

	{ .off = { .rounds = 1 }, WRONG(COUNT, -1, -1, "2 rounds; the algorithm's formula says 3") },
	{ .off = { .messages = -1 }, WRONG(COUNT, -1, -1, "8 messages; the algorithm's formula says 7") },
	{ .off = { .words = 5 }, WRONG(COUNT, -1, -1, "40 words; the algorithm's formula says 45") },
	{ .off = { .volume = 1 }, WRONG(COUNT, -1, -1, "10 words of volume; the algorithm's formula says 11") },
	{ .idle = true, .off = { .rounds = 1 }, WRONG(COUNT, -1, -1, "2 rounds; the algorithm's formula says 3") },
	{ .bound = 3, WRONG(COUNT, -1, -1, "2 rounds, fewer than the lower bound 3") },

	{ .peers = meet_again, .nodup = true,
		WRONG(NODUP, 0, 2, "receives the contribution of node 1 again, from node 1") },
	{ .peers = two_meet_again, .body = second_block_again, .nodup = true, .blocks = 2,
		WRONG(NODUP, 2, 2, "receives the contribution of node 3 again, from node 3") },

	{ .topology = "hypercube:3", .waits = no_waits, WRONG(LENDING, 0, 3,
		"move 1 writes OUTPUT block 0, lent to node 2 in round 2 and not known to be read") },
	{ .topology = "hypercube:9", .waits = no_waits, WRONG(LENDING, 0, 3,
		"move 1 writes OUTPUT block 0, lent to node 2 in round 2 and not known to be read") },
	{ .topology = "hypercube:3", .waits = one_too_few, WRONG(LENDING, 5, 3,
		"move 1 writes OUTPUT block 0, lent to node 7 in round 2 and not known to be read") },
	{ .waits = for_itself, WRONG(LENDING, 2, 1, "waits for what is lent in step 0, which has not ended") },
};

static struct ls_algorithm algorithm_of(const struct row *row)
{
	return (struct ls_algorithm){
		.operations = ~0u, .name = "doubling", .claim = row->claim ? row->claim : LS_ORDERED,
		.identical = !row->differs, .nodup = row->nodup, .frame = frame, .peers = peers, .body = body,
		.window = window, .predict = predict, .lower_bound = lower_bound
	};
}

static void test_row(const struct row *row, int number)
{
	const struct ls_algorithm algorithm = algorithm_of(row);
	const struct ls_check_options options = { .size = sizeof options, .strict = row->strict, .waits = row->waits };
	struct ls_certificate c = { .size = sizeof c };
	ls_topology *t = NULL;
	ls_plan *plan = NULL;
	char prefix[32];

	now = row;
	if (ls_topology_make(row->topology ? row->topology : "hypercube:2", &t, NULL) != LS_OK)
		exit(1);

	const struct ls_problem problem = {
		.topology = t, .nodes = ls_topology_nodes(t), .operation = row->operation ? row->operation : LS_ALLREDUCE,
		.mode = row->routed ? LS_ROUTED : LS_HOP, .segments = 1, .ports = row->ports ? row->ports : 1,
		.in_place = row->in_place
	};

	if (ls_plan_from(&algorithm, &problem, &plan) != LS_OK)
		exit(1);

	const int status = ls_check(plan, 5, &options, &c);

	if (!row->text) {
		CHECK(status == LS_OK, "row %d: %d %s", number, status, c.text);
		CHECK(c.laws == (row->nodup ? 0x1ffu : 0x17fu), "row %d: %x", number, c.laws);
		CHECK(c.nodup == row->nodup && c.identical == !row->differs && !c.by_fingerprint, "row %d", number);
		CHECK(c.broken == -1, "row %d", number);
	} else {
		snprintf(prefix, sizeof prefix, "law %d (%s): ", row->law, ls_law_name(row->law));
		CHECK(status == LS_ERR_LAW, "row %d: %d", number, status);
		CHECK(c.broken == (int)row->law && c.node == row->node && c.round == row->round,
			"row %d: law %d, node %lld, round %lld", number, c.broken, (long long)c.node, (long long)c.round);
		CHECK(strstr(c.text, prefix) == c.text && strlen(c.text) >= strlen(row->text)
			&& strcmp(c.text + strlen(c.text) - strlen(row->text), row->text) == 0, "row %d: %s", number, c.text);
	}
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

int main(void)
{
	int least[LS_LAWS] = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_row(&rows[i], (int)i);
		if (rows[i].text)
			least[rows[i].law]++;
	}
	for (int law = 0; law < LS_LAWS; law++)
		CHECK(least[law] >= 2, "law %d has %d broken plans", law, least[law]);
	return test_result();
}
