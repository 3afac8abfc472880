/*
 * The tables of a step: the peer and the shape of each node, and the rules of its messages.
 *
 * In most steps the ranks form periods: blocks of `period` consecutive ranks, which all act alike.
 * Then the table has entries for the first period only, or for as many periods as fill a batch.
 * All nodes are still checked against the table.
 *
 * A step of period 4, in which the nodes 0 and 2, 1 and 3 of each period exchange:
 *
 *     entry          0  1  2  3
 *     from           2  3  0  1       node 4k + i receives from node 4k + from[i]
 *     shape          0  0  1  1
 *
 * First all workers build their parts of the table.  After a barrier each checks its part: a
 * message needs a receiver, a receiver a message, and the nodes after the first period must repeat
 * it.
 */
#include "engine/sweep/fast/sweep_fast.h"

#include <string.h>

#include "base/math.h"
#include "topology/topology_internal.h"

/* ---- Peers of nodes */

static void refuse(struct lsi_peer_table *t)
{
	lsi_store(&t->refused, true, relaxed); /* a barrier orders it */
}

bool lsi_sweep_has_link(const struct lsi_sweep_state *s, int64_t from, int64_t to, int64_t *guess)
{
	const struct ls_topology *t = s->topology;

	if (*guess < t->network->degree(t, from) && t->network->neighbor(t, from, *guess) == to)
		return true;

	const int64_t link = ls_link_to(t, from, to);

	if (link >= 0)
		*guess = link;
	return link >= 0;
}

bool lsi_read_peers(const struct lsi_sweep_state *s, const struct lsi_peer_table *t, int64_t rank,
	struct lsi_peers *peers)
{
	const int64_t nodes = s->nodes;
	bool idle = true;

	for (int q = 0; q < LS_PORTS; q++)
		peers->to[q] = peers->from[q] = LS_NO_RANK;
	s->plan->algorithm->peers(s->plan, rank, t->round, peers);
	for (int q = 1; q < LS_PORTS; q++)
		idle &= peers->to[q] == LS_NO_RANK && peers->from[q] == LS_NO_RANK;
	return idle && peers->to[0] < nodes && peers->from[0] < nodes
		&& (peers->to[0] >= 0 || peers->to[0] == LS_NO_RANK)
		&& (peers->from[0] >= 0 || peers->from[0] == LS_NO_RANK);
}

/* Whether a peer is in the same period as the first rank of the table. */
static bool is_inside(const struct lsi_peer_table *t, int64_t peer)
{
	return peer >= t->origin && peer - t->origin < t->period;
}

/*
 * Write the entry of a node, and the corresponding entries of all further periods in the table.
 */
static void write_entry(struct lsi_peer_table *t, int64_t rank, int64_t from, int shape)
{
	const int64_t i = rank - t->origin;

	for (int64_t j = 0; j < t->entries; j += t->period) {
		t->from[i + j] = from == LS_NO_RANK ? LSI_IDLE
			: is_inside(t, from)            ? (uint32_t)(from - t->origin + j)
											: LSI_ELSEWHERE;
		t->shape[i + j] = (uint16_t)shape;
	}
}

static void build_local(
	struct lsi_sweep_worker *w, struct lsi_peer_table *t, struct lsi_sweep_part part)
{
	for (int64_t i = part.begin; i < part.end; i++) {
		const struct lsi_known_shape known =
			lsi_sweep_shape_by_content(w, &t->shapes, t->origin + i, t->round);

		if (known.shape < 0 || (i % LSI_SWEEP_POLL_NODES == 0 && lsi_sweep_poll(w))) {
			refuse(t);
			return;
		}
		write_entry(t, t->origin + i, LS_NO_RANK, known.shape);
	}
}

/* Whether the nodes exchange, so that one call reads the peers of all. */
static bool query_exchange(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	const struct ls_plan *plan = w->sweep->plan;
	const struct lsi_whole_machine *whole = lsi_whole_machine_of(plan->algorithm);
	struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;

	query->exchange =
		whole->exchanges && whole->exchanges(plan, first, n, t->round, query->from, query->shape);
	if (!query->exchange)
		return false;
	memcpy(query->to, query->from, (size_t)n * sizeof *query->to);
	return true;
}

static bool query_each(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	const struct ls_plan *plan = w->sweep->plan;
	struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;

	for (int64_t j = 0; j < n; j++) {
		struct lsi_peers peers;

		if (!lsi_read_peers(w->sweep, t, first + j, &peers))
			return false;
		query->from[j] = peers.from[0];
		query->to[j] = peers.to[0];
		query->shape[j] = plan->algorithm->shape(plan, first + j, t->round);
		query->neighbor[j] = LS_NO_RANK;
	}
	return true;
}

