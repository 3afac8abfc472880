/*
 * The nodes that a text selects.
 */
#ifndef LSI_DRAW_FOCUS_H
#define LSI_DRAW_FOCUS_H

#include "draw/subject.h"

enum { LSI_FOCUS_NODES = 1024 };

struct lsi_focus {
	int64_t *node; /* rising */
	int64_t n;
};

/*
 * Find the nodes: "0-7,12" are ranks; any other text is a pattern of labels, see ls_drawing.focus.
 * Release by lsi_focus_release.
 *
 * Returns    LS_OK
 *            LS_ERR_SPEC         it is malformed, or selects no node; why->text gives the remedy
 *            LS_ERR_UNSUPPORTED  it selects too many nodes, or the network is too large to search
 *            LS_ERR_MEMORY
 */
int lsi_focus_find(
	const ls_topology *, const char *text, struct lsi_focus *out, struct ls_error *why);
void lsi_focus_release(struct lsi_focus *);

/* The part of a whole that the focus of its drawing selects.  Errors as above. */
int lsi_subject_make_focus(
	const struct lsi_subject *whole, struct lsi_subject *out, struct ls_error *why);

#endif
