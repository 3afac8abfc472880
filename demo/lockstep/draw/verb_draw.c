/*
 * lockstep draw: pictures of networks, plans and traces.
 */
#include "cli/option_use.h"
#include "cli/verb.h"
#include "base/messages.h"
#include "base/names.h"
#include "draw/drawing.h"
#include "draw/named_figures.h"
#include "draw/traced.h"
#include "draw/violation.h"
#include "job/job.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

const struct format draw_formats[] = {
	{ "text", NULL, write_steps_text },
	DRAWN_FORMATS,
	{ 0 },
};

/* ---- draw --list */

static void print_views(FILE *file)
{
	struct ls_draw_info info = { .size = sizeof info };

	fputs("views, in the order of the default\n", file);
	for (size_t i = 0; ls_draw_view_list(i, &info); i++)
		fprintf(file, "  %-10s %s; limit: %s\n", info.name, info.text, info.limit);
}

static void print_layouts_of(FILE *file, const char *spec)
{
	ls_topology *topology;
	const char *layout;

	if (ls_topology_make(spec, &topology, NULL))
		return;
	fprintf(file, "  %-13s", spec);
	for (size_t i = 0; (layout = ls_layout_list(topology, i)); i++)
		fprintf(file, "%s%s", i ? ", " : " ", layout);
	fputc('\n', file);
	ls_topology_destroy(topology);
}

/* Some layouts fit only small networks: those of the examples of `list topologies`. */
static void print_layouts(FILE *file)
{
	struct ls_topology_info info = { .size = sizeof info };

	fputs("layouts of some networks, the default first\n", file);
	for (size_t i = 0; ls_topology_list(i, &info); i++)
		if (info.example)
			print_layouts_of(file, info.example);
	fputs("  any network   a FILE of lines 'rank x y', or the output of neato -Tplain\n", file);
}

/* What a format is: in the words of the library, if it writes the format. */
static const char *describe_format(const char *name)
{
	static const struct {
		const char *name, *text;
	} other[] = {
		{ "text", "the steps as lines of text" },
		{ "png", "an image, made by rsvg-convert" },
		{ "pdf", "a page, made by rsvg-convert" },
	};
	struct ls_draw_info info = { .size = sizeof info };

	for (size_t i = 0; ls_draw_format_list(i, &info); i++)
		if (strcmp(info.name, name) == 0)
			return info.text;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (strcmp(other[i].name, name) == 0)
			return other[i].text;
	return "";
}

static void print_formats(FILE *file)
{
	fputs("formats\n", file);
	for (const struct format *format = draw_formats; format->name; format++)
		fprintf(file, "  %-10s %s%s%s\n", format->name, describe_format(format->name),
			format->ending ? "; FILE" : "", format->ending ? format->ending : "");
}

static void list_named_figures(FILE *file)
{
	fprintf(file, "figures\n");
	for (const struct named_figure *figure = named_figures; figure->name; figure++)
		fprintf(file, "  %-10s %s\n", figure->name, figure->title);
}

static int list_choices(const struct output *output)
{
	print_views(output->file);
	print_layouts(output->file);
	print_formats(output->file);
	list_named_figures(output->file);
	return EXIT_SUCCESS;
}

/* ---- draw */

/* Without an operation or a plan, the network alone is drawn. */
static bool has_steps(const struct query *query)
{
	return query->operation || query->plan;
}

/* The operand is an operation; a named figure has become one. */
static int check_operation_name(const char *word)
{
	const char *name[LS_OPERATIONS + FIGURES_MOST];
	size_t count = list_figures(name, FIGURES_MOST);

	if (!word || ls_operation_find(word) >= 0)
		return EXIT_SUCCESS;
	if (strchr(word, ':'))
		return print_error(
			EXIT_USAGE, "no operation or figure '%s'; for a network try -t %s", word, word);
	if (strncmp(word, "figure", 6) == 0 && isdigit((unsigned char)word[6]))
		return print_error(
			EXIT_USAGE, "no figure '%s'; 'lockstep draw --list' shows all figures", word);
	for (int i = 0; i < LS_OPERATIONS; i++)
		name[count++] = ls_operation_name((enum ls_operation)i);
	return print_unknown("operation or figure", word, name, count,
		"'lockstep list operations' and 'lockstep draw --list' show all");
}

/* The job of the request. */
static int open_subject(const struct query *query, struct job *job)
{
	const int unknown = check_operation_name(query->operation);

	if (unknown)
		return unknown;
	if (has_steps(query))
		return job_open(query, job);
	*job = (struct job){ .request = { .size = sizeof job->request } };

	const int failed = topology_open(query, &job->topology);

	job->mode = failed ? LS_HOP : mode_on(query, job->topology);
	return failed;
}

/* Standard output without --format: the text picture on a terminal, else SVG. */
static void choose_format(struct output *output, bool steps)
{
	if (!output->format_given && (!steps || !is_terminal(output->file)))
		output->format = format_named(draw_formats, "svg");
}

