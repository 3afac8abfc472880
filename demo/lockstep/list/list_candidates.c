/*
 * The algorithms for an operation on one network, and their costs.
 */
#include "job/job.h"
#include "job/job_sweep.h"
#include "list/list.h"

#include <inttypes.h>
#include <string.h>

#define HEADS \
	"operation", "mode", "algorithm", "*default", "claim", "#rounds", "#bound", "#gap", \
		"#messages", "#words", "#load", "#cost", "~excluded"
#define VOLUMES "#volume", "#words_bound", "#cost_bound" /* where messages are long */
enum { EXCLUDED = 12 };                                  /* its column */

void list_count(struct table *table, int64_t count)
{
	if (count == INT64_MAX || count < 0)
		table_cell(table, "%s", "");
	else
		table_cell(table, "%" PRId64, count);
}

void list_cost(struct table *table, double cost)
{
	if (cost < 0)
		table_cell(table, "%s", "");
	else
		table_cell(table, "%.6g", cost);
}

bool list_has_volumes(const struct query *query)
{
	return query->count > 1;
}

/* Bytes per node of a sweep; unknown without a plan, or with more than LS_COUNTED_NODES nodes. */
static void bytes_cell(struct table *table, const struct ls_request *request, const char *algorithm)
{
	struct ls_request one = *request;
	ls_plan *plan = NULL;
	double bytes = 0;

	one.algorithm = algorithm;
	if (ls_topology_nodes(request->topology) <= LS_COUNTED_NODES
		&& ls_plan_make(&one, &plan, NULL) == LS_OK)
		bytes = sweep_bytes_per_node(plan, &one);
	ls_plan_destroy(plan);
	if (bytes > 0)
		table_cell(table, bytes < 999.5 ? "%.3g" : "%.0f", bytes);
	else
		table_cell(table, "%s", "");
}

/* What all rows share. */
struct listing {
	const struct query *query;
	const struct output *output;
	struct table *table;
};

/* A row; excluded: "type" or "operator", "" where nothing excludes the algorithm. */
static void candidate_row(const struct listing *listing, const struct ls_request *request,
	const struct ls_candidate *candidate, const char *excluded)
{
	const int64_t rounds = candidate->counts.rounds, bound = candidate->lower_bound;
	struct table *const table = listing->table;

	table_cells(table, 5, ls_operation_name(request->operation), mode_text(request->mode),
		candidate->algorithm, candidate->chosen && !*excluded ? "true" : "false",
		claim_text(candidate->claim));
	list_count(table, rounds);
	list_count(table, bound);
	list_count(table, bound < 0 || rounds < 0 ? -1 : rounds - bound);
	list_count(table, candidate->counts.messages);
	list_count(table, candidate->counts.words);
	list_count(table, candidate->load);
	list_cost(table, candidate->cost);
	table_cell(table, "%s", excluded);
	if (list_has_volumes(listing->query)) {
		list_count(table, candidate->counts.volume);
		list_count(table, ls_words_bound(request));
		list_cost(table, ls_cost_bound(request, ls_cost_model_default));
	}
	if (listing->output->verbose)
		bytes_cell(table, request, candidate->algorithm);
}

/* Max of integers is exact, commutative and idempotent: every claim is strong enough for it. */
static struct ls_request widest(const struct ls_request *request)
{
	struct ls_request wide = *request;

	wide.op = LS_MAX;
	wide.type = LS_INT64;
	return wide;
}

static bool is_same(const struct ls_candidate *a, const struct ls_candidate *b)
{
	return strcmp(a->algorithm, b->algorithm) == 0 && a->claim == b->claim;
}

/* The candidate of the request that has the name and claim of *out, into *out. */
static bool find_candidate(const struct ls_request *request, struct ls_candidate *out)
{
	struct ls_candidate candidate = { .size = sizeof candidate };

	for (size_t i = 0; ls_candidate_list(request, i, &candidate); i++)
		if (is_same(&candidate, out)) {
			*out = candidate;
			return true;
		}
	return false;
}

/*
 * An algorithm that can be had by its name is excluded by the type: results may differ between
 * nodes.  Any other is excluded by the operator.
 */
static void excluded_row(
	const struct listing *listing, const struct ls_request *request, struct ls_candidate *candidate)
{
	struct ls_request named = *request;

	named.algorithm = candidate->algorithm;
	if (find_candidate(&named, candidate)) {
		candidate_row(listing, request, candidate, "type");
		return;
	}
	named.op = LS_MAX;
	if (!ls_op_defined(named.op, named.type))
		named.type = LS_INT64;
	find_candidate(&named, candidate);
	candidate_row(listing, &named, candidate, "operator");
}

