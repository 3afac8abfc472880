/*
 * Records as text.  A row of records.inc, of ring:5 in the head comment of records.c:
 *
 *      { "ring:5", LS_BROADCAST, 0, 0, 3, 3, 0, 0x0000000000000000, 0x12345678,
 *          ".1.....1.0...1." },
 */
#include "schedule/record_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/math.h"

enum { LINE = 84 }; /* letters */

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* ---- Links as letters */

/* Every letter must be a link: as many links are read as letters are there. */
bool lsi_schedule_record_read(
	const struct lsi_schedule_record *r, const struct lsi_arcs *arcs, bool *used)
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
		const size_t at = (size_t)(i / arcs->count) * nodes + (size_t)arc->to;

		used[i] =
			arc->back >= 0 && arc->back < LSI_RECORD_LINKS && r->links[at] == letters[arc->back];
		read += used[i];
	}
	return read == sent;
}

bool lsi_schedule_has_letters(const struct lsi_link_schedule *s)
{
	for (int i = 0; i < s->rounds * s->arcs->count; i++) {
		const int back = s->arcs->arc[i % s->arcs->count].back;

		if (s->used[i] && (back < 0 || back >= LSI_RECORD_LINKS))
			return false;
	}
	return true;
}

static void write_links(const struct lsi_link_schedule *s, char *links)
{
	memset(links, '.', (size_t)(s->rounds * s->arcs->nodes));
	for (int i = 0; i < s->rounds * s->arcs->count; i++) {
		const struct lsi_arc *arc = &s->arcs->arc[i % s->arcs->count];

		if (s->used[i])
			links[(i / s->arcs->count) * s->arcs->nodes + arc->to] = letters[arc->back];
	}
}

/* ---- Writing */

/* The name of the enumerator in the source: "LS_REDUCE_SCATTER". */
struct enumerator {
	char text[40];
};

static struct enumerator enumerator_of(enum ls_operation operation)
{
	struct enumerator e;

	snprintf(e.text, sizeof e.text, "LS_%s", ls_operation_name(operation));
	for (char *c = e.text; *c; c++)
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	return e;
}

static void write_row(const struct lsi_schedule_record *r, char *text, size_t size)
{
	const int length = (int)strlen(r->links);
	int used = snprintf(text, size,
		"\t{ \"%s\", %s, %d, %d, %d, %d, %" PRIu64 ", 0x%016" PRIx64 ", 0x%08" PRIx32 ",",
		r->network, enumerator_of(r->operation).text, r->root, r->shift, r->rounds, r->bound,
		r->seed, r->edges, lsi_schedule_record_sum(r));

	if (length == 0)
		used += snprintf(text + used, size - (size_t)used, " \"\"");
	for (int at = 0; at < length; at += LINE)
		used += snprintf(text + used, size - (size_t)used, "\n\t\t\"%.*s\"",
			length - at < LINE ? length - at : LINE, r->links + at);
	snprintf(text + used, size - (size_t)used, " },\n");
}

/* The spec of a network; of a graph without the folders of its file. */
static void write_network(const ls_topology *t, char *text, size_t size)
{
	const char *spec = ls_topology_spec(t), *name = strrchr(spec, '/');

	if (lsi_topology_is(t, &lsi_network_graph) && name)
		snprintf(text, size, "%s:%s", t->network->name, name + 1);
	else
		snprintf(text, size, "%s", spec);
	for (char *c = text; *c; c++)
		*c = *c == '"' || *c == '\\' ? '_' : *c;
}

char *lsi_schedule_record_text(const struct ls_request *request,
	const struct lsi_link_schedule *schedule, int rounds, int bound, uint64_t seed)
{
	const int nodes = (int)ls_topology_nodes(request->topology);
	const size_t length = schedule ? (size_t)(rounds * nodes) : 0, size = 2 * length + 1024;
	char *links = lsi_alloc_zero(length + 1, 1), *text = lsi_alloc(size), network[400];
	struct lsi_schedule_record r = { network, request->operation, (int)request->root,
		request->operation == LS_SHIFT ? (int)lsi_wrap(request->shift, nodes) : 0, rounds, bound,
		seed, lsi_record_edges(request->topology), 0, links };

	write_network(request->topology, network, sizeof network);
	if (links && text) {
		if (schedule)
			write_links(schedule, links);
		write_row(&r, text, size);
	} else {
		lsi_free(text);
		text = NULL;
	}
	lsi_free(links);
	return text;
}

