/*
 * Options that only some views take.
 */
#ifndef LSI_DRAW_VIEW_OPTIONS_H
#define LSI_DRAW_VIEW_OPTIONS_H

#include "draw/view.h"

/* Does the view take all of these options that the drawing has? */
bool lsi_view_takes_all(const struct lsi_draw_view *, const struct ls_drawing *);
/* LS_OK, or LS_ERR_ARGUMENT with the views that take the option and can draw the subject. */
int lsi_view_check_options(
	const struct lsi_draw_view *, const struct lsi_subject *, struct ls_error *why);

#endif
