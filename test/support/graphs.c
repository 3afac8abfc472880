#include "support/graphs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/guard.h"

ls_topology *graph_of(const int64_t ends[], int64_t edges)
{
	char spec[] = "graph:/tmp/lockstep-graph-XXXXXX", *path = spec + strlen("graph:");
	const int file = mkstemp(path);
	FILE *const text = file >= 0 ? fdopen(file, "w") : NULL;
	ls_topology *t = NULL;
	int status = LS_ERR_MEMORY;

	for (int64_t i = 0; text && i < 2 * edges; i += 2)
		fprintf(text, "%" PRId64 " %" PRId64 "\n", ends[i], ends[i + 1]);
	if (text && fclose(text) == 0)
		status = ls_topology_make(spec, &t, NULL);
	remove(path);
	if (status == LS_ERR_MEMORY)
		exit(1);
	return t;
}

/* The other end of the only edge of each end; p * 3 ends are paired at random. */
static void pair_ends(int64_t ends[], int64_t count, uint64_t *state)
{
	for (int64_t i = 0; i < count; i++)
		ends[i] = i / 3;
	for (int64_t i = count - 1; i > 0; i--) {
		const int64_t j = random_below(state, i + 1), end = ends[i];

		ends[i] = ends[j];
		ends[j] = end;
	}
}

/* Whether no edge joins a node to itself, and no two edges the same nodes. */
static bool is_simple(const int64_t ends[], int64_t count)
{
	for (int64_t i = 0; i < count; i += 2) {
		if (ends[i] == ends[i + 1])
			return false;
		for (int64_t j = 0; j < i; j += 2)
			if ((ends[i] == ends[j] && ends[i + 1] == ends[j + 1])
				|| (ends[i] == ends[j + 1] && ends[i + 1] == ends[j]))
				return false;
	}
	return true;
}

ls_topology *cubic_graph(int64_t p, uint64_t seed)
{
	int64_t ends[256];
	ls_topology *t = NULL;

	while (!t) {
		do
			pair_ends(ends, 3 * p, &seed);
		while (!is_simple(ends, 3 * p));
		t = graph_of(ends, 3 * p / 2);
	}
	return t;
}
