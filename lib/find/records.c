/*
 * The table of records, and their text.  A record of a broadcast on ring:5 in 3 rounds, where link
 * 0 of a node leads to its successor and link 1 to its predecessor:
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
#include "find/records.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lockstep/find.h>

#include "base/alloc.h"
#include "base/math.h"
#include "base/sized.h"

const struct lsi_find_record lsi_find_records[] = {
#include "find/records.inc"
	{ 0 },
};

enum { LINE = 80 };

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* ---- Checksum */

static uint64_t add_byte(uint64_t sum, unsigned char byte)
{
	return (sum ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t add_text(uint64_t sum, const char *text)
{
	for (; *text; text++)
		sum = add_byte(sum, (unsigned char)*text);
	return add_byte(sum, 0);
}

uint32_t lsi_find_record_sum(const struct lsi_find_record *r)
{
	const int64_t number[] = { r->operation, r->root, r->shift, r->rounds, r->bound,
		(int64_t)r->seed };
	uint64_t sum = add_text(UINT64_C(0xcbf29ce484222325), r->network);

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		for (int byte = 0; byte < 8; byte++)
			sum = add_byte(sum, (unsigned char)((uint64_t)number[i] >> (8 * byte)));
	sum = add_text(sum, r->links);
	return (uint32_t)(sum ^ sum >> 32);
}

/* ---- Finding one */

/* A record states its goal by an operation, as a request does. */
static struct lsi_goal goal_of_record(
	const struct lsi_find_record *r, const ls_topology *t, int nodes)
{
	const struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = r->operation,
		.root = r->root,
		.shift = r->shift };

	return lsi_goal_of(&request, nodes);
}

const struct lsi_find_record *lsi_find_record_of(
	const struct ls_request *request, const struct lsi_goal *goal, int nodes)
{
	const char *spec = ls_topology_spec(request->topology);

	if (request->ports > 1)
		return NULL;
	for (const struct lsi_find_record *r = lsi_find_records; r->network; r++)
		if (strcmp(r->network, spec) == 0) {
			const struct lsi_goal own = goal_of_record(r, request->topology, nodes);

			if (memcmp(own.wants, goal->wants, sizeof own.wants) == 0)
				return r;
		}
	return NULL;
}

/* ---- Links as letters */

/* The link of the receiver of an arc; -1: the links of a network are not symmetric. */
static int link_in(const struct lsi_arcs *arcs, const struct lsi_arc *arc)
{
	for (int a = 0; a < arcs->count; a++)
		if (arcs->arc[a].from == arc->to && arcs->arc[a].to == arc->from)
			return arcs->arc[a].link;
	return -1;
}

/* Every letter must be a link: as many links are read as letters are there. */
bool lsi_find_record_read(const struct lsi_find_record *r, const struct lsi_arcs *arcs, bool *used)
{
	const size_t nodes = (size_t)arcs->nodes;
	size_t read = 0, sent = 0;

	if (r->rounds < 0 || r->rounds > LSI_FIND_ROUNDS
		|| strlen(r->links) != (size_t)r->rounds * nodes)
		return false;
	for (size_t i = 0; i < strlen(r->links); i++)
		sent += r->links[i] != '.';
	for (int i = 0; i < r->rounds * arcs->count; i++) {
		const struct lsi_arc *arc = &arcs->arc[i % arcs->count];
		const int link = link_in(arcs, arc);
		const size_t at = (size_t)(i / arcs->count) * nodes + (size_t)arc->to;

		used[i] = link >= 0 && link < LSI_FIND_RECORD_LINKS && r->links[at] == letters[link];
		read += used[i];
	}
	return read == sent;
}

/* The letters of a schedule; false: a link has none. */
static bool write_links(const struct lsi_link_schedule *s, char *links)
{
	memset(links, '.', (size_t)(s->rounds * s->arcs->nodes));
	for (int i = 0; i < s->rounds * s->arcs->count; i++) {
		const struct lsi_arc *arc = &s->arcs->arc[i % s->arcs->count];
		const int link = link_in(s->arcs, arc);

		if (!s->used[i])
			continue;
		if (link < 0 || link >= LSI_FIND_RECORD_LINKS)
			return false;
		links[(i / s->arcs->count) * s->arcs->nodes + arc->to] = letters[link];
	}
	return true;
}

/* The name of the enumerator in the source: "LS_REDUCE_SCATTER". */
static void write_enumerator(enum ls_operation operation, char *text, size_t size)
{
	snprintf(text, size, "LS_%s", ls_operation_name(operation));
	for (char *c = text; *c; c++)
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
}

static void write_row(const struct lsi_find_record *r, int nodes, char *text, size_t size)
{
	char operation[40];
	int used;

	write_enumerator(r->operation, operation, sizeof operation);
	used = snprintf(text, size, "\t{ \"%s\", %s, %d, %d, %d, %d, %" PRIu64 ",", r->network,
		operation, r->root, r->shift, r->rounds, r->bound, r->seed);
	/* A line has the letters of at most LINE nodes of one round. */
	for (int t = 0; t < r->rounds; t++)
		for (int v = 0; v < nodes; v += LINE)
			used += snprintf(text + used, size - (size_t)used, "\n\t\t\"%.*s\"",
				nodes - v < LINE ? nodes - v : LINE, r->links + t * nodes + v);
	snprintf(
		text + used, size - (size_t)used, ",\n\t\t0x%08" PRIx32 " },\n", lsi_find_record_sum(r));
}

char *lsi_find_record_text(const struct ls_request *request,
	const struct lsi_link_schedule *schedule, int bound, uint64_t seed)
{
	const int nodes = schedule->arcs->nodes;
	const size_t length = (size_t)(schedule->rounds * nodes),
				 size = length + 16 * (size_t)schedule->rounds + 600;
	char *links = lsi_alloc(length + 1), *text = lsi_alloc(size);
	struct lsi_find_record r = { ls_topology_spec(request->topology), request->operation,
		(int)request->root,
		request->operation == LS_SHIFT ? (int)lsi_wrap(request->shift, nodes) : 0, schedule->rounds,
		bound, seed, links, 0 };
	bool written = false;

	if (links && text && write_links(schedule, links)) {
		links[length] = '\0';
		write_row(&r, nodes, text, size);
		written = true;
	}
	lsi_free(links);
	if (written)
		return text;
	lsi_free(text);
	return NULL;
}

/* ---- For everyone */

bool ls_find_record_list(size_t index, struct ls_find_record *out)
{
	size_t count = 0;

	while (lsi_find_records[count].network)
		count++;
	if (!out || index >= count)
		return false;

	const struct lsi_find_record *r = &lsi_find_records[index];
	const struct ls_find_record row = { .network = r->network,
		.operation = r->operation,
		.root = r->root,
		.shift = r->shift,
		.rounds = r->rounds,
		.bound = r->bound,
		.seed = r->seed };

	lsi_sized_write(out, &row, sizeof row);
	return true;
}
