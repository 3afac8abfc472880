#include "job/embedded.h"

#include "base/names.h"
#include "base/number.h"
#include "base/text_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool has_guest(const struct query *query)
{
	return query->algorithm && strchr(query->algorithm, '/');
}

const char *map_name(const struct query *query, const struct job *job)
{
	return !job->embedding ? "" : query->map ? query->map : "identity";
}

struct trace_title job_trace_title(const struct query *query, const struct job *job)
{
	return (struct trace_title){
		.operation = ls_operation_name(job->request.operation),
		.algorithm = job->name,
		.topology = ls_topology_spec(job->topology),
		.count = job->request.count,
		.root = job->request.root,
		.shift = job->request.shift,
		.mode = mode_in_trace(job->mode, job->topology),
		.ports = job->request.ports,
		.map = map_name(query, job),
		.nodes = ls_topology_nodes(job->topology),
	};
}

enum { MAPS_MAX = 8 };

/* The names of the maps; returns their number. */
static size_t list_maps(const char *names[MAPS_MAX])
{
	struct ls_embedding_info info = { .size = sizeof info };
	size_t count = 0;

	while (count < MAPS_MAX && ls_embedding_list(count, &info))
		names[count++] = info.name;
	return count;
}

static bool is_map(const char *word)
{
	const char *names[MAPS_MAX];
	const size_t count = list_maps(names);

	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], word) == 0)
			return true;
	return false;
}

/* Whether a word is meant as a file: it exists, or has a dot or a slash, as no map has. */
static bool is_file(const char *word)
{
	return strpbrk(word, "./") || access(word, F_OK) == 0;
}

static int print_unknown_map(const char *word)
{
	const char *names[MAPS_MAX];
	const size_t count = list_maps(names);

	return print_unknown(
		"map or file", word, names, count, "expected identity, gray, hamiltonian or a FILE");
}

/* The ranks of a line of a map, after the first `count`. */
static int read_map_line(
	const struct text_file *text, int64_t *host_rank, int64_t nodes, int64_t *count)
{
	static const char blanks[] = " \t\r\n\v\f";
	char *rest;

	for (char *word = strtok_r(text->text, blanks, &rest); word;
		 word = strtok_r(NULL, blanks, &rest), ++*count) {
		if (*count == nodes)
			return print_error(EXIT_USAGE,
				"%s has more than %" PRId64 " ranks; expected one rank per node", text->path,
				nodes);
		if (!read_int(word, &host_rank[*count]))
			return print_error(EXIT_USAGE,
				"%s:%zu: '%.31s' is not a rank; expected one integer per node", text->path,
				text->line, word);
	}
	return EXIT_SUCCESS;
}

/* Host ranks from a file: numbers separated by blanks, one per node of the guest in rank order. */
static int read_map(const char *path, int64_t *host_rank, int64_t nodes)
{
	struct text_file text;
	int64_t count = 0;
	int failed = text_open(path, 0, &text);

	while (!failed && text_next_line(&text))
		failed = read_map_line(&text, host_rank, nodes, &count);
	failed = text_close(&text) ? text.failed : failed;
	if (!failed && count < nodes)
		failed = print_error(EXIT_USAGE,
			"%s has fewer than %" PRId64 " ranks; expected one rank per node", path, nodes);
	return failed;
}

static int embed_by_file(const struct query *query, struct job *job, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(job->guest);
	int64_t *host_rank = require_memory(calloc((size_t)nodes, sizeof *host_rank));
	int failed = read_map(query->map, host_rank, nodes);

	if (!failed)
		why->kind =
			ls_embedding_from_map(job->guest, job->topology, host_rank, &job->embedding, why);
	free(host_rank);
	if (failed || why->kind == LS_OK)
		return failed;
	return why->kind == LS_ERR_MEMORY ? print_ls_error(why)
									  : print_error(EXIT_USAGE, "%s: %s", query->map, why->text);
}

/* A name of a map takes precedence over a file of that name. */
static int embed(const struct query *query, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	const char *map = query->map ? query->map : "identity";

	if (!is_map(map))
		return is_file(map) ? embed_by_file(query, job, &why) : print_unknown_map(map);
	if (ls_embedding_make(job->guest, job->topology, map, &job->embedding, &why) != LS_OK)
		return print_ls_error(&why);
	return EXIT_SUCCESS;
}

