/*
 * lockstep bench: times over a range of sizes; algorithms, kinds of rounds and engines side by
 * side.
 */
#include "base/names.h"
#include "base/processes.h"
#include "bench/bench.h"
#include "bench/core_map.h"
#include "chart/chart_file.h"
#include "cli/option_use.h"
#include "job/embedded.h"
#include "job/job_machine.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/*
 * The next name of a list; a NUL replaces the comma after it.  A name that begins with a network
 * ends after its slash: the first comma of mct:2,2/doubling belongs to the guest.
 */
static char *next_name(char **rest)
{
	char *name = *rest, *end = name;

	while (*end && *end != ',')
		end++;
	if (strcspn(name, ":") < (size_t)(end - name) && strcspn(name, "/") > (size_t)(end - name)
		&& strchr(end, '/'))
		end = strchr(end, '/') + strcspn(strchr(end, '/'), ",");
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return name;
}

/* Without a list one name, NULL: the cost model chooses. */
static size_t split_names(const char *list, char *copy, char **name)
{
	char *rest = copy;
	size_t count = 0;

	if (!list)
		return name[0] = NULL, 1;
	strcpy(copy, list);
	while (rest)
		name[count++] = next_name(&rest);
	return count;
}

static void make_variants(struct bench *bench, char **name, size_t names)
{
	const struct query *query = bench->query;
	const struct execution *how = bench->how;
	const bool guests = has_guest(query);
	struct variant *v =
		require_memory(calloc((names + 1) * LIST_MOST * LIST_MOST * LIST_MOST, sizeof *v));

	bench->variant = v;
	/* A file that names no known operation has no algorithms beside it: reading it reports that. */
	for (size_t n = query->operation ? 0 : names; n < names + (query->file != NULL); n++)
		for (int r = 0; r < how->every_rounds.count; r++)
			for (int k = 0; k < how->node_kinds.count; k++)
				for (int e = 0; e < how->engines.count; e++) {
					if (how->engines.at[e] == LS_SWEEP && k > 0)
						continue; /* it has no nodes of any kind */
					v->query = *query;
					v->query.algorithm = n < names ? name[n] : NULL;
					v->query.file = n < names ? NULL : query->file;
					v->query.plan = n < names ? NULL : query->plan;
					v->query.map = guests && !has_guest(&v->query) ? NULL : query->map;
					v->how = *how;
					v->how.rounds = (enum ls_rounds)how->every_rounds.at[r];
					v->how.nodes = (enum ls_node_kind)how->node_kinds.at[k];
					v->how.engine = (enum ls_engine)how->engines.at[e];
					v++;
				}
	bench->variants = (size_t)(v - bench->variant);
}

static void make_pair_variants(struct bench *bench)
{
	const struct execution *how = bench->how;
	const size_t count = (size_t)how->every_rounds.count;

	bench->variant = require_memory(calloc(count, sizeof *bench->variant));
	bench->variants = count;
	for (size_t r = 0; r < count; r++) {
		struct variant *v = &bench->variant[r];

		v->query = *bench->query;
		v->how = *how;
		v->how.engine = LS_MAILBOXES;
		v->how.rounds = (enum ls_rounds)how->every_rounds.at[r];
	}
}

/* 0, 1, factor, ..; false past the last. */
static bool next_size(const struct range *range, size_t *count)
{
	size_t next = 1;

	if (*count > 0 && __builtin_mul_overflow(*count, range->factor, &next))
		return false;
	if (next > range->most)
		return false;
	*count = next;
	return true;
}

static size_t last_size(const struct range *range)
{
	size_t last = range->least;

	while (next_size(range, &last))
		;
	return last;
}

/* Reports impossible variants before the first measurement; also widens the label columns. */
static int check_variant(struct bench *bench, struct variant *variant, size_t count)
{
	struct query query = variant->query;
	struct job job = { .topology = bench->topology, .borrows = true };
	size_t left;
	int failed, width;

	query.count = count;
	failed = job_plan(&query, &job);
	if (failed)
		return failed;
	width = (int)strlen(job.name);
	bench->label[0] = width > bench->label[0] ? width : bench->label[0];
	failed =
		agree_on_failure(workload_check_memory(&query, &variant->how, bench->output, &job, &left));
	job_close(&job);
	return failed;
}

