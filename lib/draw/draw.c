/*
 * ls_draw: from a drawing to text.
 *
 *   drawing --> subject --> (part) --> scene --> text --> put
 *           make        focus      view     format
 *
 *   subject   messages by round, loads, contents, title and caption
 *   view      decides which elements the picture has, and places them
 *   format    prints the elements; a few print the subject instead
 *
 * Each view works with each format that prints scenes.  Text is put only when the scene is
 * complete, so most errors leave the output empty.  If the drawing names no view, the first of
 * these that fits is drawn: of messages with times the timeline, the view of the format, the
 * defaults of LSI_VIEWS, its other views.
 */
#include <lockstep/draw.h>

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "base/suggest.h"
#include "draw/broken.h"
#include "draw/draw_format.h"
#include "draw/drawing_check.h"
#include "draw/focus.h"
#include "draw/view.h"
#include "draw/view_options.h"

static const struct lsi_draw_view *const views[] = {
#define VIEW(name) &lsi_draw_view_##name,
	LSI_VIEWS(VIEW)
#undef VIEW
		NULL
};

static const struct lsi_draw_format *const formats[] = {
#define FORMAT(name) &lsi_draw_format_##name,
	LSI_FORMATS(FORMAT)
#undef FORMAT
		NULL
};

bool ls_draw_view_list(size_t index, struct ls_draw_info *out)
{
	if (!out || index >= sizeof views / sizeof *views - 1)
		return false;

	const struct lsi_draw_view *view = views[index];
	const struct ls_draw_info info = { sizeof info, view->name, view->text, view->limit };

	lsi_sized_write(out, &info, sizeof info);
	return true;
}

bool ls_draw_format_list(size_t index, struct ls_draw_info *out)
{
	if (!out || index >= sizeof formats / sizeof *formats - 1)
		return false;

	const struct lsi_draw_format *format = formats[index];
	const struct ls_draw_info info = { sizeof info, format->name, format->text, "" };

	lsi_sized_write(out, &info, sizeof info);
	return true;
}

/* "no view 'panel'; did you mean 'panels'?", or with the names of all. */
static int refuse_name(bool (*list)(size_t, struct ls_draw_info *), const char *kind,
	const char *name, struct ls_error *why)
{
	struct lsi_suggestion nearest = lsi_suggest_begin(name, strlen(name));
	const struct lsi_quote quote = lsi_quote_make(name, strlen(name));
	struct ls_draw_info info = { .size = sizeof info };
	char names[160] = "";

	for (size_t i = 0; list(i, &info); i++) {
		const size_t length = strlen(names);

		lsi_suggest_offer(&nearest, info.name);
		snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", info.name);
	}
	if (nearest.name)
		return lsi_error_set(
			why, LS_ERR_SPEC, "no %s '%s'; did you mean '%s'?", kind, quote.text, nearest.name);
	return lsi_error_set(
		why, LS_ERR_SPEC, "no %s '%s'; expected one of: %s", kind, quote.text, names);
}

/* The first view that fits and takes the options: a default, or any; NULL: none. */
static const struct lsi_draw_view *first_view(
	const struct lsi_subject *s, bool is_default, bool takes_all)
{
	for (int i = 0; views[i]; i++) {
		if (is_default && !(views[i]->is_default && views[i]->is_default(s)))
			continue;
		if (views[i]->fits(s) && (!takes_all || lsi_view_takes_all(views[i], s->drawing)))
			return views[i];
	}
	return NULL;
}

/*
 * The timeline of messages with times; else the first view that is a default and fits; else the
 * first that fits; NULL: none.  Views that take all options come first.
 */
static const struct lsi_draw_view *default_view(const struct lsi_subject *s)
{
	const struct lsi_draw_view *timeline = &lsi_draw_view_timeline, *view = NULL;

	if (s->timed && timeline->fits(s) && lsi_view_takes_all(timeline, s->drawing))
		return timeline;
	for (int i = 0; i < 4 && !view; i++)
		view = first_view(s, i % 2 == 0, i < 2);
	return view;
}

/* Why a view cannot draw the subject, and which one can. */
static int refuse_view(const struct lsi_subject *s, const struct lsi_draw_view *view,
	const struct lsi_draw_view *fallback, struct ls_error *why)
{
	const char *lack = view->lack ? view->lack(s) : NULL;
	const char *remedy = fallback ? "; try --view " : "", *other = fallback ? fallback->name : "";

	if (lack)
		return lsi_error_set(
			why, LS_ERR_UNSUPPORTED, "the view %s %s%s%s", view->name, lack, remedy, other);
	return lsi_error_set(why, LS_ERR_UNSUPPORTED, "the view %s is limited to %s%s%s", view->name,
		view->limit, remedy, other);
}