static int check_text(const struct options *options, const struct output *output, bool steps)
{
	if (steps || output->format->write != write_steps_text)
		return EXIT_SUCCESS;
	if (options->output.trace)
		return print_error(EXIT_UNAVAILABLE,
			"draw --trace writes no text; try --format svg, or 'lockstep steps --plan %s'",
			options->output.trace);
	return print_error(EXIT_UNAVAILABLE,
		"a network has no steps to write as text; try --format svg, or name an operation");
}

static int check_values(const struct options *options, bool steps)
{
	if (steps || options->output.trace || options->drawing.values == LS_VALUES_NONE)
		return EXIT_SUCCESS;
	return print_error(EXIT_USAGE,
		"--values shows what nodes hold in the steps of an operation; name an operation");
}

static int write_files(
	const struct output *output, const struct shown_plan *shown, const char *const *path)
{
	int failed = EXIT_SUCCESS;

	for (; *path && !failed; path++)
		failed = format_write_file(draw_formats, output, shown, *path);
	return failed;
}

static int draw_shown(
	const struct options *options, const struct output *output, const struct shown_plan *shown)
{
	const char *const *path = options->word + 1;

	if (*path)
		return write_files(output, shown, path);
	return output->quiet ? EXIT_SUCCESS : output->format->write(output, shown);
}

/* Draw the messages of a schedule that has no plan, and what is wrong with them. */
static int draw_schedule(const struct options *options, const struct output *output,
	const struct job *job, const struct ls_error *violation)
{
	struct traced traced;
	const struct shown_plan shown = { &options->query, job, &options->drawing, &traced, violation };
	int failed = EXIT_SUCCESS;

	if (!options->word[1] && output->format->write == write_steps_text)
		return failed; /* a text has no place for them */
	failed = traced_take_plan(&options->query, job->topology, &traced);
	if (!failed)
		failed = draw_shown(options, output, &shown);
	traced_close(&traced);
	return failed;
}

/* Draw a plan, or the network. */
static int draw_job(
	const struct options *options, const struct output *output, struct ls_error *violation)
{
	const struct query *query = &options->query;
	struct job job;
	const struct shown_plan shown = { query, &job, &options->drawing, NULL, violation };
	int failed = open_subject(query, &job);

	if (failed)
		return failed;
	find_violation(query, &job, violation);
	failed = draw_shown(options, output, &shown);
	job_close(&job);
	return failed;
}

/* Draw what a query asks for, and tell what is wrong with it. */
static int draw_query(const struct options *options, const struct output *output)
{
	struct ls_error violation;
	struct job job;
	int failed = find_violation_of_schedule(&options->query, &job, &violation);

	if (!failed)
		failed = violation.kind ? draw_schedule(options, output, &job, &violation)
								: draw_job(options, output, &violation);
	job_close(&job);
	if (!failed && violation.kind)
		failed = print_error(EXIT_WRONG, "%s", violation.text);
	return failed;
}

/* ---- draw --trace */

/* The options that change the picture of messages that passed. */
#define OF_TRACES \
	((LATEX_OPTIONS & ~TAKES(OPTION_VALUES)) | TAKES(OPTION_TRACE) | TAKES(OPTION_TOPOLOGY) \
		| TAKES(OPTION_MODE) | TAKES(OPTION_QUIET) | TAKES(OPTION_VERBOSE))

static int check_sources(const struct options *options)
{
	const char *other = options->query.plan ? "--plan"
		: options->query.operation          ? options->query.operation
											: NULL;

	if (!options->output.trace || !other)
		return EXIT_SUCCESS;
	return print_error(
		EXIT_USAGE, "--trace and %s cannot be used together; try one of them", other);
}

static int draw_trace(const struct options *options, const struct output *output)
{
	struct query query = options->query;
	struct job job = { .request = { .size = sizeof job.request } };
	struct traced traced;
	const struct shown_plan shown = { &query, &job, &options->drawing, &traced, NULL };
	int failed = traced_open(&query, options->output.trace, &job.topology, &traced);

	if (!failed) {
		job.mode = mode_on(&query, job.topology);
		failed = draw_shown(options, output, &shown);
	}
	traced_close(&traced);
	job_close(&job);
	return failed;
}

/* ---- The verb */

int verb_draw(const struct options *options)
{
	const char *const *path = options->word + 1;
	const bool steps = has_steps(&options->query);
	struct output output = options->output;
	int failed;

	if (options->drawing.list)
		return list_choices(&output);
	choose_format(&output, steps);
	failed = check_sources(options);
	if (!failed && options->output.trace)
		failed = check_only(options, OF_TRACES, "draw --trace");
	if (!failed)
		failed = check_values(options, steps);
	if (!failed)
		failed = check_text(options, &output, steps);
	if (!failed)
		failed = format_check_files(draw_formats, &output, path);
	if (!failed)
		failed = check_drawing_options(options->typed, draw_formats, output.format, path);
	if (failed)
		return failed;
	return options->output.trace ? draw_trace(options, &output) : draw_query(options, &output);
}
