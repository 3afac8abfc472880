/*
 * The workers of a sweep follow the same path, however far one is behind.  All of them leave the
 * fast path at a step that it cannot execute.
 */
#include <stdlib.h>
#include <string.h>

#include <lockstep/sweep.h>

#include "plan/plan_internal.h"
#include "plan/step.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

/* An algorithm with shapes that the fast path does not know before the run. */
enum { ODD = 1 << 20 }; /* added to their numbers */

static const struct lsi_algorithm *base;
static int64_t odd_round;

/* A move of no blocks: it does nothing, and it is not a move of one block. */
static void odd_body(const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	base->body(plan, round, shape >= ODD ? shape - ODD : shape, step);
	if (shape >= ODD)
		lsi_step_copy(step, lsi_blocks(LS_OUTPUT, 0, 0), lsi_blocks(LS_OUTPUT, 0, 0));
}

static int64_t odd_tree_shape(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_edge edge)
{
	return lsi_whole_machine_of(base)->tree->shape(plan, rank, round, edge)
		+ (round == odd_round && edge.peer != LS_NO_RANK ? ODD : 0);
}

static void input_put(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	(void)context;
	for (size_t i = 0; i < n; i++)
		((int64_t *)into)[i] = rank * 1000 + (int64_t)(first + i) + 7;
}

/* Only the first worker calls this, between two rounds; the others are ahead. */
static void dawdle(void *context, const struct ls_record *record)
{
	bool *done = context;

	if (record->round == odd_round && !*done)
		nap(20); /* while others go on */
	*done |= record->round == odd_round;
}

static void check(const ls_plan *plan, int workers, int64_t rounds, int64_t messages)
{
	const int64_t nodes = ls_plan_nodes(plan);
	bool dawdled = false;
	int64_t *output = memory((size_t)nodes, sizeof *output);
	const struct ls_sweep sweep = { .size = sizeof sweep,
		.plan = plan,
		.count = 1,
		.type = LS_INT64,
		.make = input_put,
		.output = output,
		.workers = workers,
		.trace = dawdle,
		.trace_context = &dawdled };
	struct ls_sweep_result out = { .size = sizeof out };
	int64_t wrong = 0;

	CHECK(ls_sweep_run(&sweep, &out) == LS_OK, "%s: %s", guarded(), out.error.text);
	for (int64_t r = 0; r < nodes; r++)
		wrong += output[r] != 7;
	CHECK(wrong == 0 && out.proved && out.stats.rounds == rounds && out.stats.messages == messages,
		"%s: %lld nodes wrong, %lld messages", guarded(), (long long)wrong,
		(long long)out.stats.messages);
	free(output);
}

/* A different shape for every node of a period: more than the steps of a long stage can have. */
static int64_t odd_shape(const struct ls_plan *plan, int64_t rank, int64_t round)
{
	const int64_t shape = base->shape(plan, rank, round);

	return round == odd_round
		? shape + ODD * (1 + rank % lsi_whole_machine_of(base)->period(plan, round))
		: shape;
}

static void many_body(
	const struct ls_plan *plan, int64_t round, int64_t shape, struct ls_step *step)
{
	base->body(plan, round, shape % ODD, step);
}

/* A plan, and the same plan by the odd algorithm. */
struct odd {
	ls_topology *topology;
	ls_plan *plan, *odd;
};

static struct odd odd_make(const char *spec, enum ls_operation operation, const char *algorithm,
	void (*change)(struct lsi_algorithm *))
{
	struct odd o = { .topology = topology_of(spec) };
	const struct ls_request request = { .size = sizeof request,
		.topology = o.topology,
		.operation = operation,
		.algorithm = algorithm,
		.type = LS_INT64,
		.count = 1 };
	static struct lsi_algorithm odd; /* one at a time */

	o.plan = plan_for(&request);
	base = o.plan->algorithm;
	odd = *base;
	change(&odd);
	if (lsi_plan_make_from(&odd, &o.plan->problem, &o.odd) != LS_OK)
		exit(1);
	return o;
}

static void odd_destroy(struct odd *o)
{
	ls_plan_destroy(o->odd);
	ls_plan_destroy(o->plan);
	ls_topology_destroy(o->topology);
}

static void change_shapes(struct lsi_algorithm *odd)
{
	static struct lsi_whole_machine whole;

	whole = *lsi_whole_machine_of(base);
	whole.exchanges = NULL;
	odd->shape = odd_shape;
	odd->whole = &whole;
	odd->body = many_body;
}

static void test_period(const char *spec, const char *algorithm, int workers)
{
	struct odd o = odd_make(spec, LS_ALLREDUCE, algorithm, change_shapes);

	for (odd_round = 0; odd_round < ls_plan_rounds(o.plan); odd_round++) {
		struct ls_sweep sweep = { .size = sizeof sweep,
			.plan = o.odd,
			.count = 1,
			.type = LS_INT64,
			.make = input_put,
			.workers = workers };
		struct ls_sweep_result out = { .size = sizeof out };

		guard("%s %s, %d workers, round %d", spec, algorithm, workers, (int)odd_round);
		CHECK(
			ls_sweep_run(&sweep, &out) == LS_OK && out.proved, "%s: %s", guarded(), out.error.text);
	}
	odd_destroy(&o);
}

static void change_tree(struct lsi_algorithm *odd)
{
	static struct lsi_whole_machine whole;
	static struct lsi_single_tree tree;

	whole = *lsi_whole_machine_of(base);
	whole.tree = &tree;
	tree = *lsi_whole_machine_of(base)->tree;
	tree.shape = odd_tree_shape;
	odd->whole = &whole;
	odd->body = odd_body;
}

/* In one round the tree does not fit the fast path. */
static void test_tree(const char *spec, const char *algorithm, int workers)
{
	struct odd o = odd_make(spec, LS_BROADCAST, algorithm, change_tree);

	for (odd_round = 1; odd_round < ls_plan_rounds(o.plan); odd_round += 3) {
		guard("%s %s, %d workers, round %d", spec, algorithm, workers, (int)odd_round);
		check(o.odd, workers, ls_plan_rounds(o.plan), ls_plan_nodes(o.plan) - 1);
	}
	odd_destroy(&o);
}

int main(void)
{
	for (int workers = 2; workers <= 7; workers += 5) {
		test_tree("star:5", "matching", workers);
		test_tree("hypercube:6", "binomial", workers);
	}
	for (int workers = 1; workers <= 2; workers++) {
		test_period("hypercube:12", "doubling", workers);
		test_period("star:6", "substar", workers);
		test_period("star:7", "paper", workers);
	}
	return test_result();
}
