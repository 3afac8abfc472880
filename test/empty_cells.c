/*
 * No cell is empty: every operation has a default plan on every network of up to 720 nodes, from
 * the first and from a middle root, for few elements and for many, with an operator that commutes
 * and with one that does not.  On networks of up to 128 nodes (sanitizers: 32) every such plan is
 * proved.  Fast runs take networks of up to about 12 nodes.
 *
 * Two processes share the networks.
 */
/* variants: release checked asan chaos */
/* alone: its two processes keep two cores busy */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include <lockstep/check.h>

#include "support/cells.h"
#include "support/guard.h"
#include "support/workers.h"
#include "test.h"

enum { PROVED = 128, PROVED_THIN = 32, KINDS = 16, TEXT = 320 };
enum {
	NETWORKS = 1050,
	PLANS = 96000,
	NETWORKS_FAST = 110,
	PLANS_FAST = 9600
}; /* fewer means that some are not tested */

static const uint32_t combining = LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE)
	| LSI_FOR(LS_REDUCE_SCATTER) | LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN);
static const uint32_t rooted =
	LSI_FOR(LS_BROADCAST) | LSI_FOR(LS_REDUCE) | LSI_FOR(LS_SCATTER) | LSI_FOR(LS_GATHER);
static const uint32_t vectors = LSI_FOR(LS_BROADCAST) | LSI_FOR(LS_REDUCE) | LSI_FOR(LS_ALLREDUCE)
	| LSI_FOR(LS_SCAN) | LSI_FOR(LS_EXSCAN) | LSI_FOR(LS_BARRIER);

/* ---- Networks */

static void add_numbered(const char *kind, int from, int to)
{
	char text[SPEC];

	for (int i = from; i <= to; i++) {
		snprintf(text, sizeof text, "%s:%d", kind, i);
		list_network(text, NULL);
	}
}

/* Sides of one node in two dimensions only: in more they are the same thing again. */
static void add_grids(const char *kind, int most)
{
	char text[SPEC];

	for (int a = 1; a <= most; a++) {
		for (int b = 1; a * b <= most; b++) {
			snprintf(text, sizeof text, "%s:%dx%d", kind, a, b);
			list_network(text, NULL);
			for (int c = 2; a > 1 && b > 1 && a * b * c <= most; c++) {
				snprintf(text, sizeof text, "%s:%dx%dx%d", kind, a, b, c);
				list_network(text, NULL);
			}
		}
	}
}

/* A tree of random parents and some more edges, in a file of its own. */
static void add_graph(const char *folder, int nodes, int more, uint64_t *state)
{
	char text[SPEC];

	snprintf(text, sizeof text, "graph:%s/%d-%d", folder, nodes, more);

	FILE *file = fopen(text + strlen("graph:"), "w");

	if (!file)
		exit(1);
	for (int u = 1; u < nodes; u++)
		fprintf(file, "%d %d\n", u, (int)random_below(state, u));
	for (int i = 0; i < more; i++)
		fprintf(file, "%d %d\n", (int)random_below(state, nodes), (int)random_below(state, nodes));
	fclose(file);
	list_network(text, NULL);
}

static void remove_graphs(const char *folder)
{
	for (int i = 0; i < listed.count; i++) {
		if (strstr(listed.spec[i], folder))
			unlink(listed.spec[i] + strlen("graph:"));
	}
	rmdir(folder);
}

static void add_networks(const char *folder)
{
	static const int graphs[][2] = { { 2, 0 }, { 3, 0 }, { 5, 1 }, { 8, 3 }, { 13, 0 }, { 17, 9 },
		{ 24, 40 }, { 33, 5 }, { 60, 60 }, { 64, 0 }, { 100, 200 }, { 127, 30 }, { 200, 100 } };
	static const char *const others[] = { "mct:2,2", "mct:3,2", "mct:2,3", "mct:4,2", "mct:2,4",
		"ring:3*linear:2", "star:3*hypercube:1", "star:4*star:3", "linear:2*ring:3*linear:2",
		"complete:3*star:3", "ring:5*complete:4", "hypercube:3*ring:5", "star:3*linear:7",
		"pancake:3*ring:4", "debruijn:3*linear:3", "bintree:3*bintree:2",
		"complete:4*complete:5*linear:2", "bubblesort:3*hypercube:2", "star:5*star:3",
		"graph:test/data/petersen", "graph:test/data/claw", "graph:test/data/path",
		"graph:test/data/random7", "graph:test/data/random12", "graph:test/data/claw*ring:3",
		"torus:3x3*linear:3", "star:3*graph:test/data/claw", "mesh:1x3x1x4", "mesh:2x3x2x5",
		"torus:3x2x4x2", "mesh:2x2x2x2x4", "torus:2x2x3x2x2", "mesh:6x20", "torus:11x11",
		"mesh:3x5x8", "torus:5x5x5" };
	const bool fast = is_fast();
	const int nodes = fast ? 9 : 33, digits = fast ? 3 : 7, symbols = fast ? 4 : 5;
	uint64_t state = 1;

	add_numbered("star", 1, symbols + !fast);
	add_numbered("hypercube", 0, fast ? 4 : 9);
	add_numbered("ring", 1, nodes);
	add_numbered("linear", 1, nodes);
	add_numbered("complete", 1, nodes);
	add_numbered("tree", 1, 1);
	for (int leaves = 2; leaves <= (fast ? 8 : 64); leaves *= 2)
		add_numbered("tree", leaves, leaves);
	add_numbered("bintree", 1, digits);
	add_numbered("debruijn", 0, digits);
	add_numbered("pancake", 1, symbols);
	add_numbered("bubblesort", 1, symbols);
	for (size_t i = 0; i < sizeof others / sizeof *others; i += fast ? 5 : 1)
		list_network(others[i], NULL);
	for (size_t i = 0; i < (fast ? 5 : sizeof graphs / sizeof *graphs); i++)
		add_graph(folder, graphs[i][0], graphs[i][1], &state);
	add_grids("mesh", fast ? 8 : 64);
	add_grids("torus", fast ? 8 : 64);
}

