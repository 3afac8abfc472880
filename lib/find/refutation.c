/*
 * Unit propagation with two watched literals.  A clause is visited only when one of its two watched
 * literals becomes false; it then watches another literal that is not false, or states the value
 * of the other one:
 *
 *   clause        a  b  c  d       watched: a, b
 *   b is false    a  c  b  d       watched: a, c
 *   c, d false    a  c  b  d       no literal is left: a must be true
 *
 * Assignments that the clauses force stay for good.  Those of a test, the negated literals of a
 * clause of the proof, are undone after it; the watches may stay where they moved.
 */
#include "find/refutation.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "find/proof_reader.h"
#include "plan/plan_table.h"

enum { BUCKETS = 1 << 16 };

/* The clauses that watch a literal, as offsets in the pool. */
struct watchers {
	size_t *clause, count, room;
};

/* A stored clause, in the bucket of its literals. */
struct entry {
	size_t clause, next; /* next: 1 + index; 0: the last */
};

/*
 * A clause at offset c of the pool: its length in pool[c], negative if it is deleted, then its
 * literals.  The first two are watched.
 */
struct checker {
	int variables;
	int *pool;
	size_t used, room;
	struct watchers *watch; /* by literal, as index_of numbers it */
	signed char *value;     /* by literal: 1 true, -1 false, 0 open */
	int *trail;             /* the true literals, in the order of their assignment */
	size_t assigned, done;  /* of the trail; done: propagated */
	uint64_t visits, limit; /* of clauses; limit 0: none */
	struct entry *entry;
	size_t entries, entry_room, *bucket;
	uint32_t *mark, stamp; /* by literal: of the clause in hand */
	bool contradicted, exhausted;
};

static size_t index_of(int literal)
{
	return literal > 0 ? 2 * (size_t)literal : 2 * (size_t)-literal + 1;
}

static int value_of(const struct checker *c, int literal)
{
	return c->value[index_of(literal)];
}

/* ---- Assignment and propagation */

static void assign(struct checker *c, int literal)
{
	c->value[index_of(literal)] = 1;
	c->value[index_of(-literal)] = -1;
	c->trail[c->assigned++] = literal;
}

/* The watches stay: they are right for fewer assignments, too. */
static void undo_to(struct checker *c, size_t assigned)
{
	while (c->assigned > assigned) {
		const int literal = c->trail[--c->assigned];

		c->value[index_of(literal)] = c->value[index_of(-literal)] = 0;
	}
	c->done = assigned;
}

static void watch_literal(struct checker *c, int literal, size_t clause)
{
	struct watchers *w = &c->watch[index_of(literal)];

	if (lsi_table_grow(&w->clause, w->count, &w->room, sizeof *w->clause))
		w->clause[w->count++] = clause;
	else
		c->exhausted = true;
}

/* Move the watch of literal[1], which is false, to a literal that is not; false: there is none. */
static bool move_watch(struct checker *c, size_t clause)
{
	int *literal = &c->pool[clause + 1];

	for (int k = 2; k < c->pool[clause]; k++)
		if (value_of(c, literal[k]) >= 0) {
			const int free_one = literal[k];

			literal[k] = literal[1];
			literal[1] = free_one;
			watch_literal(c, free_one, clause);
			return true;
		}
	return false;
}

/* A clause that watches the false literal; true: it keeps the watch. */
static bool visit_clause(struct checker *c, size_t clause, int false_one, bool *conflict)
{
	int *literal = &c->pool[clause + 1];

	c->visits++;
	if (c->pool[clause] < 0)
		return false;
	if (literal[0] == false_one) {
		literal[0] = literal[1];
		literal[1] = false_one;
	}
	if (value_of(c, literal[0]) > 0)
		return true;
	if (move_watch(c, clause))
		return false;
	if (value_of(c, literal[0]) < 0)
		*conflict = true;
	else
		assign(c, literal[0]);
	return true;
}

/* Propagate all assignments; true: some clause has only false literals. */
static bool propagate(struct checker *c)
{
	bool conflict = false;

	while (c->done < c->assigned && !conflict) {
		const int false_one = -c->trail[c->done++];
		struct watchers *w = &c->watch[index_of(false_one)];
		size_t kept = 0;

		/* A moved watch goes to another literal, so the list does not grow here. */
		for (size_t i = 0; i < w->count; i++)
			if (conflict || visit_clause(c, w->clause[i], false_one, &conflict))
				w->clause[kept++] = w->clause[i];
		w->count = kept;
	}
	if (c->limit && c->visits > c->limit)
		c->exhausted = true;
	return conflict;
}

/* ---- Stored clauses */

