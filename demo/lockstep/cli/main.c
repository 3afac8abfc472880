/*
 * lockstep: run, show and prove the collective operations of parallel computing.
 */
#include "base/output_file.h"
#include "base/processes.h"
#include "base/shared_run.h"
#include "cli/features.h"
#include "cli/manual.h"
#include "cli/option_use.h"
#include "cli/verb.h"
#include "job/graph_records.h"
#include "report/document.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* The options of a request, and those of its execution. */
#define PLANNED \
	(TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_MESSAGE_SIZE) | TAKES(OPTION_ROOT) \
		| TAKES(OPTION_SHIFT) | TAKES(OPTION_OP) | TAKES(OPTION_TYPE) | TAKES(OPTION_MODE) \
		| TAKES(OPTION_PORTS))
#define ONE_PLAN (PLANNED | TAKES(OPTION_ALGORITHM) | TAKES(OPTION_MAP))
#define SHOWN    (TAKES(OPTION_QUIET) | TAKES(OPTION_VERBOSE))
#define EXECUTED \
	(ONE_PLAN | TAKES(OPTION_STRICT) | TAKES(OPTION_ENGINE) | TAKES(OPTION_NODES) \
		| TAKES(OPTION_WORKERS) | TAKES(OPTION_ROUNDS) | TAKES(OPTION_MAILBOX) \
		| TAKES(OPTION_ITERATIONS) | TAKES(OPTION_WARMUP) | TAKES(OPTION_SEED) \
		| TAKES(OPTION_BIND) | TAKES(OPTION_TIMEOUT))

