#include "support/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective/algorithm.h"
#include "support/guard.h"

static void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

ls_topology *topology_of(const char *spec)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t;

	if (ls_topology_make(spec, &t, &why) != LS_OK)
		die(why.text);
	return t;
}

struct ls_plan *plan_of(const struct cell *cell)
{
	struct ls_plan *plan;

	if (lsi_plan_make_from(cell->algorithm, &cell->problem, &plan) != LS_OK)
		die("no memory for a plan");
	return plan;
}

struct cell_name cell_name(const struct cell *cell)
{
	const struct lsi_problem *p = &cell->problem;
	struct cell_name name;

	snprintf(name.text, sizeof name.text, "%s %s %s root %lld shift %lld %s ports %d%s",
		ls_operation_name(p->operation), cell->algorithm->name, ls_topology_spec(p->topology),
		(long long)p->root, (long long)p->shift, p->mode == LS_HOP ? "hop" : "routed", p->ports,
		p->in_place ? " in place" : "");
	return name;
}

/* ---- Networks */

typedef void visit_network(const char *spec, void *context);

static void say(
	visit_network *visit, void *context, const char *kind, int64_t a, int64_t b, int64_t c)
{
	char spec[64];
	int length = snprintf(spec, sizeof spec, "%s:%lld", kind, (long long)a);

	if (b)
		length += snprintf(spec + length, sizeof spec - (size_t)length, "x%lld", (long long)b);
	if (c)
		snprintf(spec + length, sizeof spec - (size_t)length, "x%lld", (long long)c);
	visit(spec, context);
}

static void each_grid(const char *kind, int64_t every, visit_network *visit, void *context)
{
	for (int64_t a = 1; a <= every; a++) {
		for (int64_t b = 1; a * b <= every; b++) {
			say(visit, context, kind, a, b, 0);
			for (int64_t c = 1; b > 1 && a * b * c <= every; c++)
				say(visit, context, kind, a, b, c);
		}
	}
}

void each_network(int64_t most, int64_t every, visit_network *visit, void *context)
{
	static const char *const lines[] = { "linear", "ring", "complete" };
	static const int64_t grids[][3] = { { 4, 6, 0 }, { 5, 5, 0 }, { 3, 4, 5 }, { 8, 8, 0 },
		{ 4, 4, 4 }, { 7, 9, 0 }, { 1, 64, 0 }, { 2, 32, 0 }, { 32, 2, 0 }, { 2, 3, 10 },
		{ 16, 16, 0 }, { 8, 8, 8 }, { 15, 17, 0 } };
	static const struct {
		int64_t nodes;
		const char *spec;
	} made[] = { { 6, "ring:3*linear:2" }, { 12, "star:3*hypercube:1" },
		{ 12, "linear:2*ring:3*linear:2" }, { 9, "mct:2,2" }, { 18, "complete:3*star:3" },
		{ 5, "graph:test/data/path" }, { 4, "graph:test/data/claw" },
		{ 10, "graph:test/data/petersen" }, { 7, "graph:test/data/random7" },
		{ 12, "graph:test/data/random12" }, { 12, "graph:test/data/claw*ring:3" },
		{ 24, "star:2*torus:1x2x2*bintree:2" } };

	for (int64_t i = 0; i < 3; i++) {
		for (int64_t p = 1; p <= most; p += p < every ? 1 : 1 + p / 16)
			say(visit, context, lines[i], p, 0, 0);
	}
	for (int64_t d = 0; (int64_t)1 << d <= most; d++) {
		say(visit, context, "hypercube", d, 0, 0);
		say(visit, context, "debruijn", d, 0, 0);
		say(visit, context, "tree", (int64_t)1 << d, 0, 0);
		if (d > 0)
			say(visit, context, "bintree", d, 0, 0);
	}
	for (int64_t n = 1, nodes = 1; nodes <= 2 * most; nodes *= ++n) {
		say(visit, context, "star", n, 0, 0);
		say(visit, context, "pancake", n, 0, 0);
		say(visit, context, "bubblesort", n, 0, 0);
	}
	for (int i = 0; i < 2; i++) {
		const char *kind = i ? "torus" : "mesh";

		each_grid(kind, every, visit, context);
		for (size_t k = 0; k < sizeof grids / sizeof *grids; k++) {
			const int64_t *g = grids[k], nodes = g[0] * g[1] * (g[2] ? g[2] : 1);

			if (nodes > every && nodes <= most)
				say(visit, context, kind, g[0], g[1], g[2]);
		}
	}
	for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
		if (made[i].nodes <= every)
			visit(made[i].spec, context);
	}
}

struct listed listed;

void list_network(const char *spec, void *unused)
{
	(void)unused;
	if (listed.count == LISTED || strlen(spec) >= SPEC)
		die("too many networks, or too long a name");
	strcpy(listed.spec[listed.count++], spec);
}

/* ---- Cells */

/* The corners, the middle, and what lies beside them. */
static bool is_sampled(int64_t root, int64_t nodes, int64_t rooted)
{
	return nodes <= rooted || root <= 1 || root == nodes / 2 || root == nodes / 3
		|| root == nodes - 1;
}

typedef void visit_cell(const struct cell *, void *context);

/* The cells of one algorithm and operation, of which in fast runs only the one numbered `only`. */
struct variants {
	const struct lsi_algorithm *algorithm;
	const ls_topology *topology;
	enum ls_operation operation;
	int64_t rooted, only;
};

