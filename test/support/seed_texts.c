#include "support/seed_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lockstep/plan.h>

#include "support/cells.h"
#include "support/svg_tags.h"

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

/* The trace begins with an empty line: it names no operation. */
static struct text plan_text(struct edit *e, bool as_trace, uint8_t network)
{
	struct text text = { 0 };
	ls_plan *plan = NULL;

	while (!plan) {
		const enum ls_operation operation = (enum ls_operation)below(e, LS_OPERATIONS);

		plan = drawn_plan(seed_network(network), operation, below(e, 2) ? LS_ROUTED : LS_HOP);
	}
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

static const char *const plan_names[] = { "to ", "from ", NULL };
static const char *const plan_words[] = { "send", "receive", "to", "from", "port", "fold", "round",
	"local", "INPUT", "OUTPUT", "ARRIVAL", "ARRIVAL1", "ARRIVAL3", "S", "T", "U", "V", "S[0]",
	"INPUT[0]", "OUTPUT[0]", "ARRIVAL[0]", "OUTPUT[0..3]", "INPUT[1,0]", ":=", "(+)", "operation",
	"nodes", "algorithm", "mode", "hop", "routed", "claim", "idempotent", "commutative", "ordered",
	"move", "identical", "nodup", "root", "shift", "ports", "blocks", "in-place", "scratch",
	"scratch S 4", "scratch T 2 each 2", "blocks 2", "ports 2", "each", "broadcast", "reduce",
	"allreduce", "allgather", "reduce-scatter", "scatter", "gather", "alltoall", "scan", "exscan",
	"shift", "barrier", "# comment", "", "0", "1", "2", "port 1", "INPUT[2..]", NULL };
static const char *const trace_names[] = { ",", NULL };
static const char *const trace_words[] = { "R", "round,src,dst,words", "round", "src", "dst",
	"words", "round,src,dst", "round,src,dst,words,sent_ns,received_ns,waited_ns",
	"# operation=allreduce topology=ring:4 m=1 root=0 q=1", "# mode=routed", "# ports=2", "-1", "1",
	"2", "4", "1.5", "", "1,0,1,1", "2,1,0", "1,0,1,1,R", "1,0,1,1,5,7,1", "\"1\"", NULL };
static const char *const graph_names[] = { " ", NULL };
static const char *const graph_words[] = { "0", "1", "9", "#", "# comment", "\t", "\r", "", "0 0",
	"63", "4194303", NULL };

const struct grammar seed_grammars[] = {
	[SEED_PLAN] = { " \t\n;:[],.", ";:\n", "round", plan_names, plan_words },
	[SEED_TRACE] = { ",\n", "\n", NULL, trace_names, trace_words },
	[SEED_GRAPH] = { " \n", "\n", NULL, graph_names, graph_words },
};
