/*
 * Errors without pointers, as processes pass them to each other.
 */
#ifndef LSI_WORLD_FLAT_ERROR_H
#define LSI_WORLD_FLAT_ERROR_H

#include <lockstep/status.h>

struct lsi_flat_error {
	int64_t kind, node, peer, round, link;
	char operation[48]; /* "": unknown */
	char text[sizeof(((struct ls_error *)NULL)->text)];
};
/* It is also passed as whole words. */
enum { LSI_FLAT_ERROR_WORDS = sizeof(struct lsi_flat_error) / sizeof(uint64_t) };
_Static_assert(sizeof(struct lsi_flat_error) % sizeof(uint64_t) == 0, "no whole words");

void lsi_error_flatten(const struct ls_error *, struct lsi_flat_error *);
/* With the same operation, in memory of this process. */
struct ls_error lsi_error_unflatten(const struct lsi_flat_error *, const char *operation_or_null);

#endif