const struct verb verbs[] = {
	{
		.name = "run",
		.act = verb_run,
		.share = share_run,
		.least = 1,
		.most = 1,
		.needs = "an operation",
		.plans = true,
		.operands = "OPERATION -t TOPOLOGY",
		.text = "run on real data, verify, print counts, time and throughput",
		.options = EXECUTED | TAKES(OPTION_INPUT) | TAKES(OPTION_OUTPUT) | TAKES(OPTION_TRACE)
			| TAKES(OPTION_TIMES) | TAKES(OPTION_PLAN) | SHOWN,
		.formats = run_formats,
		.examples = { "lockstep run allreduce -t star:4",
			"lockstep run allreduce -t star:9 -d int64 -e sweep",
			"lockstep run --plan my.plan -t ring:8" },
	},
	{
		.name = "steps",
		.act = verb_steps,
		.least = 1,
		.most = 2,
		.needs = "an operation",
		.plans = true,
		.operands = "OPERATION -t TOPOLOGY [FILE]",
		.text = "show the plan round by round, or write it to a file",
		.options = ONE_PLAN | TAKES(OPTION_PLAN) | SHOWN,
		.formats = steps_formats,
		.examples = { "lockstep steps broadcast -t mesh:4x4",
			"lockstep steps allgather -t hypercube:3 -v",
			"lockstep steps allreduce -t ring:8 allreduce.plan" },
	},
	{
		.name = "draw",
		.act = verb_draw,
		.least = 0,
		.most = WORDS - 1,
		.plans = true,
		.listed = "figure-form",
		.operands = "[FIGURE | OPERATION] [-t TOPOLOGY] [FILE ...]",
		.text = "draw a network, a plan, a trace or a figure of the textbook: SVG, HTML, TikZ, PNG",
		.options = ONE_PLAN | LATEX_OPTIONS | TAKES(OPTION_LIST) | TAKES(OPTION_TRACE)
			| TAKES(OPTION_PLAN) | SHOWN,
		.formats = draw_formats,
		.default_format = "text on a terminal, else svg",
		.examples = { "lockstep draw broadcast -t hypercube:3 cube.svg",
			"lockstep draw figure4.12 figure.svg",
			"lockstep draw allreduce -t star:7 --focus xxxx567 --step 5-8 star7.svg",
			"lockstep draw --trace run.csv --view gantt run.svg" },
	},
	{
		.name = "check",
		.act = verb_check,
		.least = 1,
		.most = 1,
		.needs = "an operation",
		.plans = true,
		.operands = "OPERATION -t TOPOLOGY",
		.text = "prove that the plan obeys the laws: print a certificate, or the first violation",
		.options = ONE_PLAN | TAKES(OPTION_STRICT) | TAKES(OPTION_PLAN) | TAKES(OPTION_EXPECT)
			| TAKES(OPTION_BOUND) | SHOWN,
		.formats = check_formats,
		.examples = { "lockstep check allreduce -t star:5",
			"lockstep check alltoall -t torus:4x4 --strict",
			"lockstep check broadcast --plan mine.csv -t ring:8 --expect 'rounds<=4'" },
	},
	{
		.name = "find",
		.act = verb_find,
		.least = 1,
		.most = 2,
		.needs = "an operation",
		.operands = "OPERATION -t TOPOLOGY [FILE.plan]",
		.text = "search for a plan of the fewest rounds; prove that fewer are impossible",
		.options = TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_ROOT) | TAKES(OPTION_SHIFT)
			| TAKES(OPTION_PORTS) | TAKES(OPTION_MESSAGE_SIZE) | TAKES(OPTION_TYPE)
			| TAKES(OPTION_SEED) | TAKES(OPTION_WITHIN) | TAKES(OPTION_BUDGET)
			| TAKES(OPTION_SOLVER) | TAKES(OPTION_PROOF) | TAKES(OPTION_RECORD)
			| TAKES(OPTION_SYMMETRY) | TAKES(OPTION_PREFIX) | SHOWN,
		.formats = find_formats,
		.examples = { "lockstep find allgather -t mesh:3x3 mesh.plan",
			"lockstep find allreduce -t pancake:4 --budget 10 --json" },
	},
	{
		.name = "records",
		.act = verb_records,
		.most = 1,
		.operands = "[OPERATION] [-t TOPOLOGY]",
		.text = "list the schedules of the fewest rounds that earlier searches found",
		.options = TAKES(OPTION_TOPOLOGY) | TAKES(OPTION_QUIET),
		.formats = records_formats,
		.examples = { "lockstep records -t mesh:3x3", "lockstep records allgather --csv" },
	},
	{
		.name = "bench",
		.act = verb_bench,
		.share = share_bench,
		.least = 1,
		.most = WORDS - 1,
		.needs = "an operation or benchmark",
		.plans = true,
		.operands = "BENCHMARK -t TOPOLOGY [-m MIN:MAX] [FILE ...]",
		.listed = "benchmark-form",
		.text = "measure a range of sizes: times, throughput, model; compare algorithms, engines",
		.options = EXECUTED | TAKES(OPTION_SAMPLES) | TAKES(OPTION_MODEL) | TAKES(OPTION_PLAN)
			| TAKES(OPTION_COMPARE) | CHART_OPTIONS | SHOWN,
		.formats = bench_formats,
		.examples = { "lockstep bench allreduce -t complete:2 -m 1:1M -e mailboxes,cooperative",
			"lockstep bench allgather -t ring:4 -a ring,neighbor-exchange -m 1:64K times.svg",
			"lockstep bench exchange -t complete:2 -m 1:64K --format osu" },
	},
	{
		.name = "chart",
		.act = verb_chart,
		.least = 2,
		.most = WORDS,
		.needs = "a table and a file",
		.operands = "FILE.csv FILE ...",
		.text = "draw columns of a CSV file, as bench writes it or any other: SVG, PNG, PDF",
		.options = CHART_OPTIONS | TAKES(OPTION_AXES) | TAKES(OPTION_SERIES) | TAKES(OPTION_QUIET),
		.formats = chart_formats,
		.examples = { "lockstep chart times.csv times.svg",
			"lockstep chart times.csv --axes bytes,bytes_per_second --series engine speed.svg" },
	},
	{
		.name = "fit",
		.act = verb_fit,
		.least = 1,
		.most = WORDS,
		.needs = "a file",
		.operands = "FILE.csv ...",
		.text = "fit t_s and t_w to the output of bench --csv; show the residuals",
		.options = TAKES(OPTION_QUIET),
		.formats = fit_formats,
		.examples = { "lockstep fit times.csv",
			"lockstep bench allreduce -t complete:2 -m 1:1M --csv | lockstep fit -" },
	},
	{
		.name = "list",
		.act = verb_list,
		.least = 0,
		.most = 3,
		.operation = 1,
		.before = "list algorithms",
		.operands = "[topologies | operations | algorithms [OPERATION] | links] [FILE]",
		.text = "list networks, operations, algorithms, links; -t adds costs on a network",
		.options = PLANNED | TAKES(OPTION_PLAN) | TAKES(OPTION_VERBOSE),
		.formats = list_formats,
		.examples = { "lockstep list algorithms -t hypercube:4",
			"lockstep list algorithms broadcast -t ring:8 --plan mine.csv",
			"lockstep list links -t hypercube:4 hypercube.dot" },
	},
	{
		.name = "reproduce",
		.act = verb_reproduce,
		.least = 0,
		.most = WORDS,
		.listed = "source-document",
		.operands = "[ITEM ...]",
		.text = "recompute the tables, figures and examples of the source papers",
		.options = SHOWN,
		.formats = reproduce_formats,
		.examples = { "lockstep reproduce table2", "lockstep reproduce figure4.12 -v" },
	},
	{
		.name = "info",
		.act = verb_info,
		.operands = "",
		.text = "version, machine, cores allowed, settings in force",
		.formats = info_formats,
		.examples = { "lockstep info", "lockstep info --json" },
	},
	{
		.name = "help",
		.act = verb_help,
		.most = 1,
		.operands = "[VERB]",
		.text = "show this help, or the help of a verb",
	},
	{ 0 },
};

