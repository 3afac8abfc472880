/*
 * lockstep draw: pictures of networks, plans and traces.
 */
#include "cli/verb.h"
#include "base/names.h"
#include "draw/drawing.h"
#include "draw/named_figures.h"
#include "job/job.h"

#include <string.h>
#include <unistd.h>

const struct format draw_formats[] = {
	{ "text", NULL, write_steps_text },
	DRAWN_FORMATS,
	{ 0 },
};

/* ---- draw --list */

static void list_infos(const char *title, bool (*list)(size_t, struct ls_draw_info *), FILE *file)
{
	struct ls_draw_info info = { .size = sizeof info };

	fprintf(file, "%s\n", title);
	for (size_t i = 0; list(i, &info); i++)
		fprintf(file, "  %-10s %s%s%s\n", info.name, info.text, *info.limit ? "; at most " : "",
			info.limit);
}

static void list_named_figures(FILE *file)
{
	fprintf(file, "figures\n");
	for (const struct named_figure *figure = named_figures; figure->name; figure++)
		fprintf(file, "  %-10s %s\n", figure->name, figure->title);
}

static int list_choices(const struct output *output)
{
	list_infos("views, in the order of the default", ls_draw_view_list, output->file);
	list_infos("formats", ls_draw_format_list, output->file);
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
	if (!output->format_given && (!steps || !isatty(fileno(output->file))))
		output->format = format_named(draw_formats, "svg");
}

static int check_text(const struct output *output, bool steps)
{
	if (steps || output->format->write != write_steps_text)
		return EXIT_SUCCESS;
	return print_error(EXIT_UNAVAILABLE,
		"a network has no steps to write as text; try --format svg, or name an operation");
}

static int write_files(
	const struct output *output, const struct shown_plan *shown, const char *const *path)
{
	int failed = EXIT_SUCCESS;

	for (; *path && !failed; path++)
		failed = format_write_file(draw_formats, output, shown, *path);
	return failed;
}

int verb_draw(const struct options *options)
{
	const char *const *path = options->word + 1;
	const bool steps = has_steps(&options->query);
	struct output output = options->output;
	struct job job;
	const struct shown_plan shown = { &options->query, &job, &options->drawing };
	int failed;

	if (options->drawing.list)
		return list_choices(&output);
	choose_format(&output, steps);
	failed = check_text(&output, steps);
	if (!failed)
		failed = check_drawing_options(options->typed, draw_formats, output.format, path);
	if (!failed)
		failed = open_subject(&options->query, &job);
	if (failed)
		return failed;
	failed = *path ? write_files(&output, &shown, path) : output.format->write(&output, &shown);
	job_close(&job);
	return failed;
}
