/*
 * What lib/base/cores.h finds out, for those outside.
 */
#include <lockstep/placement.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cores.h"

int ls_placement_read(struct ls_placement *out)
{
	struct ls_places places;

	if (!out || !out->size)
		return LS_ERR_ARGUMENT;
	if (!ls_places_make(&places, LS_BIND_CORE))
		return LS_ERR_MEMORY;

	const size_t size = out->size < sizeof *out ? out->size : sizeof *out;
	const struct ls_placement found = { size, places.cores, places.units,
		isinf(ls_quota()) ? 0 : ls_quota(), places.ranked };

	ls_places_destroy(&places);
	memcpy(out, &found, size);
	return LS_OK;
}

/* "3,11" */
static void write_list(const struct ls_cpus *cpus, char *text, size_t bytes)
{
	size_t used = 0;

	for (int i = ls_cpus_next(cpus, 0); i < LS_UNITS && used < bytes; i = ls_cpus_next(cpus, i + 1))
		used += (size_t)snprintf(text + used, bytes - used, "%s%d", used ? "," : "", i);
}

int ls_placement_of(enum ls_bind bind, int64_t node, int64_t nodes, char *text, size_t bytes)
{
	struct ls_places places;

	if (node < 0 || node >= nodes || !text || !bytes
		|| (bind != LS_BIND_CORE && bind != LS_BIND_NONE && bind != LS_BIND_PU))
		return LS_ERR_ARGUMENT;
	if (!ls_places_make(&places, bind))
		return LS_ERR_MEMORY;

	const struct ls_cpus *place = ls_places_at(&places, bind, node, nodes);

	*text = '\0';
	if (place)
		write_list(place, text, bytes);
	ls_places_destroy(&places);
	return LS_OK;
}