/* ---- Reading */

struct row_reader {
	const char *at;
	char *texts; /* where the next text is kept */
	bool failed;
};

/* Past blanks and comments; a comment without an end is damage. */
static void skip_blanks(struct row_reader *r)
{
	while (isspace((unsigned char)*r->at) || strncmp(r->at, "/*", 2) == 0) {
		const char *end = *r->at == '/' ? strstr(r->at, "*/") : NULL;

		if (*r->at == '/' && !end) {
			r->failed = true;
			return;
		}
		r->at = end ? end + 2 : r->at + 1;
	}
}

static void expect(struct row_reader *r, char c)
{
	skip_blanks(r);
	r->failed |= *r->at != c;
	r->at += !r->failed;
}

static int64_t read_integer(struct row_reader *r)
{
	char *end;
	int64_t number;

	skip_blanks(r);
	number = (int64_t)strtoull(r->at, &end, 10);
	r->failed |= end == r->at || !isdigit((unsigned char)*r->at);
	r->at = end;
	expect(r, ',');
	return number;
}

static int read_small(struct row_reader *r)
{
	const int64_t number = read_integer(r);

	r->failed |= number < 0 || number > LSI_FIND_ROUNDS;
	return r->failed ? 0 : (int)number;
}

/* One text or several, which are joined; `after`: what follows. */
static const char *read_text(struct row_reader *r, char after)
{
	char *const text = r->texts;

	expect(r, '"');
	while (!r->failed) {
		const char *end = strchr(r->at, '"');

		r->failed |= !end;
		if (r->failed)
			break;
		memcpy(r->texts, r->at, (size_t)(end - r->at));
		r->texts += end - r->at;
		r->at = end + 1;
		skip_blanks(r);
		if (*r->at != '"')
			break;
		r->at++;
	}
	*r->texts++ = '\0';
	expect(r, after);
	return text;
}

static enum ls_operation read_operation(struct row_reader *r)
{
	skip_blanks(r);
	for (int op = 0; op < LS_OPERATIONS; op++) {
		const struct enumerator e = enumerator_of((enum ls_operation)op);
		const size_t n = strlen(e.text);

		if (strncmp(r->at, e.text, n) == 0 && r->at[n] == ',') {
			r->at += n + 1;
			return (enum ls_operation)op;
		}
	}
	r->failed = true;
	return LS_OPERATIONS;
}

static uint64_t read_sum(struct row_reader *r, uint64_t most)
{
	char *end;
	unsigned long long sum;

	skip_blanks(r);
	sum = strtoull(r->at, &end, 16);
	r->failed |= strncmp(r->at, "0x", 2) != 0 || sum > most;
	r->at = end;
	expect(r, ',');
	return sum;
}

static struct lsi_schedule_record read_row(struct row_reader *r)
{
	struct lsi_schedule_record row = { 0 };

	expect(r, '{');
	row.network = read_text(r, ',');
	row.operation = read_operation(r);
	row.root = read_small(r);
	row.shift = read_small(r);
	row.rounds = read_small(r);
	row.bound = read_small(r);
	row.seed = (uint64_t)read_integer(r);
	row.edges = read_sum(r, UINT64_MAX);
	row.sum = (uint32_t)read_sum(r, UINT32_MAX);
	row.links = read_text(r, '}');
	expect(r, ',');
	r->failed |= !r->failed && row.sum != lsi_schedule_record_sum(&row);
	return row;
}

struct lsi_record_list *lsi_records_parse(const char *text, int *wrong)
{
	size_t rows = 1;
	struct lsi_record_list *list;
	struct row_reader r = { .at = text };

	*wrong = 0;
	for (const char *c = text; *c; c++)
		rows += *c == '{';
	/* Each text ends with a 0 in place of its quotation mark. */
	list = lsi_alloc_zero(1, sizeof *list + rows * sizeof *list->record + strlen(text) + 1);
	if (!list)
		return NULL;
	list->kept.make = lsi_record_list_key;
	r.texts = (char *)&list->record[rows];
	for (skip_blanks(&r); *r.at; skip_blanks(&r)) {
		struct lsi_schedule_record row = { 0 };

		if (!r.failed)
			row = read_row(&r);
		if (r.failed) {
			*wrong = list->count + 1;
			lsi_free(list);
			return NULL;
		}
		list->record[list->count++] = row;
	}
	return list;
}
