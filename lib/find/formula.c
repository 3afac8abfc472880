/*
 * The clauses are written node by node: first the ports, then, round by round, what arrives.  The
 * order is part of the interface: a stored refutation has a checksum of the literals.
 *
 * Variables 1 .. T * E are the links A[t,a], so that a model begins with its schedule.  Those of K
 * follow, by v, x and t; with several ports, those of Y come last.
 */
#include "find/formula.h"

#include <limits.h>

#include "base/alloc.h"
#include "base/error.h"
#include "plan/plan_table.h"

/* The values of K that are no variables. */
enum { LEFT_OUT = 0, ALWAYS = INT_MAX };

/* The formula while it is written; the tables of its variables are dropped afterwards. */
struct writer {
	struct lsi_clauses *out;
	const struct lsi_question *question;
	int *known; /* K[t,v,x]: known[(t * p + v) * p + x] */
};

/* ---- Clauses */

static void put_number(struct lsi_clauses *c, int number)
{
	if (c->literals >= LSI_LITERALS_MAX)
		c->failed = c->failed ? c->failed : LS_ERR_UNSUPPORTED;
	else if (!lsi_table_grow(&c->literal, c->literals, &c->room, sizeof *c->literal))
		c->failed = LS_ERR_MEMORY;
	else
		c->literal[c->literals++] = number;
}

static void put_literal(struct lsi_clauses *c, int literal)
{
	if (literal == LEFT_OUT || literal == -ALWAYS)
		return;
	if (literal == ALWAYS)
		c->holds = true;
	else
		put_number(c, literal);
}

/* A clause that always holds is not kept. */
static void end_clause(struct lsi_clauses *c)
{
	if (c->holds) {
		c->literals = c->start;
	} else {
		put_number(c, 0);
		c->clauses++;
	}
	c->start = c->literals;
	c->holds = false;
}

/* ---- Variables */

static int *known_at(const struct writer *w, int t, int v, int x)
{
	const int p = w->question->arcs->nodes;

	return &w->known[((size_t)t * (size_t)p + (size_t)v) * (size_t)p + (size_t)x];
}

/* The least distance from v to a node that must hear of x; INT_MAX: there is none. */
static int distance_to_listener(const struct lsi_question *q, int v, int x)
{
	int least = INT_MAX;

	for (int w = 0; w < q->arcs->nodes; w++)
		if (lsi_goal_has(q->goal, w, x) && q->arcs->distance[v * q->arcs->nodes + w] < least)
			least = q->arcs->distance[v * q->arcs->nodes + w];
	return least;
}

/* K is left out where it cannot be true, or cannot help: see formula.h. */
static void number_variables(struct writer *w)
{
	const struct lsi_question *q = w->question;
	const int p = q->arcs->nodes;

	w->out->variables = q->rounds * q->arcs->count;
	for (int v = 0; v < p; v++)
		for (int x = 0; x < p; x++) {
			const int listener = distance_to_listener(q, v, x), own = v * p + x;
			const int pair = q->symmetry ? q->symmetry->pair[own] : own;

			*known_at(w, 0, v, x) = v == x ? ALWAYS : LEFT_OUT;
			for (int t = 1; t <= q->rounds; t++)
				*known_at(w, t, v, x) = pair < own ? *known_at(w, t, pair / p, pair % p)
					: q->arcs->distance[x * p + v] <= t && listener <= q->rounds - t
					? ++w->out->variables
					: LEFT_OUT;
		}
}

/* ---- The lines of the head comment */

/* At most `ports` of the links list[0 .. n-1] in round t: no ports + 1 of them together. */
static void write_at_most(struct writer *w, int t, const int *list, int n)
{
	const int size = w->question->ports + 1;
	int at[LS_PORTS + 1], last = 0;

	if (n < size)
		return;
	for (int i = 0; i < size; i++)
		at[i] = i;
	while (last >= 0 && !w->out->failed) {
		for (int i = 0; i < size; i++)
			put_literal(w->out, -lsi_formula_arc(w->question, t, list[at[i]]));
		end_clause(w->out);
		for (last = size - 1; last >= 0 && at[last] == n - size + last;)
			last--;
		if (last < 0)
			break;
		at[last]++;
		for (int i = last + 1; i < size; i++)
			at[i] = at[i - 1] + 1;
	}
}

/* The links into, or out of, a node; list has room for all. */
static int list_arcs(const struct lsi_arcs *arcs, int node, bool in, int *list)
{
	int n = 0;

	for (int a = 0; a < arcs->count; a++)
		if ((in ? arcs->arc[a].to : arcs->arc[a].from) == node)
			list[n++] = a;
	return n;
}

/* Lines 2 and 3 for one port; `in` lists the links into v. */
static void write_arrival(struct writer *w, int t, int v, int x, const int *in, int n)
{
	const int after = *known_at(w, t, v, x), before = *known_at(w, t - 1, v, x);

	for (int i = 0; i < n; i++) {
		put_literal(w->out, -after);
		put_literal(w->out, -lsi_formula_arc(w->question, t, in[i]));
		put_literal(w->out, before);
		put_literal(w->out, *known_at(w, t - 1, w->question->arcs->arc[in[i]].from, x));
		end_clause(w->out);
	}
	put_literal(w->out, -after);
	put_literal(w->out, before);
	for (int i = 0; i < n; i++)
		put_literal(w->out, lsi_formula_arc(w->question, t, in[i]));
	end_clause(w->out);
}