static int find_view(const struct lsi_subject *s, const struct lsi_draw_format *format,
	const struct lsi_draw_view **out, struct ls_error *why)
{
	const char *name = s->drawing->view;
	const struct lsi_draw_view *fallback = default_view(s);
	int i = 0;

	*out = format->view;
	if (!name && format->view && !s->timed && format->view->fits(s))
		return LS_OK;
	if (!name && !fallback)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"no view can draw %s; draw fewer rounds, or a smaller network",
			ls_topology_spec(s->topology));
	*out = fallback;
	if (!name)
		return lsi_view_check_options(fallback, s, why);
	while (views[i] && strcmp(views[i]->name, name) != 0)
		i++;
	if (!views[i])
		return refuse_name(ls_draw_view_list, "view", name, why);
	*out = views[i];
	if (views[i]->fits(s))
		return lsi_view_check_options(views[i], s, why);
	return refuse_view(s, views[i], fallback, why);
}

const struct lsi_draw_format *lsi_draw_format_find(const char *name)
{
	int i = 0;

	while (formats[i] && (!name || strcmp(formats[i]->name, name) != 0))
		i++;
	return formats[i];
}

int lsi_draw_format_refuse(const char *name, struct ls_error *why)
{
	return refuse_name(ls_draw_format_list, "format", name, why);
}

static int draw(const struct lsi_subject *s, const struct lsi_draw_format *format,
	struct lsi_writer *writer, struct ls_error *why)
{
	struct lsi_scene scene = { 0 };
	const struct lsi_draw_view *view = NULL;
	int failed = format->prints_subject ? LS_OK : find_view(s, format, &view, why);

	if (!failed && view)
		failed = view->draw(&scene, s, why);
	if (!failed)
		lsi_scene_mark_broken(&scene, s->drawing);
	if (!failed && scene.no_memory)
		failed = LS_ERR_MEMORY;
	if (!failed) {
		format->write(writer, view ? &scene : NULL, s);
		failed = writer->failed;
	}
	if (failed == LS_ERR_MEMORY)
		lsi_error_set(why, failed, "no memory for a picture of %s", ls_topology_spec(s->topology));
	lsi_scene_release(&scene);
	return failed;
}

static int draw_focus(const struct lsi_subject *whole, const struct lsi_draw_format *format,
	struct lsi_writer *writer, struct ls_error *why)
{
	struct lsi_subject part;
	int failed = lsi_subject_make_focus(whole, &part, why);

	if (failed == LS_ERR_MEMORY)
		lsi_error_set(
			why, failed, "no memory for a picture of %s", ls_topology_spec(whole->topology));
	if (!failed)
		failed = draw(&part, format, writer, why);
	lsi_subject_release(&part);
	return failed;
}

static bool has_rounds(const struct ls_drawing *d)
{
	return d->n_records > 0 || (d->plan && !d->records && ls_plan_rounds(d->plan) > 0);
}

static bool draws_one_step(const char *view)
{
	for (int i = 0; views[i] && view; i++)
		if (strcmp(views[i]->name, view) == 0)
			return views[i]->draws_one_step;
	return false;
}

int ls_draw(const struct ls_drawing *drawing, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why)
{
	struct lsi_writer writer = { .put = put, .context = context, .why = why };
	struct ls_drawing complete = { .size = sizeof complete };
	const struct lsi_draw_format *found = lsi_draw_format_find(format);
	struct lsi_subject subject;
	int failed = lsi_draw_check_arguments(drawing, "drawing", format, put, why);

	if (failed)
		return failed;
	if (!lsi_sized_read(&complete, sizeof complete, drawing))
		return lsi_error_set(why, LS_ERR_ARGUMENT, "drawing->size is not that of the struct");
	if (!complete.topology)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "drawing->topology is NULL; expected a topology");
	if (!found)
		return lsi_draw_format_refuse(format, why);
	failed = lsi_drawing_check(&complete, why);
	if (failed)
		return failed;
	if (draws_one_step(complete.view) && has_rounds(&complete))
		complete.last_round = complete.first_round =
			complete.first_round > 0 ? complete.first_round : 1;
	failed = lsi_subject_make(&complete, &subject, why);
	if (!failed)
		failed = complete.focus ? draw_focus(&subject, found, &writer, why)
								: draw(&subject, found, &writer, why);
	lsi_subject_release(&subject);
	return failed;
}
