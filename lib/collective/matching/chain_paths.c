#include "collective/matching/chain_paths.h"

#include "base/alloc.h"
#include "collective/matching/hop_phases.h"
#include "collective/matching/link_table.h"

enum { SWEEPS = 4 };

/* ---- Paths */

struct search {
	struct lsi_arena arena;
	struct lsi_link_table table;
	int32_t *path;               /* per rank p entries: the nodes after it, up to the next rank */
	int32_t *length;             /* per rank: hops */
	int32_t *sends, *receives;   /* per node: hops */
	int64_t *cost;               /* of a path to each node; INT64_MAX: none is known */
	int32_t *via;                /* the node before it */
	int32_t *queue, *is_waiting; /* nodes whose cost has become less */
};

static bool make_search(struct search *s, const struct ls_topology *t)
{
	const size_t p = (size_t)t->nodes;

	if (!lsi_link_table_make(&s->table, t, &s->arena))
		return false;
	s->path = lsi_arena_take(&s->arena, p * p, sizeof *s->path);
	s->length = lsi_arena_take(&s->arena, 6 * p, sizeof *s->length);
	s->cost = lsi_arena_take(&s->arena, p, sizeof *s->cost);
	if (!s->path || !s->length || !s->cost)
		return false;
	s->sends = s->length + p;
	s->receives = s->sends + p;
	s->via = s->receives + p;
	s->queue = s->via + p;
	s->is_waiting = s->queue + p;
	return true;
}

/* What one more hop adds to the sum of the fourth powers of the hops of all ports. */
static int64_t price(int64_t hops)
{
	return 4 * hops * hops * hops + 6 * hops * hops + 4 * hops + 1;
}

static void find_costs(struct search *s, int32_t from)
{
	const int32_t p = s->table.nodes;
	int32_t first = 0, waiting = 1;

	for (int32_t v = 0; v < p; v++)
		s->cost[v] = INT64_MAX;
	s->cost[from] = 0;
	s->queue[0] = from;
	for (; waiting > 0; waiting--) {
		const int32_t u = s->queue[first];

		first = (first + 1) % p;
		s->is_waiting[u] = false;
		for (int32_t l = s->table.first[u]; l < s->table.first[u + 1]; l++) {
			const int32_t v = s->table.neighbor[l];
			const int64_t cost = s->cost[u] + price(s->sends[u]) + price(s->receives[v]);

			if (cost >= s->cost[v])
				continue;
			s->cost[v] = cost;
			s->via[v] = u;
			if (!s->is_waiting[v]) {
				s->is_waiting[v] = true;
				s->queue[(first + waiting - 1) % p] = v;
				waiting++;
			}
		}
	}
}

static bool are_neighbors(const struct lsi_link_table *table, int32_t u, int32_t v)
{
	for (int32_t l = table->first[u]; l < table->first[u + 1]; l++)
		if (table->neighbor[l] == v)
			return true;
	return false;
}

static void count_hops(struct search *s, int32_t rank, int32_t change)
{
	int32_t from = rank;

	for (int32_t k = 0; k < s->length[rank]; k++) {
		const int32_t to = s->path[rank * s->table.nodes + k];

		s->sends[from] += change;
		s->receives[to] += change;
		from = to;
	}
}

static void find_path(struct search *s, int32_t rank)
{
	int32_t *const path = s->path + rank * s->table.nodes;

	count_hops(s, rank, -1);
	if (are_neighbors(&s->table, rank, rank + 1)) {
		path[0] = rank + 1;
		s->length[rank] = 1;
	} else {
		find_costs(s, rank);
		s->length[rank] = 0;
		for (int32_t v = rank + 1; v != rank; v = s->via[v])
			s->length[rank]++;
		for (int32_t v = rank + 1, k = s->length[rank]; v != rank; v = s->via[v])
			path[--k] = v;
	}
	count_hops(s, rank, 1);
}

static struct lsi_chain_paths *collect(const struct search *s)
{
	const int32_t p = s->table.nodes;
	struct lsi_chain_paths *paths;
	int64_t hops = 0;

	for (int32_t rank = 0; rank < p - 1; rank++)
		hops += s->length[rank];
	paths = lsi_alloc_zero(1, sizeof *paths + (size_t)hops * sizeof *paths->hop);
	for (int32_t rank = 0; paths && rank < p - 1; rank++) {
		int32_t from = rank;

		for (int32_t k = 0; k < s->length[rank]; k++) {
			const int32_t to = s->path[rank * p + k];

			paths->hop[paths->hops++] = (struct lsi_chain_hop){ from, to, rank };
			from = to;
		}
	}
	for (int32_t u = 0; paths && u < p; u++) {
		paths->load = paths->load < s->sends[u] ? s->sends[u] : paths->load;
		paths->load = paths->load < s->receives[u] ? s->receives[u] : paths->load;
	}
	return paths;
}

static struct lsi_kept *make_paths(const struct ls_topology *t, int64_t key)
{
	struct search s = { 0 };
	struct lsi_chain_paths *paths = NULL;

	(void)key;
	if (make_search(&s, t)) {
		for (int sweep = 0; sweep < SWEEPS; sweep++)
			for (int32_t rank = 0; rank < s.table.nodes - 1; rank++)
				find_path(&s, rank);
		paths = collect(&s);
	}
	lsi_arena_release(&s.arena);
	return paths ? &paths->kept : NULL;
}

const struct lsi_chain_paths *lsi_chain_paths_of(const struct ls_topology *t)
{
	return (const struct lsi_chain_paths *)lsi_topology_keep(t, make_paths, 0);
}

/* ---- Schedules */

static struct lsi_kept *make_schedule(const struct ls_topology *t, int64_t period)
{
	const struct lsi_chain_paths *const paths = lsi_chain_paths_of(t);
	struct lsi_periodic *const s = paths ? lsi_periodic_make(t->nodes, period, paths->hops) : NULL;
	int32_t *const phase = s ? lsi_hop_phases(paths, t->nodes, period) : NULL;
	int64_t ready = 0;

	if (!phase) {
		lsi_free(s);
		return NULL;
	}
	for (int64_t h = 0; h < paths->hops; h++) {
		const int64_t start = ready + lsi_wrap(phase[h] - ready, period);

		lsi_periodic_add(s, paths->hop[h].from, paths->hop[h].to, start);
		ready = start + 1;
	}
	lsi_free(phase);
	lsi_periodic_finish(s);
	return &s->kept;
}

/* The shortest period is the load; longer ones let the first block move on sooner. */
const struct lsi_periodic *lsi_chain_schedule(const struct ls_topology *t, int64_t blocks)
{
	enum { PERIODS = 4 };
	const struct lsi_chain_paths *const paths = lsi_chain_paths_of(t);
	const struct lsi_periodic *best = NULL;

	for (int64_t k = 0; paths && k <= PERIODS; k++) {
		const int64_t period = paths->load + paths->load * k / PERIODS;
		const struct lsi_periodic *const s =
			(const struct lsi_periodic *)lsi_topology_keep(t, make_schedule, period);

		if (!s)
			return NULL;
		if (!best || lsi_periodic_span(s, blocks) < lsi_periodic_span(best, blocks))
			best = s;
	}
	return best;
}
