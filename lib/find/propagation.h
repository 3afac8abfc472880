/*
 * Clauses, and unit propagation over them with two watched literals.
 *
 * Assignments that clauses force stay for good, until they are undone; each knows the clause that
 * forced it.  So a contradiction can be traced to the clauses that it rests on.
 */
#ifndef LSI_FIND_PROPAGATION_H
#define LSI_FIND_PROPAGATION_H

#include <stdint.h>
#include <stdlib.h>

#include "find/core.h"

/* The clauses that watch a literal, as offsets in the pool. */
struct lsi_watchers {
	size_t *clause, count, room;
};

/*
 * A clause at offset c of the pool: its length in pool[c], negative if it is deleted, then its
 * literals.  The first two are watched.  pool[c - 1] is its step of the proof; 0: of the formula.
 */
struct lsi_propagation {
	int variables;
	int *pool;
	size_t used, room;
	struct lsi_watchers *watch; /* by literal, as lsi_literal_index numbers it */
	signed char *value;         /* by literal: 1 true, -1 false, 0 open */
	int *trail;                 /* the true literals, in the order of their assignment */
	size_t assigned, done;      /* of the trail; done: propagated */
	size_t *reason;             /* by variable: the clause that forced it; 0: none */
	bool *seen;                 /* by variable, in a trace */
	size_t conflict;            /* the clause that has only false literals; 0: none */
	uint64_t visits, limit;     /* of clauses; limit 0: none */
	bool exhausted;             /* no memory, or beyond the limit */
};

static inline bool lsi_is_beyond_limit(const struct lsi_propagation *p)
{
	return p->limit && p->visits > p->limit;
}

static inline size_t lsi_literal_index(int literal)
{
	return literal > 0 ? 2 * (size_t)literal : 2 * (size_t)-literal + 1;
}

static inline int lsi_literal_value(const struct lsi_propagation *p, int literal)
{
	return p->value[lsi_literal_index(literal)];
}

/* False: no memory.  Release it in both cases. */
bool lsi_propagation_init(struct lsi_propagation *, int variables, uint64_t limit);
void lsi_propagation_fini(struct lsi_propagation *);

/* The offset of the clause, or 0: no memory.  The first two of more literals are watched. */
size_t lsi_clause_store(struct lsi_propagation *, const int *literal, size_t n, size_t step);

void lsi_assign(struct lsi_propagation *, int literal, size_t reason);
void lsi_undo_to(struct lsi_propagation *, size_t assigned);

/* Propagate all assignments; true: `conflict` has only false literals. */
bool lsi_propagate(struct lsi_propagation *);

/* Note the steps that the conflict rests on, before anything is undone. */
void lsi_trace_conflict(struct lsi_propagation *, struct lsi_core *);

#endif