static int print_no_neighbor(const struct bench *bench)
{
	const char *name = bench->benchmark->name, *spec = ls_topology_spec(bench->topology);

	if (ls_topology_nodes(bench->topology) == 1)
		return print_error(EXIT_UNAVAILABLE,
			"bench %s needs two neighbors; %s has one node; try -t complete:2", name, spec);
	return print_error(EXIT_UNAVAILABLE,
		"bench %s needs two neighbors; link 0 of node %" PRId64
		" of %s leads to a switch; try -t complete:2",
		name, bench->node[0], spec);
}

/* Finds the two nodes. */
static int check_pair(struct bench *bench)
{
	const int64_t nodes = ls_topology_nodes(bench->topology), first = bench->query->root;
	const size_t last = last_size(&bench->query->sizes), buffers = 4;
	size_t bytes;

	if (first >= nodes)
		return print_error(EXIT_USAGE,
			"--root %" PRId64 " is not a node of %s; expected 0..%" PRId64, first,
			ls_topology_spec(bench->topology), nodes - 1);
	bench->node[0] = first;
	bench->node[1] = ls_neighbor(bench->topology, first, 0);
	if (bench->node[1] < 0 || bench->node[1] >= nodes || bench->node[1] == first)
		return print_no_neighbor(bench);
	if (__builtin_mul_overflow(last, buffers * ls_type_size(bench->query->type), &bytes))
		bytes = SIZE_MAX;
	return machine_check_limits(bench->topology, bench->how, bytes / (size_t)nodes, NULL);
}

static int check_variants(struct bench *bench)
{
	const struct range *sizes = &bench->query->sizes;
	int failed = EXIT_SUCCESS;

	if (bench->benchmark)
		return check_pair(bench);
	for (size_t i = 0; i < bench->variants && !failed; i++) {
		failed = workload_check_nodes(
			&bench->variant[i].query, &bench->variant[i].how, bench->output, bench->topology);
		if (!failed)
			failed = check_variant(bench, &bench->variant[i], sizes->least);
		if (!failed)
			failed = check_variant(bench, &bench->variant[i], last_size(sizes));
	}
	return failed;
}

static int all_sizes(struct bench *bench)
{
	const struct range *sizes = &bench->query->sizes;
	size_t count = sizes->least;
	int failed;

	do
		failed = bench_size(bench, count);
	while (!failed && next_size(sizes, &count));
	return failed;
}

static int bench_all(struct bench *bench)
{
	sigset_t signals, before;
	int failed = agree_on_failure(check_variants(bench));

	if (failed)
		return failed;
	/* Signals are pending until the next run or the end, so that no row is cut. */
	block_signals(&signals, &before);
	bench_begin(bench);
	failed = all_sizes(bench);
	bench_end(bench, failed);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static bool has_several_variants(const struct options *options)
{
	const char *algorithm = options->query.algorithm;

	return (algorithm && strchr(algorithm, ',')) || options->how.engines.count > 1
		|| options->how.every_rounds.count > 1 || options->how.node_kinds.count > 1
		|| options->query.plan;
}

/* Options of exchange and stream; cores takes only those of the output. */
#define PAIR_OPTIONS \
	(TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_MESSAGE_SIZE) | TAKES(OPTION_ROOT) | TAKES(OPTION_TYPE) \
		| TAKES(OPTION_ROUNDS) | TAKES(OPTION_MAILBOX) | TAKES(OPTION_ITERATIONS) \
		| TAKES(OPTION_WARMUP) | TAKES(OPTION_SAMPLES) | TAKES(OPTION_MODEL) | TAKES(OPTION_BIND) \
		| TAKES(OPTION_TIMEOUT) | TAKES(OPTION_COMPARE))

static int check_taken(const struct options *options, const struct benchmark *benchmark)
{
	char subject[40];

	snprintf(subject, sizeof subject, "bench %s", benchmark->name);
	return check_only(options,
		TAKES(OPTION_QUIET) | CHART_OPTIONS | (benchmark->round ? PAIR_OPTIONS : 0), subject);
}