static bool has_verb(const struct options *options)
{
	return options->verb && !options->version && !options->help;
}

static int act(const struct options *options)
{
	if (options->version) {
		printf("lockstep %s\n", ls_version());
		if (options->output.verbose)
			print_features();
		return EXIT_SUCCESS;
	}
	if (options->help) {
		print_help(options->verb);
		return EXIT_SUCCESS;
	}
	if (!options->verb)
		return print_error(
			EXIT_USAGE, "no verb; try 'lockstep run allreduce -t star:4' or 'lockstep help'");
	return options->verb->act(options);
}

/* For require_memory, which ends the tool. */
static const struct output *fatal_output;

static void write_fatal_error(int exit_code)
{
	output_remove_temporaries();
	document_error(fatal_output, exit_code);
	processes_fail(exit_code);
}

/*
 * glibc reserves 64 MiB for each of up to 8 arenas per core.  Where the address space is limited
 * (ulimit -v), these reservations leave a node too little for a few bytes, but only in some runs.
 */
static void limit_reserved_memory(void)
{
#ifdef M_ARENA_MAX
	if (!getenv("MALLOC_ARENA_MAX"))
		mallopt(M_ARENA_MAX, 2);
#endif
}

static bool is_shared(struct options *options)
{
	return processes_here()->count > 1 && has_verb(options) && options->verb->share
		&& options->verb->share(options);
}

/* The file of a network that all processes may read. */
static const char *graph_file(const struct options *options)
{
	static const char prefix[] = "graph:";
	const char *spec = options->query.topology;

	return has_verb(options) && options->verb->share && spec
			&& strncmp(spec, prefix, strlen(prefix)) == 0
		? spec + strlen(prefix)
		: NULL;
}

/* Every process reads the command line; process 0 acts, or all of them. */
static int read_and_act(struct options *options, int argc, char **argv)
{
	int result = options_read(options, argc, argv);
	const char *graph = graph_file(options);
	char *records = graph ? graph_records_path(graph) : NULL;

	if (!result) {
		fatal_output = &options->output;
		before_fatal_exit(write_fatal_error);
		if (has_verb(options))
			result = check_used(options);
	}
	result = processes_join(&(struct same_input){ .command = options->output.command,
								.plan_path = options->query.plan,
								.plan = options->plan.text,
								.plan_bytes = options->plan.length,
								.network = graph,
								.records = records,
								.map = options->query.map },
		result);
	free(records);
	if (!result && is_shared(options)) {
		share_processes();
		result = agree_on_failure(plan_file_share(&options->query, &options->plan));
	}
	if (!result && (processes_is_first() || shared_world()))
		result = act(options);
	if (fatal_output)
		document_error(fatal_output, result);
	return result;
}

static int print_manual_page(int argc, char **argv)
{
	int result = processes_join(&(struct same_input){ .command = argv }, EXIT_SUCCESS);

	if (!result && processes_is_first())
		result = manual_print(argc, argv);
	return result;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	int result;

	processes_begin();
	limit_reserved_memory();
	if (manual_requested(argc, argv))
		result = print_manual_page(argc, argv);
	else
		result = read_and_act(&options, argc, argv);
	free(options.output.command);
	plan_file_close(&options.plan);
	if ((fflush(stdout) || ferror(stdout)) && result == EXIT_SUCCESS)
		result = print_unwritable("standard output");
	return processes_end(result);
}
