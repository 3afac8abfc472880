/*
 * A pair of nodes may exchange several messages in one round.  Message i of one direction is the
 * partner of message i of the other one, and both are drawn as one arrow with two heads:
 *
 *   a -> b    0   1   2     Message 2 has no partner.  It is drawn as an arrow of its own.
 *             |   |
 *   b -> a    0   1
 *
 * The messages of a round are sorted, so those with the same ends are neighbors.  The search for a
 * reply finds any of them; count back to the first one, then forward.
 */
#include "draw/partners.h"

static bool has_same_ends(const struct ls_record *a, const struct ls_record *b)
{
	return a->src == b->src && a->dst == b->dst;
}

int lsi_count_before(
	const struct lsi_subject *s, const struct lsi_drawn_round *round, const struct ls_record *m)
{
	const struct ls_record *first = &s->message[round->first];
	int n = 0;

	while (m - n > first && has_same_ends(m - n - 1, m))
		n++;
	return n;
}

const struct ls_record *lsi_partner_of(const struct lsi_subject *s,
	const struct lsi_drawn_round *round, const struct ls_record *m, int before)
{
	const struct ls_record *end = &s->message[round->first + round->n];
	const struct ls_record *reply = lsi_subject_reply(s, round, m);

	if (!reply)
		return NULL;

	const struct ls_record *partner = reply - lsi_count_before(s, round, reply) + before;

	return partner < end && has_same_ends(partner, reply) ? partner : NULL;
}
