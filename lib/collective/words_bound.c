#include "collective/words_bound.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/math.h"
#include "collective/cut_nodes.h"
#include "collective/matching/link_table.h"
#include "topology/kept.h"

enum { NODES_VISITED = 1 << 10 };

/* ---- Flows */

/*
 * Each sender gives up to `ratio.numerator` units to its neighbors, and each receiver but the
 * source needs ratio.denominator of them.
 */
struct flow {
	struct lsi_link_table table;
	struct lsi_ratio ratio;
	int64_t source;
	int32_t *units;   /* per link of the receiver */
	int32_t *reverse; /* per link: the same link of the other end */
	int32_t *given;   /* per sender */
	bool *visited;    /* per sender */
};

static bool make_flow(struct flow *f, const struct ls_topology *t, struct lsi_arena *arena)
{
	const size_t p = (size_t)t->nodes;

	if (!lsi_link_table_make(&f->table, t, arena))
		return false;
	f->units = lsi_arena_take(arena, (size_t)f->table.links + 1, sizeof *f->units);
	f->reverse = lsi_arena_take(arena, (size_t)f->table.links + 1, sizeof *f->reverse);
	f->given = lsi_arena_take(arena, p, sizeof *f->given);
	f->visited = lsi_arena_take(arena, p, sizeof *f->visited);
	if (!f->units || !f->reverse || !f->given || !f->visited)
		return false;
	for (int32_t u = 0; u < f->table.nodes; u++)
		for (int32_t l = f->table.first[u]; l < f->table.first[u + 1]; l++)
			f->reverse[l] = f->table.first[f->table.neighbor[l]]
				+ (int32_t)ls_reverse(t, u, l - f->table.first[u]);
	return true;
}

/*
 * Give up to `amount` units to a receiver; returns how many, 0 if there is no way.  A sender that
 * has given everything may take units from another receiver, which finds a sender.
 */
static int32_t augment(struct flow *f, int32_t receiver, int32_t amount)
{
	const struct lsi_link_table *const table = &f->table;

	for (int32_t l = table->first[receiver]; l < table->first[receiver + 1]; l++) {
		const int32_t u = table->neighbor[l];
		const int32_t spare = (int32_t)f->ratio.numerator - f->given[u];
		int32_t found = spare < amount ? spare : amount;

		if (f->visited[u])
			continue;
		f->visited[u] = true;
		f->given[u] += found;
		for (int32_t k = table->first[u]; found == 0 && k < table->first[u + 1]; k++) {
			const int32_t v = table->neighbor[k], back = f->reverse[k];
			const int32_t given = f->units[back];

			if (v == receiver || given == 0)
				continue;
			found = augment(f, v, given < amount ? given : amount);
			f->units[back] -= found;
		}
		f->units[l] += found;
		if (found > 0)
			return found;
	}
	return 0;
}

/*
 * Receivers that can be served only by the visited senders, all of which have given everything:
 * |V| / |N(V)| of these nodes.
 */
static struct lsi_ratio ratio_of_visited(const struct flow *f)
{
	struct lsi_ratio ratio = { 0, 0 };

	for (int32_t v = 0; v < f->table.nodes; v++) {
		bool inside = v != f->source;

		for (int32_t l = f->table.first[v]; l < f->table.first[v + 1]; l++)
			inside &= f->visited[f->table.neighbor[l]];
		ratio.numerator += inside;
		ratio.denominator += f->visited[v];
	}
	return ratio;
}

/* Whether all receivers get what they need; if not, the ratio of a set that does not. */
static bool saturates(struct flow *f, struct lsi_ratio *better)
{
	const int32_t p = f->table.nodes;
	const int64_t divisor = lsi_gcd(f->ratio.numerator, f->ratio.denominator);

	f->ratio.numerator /= divisor;
	f->ratio.denominator /= divisor;
	memset(f->units, 0, ((size_t)f->table.links + 1) * sizeof *f->units);
	memset(f->given, 0, (size_t)p * sizeof *f->given);
	for (int32_t v = 0; v < p; v++) {
		int32_t need = v == f->source ? 0 : (int32_t)f->ratio.denominator;

		while (need > 0) {
			int32_t found;

			memset(f->visited, 0, (size_t)p * sizeof *f->visited);
			found = augment(f, v, need);
			if (found == 0) {
				*better = ratio_of_visited(f);
				return false;
			}
			need -= found;
		}
	}
	return true;
}

