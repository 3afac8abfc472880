/*
 * Which two messages of a round are an exchange.
 */
#ifndef LSI_DRAW_PARTNERS_H
#define LSI_DRAW_PARTNERS_H

#include "draw/subject.h"

/* How many messages with the same ends come before it in its round. */
int lsi_count_before(
	const struct lsi_subject *, const struct lsi_drawn_round *, const struct ls_record *);

/*
 * The message from dst to src that makes an exchange with a message; NULL: none.  Of several with
 * the same ends, the k-th is the partner of the k-th; `before` is lsi_count_before.
 */
const struct ls_record *lsi_partner_of(const struct lsi_subject *, const struct lsi_drawn_round *,
	const struct ls_record *, int before);

#endif