/* *out NULL: an operation or a plan. */
static int find_benchmark(const struct options *options, const struct benchmark **out)
{
	enum { BENCHMARKS_MOST = 8 };
	const char *word = options->query.operation, *names[LS_OPERATIONS + BENCHMARKS_MOST];
	size_t count = 0;

	*out = word ? benchmark_named(word) : NULL;
	if (*out)
		return check_taken(options, *out);
	if (!word || ls_operation_find(word) >= 0)
		return EXIT_SUCCESS;
	for (int i = 0; i < LS_OPERATIONS; i++)
		names[count++] = ls_operation_name((enum ls_operation)i);
	for (const struct benchmark *b = benchmarks; b->name; b++)
		names[count++] = b->name;
	return print_unknown(
		"operation or benchmark", word, names, count, "'lockstep help bench' shows all");
}

static int check_options(const struct options *options)
{
	if (strcmp(options->output.format->name, "osu") != 0)
		return EXIT_SUCCESS;
	if (has_several_variants(options))
		return print_error(EXIT_USAGE,
			"--format osu shows one variant; try one algorithm, engine and kind of rounds");
	if (options->how.compare)
		return print_error(
			EXIT_USAGE, "--format osu shows no comparison; try --format text, csv or json");
	return EXIT_SUCCESS;
}

/* The files of pictures, NULL at the end; NULL: none. */
static const char *const *pictures_of(const struct options *options)
{
	return options->word[1] ? options->word + 1 : NULL;
}

/* A wrong name must not cost a measurement. */
static int check_pictures(const struct options *options)
{
	const char *const *path = pictures_of(options);

	if (path)
		return chart_check_files(&options->output, path);
	for (int i = 0; i < OPTIONS; i++)
		if (options->given & CHART_OPTIONS & TAKES(i))
			return print_error(EXIT_USAGE, "--%s needs a picture; try 'lockstep bench .. FILE.svg'",
				option_table[i].name);
	return EXIT_SUCCESS;
}

static int bench_variants(struct bench *bench)
{
	const char *algorithms = bench->query->algorithm;
	const size_t length = algorithms ? strlen(algorithms) : 0;
	char *copy = require_memory(malloc(length + 1)),
		 **name = require_memory(calloc(length + 2, sizeof *name));
	int result;

	if (bench->benchmark)
		make_pair_variants(bench);
	else
		make_variants(bench, name, split_names(algorithms, copy, name));
	result = bench_all(bench);
	for (size_t i = 0; i < bench->variants; i++)
		machine_close(bench->variant[i].machine, result);
	free(bench->variant);
	free((void *)name);
	free(copy);
	return result;
}

static int bench_messages(const struct options *options, const struct benchmark *benchmark)
{
	struct execution how = options->how;
	struct bench bench = { .query = &options->query,
		.how = &how,
		.output = &options->output,
		.benchmark = benchmark,
		.begin = clock_now(),
		.drawing = &options->drawing,
		.pictures = pictures_of(options) };
	int failed = check_options(options);

	if (benchmark && !(options->given & TAKES(OPTION_ROUNDS)))
		how.every_rounds = (struct list){ 1, { LS_FREE } };
	bench.cores = cores_of_run();
	if (!failed && how.compare && processes_is_first())
		failed = comparisons_open(how.compare, &bench.comparisons);
	failed = agree_on_failure(failed);
	if (!failed)
		failed = topology_open(&options->query, &bench.topology);
	failed = agree_on_failure(failed);
	if (!failed)
		failed = bench_variants(&bench);
	if (!failed && bench.pictures && processes_is_first())
		failed = bench_draw(&bench);
	chart_rows_end(&bench.chart);
	ls_topology_destroy(bench.topology);
	comparisons_close(&bench.comparisons);
	return failed;
}

int verb_bench(const struct options *options)
{
	const struct benchmark *benchmark;
	int failed = find_benchmark(options, &benchmark);

	if (!failed && processes_is_first())
		failed = check_pictures(options);
	failed = agree_on_failure(failed);
	if (failed)
		return failed;
	if (benchmark && !benchmark->round)
		return bench_cores(&options->output, &options->drawing, options->word + 1);
	return bench_messages(options, benchmark);
}

/* `bench cores` measures the cores of one process. */
bool share_bench(struct options *options)
{
	const char *word = options->query.operation;
	const struct benchmark *benchmark = word ? benchmark_named(word) : NULL;

	return (!benchmark || benchmark->round) && can_share_engines(&options->how);
}
