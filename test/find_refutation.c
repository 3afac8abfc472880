/*
 * The checker of refutations: it accepts right proofs, and never a proof of what is satisfiable.
 *
 * Random formulas of few variables are decided by trying all assignments.  A proof by cases, which
 * negates each prefix of an assignment after its two extensions, is right if and only if the
 * formula has no model.  The core of such a proof is a proof, too.
 * The refutation in test/data is that of four rounds of an all-gather on mesh:3x3.  Each of 100
 * changes of it is found, and it refutes no number of rounds that is enough.  It is one of the
 * formula as it is: each of 100 clauses less, or of 100 literals negated, is found.
 */
#include <string.h>

#include <lockstep/find.h>

#include "base/alloc.h"
#include "find/bound.h"
#include "find/refutation.h"
#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

enum { VARIABLES = 8, CLAUSES = 60, FORMULAS = 3000, PROOF = 1 << 16, CHANGES = 100 };

static uint64_t seed = 1;

static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % below;
}

/* ---- Random formulas */

struct small_formula {
	struct lsi_clauses clauses;
	int literal[4 * CLAUSES];
};

/* Clauses of up to three literals, or of three. */
static void draw_formula(struct small_formula *f, int variables, int clauses, bool three)
{
	f->clauses = (struct lsi_clauses){
		.literal = f->literal, .clauses = (size_t)clauses, .variables = variables
	};
	for (int c = 0; c < clauses; c++) {
		for (unsigned n = three ? 3 : 1 + draw(3); n > 0; n--) {
			const int variable = 1 + (int)draw((unsigned)variables);

			f->literal[f->clauses.literals++] = draw(2) ? variable : -variable;
		}
		f->literal[f->clauses.literals++] = 0;
	}
}

static bool is_true(int literal, unsigned assignment)
{
	return (assignment >> (abs(literal) - 1) & 1) == (literal > 0);
}

static bool is_model(const struct small_formula *f, unsigned assignment)
{
	bool holds = false;

	for (size_t i = 0; i < f->clauses.literals; i++) {
		if (f->literal[i] == 0 && !holds)
			return false;
		holds = f->literal[i] != 0 && (holds || is_true(f->literal[i], assignment));
	}
	return true;
}

static bool has_model(const struct small_formula *f)
{
	for (unsigned assignment = 0; assignment < 1u << f->clauses.variables; assignment++)
		if (is_model(f, assignment))
			return true;
	return false;
}

/* ---- Proofs by cases */

struct proof {
	char at[PROOF];
	size_t length;
	bool binary, deletes;
};

static void put_literal(struct proof *p, int literal)
{
	if (!p->binary) {
		p->length += (size_t)sprintf(p->at + p->length, literal ? "%d " : "0\n", literal);
		return;
	}
	/* All numbers fit 7 bits. */
	p->at[p->length++] = (char)(literal > 0 ? 2 * literal : -2 * literal + (literal < 0));
}

static void put_prefix(struct proof *p, bool deletes, unsigned assignment, int depth)
{
	if (p->binary)
		p->at[p->length++] = deletes ? 'd' : 'a';
	else if (deletes)
		p->length += (size_t)sprintf(p->at + p->length, "d ");
	for (int v = 1; v <= depth; v++)
		put_literal(p, is_true(v, assignment) ? -v : v);
	put_literal(p, 0);
}

/* The negation of the first `depth` values, after those of both extensions. */
static void prove_cases(struct proof *p, int variables, unsigned assignment, int depth)
{
	if (depth < variables) {
		prove_cases(p, variables, assignment, depth + 1);
		prove_cases(p, variables, assignment | 1u << depth, depth + 1);
	}
	put_prefix(p, false, assignment, depth);
	if (depth < variables && p->deletes) {
		put_prefix(p, true, assignment, depth + 1);
		put_prefix(p, true, assignment | 1u << depth, depth + 1);
	}
}

static size_t steps, kept; /* of all proofs, and of their cores */

/* The core without the rest is a proof. */
static void check_core(int number, const struct small_formula *f, const struct proof *p)
{
	ls_topology *topology = topology_of("mesh:3x3");
	struct lsi_core core = { 0 };
	struct ls_request request = { .size = sizeof request, .operation = LS_ALLGATHER };
	size_t n = 0;
	char *written;

	request.topology = topology;
	CHECK(lsi_refutation_check(&f->clauses, p->at, p->length, 0, &core).outcome == LSI_REFUTED
			&& lsi_core_mark(&core),
		"formula %d: the core", number);
	for (size_t step = 1; step < core.steps; step++)
		kept += core.needed[step];
	steps += core.steps;
	written = lsi_refutation_text(
		&request, &f->clauses, 1, (struct lsi_proof){ p->at, p->length, &core }, &n);
	CHECK(written && lsi_refutation_check(&f->clauses, written, n, 0, NULL).outcome == LSI_REFUTED,
		"formula %d: the core is no proof", number);
	lsi_free(written);
	lsi_core_fini(&core);
	ls_topology_destroy(topology);
}

