/*
 * lockstep draw: pictures of networks, plans and traces.
 */
#include "cli/verb.h"
#include "draw/drawing.h"
#include "job/job.h"

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

static int list_choices(const struct output *output)
{
	print_views(output->file);
	print_formats(output->file);
	return EXIT_SUCCESS;
}

/* ---- draw */

/* Without an operation or a plan, the network alone is drawn. */
static bool has_steps(const struct query *query)
{
	return query->operation || query->plan;
}

/* The job of the request. */
static int open_subject(const struct query *query, struct job *job)
{
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
		failed = check_drawing_options(options->given, draw_formats, output.format, path);
	if (!failed)
		failed = open_subject(&options->query, &job);
	if (failed)
		return failed;
	failed = *path ? write_files(&output, &shown, path) : output.format->write(&output, &shown);
	job_close(&job);
	return failed;
}