/* Hop mode if every link of the guest is a link of the host; otherwise routed. */
static int choose_mode(const struct query *query, struct job *job)
{
	const int64_t dilation = ls_embedding_dilation(job->embedding);

	job->mode = query->given.mode ? query->mode : dilation > 1 ? LS_ROUTED : LS_HOP;
	if (job->mode == LS_ROUTED || dilation <= 1)
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"a link of %s takes %" PRId64 " hops on %s; try --mode routed",
		ls_topology_spec(job->guest), dilation, ls_topology_spec(job->topology));
}

int guest_open(const struct query *query, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	char *spec;
	int status;

	if (job->embedding || !has_guest(query))
		return EXIT_SUCCESS;
	spec = require_memory(strdup(query->algorithm));
	*strrchr(spec, '/') = '\0';
	status = ls_topology_make(spec, &job->guest, &why);
	free(spec);
	if (status != LS_OK)
		return print_ls_error(&why);

	const int failed = embed(query, job);

	return failed ? failed : choose_mode(query, job);
}

const ls_topology *operand_network(const struct job *job)
{
	return job->guest ? job->guest : job->topology;
}

int64_t host_rank_of(const struct job *job, int64_t rank)
{
	return job->embedding && rank != LS_NO_RANK ? ls_embedding_host_rank(job->embedding, rank)
												: rank;
}

int64_t operand_rank_at(const struct job *job, int64_t host_rank)
{
	return job->embedding ? ls_embedding_guest_rank(job->embedding, host_rank) : host_rank;
}

void host_step(const struct job *job, int64_t host_rank, int64_t step, struct ls_step *out)
{
	const int64_t rank = operand_rank_at(job, host_rank);

	if (rank == LS_NO_RANK) {
		out->ports = out->n_moves = 0;
		return;
	}
	ls_plan_step(job->plan, rank, step, out);
	for (int q = 0; q < out->ports; q++) {
		out->to[q] = host_rank_of(job, out->to[q]);
		out->from[q] = host_rank_of(job, out->from[q]);
	}
}

/* The messages of a step, until it is complete. */
struct collector {
	const struct job *job;
	struct ls_record *rows;
	size_t count, room;
};

static int by_host_rank(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

static int collect(void *context, const struct ls_record *row)
{
	struct collector *collector = context;

	if (collector->count == collector->room) {
		collector->room = collector->room ? 2 * collector->room : 64;
		collector->rows = require_memory(realloc(collector->rows, collector->room * sizeof *row));
	}
	collector->rows[collector->count] = *row;
	collector->rows[collector->count].src = host_rank_of(collector->job, row->src);
	collector->rows[collector->count++].dst = host_rank_of(collector->job, row->dst);
	return 0;
}

int host_trace_step(const struct job *job, int64_t step,
	int (*row)(void *context, const struct ls_record *), void *context)
{
	struct collector collector = { .job = job };
	int stop;

	if (!job->embedding)
		return ls_trace_step(job->plan, job->request.count, step, row, context);
	stop = ls_trace_step(job->plan, job->request.count, step, collect, &collector);
	if (collector.count > 0)
		qsort(collector.rows, collector.count, sizeof *collector.rows, by_host_rank);
	for (size_t i = 0; i < collector.count && !stop; i++)
		stop = row(context, &collector.rows[i]);
	free(collector.rows);
	return stop;
}

int host_trace(
	const struct job *job, int (*row)(void *context, const struct ls_record *), void *context)
{
	int stop = 0;

	for (int64_t step = 0; step < ls_plan_steps(job->plan) && !stop; step++)
		stop = host_trace_step(job, step, row, context);
	return stop;
}

int64_t host_link_load(const struct job *job)
{
	struct ls_round_load load = { .size = sizeof load };
	int64_t most = 0;

	for (int64_t step = 0; step < ls_plan_steps(job->plan); step++) {
		if (ls_plan_round_load(job->plan, job->embedding, step, job->request.count, &load) != LS_OK)
			return -1;
		most = load.messages > most ? load.messages : most;
	}
	return most;
}

void embedding_text(const struct query *query, const struct job *job, char *text, size_t size)
{
	const ls_embedding *e = job->embedding;

	snprintf(text, size, "%s by %s: dilation %" PRId64 ", congestion %" PRId64 ", expansion %.3g",
		ls_topology_spec(job->guest), map_name(query, job), ls_embedding_dilation(e),
		ls_embedding_congestion(e), ls_embedding_expansion(e));
}
