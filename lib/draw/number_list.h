/*
 * Lists of numbers as JSON, in which regular runs are short.
 *
 *   [1,0,3,2,5,4,7]        as it is
 *   [[7,2,1,0]]            the same: 7 numbers, [count, step, first ..]; of p numbers `first`,
 *                          number i is first[i % p] + step * (i / p)
 *
 * Ranks and the numbers of texts, in the order of nodes, are mostly such runs.
 */
#ifndef LSI_DRAW_NUMBER_LIST_H
#define LSI_DRAW_NUMBER_LIST_H

#include "draw/draw_format.h"

/* Zero: empty. */
struct lsi_number_list {
	int64_t *number;
	size_t n, room;
	bool no_memory; /* some number is missing */
};

void lsi_number_list_add(struct lsi_number_list *, int64_t);
/* Write the list; it is then empty, and keeps its memory.  A lack of memory fails the writer. */
void lsi_number_list_write(struct lsi_number_list *, struct lsi_writer *);
void lsi_number_list_release(struct lsi_number_list *);

#endif
