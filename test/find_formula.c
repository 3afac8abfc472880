/*
 * The formula of a search says what is meant.
 *
 * For all connected graphs of 3 to 5 nodes and six goals, a breadth-first search over what the
 * nodes know gives the fewest rounds T.  The formula must be satisfiable for T, by a model that
 * reaches the goal, and refuted for T - 1.
 */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "find/refutation.h"
#include "find/solver.h"
#include "support/guard.h"
#include "test.h"

enum { NODES = 5, ARCS = NODES * (NODES - 1), STATES = 1 << (NODES * NODES), GOALS = 6 };

/* ---- Graphs */

/* Bit i of `edges` is the i-th pair u < v. */
struct graph {
	struct lsi_arcs arcs;
	struct lsi_arc arc[ARCS];
	int distance[NODES * NODES];
};

static void make_graph(struct graph *g, int nodes, unsigned edges)
{
	unsigned pair = 0;

	*g = (struct graph){ .arcs = { .nodes = nodes } };
	for (int v = 0; v < nodes; v++)
		for (int x = 0; x < nodes; x++)
			g->distance[v * nodes + x] = v == x ? 0 : 2 * nodes;
	for (int u = 0; u < nodes; u++)
		for (int v = u + 1; v < nodes; v++, pair++)
			if (edges >> pair & 1) {
				g->arc[g->arcs.count++] = (struct lsi_arc){ u, v, 0, 0 };
				g->arc[g->arcs.count++] = (struct lsi_arc){ v, u, 0, 0 };
				g->distance[u * nodes + v] = g->distance[v * nodes + u] = 1;
			}
	for (int w = 0; w < nodes; w++)
		for (int u = 0; u < nodes; u++)
			for (int v = 0; v < nodes; v++) {
				const int by = g->distance[u * nodes + w] + g->distance[w * nodes + v];

				if (by < g->distance[u * nodes + v])
					g->distance[u * nodes + v] = by;
			}
	g->arcs.arc = g->arc;
	g->arcs.distance = g->distance;
}

static bool is_connected(const struct graph *g)
{
	for (int i = 0; i < g->arcs.nodes * g->arcs.nodes; i++)
		if (g->distance[i] >= 2 * g->arcs.nodes)
			return false;
	return true;
}

static unsigned edges_of(const struct graph *g)
{
	unsigned edges = 0, pair = 0;

	for (int u = 0; u < g->arcs.nodes; u++)
		for (int v = u + 1; v < g->arcs.nodes; v++, pair++)
			edges |= (unsigned)(g->distance[u * g->arcs.nodes + v] == 1) << pair;
	return edges;
}

/* Exchange the names of two nodes. */
static unsigned renamed(int nodes, unsigned edges, int a, int b)
{
	struct graph g, h;
	unsigned pair = 0, out = 0;

	make_graph(&g, nodes, edges);
	h = g;
	for (int u = 0; u < nodes; u++)
		for (int v = 0; v < nodes; v++) {
			const int x = u == a ? b : u == b ? a : u, y = v == a ? b : v == b ? a : v;

			h.distance[u * nodes + v] = g.distance[x * nodes + y];
		}
	for (int u = 0; u < nodes; u++)
		for (int v = u + 1; v < nodes; v++, pair++)
			out |= (unsigned)(h.distance[u * nodes + v] == 1) << pair;
	return out;
}

/* Marks all graphs that differ from this one only in the names of nodes. */
static void mark_renamed(int nodes, unsigned edges, bool *marked)
{
	marked[edges] = true;
	for (int a = 0; a < nodes; a++)
		for (int b = a + 1; b < nodes; b++)
			if (!marked[renamed(nodes, edges, a, b)])
				mark_renamed(nodes, renamed(nodes, edges, a, b), marked);
}

/* ---- Goals */

static bool wants(int goal, int nodes, int v, int x)
{
	const bool pairs[GOALS] = { x == 0, true, x <= v, x < v, v == (x + 1) % nodes, x == nodes - 1 };

	return pairs[goal];
}

static struct lsi_goal goal_of(int goal, int nodes)
{
	struct lsi_goal out = { .backward = false };

	for (int v = 0; v < nodes; v++)
		for (int x = 0; x < nodes; x++)
			if (wants(goal, nodes, v, x))
				lsi_nodes_add(&out.wants[v], x);
	return out;
}

/* ---- Breadth-first search: bit v * nodes + x of a state: v knows x */

struct states {
	const struct graph *g;
	uint32_t *queue;
	uint8_t *rounds; /* by state: 1 + rounds; 0: not reached */
	size_t first, last;
	uint32_t goal;
};

static void reach(struct states *s, uint32_t state, int rounds)
{
	if (s->rounds[state] == 0) {
		s->rounds[state] = (uint8_t)(rounds + 1);
		s->queue[s->last++] = state;
	}
}

/* Whether one more link could be used.  More messages never hurt. */
static bool has_free_link(const struct states *s, unsigned sent, unsigned received)
{
	for (int a = 0; a < s->g->arcs.count; a++)
		if (!(sent >> s->g->arc[a].from & 1) && !(received >> s->g->arc[a].to & 1))
			return true;
	return false;
}

