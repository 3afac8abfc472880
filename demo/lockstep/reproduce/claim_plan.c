/*
 * Plans of the claims: makes them, lists and counts their messages, and runs them on threads.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void append_text(char *found, const char *format, ...)
{
	const size_t used = strlen(found);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(found + used, FOUND_SIZE - used, format, arguments);
	va_end(arguments);
}

bool next_spec(const char **networks, char spec[static 64])
{
	const char *at = *networks + strspn(*networks, " ");
	const size_t length = strcspn(at, " ");

	snprintf(spec, 64, "%.*s", (int)length, at);
	*networks = at + length;
	return length > 0;
}

bool open_claim_plan(
	const struct claim_run *run, const char *spec, struct claim_plan *out, char *found)
{
	struct ls_error error = { .size = sizeof error };
	struct ls_request request = { .size = sizeof request,
		.operation = run->operation,
		.algorithm = run->algorithm,
		.mode = run->mode,
		.root = run->root,
		.shift = run->shift,
		.count = 1,
		.type = LS_INT64 };
	int status;

	*out = (struct claim_plan){ .run = *run };
	status = ls_topology_make(spec, &out->topology, &error);
	if (status == LS_OK) {
		request.topology = out->topology;
		status = ls_plan_make(&request, &out->plan, &error);
	}
	if (status == LS_OK) {
		record_method(METHOD_PLAN, ls_plan_nodes(out->plan));
		return true;
	}
	if (!lacks_resources(status, "%s", error.text))
		record_method(METHOD_NO_PLAN, 1);
	snprintf(found, FOUND_SIZE, "no plan: %s", error.text);
	close_claim_plan(out);
	return false;
}

void close_claim_plan(struct claim_plan *plan)
{
	ls_plan_destroy(plan->plan);
	ls_topology_destroy(plan->topology);
	*plan = (struct claim_plan){ 0 };
}

/* ---- Messages */

static int append_record(void *context, const struct ls_record *row)
{
	struct message_trace *trace = context;

	if (trace->rows == trace->capacity) {
		trace->capacity = trace->capacity ? 2 * trace->capacity : 64;
		trace->row = require_memory(realloc(trace->row, trace->capacity * sizeof *trace->row));
	}
	trace->row[trace->rows++] = *row;
	return 0;
}

void keep_record(void *trace, const struct ls_record *row)
{
	append_record(trace, row);
}

void free_trace(struct message_trace *trace)
{
	free(trace->row);
	*trace = (struct message_trace){ 0 };
}

struct message_trace trace_plan(const struct claim_plan *plan, size_t n)
{
	struct message_trace trace = { 0 };

	ls_trace_plan(plan->plan, n, append_record, &trace);
	return trace;
}

bool traces_equal(const struct message_trace *a, const struct message_trace *b)
{
	bool is_same = a->rows == b->rows;

	for (size_t i = 0; is_same && i < a->rows; i++) {
		const struct ls_record *x = &a->row[i], *y = &b->row[i];

		is_same =
			x->round == y->round && x->src == y->src && x->dst == y->dst && x->words == y->words;
	}
	return is_same;
}

size_t input_elements(const struct claim_plan *plan, size_t m)
{
	const enum ls_operation o = ls_plan_operation(plan->plan);
	const bool has_block_per_node = o == LS_SCATTER || o == LS_ALLTOALL || o == LS_REDUCE_SCATTER;

	return m * (has_block_per_node ? (size_t)ls_plan_nodes(plan->plan) : 1);
}

size_t output_elements(const struct claim_plan *plan, size_t m)
{
	const enum ls_operation o = ls_plan_operation(plan->plan);
	const bool has_block_per_node = o == LS_GATHER || o == LS_ALLTOALL || o == LS_ALLGATHER;

	return m * (has_block_per_node ? (size_t)ls_plan_nodes(plan->plan) : 1);
}

struct execution {
	const struct claim_plan *plan;
	size_t m;
	const int64_t *input;
	int64_t *output;
};