static struct cells each_variant(const struct variants *v, visit_cell *visit, void *context)
{
	const int64_t nodes = ls_topology_nodes(v->topology);
	const bool shifts = v->operation == LS_SHIFT;
	const int64_t roots = shifts || lsi_operation_is_rooted(v->operation) ? nodes : 1;
	struct cells count = { 0, 0 };

	for (int64_t i = 0; i < roots << 3; i++) {
		const int64_t root = i % roots, variant = i / roots;
		const struct cell cell = { v->algorithm,
			{ .topology = v->topology,
				.nodes = nodes,
				.segments = 1,
				.operation = v->operation,
				.root = shifts ? 0 : root,
				.shift = shifts ? root : 0,
				.mode = variant & 1 ? LS_ROUTED : LS_HOP,
				.in_place = variant & 2,
				.ports = 1 + (int)(variant >> 2) } };

		if (!v->algorithm->supports(&cell.problem))
			continue;
		count.existing++;
		if (!is_sampled(root, nodes, v->rooted))
			continue;
		if (visit && (v->only < 0 || v->only == count.covered))
			visit(&cell, context);
		count.covered++;
	}
	return count;
}

/* A number that differs from network to network, and is the same in every run. */
static int64_t choice_of(const struct variants *v)
{
	uint64_t state = (uint64_t)v->operation;

	for (const char *c = ls_topology_spec(v->topology); *c; c++)
		state = state * 31 + (unsigned char)*c;
	for (const char *c = v->algorithm->name; *c; c++)
		state = state * 31 + (unsigned char)*c;
	return (int64_t)(random_next(&state) >> 1);
}

struct cells each_cell(
	const ls_topology *t, int64_t rooted, void (*visit)(const struct cell *, void *), void *context)
{
	struct cells count = { 0, 0 };

	for (int i = 0; lsi_algorithms[i]; i++) {
		for (int o = 0; o < LS_OPERATIONS; o++) {
			struct variants v = { lsi_algorithms[i], t, (enum ls_operation)o, rooted, -1 };
			struct cells of;

			if (!(v.algorithm->operations & LSI_FOR(o)))
				continue;
			if (is_fast()) {
				of = each_variant(&v, NULL, NULL);
				v.only = of.covered ? choice_of(&v) % of.covered : 0;
			}
			of = each_variant(&v, visit, context);
			count.existing += of.existing;
			count.covered += is_fast() ? of.covered > 0 : of.covered;
		}
	}
	return count;
}

bool is_turn(const struct cell *cell, int64_t *turns)
{
	const struct lsi_problem *p = &cell->problem;
	const int64_t place[] = { 0, p->nodes - 1, p->nodes / 2, p->nodes > 1, p->nodes / 3 };
	const int64_t now = *turns % 5;

	if (is_fast() || (!lsi_operation_is_rooted(p->operation) && p->operation != LS_SHIFT))
		return true;
	*turns += p->root + p->shift == 0;
	return p->root + p->shift == place[now];
}

const struct element *element_for(const struct element element[ELEMENTS], enum ls_claim claim)
{
	static size_t next;

	for (;;) {
		const struct element *e = &element[next++ % ELEMENTS];

		if (claim >= LS_ORDERED || (e->commutative && (claim == LS_COMMUTATIVE || e->idempotent)))
			return e;
	}
}

const char *const small_networks[SMALL] = { "linear:5", "ring:6", "ring:8", "mesh:3x2", "torus:3x3",
	"hypercube:3", "complete:7", "star:3", "star:4", "tree:8", "bintree:3", "debruijn:3",
	"pancake:3", "bubblesort:3", "mct:2,2", "ring:3*linear:2", "graph:test/data/random7",
	"linear:1", "ring:2", "complete:12", "torus:2x4x2", "mesh:1x7", "hypercube:4", "linear:32",
	"ring:17", "mesh:4x3x2", "complete:32", "star:3*hypercube:1", "graph:test/data/claw" };

const struct placement placements[PLACEMENTS] = {
	{ "hypercube:3", "ring:8", "identity", LS_ROUTED },
	{ "hypercube:3", "ring:8", "gray", LS_ROUTED },
	{ "ring:8", "hypercube:3", "gray", LS_HOP },
	{ "ring:8", "hypercube:3", "gray", LS_ROUTED },
	{ "linear:5", "hypercube:3", "gray", LS_HOP },
	{ "torus:4x2", "hypercube:4", "gray", LS_HOP },
	{ "ring:24", "star:4", "hamiltonian", LS_HOP },
	{ "mesh:2x3", "tree:8", "identity", LS_ROUTED },
	{ "star:3", "ring:9", "identity", LS_ROUTED },
	{ "linear:1", "ring:3", "identity", LS_HOP },
};

const char *serving(const struct ls_request *request, int part, int parts)
{
	int serving = 0, k = 0;

	for (size_t i = 0; lsi_algorithms[i]; i++)
		serving += ls_algorithm_supports(i, request) == LS_OK;
	for (size_t i = 0; lsi_algorithms[i]; i++) {
		if (ls_algorithm_supports(i, request) == LS_OK && k++ == part * serving / parts)
			return lsi_algorithms[i]->name;
	}
	return NULL;
}

struct text text_of(const struct ls_plan *plan)
{
	struct text text = { 0 };

	if (ls_plan_write(plan, text_append, &text) != 0)
		die("a plan was not written");
	return text;
}
