#include "world/flat_error.h"

#include <stdio.h>
#include <string.h>

/* Unused bytes are 0. */
void lsi_error_flatten(const struct ls_error *error, struct lsi_flat_error *flat)
{
	memset(flat, 0, sizeof *flat);
	flat->kind = error->kind;
	flat->node = error->node;
	flat->peer = error->peer;
	flat->round = error->round;
	flat->link = error->link;
	if (error->operation)
		snprintf(flat->operation, sizeof flat->operation, "%s", error->operation);
	memcpy(flat->text, error->text, sizeof flat->text);
}

struct ls_error lsi_error_unflatten(const struct lsi_flat_error *flat, const char *operation)
{
	struct ls_error error = { sizeof error, (int)flat->kind, flat->node, flat->peer, flat->round,
		flat->link, operation, "" };

	memcpy(error.text, flat->text, sizeof error.text);
	return error;
}