struct expansion {
	struct lsi_kept kept;
	struct lsi_ratio ratio;
};

static struct lsi_kept *make_expansion(const struct ls_topology *t, int64_t source)
{
	struct expansion *const expansion = lsi_alloc(sizeof *expansion);
	struct flow f = { .source = source, .ratio = { 1, 1 } };
	struct lsi_arena arena = { 0 };

	const bool made = expansion && make_flow(&f, t, &arena);

	while (made && !saturates(&f, &f.ratio))
		continue;
	lsi_arena_release(&arena);
	if (!made) {
		lsi_free(expansion);
		return NULL;
	}
	expansion->ratio = f.ratio;
	return &expansion->kept;
}

struct lsi_ratio lsi_expansion(const struct ls_topology *t, int64_t source)
{
	const struct expansion *expansion;

	if (t->nodes == 1 || t->nodes > NODES_VISITED || !lsi_topology_is_direct(t))
		return (struct lsi_ratio){ 1, 1 };
	expansion = (const struct expansion *)lsi_topology_keep(t, make_expansion, source);
	return expansion ? expansion->ratio : (struct lsi_ratio){ 0, 0 };
}

/* ---- Bounds */

static int64_t quotient(int64_t a, int64_t b)
{
	return a / b + (a % b > 0);
}

/* Every node but the source needs this number of words.  -1: no memory. */
static int64_t needed(const struct lsi_problem *problem, int64_t source, int64_t words)
{
	struct lsi_ratio ratio = { 1, 1 };

	if (problem->mode == LS_HOP)
		ratio = lsi_expansion(problem->topology, source);
	if (ratio.denominator == 0)
		return -1;
	return quotient(lsi_mul_sat(ratio.numerator, words), ratio.denominator * problem->ports);
}

/* The larger of two bounds, each -1 without memory. */
static int64_t both(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : lsi_max(a, b);
}

/* Words that a cut node sends; see the header. */
static int64_t cut_words(const struct lsi_problem *problem, int64_t words)
{
	const struct ls_topology *const t = problem->topology;
	const int64_t most = problem->mode == LS_HOP ? lsi_most_parts(t) : 1;
	int64_t times = most;

	if (most == 0)
		return -1;
	if (lsi_operation_is_rooted(problem->operation))
		times =
			lsi_max(most - 1, problem->mode == LS_HOP ? lsi_parts_without(t, problem->root) : 1);
	else if (problem->operation != LS_ALLREDUCE)
		times = most > 1 ? (most - 1) * problem->nodes + 1 : 0;
	return quotient(lsi_mul_sat(times, words), problem->ports);
}

static int64_t allreduce_words(const struct lsi_problem *problem, int64_t words)
{
	const int64_t p = problem->nodes;

	return both(needed(problem, -1, words),
		quotient(lsi_mul_sat(2, lsi_mul_sat(p - 1, words)), lsi_mul_sat(p, problem->ports)));
}

int64_t lsi_words_bound(const struct lsi_problem *problem, size_t n)
{
	const int64_t p = problem->nodes, words = n > INT64_MAX ? INT64_MAX : (int64_t)n;
	const int64_t others = lsi_mul_sat(p - 1, words);

	if (p == 1)
		return 0;
	switch (problem->operation) {
	case LS_ALLGATHER:
	case LS_REDUCE_SCATTER:
		return both(needed(problem, -1, others), cut_words(problem, words));
	case LS_BROADCAST:
	case LS_REDUCE:
		return both(needed(problem, problem->root, words), cut_words(problem, words));
	case LS_SCAN:
	case LS_EXSCAN:
		return needed(problem, 0, words);
	case LS_ALLREDUCE:
		return both(allreduce_words(problem, words), cut_words(problem, words));
	case LS_SCATTER:
	case LS_GATHER:
		return quotient(others, problem->ports);
	default:
		return -1;
	}
}

int64_t ls_plan_words_bound(const ls_plan *plan, size_t n)
{
	return plan ? lsi_words_bound(&plan->problem, n) : -1;
}
