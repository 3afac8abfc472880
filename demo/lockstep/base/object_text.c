#include "base/object_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *claim_text(enum ls_claim claim)
{
	static const char *const text[] = { [LS_IDEMPOTENT] = "idempotent",
		[LS_COMMUTATIVE] = "commutative",
		[LS_ORDERED] = "rank-ordered",
		[LS_MOVE] = "move" };

	return text[claim];
}

const char *mode_text(enum ls_mode mode)
{
	return mode == LS_HOP ? "hop" : "routed";
}

const char *rounds_text(enum ls_rounds rounds)
{
	return rounds == LS_LOCKSTEP ? "lockstep" : "free";
}

static int count_text(char *text, size_t size, const char *before, int64_t count, const char *after)
{
	if (count == INT64_MAX)
		return snprintf(text, size, "%sat least 2^63-1%s", before, after);
	return snprintf(text, size, "%s%" PRId64 "%s", before, count, after);
}

void topology_text(const ls_topology *t, char *text, size_t size)
{
	int at = count_text(
		text, size, "", ls_topology_nodes(t), ls_topology_nodes(t) == 1 ? " node" : " nodes");

	at += count_text(text + at, size - (size_t)at, ", degree ", ls_topology_degree(t), "");
	at += count_text(text + at, size - (size_t)at, ", diameter ", ls_topology_diameter(t), "");
	count_text(text + at, size - (size_t)at, ", ", ls_topology_links(t),
		ls_topology_links(t) == 1 ? " link" : " links");
}

int node_text(const ls_topology *t, int64_t rank, char *text, size_t size)
{
	char label[256], digits[24];

	ls_label(t, rank, label, sizeof label);
	snprintf(digits, sizeof digits, "%" PRId64, rank);
	if (strcmp(label, digits) == 0)
		return snprintf(text, size, "%s", digits);
	return snprintf(text, size, "%s(%s)", label, digits);
}
