/*
 * The formula whose models are the schedules of T rounds that reach a goal.
 *
 *   A[t,a]      the directed link a carries a message in round t = 1 .. T
 *   K[t,v,x]    v has heard of x after round t; K[0,v,x] is v == x
 *
 *   1  each node sends at most k messages in a round, and receives at most k
 *   2  K[t,v,x] and A[t,uv] imply K[t-1,v,x] or K[t-1,u,x]   (one port: what arrives comes from u)
 *   3  K[t,v,x] implies K[t-1,v,x] or some A[t,uv]            (nothing arrives without a message)
 *   4  K[t-1,v,x] implies K[t,v,x]
 *   5  K[T,v,x] for each pair (v, x) of the goal
 *
 * With k > 1 ports two messages may arrive, and line 2 would be wrong.  There Y[t,uv,x] states that
 * this message brings x:
 *
 *   2' Y[t,uv,x] implies A[t,uv], and K[t-1,u,x]
 *   3' K[t,v,x] implies K[t-1,v,x] or some Y[t,uv,x]
 *
 * K[t,v,x] is left out, as false, where it cannot be true: dist(x,v) > t; or where it cannot help:
 * every w that must hear of x is farther from v than T - t.
 *
 * Why a model gives a schedule: by 2 and 3, and by induction on t, K states at most what is true.
 * So by 5 the links A reach the goal, and by 1 they keep the ports.
 *
 * Why a refutation is a lower bound: take any schedule of at most T rounds that reaches the goal.
 * Set A to its links, and K to what nodes know in it, where K is not left out.  Then 1 and 5 hold.
 * If v knows x after round t and K[t,v,x] is there, some w with (w,x) in the goal has dist(v,w) <=
 * T - t.  Suppose v knew x before: then dist(x,v) <= t - 1 and dist(v,w) <= T - (t - 1), so
 * K[t-1,v,x] is there.  Otherwise x arrived from some u that knew it: dist(x,u) <= t - 1 and
 * dist(u,w) <= T - (t - 1), so K[t-1,u,x] is there.  So 2 and 3 hold in each case.  4 is written
 * only where both variables are there, and knowledge is never lost.
 *
 * Where the first rounds are fixed, each A[t,a] of theirs is a clause, or its negation is.
 *
 * With a symmetry, one variable stands for an orbit of links or pairs, and only one clause of each
 * orbit is written.  A refutation then says nothing about other schedules.
 */
#ifndef LSI_FIND_FORMULA_H
#define LSI_FIND_FORMULA_H

#include "find/first_rounds.h"
#include "find/symmetry.h"

/* Clauses in the order of the DIMACS form: literals, each clause ended by 0. */
struct lsi_clauses {
	int *literal;
	size_t literals, room, clauses;
	int variables;
	size_t start; /* of the clause that is being written */
	bool holds;   /* it has a literal that is always true */
	int failed;   /* LS_ERR_UNSUPPORTED: more than LSI_LITERALS_MAX literals; LS_ERR_MEMORY */
};

enum { LSI_LITERALS_MAX = 1 << 27 };

struct lsi_question {
	const struct lsi_arcs *arcs;
	const struct lsi_goal *goal;
	int rounds, ports;
	const struct lsi_symmetry *symmetry;  /* NULL: any schedule */
	const struct lsi_first_rounds *first; /* NULL: none is fixed */
};

/* LS_OK, LS_ERR_UNSUPPORTED: too long, LS_ERR_MEMORY.  Release it in all cases. */
int lsi_formula_init(
	struct lsi_clauses *, const struct lsi_question *, struct ls_error *why_or_null);
void lsi_formula_fini(struct lsi_clauses *);

/* The variable A[t,a] of round t = 1 .. T; that of the whole orbit of a, if there is a symmetry. */
static inline int lsi_formula_arc(const struct lsi_question *question, int t, int a)
{
	return 1 + (t - 1) * question->arcs->count
		+ (question->symmetry ? question->symmetry->arc[a] : a);
}

#endif