/* Lines 2' and 3' for several ports. */
static void write_arrivals(struct writer *w, int t, int v, int x, const int *in, int n)
{
	const int first = w->out->variables + 1;
	int brings = first;

	if (*known_at(w, t - 1, v, x) == ALWAYS)
		return;
	for (int i = 0; i < n; i++) {
		const int source = *known_at(w, t - 1, w->question->arcs->arc[in[i]].from, x);

		if (source == LEFT_OUT)
			continue;
		put_literal(w->out, -brings);
		put_literal(w->out, lsi_formula_arc(w->question, t, in[i]));
		end_clause(w->out);
		put_literal(w->out, -brings);
		put_literal(w->out, source);
		end_clause(w->out);
		brings++;
	}
	w->out->variables = brings - 1;
	put_literal(w->out, -*known_at(w, t, v, x));
	put_literal(w->out, *known_at(w, t - 1, v, x));
	for (int y = first; y < brings; y++)
		put_literal(w->out, y);
	end_clause(w->out);
}

/* The clauses of the other pairs of an orbit are the same. */
static bool is_first_of_orbit(const struct lsi_question *q, int v, int x)
{
	const int own = v * q->arcs->nodes + x;

	return !q->symmetry || q->symmetry->pair[own] == own;
}

/* Lines 2 to 4 for round t and node v. */
static void write_knowledge(struct writer *w, int t, int v, const int *in, int n)
{
	for (int x = 0; x < w->question->arcs->nodes; x++) {
		if (*known_at(w, t, v, x) == LEFT_OUT || !is_first_of_orbit(w->question, v, x))
			continue;
		if (w->question->ports > 1)
			write_arrivals(w, t, v, x, in, n);
		else
			write_arrival(w, t, v, x, in, n);
		if (*known_at(w, t - 1, v, x) != LEFT_OUT) {
			put_literal(w->out, -*known_at(w, t - 1, v, x));
			put_literal(w->out, *known_at(w, t, v, x));
			end_clause(w->out);
		}
	}
}

/* The links out of a node in the rounds that are fixed. */
static void write_fixed(struct writer *w, const int *list, int n)
{
	const struct lsi_question *q = w->question;

	for (int t = 1; t <= q->rounds && q->first; t++) {
		const int link = lsi_first_rounds_link(q->first, t, q->rounds);

		for (int i = 0; i < n && link >= 0; i++) {
			const int a = lsi_formula_arc(q, t, list[i]);

			put_literal(w->out, q->arcs->arc[list[i]].link == link ? a : -a);
			end_clause(w->out);
		}
	}
}

/* All clauses about a node; list has room for its links. */
static void write_node(struct writer *w, int v, int *list)
{
	const struct lsi_question *q = w->question;
	const int out = list_arcs(q->arcs, v, false, list);

	for (int t = 1; t <= q->rounds; t++)
		write_at_most(w, t, list, out);
	write_fixed(w, list, out);

	const int in = list_arcs(q->arcs, v, true, list);

	for (int t = 1; t <= q->rounds && !w->out->failed; t++) {
		write_at_most(w, t, list, in);
		write_knowledge(w, t, v, list, in);
	}
	for (int x = 0; x < q->arcs->nodes; x++)
		if (lsi_goal_has(q->goal, v, x) && is_first_of_orbit(q, v, x)) {
			put_literal(w->out, *known_at(w, q->rounds, v, x));
			end_clause(w->out);
		}
}

int lsi_formula_init(
	struct lsi_clauses *out, const struct lsi_question *question, struct ls_error *why)
{
	const size_t p = (size_t)question->arcs->nodes;
	struct writer w = { out, question,
		lsi_alloc(((size_t)question->rounds + 1) * p * p * sizeof *w.known) };
	int *list = lsi_alloc(((size_t)question->arcs->count + 1) * sizeof *list);
	int status = LS_ERR_MEMORY;

	*out = (struct lsi_clauses){ 0 };
	if (w.known && list) {
		number_variables(&w);
		for (int v = 0; v < question->arcs->nodes && !out->failed; v++)
			write_node(&w, v, list);
		status = out->failed;
	}
	lsi_free(w.known);
	lsi_free(list);
	if (status == LS_ERR_MEMORY)
		return lsi_error_set(why, status, "no memory for a formula");
	if (status == LS_ERR_UNSUPPORTED)
		return lsi_error_set(why, status,
			"the formula of %d rounds on %zu nodes exceeds %d literals; try a smaller network",
			question->rounds, p, LSI_LITERALS_MAX);
	return LS_OK;
}

void lsi_formula_fini(struct lsi_clauses *c)
{
	lsi_free(c->literal);
	*c = (struct lsi_clauses){ 0 };
}
