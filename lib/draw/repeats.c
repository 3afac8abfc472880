/*
 * Repeats: messages between the same two vertices in several rounds.
 *
 * In a network of up to VERTICES, a bit for each pair of vertices tells whether it was seen.  In
 * larger ones few messages are sorted, and many are not compared: no view that asks draws them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "draw/subject.h"

enum { VERTICES = 4096, COMPARED = 1 << 14 };

static int find_by_pair(struct lsi_subject *s)
{
	const size_t side = (size_t)s->vertices;
	unsigned char *seen = lsi_alloc_zero((side * side + 7) / 8, sizeof *seen);

	if (!seen)
		return LS_ERR_MEMORY;
	for (size_t i = 0; i < s->messages && !s->repeats; i++) {
		const size_t pair = (size_t)s->message[i].src * side + (size_t)s->message[i].dst;
		const unsigned bit = 1u << pair % 8;

		s->repeats = seen[pair / 8] & bit;
		seen[pair / 8] |= (unsigned char)bit;
	}
	lsi_free(seen);
	return LS_OK;
}

static int find_by_order(struct lsi_subject *s)
{
	struct ls_record *sorted = lsi_alloc((s->messages + 1) * sizeof *sorted);

	if (!sorted)
		return LS_ERR_MEMORY;
	if (s->messages > 0)
		memcpy(sorted, s->message, s->messages * sizeof *sorted);
	qsort(sorted, s->messages, sizeof *sorted, lsi_compare_pairs);
	for (size_t i = 1; i < s->messages && !s->repeats; i++)
		s->repeats = lsi_compare_pairs(&sorted[i - 1], &sorted[i]) == 0;
	lsi_free(sorted);
	return LS_OK;
}

int lsi_subject_find_repeats(struct lsi_subject *s)
{
	if (s->vertices <= VERTICES)
		return find_by_pair(s);
	return s->messages <= COMPARED ? find_by_order(s) : LS_OK;
}