static int program(ls_node *me, void *context)
{
	const struct execution *execution = context;
	const size_t rank = (size_t)ls_rank(me);
	const struct ls_call call = { .size = sizeof call,
		.operation = execution->plan->run.operation,
		.algorithm = ls_plan_algorithm(execution->plan->plan),
		.input = execution->input + rank * input_elements(execution->plan, execution->m),
		.output = execution->output + rank * output_elements(execution->plan, execution->m),
		.count = execution->m,
		.type = LS_INT64,
		.op = LS_SUM,
		.root = execution->plan->run.root,
		.shift = execution->plan->run.shift };

	return ls_collective(me, &call);
}

/* A failed run has an empty trace.  No claim expects an empty trace. */
struct message_trace execute_plan(
	const struct claim_plan *plan, size_t m, const int64_t *input, int64_t *output)
{
	const int64_t p = ls_plan_nodes(plan->plan);
	struct execution execution = { plan, m, input, output };
	struct message_trace trace = { 0 };
	const struct ls_machine_options options = { .size = sizeof options,
		.mode = plan->run.mode,
		.trace = keep_record,
		.trace_context = &trace };
	ls_machine *machine;

	int failed = ls_machine_make(plan->topology, &options, &machine);

	if (!failed) {
		failed = ls_run(machine, program, &execution);
		ls_machine_destroy(machine);
	}
	if (failed)
		free_trace(&trace);
	else
		record_method(METHOD_THREADS, p);
	lacks_resources(failed, "takes %" PRId64 " threads", p);
	return trace;
}

int check_laws(const struct claim_plan *plan, struct ls_certificate *proof)
{
	const int status = ls_check(plan->plan, 1, NULL, proof);

	if (!lacks_resources(status, "takes more memory to replay"))
		record_method(METHOD_LAWS, ls_plan_nodes(plan->plan));
	return status;
}

struct ls_counts count_trace(const struct message_trace *trace)
{
	struct ls_counts counts = { .messages = (int64_t)trace->rows };
	int64_t longest = 0;

	for (size_t i = 0; i < trace->rows; i++) {
		const struct ls_record *row = &trace->row[i];
		const int64_t words = (int64_t)row->words;

		if (i == 0 || row->round != row[-1].round) {
			counts.volume += longest;
			longest = 0;
		}
		longest = words > longest ? words : longest;
		counts.words += words;
		counts.rounds = row->round;
	}
	counts.volume += longest;
	return counts;
}

/* ---- Links */

static int64_t max_load(const int *load, size_t links)
{
	int most = 0;

	for (size_t i = 0; i < links; i++)
		most = load[i] > most ? load[i] : most;
	return most;
}

static void add_route(const ls_topology *t, int64_t from, int64_t to, int *load)
{
	while (from != to) {
		const int64_t link = ls_first_hop(t, from, to);

		load[from * ls_topology_degree(t) + link]++;
		from = ls_neighbor(t, from, link);
	}
}

static int64_t max_load_on(const struct claim_run *run, const ls_topology *t,
	const struct message_trace *trace, int64_t round)
{
	const size_t links = (size_t)(ls_topology_vertices(t) * ls_topology_degree(t));
	int *load = require_memory(calloc(links, sizeof *load));
	int64_t result = 0;

	for (size_t i = 0; i < trace->rows; i++) {
		const struct ls_record *row = &trace->row[i];
		const int64_t src = run->vertex_of ? run->vertex_of(row->src) : row->src;
		const int64_t dst = run->vertex_of ? run->vertex_of(row->dst) : row->dst;
		const bool is_last = i + 1 == trace->rows || row[1].round != row->round;

		if (round == 0 || row->round == round)
			add_route(t, src, dst, load);
		if (is_last) {
			const int64_t here = max_load(load, links);

			result = here > result ? here : result;
			memset(load, 0, links * sizeof *load);
		}
	}
	free(load);
	return result;
}

int64_t max_link_load(
	const struct claim_plan *plan, const struct message_trace *trace, int64_t round)
{
	ls_topology *other = NULL;
	int64_t load = -1;

	if (!plan->run.routes_of)
		return max_load_on(&plan->run, plan->topology, trace, round);
	if (ls_topology_make(plan->run.routes_of, &other, NULL) == LS_OK)
		load = max_load_on(&plan->run, other, trace, round);
	ls_topology_destroy(other);
	return load;
}
