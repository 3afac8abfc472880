/*
 * The links from one unit to others, joined by unit and number:
 *
 *   1. Collect each link that leaves the unit.
 *   2. Sort by unit and number, and join equal ones; count them.
 *   3. Note for each unit the least number of a link to it, and sort by that: the units over link 0
 *      come first, and all links to one unit stay together.
 */
#include "draw/unit_links.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- Links */

static int compare_links(const void *one, const void *other)
{
	const struct lsi_unit_link *a = one, *b = other;

	if (a->least != b->least)
		return a->least < b->least ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Every link that leaves the unit. */
static void collect_links(struct lsi_unit_links *u)
{
	const ls_topology *t = u->topology;

	for (int64_t v = u->unit * u->nodes; v < (u->unit + 1) * u->nodes; v++) {
		for (int64_t l = 0; l < ls_degree(t, v); l++) {
			const int64_t unit = ls_neighbor(t, v, l) / u->nodes;

			if (unit != u->unit)
				u->link[u->n++] = (struct lsi_unit_link){
					.unit = unit, .number = ls_link_label(t, l), .links = 1
				};
		}
	}
}

/* Join links with one number to one unit, and find the least number to each unit. */
static void join_links(struct lsi_unit_links *u)
{
	size_t kept = 0;

	for (size_t i = 0; i < u->n; i++) {
		struct lsi_unit_link *last = kept ? &u->link[kept - 1] : NULL;
		const bool same_unit = last && last->unit == u->link[i].unit;

		if (same_unit && last->number == u->link[i].number) {
			last->links++;
			continue;
		}
		u->units += !same_unit;
		u->link[i].least = same_unit ? last->least : u->link[i].number;
		u->link[kept++] = u->link[i];
	}
	u->n = kept;
}

int lsi_unit_links_find(struct lsi_unit_links *u)
{
	const size_t most = (size_t)(u->nodes * ls_topology_degree(u->topology));

	u->n = 0;
	u->units = 0;
	u->link = lsi_alloc((most + 1) * sizeof *u->link);
	if (!u->link)
		return LS_ERR_MEMORY;
	collect_links(u);
	qsort(u->link, u->n, sizeof *u->link, compare_links); /* by unit: all have the least 0 */
	join_links(u);
	qsort(u->link, u->n, sizeof *u->link, compare_links);
	return LS_OK;
}

void lsi_unit_links_release(struct lsi_unit_links *u)
{
	lsi_free(u->link);
}

void lsi_unit_links_add(struct lsi_unit_links *u, int64_t from, int64_t link, int64_t to)
{
	const bool leaves = from / u->nodes == u->unit, enters = to / u->nodes == u->unit;
	const int64_t unit = leaves ? to / u->nodes : from / u->nodes;
	int64_t number;

	if (leaves == enters)
		return;
	number = ls_link_label(u->topology, leaves ? link : ls_reverse(u->topology, from, link));
	for (size_t i = 0; i < u->n; i++) {
		if (u->link[i].unit == unit && u->link[i].number == number)
			u->link[i].messages++;
	}
}

/* ---- Name */

/* Of two texts with different lengths: what they share at both ends, and one star. */
static void mask_ends(char *name, const char *label)
{
	const size_t length = strlen(name), other = strlen(label);
	const size_t shorter = length < other ? length : other;
	size_t head = 0, tail = 0;

	while (head < shorter && name[head] == label[head])
		head++;
	while (tail < shorter - head && name[length - 1 - tail] == label[other - 1 - tail])
		tail++;
	if (length <= head + tail)
		return;
	name[head] = '*';
	memmove(name + head + 1, name + length - tail, tail + 1);
}

void lsi_unit_name(const ls_topology *t, int64_t unit, int64_t nodes, char name[LSI_UNIT_NAME])
{
	char label[LSI_UNIT_NAME];

	ls_label(t, unit * nodes, name, LSI_UNIT_NAME);
	for (int64_t i = 1; i < nodes; i++) {
		ls_label(t, unit * nodes + i, label, sizeof label);
		if (strlen(label) != strlen(name)) {
			mask_ends(name, label);
			continue;
		}
		for (size_t k = 0; label[k]; k++) {
			if (label[k] != name[k])
				name[k] = 'x';
		}
	}
	if (strspn(name, "x*") == strlen(name))
		name[0] = '\0';
}
