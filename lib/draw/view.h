/*
 * Views: each turns a subject into a scene.
 *
 * Adding a view is one file with a const struct lsi_draw_view and one line in the table LSI_VIEWS.
 */
#ifndef LSI_DRAW_VIEW_H
#define LSI_DRAW_VIEW_H

#include "draw/scene.h"
#include "draw/subject.h"

struct lsi_draw_view {
	const char *name, *text;
	const char *limit; /* as text: "16 panels, 64 nodes" */
	/* Whether the view can draw the subject. */
	bool (*fits)(const struct lsi_subject *);
	/* Why it cannot, if no limit is the reason: "takes no focus"; NULL: a limit is. */
	const char *(*lack)(const struct lsi_subject *);
	/* Whether it is a default; NULL: only on request. */
	bool (*is_default)(const struct lsi_subject *);
	/* LS_OK or an error; a lack of memory may be noted in the scene alone. */
	int (*draw)(struct lsi_scene *, const struct lsi_subject *, struct ls_error *why);
	bool draws_one_step; /* the first of those that are chosen */
	unsigned takes;      /* which options change the picture */
};
enum {
	LSI_TAKES_VALUES = 1,
	LSI_TAKES_COLUMNS = 2,
	LSI_TAKES_LAYOUT = 4,
	LSI_TAKES_TIME = 8, /* an axis of time */
	LSI_TAKES_LABELS = 16,
	LSI_TAKES_ALL = 31
};

/* In the order in which the default is chosen. */
#define LSI_VIEWS(X) \
	X(network) \
	X(all) \
	X(panels) \
	X(timeline) \
	X(gantt) \
	X(exemplar) \
	X(matrix) \
	X(step) \
	X(load) \
	X(table)

#define LSI_DECLARE_VIEW(name) extern const struct lsi_draw_view lsi_draw_view_##name;
LSI_VIEWS(LSI_DECLARE_VIEW)
#undef LSI_DECLARE_VIEW

/* For `lack`, of views that draw steps. */
const char *lsi_lacks_steps(const struct lsi_subject *);
/* Add title, caption and legend below `top`, wrapped to `width`. */
void lsi_scene_put_caption(
	struct lsi_scene *, const struct lsi_subject *, double top, double width);
/* End the page: title, caption and legend below `bottom`, and the size of the page. */
void lsi_scene_end_page(struct lsi_scene *, const struct lsi_subject *, double bottom);

#endif
