/*
 * Filling a struct ls_error.
 */
#ifndef LSI_BASE_ERROR_H
#define LSI_BASE_ERROR_H

#include <lockstep/status.h>

/*
 * Say what was wrong and what would be right, in one line; where and in which operation (node,
 * peer, round, link, operation) is left unknown, for the caller to add.
 *
 * Returns    kind, so that a failing call ends with `return lsi_error_set(why, LS_ERR_SPEC, "...")`
 */
int lsi_error_set(struct ls_error *why_or_null, int kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A piece of somebody's text made fit to be quoted in that line: cut when long, printable. */
struct lsi_quote {
	char text[48];
};
struct lsi_quote lsi_quote_make(const char *text, size_t length);

#endif
