/*
 * The public view of lib/base/cores.h: cores, and the binding of nodes to them.
 */
#include <lockstep/placement.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/cores.h"
#include "base/sized.h"

int ls_placement_read(struct ls_placement *out)
{
	struct lsi_binding binding;

	if (!out || !out->size)
		return LS_ERR_ARGUMENT;
	if (!lsi_binding_make(&binding, LS_BIND_CORE))
		return LS_ERR_MEMORY;

	const struct ls_placement found = { sizeof found, binding.cores, binding.units,
		isinf(lsi_cpu_quota()) ? 0 : lsi_cpu_quota(), binding.ranked };

	lsi_binding_destroy(&binding);
	lsi_sized_write(out, &found, sizeof found);
	return LS_OK;
}

static bool is_bind(enum ls_bind bind)
{
	return bind == LS_BIND_CORE || bind == LS_BIND_NONE || bind == LS_BIND_PU;
}

/* The CPU numbers of a set: "3,11". */
static void write_list(const struct lsi_cpu_set *cpus, char *text, size_t bytes)
{
	size_t used = 0;

	for (int i = lsi_cpu_set_next(cpus, 0); i < LSI_CPUS_MAX && used < bytes;
		 i = lsi_cpu_set_next(cpus, i + 1))
		used += (size_t)snprintf(text + used, bytes - used, "%s%d", used ? "," : "", i);
}

int ls_placement_node(enum ls_bind bind, int64_t node, int64_t nodes, char *text, size_t bytes)
{
	struct lsi_binding binding;

	if (node < 0 || node >= nodes || !text || !bytes || !is_bind(bind))
		return LS_ERR_ARGUMENT;
	if (!lsi_binding_make(&binding, bind))
		return LS_ERR_MEMORY;

	const struct lsi_cpu_set *cpus = lsi_binding_for(&binding, bind, node, nodes);

	*text = '\0';
	if (cpus)
		write_list(cpus, text, bytes);
	lsi_binding_destroy(&binding);
	return LS_OK;
}

/* Light nodes have a worker per core, and at most one per node. */
int ls_placement_cores(enum ls_bind bind, enum ls_node_kind kind, int64_t nodes, int *core)
{
	const int64_t cores = lsi_core_count();
	const int64_t workers = kind == LS_NODE_FIBER && cores < nodes ? cores : nodes;

	if (nodes < 1 || !core || !is_bind(bind) || (kind != LS_NODE_THREAD && kind != LS_NODE_FIBER))
		return LS_ERR_ARGUMENT;
	return lsi_binding_cores(bind, workers, nodes, core) ? LS_OK : LS_ERR_MEMORY;
}