/* ---- Cells */

enum operator{ SUM, FIRST, OPERATORS };
static const char *const operator_name[] = { "sum", "not commutative" };
static ls_op first;

static void take_first(void *dst, const void *a, const void *b, size_t n, void *context)
{
	(void)b, (void)context;
	memmove(dst, a, n);
}

/* Counts of all processes, and the first cell that is empty or whose plan is not proved. */
struct tally {
	atomic_llong plans, empty, broken;
	char first_empty[SPEC], first_broken[TEXT];
};
static struct found {
	struct tally tally[LS_OPERATIONS][2][OPERATORS][KINDS];
} * found;

/* A kind is one of KINDS, by the name before the colon; products are a kind of their own. */
static const char *const kind_name[KINDS] = { "star", "hypercube", "ring", "linear", "complete",
	"tree", "bintree", "debruijn", "pancake", "bubblesort", "mct", "graph", "mesh", "torus", "*" };

static int kind_of(const char *text)
{
	const size_t length = strcspn(text, ":");
	int k = 0;

	if (strchr(text, '*'))
		return KINDS - 2;
	while (strlen(kind_name[k]) != length || strncmp(kind_name[k], text, length))
		k++;
	return k;
}

static bool keeps_promise(const struct ls_plan *plan, const struct ls_request *request)
{
	if (request->op == first)
		return ls_plan_claim(plan) == LS_ORDERED || !(combining & LSI_FOR(request->operation));
	return ls_plan_identical(plan) || request->operation != LS_ALLREDUCE;
}

static void prove(struct tally *tally, const struct ls_plan *plan, const struct ls_request *request)
{
	const size_t p = (size_t)ls_plan_nodes(plan);
	const size_t n = vectors & LSI_FOR(request->operation) ? p + 2 : 2;
	struct ls_certificate c = { .size = sizeof c };

	if (keeps_promise(plan, request) && ls_check(plan, n, NULL, &c) == LS_OK)
		return;
	if (atomic_fetch_add(&tally->broken, 1) == 0)
		snprintf(tally->first_broken, TEXT, "%s on %s, root %" PRId64 ", shift %" PRId64 ": %s",
			ls_plan_algorithm(plan), ls_topology_spec(request->topology), request->root,
			request->shift, c.text[0] ? c.text : "not ordered, or not identical");
}

/* The default for other numbers of elements or another operator, in one cell. */
struct seen {
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
};

static bool is_seen(struct seen *seen, const struct ls_plan *plan)
{
	const struct lsi_problem *p = &plan->problem;
	const bool same = seen->algorithm == plan->algorithm && seen->problem.topology == p->topology
		&& seen->problem.operation == p->operation && seen->problem.mode == p->mode
		&& seen->problem.root == p->root && seen->problem.shift == p->shift
		&& seen->problem.segments == p->segments;

	*seen = (struct seen){ plan->algorithm, *p };
	return same;
}

static void test_request(struct tally *tally, const struct ls_request *request, struct seen *seen)
{
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;
	const int status = ls_plan_make(request, &plan, &why);

	CHECK(status == LS_OK || status == LS_ERR_UNSUPPORTED, "%s", why.text);
	atomic_fetch_add(&tally->plans, 1);
	if (status != LS_OK) {
		if (atomic_fetch_add(&tally->empty, 1) == 0)
			strcpy(tally->first_empty, ls_topology_spec(request->topology));
		return;
	}
	if (ls_plan_nodes(plan) <= (is_thin() ? PROVED_THIN : PROVED)
		&& (!is_seen(seen, plan) || !keeps_promise(plan, request)))
		prove(tally, plan, request);
	ls_plan_destroy(plan);
}

