/*
 * Each damaged plan breaks the law that it should: law, node, round and text are compared.  The
 * undamaged plan passes.  A flow refuses plans that break the laws on which it depends.
 */
#include <string.h>

#include "engine/cooperative/flow.h"
#include "laws_damage.h"
#include "test.h"

#define TWICE(verb, peer) \
	verb " two messages " peer " in this round; try another round for one of them"
#define EXCESS_PORT(verb, peers) \
	verb " 2 messages in this round, " peers ", but has 1 port; try another round for one of " \
		 "them, --ports 2, or the line 'ports 2' in a plan file"
/* The remedy of law 4: a copy in scratch that the plan does not use. */
#define COPY(node, slots, copy, block) \
	", which the node sends in this round; send a copy: 'scratch V " slots \
	"' in the header, 'local' " \
	"and '" node ": " copy " := " block "' before the round, 'send " copy "' in it"
#define WRONG(LAW, at_node, at_round, says) \
	.law = LS_LAW_##LAW, .node = at_node, .round = at_round, .text = says

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
	{ .text = NULL, .idempotent = true, .body = adds_twice, .differs = true },
	{ .text = NULL, .idempotent = true, .body = doubles_sent, .differs = true },
	{ .text = NULL, .operation = LS_BARRIER },
	{ .text = NULL, .bound = 2 },
	{ .text = NULL,
		.topology = "hypercube:3",
		.peers = highest_first,
		.claim = LS_COMMUTATIVE,
		.differs = true },
	{ .text = NULL,
		.topology = "hypercube:3",
		.peers = highest_first,
		.claim = LS_COMMUTATIVE,
		.differs = true,
		.nodup = true },
	{ .text = NULL,
		.topology = "hypercube:3",
		.peers = highest_first,
		.claim = LS_COMMUTATIVE,
		.differs = true,
		.memory = 1 },
	{ .text = NULL,
		.topology = "hypercube:3",
		.peers = highest_first,
		.claim = LS_COMMUTATIVE,
		.differs = true,
		.nodup = true,
		.memory = 2 * 8 * 8 }, /* what is received, and sums of two nodes only */
	{ .text = NULL, .body = folds, .blocks = 2 },
	{ .text = NULL, .body = copies_onto_itself, .in_place = true, .blocks = 2 },

	{ .body = reads_past_end, WRONG(SHAPE, 1, 1, "move 1 reads INPUT[1], which does not exist") },
	{ .body = sends_past_end, WRONG(SHAPE, 1, 1, "sends INPUT[1], which does not exist") },
	{ .body = reads_negative, WRONG(SHAPE, 1, 1, "move 1 reads INPUT[-1], which does not exist") },
	{ .body = reads_idle_port,
		WRONG(SHAPE, 2, 2, "move 1 reads ARRIVAL1[0], which does not exist") },
	{ .body = reads_past_arrival,
		WRONG(SHAPE, 2, 2, "move 1 reads ARRIVAL[1], which does not exist") },
	{ .body = writes_input, WRONG(SHAPE, 3, 1, "move 1 writes INPUT") },
	{ .body = writes_arrival, WRONG(SHAPE, 3, 1, "move 1 writes ARRIVAL") },
	{ .body = sends_arrival,
		WRONG(SHAPE, 3, 1, "sends ARRIVAL; copy it first, and send the copy in a later round") },
	{ .body = sends_nothing, WRONG(SHAPE, 3, 1, "sends an empty slice") },
	{ .body = no_buffer, WRONG(SHAPE, 3, 1, "move 1 writes buffer 10, which does not exist") },
	{ .body = no_scratch, WRONG(SHAPE, 3, 1, "move 1 writes V[0], which does not exist") },
	{ .body = outside_window,
		.windowed = true,
		WRONG(SHAPE, 3, 1, "move 2 writes T[0], which does not exist") },
	{ .body = writes_twice, .blocks = 2, WRONG(SHAPE, 0, 1, "move 1 writes S[0] twice") },
	{ .body = too_short, .blocks = 2, WRONG(SHAPE, 0, 1, "move 1 writes 1 blocks from 2 blocks") },
	{ .body = mixes_blocks,
		.blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 writes OUTPUT[1] from INPUT[0], whose length may differ") },
	{ .body = overlaps,
		.blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 writes OUTPUT[0] from OUTPUT[1], whose length may differ") },
	{ .body = overlaps_in_part,
		.blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 reads some of the blocks that it writes") },
	{ .body = runs_past_cycle,
		.blocks = 3,
		WRONG(SHAPE, 0, 2, "move 2 reads a run of 3 in a cycle of 2") },
	{ .body = runs_past_one,
		.blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 reads a run of 2 in a cycle of 1") },
	{ .body = past_measure,
		.blocks = 2,
		WRONG(SHAPE, 0, 2, "move 2 writes S[2], which does not exist") },
	{ .body = folds_unevenly,
		.blocks = 3,
		WRONG(SHAPE, 0, 2, "move 2 writes 2 blocks from 3 blocks") },
	{ .body = folds_itself, WRONG(SHAPE, 0, 2, "move 2 reads some of the blocks that it writes") },
	{ .body = folds_out_of_order,
		WRONG(SHAPE, 2, 2, "move 2 folds blocks of ARRIVAL that are not consecutive") },
	{ .body = folds_back,
		WRONG(SHAPE, 2, 2, "move 2 folds blocks of ARRIVAL that are not consecutive") },
	{ .body = does_no_action, WRONG(SHAPE, 1, 2, "move 1 has an unknown action") },
	{ .peers = peer_is_no_node, WRONG(SHAPE, 2, 1, "the peer of port 0 is not a node") },
	{ .body = mistakes_slot,
		.blocks = 2,
		WRONG(SHAPE, 2, 2, "move 2 reads U[1], which holds block 0, not block 1") },

	{ .peers = second_port, WRONG(PORT, 3, 2, EXCESS_PORT("sends", "to nodes 1, 2")) },
	{ .peers = receives_on_second_port,
		WRONG(PORT, 3, 2, EXCESS_PORT("receives", "from nodes 1, 2")) },
	{ .peers = skips_port,
		WRONG(PORT, 3, 2, "uses port 1, but the plan has 1 port, numbered from 0") },
	{ .peers = sends_to_one_twice, .ports = 2, WRONG(PORT, 3, 2, TWICE("sends", "to node 1")) },
	{ .peers = sends_to_one_twice, WRONG(PORT, 3, 2, TWICE("sends", "to node 1")) },
	{ .peers = receives_of_one_twice,
		.ports = 2,
		WRONG(PORT, 1, 1, TWICE("receives", "from node 0")) },

	{ .peers = does_not_send,
		WRONG(MATCH, 2, 1, "receives from node 3, which does not send to it") },
	{ .peers = does_not_receive,
		.body = does_not_receive,
		WRONG(MATCH, 0, 2, "sends to node 2, which does not receive from it") },
	{ .body = expects_two, WRONG(MATCH, 1, 2, "expects 2 blocks from node 3, which sends 1") },
	{ .body = sends_other_block,
		.blocks = 2,
		WRONG(MATCH, 0, 1, "move 1 stores received block 1 as block 0") },

	{ .peers = sends_across,
		WRONG(LINK, 0, 2,
			"sends to node 3, which is not a neighbor; try a neighbor (1, 2), --mode routed, or "
			"the "
			"line 'mode routed' in a plan file") },
	{ .peers = sends_to_itself, WRONG(LINK, 1, 1, "sends to itself") },
	{ .peers = sends_to_itself, .routed = true, WRONG(LINK, 1, 1, "sends to itself") },
	{ .topology = "linear:4",
		.routed = true,
		.strict = true,
		WRONG(LINK, 1, 2, "2 messages cross the link to node 2") },
	{ .topology = "linear:8",
		.routed = true,
		.strict = true,
		WRONG(LINK, 1, 2, "2 messages cross the link to node 2") },

	{ .body = writes_sent,
		WRONG(IN_FLIGHT, 2, 2, "move 1 writes S[0]" COPY("2", "1", "V[0]", "S[0]")) },
	{ .body = writes_sent_alias,
		.in_place = true,
		WRONG(IN_FLIGHT, 2, 1, "move 2 writes OUTPUT[0]" COPY("2", "1", "V[0]", "OUTPUT[0]")) },
	{ .body = writes_sent_slot,
		.blocks = 2,
		WRONG(IN_FLIGHT, 1, 2, "move 2 writes U[2]" COPY("1", "2", "V[0]", "U[2]")) },
	{ .body = writes_sent_run,
		.blocks = 2,
		WRONG(IN_FLIGHT, 3, 2, "move 2 writes S[1]" COPY("3", "2", "V[1]", "S[1]")) },

	{ .body = forgets_to_add,
		WRONG(RESULT, 3, 2, "OUTPUT[0] lacks the contributions of nodes 2, 3") },
	{ .body = forgets_in_last_round,
		.topology = "hypercube:3",
		.peers = highest_first,
		.claim = LS_COMMUTATIVE,
		.differs = true,
		.memory = 1,
		WRONG(RESULT, 3, 3,
			"the fingerprint of OUTPUT[0] differs from that of the expected result") },
	{ .body = adds_twice,
		WRONG(RESULT, 1, 2, "OUTPUT[0] contains the contribution of node 1 twice") },
	{ .body = adds_twice,
		.claim = LS_COMMUTATIVE,
		.differs = true,
		WRONG(RESULT, 1, 2, "OUTPUT[0] contains the contribution of node 1 twice") },
	{ .body = swaps_operands, WRONG(RESULT, 2, 2, "OUTPUT[0] is not in rank order") },
	{ .body = swaps_operands,
		.claim = LS_COMMUTATIVE,
		WRONG(RESULT, 2, 2, "OUTPUT[0] is not the same expression as at node 0") },
	{ .body = reads_unwritten,
		WRONG(RESULT, 2, 1, "move 1 reads OUTPUT[0], which was never written") },
	{ .body = sends_unwritten, WRONG(RESULT, 1, 2, "sends T[0], which was never written") },
	{ .body = does_not_write,
		WRONG(RESULT, 1, -1,
			"OUTPUT[0] was never written; it must have the contributions of nodes 0..3") },
	{ .operation = LS_REDUCE,
		WRONG(RESULT, 1, 2, "move 1 writes OUTPUT[0], which the node does not have") },
	{ .operation = LS_SCAN,
		.differs = true,
		WRONG(RESULT, 0, 2,
			"OUTPUT[0] contains the contribution of node 1, which does not belong there") },
	{ .operation = LS_SCAN,
		.topology = "hypercube:3",
		.peers = highest_first,
		.idempotent = true,
		.differs = true,
		.memory = 1,
		WRONG(RESULT, 0, 3,
			"OUTPUT[0] contains the contribution of node 1, which does not belong there") },
	{ .operation = LS_EXSCAN,
		.differs = true,
		WRONG(RESULT, 0, 2, "writes OUTPUT[0], which the operation leaves unchanged") },
	{ .body = tail_writes,
		.tail = true,
		WRONG(RESULT, 2, 0, "OUTPUT[0] lacks the contributions of nodes 0, 1, 3") },

	{ .off = { .rounds = 1 },
		WRONG(COUNT, -1, -1, "2 rounds, but the formula of the algorithm gives 3") },
	{ .off = { .messages = -1 },
		WRONG(COUNT, -1, -1, "8 messages, but the formula of the algorithm gives 7") },
	{ .off = { .words = 5 },
		WRONG(COUNT, -1, -1, "40 words, but the formula of the algorithm gives 45") },
	{ .off = { .volume = 1 },
		WRONG(COUNT, -1, -1, "10 words of volume, but the formula of the algorithm gives 11") },
	{ .idle = true,
		.off = { .rounds = 1 },
		WRONG(COUNT, -1, -1, "2 rounds, but the formula of the algorithm gives 3") },
	{ .bound = 3, WRONG(COUNT, -1, -1, "2 rounds, fewer than the lower bound 3") },

	{ .peers = meet_again,
		.nodup = true,
		WRONG(NODUP, 0, 2, "receives the contribution of node 1 again, from node 1") },
	{ .peers = two_meet_again,
		.body = second_block_again,
		.nodup = true,
		.blocks = 2,
		WRONG(NODUP, 2, 2, "receives the contribution of node 3 again, from node 3") },
	{ .peers = one_receives_again,
		.body = second_block_again,
		.nodup = true,
		.blocks = 2,
		WRONG(NODUP, 1, 2, "receives the contribution of node 0 again, from node 0") },
	{ .body = doubles_sent,
		.idempotent = true,
		.nodup = true,
		.differs = true,
		WRONG(NODUP, 1, 2, "receives the contribution of node 2 twice in one block, from node 3") },

	{ .topology = "hypercube:3",
		.waits = no_waits,
		WRONG(ZERO_COPY, 0, 3,
			"move 1 overwrites OUTPUT[0], which node 2 may still read (sent in round 2)") },
	{ .topology = "hypercube:9",
		.waits = no_waits,
		WRONG(ZERO_COPY, 0, 3,
			"move 1 overwrites OUTPUT[0], which node 2 may still read (sent in round 2)") },
	{ .topology = "hypercube:3",
		.waits = one_too_few,
		WRONG(ZERO_COPY, 5, 3,
			"move 1 overwrites OUTPUT[0], which node 7 may still read (sent in round 2)") },
	{ .waits = for_itself,
		WRONG(
			ZERO_COPY, 2, 1, "waits for acknowledgments of step 0, which is not an earlier step") },
};

static struct lsi_algorithm algorithm_of(const struct row *row)
{
	static const struct lsi_whole_machine whole = { .window = window };

	return (struct lsi_algorithm){ .operations = ~0u,
		.name = "doubling",
		.claim = row->idempotent ? LS_IDEMPOTENT
			: row->claim         ? row->claim
								 : LS_ORDERED,
		.identical = !row->differs,
		.nodup = row->nodup,
		.frame = frame,
		.peers = peers,
		.body = body,
		.whole = &whole,
		.predict = predict,
		.lower_bound = lower_bound };
}

static void test_flow(const struct row *row, const ls_plan *plan, int number)
{
	const bool must = row->text && !row->strict && row->law <= LS_LAW_IN_FLIGHT;
	struct lsi_flow *flow = NULL;
	const int made = lsi_flow_make(plan, &flow);

	CHECK(made == LS_ERR_LAW || (made == LS_OK && !must), "row %d: a flow says %d", number, made);
	CHECK(made == LS_OK || row->text, "row %d: a flow says %d", number, made);
	lsi_flow_destroy(flow);
}

static int go_on(void *context, const ls_replay *replay)
{
	(void)context, (void)replay;
	return 0;
}

static struct ls_check_options options_of(const struct row *row, const struct ls_observer *or_null)
{
	return (struct ls_check_options){ .size = sizeof(struct ls_check_options),
		.strict = row->strict,
		.memory = row->memory,
		.waits = row->waits,
		.observer = or_null };
}

static void test_row(const struct row *row, int number, const struct ls_observer *or_null)
{
	const struct lsi_algorithm algorithm = algorithm_of(row);
	const struct ls_check_options options = options_of(row, or_null);
	const bool nodup = row->nodup && !row->memory;
	struct ls_certificate c = { .size = sizeof c };
	ls_topology *t = NULL;
	ls_plan *plan = NULL;
	char prefix[32];

	now = row;
	if (ls_topology_make(row->topology ? row->topology : "hypercube:2", &t, NULL) != LS_OK)
		exit(1);

	const struct lsi_problem problem = { .topology = t,
		.nodes = ls_topology_nodes(t),
		.operation = row->operation ? row->operation : LS_ALLREDUCE,
		.mode = row->routed ? LS_ROUTED : LS_HOP,
		.segments = 1,
		.ports = row->ports ? row->ports : 1,
		.in_place = row->in_place };

	if (lsi_plan_make_from(&algorithm, &problem, &plan) != LS_OK)
		exit(1);

	const int status = ls_check(plan, 5, &options, &c);

	if (!row->text) {
		CHECK(status == LS_OK, "row %d: %d %s", number, status, c.text);
		CHECK(c.laws == (nodup ? 0x1ffu : 0x17fu), "row %d: %x", number, c.laws);
		CHECK(c.nodup == nodup && c.identical == !row->differs
				&& c.by_fingerprint == (row->memory > 0),
			"row %d", number);
		CHECK(c.broken_law == -1, "row %d", number);
	} else {
		snprintf(prefix, sizeof prefix, "law %d (%s): ", row->law, ls_law_name(row->law));
		CHECK(status == LS_ERR_LAW, "row %d: %d", number, status);
		CHECK(c.broken_law == (int)row->law && c.node == row->node && c.round == row->round,
			"row %d: law %d, node %lld, round %lld", number, c.broken_law, (long long)c.node,
			(long long)c.round);
		/*
		 * The laws that must be proved: those before the broken one if the replay reached its end;
		 * none if it stopped at a step.  Law 5 can break in both ways.  0x80: nodup, not compared.
		 */
		CHECK(!(c.laws >> row->law & 1)
				&& (c.laws & ~0x80u)
					== (row->law == LS_LAW_ZERO_COPY                    ? 0x7fu
							: row->law == LS_LAW_COUNT                  ? 0x3fu
							: row->law == LS_LAW_RESULT && (c.laws & 1) ? 0x1fu
																		: 0),
			"row %d: proved %x", number, c.laws);
		CHECK(strstr(c.text, prefix) == c.text && strlen(c.text) >= strlen(row->text)
				&& strcmp(c.text + strlen(c.text) - strlen(row->text), row->text) == 0,
			"row %d: %s", number, c.text);
	}
	test_flow(row, plan, number);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* An observer, which learns what nodes need, changes no verdict. */
int main(void)
{
	const struct ls_observer observer = {
		.size = sizeof observer, .observe = go_on, .needs = true
	};
	int least[LS_LAWS] = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		test_row(&rows[i], (int)i, NULL);
		test_row(&rows[i], (int)i, &observer);
		if (rows[i].text)
			least[rows[i].law]++;
	}
	for (int law = 0; law < LS_LAWS; law++)
		CHECK(least[law] >= 2, "law %d has %d broken plans", law, least[law]);
	return test_result();
}