static size_t bucket_of(const int *literal, size_t n)
{
	uint64_t sum = n;

	for (size_t i = 0; i < n; i++)
		sum += (index_of(literal[i]) + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(sum >> 40) % BUCKETS;
}

/* Deletions look clauses up by their literals, in any order. */
static void store_entry(struct checker *c, const int *literal, size_t n, size_t clause)
{
	size_t *bucket = &c->bucket[bucket_of(literal, n)];

	if (!lsi_table_grow(&c->entry, c->entries, &c->entry_room, sizeof *c->entry)) {
		c->exhausted = true;
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
		if (c->mark[index_of(-literal[i])] == c->stamp)
			return false;
		if (c->mark[index_of(literal[i])] == c->stamp)
			continue;
		c->mark[index_of(literal[i])] = c->stamp;
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

static void store_clause(struct checker *c, const int *literal, size_t n)
{
	const size_t clause = c->used;

	for (size_t i = 0; i <= n; i++) {
		if (!lsi_table_grow(&c->pool, c->used, &c->room, sizeof *c->pool)) {
			c->exhausted = true;
			return;
		}
		c->pool[c->used++] = i == 0 ? (int)n : literal[i - 1];
	}
	watch_literal(c, literal[0], clause);
	watch_literal(c, literal[1], clause);
	store_entry(c, literal, n, clause);
}

/* Add a clause to those that hold, and propagate what it states. */
static void add_clause(struct checker *c, int *literal, size_t n)
{
	if (!mark_literals(c, literal, &n))
		return;
	order_watches(c, literal, n);
	if (n == 0 || value_of(c, literal[0]) < 0) {
		c->contradicted = true;
		return;
	}
	if (n > 1)
		store_clause(c, literal, n);
	if (value_of(c, literal[0]) == 0 && (n == 1 || value_of(c, literal[1]) < 0)) {
		assign(c, literal[0]);
		c->contradicted = propagate(c);
	}
}

/* Whether a stored clause consists of the marked literals. */
static bool is_marked(const struct checker *c, size_t clause, size_t n)
{
	if (c->pool[clause] != (int)n)
		return false;
	for (size_t i = 1; i <= n; i++)
		if (c->mark[index_of(c->pool[clause + i])] != c->stamp)
			return false;
	return true;
}

/* Whether one literal is true, and all others are false: the clause may be the reason for it. */
static bool states_value(const struct checker *c, size_t clause)
{
	int trues = 0, open = 0;

	for (int i = 1; i <= c->pool[clause]; i++) {
		trues += value_of(c, c->pool[clause + (size_t)i]) > 0;
		open += value_of(c, c->pool[clause + (size_t)i]) == 0;
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
	c->pool[c->entry[*link - 1].clause] = -(int)n;
	*link = c->entry[*link - 1].next;
}

/* ---- The proof */

/* Whether a clause follows by unit propagation. */
static bool follows(struct checker *c, const int *literal, size_t n)
{
	const size_t before = c->assigned;
	bool conflict = false;

	for (size_t i = 0; i < n && !conflict; i++) {
		if (value_of(c, literal[i]) == 0)
			assign(c, -literal[i]);
		else
			conflict = value_of(c, literal[i]) > 0;
	}
	if (!conflict)
		conflict = propagate(c);
	undo_to(c, before);
	return conflict;
}

static bool knows_variables(const struct checker *c, const struct lsi_proof_reader *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (abs(r->literal[i]) > c->variables || r->literal[i] == 0)
			return false;
	return true;
}

static struct lsi_refutation_result replay(struct checker *c, struct lsi_proof_reader *r)
{
	struct lsi_refutation_result result = { LSI_PROOF_ENDS, 0 };

	while (!c->contradicted && !c->exhausted && lsi_proof_next(r)) {
		result.line++;
		if (!knows_variables(c, r)) {
			result.outcome = LSI_PROOF_UNREADABLE;
			return result;
		}
		if (r->deletes) {
			delete_clause(c, r->literal, r->count);
		} else if (follows(c, r->literal, r->count)) {
			add_clause(c, r->literal, r->count);
		} else {
			result.outcome = LSI_PROOF_WRONG;
			return result;
		}
	}
	result.outcome = c->exhausted ? LSI_PROOF_LONG
		: c->contradicted         ? LSI_REFUTED
		: r->is_broken            ? LSI_PROOF_UNREADABLE
								  : LSI_PROOF_ENDS;
	return result;
}

static void add_formula(struct checker *c, const struct lsi_clauses *formula)
{
	int *copy = lsi_alloc((formula->literals + 1) * sizeof *copy);
	size_t first = 0;

	c->exhausted = !copy;
	for (size_t i = 0; i < formula->literals && copy; i++)
		copy[i] = formula->literal[i];
	for (size_t i = 0; i < formula->literals && !c->exhausted && !c->contradicted; i++)
		if (formula->literal[i] == 0) {
			add_clause(c, copy + first, i - first);
			first = i + 1;
		}
	lsi_free(copy);
}

static void checker_fini(struct checker *c)
{
	for (size_t l = 0; c->watch && l < 2 * (size_t)c->variables + 2; l++)
		lsi_free(c->watch[l].clause);
	lsi_free(c->pool);
	lsi_free(c->watch);
	lsi_free(c->value);
	lsi_free(c->trail);
	lsi_free(c->entry);
	lsi_free(c->bucket);
	lsi_free(c->mark);
}

struct lsi_refutation_result lsi_refutation_check(
	const struct lsi_clauses *formula, const char *proof, size_t bytes, uint64_t propagations)
{
	const size_t literals = 2 * (size_t)formula->variables + 2;
	struct checker c = { .variables = formula->variables,
		.limit = propagations,
		.watch = lsi_alloc_zero(literals, sizeof *c.watch),
		.value = lsi_alloc_zero(literals, sizeof *c.value),
		.trail = lsi_alloc_zero(literals, sizeof *c.trail),
		.bucket = lsi_alloc_zero(BUCKETS, sizeof *c.bucket),
		.mark = lsi_alloc_zero(literals, sizeof *c.mark) };
	struct lsi_refutation_result result = { LSI_PROOF_LONG, 0 };
	struct lsi_proof_reader reader;

	lsi_proof_open(&reader, proof, bytes);
	if (c.watch && c.value && c.trail && c.bucket && c.mark) {
		add_formula(&c, formula);
		result = replay(&c, &reader);
	}
	lsi_proof_close(&reader);
	checker_fini(&c);
	return result;
}
