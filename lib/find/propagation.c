/*
 * Unit propagation with two watched literals.  A clause is visited only when one of its two watched
 * literals becomes false; it then watches another literal that is not false, or states the value
 * of the other one:
 *
 *   clause        a  b  c  d       watched: a, b
 *   b is false    a  c  b  d       watched: a, c
 *   c, d false    a  c  b  d       no literal is left: a must be true
 */
#include "find/propagation.h"

#include "base/alloc.h"
#include "plan/plan_table.h"

/* ---- Clauses */

static void watch_literal(struct lsi_propagation *p, int literal, size_t clause)
{
	struct lsi_watchers *w = &p->watch[lsi_literal_index(literal)];

	if (lsi_table_grow(&w->clause, w->count, &w->room, sizeof *w->clause))
		w->clause[w->count++] = clause;
	else
		p->exhausted = true;
}

static bool put_number(struct lsi_propagation *p, int number)
{
	if (!lsi_table_grow(&p->pool, p->used, &p->room, sizeof *p->pool)) {
		p->exhausted = true;
		return false;
	}
	p->pool[p->used++] = number;
	return true;
}

size_t lsi_clause_store(struct lsi_propagation *p, const int *literal, size_t n, size_t step)
{
	const size_t clause = p->used + 1;

	if (!put_number(p, (int)step) || !put_number(p, (int)n))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!put_number(p, literal[i]))
			return 0;
	for (size_t i = 0; i < 2 && n > 1; i++)
		watch_literal(p, literal[i], clause);
	return clause;
}

/* ---- Assignment and propagation */

void lsi_assign(struct lsi_propagation *p, int literal, size_t reason)
{
	p->value[lsi_literal_index(literal)] = 1;
	p->value[lsi_literal_index(-literal)] = -1;
	p->reason[abs(literal)] = reason;
	p->trail[p->assigned++] = literal;
}

/* The watches stay: they are right for fewer assignments, too. */
void lsi_undo_to(struct lsi_propagation *p, size_t assigned)
{
	while (p->assigned > assigned) {
		const int literal = p->trail[--p->assigned];

		p->value[lsi_literal_index(literal)] = p->value[lsi_literal_index(-literal)] = 0;
	}
	p->done = assigned;
}

/* Move the watch of literal[1], which is false, to a literal that is not; false: there is none. */
static bool move_watch(struct lsi_propagation *p, size_t clause)
{
	int *literal = &p->pool[clause + 1];

	for (int k = 2; k < p->pool[clause]; k++)
		if (lsi_literal_value(p, literal[k]) >= 0) {
			const int free_one = literal[k];

			literal[k] = literal[1];
			literal[1] = free_one;
			watch_literal(p, free_one, clause);
			return true;
		}
	return false;
}

/* A clause that watches the false literal; true: it keeps the watch. */
static bool visit_clause(struct lsi_propagation *p, size_t clause, int false_one)
{
	int *literal = &p->pool[clause + 1];

	p->visits++;
	if (p->pool[clause] < 0)
		return false;
	if (literal[0] == false_one) {
		literal[0] = literal[1];
		literal[1] = false_one;
	}
	if (lsi_literal_value(p, literal[0]) > 0)
		return true;
	if (move_watch(p, clause))
		return false;
	if (lsi_literal_value(p, literal[0]) < 0)
		p->conflict = clause;
	else
		lsi_assign(p, literal[0], clause);
	return true;
}

bool lsi_propagate(struct lsi_propagation *p)
{
	p->conflict = 0;
	while (p->done < p->assigned && !p->conflict) {
		const int false_one = -p->trail[p->done++];
		struct lsi_watchers *w = &p->watch[lsi_literal_index(false_one)];
		size_t kept = 0;

		/* A moved watch goes to another literal, so the list does not grow here. */
		for (size_t i = 0; i < w->count; i++)
			if (p->conflict || visit_clause(p, w->clause[i], false_one))
				w->clause[kept++] = w->clause[i];
		w->count = kept;
	}
	if (lsi_is_beyond_limit(p))
		p->exhausted = true;
	return p->conflict;
}

/* ---- Traces */

static void trace_clause(struct lsi_propagation *p, size_t clause, struct lsi_core *core)
{
	lsi_core_use(core, (size_t)p->pool[clause - 1]);
	for (int i = 1; i <= abs(p->pool[clause]); i++)
		p->seen[abs(p->pool[clause + (size_t)i])] = true;
}

/* A clause forced a literal when its other literals had become false: they are earlier. */
void lsi_trace_conflict(struct lsi_propagation *p, struct lsi_core *core)
{
	if (!p->conflict)
		return;
	trace_clause(p, p->conflict, core);
	for (size_t i = p->assigned; i > 0; i--) {
		const int variable = abs(p->trail[i - 1]);

		if (p->seen[variable] && p->reason[variable])
			trace_clause(p, p->reason[variable], core);
		p->seen[variable] = false;
	}
}

bool lsi_propagation_init(struct lsi_propagation *p, int variables, uint64_t limit)
{
	const size_t n = (size_t)variables + 1;

	*p = (struct lsi_propagation){ .variables = variables,
		.limit = limit,
		.watch = lsi_alloc_zero(2 * n, sizeof *p->watch),
		.value = lsi_alloc_zero(2 * n, sizeof *p->value),
		.trail = lsi_alloc_zero(n, sizeof *p->trail),
		.reason = lsi_alloc_zero(n, sizeof *p->reason),
		.seen = lsi_alloc_zero(n, sizeof *p->seen) };
	return p->watch && p->value && p->trail && p->reason && p->seen;
}

void lsi_propagation_fini(struct lsi_propagation *p)
{
	for (size_t l = 0; p->watch && l < 2 * (size_t)p->variables + 2; l++)
		lsi_free(p->watch[l].clause);
	lsi_free(p->pool);
	lsi_free(p->watch);
	lsi_free(p->value);
	lsi_free(p->trail);
	lsi_free(p->reason);
	lsi_free(p->seen);
}
