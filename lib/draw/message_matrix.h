/*
 * A matrix: a row for each source, a column for each destination.
 *
 *   up to LSI_MATRIX_NUMBERED nodes   a cell for each message, with the number of its step
 *   up to LSI_MATRIX_EXACT            a pixel for each message, with the color of its step
 *   above                             a pixel is block x block nodes, with the shade of its level:
 *                                     1, 2-3, 4-7, .. messages.  So it is, with a block of one
 *                                     node, where thousands of messages share cells.
 *
 * A part has a last row and column for all nodes outside.
 *
 * Messages from one node to another share a cell, the first on the left.  Without messages, the
 * links of the network take their place.
 */
#ifndef LSI_DRAW_MESSAGE_MATRIX_H
#define LSI_DRAW_MESSAGE_MATRIX_H

#include "draw/scene.h"
#include "draw/subject.h"

/* The most nodes of a matrix with numbers, and of one that shows each message. */
enum { LSI_MATRIX_NUMBERED = 32, LSI_MATRIX_EXACT = 4096 };

struct lsi_matrix_mark {
	int64_t src, dst;    /* row and column */
	int64_t from, to;    /* ranks */
	int64_t number;      /* of the step, or of the link */
	int64_t words;       /* -1: a link */
	int32_t group;       /* the round of the subject, from 0; of a link 0 */
	int32_t part, parts; /* of the cell, from left to right */
};

struct lsi_matrix {
	struct lsi_scene *scene;
	const struct lsi_subject *subject;
	struct lsi_matrix_mark *mark; /* by group, src, dst; NULL: messages are counted */
	size_t marks;
	bool counts;   /* a pixel has the shade of its level */
	int64_t block; /* nodes along the side of a pixel */
	int64_t side;  /* cells or pixels */
	double px;     /* of a cell or pixel */
	int levels;    /* of counts; set by lsi_matrix_put_marks */
};

/* LS_OK or LS_ERR_MEMORY; release in both cases. */
int lsi_matrix_make(struct lsi_scene *, const struct lsi_subject *, struct lsi_matrix *out);
void lsi_matrix_release(struct lsi_matrix *);

/* Has the matrix of this part a row and a column for the nodes outside? */
bool lsi_matrix_has_others(const struct lsi_subject *);
/* Has the matrix numbers in its cells? */
bool lsi_matrix_is_numbered(const struct lsi_matrix *);
/* Set the color or the shade of a group. */
void lsi_matrix_paint(const struct lsi_subject *, size_t group, struct lsi_element *);
/* The same for the level of numbers from 1 << level on. */
void lsi_matrix_paint_level(int level, int levels, struct lsi_element *);

/* Add the marks to a part of their own. */
void lsi_matrix_put_marks(struct lsi_matrix *);

#endif
