/*
 * A view takes an option if the option changes its picture.  A drawing with an option that its view
 * does not take is refused, since its reader would miss what the option asks for.
 */
#include "draw/view_options.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "draw/subject.h"

static const struct lsi_draw_view *const views[] = {
#define VIEW(name) &lsi_draw_view_##name,
	LSI_VIEWS(VIEW)
#undef VIEW
};
enum { VIEWS = sizeof views / sizeof *views, OPTIONS = 5 };

/* An option of the drawing, as the tool names it. */
struct option {
	unsigned bit;
	const char *name;
	bool given;
};

static void list_options(const struct ls_drawing *d, struct option option[OPTIONS])
{
	const struct option all[OPTIONS] = {
		{ LSI_TAKES_VALUES, "--values", d->values != LS_VALUES_NONE },
		{ LSI_TAKES_COLUMNS, "--columns", d->columns > 0 },
		{ LSI_TAKES_LAYOUT, "--layout", d->layout || d->positions },
		{ LSI_TAKES_LABELS, "--labels", d->labels != LS_LABELS_BOTH },
		{ LSI_TAKES_TIME, "--x-axis time", d->x_axis == LS_X_AXIS_TIME },
	};

	memcpy(option, all, sizeof all);
}

/* The first given option that the view does not take; OPTIONS: none. */
static int find_ignored(const struct lsi_draw_view *view, const struct option option[OPTIONS])
{
	int i = 0;

	while (i < OPTIONS && !(option[i].given && !(view->takes & option[i].bit)))
		i++;
	return i;
}

bool lsi_view_takes_all(const struct lsi_draw_view *view, const struct ls_drawing *d)
{
	struct option option[OPTIONS];

	list_options(d, option);
	return find_ignored(view, option) == OPTIONS;
}

/* "--view all, panels or table": the views that take an option and fit; else "without it". */
static void name_takers(const struct lsi_subject *s, unsigned bit, char *text, size_t size)
{
	bool names[VIEWS];
	int left = 0;

	for (int i = 0; i < VIEWS; i++)
		left += names[i] = (views[i]->takes & bit) && views[i]->fits(s);
	snprintf(text, size, "%s", left > 0 ? "--view " : "without it");
	for (int i = 0; i < VIEWS; i++) {
		const size_t length = strlen(text);

		if (names[i])
			snprintf(text + length, size - length, "%s%s", views[i]->name,
				--left > 1      ? ", "
					: left == 1 ? " or "
								: "");
	}
}

int lsi_view_check_options(
	const struct lsi_draw_view *view, const struct lsi_subject *s, struct ls_error *why)
{
	struct option option[OPTIONS];
	char takers[160];
	int ignored;

	list_options(s->drawing, option);
	ignored = find_ignored(view, option);
	if (ignored == OPTIONS)
		return LS_OK;
	name_takers(s, option[ignored].bit, takers, sizeof takers);
	return lsi_error_set(why, LS_ERR_ARGUMENT, "%s has no effect in the view %s; try %s",
		option[ignored].name, view->name, takers);
}
