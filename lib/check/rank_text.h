/*
 * Ranks as text for messages: "2, 5..7, 9, ..".
 */
#ifndef LSI_CHECK_RANK_TEXT_H
#define LSI_CHECK_RANK_TEXT_H

#include <stdint.h>

/* A list under construction; begin with zeros. */
struct lsi_rank_text {
	char text[64];
	int64_t count;       /* ranks that were added */
	int64_t first, last; /* of the run that is not yet in the text */
	int runs;            /* in the text */
};

/* Add one rank; ranks that ascend by one are written as one run. */
void lsi_rank_text_add(struct lsi_rank_text *, int64_t rank);
/* The text of all ranks that were added; ".." stands for those that have no room. */
const char *lsi_rank_text_end(struct lsi_rank_text *);

#endif
