#include "support/seed_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/plan.h>
#include <lockstep/trace.h>

#include "support/cells.h"

enum { PARTS = 1000 }; /* more than algorithms */

ls_topology *seed_network(uint8_t number)
{
	static const char *const specs[] = { "ring:4", "hypercube:3", "star:3", "mesh:2x3", "tree:4",
		"complete:5", "torus:3x3", "linear:1", "ring:2*linear:3", "hypercube:4" };
	enum { SPECS = sizeof specs / sizeof *specs };
	static ls_topology *made[SPECS];
	const int i = number % SPECS;

	made[i] = made[i] ? made[i] : topology_of(specs[i]);
	return made[i];
}

static int append_row(void *text, const struct ls_record *r)
{
	char row[100];

	snprintf(row, sizeof row, "%lld,%lld,%lld,%zu\n", (long long)r->round, (long long)r->src,
		(long long)r->dst, r->words);
	return text_append(text, row);
}

/* Any algorithm of the table, with any options; NULL: none serves the operation with these. */
static ls_plan *any_plan(struct edit *e, const ls_topology *t)
{
	const size_t nodes = (size_t)ls_topology_nodes(t);
	struct ls_request request = { .size = sizeof request,
		.topology = t,
		.operation = (enum ls_operation)below(e, LS_OPERATIONS),
		.mode = below(e, 2) ? LS_ROUTED : LS_HOP,
		.shift = (int64_t)below(e, nodes),
		.ports = 1 + (below(e, 3) == 0),
		.in_place = below(e, 3) == 0 };
	ls_plan *plan = NULL;

	if (lsi_operation_is_rooted(request.operation))
		request.root = (int64_t)below(e, nodes);
	request.algorithm = serving(&request, (int)below(e, PARTS), PARTS);
	return request.algorithm && ls_plan_make(&request, &plan, NULL) == LS_OK ? plan : NULL;
}

/* The trace begins with an empty line: it names no operation. */
static struct text plan_text(struct edit *e, bool as_trace, uint8_t network)
{
	struct text text = { 0 };
	ls_plan *plan = NULL;

	while (!plan)
		plan = any_plan(e, seed_network(network));
	if (!as_trace) {
		text = text_of(plan);
	} else {
		text_append(&text, "\n");
		if (ls_trace_plan(plan, 1, append_row, &text))
			exit(EXIT_FAILURE);
	}
	ls_plan_destroy(plan);
	return text;
}

void seed_text(struct edit *e, enum seed_kind kind, uint8_t network)
{
	static const char *const graphs[] = { "0 1\n1 2\n2 3\n3 0\n", "0 1\n0 2\n0 3\n1 2\n3 4\n4 5\n",
		"0 1\n1 2\n2 0\n0 3\n1 4\n2 5\n3 4\n4 5\n5 3\n" };

	if (kind == SEED_GRAPH) {
		const char *graph = graphs[below(e, 3)];

		edit_set(e, graph, strlen(graph));
	} else {
		struct text text = plan_text(e, kind == SEED_TRACE, network);

		edit_set(e, text.at, text.length);
		free(text.at);
	}
}
