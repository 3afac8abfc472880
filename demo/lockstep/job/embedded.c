#include "job/embedded.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool names_guest(const struct query *query)
{
	return query->algorithm && strchr(query->algorithm, '/');
}

const char *place_map(const struct query *query, const struct job *job)
{
	return !job->embedding ? "" : query->map ? query->map : "identity";
}

/* A file serves where its name is not that of a map. */
static bool is_file(const char *map)
{
	struct ls_embedding_info info = { .size = sizeof info };

	for (size_t i = 0; ls_embedding_list(i, &info); i++)
		if (strcmp(info.name, map) == 0)
			return false;
	return access(map, R_OK) == 0;
}

/* Places from a file: numbers between blanks, one for each node of the guest in turn. */
static int read_places(const char *path, int64_t *place, int64_t nodes)
{
	FILE *file = fopen(path, "r");
	int64_t count = 0;
	char word[32];

	if (!file)
		return print_error(EXIT_USAGE, "%s cannot be read; would be right: a file of ranks", path);
	while (count < nodes && fscanf(file, "%31s", word) == 1 && read_int(word, &place[count]))
		count++;

	const bool more = fscanf(file, "%31s", word) == 1;

	fclose(file);
	if (count == nodes && !more)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE,
		"%s has %s than %" PRId64 " ranks; would be right: a rank a node", path,
		more && count == nodes ? "more" : "fewer", nodes);
}

static int embed_by_file(const struct query *query, struct job *job, struct ls_error *why)
{
	const int64_t nodes = ls_topology_nodes(job->guest);
	int64_t *place = require_memory(calloc((size_t)nodes, sizeof *place));
	int failed = read_places(query->map, place, nodes);

	if (!failed
		&& ls_embedding_from_map(job->guest, job->topology, place, &job->embedding, why) != LS_OK)
		failed = print_error(EXIT_USAGE, "%s: %s", query->map, why->text);
	free(place);
	return failed;
}

static int embed(const struct query *query, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	const char *map = query->map ? query->map : "identity";

	if (is_file(map))
		return embed_by_file(query, job, &why);
	if (ls_embedding_make(job->guest, job->topology, map, &job->embedding, &why) != LS_OK)
		return print_ls_error(&why);
	return EXIT_SUCCESS;
}

/* Hop mode where every link of the guest is one of the host; else routed. */
static int choose_mode(const struct query *query, struct job *job)
{
	const int64_t dilation = ls_embedding_dilation(job->embedding);

	job->mode = query->given.mode ? query->mode : dilation > 1 ? LS_ROUTED : LS_HOP;
	if (job->mode == LS_ROUTED || dilation <= 1)
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"a link of %s takes %" PRId64 " hops on %s; would be right: --mode routed",
		ls_topology_spec(job->guest), dilation, ls_topology_spec(job->topology));
}

int place_open(const struct query *query, struct job *job)
{
	struct ls_error why = { .size = sizeof why };
	char *spec;
	int status;

	if (query->map && !names_guest(query))
		return print_error(EXIT_USAGE,
			"--map places a guest; would be right: -a GUEST/ALGORITHM, as in hypercube:3/doubling");
	if (job->embedding || !names_guest(query))
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

const ls_topology *place_group(const struct job *job)
{
	return job->guest ? job->guest : job->topology;
}

int64_t place_of(const struct job *job, int64_t rank)
{
	return job->embedding && rank != LS_NO_RANK ? ls_embedding_host_rank(job->embedding, rank)
												: rank;
}

int64_t place_rank(const struct job *job, int64_t place)
{
	return job->embedding ? ls_embedding_guest_rank(job->embedding, place) : place;
}

void place_step(const struct job *job, int64_t place, int64_t step, struct ls_step *out)
{
	const int64_t rank = place_rank(job, place);

	if (rank == LS_NO_RANK) {
		out->ports = out->n_moves = 0;
		return;
	}
	ls_plan_step(job->plan, rank, step, out);
	for (int q = 0; q < out->ports; q++) {
		out->to[q] = place_of(job, out->to[q]);
		out->from[q] = place_of(job, out->from[q]);
	}
}

/* The messages of a round, until it is complete. */
struct collector {
	const struct job *job;
	int (*row)(void *context, const struct ls_record *);
	void *context;
	struct ls_record *rows;
	size_t count, room;
};

static int by_place(const void *a, const void *b)
{
	const struct ls_record *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

static int hand_on(struct collector *collector)
{
	int stop = 0;

	if (collector->count > 0)
		qsort(collector->rows, collector->count, sizeof *collector->rows, by_place);
	for (size_t i = 0; i < collector->count && !stop; i++)
		stop = collector->row(collector->context, &collector->rows[i]);
	collector->count = 0;
	return stop;
}

static int collect(void *context, const struct ls_record *row)
{
	struct collector *collector = context;
	int stop = 0;

	if (collector->count > 0 && collector->rows[0].round != row->round)
		stop = hand_on(collector);
	if (collector->count == collector->room) {
		collector->room = collector->room ? 2 * collector->room : 64;
		collector->rows = require_memory(realloc(collector->rows, collector->room * sizeof *row));
	}
	collector->rows[collector->count] = *row;
	collector->rows[collector->count].src = place_of(collector->job, row->src);
	collector->rows[collector->count++].dst = place_of(collector->job, row->dst);
	return stop;
}

int place_trace(
	const struct job *job, int (*row)(void *context, const struct ls_record *), void *context)
{
	struct collector collector = { .job = job, .row = row, .context = context };
	int stop;

	if (!job->embedding)
		return ls_trace_plan(job->plan, job->request.count, row, context);
	stop = ls_trace_plan(job->plan, job->request.count, collect, &collector);
	if (!stop)
		stop = hand_on(&collector);
	free(collector.rows);
	return stop;
}

void place_text(const struct query *query, const struct job *job, char *text, size_t size)
{
	const ls_embedding *e = job->embedding;

	snprintf(text, size, "%s by %s: dilation %" PRId64 ", congestion %" PRId64 ", expansion %.3g",
		ls_topology_spec(job->guest), place_map(query, job), ls_embedding_dilation(e),
		ls_embedding_congestion(e), ls_embedding_expansion(e));
}