bool lsi_query_peers(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	return query_exchange(w, t, first, n) || query_each(w, t, first, n);
}

/*
 * Query peers and shapes of n nodes.  If they exchange, also query the neighbors over the link that
 * the first node uses, so that most links are checked by comparison.  False: not suitable.
 */
static bool query_nodes(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first, int64_t n)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	struct lsi_sweep_batch_query *query = &tables->query;

	if (!query_exchange(w, t, first, n))
		return query_each(w, t, first, n);
	/* Sets tables->link; has_link() checks the links. */
	lsi_sweep_has_link(w->sweep, first, query->from[0], &tables->link);
	lsi_neighbors(w->sweep->topology, first, n, tables->link, query->neighbor);
	return true;
}

/* Whether a link connects the j-th node of the query to the peer from which it receives. */
static bool has_link(struct lsi_sweep_worker *w, int64_t rank, int64_t j)
{
	struct lsi_sweep_worker_tables *tables = lsi_sweep_worker_tables_of(w);
	const int64_t from = tables->query.from[j];

	return from == LS_NO_RANK || from == tables->query.neighbor[j]
		|| lsi_sweep_has_link(w->sweep, rank, from, &tables->link);
}

/* Whether ports, shape and link of the j-th node of the query agree with the rules. */
static bool obeys_rules(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t rank,
	int64_t j, const struct lsi_known_shape *known)
{
	const struct lsi_sweep_state *s = w->sweep;
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	const int64_t from = query->from[j], to = query->to[j];

	if (known->shape < 0 || known->receives != (from != LS_NO_RANK)
		|| (to != LS_NO_RANK && !known->sends))
		return false;
	if (!t->crosses
		&& ((from != LS_NO_RANK && !is_inside(t, from)) || (to != LS_NO_RANK && !is_inside(t, to))))
		return false;
	if (known->rooted && !(t->whole && rank == s->plan->problem.root))
		return false;
	return has_link(w, rank, j);
}

/* Write the entries of n nodes; false: refuse the step. */
static bool fill_entries(
	struct lsi_sweep_worker *w, struct lsi_peer_table *t, int64_t first, int64_t n)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	bool one_way = false;

	if (lsi_sweep_poll(w) || !query_nodes(w, t, first, n))
		return false;
	for (int64_t j = 0; j < n; j++) {
		const struct lsi_known_shape known =
			lsi_sweep_shape_of(w, &t->shapes, first + j, t->round, query->shape[j]);

		if (!obeys_rules(w, t, first + j, j, &known))
			return false;
		one_way |= query->from[j] != query->to[j];
		write_entry(t, first + j, query->from[j], known.shape);
	}
	if (t->crosses)
		lsi_crossing_lists_count_query(w, first, n);
	if (one_way)
		lsi_store(&t->one_way, true, relaxed); /* a barrier orders it */
	return true;
}

void lsi_peer_table_build(struct lsi_sweep_worker *w, struct lsi_peer_table *t)
{
	const struct lsi_sweep_part part = lsi_sweep_part_of(w, t->period);

	lsi_sweep_shapes_begin(w, &t->shapes);
	if (t->crosses)
		lsi_crossing_lists_clear(w);
	if (t->local) {
		build_local(w, t, part);
		return;
	}
	for (int64_t i = part.begin, n; i < part.end; i += n) {
		n = part.end - i < LSI_QUERY_BATCH ? part.end - i : LSI_QUERY_BATCH;
		if (!fill_entries(w, t, t->origin + i, n)) {
			refuse(t);
			return;
		}
	}
}

/* The nodes first .. first+n-1 of a query, and the first of their entries in the table. */
struct period_range {
	int64_t first, n, entry;
	int64_t rank_offset; /* rank of a node minus rank of its entry */
};

/* Whether the nodes exchange as their entries do. */
static bool matches_exchange(const struct lsi_sweep_batch_query *query,
	const struct lsi_peer_table *t, const struct period_range r)
{
	const int64_t j = r.first, rank_offset = r.rank_offset;
	const uint32_t *from = t->from + r.entry - j;
	const uint16_t *shape = t->shape + r.entry - j;
	const struct lsi_sweep_shape *const known = t->shapes.shape;
	const int64_t end = j + r.n, only = known[0].number;
	int64_t differ = 0;

	for (int64_t i = j; i < end; i++)
		differ |=
			(query->from[i] ^ (rank_offset + (int64_t)from[i])) | (query->from[i] ^ query->to[i]);
	for (int64_t i = j; i < end && t->shapes.count == 1; i++)
		differ |= query->shape[i] ^ only;
	for (int64_t i = j; i < end && t->shapes.count > 1; i++)
		differ |= query->shape[i] ^ known[shape[i]].number;
	return differ == 0;
}

