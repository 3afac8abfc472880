/*
 * How a record is found.  A record of a broadcast on ring:5 in 3 rounds, where
 * link 0 of a node leads to its successor and link 1 to its predecessor:
 *
 *      node      0 1 2 3 4
 *      round 1   . 1 . . .      node 1 receives from node 0
 *      round 2   . . 1 . 0      node 2 from node 1, node 4 from node 0
 *      round 3   . . . 1 .      node 3 from node 2
 *
 *      links     ".1..." "..1.0" "...1."
 *
 * `lockstep find --record` writes rows of the table, and scripts/find-records makes all of it.  The
 * checksum finds a changed letter that would leave the schedule right by chance.
 */
#include "schedule/records.h"

#include <string.h>

#include <lockstep/find.h>

#include "base/alloc.h"
#include "base/sized.h"
#include "schedule/record_text.h"

/* ---- Networks */

static uint64_t add_byte(uint64_t sum, unsigned char byte)
{
	return (sum ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t add_number(uint64_t sum, uint64_t number)
{
	for (int byte = 0; byte < 8; byte++)
		sum = add_byte(sum, (unsigned char)(number >> (8 * byte)));
	return sum;
}

static uint64_t add_text(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = add_byte(sum, (unsigned char)*text);
	return add_byte(sum, 0);
}

static uint32_t fold_sum(uint64_t sum)
{
	return (uint32_t)(sum ^ sum >> 32);
}

static const uint64_t no_bytes = UINT64_C(0xcbf29ce484222325);

static uint64_t sum_edges(const struct ls_topology *t)
{
	uint64_t sum = add_number(no_bytes, (uint64_t)t->nodes);

	for (int64_t v = 0; v < t->nodes; v++) {
		for (int64_t l = 0; l < ls_degree(t, v); l++)
			sum = add_number(sum, (uint64_t)ls_neighbor(t, v, l));
		sum = add_number(sum, UINT64_MAX);
	}
	return sum;
}

struct edges {
	struct lsi_kept kept;
	uint64_t sum;
};

static struct lsi_kept *make_edges(const struct ls_topology *t, int64_t key)
{
	struct edges *edges = lsi_alloc_zero(1, sizeof *edges);

	(void)key;
	if (!edges)
		return NULL;
	edges->sum = sum_edges(t);
	return &edges->kept;
}

/* The sum is kept only to save time: without memory it is the same. */
uint64_t lsi_record_edges(const struct ls_topology *t)
{
	const struct edges *edges;

	if (!lsi_topology_is(t, &lsi_network_graph))
		return 0;
	edges = (const void *)lsi_topology_keep(t, make_edges, 0);
	return edges ? edges->sum : sum_edges(t);
}

uint32_t lsi_schedule_record_sum(const struct lsi_schedule_record *r)
{
	const int64_t number[] = { r->operation, r->root, r->shift, r->rounds, r->bound,
		(int64_t)r->seed, (int64_t)r->edges };
	uint64_t sum = add_text(no_bytes, r->network);

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		sum = add_number(sum, (uint64_t)number[i]);
	return fold_sum(add_text(sum, r->links));
}

static bool is_of(const struct lsi_schedule_record *r, const struct ls_topology *t, uint64_t edges)
{
	return edges ? r->edges == edges : r->edges == 0 && strcmp(r->network, t->spec) == 0;
}

bool lsi_schedule_record_is_of(const struct lsi_schedule_record *r, const struct ls_topology *t)
{
	return is_of(r, t, lsi_record_edges(t));
}

/* ---- Finding one */

/* A record states its goal by an operation, as a request does. */
static bool has_goal(const struct lsi_schedule_record *r, const struct ls_request *request)
{
	const struct ls_request own = { .operation = r->operation, .root = r->root, .shift = r->shift };

	return lsi_goal_is_same(&own, request, (int)request->topology->nodes);
}

/* The record of the table; NULL: it has none. */
static const struct lsi_schedule_record *record_of_table(const struct ls_request *request)
{
	const struct lsi_schedule_record *r = lsi_schedule_records;
	const uint64_t edges = lsi_record_edges(request->topology);

	while (r->network && !(is_of(r, request->topology, edges) && has_goal(r, request)))
		r++;
	return r->network ? r : NULL;
}

static bool may_have_record(const struct ls_request *request)
{
	return request->mode == LS_HOP && request->ports <= 1
		&& request->topology->nodes <= LSI_FIND_NODES && lsi_topology_is_direct(request->topology);
}

static struct lsi_kept *no_list(const struct ls_topology *t, int64_t key)
{
	(void)t, (void)key;
	return NULL;
}

lsi_make_kept *const lsi_record_list_key = no_list;

const struct lsi_schedule_record *lsi_schedule_record_of(const struct ls_request *request)
{
	const struct lsi_schedule_record *best;

	if (!may_have_record(request))
		return NULL;
	best = record_of_table(request);
	best = best && *best->links ? best : NULL;
	for (const struct lsi_kept *k = NULL; (k = lsi_topology_kept(request->topology, no_list, k));) {
		const struct lsi_record_list *list = (const void *)k;

		for (int i = 0; i < list->count; i++)
			if (has_goal(&list->record[i], request)
				&& (!best || list->record[i].rounds < best->rounds))
				best = &list->record[i];
	}
	return best;
}

lsi_record_proof *lsi_schedule_record_proof(
	const struct ls_topology *t, const struct lsi_schedule_record *r)
{
	for (const struct lsi_kept *k = NULL; (k = lsi_topology_kept(t, no_list, k));) {
		const struct lsi_record_list *list = (const void *)k;

		for (int i = 0; i < list->count; i++)
			if (&list->record[i] == r)
				return list->proof;
	}
	return NULL;
}

int lsi_schedule_record_bound(const struct ls_request *request)
{
	const struct lsi_schedule_record *r =
		may_have_record(request) ? record_of_table(request) : NULL;

	return r ? r->bound : 0;
}

/* ---- For everyone */

static size_t count_records(void)
{
	size_t count = 0;

	while (lsi_schedule_records[count].network)
		count++;
	return count;
}

bool ls_find_record_list(size_t index, struct ls_find_record *out)
{
	if (!out || index >= count_records())
		return false;

	const struct lsi_schedule_record *r = &lsi_schedule_records[index];
	const struct ls_find_record row = { .network = r->network,
		.operation = r->operation,
		.root = r->root,
		.shift = r->shift,
		.rounds = r->rounds,
		.bound = r->bound,
		.seed = r->seed,
		.has_schedule = *r->links };

	lsi_sized_write(out, &row, sizeof row);
	return true;
}

bool ls_find_record_serves(size_t index, const ls_topology *t)
{
	return t && index < count_records()
		&& lsi_schedule_record_is_of(&lsi_schedule_records[index], t);
}
