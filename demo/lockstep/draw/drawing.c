/*
 * Draws a job.
 */
#include "base/words.h"
#include "data/operands.h"
#include "draw/drawing.h"
#include "draw/traced.h"
#include "job/plan_file.h"

#include <stdlib.h>
#include <string.h>

enum { REPLAYED = 1 << 20 }; /* nodes times steps */

int put_file_text(void *file, const char *text)
{
	return fputs(text, file) < 0 ? LS_ERR_STOPPED : LS_OK;
}

/* A word as a POSIX shell reads it: in single quotes where it has other characters than these. */
static void put_word(FILE *file, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
								"_@%+=:,./-";

	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, file);
		return;
	}
	fputc('\'', file);
	for (; *word; word++)
		fputs(*word == '\'' ? "'\\''" : (const char[]){ *word, '\0' }, file);
	fputc('\'', file);
}

char *command_text(const struct output *output)
{
	char *text;
	size_t size;
	FILE *file = require_memory(open_memstream(&text, &size));

	fputs("lockstep", file); /* wherever the tool lies */
	for (char **word = output->command + 1; *word; word++) {
		fputc(' ', file);
		put_word(file, *word);
	}
	if (fclose(file))
		require_memory(NULL);
	return text;
}

/* Put the messages of a trace into a drawing. */
static void add_traced(const struct traced *traced, struct ls_drawing *drawing)
{
	static const struct ls_record none;

	drawing->records = traced->record ? traced->record : &none;
	drawing->n_records = traced->records;
	drawing->core = traced->core;
	drawing->title = drawing->title ? drawing->title : traced->title;
}

/* Without elements, -m 0, there are no numbers to show. */
static enum ls_drawn_values values_of(const struct shown_plan *shown)
{
	const enum ls_drawn_values values = shown->drawing->values;

	if (!shown->job->plan || shown->job->request.count > 0 || values < LS_VALUES_DATA)
		return values;
	return values == LS_VALUES_BOTH ? LS_VALUES_BLOCKS : LS_VALUES_NONE;
}

/* A list of messages has no algorithm: the caption names the last part of its path. */
static const char *schedule_of(const struct query *query)
{
	const char *path = query->plan, *slash = path ? strrchr(path, '/') : NULL;

	if (!path || !query->file || query->file->is_plan)
		return NULL;
	return strcmp(path, "-") == 0 ? "standard input" : slash ? slash + 1 : path;
}

static struct ls_drawing drawing_of(const struct shown_plan *shown, const char *command)
{
	const struct job *job = shown->job;
	const struct drawing_choice *choice = shown->drawing;

	return (struct ls_drawing){ .size = sizeof(struct ls_drawing),
		.topology = job->topology,
		.plan = job->plan,
		.embedding = job->embedding,
		.mode = job->mode,
		.count = job->request.count,
		.empty = job->plan && job->request.count == 0,
		.op = job->request.op,
		.view = choice->view,
		.layout = choice->layout,
		.focus = choice->focus,
		.first_round = choice->first_round,
		.last_round = choice->last_round,
		.values = values_of(shown),
		.labels = choice->labels,
		.theme = choice->theme,
		.columns = choice->columns,
		.width = choice->width,
		.title = choice->title,
		.caption = choice->caption,
		.command = command,
		.standalone = choice->standalone,
		.beamer = choice->beamer,
		.x_axis = choice->x_axis,
		.schedule = schedule_of(shown->query),
		.violation = shown->violation && shown->violation->kind ? shown->violation : NULL };
}

/* A page can hide what the nodes hold; it has them unless their replay takes long. */
static bool shows_contents(const struct ls_drawing *drawing)
{
	const ls_plan *plan = drawing->plan;

	return plan && !drawing->view && drawing->values == LS_VALUES_NONE
		&& ls_plan_steps(plan) <= REPLAYED / ls_plan_nodes(plan);
}

static int draw(
	const struct output *output, const struct shown_plan *shown, const char *format, FILE *file)
{
	struct ls_error why = { .size = sizeof why };
	char *command = command_text(output);
	struct ls_drawing drawing = drawing_of(shown, command);
	int status;

	if (shown->traced)
		add_traced(shown->traced, &drawing);
	if (strcmp(format, "html") == 0 && shows_contents(&drawing))
		drawing.values = LS_VALUES_BLOCKS;
	status = ls_draw(&drawing, format, put_file_text, file, &why);
	free(command);
	if (status == LS_OK || status == LS_ERR_STOPPED) /* the caller finds the error of the file */
		return EXIT_SUCCESS;
	return print_ls_error(&why);
}

int write_svg(const struct output *output, const void *document)
{
	return draw(output, document, "svg", output->file);
}

int write_tikz(const struct output *output, const void *document)
{
	return draw(output, document, "tikz", output->file);
}

int write_dot(const struct output *output, const void *document)
{
	return draw(output, document, "dot", output->file);
}

int write_html(const struct output *output, const void *document)
{
	return draw(output, document, "html", output->file);
}

int write_png(const struct output *output, const void *document)
{
	return convert_drawing(output, document, write_svg, "png");
}

int write_pdf(const struct output *output, const void *document)
{
	return convert_drawing(output, document, write_svg, "pdf");
}
