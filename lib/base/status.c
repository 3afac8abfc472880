/*
 * Names of status codes, and filling a struct ls_error.
 */
#include "base/error.h"

#include "base/sized.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ls_status_name(int status)
{
	static const char *const name[] = {
		[LS_OK] = "ok",
		[-LS_ERR_ARGUMENT] = "argument",
		[-LS_ERR_SPEC] = "spec",
		[-LS_ERR_UNSUPPORTED] = "unsupported",
		[-LS_ERR_MEMORY] = "memory",
		[-LS_ERR_THREADS] = "threads",
		[-LS_ERR_PORT] = "port",
		[-LS_ERR_LINK] = "link",
		[-LS_ERR_MATCH] = "match",
		[-LS_ERR_MISMATCH] = "mismatch",
		[-LS_ERR_UNTAKEN] = "untaken",
		[-LS_ERR_DEADLOCK] = "deadlock",
		[-LS_ERR_LEFT] = "left",
		[-LS_ERR_PROGRAM] = "program",
		[-LS_ERR_STOPPED] = "stopped",
		[-LS_ERR_TIMEOUT] = "timeout",
		[-LS_ERR_FORK] = "fork",
		[-LS_ERR_LAW] = "law",
		[-LS_ERR_BUSY] = "busy",
		[-LS_ERR_CONGESTION] = "congestion",
	};
	const int names = (int)(sizeof name / sizeof *name);

	return status <= 0 && status > -names ? name[-status] : "unknown";
}

int lsi_error_set(struct ls_error *why, int kind, const char *format, ...)
{
	struct ls_error full = { .kind = kind, .node = -1, .peer = -1, .round = -1, .link = -1 };
	va_list arguments;

	if (!why)
		return kind;
	va_start(arguments, format);
	vsnprintf(full.text, sizeof full.text, format, arguments);
	va_end(arguments);
	lsi_sized_write(why, &full, sizeof full);
	return kind;
}

struct lsi_quote lsi_quote_make(const char *text, size_t length)
{
	static const char more[] = "...";
	struct lsi_quote quote = { "" };
	const size_t room = sizeof quote.text - sizeof more;
	const size_t shown = length < room ? length : room;

	for (size_t i = 0; i < shown; i++)
		quote.text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	if (shown < length)
		memcpy(quote.text + shown, more, sizeof more);
	return quote;
}
