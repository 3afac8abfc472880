/*
 * Assignments that the clauses force stay for good.  Those of a test, the negated literals of a
 * clause of the proof, are undone after it; the watches may stay where they moved.
 */
#include "find/refutation.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "find/proof_reader.h"
#include "find/propagation.h"
#include "plan/plan_table.h"

enum { BUCKETS = 1 << 16 };

/* A stored clause, in the bucket of its literals. */
struct entry {
	size_t clause, next; /* next: 1 + index; 0: the last */
};

struct checker {
	struct lsi_propagation clauses;
	struct entry *entry;
	size_t entries, entry_room, *bucket;
	uint32_t *mark, stamp; /* by literal: of the clause in hand */
	bool contradicted;
	struct lsi_core *core; /* NULL: not asked for */
};

static int value_of(const struct checker *c, int literal)
{
	return lsi_literal_value(&c->clauses, literal);
}

static void note_conflict(struct checker *c)
{
	if (c->core)
		lsi_trace_conflict(&c->clauses, c->core);
}

/* ---- Stored clauses */

static size_t bucket_of(const int *literal, size_t n)
{
	uint64_t sum = n;

	for (size_t i = 0; i < n; i++)
		sum += (lsi_literal_index(literal[i]) + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(sum >> 40) % BUCKETS;
}

/* Deletions look clauses up by their literals, in any order. */
static void store_entry(struct checker *c, const int *literal, size_t n, size_t clause)
{
	size_t *bucket = &c->bucket[bucket_of(literal, n)];

	if (!lsi_table_grow(&c->entry, c->entries, &c->entry_room, sizeof *c->entry)) {
		c->clauses.exhausted = true;
		return;
	}
	c->entry[c->entries++] = (struct entry){ clause, *bucket };
	*bucket = c->entries;
}

/* Mark the literals, and drop those that are there twice; false: the clause always holds. */
static bool mark_literals(struct checker *c, int *literal, size_t *n)
{
	size_t kept = 0;

	c->stamp++;
	for (size_t i = 0; i < *n; i++) {
		if (c->mark[lsi_literal_index(-literal[i])] == c->stamp)
			return false;
		if (c->mark[lsi_literal_index(literal[i])] == c->stamp)
			continue;
		c->mark[lsi_literal_index(literal[i])] = c->stamp;
		literal[kept++] = literal[i];
	}
	*n = kept;
	return true;
}

/* Put two literals in front that may be watched: true ones first, then open ones. */
static void order_watches(const struct checker *c, int *literal, size_t n)
{
	for (size_t front = 0; front < 2 && front < n; front++)
		for (size_t i = front + 1; i < n; i++)
			if (value_of(c, literal[i]) > value_of(c, literal[front])) {
				const int better = literal[i];

				literal[i] = literal[front];
				literal[front] = better;
			}
}

/*
 * Add a clause to those that hold, and propagate what it states.  step: of the proof; 0: of the
 * formula.
 */
static void add_clause(struct checker *c, int *literal, size_t n, size_t step)
{
	size_t clause;

	if (!mark_literals(c, literal, &n))
		return;
	order_watches(c, literal, n);
	clause = lsi_clause_store(&c->clauses, literal, n, step);
	if (!clause)
		return;
	if (n == 0 || value_of(c, literal[0]) < 0) {
		c->clauses.conflict = clause;
		c->contradicted = true;
		return;
	}
	if (n > 1)
		store_entry(c, literal, n, clause);
	if (value_of(c, literal[0]) == 0 && (n == 1 || value_of(c, literal[1]) < 0)) {
		lsi_assign(&c->clauses, literal[0], clause);
		c->contradicted = lsi_propagate(&c->clauses);
	}
}

/* Whether a stored clause consists of the marked literals. */
static bool is_marked(const struct checker *c, size_t clause, size_t n)
{
	const int *pool = c->clauses.pool;

	if (pool[clause] != (int)n)
		return false;
	for (size_t i = 1; i <= n; i++)
		if (c->mark[lsi_literal_index(pool[clause + i])] != c->stamp)
			return false;
	return true;
}

/* Whether one literal is true, and all others are false: the clause may be the reason for it. */
static bool states_value(const struct checker *c, size_t clause)
{
	const int *pool = c->clauses.pool;
	int trues = 0, open = 0;

	for (int i = 1; i <= pool[clause]; i++) {
		trues += value_of(c, pool[clause + (size_t)i]) > 0;
		open += value_of(c, pool[clause + (size_t)i]) == 0;
	}
	return trues == 1 && open == 0;
}

static void delete_clause(struct checker *c, int *literal, size_t n)
{
	size_t *link;

	if (!mark_literals(c, literal, &n))
		return;
	link = &c->bucket[bucket_of(literal, n)];
	while (*link && !is_marked(c, c->entry[*link - 1].clause, n))
		link = &c->entry[*link - 1].next;
	if (!*link || states_value(c, c->entry[*link - 1].clause))
		return;
	c->clauses.pool[c->entry[*link - 1].clause] = -(int)n;
	*link = c->entry[*link - 1].next;
}

/* ---- The proof */

/* Whether a clause follows by unit propagation. */
static bool follows(struct checker *c, const int *literal, size_t n)
{
	struct lsi_propagation *p = &c->clauses;
	const size_t before = p->assigned;
	bool conflict = false;

	p->conflict = 0;
	for (size_t i = 0; i < n && !conflict; i++) {
		if (value_of(c, literal[i]) == 0)
			lsi_assign(p, -literal[i], 0);
		else if (value_of(c, literal[i]) > 0) {
			p->conflict = p->reason[abs(literal[i])]; /* 0: the clause has both literals */
			conflict = true;
		}
	}
	if (!conflict)
		conflict = lsi_propagate(p);
	if (conflict)
		note_conflict(c);
	lsi_undo_to(p, before);
	return conflict;
}

static bool knows_variables(const struct checker *c, const struct lsi_proof_reader *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (abs(r->literal[i]) > c->clauses.variables || r->literal[i] == 0)
			return false;
	return true;
}

static struct lsi_refutation_result replay(struct checker *c, struct lsi_proof_reader *r)
{
	struct lsi_refutation_result result = { LSI_PROOF_ENDS, 0 };

	while (!c->contradicted && !c->clauses.exhausted && lsi_proof_next(r)) {
		result.line++;
		if (!knows_variables(c, r)) {
			result.outcome = LSI_PROOF_UNREADABLE;
			return result;
		}
		if (r->deletes) {
			delete_clause(c, r->literal, r->count);
		} else if (!follows(c, r->literal, r->count) && !c->clauses.exhausted) {
			result.outcome = LSI_PROOF_WRONG;
			return result;
		}
		if (c->core)
			lsi_core_end_step(c->core);
		if (!r->deletes)
			add_clause(c, r->literal, r->count, result.line);
	}
	result.outcome = lsi_is_beyond_limit(&c->clauses) ? LSI_PROOF_LONG
		: c->clauses.exhausted || r->no_memory        ? LSI_PROOF_NO_MEMORY
		: c->contradicted                             ? LSI_REFUTED
		: r->is_broken                                ? LSI_PROOF_UNREADABLE
													  : LSI_PROOF_ENDS;
	return result;
}

static void add_formula(struct checker *c, const struct lsi_clauses *formula)
{
	int *copy = lsi_alloc((formula->literals + 1) * sizeof *copy);
	size_t first = 0;

	c->clauses.exhausted = !copy;
	for (size_t i = 0; i < formula->literals && copy; i++)
		copy[i] = formula->literal[i];
	for (size_t i = 0; i < formula->literals && !c->clauses.exhausted && !c->contradicted; i++)
		if (formula->literal[i] == 0) {
			add_clause(c, copy + first, i - first, 0);
			first = i + 1;
		}
	lsi_free(copy);
}

static void checker_fini(struct checker *c)
{
	lsi_propagation_fini(&c->clauses);
	lsi_free(c->entry);
	lsi_free(c->bucket);
	lsi_free(c->mark);
}

struct lsi_refutation_result lsi_refutation_check(const struct lsi_clauses *formula,
	const char *proof, size_t bytes, uint64_t propagations, struct lsi_core *core)
{
	const size_t literals = 2 * (size_t)formula->variables + 2;
	struct checker c = { .core = core,
		.bucket = lsi_alloc_zero(BUCKETS, sizeof *c.bucket),
		.mark = lsi_alloc_zero(literals, sizeof *c.mark) };
	struct lsi_refutation_result result = { LSI_PROOF_NO_MEMORY, 0 };
	struct lsi_proof_reader reader;

	lsi_proof_open(&reader, proof, bytes);
	if (lsi_propagation_init(&c.clauses, formula->variables, propagations) && c.bucket && c.mark) {
		add_formula(&c, formula);
		result = replay(&c, &reader);
		if (core && c.contradicted) {
			note_conflict(&c);
			lsi_core_end_step(core);
		}
	}
	lsi_proof_close(&reader);
	checker_fini(&c);
	return result;
}
