/*
 * A chart has no network, but it is printed like a picture of one: its parts are a scene, and its
 * title and caption are a subject without nodes.
 *
 * A chart is drawn around the origin, which is the upper left corner of the plot or of the cells;
 * labels on the left and above have negative coordinates.  Then all parts move to the margins.
 */
#include "draw/chart_page.h"

#include "base/error.h"
#include "draw/geometry.h"
#include "draw/view.h"

int lsi_chart_output_check(const struct lsi_chart_output *output)
{
	const struct lsi_draw_format *format = lsi_draw_format_find(output->format);

	if (!format)
		return lsi_draw_format_refuse(output->format, output->why);
	if (!format->draws_charts)
		return lsi_error_set(output->why, LS_ERR_UNSUPPORTED,
			"the format %s draws no charts; try svg", format->name);
	return LS_OK;
}

void lsi_chart_part(struct lsi_scene *scene, const char *name)
{
	lsi_scene_begin(scene, name, -1);
}

void lsi_chart_text(
	struct lsi_scene *scene, enum lsi_anchor anchor, double x, double y, const char *text)
{
	if (text && *text)
		lsi_scene_put_text(scene, LSI_TEXT_AXIS, anchor, (struct lsi_point){ x, y }, text);
}

/* A subject of words alone. */
static struct lsi_subject subject_of(const struct ls_page *page, struct ls_drawing *drawing)
{
	*drawing = (struct ls_drawing){ .size = sizeof *drawing,
		.theme = page->theme,
		.width = page->width,
		.command = page->command };
	return (struct lsi_subject){ .drawing = drawing,
		.root = LS_NO_RANK,
		.title = page->title ? page->title : "",
		.caption = page->caption ? page->caption : "" };
}

int lsi_chart_print(
	struct lsi_scene *scene, const struct ls_page *page, const struct lsi_chart_output *output)
{
	struct lsi_writer writer = { .put = output->put, .context = output->context };
	struct ls_drawing drawing;
	const struct lsi_subject subject = subject_of(page, &drawing);
	const double bottom = lsi_scene_put_origin(scene, LSI_MARGIN, LSI_MARGIN);

	lsi_scene_fit(scene);
	if (page->title || page->caption) {
		lsi_scene_put_caption(scene, &subject, bottom, scene->width - 2 * LSI_MARGIN);
		lsi_scene_fit(scene);
	}
	if (scene->no_memory)
		writer.failed = lsi_error_set(output->why, LS_ERR_MEMORY, "no memory for a chart");
	else
		lsi_draw_format_find(output->format)->write(&writer, scene, &subject);
	lsi_scene_release(scene);
	return writer.failed;
}
