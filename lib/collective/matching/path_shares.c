#include "collective/matching/path_shares.h"

struct search {
	const struct lsi_link_table *table;
	int64_t *share;
	int64_t *behind;           /* of each node: paths that end at it or lead on */
	int32_t *order, *distance; /* nodes, near ones first */
};

/* Returns the number of nodes. */
static int32_t find_order(struct search *s, int32_t source)
{
	const struct lsi_link_table *const table = s->table;
	int32_t reached = 0;

	for (int32_t v = 0; v < table->nodes; v++)
		s->distance[v] = v == source ? 0 : -1;
	s->order[reached++] = source;
	for (int32_t i = 0; i < reached; i++) {
		const int32_t u = s->order[i];

		for (int32_t l = table->first[u]; l < table->first[u + 1]; l++) {
			const int32_t v = table->neighbor[l];

			if (s->distance[v] < 0) {
				s->distance[v] = s->distance[u] + 1;
				s->order[reached++] = v;
			}
		}
	}
	return reached;
}

/* Far nodes first, divide the paths behind a node among the links from nearer nodes. */
static void add_paths(struct search *s, int32_t source)
{
	const struct lsi_link_table *const table = s->table;
	const int32_t reached = find_order(s, source);

	for (int32_t v = 0; v < table->nodes; v++)
		s->behind[v] = LSI_SHARE;
	for (int32_t i = reached - 1; i > 0; i--) {
		const int32_t v = s->order[i];
		int64_t nearer = 0;

		for (int32_t l = table->first[v]; l < table->first[v + 1]; l++)
			nearer += s->distance[table->neighbor[l]] < s->distance[v];
		for (int32_t l = table->first[v]; l < table->first[v + 1]; l++) {
			const int32_t u = table->neighbor[l];

			if (s->distance[u] >= s->distance[v])
				continue;
			s->share[l] += s->behind[v] / nearer;
			s->behind[u] += s->behind[v] / nearer;
		}
	}
}

int64_t *lsi_path_shares(
	const struct lsi_link_table *table, int32_t source, struct lsi_arena *arena)
{
	const size_t p = (size_t)table->nodes;
	struct search s = { .table = table };
	int64_t sum = 1;

	s.share = lsi_arena_take(arena, (size_t)table->links + 1, sizeof *s.share);
	s.behind = lsi_arena_take(arena, p, sizeof *s.behind);
	s.order = lsi_arena_take(arena, p, sizeof *s.order);
	s.distance = lsi_arena_take(arena, p, sizeof *s.distance);
	if (!s.share || !s.behind || !s.order || !s.distance)
		return NULL;
	for (int32_t u = source < 0 ? 0 : source; u < (source < 0 ? table->nodes : source + 1); u++)
		add_paths(&s, u);
	for (int32_t l = 0; l < table->links; l++)
		sum += s.share[l];
	for (int32_t l = 0; l < table->links; l++)
		s.share[l] = s.share[l] * LSI_SHARE * table->links / sum;
	return s.share;
}
