/*
 * Figures of the source documents, by the names that the verbs draw and reproduce share.
 */
#ifndef LOCKSTEP_DRAW_NAMED_FIGURES_H
#define LOCKSTEP_DRAW_NAMED_FIGURES_H

#include <stddef.h>

enum {
	FIGURE_WORDS = 15, /* most words of a command line */
	FIGURES_MOST = 64
};

struct named_figure {
	const char *name;  /* "figure4.12" */
	const char *item;  /* of reproduce, which checks it; NULL: the item of the same name */
	const char *title; /* what it shows */
	const char *word[FIGURE_WORDS + 1]; /* what follows `draw`; NULL at the end */
};

/* In the order of the sources; the last has no name. */
extern const struct named_figure named_figures[];

/* NULL: no figure has the name. */
const struct named_figure *find_figure(const char *name);

const char *figure_item(const struct named_figure *);

/* Stores up to `most` names; returns how many. */
size_t list_figures(const char **names, size_t most);

#endif