/* The candidates of the request, in order among those of the widest request. */
static void candidate_rows(const struct listing *listing, const struct ls_request *request)
{
	const struct ls_request wide =
		ls_operation_describe(request->operation)->combines ? widest(request) : *request;
	struct ls_candidate candidate = { .size = sizeof candidate }, other = candidate;
	size_t next = 0;
	bool more = ls_candidate_list(request, next, &candidate);

	for (size_t i = 0; wide.op != request->op && ls_candidate_list(&wide, i, &other); i++) {
		if (more && is_same(&candidate, &other)) {
			candidate_row(listing, request, &candidate, "");
			more = ls_candidate_list(request, ++next, &candidate);
		} else {
			excluded_row(listing, request, &other);
		}
	}
	for (; more; more = ls_candidate_list(request, ++next, &candidate))
		candidate_row(listing, request, &candidate, "");
}

/* Rows of both modes, unless --mode is given. */
int list_cells(const struct query *query, const struct output *output, const struct selection *only,
	struct table *table)
{
	static const char *const head[] = { HEADS, NULL };
	static const char *const with_sweep[] = { HEADS, "#bytes_per_node", NULL };
	static const char *const with_volumes[] = { HEADS, VOLUMES, NULL };
	static const char *const with_both[] = { HEADS, VOLUMES, "#bytes_per_node", NULL };
	static const char *const *const heads[2][2] = { { head, with_sweep },
		{ with_volumes, with_both } };
	static const char *const optional[] = { "cost_bound", "gap", "bound", "load", "words_bound",
		"volume", "claim", "cost", "messages", "bytes_per_node", "words", NULL };
	const struct listing listing = { query, output, table };

	*table = table_begin(heads[list_has_volumes(query)][output->verbose]);
	table->optional = optional;
	for (int i = 0; i < LS_OPERATIONS; i++) {
		struct ls_request request;

		if (!(only->operations >> i & 1))
			continue;

		int failed = request_for(query, (enum ls_operation)i, only->topology, &request);

		for (int mode = LS_HOP; mode <= LS_ROUTED && !failed; mode++) {
			request.mode = (enum ls_mode)mode;
			if (query->given.mode && request.mode != query->mode)
				continue;
			candidate_rows(&listing, &request);
			if (query->file)
				failed = list_plan(query, output, &request, table);
		}
		if (failed)
			return failed;
	}
	return EXIT_SUCCESS;
}

static bool any_excluded(const struct table *table, const char *reason)
{
	for (size_t i = EXCLUDED; i < table->cells; i += table->columns)
		if (strcmp(table->cell[i], reason) == 0)
			return true;
	return false;
}

/* Bounds that hold for one block per message, where they are above those in the table. */
static void print_block_bounds(const struct query *query, const struct selection *only)
{
	struct ls_candidate any = { .size = sizeof any };
	struct ls_request request;

	for (int i = 0; i < LS_OPERATIONS; i++) {
		if (!(only->operations >> i & 1)
			|| request_for(query, (enum ls_operation)i, only->topology, &request) != EXIT_SUCCESS)
			continue;
		request.mode = LS_HOP;
		if ((query->given.mode && query->mode != LS_HOP) || !ls_candidate_list(&request, 0, &any)
			|| ls_block_bound(&request) <= any.lower_bound)
			continue;
		printf("bound of %s with one block per message: at least %" PRId64 " rounds\n",
			ls_operation_name(request.operation), ls_block_bound(&request));
	}
}

void list_legend(const struct query *query, const struct output *output,
	const struct selection *only, const struct table *table)
{
	const struct ls_cost_model model = ls_cost_model_default;
	const char *op = ls_op_name(query->op), *type = ls_type_name(query->type);

	puts("");
	if (any_excluded(table, "type"))
		printf("x excluded: with %s of %s, nodes may get different bits; try -d int64\n", op, type);
	if (any_excluded(table, "operator"))
		printf(
			"x excluded: idempotent claims allow repeated operands, %s does not; try -o max\n", op);
	printf("* the default; cost: %g per round, and %g per byte on its busiest link\n", model.t_s,
		model.t_w);
	print_block_bounds(query, only);
	if (output->verbose)
		puts("bytes_per_node: memory of run -e sweep, with computed operands");
}
