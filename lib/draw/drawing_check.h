/*
 * Ranges of what a caller gives.
 */
#ifndef LSI_DRAW_DRAWING_CHECK_H
#define LSI_DRAW_DRAWING_CHECK_H

#include <lockstep/draw.h>

/* mm of a page; units of a layout. */
enum { LSI_WIDTH_MOST = 10000, LSI_POSITION_MOST = 1000000 };

/* LS_OK, or LS_ERR_ARGUMENT with the field, or the record, and what is expected. */
int lsi_page_check(enum ls_theme, double width, struct ls_error *why_or_null);
int lsi_drawing_check(const struct ls_drawing *, struct ls_error *why_or_null);

#endif
