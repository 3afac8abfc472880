/*
 * The cores to which threads are bound; cores.c makes the table of these.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/cores.h"
#include "base/math.h"

void lsi_binding_destroy(struct lsi_binding *binding)
{
	lsi_free(binding->unit);
	binding->unit = NULL;
}

/* The entries of the part move to the front. */
void lsi_binding_restrict(struct lsi_binding *binding, struct lsi_core_part part)
{
	const int cores = (int)lsi_min(binding->cores, lsi_core_part_size(part, binding->cores));
	const int *const begin = binding->begin + (int64_t)binding->cores * part.number / part.parts;
	const int skipped = *begin;

	for (int i = 0; i <= cores; i++)
		binding->begin[i] = begin[i] - skipped;
	binding->cores = cores;
	binding->units = binding->begin[cores];
	memmove(binding->unit, binding->unit + skipped, (size_t)binding->units * sizeof *binding->unit);
}

const struct lsi_cpu_set *lsi_binding_all(struct lsi_binding *binding)
{
	if (binding->units == 0)
		return NULL;
	binding->one = (struct lsi_cpu_set){ 0 };
	for (int i = 0; i < binding->units; i++)
		lsi_cpu_set_add(&binding->one, (int)(uint32_t)binding->unit[i]);
	return &binding->one;
}

/* The core or the unit of a node, as the binding counts them. */
static int64_t find_index(
	const struct lsi_binding *binding, enum ls_bind bind, int64_t node, int64_t nodes)
{
	return node * (bind == LS_BIND_CORE ? binding->cores : binding->units) / nodes;
}

const struct lsi_cpu_set *lsi_binding_for(
	struct lsi_binding *binding, enum ls_bind bind, int64_t node, int64_t nodes)
{
	const bool whole = bind == LS_BIND_CORE;
	const int64_t index = find_index(binding, bind, node, nodes);

	if (bind == LS_BIND_NONE || binding->units == 0)
		return NULL;
	binding->one = (struct lsi_cpu_set){ 0 };
	for (int64_t i = whole ? binding->begin[index] : index,
				 end = whole ? binding->begin[index + 1] : index + 1;
		 i < end; i++)
		lsi_cpu_set_add(&binding->one, (int)(uint32_t)binding->unit[i]);
	return &binding->one;
}

static int find_core(
	const struct lsi_binding *binding, enum ls_bind bind, int64_t node, int64_t nodes)
{
	const int64_t index = find_index(binding, bind, node, nodes);
	int core = 0;

	if (bind == LS_BIND_NONE || binding->units == 0)
		return -1;
	if (bind == LS_BIND_CORE)
		return (int)index;
	while (binding->begin[core + 1] <= index)
		core++;
	return core;
}

bool lsi_binding_cores(enum ls_bind bind, int64_t workers, int64_t nodes, int *core)
{
	struct lsi_binding binding;

	if (!lsi_binding_make(&binding, bind))
		return false;
	for (int64_t i = 0; i < nodes; i++) {
		const int64_t worker = i * workers / nodes;
		const int64_t first = (worker * nodes + workers - 1) / workers;

		core[i] = find_core(&binding, bind, first, nodes);
	}
	lsi_binding_destroy(&binding);
	return true;
}
