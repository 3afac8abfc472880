#include "chart/chart_file.h"

#include "draw/drawing.h"

#include <stdlib.h>

static struct ls_page page_of(const struct chart_document *document, const char *command)
{
	const struct drawing_choice *choice = document->choice;

	return (struct ls_page){ .title = choice->title ? choice->title : document->title,
		.caption = !choice->caption ? document->caption
			: *choice->caption      ? choice->caption
									: NULL,
		.command = command,
		.theme = choice->theme,
		.width = choice->width };
}

static int write_chart_svg(const struct output *output, const void *document)
{
	const struct chart_document *shown = document;
	struct ls_error why = { .size = sizeof why };
	char *command = command_text(output);
	const struct ls_page page = page_of(shown, command);
	int status;

	if (shown->chart) {
		struct ls_chart chart = *shown->chart;

		chart.page = page;
		status = ls_chart_draw(&chart, "svg", put_file_text, output->file, &why);
	} else {
		struct ls_heat_map map = *shown->map;

		map.page = page;
		status = ls_heat_map_draw(&map, "svg", put_file_text, output->file, &why);
	}
	free(command);
	if (status == LS_OK || status == LS_ERR_STOPPED) /* the caller finds the error of the file */
		return EXIT_SUCCESS;
	return print_ls_error(&why);
}

static int write_chart_png(const struct output *output, const void *document)
{
	return convert_drawing(output, document, write_chart_svg, "png");
}

static int write_chart_pdf(const struct output *output, const void *document)
{
	return convert_drawing(output, document, write_chart_svg, "pdf");
}

const struct format chart_formats[] = {
	{ "svg", ".svg", write_chart_svg },
	{ "png", ".png", write_chart_png },
	{ "pdf", ".pdf", write_chart_pdf },
	{ 0 },
};

/* Beside output of another format, as that of bench, the ending alone selects that of a picture. */
static struct output picture_output(const struct output *output)
{
	struct output picture = *output;

	if (!format_named(chart_formats, output->format->name)) {
		picture.format = NULL;
		picture.format_given = false;
	}
	return picture;
}

int chart_check_files(const struct output *output, const char *const *path)
{
	const struct output picture = picture_output(output);

	return format_check_files(chart_formats, &picture, path);
}

int chart_write_files(
	const struct output *output, const struct chart_document *document, const char *const *path)
{
	const struct output picture = picture_output(output);
	int failed = EXIT_SUCCESS;

	for (; *path && !failed; path++)
		failed = format_write_file(chart_formats, &picture, document, *path);
	return failed;
}

int chart_write_rows(const struct output *output, const struct drawing_choice *choice,
	const struct chart_rows *rows, const char *model, const char *const *path)
{
	struct chart_built built;
	int failed;

	chart_build(rows, model, &built);

	const struct chart_document document = {
		.choice = choice, .title = built.title, .caption = built.caption, .chart = &built.chart
	};

	failed = chart_write_files(output, &document, path);
	chart_built_end(&built);
	return failed;
}
