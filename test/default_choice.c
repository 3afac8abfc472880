/*
 * The choice of an algorithm: the defaults, the choice by name, and the error when no algorithm
 * fits.
 */
/* variants: release checked asan chaos */
#include <inttypes.h>
#include <string.h>

#include <lockstep/cost.h>

#include "base/error.h"
#include "collective/algorithm.h"
#include "test.h"

static void first(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)b, (void)context;
	memmove(dst, a, n);
}

static ls_op noncommutative(void)
{
	static ls_op op;

	if (!op
		&& ls_op_make(&(struct ls_op_options){ sizeof(struct ls_op_options), "first", first, NULL,
						  false, true },
			&op))
		exit(1);
	return op;
}

static struct ls_request request(const ls_topology *t, enum ls_operation operation)
{
	return (struct ls_request){
		.size = sizeof(struct ls_request), .topology = t, .operation = operation
	};
}

/* What is chosen when nothing is named. */
static const struct {
	const char *topology;
	enum ls_operation operation;
	enum ls_mode mode;
	const char *type, *op; /* NULL: user-made, not commutative */
	size_t count;
	const char *algorithm;
} defaults[] = {
	{ "star:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 1, "substar" },
	{ "star:4", LS_ALLREDUCE, LS_HOP, "float", "prod", 1, "substar" },
	{ "star:4", LS_ALLREDUCE, LS_HOP, "int32", "sum", 1, "paper" },
	{ "star:4", LS_ALLREDUCE, LS_HOP, "double", "max", 1, "paper" },
	{ "star:4", LS_ALLREDUCE, LS_HOP, "uint8", "bxor", 1, "paper" },
	{ "star:4", LS_ALLREDUCE, LS_HOP, NULL, NULL, 1, "substar" },
	{ "star:5", LS_BROADCAST, LS_HOP, "double", "sum", 1, "matching" },
	{ "hypercube:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 1, "doubling" },
	{ "hypercube:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 1 << 20, "halving-doubling" },
	{ "ring:8", LS_ALLREDUCE, LS_HOP, "double", "sum", 1 << 20, "reduce-scatter-allgather" },
	{ "ring:8", LS_ALLREDUCE, LS_ROUTED, "double", "sum", 1, "doubling" },
	/* Short messages rather meet on a link than start once more, long ones do not. */
	{ "tree:8", LS_ALLGATHER, LS_ROUTED, "double", "sum", 1, "doubling" },
	{ "tree:8", LS_ALLGATHER, LS_ROUTED, "double", "sum", 1000, "ring" },
	{ "tree:8", LS_SCAN, LS_ROUTED, "double", "sum", 1, "doubling" },
	{ "tree:8", LS_SCAN, LS_ROUTED, "double", "sum", 200, "binomial" },
	{ "ring:8", LS_ALLGATHER, LS_ROUTED, "double", "sum", 1000, "neighbor-exchange" },
	{ "linear:16", LS_ALLREDUCE, LS_HOP, "double", "sum", 3000, "odd-even" },
	{ "linear:16", LS_ALLREDUCE, LS_HOP, "double", "sum", 1 << 20, "pipeline" },
	{ "mesh:8x8", LS_ALLREDUCE, LS_HOP, "double", "sum", 1 << 20, "matchings" },
	{ "torus:8x8", LS_ALLREDUCE, LS_HOP, NULL, NULL, 1 << 20, "reduce-scatter-allgather" },
	{ "star:5", LS_BROADCAST, LS_HOP, "double", "sum", 1 << 20, "matchings" },
	{ "star:6", LS_BROADCAST, LS_HOP, "double", "sum", 1 << 20, "tseng" },
	{ "debruijn:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 1, "allgather-fold" },
	{ "debruijn:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 100, "reduce-scatter-allgather" },
	{ "debruijn:5", LS_ALLREDUCE, LS_HOP, "int64", "sum", 1, "found" },
	{ "graph:test/data/graphs/clebsch.txt", LS_ALLTOALL, LS_HOP, "double", "sum", 1, "found" },
	{ "star:5", LS_ALLREDUCE, LS_HOP, "double", "sum", 1, "allgather-fold" },
	{ "star:5", LS_ALLREDUCE, LS_HOP, "double", "sum", 100, "substar" },
	{ "star:3*ring:4", LS_ALLREDUCE, LS_HOP, "double", "sum", 1, "product" },
};

static void test_defaults(void)
{
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
		ls_topology *t;
		ls_plan *plan = NULL;
		struct ls_error why = { .size = sizeof why };

		CHECK(
			ls_topology_make(defaults[i].topology, &t, NULL) == LS_OK, "%s", defaults[i].topology);

		struct ls_request r = request(t, defaults[i].operation);

		r.mode = defaults[i].mode;
		r.count = defaults[i].count;
		r.type = ls_type_find(defaults[i].type ? defaults[i].type : "double");
		r.op = defaults[i].op ? ls_op_find(defaults[i].op) : noncommutative();
		CHECK(ls_plan_make(&r, &plan, &why) == LS_OK, "%zu: %s", i, why.text);
		CHECK(plan && strcmp(ls_plan_algorithm(plan), defaults[i].algorithm) == 0, "%s %s: %s",
			defaults[i].topology, ls_operation_name(r.operation), ls_plan_algorithm(plan));
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

/* Requests that fail, with what is said. */
static const struct {
	struct ls_request request; /* size and topology are added */
	int status;
	const char *says;
} refused[] = {
	{ { .operation = LS_BROADCAST, .root = 24 }, LS_ERR_ARGUMENT,
		"root 24 is not a node; expected 0..23" },
	{ { .operation = LS_BROADCAST, .root = -1 }, LS_ERR_ARGUMENT,
		"root -1 is not a node; expected 0..23" },
	{ { .operation = LS_BROADCAST, .ports = 5 }, LS_ERR_ARGUMENT,
		"the port count is 5; expected 1..4" },
	{ { .operation = LS_OPERATIONS }, LS_ERR_ARGUMENT, "the operation is 12; expected 0..11" },
	{ { .operation = LS_SCAN, .mode = (enum ls_mode)3 }, LS_ERR_ARGUMENT,
		"the mode is 3; expected LS_HOP or LS_ROUTED" },
	{ { .operation = LS_ALLREDUCE, .op = LS_BXOR }, LS_ERR_ARGUMENT,
		"operator bxor is not defined for type double" },
	{ { .operation = LS_ALLREDUCE, .algorithm = "substarr" }, LS_ERR_SPEC,
		"no algorithm 'substarr'; did you mean 'substar'?" },
	{ { .operation = LS_ALLREDUCE, .algorithm = "quick" }, LS_ERR_SPEC,
		"no algorithm 'quick'; expected one of " },
	{ { .operation = LS_BROADCAST, .mode = LS_ROUTED, .algorithm = "quick" }, LS_ERR_SPEC,
		"no algorithm 'quick'; expected one of binomial, " },
	{ { .operation = LS_ALLREDUCE, .algorithm = "dissemination" }, LS_ERR_UNSUPPORTED,
		"dissemination does not support allreduce with sum on star:4 in hop mode;" },
	{ { .operation = LS_BROADCAST, .algorithm = "binomial" }, LS_ERR_UNSUPPORTED,
		"binomial does not support broadcast on star:4 in hop mode; try " },
};

static void test_refused(void)
{
	ls_topology *t;

	CHECK(ls_topology_make("star:4", &t, NULL) == LS_OK, "star:4");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct ls_error why = { .size = sizeof why };
		struct ls_request r = refused[i].request;
		ls_plan *plan;

		r.size = sizeof r;
		r.topology = t;
		CHECK(ls_plan_make(&r, &plan, &why) == refused[i].status, "%zu: %s", i, why.text);
		CHECK(strncmp(why.text, refused[i].says, strlen(refused[i].says)) == 0, "%s", why.text);
		CHECK(!plan, "%zu leaves a plan", i);
	}
	ls_topology_destroy(t);
}

/* A claim weaker than the operator is refused even by name. */
static void test_claims(void)
{
	ls_topology *t;
	ls_plan *plan;
	struct ls_error why = { .size = sizeof why };

	CHECK(ls_topology_make("star:3", &t, NULL) == LS_OK, "star:3");

	struct ls_request r = request(t, LS_ALLREDUCE);

	r.algorithm = "paper";
	r.op = noncommutative();
	CHECK(ls_plan_make(&r, &plan, &why) == LS_ERR_UNSUPPORTED, "paper reorders");
	CHECK(strstr(why.text, "substar"), "%s", why.text);
	r.op = LS_SUM;
	CHECK(ls_plan_make(&r, &plan, &why) == LS_OK, "%s", why.text);
	CHECK(ls_plan_claim(plan) == LS_COMMUTATIVE, "claim of paper");
	CHECK(ls_plan_supports_op(plan, LS_SUM, &why) == LS_OK, "sum by paper");
	CHECK(ls_plan_supports_op(plan, noncommutative(), NULL) == LS_ERR_UNSUPPORTED, "no reason");
	CHECK(ls_plan_supports_op(plan, noncommutative(), &why) == LS_ERR_UNSUPPORTED, "paper");
	CHECK(strstr(why.text, "claims 'commutative'") && strstr(why.text, "needs 'ordered'"), "%s",
		why.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Whether an algorithm of this name serves every network: such do not stand against the others. */
static bool is_general(const char *name, enum ls_operation operation)
{
	bool general = false;

	for (int i = 0; lsi_algorithms[i]; i++)
		general |= lsi_algorithms[i]->general && lsi_algorithms[i]->operations & LSI_FOR(operation)
			&& strcmp(lsi_algorithms[i]->name, name) == 0;
	return general;
}

/*
 * Exactly one candidate is chosen, none of a particular network is cheaper, and its cost is that of
 * its plan; with blocks of unequal lengths, only nearly.
 */
enum { DIVISIBLE = 5040 };

static void test_candidate(const struct ls_request *r)
{
	const char *spec = ls_topology_spec(r->topology), *operation = ls_operation_name(r->operation);
	struct ls_candidate c = { .size = sizeof c }, chosen = { .cost = -1 };
	double least = 1e300;
	ls_plan *plan;

	for (size_t k = 0; ls_candidate_list(r, k, &c); k++) {
		CHECK(!c.chosen || chosen.cost < 0, "%s, %s: two are chosen", spec, operation);
		if (c.cost < least && !is_general(c.algorithm, r->operation))
			least = c.cost;
		chosen = c.chosen ? c : chosen;
	}
	CHECK(chosen.cost >= 0 && chosen.cost <= least, "%s, %s: %s of %g is chosen, %g is there", spec,
		operation, chosen.algorithm, chosen.cost, least);
	CHECK(ls_plan_make(r, &plan, NULL) == LS_OK, "%s, %s", spec, operation);
	CHECK(ls_plan_cost(plan, r->count, 8, ls_cost_model_default) == chosen.cost,
		"%s, %s: %s costs %g, not %g", spec, operation, chosen.algorithm,
		ls_plan_cost(plan, r->count, 8, ls_cost_model_default), chosen.cost);
	ls_plan_destroy(plan);
}

static void test_candidates(void)
{
	static const char *const specs[] = { "ring:8", "torus:3x4", "hypercube:4", "star:4",
		"complete:6", "linear:7", "mesh:4x4", "debruijn:3", "mct:2,2", "star:3*ring:3",
		"bintree:4" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t;

		CHECK(ls_topology_make(specs[i], &t, NULL) == LS_OK, "%s", specs[i]);
		for (int k = 0; k < LS_OPERATIONS * 4; k++) {
			struct ls_request r = request(t, (enum ls_operation)(k / 4));

			r.mode = k & 1 ? LS_ROUTED : LS_HOP;
			r.count = r.operation == LS_BARRIER ? 0 : k & 2 ? DIVISIBLE : 1;
			r.shift = 3;
			test_candidate(&r);
		}
		ls_topology_destroy(t);
	}
}

/* T of Figure 4.2: broadcast on 8 nodes, routed, in 3 rounds whose messages go 4, 2 and 1 hops. */
static void test_hops(void)
{
	ls_topology *t;
	ls_plan *plan;

	CHECK(ls_topology_make("ring:8", &t, NULL) == LS_OK, "ring:8");

	struct ls_request r = request(t, LS_BROADCAST);

	r.mode = LS_ROUTED;
	r.algorithm = "binomial";
	CHECK(ls_plan_make(&r, &plan, NULL) == LS_OK, "binomial");
	CHECK(ls_plan_cost(plan, 5, 1, (struct ls_cost_model){ 100, 10, 1 })
			== 3 * (100 + 5 * 10) + 4 + 2 + 1,
		"%g", ls_plan_cost(plan, 5, 1, (struct ls_cost_model){ 100, 10, 1 }));
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

/* Algorithms for any network are priced only where that is asked for in vain or cheap. */
static void test_huge(void)
{
	static const char *const specs[] = { "star:20", "hypercube:62", "ring:1000000000000",
		"torus:1000000x1000000", "hypercube:21", "hypercube:20" };

	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		ls_topology *t;
		struct ls_candidate c = { .size = sizeof c };
		int priced = 0, general = 0, chosen = 0;

		CHECK(ls_topology_make(specs[i], &t, NULL) == LS_OK, "%s", specs[i]);

		struct ls_request r = request(t, LS_REDUCE);
		const bool few = ls_topology_nodes(t) <= LS_COUNTED_NODES;

		for (size_t k = 0; ls_candidate_list(&r, k, &c); k++) {
			const bool serves_all = strcmp(c.algorithm, "spanning-tree") == 0
				|| strcmp(c.algorithm, "gather-fold") == 0;

			CHECK(few || !serves_all ? c.counts.rounds > 0
									 : c.cost == -1 && c.counts.rounds == -1 && c.load == -1,
				"%s: %s costs %g, load %" PRId64, specs[i], c.algorithm, c.cost, c.load);
			CHECK(!c.chosen || !serves_all, "%s: %s", specs[i], c.algorithm);
			priced += !serves_all;
			general += serves_all;
			chosen += c.chosen;
		}
		CHECK(priced > 0 && general == 2 && chosen == 1, "%s: %d, %d, %d", specs[i], priced,
			general, chosen);
		ls_topology_destroy(t);
	}
}

static void test_names(void)
{
	CHECK(ls_operation_find("total-exchange") == LS_ALLTOALL, "total-exchange");
	CHECK(ls_operation_find("bcast") == LS_BROADCAST, "bcast");
	CHECK(
		ls_operation_find("") == -1 && ls_operation_find("broadcasts") == -1, "no such operation");
	for (int o = 0; o < LS_OPERATIONS; o++)
		CHECK(ls_operation_find(ls_operation_name((enum ls_operation)o)) == o, "%d", o);
}

int main(void)
{
	test_defaults();
	test_refused();
	test_claims();
	test_candidates();
	test_hops();
	test_huge();
	test_names();
	ls_op_destroy(noncommutative());
	return test_result();
}
