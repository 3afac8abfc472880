#include "find/first_rounds.h"

#include <inttypes.h>

#include "base/error.h"
#include "topology/topology_internal.h"

/* The index of a link; -1: there is none of this number. */
static int link_of_label(const ls_topology *t, int64_t label)
{
	for (int l = 0; l < (int)ls_degree(t, 0); l++)
		if (ls_link_label(t, l) == label)
			return l;
	return -1;
}

/* A generator, and its inverse for a schedule whose messages run the other way. */
int lsi_first_rounds_init(struct lsi_first_rounds *f, const ls_topology *t, const int64_t *label,
	int64_t count, const struct lsi_goal *goal, struct ls_error *why)
{
	*f = (struct lsi_first_rounds){ .backward = goal->backward };
	if (count == 0)
		return LS_OK;
	if (!t->network->product || !lsi_topology_is_group(t))
		return lsi_error_set(why, LS_ERR_UNSUPPORTED,
			"first rounds are fixed on Cayley graphs only, which %s is not; leave out --prefix",
			ls_topology_spec(t));
	if (!label || count < 0 || count > LSI_FIND_ROUNDS)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "expected the links of at most %d first rounds", LSI_FIND_ROUNDS);
	for (int64_t i = 0; i < count; i++) {
		const int link = link_of_label(t, label[i]);

		if (link < 0)
			return lsi_error_set(why, LS_ERR_ARGUMENT,
				"no link %" PRId64 " of %s; its links have the numbers %" PRId64 " to %" PRId64,
				label[i], ls_topology_spec(t), ls_link_label(t, 0),
				ls_link_label(t, ls_degree(t, 0) - 1));
		f->link[f->count++] = f->backward ? (int)ls_reverse(t, 0, link) : link;
	}
	return LS_OK;
}

bool lsi_first_rounds_hold(const struct lsi_first_rounds *f, const struct lsi_link_schedule *s)
{
	for (int i = 0; i < s->rounds * s->arcs->count; i++) {
		const int link = lsi_first_rounds_link(f, 1 + i / s->arcs->count, s->rounds);

		if (link >= 0 && s->used[i] != (s->arcs->arc[i % s->arcs->count].link == link))
			return false;
	}
	return true;
}
