#include <lockstep/draw.h>

#include <string.h>

#include "base/error.h"
#include "base/sized.h"
#include "base/suggest.h"
#include "draw/draw_format.h"
#include "draw/view.h"

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

/* The first view that is a default and fits; else the first that fits; NULL: none. */
static const struct lsi_draw_view *default_view(const struct lsi_subject *s)
{
	for (int i = 0; views[i]; i++) {
		if (views[i]->is_default && views[i]->is_default(s) && views[i]->fits(s))
			return views[i];
	}
	for (int i = 0; views[i]; i++) {
		if (views[i]->fits(s))
			return views[i];
	}
	return NULL;
}

static int find_view(
	const struct lsi_subject *s, const struct lsi_draw_view **out, struct ls_error *why)
{
	const char *name = s->drawing->view;
	const struct lsi_draw_view *fallback = default_view(s);
	int i = 0;

	if (!name && !fallback)
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"no view can draw %s; draw fewer rounds, or a smaller network",
			ls_topology_spec(s->topology));
	*out = fallback;
	if (!name)
		return LS_OK;
	while (views[i] && strcmp(views[i]->name, name) != 0)
		i++;
	if (!views[i])
		return lsi_error_set(
			why, LS_ERR_SPEC, "no view '%s'", lsi_quote_make(name, strlen(name)).text);
	*out = views[i];
	if (views[i]->fits(s))
		return LS_OK;
	return lsi_error_set(why, LS_ERR_UNSUPPORTED, "the view %s is limited to %s%s%s", name,
		views[i]->limit, fallback ? "; try --view " : "", fallback ? fallback->name : "");
}

static const struct lsi_draw_format *find_format(const char *name)
{
	int i = 0;

	while (formats[i] && (!name || strcmp(formats[i]->name, name) != 0))
		i++;
	return formats[i];
}

static int draw(const struct lsi_subject *s, const struct lsi_draw_format *format,
	struct lsi_writer *writer, struct ls_error *why)
{
	struct lsi_scene scene = { 0 };
	const struct lsi_draw_view *view = NULL;
	int failed = find_view(s, &view, why);

	if (!failed)
		failed = view->draw(&scene, s, why);
	if (!failed && scene.no_memory)
		failed = LS_ERR_MEMORY;
	if (failed == LS_ERR_MEMORY)
		lsi_error_set(why, failed, "no memory for a picture of %s", ls_topology_spec(s->topology));
	if (!failed) {
		format->write(writer, &scene, s);
		failed = writer->failed;
	}
	lsi_scene_release(&scene);
	return failed;
}

int ls_draw(const struct ls_drawing *drawing, const char *format,
	int (*put)(void *context, const char *text), void *context, struct ls_error *why)
{
	struct lsi_writer writer = { .put = put, .context = context };
	struct ls_drawing complete = { .size = sizeof complete };
	const struct lsi_draw_format *found = find_format(format);
	struct lsi_subject subject;
	int failed;

	if (!drawing || !put || !lsi_sized_read(&complete, sizeof complete, drawing)
		|| !complete.topology)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "a drawing needs a topology, and put");
	if (!found)
		return lsi_error_set(why, LS_ERR_SPEC, "no format '%s'",
			format ? lsi_quote_make(format, strlen(format)).text : "");
	failed = lsi_subject_make(&complete, &subject, why);
	if (!failed)
		failed = draw(&subject, found, &writer, why);
	lsi_subject_release(&subject);
	return failed;
}
