/*
 * Total exchange and circular shift: rounds and words, compared with the literature and with counts
 * by hand.
 */
#include <stdlib.h>

#include <lockstep/check.h>

#include "plan/plan_internal.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

static ls_plan *plan_on(const ls_topology *t, enum ls_operation operation, const char *algorithm,
	enum ls_mode mode, int64_t shift)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = operation,
		.algorithm = algorithm,
		.mode = mode,
		.shift = shift };

	return plan_for(&request);
}

/* Rounds, and words of the longest messages for blocks of one element. */
static const struct exchange {
	const char *spec, *algorithm;
	enum ls_mode mode;
	int64_t rounds, volume;
} exchanges[] = {
	{ "ring:6", "ring", LS_HOP, 5, 15 },         /* (p - 1) p/2 */
	{ "ring:6", "bidirectional", LS_HOP, 5, 9 }, /* p^2/4 */
	{ "ring:6", "neighbor-exchange", LS_HOP, 3, 9 },
	{ "torus:4x6", "neighbor-exchange", LS_HOP, 5, 60 },   /* p/4 (4 + 6) */
	{ "torus:4x2x2", "neighbor-exchange", LS_HOP, 4, 32 }, /* p/4 (4 + 2 + 2) */
	{ "torus:3x3", "ring", LS_HOP, 4, 18 },                /* 2 (s - 1) p/2 */
	{ "hypercube:3", "dimension", LS_HOP, 3, 12 },         /* log p p/2 */
	{ "hypercube:3", "ecube", LS_ROUTED, 7, 7 },           /* p - 1 */
	{ "linear:3", "odd-even", LS_HOP, 3, 5 },
	{ "linear:4", "odd-even", LS_HOP, 3, 9 }, /* 3 + 4 + 2 */
	{ "star:2", "parcels", LS_HOP, 1, 1 }, { "star:3", "parcels", LS_HOP, 9, 9 },
	{ "star:4", "parcels", LS_HOP, 62, 62 }, { "star:5", "parcels", LS_HOP, 442, 442 },
	{ "star:6", "parcels", LS_HOP, 3444, 3444 },
	{ "bintree:2", "parcels", LS_HOP, 4, 4 },   /* the middle receives 4 blocks */
	{ "bintree:2", "combining", LS_HOP, 3, 5 }, /* 2, 2 and 1 blocks */
};

/* In place, an exchange along each dimension needs the memory of two others. */
static void test_in_place(const char *spec, int64_t rounds)
{
	ls_topology *t = topology_of(spec);
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = LS_ALLTOALL,
		.algorithm = "neighbor-exchange",
		.in_place = true };
	struct ls_certificate proof = { .size = sizeof proof };
	ls_plan *plan = plan_for(&request);

	CHECK(ls_plan_rounds(plan) == rounds && ls_check(plan, 1, NULL, &proof) == LS_OK, "%s: %s",
		spec, proof.text);
	ls_plan_destroy(plan);
	ls_topology_destroy(t);
}

static void test_exchanges(void)
{
	for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++) {
		const struct exchange *e = &exchanges[i];
		ls_topology *t = topology_of(e->spec);
		ls_plan *plan = plan_on(t, LS_ALLTOALL, e->algorithm, e->mode, 0);
		const struct ls_counts predicted = ls_plan_predict(plan, 1);

		CHECK(ls_plan_rounds(plan) == e->rounds && predicted.rounds == e->rounds,
			"%s on %s: %lld rounds", e->algorithm, e->spec, (long long)ls_plan_rounds(plan));
		CHECK(predicted.volume == e->volume, "%s on %s: volume %lld", e->algorithm, e->spec,
			(long long)predicted.volume);
		ls_plan_destroy(plan);
		ls_topology_destroy(t);
	}
}

static int64_t shift_rounds(const ls_topology *t, const char *algorithm, int64_t q)
{
	ls_plan *plan = plan_on(t, LS_SHIFT, algorithm, LS_HOP, q);
	const int64_t rounds = ls_plan_rounds(plan);

	ls_plan_destroy(plan);
	return rounds;
}

/* Ring min(q, p - q); hypercube log2 p - gamma(q); torus at most k floor(s/2), textbook s + 1. */
static void test_shifts(void)
{
	ls_topology *ring = topology_of("ring:9"), *cube = topology_of("hypercube:5");
	ls_topology *torus = topology_of("torus:4x4");
	int64_t merged = 0, textbook = 0;

	for (int64_t q = 1; q < 9; q++)
		CHECK(shift_rounds(ring, NULL, q) == (q < 9 - q ? q : 9 - q), "ring, %d", (int)q);
	for (int64_t q = 1; q < 32; q++)
		CHECK(shift_rounds(cube, NULL, q) == 5 - __builtin_ctzll((unsigned long long)q),
			"hypercube, %d", (int)q);
	for (int64_t q = 1; q < 16; q++) {
		const int64_t one = shift_rounds(torus, NULL, q);
		const int64_t other = shift_rounds(torus, "textbook", q);

		merged = one > merged ? one : merged;
		textbook = other > textbook ? other : textbook;
	}
	CHECK(merged == 4 && textbook == 5, "%d and %d", (int)merged, (int)textbook);
	CHECK(shift_rounds(torus, "textbook", 5) == 3, "the textbook's example");
	ls_topology_destroy(ring);
	ls_topology_destroy(cube);
	ls_topology_destroy(torus);
}

/* Under the Gray code every message of `gray` crosses one link of the hypercube. */
static void test_gray(void)
{
	ls_topology *ring = topology_of("ring:16");

	for (int64_t q = 0; q < 16; q++) {
		ls_plan *plan = plan_on(ring, LS_SHIFT, "gray", LS_ROUTED, q);

		CHECK(ls_plan_rounds(plan) <= 7, "%d: %d rounds", (int)q, (int)ls_plan_rounds(plan));
		for (int64_t step = 0; step < ls_plan_steps(plan); step++) {
			for (int64_t u = 0; u < 16; u++) {
				struct lsi_peers peers;

				if (!lsi_plan_peers(plan, u, step, &peers))
					continue;

				const int64_t v = peers.to[0], bits = (u ^ u >> 1) ^ (v ^ v >> 1);

				CHECK(__builtin_popcountll((unsigned long long)bits) == 1, "%d: %d to %d", (int)q,
					(int)u, (int)v);
			}
		}
		ls_plan_destroy(plan);
	}
	ls_topology_destroy(ring);
}

/*
 * On the star graph: a shift in rank order, compared with min(q, N - q) around a Hamiltonian ring.
 */
static void test_star(const char *spec, int64_t nodes, int64_t every, int64_t least_percent)
{
	ls_topology *t = topology_of(spec);
	int64_t below = 0, shifts = 0;

	for (int64_t q = 1; q < nodes; q += every, shifts++)
		below += shift_rounds(t, NULL, q) < (q < nodes - q ? q : nodes - q);
	CHECK(100 * below >= least_percent * shifts, "%s: fewer for %d of %d shifts", spec, (int)below,
		(int)shifts);
	ls_topology_destroy(t);
}

int main(void)
{
	test_exchanges();
	test_in_place("torus:4x2x2", 4);
	test_shifts();
	test_gray();
	test_star("star:4", 24, 1, 50);
	test_star("star:5", 120, 1, 80);
	test_star("star:6", 720, 13, 95);
	return test_result();
}
