/*
 * Filling a struct ls_error.
 */
#ifndef LSI_BASE_ERROR_H
#define LSI_BASE_ERROR_H

#include <lockstep/status.h>

#define LSI_NO_ERROR ((struct ls_error){ sizeof(struct ls_error), LS_OK, -1, -1, -1, -1, NULL, "" })

/*
 * Set the kind and the text of an error.  Its other fields (node, peer, round, link, operation) are
 * set to "unknown"; the caller may set them.
 *
 * Returns    kind, so that a failing call ends with `return lsi_error_set(why, LS_ERR_SPEC, "...")`
 */
int lsi_error_set(struct ls_error *why_or_null, int kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A user's text, quoted in a message: truncated if long; '?' for all but printable ASCII. */
struct lsi_quote {
	char text[48];
};
struct lsi_quote lsi_quote_make(const char *text, size_t length);

#endif
