/*
 * Groups connected as the guest of an embedding: their members and order, collective calls, and
 * messages between the hosts of the nodes that the plan names.  Also: what is refused.
 */
/* nodes: threads fibers */
/* processes: 1 3 */
/* link: @test/support/spread.flags */
#include <inttypes.h>

#include <lockstep.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

struct message {
	int64_t round, src, dst;
	size_t words;
};

struct embedded_run {
	const ls_embedding *embedding;
	const ls_plan *plan;
	struct message planned[512], sent[512];
	size_t n_planned, n_sent;
};

static int record_planned(void *context, const struct ls_record *record)
{
	struct embedded_run *run = context;

	run->planned[run->n_planned++] =
		(struct message){ record->round, ls_embedding_host_rank(run->embedding, record->src),
			ls_embedding_host_rank(run->embedding, record->dst), record->words };
	return run->n_planned == 512;
}

static void record_sent(void *context, const struct ls_record *record)
{
	struct embedded_run *run = context;

	if (run->n_sent < 512)
		run->sent[run->n_sent++] =
			(struct message){ record->round, record->src, record->dst, record->words };
}

static int compare_round_and_src(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

/* One all-gather by the plan; then further calls, whose algorithms are chosen. */
static int gather_by_plan(ls_node *me, void *argument)
{
	const struct embedded_run *run = argument;
	const int64_t mine = ls_rank(me);
	int64_t all[24] = { 0 };
	ls_node *sub;
	int failed = ls_embed(me, run->embedding, &sub);

	CHECK(failed || (ls_embedding_guest_rank(run->embedding, mine) < 0) == !sub,
		"%s: node %" PRId64, guarded(), mine);
	if (failed || !sub)
		return failed;
	CHECK(ls_rank(sub) == ls_embedding_guest_rank(run->embedding, mine), "%s: rank", guarded());
	failed = ls_collective(sub,
		&(struct ls_call){ .size = sizeof(struct ls_call),
			.operation = LS_ALLGATHER,
			.input = &mine,
			.output = all,
			.count = 1,
			.type = LS_INT64,
			.plan = run->plan });
	for (int64_t r = 0; r < ls_size(sub) && !failed; r++)
		CHECK(all[r] == ls_embedding_host_rank(run->embedding, r), "%s: %" PRId64 " is %" PRId64,
			guarded(), r, all[r]);
	return failed;
}

static int call_by_choice(ls_node *me, void *argument)
{
	const struct embedded_run *run = argument;
	const int64_t mine = ls_rank(me) + 1, p = ls_size(me);
	int64_t sum = 0, want = 0, got = -1;
	ls_node *sub;
	int failed = ls_embed(me, run->embedding, &sub);

	for (int64_t v = 0; v < p; v++)
		want += ls_embedding_guest_rank(run->embedding, v) < 0 ? 0 : v + 1;
	if (failed || !sub)
		return failed ? failed : ls_barrier(me);
	failed = ls_allreduce(sub, &mine, &sum, 1, LS_INT64, LS_SUM);
	CHECK(failed || sum == want, "%s: sum %" PRId64, guarded(), sum);
	if (!failed)
		failed = ls_shift(sub, &mine, &got, 1, LS_INT64, 1);
	if (!failed)
		failed = ls_barrier(sub);
	CHECK(failed
			|| got - 1
				== ls_embedding_host_rank(
					run->embedding, (ls_rank(sub) + ls_size(sub) - 1) % ls_size(sub)),
		"%s: shifted %" PRId64, guarded(), got);
	ls_leave(sub);
	return failed ? failed : ls_barrier(me);
}

static void check_messages(struct embedded_run *run)
{
	qsort(run->planned, run->n_planned, sizeof *run->planned, compare_round_and_src);
	CHECK(run->n_planned == run->n_sent, "%s: %zu messages, %zu in the plan", guarded(),
		run->n_sent, run->n_planned);
	for (size_t i = 0; i < run->n_planned && i < run->n_sent; i++)
		CHECK(run->planned[i].round == run->sent[i].round && run->planned[i].src == run->sent[i].src
				&& run->planned[i].dst == run->sent[i].dst
				&& run->planned[i].words == run->sent[i].words,
			"%s: message %zu", guarded(), i);
}

static void run_placement(size_t i, enum ls_rounds rounds)
{
	struct embedded_run *run = memory(1, sizeof *run);
	ls_topology *guest = topology_of(placements[i].guest), *host = topology_of(placements[i].host);
	struct ls_machine_options options = { .size = sizeof options,
		.mode = placements[i].mode,
		.rounds = rounds,
		.trace = record_sent,
		.trace_context = run };
	struct ls_request request = { .size = sizeof request,
		.topology = guest,
		.operation = LS_ALLGATHER,
		.type = LS_INT64,
		.count = 1 };
	struct ls_check_options how = { .size = sizeof how, .mode = placements[i].mode };
	struct ls_certificate found = { .size = sizeof found };
	struct ls_stats stats = { .size = sizeof stats };
	ls_embedding *embedding;
	ls_plan *plan;

	guard("%s on %s by %s", placements[i].guest, placements[i].host, placements[i].map);
	if (ls_embedding_make(guest, host, placements[i].map, &embedding, NULL) != LS_OK)
		exit(1);
	plan = plan_for(&request);
	run->embedding = how.embedding = embedding;
	run->plan = plan;
	CHECK(ls_trace_plan(plan, 1, record_planned, run) == 0, "%s: too many messages", guarded());
	CHECK(ls_check(plan, 1, &how, &found) == LS_OK, "%s: %s", guarded(), found.text);

	ls_machine *machine = machine_on(host, &options);

	must_run(machine, gather_by_plan, run);
	ls_machine_stats(machine, &stats);
	check_messages(run);
	CHECK(rounds == LS_FREE || stats.link_load == found.link_load,
		"%s: load %" PRId64 ", not %" PRId64, guarded(), stats.link_load, found.link_load);
	must_run(machine, call_by_choice, run);
	ls_machine_destroy(machine);
	ls_plan_destroy(plan);
	ls_embedding_destroy(embedding);
	ls_topology_destroy(host);
	ls_topology_destroy(guest);
	free(run);
}

/* ---- Refusals */

static int refused_program(ls_node *me, void *argument)
{
	const struct embedded_run *run = argument;
	ls_node *sub = me;

	CHECK(ls_embed(me, NULL, &sub) == LS_ERR_ARGUMENT && !sub, "NULL");
	sub = me;
	CHECK(ls_embed(me, run->embedding, &sub) == LS_ERR_UNSUPPORTED && !sub, "dilation 4");
	return ls_barrier(me);
}

/* The host is not the network of the machine. */
static int elsewhere_program(ls_node *me, void *embedding)
{
	ls_node *sub = me;

	CHECK(ls_embed(me, embedding, &sub) == LS_ERR_ARGUMENT && !sub, "another host");
	return ls_barrier(me);
}

/* Node 0 places otherwise than the others. */
static int differing_program(ls_node *me, void *argument)
{
	ls_embedding **two = argument;
	ls_node *sub;
	const int failed = ls_embed(me, two[ls_rank(me) == 0], &sub);

	CHECK(failed == LS_ERR_MISMATCH, "node %" PRId64 ": %d", ls_rank(me), failed);
	return failed;
}

static void test_refused(void)
{
	static const int64_t turned[] = { 1, 2, 3, 4, 5, 6, 7, 0 };
	ls_topology *cube = topology_of("hypercube:3"), *ring = topology_of("ring:8");
	ls_embedding *two[2], *elsewhere;
	struct embedded_run run = { 0 };
	const struct ls_machine_options options = { .size = sizeof options, .mode = LS_ROUTED };
	ls_machine *hop = machine_on(ring, NULL), *routed = machine_on(ring, &options);

	guard("refusals");
	if (ls_embedding_make(cube, ring, "identity", &two[0], NULL) != LS_OK
		|| ls_embedding_from_map(cube, ring, turned, &two[1], NULL) != LS_OK
		|| ls_embedding_make(cube, cube, "identity", &elsewhere, NULL) != LS_OK)
		exit(1);
	run.embedding = two[0];
	must_run(hop, refused_program, &run);
	must_run(hop, elsewhere_program, elsewhere);
	CHECK(ls_run(routed, differing_program, two) == LS_ERR_MISMATCH, "two embeddings");
	ls_machine_destroy(routed);
	ls_machine_destroy(hop);
	ls_embedding_destroy(elsewhere);
	ls_embedding_destroy(two[0]);
	ls_embedding_destroy(two[1]);
	ls_topology_destroy(ring);
	ls_topology_destroy(cube);
}

int main(void)
{
	for (size_t i = 0; i < PLACEMENTS; i++) {
		run_placement(i, LS_LOCKSTEP);
		run_placement(i, LS_FREE);
	}
	test_refused();
	return test_result();
}
