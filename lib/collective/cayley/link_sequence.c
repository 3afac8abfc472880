#include "collective/cayley/link_sequence.h"

#include "collective/cayley/sequence_families.h"

/* A network that is not a product counts as its own only factor. */
static int factors(const struct ls_topology *t)
{
	const int count = lsi_topology_factors(t);

	return count ? count : 1;
}

static const struct ls_topology *factor(const struct ls_topology *t, int i)
{
	return lsi_topology_factors(t) ? lsi_topology_factor(t, i) : t;
}

bool lsi_sequence_supports(const struct lsi_problem *problem)
{
	const struct ls_topology *t = problem->topology;

	for (int i = 0; i < factors(t); i++) {
		if (!lsi_sequence_family_of(factor(t, i)))
			return false;
	}
	return problem->mode == LS_HOP;
}

int64_t lsi_sequence_rounds(const struct ls_topology *t)
{
	int64_t rounds = 0;

	for (int i = 0; i < factors(t); i++)
		rounds = lsi_add_sat(rounds, lsi_sequence_family_of(factor(t, i))->rounds(factor(t, i)));
	return rounds;
}

struct link_at {
	const struct ls_topology *factor;
	int64_t link;                     /* of the factor */
	int64_t later_links, later_nodes; /* of all later factors: sum, product */
};

static struct link_at sequence_link_of(const struct ls_topology *t, int64_t round)
{
	struct link_at at = { .later_nodes = 1 };

	for (int i = factors(t) - 1;; i--) { /* round < rounds, so it ends */
		const struct ls_topology *f = factor(t, i);
		const struct lsi_sequence_family *family = lsi_sequence_family_of(f);
		const int64_t rounds = family->rounds(f);

		if (round < rounds) {
			at.factor = f;
			at.link = family->link(f, round);
			return at;
		}
		round -= rounds;
		at.later_links += f->degree;
		at.later_nodes *= f->nodes;
	}
}

int64_t lsi_sequence_link(const struct ls_topology *t, int64_t round)
{
	const struct link_at at = sequence_link_of(t, round);

	return at.later_links + at.link;
}

int64_t lsi_sequence_period(const struct ls_topology *t, int64_t round)
{
	const struct link_at at = sequence_link_of(t, round);

	return at.later_nodes * lsi_sequence_family_of(at.factor)->period(at.factor, at.link);
}

int64_t lsi_sequence_link_back(const struct ls_topology *t, int64_t round)
{
	return ls_reverse(t, 0, lsi_sequence_link(t, round));
}

void lsi_sequence_peers(
	const struct ls_plan *plan, int64_t rank, int64_t round, struct lsi_peers *out)
{
	const struct ls_topology *t = plan->problem.topology;

	out->to[0] = ls_neighbor(t, rank, lsi_sequence_link(t, round));
	out->from[0] = ls_neighbor(t, rank, lsi_sequence_link_back(t, round));
}

struct lsi_sequence_costs lsi_sequence_costs_of(const struct ls_topology *t)
{
	struct lsi_sequence_costs all = { 0, 0, 0 };
	int64_t nodes = 1;

	for (int i = factors(t) - 1; i >= 0; i--) {
		const struct ls_topology *f = factor(t, i);

		all = lsi_sequence_costs_join(nodes, all, f->nodes, lsi_sequence_family_of(f)->costs(f));
		nodes = lsi_mul_sat(nodes, f->nodes);
	}
	return all;
}