/* Roots, shifts: 0 and the middle; for few elements, and for many; with both operators. */
static void test_cell(int kind, struct ls_request request)
{
	const int64_t p = ls_topology_nodes(request.topology);
	const uint32_t operation = LSI_FOR(request.operation);
	const int places = (operation & (rooted | LSI_FOR(LS_SHIFT))) && p > 1 ? 2 : 1;

	for (int place = 0; place < places; place++) {
		struct seen seen = { NULL, { 0 } };

		if (operation & rooted)
			request.root = place * (p / 2);
		else
			request.shift = place ? p / 2 : p > 1;
		for (int i = 0; i < 2 * OPERATORS; i++) {
			const enum operator op =(enum operator)(i % OPERATORS);

			request.op = op == FIRST ? first : LS_SUM;
			request.count = i / OPERATORS ? 1 << 16 : 1;
			if (op == SUM || operation & combining)
				test_request(
					&found->tally[request.operation][request.mode][op][kind], &request, &seen);
		}
	}
}

static void test_network(int item, void *context)
{
	const char *text = listed.spec[item];
	ls_topology *t = topology_of(text);
	const bool has_switches = ls_topology_vertices(t) > ls_topology_nodes(t);

	(void)context;
	for (int o = 0; o < LS_OPERATIONS; o++) {
		for (int mode = has_switches ? LS_ROUTED : LS_HOP; mode <= LS_ROUTED; mode++) {
			guard("%s on %s", ls_operation_name((enum ls_operation)o), text);
			test_cell(kind_of(text),
				(struct ls_request){ .size = sizeof(struct ls_request),
					.topology = t,
					.operation = (enum ls_operation)o,
					.mode = (enum ls_mode)mode });
		}
	}
	ls_topology_destroy(t);
}

/* ---- The table */

struct sum {
	int64_t plans, empty, broken;
};

static struct sum sum_of(const struct tally tally[KINDS])
{
	struct sum sum = { 0 };

	for (int k = 0; k < KINDS; k++) {
		sum.plans += tally[k].plans;
		sum.empty += tally[k].empty;
		sum.broken += tally[k].broken;
	}
	return sum;
}

static struct sum print_row(int operation, int mode, int op)
{
	const struct tally *tally = found->tally[operation][mode][op];
	const struct sum sum = sum_of(tally);

	if (sum.plans == 0)
		return sum;
	printf("%-14s %-6s %-15s %5" PRId64 " cells, %4" PRId64 " empty, %4" PRId64 " broken\n",
		ls_operation_name((enum ls_operation)operation), mode == LS_ROUTED ? "routed" : "hop",
		combining & LSI_FOR(operation) ? operator_name[op] : "", sum.plans, sum.empty, sum.broken);
	for (int k = 0; k < KINDS; k++) {
		if (tally[k].empty)
			printf("    %s: %lld of %lld empty, first %s\n", kind_name[k], tally[k].empty,
				tally[k].plans, tally[k].first_empty);
		if (tally[k].broken)
			printf("    %s: %lld of %lld broken, first %s\n", kind_name[k], tally[k].broken,
				tally[k].plans, tally[k].first_broken);
	}
	return sum;
}

static struct sum print_table(void)
{
	struct sum all = { 0 };

	for (int i = 0; i < LS_OPERATIONS * 2 * OPERATORS; i++) {
		const struct sum row = print_row(i / 2 / OPERATORS, i / OPERATORS % 2, i % OPERATORS);

		all.plans += row.plans;
		all.empty += row.empty;
		all.broken += row.broken;
	}
	return all;
}

int main(void)
{
	const struct ls_op_options options = { sizeof options, "first", take_first, NULL, false, true };
	char folder[] = "/tmp/lockstep-XXXXXX";

	found = memory_of_all(sizeof *found);
	if (!mkdtemp(folder) || ls_op_make(&options, &first) != LS_OK)
		return EXIT_FAILURE;
	add_networks(folder);
	share_work(listed.count, test_network, NULL);
	remove_graphs(folder);
	ls_op_destroy(first);

	const struct sum all = print_table();

	printf("%" PRId64 " default plans on %d networks\n", all.plans, listed.count);
	CHECK(all.empty == 0, "%" PRId64 " cells are empty", all.empty);
	CHECK(all.broken == 0, "%" PRId64 " default plans break a law", all.broken);
	CHECK(listed.count >= (is_fast() ? NETWORKS_FAST : NETWORKS)
			&& all.plans >= (is_fast() ? PLANS_FAST : PLANS),
		"cells were lost");
	return test_result();
}
