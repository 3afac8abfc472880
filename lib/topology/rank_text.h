/*
 * Ranks as text for messages: "2, 5..7, 9, ..".
 */
#ifndef LSI_TOPOLOGY_RANK_TEXT_H
#define LSI_TOPOLOGY_RANK_TEXT_H

#include <stdint.h>

#include "topology/topology_internal.h"

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

/* Why a node cannot send to another one in hop mode. */
struct lsi_no_link_words {
	char text[224];
};
struct lsi_no_link_words lsi_no_link_text(const ls_topology *, int64_t from, int64_t to);

#endif