/* All largest sets of links that keep the ports: links a .. may still be used. */
static void send_from(
	struct states *s, uint32_t before, uint32_t after, int a, unsigned sent, unsigned received)
{
	const int nodes = s->g->arcs.nodes;

	if (a == s->g->arcs.count) {
		if (!has_free_link(s, sent, received))
			reach(s, after, s->rounds[before]);
		return;
	}

	const struct lsi_arc *arc = &s->g->arc[a];
	const uint32_t row = (1u << nodes) - 1, brought = before >> (arc->from * nodes) & row;

	send_from(s, before, after, a + 1, sent, received);
	if (!(sent >> arc->from & 1) && !(received >> arc->to & 1))
		send_from(s, before, after | brought << (arc->to * nodes), a + 1, sent | 1u << arc->from,
			received | 1u << arc->to);
}

/* The fewest rounds, by all states that can be reached. */
static int fewest_rounds(const struct graph *g, int goal)
{
	static uint32_t queue[STATES];
	static uint8_t rounds[STATES];
	const int nodes = g->arcs.nodes;
	struct states s = { .g = g, .queue = queue, .rounds = rounds };
	uint32_t start = 0;

	memset(rounds, 0, (size_t)1 << (nodes * nodes));
	for (int v = 0; v < nodes; v++)
		start |= 1u << (v * nodes + v);
	for (int v = 0; v < nodes; v++)
		for (int x = 0; x < nodes; x++)
			s.goal |= (uint32_t)wants(goal, nodes, v, x) << (v * nodes + x);
	reach(&s, start, 0);
	for (; s.first < s.last; s.first++) {
		if ((s.goal & ~queue[s.first]) == 0)
			return rounds[queue[s.first]] - 1;
		send_from(&s, queue[s.first], queue[s.first], 0, 0, 0);
	}
	return -1;
}

/* ---- The formula against the search */

/* A model of the formula is a schedule that reaches the goal. */
static void check_model(
	const struct lsi_question *q, const struct lsi_answer *answer, const char *name)
{
	const struct lsi_link_schedule schedule = { q->arcs, q->rounds, q->ports, answer->value + 1 };

	CHECK(lsi_schedule_reaches(&schedule, q->goal), "%s: a wrong model", name);
}

/* The verdict of the solver on `rounds` rounds; its refutation is checked. */
static enum lsi_verdict solve(const struct lsi_question *q, const char *name)
{
	const struct lsi_solver solver = { .budget = 60 };
	struct lsi_clauses formula;
	struct lsi_answer answer;
	enum lsi_verdict verdict;

	CHECK(lsi_formula_init(&formula, q, NULL) == LS_OK, "%s", name);
	CHECK(lsi_solver_run(&solver, &formula, &answer, NULL) == LS_OK, "%s", name);
	verdict = answer.verdict;
	if (verdict == LSI_SATISFIABLE)
		check_model(q, &answer, name);
	if (verdict == LSI_UNSATISFIABLE)
		CHECK(lsi_refutation_check(&formula, answer.proof, answer.proof_bytes, 0, NULL).outcome
				== LSI_REFUTED,
			"%s: a wrong refutation", name);
	lsi_answer_fini(&answer);
	lsi_formula_fini(&formula);
	return verdict;
}

static void test_goal(const struct graph *g, int goal_number)
{
	const struct lsi_goal goal = goal_of(goal_number, g->arcs.nodes);
	const int rounds = fewest_rounds(g, goal_number);
	struct lsi_question q = { &g->arcs, &goal, rounds, 1, NULL, NULL };
	char name[80];

	snprintf(name, sizeof name, "%d nodes, edges %x, goal %d, %d rounds", g->arcs.nodes,
		edges_of(g), goal_number, rounds);
	CHECK(solve(&q, name) == LSI_SATISFIABLE, "%s: no model", name);
	q.rounds = rounds - 1;
	CHECK(solve(&q, name) == LSI_UNSATISFIABLE, "%s: fewer rounds", name);
}

/* Each connected graph once, whatever the names of its nodes. */
static void test_graphs(int nodes)
{
	static bool marked[1 << (NODES * (NODES - 1) / 2)];
	int graphs = 0;

	memset(marked, 0, sizeof marked);
	for (unsigned edges = 0; edges < 1u << (nodes * (nodes - 1) / 2); edges++) {
		struct graph g;

		make_graph(&g, nodes, edges);
		if (marked[edges] || !is_connected(&g))
			continue;
		mark_renamed(nodes, edges, marked);
		graphs++;
		for (int goal = 0; goal < GOALS; goal++)
			test_goal(&g, goal);
	}
	CHECK(graphs == (nodes == 3 ? 2 : nodes == 4 ? 6 : 21), "%d graphs of %d nodes", graphs, nodes);
}

int main(void)
{
	if (system("command -v " LSI_SOLVER " >/dev/null")) {
		puts("no solver: the program " LSI_SOLVER " is not in PATH");
		return 77;
	}
	for (int nodes = 3; nodes <= (is_fast() ? 4 : NODES); nodes++)
		test_graphs(nodes);
	return test_result();
}
