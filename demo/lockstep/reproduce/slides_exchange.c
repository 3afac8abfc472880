/*
 * Total exchange, and the message lengths at which algorithms for long messages are faster.
 */
#include "reproduce/slides.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The E-cube route on a 3-cube to the node whose label differs in all bits. */
static void format_route(const ls_topology *cube, int64_t from, char *text)
{
	const int64_t to = from ^ 7;

	snprintf(text, FOUND_SIZE, "%" PRId64, from);
	while (from != to) {
		from = ls_neighbor(cube, from, ls_first_hop(cube, from, to));
		append_text(text, ">%" PRId64, from);
	}
}

static ls_topology *make_cube_3(void)
{
	ls_topology *cube = NULL;
	struct ls_error error = { .size = sizeof error };

	if (ls_topology_make("hypercube:3", &cube, &error) != LS_OK)
		exit(print_ls_error(&error));
	record_method(METHOD_NETWORK, ls_topology_nodes(cube));
	return cube;
}

void find_routes(const struct claim *claim, char *found)
{
	ls_topology *cube = make_cube_3();
	char text[FOUND_SIZE];

	(void)claim;
	found[0] = '\0';
	for (int64_t r = 0; r < 8; r++) {
		format_route(cube, r, text);
		append_text(found, "%s%s", blank_between(found), text);
	}
	ls_topology_destroy(cube);
}

void draw_routes(void)
{
	ls_topology *cube = make_cube_3();
	char text[FOUND_SIZE];

	for (int64_t r = 0; r < 8; r++) {
		format_route(cube, r, text);
		printf("%s\n", text);
	}
	ls_topology_destroy(cube);
}

/* Check that node i exchanges with i XOR j in step j. */
void find_partners(const struct claim *claim, char *found)
{
	struct claim_plan plan;
	bool matches = true;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;

	struct message_trace trace = trace_plan(&plan, 1);

	for (size_t i = 0; i < trace.rows; i++)
		matches = matches && trace.row[i].dst == (trace.row[i].src ^ trace.row[i].round);
	snprintf(found, FOUND_SIZE, matches ? "i XOR j" : "other partners");
	free_trace(&trace);
	close_claim_plan(&plan);
}

/* Node r contributes row r of a 4 x 4 matrix of 1 .. 16; prints the rows after the exchange. */
void find_transposed(const struct claim *claim, char *found)
{
	int64_t rows[16], columns[16] = { 0 };
	struct claim_plan plan;

	if (!open_claim_plan(&claim->run, claim->run.networks, &plan, found))
		return;
	for (int i = 0; i < 16; i++)
		rows[i] = i + 1;

	struct message_trace sent = execute_plan(&plan, 1, rows, columns);

	found[0] = '\0';
	for (int i = 0; i < 16; i++)
		append_text(found, "%s%" PRId64, i == 0 ? "" : i % 4 == 0 ? "; " : " ", columns[i]);
	free_trace(&sent);
	close_claim_plan(&plan);
}

/* Time in words on a ring: one direction divided by two alternating directions. */
void find_ratio(const struct claim *claim, char *found)
{
	const char *networks = claim->run.networks;
	struct claim_run both = claim->run;
	char spec[64];

	both.algorithm = "bidirectional";
	found[0] = '\0';
	while (next_spec(&networks, spec)) {
		struct claim_plan one, two;

		if (!open_claim_plan(&claim->run, spec, &one, found)
			|| !open_claim_plan(&both, spec, &two, found))
			return;

		const int64_t one_way = ls_plan_predict(one.plan, 1).volume;
		const int64_t two_way = ls_plan_predict(two.plan, 1).volume;

		append_text(found, "%s%.2f", blank_between(found), (double)one_way / (double)two_way);
		close_claim_plan(&one);
		close_claim_plan(&two);
	}
}

/* T for t_s = 1000 and t_w = 1. */
static int64_t model_time(const struct claim_plan *plan, size_t m)
{
	const struct ls_counts counts = ls_plan_predict(plan->plan, m);

	return 1000 * counts.rounds + counts.volume;
}

/* The smallest m at which the model prefers `other`; the preference is monotonic in m. */
static size_t find_crossover(const struct claim_plan *one, const struct claim_plan *other)
{
	size_t low = 1, high = (size_t)1 << 40;

	while (low < high) {
		const size_t m = low + (high - low) / 2;

		if (model_time(other, m) < model_time(one, m))
			high = m;
		else
			low = m + 1;
	}
	return low;
}

void find_crossovers(const struct claim *claim, char *found)
{
	const char *networks = claim->run.networks;
	struct claim_run baseline = claim->run;
	char spec[64];

	baseline.algorithm = claim->run.baseline;
	found[0] = '\0';
	while (next_spec(&networks, spec)) {
		struct claim_plan one, other;

		if (!open_claim_plan(&baseline, spec, &one, found)
			|| !open_claim_plan(&claim->run, spec, &other, found))
			return;
		append_text(found, "%s%zu", blank_between(found), find_crossover(&one, &other));
		close_claim_plan(&one);
		close_claim_plan(&other);
	}
}

/* The kind of vertex at the root of the tree, the only vertex of degree 2. */
void find_root(const struct claim *claim, char *found)
{
	ls_topology *tree = NULL;
	struct ls_error error = { .size = sizeof error };
	int64_t root = 0, roots = 0;

	if (ls_topology_make(claim->run.networks, &tree, &error) != LS_OK)
		exit(print_ls_error(&error));
	record_method(METHOD_NETWORK, ls_topology_nodes(tree));
	for (int64_t v = 0; v < ls_topology_vertices(tree); v++)
		if (ls_degree(tree, v) == 2) {
			root = v;
			roots++;
		}
	snprintf(found, FOUND_SIZE, "%s",
		roots == 1 && root >= ls_topology_nodes(tree) ? "a switch" : "a processor");
	ls_topology_destroy(tree);
}
