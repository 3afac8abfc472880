/*
 * Filling a struct ls_error.
 */
#ifndef LS_BASE_ERROR_H
#define LS_BASE_ERROR_H

#include <lockstep/status.h>

/*
 * Say what was wrong and what would be right, in one line; where and in which operation (node,
 * peer, round, link, operation) is left unknown, for the caller to add.
 *
 * Returns    kind, so that a failing call ends with `return ls_fail(why, LS_ERR_SPEC, "...")`
 */
int ls_fail(struct ls_error *why_or_null, int kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A piece of somebody's text made fit to be quoted in that line: cut when long, printable. */
struct ls_quote { char text[48]; };
struct ls_quote ls_quote(const char *text, size_t length);

#endif
