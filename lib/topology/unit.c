/*
 * Units and parts of networks: how many of the last sides or factors make a unit; ranges of ranks
 * that are smaller networks.
 */
#include "topology/topology_internal.h"

#include <stdio.h>

#include "base/error.h"
#include "base/math.h"

enum { SPEC = 1024, COMFORTABLE = LSI_UNIT_NODES / 2 /* nodes of a unit of several sides */ };

/* At least one side above 1; more as long as the unit stays small, and smaller than the network. */
int lsi_unit_sides(const struct ls_topology *t, int sides, lsi_side_length *side)
{
	int first = sides;
	int64_t nodes = 1;

	for (; first > 0; first--) {
		const int64_t more = lsi_mul_sat(nodes, side(t, first - 1));

		if (nodes > 1 && (more > COMFORTABLE || more == t->nodes))
			break;
		nodes = more;
	}
	return nodes > 1 && nodes < t->nodes && nodes <= LSI_UNIT_NODES ? sides - first : 0;
}

static int64_t factor_nodes(const struct ls_topology *t, int i)
{
	return lsi_topology_factor(t, i)->nodes;
}

bool lsi_product_unit(const struct ls_topology *t, char *spec, size_t size)
{
	const int factors = lsi_topology_factors(t);
	const int sides = lsi_unit_sides(t, factors, factor_nodes);
	const struct ls_topology *last = lsi_topology_factor(t, factors - 1);
	size_t length = 0;

	if (sides == 0)
		return last->network->unit && last->network->unit(last, spec, size);
	for (int i = factors - sides; i < factors && length < size; i++)
		length += (size_t)snprintf(spec + length, size - length, "%s%s", length ? "*" : "",
			lsi_topology_factor(t, i)->spec);
	return length < size;
}

bool lsi_topology_has_units(const ls_topology *t)
{
	char spec[SPEC];

	return t->network->unit && t->network->unit(t, spec, sizeof spec);
}

int lsi_topology_unit(const ls_topology *t, ls_topology **out, struct ls_error *why)
{
	char spec[SPEC];

	if (!t->network->unit || !t->network->unit(t, spec, sizeof spec))
		return lsi_error_set(why, LS_ERR_UNSUPPORTED, "%s has no units", t->spec);
	return ls_topology_make(spec, out, why);
}

int64_t lsi_topology_part(const ls_topology *t, int64_t nodes)
{
	return t->network->part && nodes > 1 ? t->network->part(t, nodes) : 1;
}

int64_t lsi_product_part(const struct ls_topology *t, int64_t nodes)
{
	int64_t stride = 1;
	int i = lsi_topology_factors(t) - 1;

	for (; lsi_mul_sat(stride, factor_nodes(t, i)) < nodes; i--) /* ends, as nodes <= t->nodes */
		stride *= factor_nodes(t, i);
	return stride * lsi_topology_part(lsi_topology_factor(t, i), nodes / stride);
}