static void test_formula(int number)
{
	static struct small_formula f;
	static struct proof p;
	const int variables = 2 + (int)draw(VARIABLES - 1);
	struct lsi_refutation_result result;

	draw_formula(&f, variables, 1 + (int)draw(CLAUSES), number % 3 == 0);
	p.length = 0;
	p.binary = number & 1;
	p.deletes = number & 2;
	prove_cases(&p, variables, 0, 0);
	result = lsi_refutation_check(&f.clauses, p.at, p.length, 0, NULL);
	CHECK((result.outcome == LSI_REFUTED) == !has_model(&f), "formula %d: outcome %d at clause %zu",
		number, (int)result.outcome, result.line);
	if (result.outcome == LSI_REFUTED)
		check_core(number, &f, &p);
	/* Half of it is no proof, unless unit propagation needs no more. */
	result = lsi_refutation_check(&f.clauses, p.at, p.length / 2, 0, NULL);
	CHECK(result.outcome != LSI_REFUTED || !has_model(&f), "formula %d: half a proof", number);
}

/* Any bytes are a proof of nothing. */
static void test_noise(int number)
{
	static struct small_formula f;
	char noise[200];

	do
		draw_formula(&f, VARIABLES, 1 + (int)draw(12), false);
	while (!has_model(&f));
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = number & 1 ? (char)draw(256) : "0123456789 -d\n"[draw(14)];
	CHECK(lsi_refutation_check(&f.clauses, noise, sizeof noise, 0, NULL).outcome != LSI_REFUTED,
		"noise %d", number);
}

/* ---- The refutation of test/data */

static char text[PROOF];
static size_t length;

static void read_refutation(void)
{
	FILE *file = fopen("test/data/mesh3x3_gossip4.drat", "r");

	if (!file) {
		puts("no test/data/mesh3x3_gossip4.drat here; run from the root of the tree");
		exit(1);
	}
	length = fread(text, 1, sizeof text, file);
	fclose(file);
}

static int check_bound(const char *spec, enum ls_operation operation, const char *with, size_t n)
{
	struct ls_request request = { .size = sizeof request, .operation = operation };
	ls_topology *topology = NULL;
	int64_t bound = -1;
	int status = ls_topology_make(spec, &topology, NULL);

	request.topology = topology;
	if (status == LS_OK)
		status = ls_bound_check(&request, with, n, &bound, NULL);
	CHECK(status != LS_OK || bound == 5, "%s: bound %lld", spec, (long long)bound);
	ls_topology_destroy(topology);
	return status;
}

static void test_changes(void)
{
	static char changed[PROOF];

	CHECK(check_bound("mesh:3x3", LS_ALLGATHER, text, length) == LS_OK, "as it is");
	CHECK(check_bound("mesh:3x3", LS_ALLREDUCE, text, length) == LS_OK, "of the same goal");
	CHECK(check_bound("mesh:3x3", LS_SCAN, text, length) == LS_ERR_LAW, "another goal");
	CHECK(check_bound("torus:3x3", LS_ALLGATHER, text, length) == LS_ERR_LAW, "another network");
	CHECK(check_bound("mesh:3x3", LS_ALLGATHER, "1 0\n", 4) == LS_ERR_SPEC, "no comments");
	for (int i = 0; i < CHANGES; i++) {
		const size_t at = draw((unsigned)length);
		const char *line = memchr(text + at, '\n', length - at);
		const size_t next = line ? (size_t)(line - text) + 1 : length;

		memcpy(changed, text, length);
		changed[at] ^= 1;
		/* A change of the first line, which is for people, has no effect. */
		if (at > strcspn(text, "\n"))
			CHECK(check_bound("mesh:3x3", LS_ALLGATHER, changed, length) != LS_OK, "byte %zu", at);
		memmove(changed + at, text + next, length - next);
		if (at > strcspn(text, "\n") && next > at)
			CHECK(check_bound("mesh:3x3", LS_ALLGATHER, changed, length - (next - at)) != LS_OK,
				"line at %zu", at);
	}
}

/* ---- Changes of the formula */

/* The refutation of test/data, as it would have been written for another formula. */
static int check_written(const struct ls_request *request, const struct lsi_clauses *formula)
{
	const char *body = strstr(text, "\nc sum ") + 1;
	int64_t bound = 0;
	size_t written;
	char *other;
	int status;

	body += strcspn(body, "\n") + 1;
	other = lsi_refutation_text(request, formula, 4,
		(struct lsi_proof){ body, length - (size_t)(body - text), NULL }, &written);
	CHECK(other, "no memory");
	status = ls_bound_check(request, other, written, &bound, NULL);
	lsi_free(other);
	return status;
}

/* Without the clause that has this literal, or ends with it. */
static void drop_clause(struct lsi_clauses *c, size_t at)
{
	size_t first = at, next = at;

	while (first > 0 && c->literal[first - 1])
		first--;
	while (c->literal[next])
		next++;
	memmove(
		c->literal + first, c->literal + next + 1, (c->literals - next - 1) * sizeof *c->literal);
	c->literals -= next + 1 - first;
}

