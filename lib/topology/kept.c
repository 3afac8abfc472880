/*
 * Edges      KEPT    the thread that computes an object -> the threads that use it: all accesses
 */
#include "topology/kept.h"

#include "base/alloc.h"

static struct lsi_kept *find(struct lsi_kept *kept, lsi_make_kept *make, int64_t key)
{
	while (kept && (kept->make != make || kept->key != key))
		kept = kept->next;
	return kept;
}

const struct lsi_kept *lsi_topology_keep(
	const struct ls_topology *t, lsi_make_kept *make, int64_t key)
{
	struct lsi_kept *first = lsi_load(t->kept, acquire); /* KEPT */
	struct lsi_kept *mine = find(first, make, key), *other;

	if (mine)
		return mine;
	mine = make(t, key);
	if (!mine)
		return NULL;
	mine->make = make;
	mine->key = key;
	do {
		first = lsi_load(t->kept, acquire); /* KEPT */
		other = find(first, make, key);
		if (other) {
			lsi_free(mine);
			return other;
		}
		mine->next = first;
	} while (!lsi_compare_swap(t->kept, &first, mine, release)); /* KEPT */
	return mine;
}

void lsi_topology_keep_given(const struct ls_topology *t, struct lsi_kept *mine)
{
	struct lsi_kept *first = lsi_load(t->kept, acquire); /* KEPT */

	do
		mine->next = first;
	while (!lsi_compare_swap(t->kept, &first, mine, release)); /* KEPT */
}

const struct lsi_kept *lsi_topology_kept(
	const struct ls_topology *t, lsi_make_kept *make, const struct lsi_kept *after)
{
	const struct lsi_kept *kept = after ? after->next
		: t->kept                       ? lsi_load(t->kept, acquire)
										: NULL; /* KEPT */

	while (kept && kept->make != make)
		kept = kept->next;
	return kept;
}

void lsi_kept_free(const struct ls_topology *t)
{
	struct lsi_kept *kept = t->kept ? lsi_load(t->kept, acquire) : NULL; /* KEPT */

	while (kept) {
		struct lsi_kept *const next = kept->next;

		lsi_free(kept);
		kept = next;
	}
}
