/*
 * The networks that topology tests iterate over: the examples in the table of networks, which give
 * a new network its tests; and every small size, and up to 5,040 nodes, of those listed here.
 */
#ifndef LOCKSTEP_TEST_TOPOLOGY_SPECS_H
#define LOCKSTEP_TEST_TOPOLOGY_SPECS_H

#include <lockstep/topology.h>

#include <stdio.h>
#include <string.h>

#include "test.h"
#include "topology/topology_internal.h"

static inline ls_topology *topology(const char *spec)
{
	struct ls_error why = { .size = sizeof why };
	ls_topology *t = NULL;
	const int status = ls_topology_make(spec, &t, &why);

	CHECK(status == LS_OK && t, "%s: %s", spec, why.text);
	if (!t)
		exit(1);
	return t;
}

/* count pieces after the head */
static inline const char *repeated(const char *head, const char *piece, size_t count)
{
	static char spec[100000];
	const size_t length = strlen(piece);
	char *at = stpcpy(spec, head);

	for (; count-- > 0; at += length)
		memcpy(at, piece, length);
	*at = '\0';
	return spec;
}

static inline void visit_spec(const char *spec, void (*visit)(const ls_topology *))
{
	ls_topology *t = topology(spec);

	visit(t);
	ls_topology_destroy(t);
}

static inline void visit_sizes(
	const char *kind, int from, int to, void (*visit)(const ls_topology *))
{
	char spec[64];

	for (int size = from; size <= to; size++) {
		snprintf(spec, sizeof spec, "%s:%d", kind, size);
		visit_spec(spec, visit);
	}
}

/* All vectors of dims sides 1 .. most. */
static inline void visit_grids(
	const char *kind, int dims, int most, void (*visit)(const ls_topology *))
{
	int vectors = 1;
	char spec[64];

	for (int d = 0; d < dims; d++)
		vectors *= most;
	for (int v = 0; v < vectors; v++) {
		int length = snprintf(spec, sizeof spec, "%s", kind);

		for (int d = 0, rest = v; d < dims; d++, rest /= most)
			length += snprintf(spec + length, sizeof spec - (size_t)length, "%c%d", d ? 'x' : ':',
				rest % most + 1);
		visit_spec(spec, visit);
	}
}

/* The examples of all kinds in the table. */
static inline void visit_examples(void (*visit)(const ls_topology *))
{
	static const struct lsi_network *const networks[] = {
#define ENTRY(name) &lsi_network_##name,
		LSI_NETWORKS(ENTRY)
#undef ENTRY
	};

	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		for (size_t k = 0; networks[i]->examples[k]; k++)
			visit_spec(networks[i]->examples[k], visit);
}

static inline void visit_small(void (*visit)(const ls_topology *))
{
	static const char *const grid[] = { "mesh", "torus" };
	static const char *const made[] = { "debruijn:3*star:3", "graph:test/data/path",
		"graph:test/data/claw", "graph:test/data/petersen", "graph:test/data/random7",
		"graph:test/data/random12", "graph:test/data/claw*linear:3",
		"star:3*graph:test/data/path*graph:test/data/claw" };

	visit_examples(visit);
	visit_sizes("linear", 1, 33, visit);
	visit_sizes("ring", 1, 33, visit);
	visit_sizes("complete", 1, 33, visit);
	visit_sizes("hypercube", 0, 7, visit);
	visit_sizes("star", 1, 5, visit);
	visit_sizes("pancake", 1, 5, visit);
	visit_sizes("bubblesort", 1, 5, visit);
	visit_sizes("debruijn", 0, 7, visit);
	visit_sizes("bintree", 1, 7, visit);
	for (int leaves = 1; leaves <= 64; leaves *= 2)
		visit_sizes("tree", leaves, leaves, visit);
	for (int i = 0; i < 2; i++) {
		visit_grids(grid[i], 1, 9, visit);
		visit_grids(grid[i], 2, 7, visit);
		visit_grids(grid[i], 3, 4, visit);
		visit_grids(grid[i], 4, 3, visit);
		visit_grids(grid[i], 6, 2, visit);
	}
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		visit_spec(made[i], visit);
}

static inline void visit_large(void (*visit)(const ls_topology *))
{
	static const char *const spec[] = {
		"linear:720",
		"linear:5040",
		"ring:719",
		"ring:720",
		"ring:5040",
		"complete:720",
		"complete:5040",
		"mesh:24x30",
		"mesh:70x72",
		"mesh:16x15x21",
		"mesh:2x3x4x5x6x7",
		"mesh:1x5040",
		"mesh:5040x1",
		"torus:24x30",
		"torus:70x72",
		"torus:71x71",
		"torus:16x15x21",
		"torus:2x3x4x5x6x7",
		"torus:2x2x2x2x2x2x2x2x2x2x2x2",
		"hypercube:10",
		"hypercube:12",
		"star:6",
		"star:7",
		"pancake:6",
		"pancake:7",
		"bubblesort:6",
		"bubblesort:7",
		"debruijn:10",
		"debruijn:12",
		"bintree:12",
		"tree:2048",
		"star:4*star:3",
		"star:5*star:3",
		"hypercube:4*star:4",
		"mct:4,2",
		"mct:4,3",
		"mct:5,2",
		"graph:test/data/petersen*ring:20*graph:test/data/random12",
	};

	for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
		visit_spec(spec[i], visit);
}

#endif