static void test_formula_changes(void)
{
	struct ls_request request = { .size = sizeof request, .operation = LS_ALLGATHER };
	ls_topology *topology = NULL;
	struct lsi_arcs arcs;
	struct lsi_goal goal;

	CHECK(ls_topology_make("mesh:3x3", &topology, NULL) == LS_OK, "mesh:3x3");
	CHECK(lsi_arcs_init(&arcs, topology, NULL) == LS_OK, "links");
	request.topology = topology;
	goal = lsi_goal_of(&request, arcs.nodes);
	for (int i = 0; i < 2 * CHANGES + 1; i++) {
		const struct lsi_question question = { &arcs, &goal, 4, 1, NULL, NULL };
		struct lsi_clauses formula;
		size_t at;

		CHECK(lsi_formula_init(&formula, &question, NULL) == LS_OK, "the formula");
		do
			at = draw((unsigned)formula.literals);
		while (formula.literal[at] == 0);
		if (i == 0)
			CHECK(check_written(&request, &formula) == LS_OK, "as it is");
		else if (i % 2)
			drop_clause(&formula, at);
		else
			formula.literal[at] = -formula.literal[at];
		if (i > 0)
			CHECK(check_written(&request, &formula) == LS_ERR_LAW, "change at literal %zu", at);
		lsi_formula_fini(&formula);
	}
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
}

/* ---- Texts whose checksum is right */

/* In binary form, a deletion and a clause that does not follow; none at all; the empty clause. */
static void test_useless_proofs(void)
{
	static const struct {
		const char *proof;
		size_t bytes;
		const char *says;
	} rows[] = {
		{ "d\2\0a\2", 6, "clause 2 of the refutation of 4 rounds does not follow" },
		{ "", 0, "ends without a contradiction" },
		{ "0\n", 2, "clause 1 of the refutation of 4 rounds does not follow" },
	};
	struct ls_request request = { .size = sizeof request, .operation = LS_ALLGATHER };
	ls_topology *topology = NULL;
	struct lsi_arcs arcs;

	CHECK(ls_topology_make("mesh:3x3", &topology, NULL) == LS_OK, "mesh:3x3");
	CHECK(lsi_arcs_init(&arcs, topology, NULL) == LS_OK, "links");
	request.topology = topology;

	const struct lsi_goal goal = lsi_goal_of(&request, arcs.nodes);
	const struct lsi_question question = { &arcs, &goal, 4, 1, NULL, NULL };
	struct lsi_clauses formula;

	CHECK(lsi_formula_init(&formula, &question, NULL) == LS_OK, "the formula");
	CHECK(lsi_refutation_check(&formula, "a\2", 2, 0, NULL).outcome == LSI_PROOF_UNREADABLE, "cut");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ls_error why = { .size = sizeof why };
		int64_t bound = -1;
		size_t n;
		char *written = lsi_refutation_text(
			&request, &formula, 4, (struct lsi_proof){ rows[i].proof, rows[i].bytes, NULL }, &n);

		CHECK(ls_bound_check(&request, written, n, &bound, &why) == LS_ERR_LAW && bound == -1
				&& strstr(why.text, rows[i].says),
			"row %zu: %s", i, why.text);
		lsi_free(written);
	}
	lsi_formula_fini(&formula);
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
}

/* ---- The checker without the checksum */

/* More rounds are enough. */
static void test_more_rounds(void)
{
	struct ls_request request = { .size = sizeof request, .operation = LS_ALLGATHER };
	ls_topology *topology = NULL;
	struct lsi_arcs arcs;
	struct lsi_goal goal;
	struct lsi_clauses formula;

	CHECK(ls_topology_make("mesh:3x3", &topology, NULL) == LS_OK, "mesh:3x3");
	CHECK(lsi_arcs_init(&arcs, topology, NULL) == LS_OK, "links");
	request.topology = topology;
	goal = lsi_goal_of(&request, arcs.nodes);
	for (int rounds = 5; rounds < 8; rounds++) {
		const struct lsi_question question = { &arcs, &goal, rounds, 1, NULL, NULL };

		CHECK(lsi_formula_init(&formula, &question, NULL) == LS_OK, "%d rounds", rounds);
		CHECK(lsi_refutation_check(&formula, text, length, 0, NULL).outcome != LSI_REFUTED,
			"a plan of %d rounds exists", rounds);
		lsi_formula_fini(&formula);
	}
	lsi_arcs_fini(&arcs);
	ls_topology_destroy(topology);
}

int main(void)
{
	const int formulas = is_fast() || is_thin() ? FORMULAS / 10 : FORMULAS;

	read_refutation();
	for (int i = 0; i < formulas; i++) {
		test_formula(i);
		test_noise(i);
	}
	CHECK(2 * kept < steps, "%zu of %zu steps are kept", kept, steps);
	test_changes();
	test_formula_changes();
	test_useless_proofs();
	test_more_rounds();
	return test_result();
}
