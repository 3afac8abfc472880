/*
 * Plans of the library as the claims need them: made from a few words, walked, run, and counted.
 */
#include "reproduce/reproduce.h"
#include "base/messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void seed_add(char *found, const char *format, ...)
{
	const size_t used = strlen(found);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(found + used, SEED_TEXT - used, format, arguments);
	va_end(arguments);
}

bool seed_next(const char **networks, char spec[static 64])
{
	const char *at = *networks + strspn(*networks, " ");
	const size_t length = strcspn(at, " ");

	snprintf(spec, 64, "%.*s", (int)length, at);
	*networks = at + length;
	return length > 0;
}

bool seed_open(const struct seed_run *run, const char *spec, struct seed_plan *out, char *found)
{
	struct ls_error why = { .size = sizeof why };
	struct ls_request request = { .size = sizeof request,
		.operation = run->operation,
		.algorithm = run->algorithm,
		.mode = run->mode,
		.root = run->root,
		.shift = run->shift,
		.count = 1,
		.type = LS_INT64 };

	*out = (struct seed_plan){ .run = *run };
	if (ls_topology_make(spec, &out->topology, &why) == LS_OK) {
		request.topology = out->topology;
		if (ls_plan_make(&request, &out->plan, &why) == LS_OK)
			return true;
	}
	snprintf(found, SEED_TEXT, "no plan: %s", why.text);
	seed_close(out);
	return false;
}

void seed_close(struct seed_plan *plan)
{
	ls_plan_destroy(plan->plan);
	ls_topology_destroy(plan->topology);
	*plan = (struct seed_plan){ 0 };
}

/* Messages ------------------------------------------------------------------------------------- */

static int keep(void *context, const struct ls_record *row)
{
	struct seed_trace *trace = context;

	if (trace->rows == trace->room) {
		trace->room = trace->room ? 2 * trace->room : 64;
		trace->row = require_memory(realloc(trace->row, trace->room * sizeof *trace->row));
	}
	trace->row[trace->rows++] = *row;
	return 0;
}

void seed_keep(void *trace, const struct ls_record *row)
{
	keep(trace, row);
}

void seed_forget(struct seed_trace *trace)
{
	free(trace->row);
	*trace = (struct seed_trace){ 0 };
}

struct seed_trace seed_walk(const struct seed_plan *plan, size_t n)
{
	struct seed_trace trace = { 0 };

	ls_trace_plan(plan->plan, n, keep, &trace);
	return trace;
}

bool seed_same(const struct seed_trace *a, const struct seed_trace *b)
{
	bool is_same = a->rows == b->rows;

	for (size_t i = 0; is_same && i < a->rows; i++) {
		const struct ls_record *x = &a->row[i], *y = &b->row[i];

		is_same =
			x->round == y->round && x->src == y->src && x->dst == y->dst && x->words == y->words;
	}
	return is_same;
}

size_t seed_input(const struct seed_plan *plan, size_t m)
{
	const enum ls_operation o = ls_plan_operation(plan->plan);
	const bool many = o == LS_SCATTER || o == LS_ALLTOALL || o == LS_REDUCE_SCATTER;

	return m * (many ? (size_t)ls_plan_nodes(plan->plan) : 1);
}

size_t seed_output(const struct seed_plan *plan, size_t m)
{
	const enum ls_operation o = ls_plan_operation(plan->plan);
	const bool many = o == LS_GATHER || o == LS_ALLTOALL || o == LS_ALLGATHER;

	return m * (many ? (size_t)ls_plan_nodes(plan->plan) : 1);
}

struct job {
	const struct seed_plan *plan;
	size_t m;
	const int64_t *input;
	int64_t *output;
};

static int program(ls_node *me, void *context)
{
	const struct job *job = context;
	const size_t rank = (size_t)ls_rank(me);
	const struct ls_call call = { .size = sizeof call,
		.operation = job->plan->run.operation,
		.algorithm = ls_plan_algorithm(job->plan->plan),
		.input = job->input + rank * seed_input(job->plan, job->m),
		.output = job->output + rank * seed_output(job->plan, job->m),
		.count = job->m,
		.type = LS_INT64,
		.op = LS_SUM,
		.root = job->plan->run.root,
		.shift = job->plan->run.shift };

	return ls_collective(me, &call);
}

/* A run that fails has no messages, which no claim expects. */
struct seed_trace seed_execute(
	const struct seed_plan *plan, size_t m, const int64_t *input, int64_t *output)
{
	struct job job = { plan, m, input, output };
	struct seed_trace trace = { 0 };
	const struct ls_machine_options options = {
		.size = sizeof options, .mode = plan->run.mode, .trace = seed_keep, .trace_context = &trace
	};
	ls_machine *machine;

	trace.failed = ls_machine_make(plan->topology, &options, &machine);
	if (trace.failed)
		return trace;

	const int failed = ls_run(machine, program, &job);

	if (failed)
		seed_forget(&trace);
	trace.failed = failed;
	ls_machine_destroy(machine);
	return trace;
}

struct ls_counts seed_counts(const struct seed_trace *trace)
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

/* Links ---------------------------------------------------------------------------------------- */

static int64_t most(const int *load, size_t links)
{
	int most = 0;

	for (size_t i = 0; i < links; i++)
		most = load[i] > most ? load[i] : most;
	return most;
}

static void follow(const ls_topology *t, int64_t from, int64_t to, int *load)
{
	while (from != to) {
		const int64_t link = ls_first_hop(t, from, to);

		load[from * ls_topology_degree(t) + link]++;
		from = ls_neighbor(t, from, link);
	}
}

static int64_t load_on(const struct seed_run *run, const ls_topology *t,
	const struct seed_trace *trace, int64_t wanted)
{
	const size_t links = (size_t)(ls_topology_vertices(t) * ls_topology_degree(t));
	int *load = require_memory(calloc(links, sizeof *load));
	int64_t result = 0;

	for (size_t i = 0; i < trace->rows; i++) {
		const struct ls_record *row = &trace->row[i];
		const int64_t src = run->place ? run->place(row->src) : row->src;
		const int64_t dst = run->place ? run->place(row->dst) : row->dst;
		const bool is_last = i + 1 == trace->rows || row[1].round != row->round;

		if (wanted == 0 || row->round == wanted)
			follow(t, src, dst, load);
		if (is_last) {
			const int64_t here = most(load, links);

			result = here > result ? here : result;
			memset(load, 0, links * sizeof *load);
		}
	}
	free(load);
	return result;
}

int64_t seed_load(const struct seed_plan *plan, const struct seed_trace *trace, int64_t round)
{
	ls_topology *other = NULL;
	int64_t load = -1;

	if (!plan->run.along)
		return load_on(&plan->run, plan->topology, trace, round);
	if (ls_topology_make(plan->run.along, &other, NULL) == LS_OK)
		load = load_on(&plan->run, other, trace, round);
	ls_topology_destroy(other);
	return load;
}