/* The same for nodes that do not exchange; adds their sends minus their receives to *unmatched. */
static bool matches_peers(const struct lsi_sweep_batch_query *query, const struct lsi_peer_table *t,
	const struct period_range r, int64_t *unmatched)
{
	const int64_t rank_offset = r.rank_offset;

	for (int64_t j = r.first, entry = r.entry; j < r.first + r.n; j++, entry++) {
		const int64_t from = query->from[j], to = query->to[j];

		if (from
				!= (t->from[entry] == LSI_IDLE ? LS_NO_RANK : rank_offset + (int64_t)t->from[entry])
			|| query->shape[j] != t->shapes.shape[t->shape[entry]].number)
			return false;
		if (to != LS_NO_RANK
			&& (to < rank_offset || to >= rank_offset + t->entries
				|| t->from[to - rank_offset] != (uint32_t)entry))
			return false;
		*unmatched += (to != LS_NO_RANK) - (from != LS_NO_RANK);
	}
	return true;
}

/* Whether n nodes after the first period act as the table states, over existing links. */
static bool batch_repeats(struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t first,
	int64_t n, int64_t *unmatched)
{
	const struct lsi_sweep_batch_query *query = &lsi_sweep_worker_tables_of(w)->query;
	const bool exchange = !lsi_load(&t->one_way, relaxed); /* after a barrier */
	int64_t entry = (first - t->origin) % t->entries;

	if (lsi_sweep_poll(w) || !query_nodes(w, t, first, n))
		return false;
	for (int64_t j = 0; j < n; j++) {
		if (!has_link(w, first + j, j))
			return false;
	}
	for (int64_t j = 0, entries; j < n; j += entries, entry = 0) {
		struct period_range r = { j, 0, entry, first + j - entry };

		r.n = entries = lsi_min(n - j, t->entries - entry);
		if (!(exchange && matches_exchange(query, t, r)) && !matches_peers(query, t, r, unmatched))
			return false;
	}
	return true;
}

/*
 * Check a worker's nodes after the first period, because the algorithm only claims that it
 * repeats.
 */
static bool later_periods_repeat(
	struct lsi_sweep_worker *w, const struct lsi_peer_table *t, int64_t *unmatched)
{
	const int64_t second = t->origin + t->period;
	const int64_t first = w->first > second ? w->first : second;

	for (int64_t i = first, n; i < w->last; i += n) {
		n = w->last - i < LSI_QUERY_BATCH ? w->last - i : LSI_QUERY_BATCH;
		if (!batch_repeats(w, t, i, n, unmatched))
			return false;
	}
	return true;
}

/*
 * Whether entry i receives what it sends, if the step is an exchange.  The ends of messages that
 * cross are compared by their numbers.
 */
static bool exchange_holds(const struct lsi_peer_table *t, int64_t i)
{
	const uint32_t from = t->from[i];

	return from == LSI_IDLE || from == LSI_ELSEWHERE || t->from[from] == (uint32_t)i;
}

/* Whether the receiver of a node in the first period expects its message. */
static bool message_holds(const struct lsi_sweep_state *s, const struct lsi_peer_table *t,
	int64_t rank, int64_t *unmatched)
{
	const uint32_t entry = (uint32_t)(rank - t->origin);
	struct lsi_peers peers;

	lsi_read_peers(s, t, rank, &peers);
	*unmatched += is_inside(t, peers.to[0]) - is_inside(t, peers.from[0]);
	return !is_inside(t, peers.to[0]) || t->from[peers.to[0] - t->origin] == entry;
}

/* Check that every message has a receiver, and every receiver a message. */
void lsi_peer_table_check(struct lsi_sweep_worker *w, struct lsi_peer_table *t)
{
	const struct lsi_sweep_part part = lsi_sweep_part_of(w, t->period);
	const bool one_way = lsi_load(&t->one_way, relaxed); /* after a barrier */
	int64_t unmatched = 0;
	bool holds = true;

	if (t->local || lsi_load(&t->refused, relaxed)) /* after a barrier */
		return;
	for (int64_t i = part.begin; i < part.end && !one_way; i++)
		holds &= exchange_holds(t, i);
	for (int64_t i = part.begin; i < part.end && one_way; i++)
		holds &= message_holds(w->sweep, t, t->origin + i, &unmatched);
	if (!holds || !later_periods_repeat(w, t, &unmatched))
		refuse(t);
	lsi_fetch_add(&t->unmatched, unmatched, relaxed); /* a barrier orders it */
}
