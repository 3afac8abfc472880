#include "schedule/partition.h"

#include <string.h>

#include "base/alloc.h"

/* Cut the classes by label; equal pairs (class, label) get a number, in the order of x. */
static void refine(int p, uint8_t *class, const uint8_t *label)
{
	uint8_t old[LSI_FIND_NODES];
	int count = 0;

	memcpy(old, class, (size_t)p);
	for (int x = 0; x < p; x++) {
		int same = 0;

		if (old[x] == LSI_UNKNOWN_CLASS)
			continue;
		while (same < x && (old[same] != old[x] || label[same] != label[x]))
			same++;
		class[x] = (uint8_t)(same < x ? class[same] : count++);
	}
}

/* From R after round t to R before it. */
static void partition_round(const struct lsi_partitions *r, const struct lsi_deliveries *d, int t)
{
	const struct lsi_arcs *arcs = d->schedule->arcs;

	memcpy(lsi_partition_at(r, t, 0), lsi_partition_at(r, t + 1, 0), (size_t)(r->nodes * r->nodes));
	for (int a = 0; a < arcs->count; a++)
		for (int x = 0; x < r->nodes; x++)
			if (lsi_nodes_has(lsi_deliveries_at(d, t, a), x))
				lsi_partition_at(r, t, arcs->arc[a].to)[x] = LSI_UNKNOWN_CLASS;
	for (int a = 0; a < arcs->count; a++) {
		uint8_t label[LSI_FIND_NODES];

		for (int x = 0; x < r->nodes; x++)
			label[x] = lsi_nodes_has(lsi_deliveries_at(d, t, a), x)
				? lsi_partition_at(r, t + 1, arcs->arc[a].to)[x]
				: (uint8_t)LSI_UNKNOWN_CLASS;
		refine(r->nodes, lsi_partition_at(r, t, arcs->arc[a].from), label);
	}
}

int lsi_partitions_init(struct lsi_partitions *r, const struct lsi_deliveries *d)
{
	const size_t p = (size_t)d->schedule->arcs->nodes, rounds = (size_t)d->schedule->rounds;

	*r = (struct lsi_partitions){ (int)p, lsi_alloc((rounds + 1) * p * p) };
	if (!r->class)
		return LS_ERR_MEMORY;
	memset(lsi_partition_at(r, (int)rounds, 0), 0, p * p);
	for (int t = (int)rounds - 1; t >= 0; t--)
		partition_round(r, d, t);
	return LS_OK;
}

void lsi_partitions_fini(struct lsi_partitions *r)
{
	lsi_free(r->class);
}

/* ---- Counts */

/* The sums of a message: the classes into which the receiver cuts what it brings. */
static int64_t pieces_of(const struct lsi_partitions *r, const struct lsi_deliveries *d, int i)
{
	const int t = i / d->schedule->arcs->count, a = i % d->schedule->arcs->count;
	const struct lsi_node_set *D = lsi_deliveries_at(d, t, a);
	const uint8_t *theirs = lsi_partition_at(r, t + 1, d->schedule->arcs->arc[a].to);
	bool seen[LSI_FIND_NODES] = { false };
	int64_t pieces = 0;

	for (int x = lsi_nodes_next(D, 0); x < r->nodes; x = lsi_nodes_next(D, x + 1)) {
		pieces += !seen[theirs[x]];
		seen[theirs[x]] = true;
	}
	return pieces;
}

struct ls_counts lsi_merge_counts(const struct lsi_deliveries *d)
{
	struct ls_counts counts = { .rounds = d->schedule->rounds };
	struct lsi_partitions r;

	if (lsi_partitions_init(&r, d) != LS_OK)
		return (struct ls_counts){ -1, -1, -1, -1 };
	for (int t = 0; t < d->schedule->rounds; t++) {
		int64_t longest = 0;

		for (int a = 0; a < d->schedule->arcs->count; a++) {
			const int64_t words = pieces_of(&r, d, t * d->schedule->arcs->count + a);

			counts.messages += words > 0;
			counts.words += words;
			longest = words > longest ? words : longest;
		}
		counts.volume += longest;
	}
	lsi_partitions_fini(&r);
	return counts;
}
