#include "plan/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Failures */

int lsi_reader_fail(struct lsi_reader *r, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return lsi_error_set(r->why, LS_ERR_SPEC, "%" PRId64 ": %s", r->line, text);
}

int lsi_reader_no_memory(struct lsi_reader *r)
{
	return lsi_error_set(
		r->why, LS_ERR_MEMORY, "no memory to read line %" PRId64 " of the plan", r->line);
}

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '-';
}

/* Letters, digits and dashes, or other characters up to a blank. */
struct lsi_quote lsi_reader_word(struct lsi_reader *r)
{
	const char *begin, *at;

	lsi_reader_at_end(r);
	begin = at = r->at;
	while (at < r->end && is_in_word(*at))
		at++;
	while (at == begin && at < r->end && !isblank((unsigned char)*at))
		at++;
	return lsi_quote_make(begin, (size_t)(at - begin));
}

int lsi_reader_fail_expected(struct lsi_reader *r, const char *what)
{
	if (lsi_reader_at_end(r))
		return lsi_reader_fail(r, "expected %s, found the end of the line", what);
	return lsi_reader_fail(r, "expected %s, found '%s'", what, lsi_reader_word(r).text);
}

/* ---- Words */

static void skip_blanks(struct lsi_reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

/* "round" does not match the beginning of "rounds" or "round-trip". */
bool lsi_reader_take(struct lsi_reader *r, const char *text)
{
	const size_t length = strlen(text);

	skip_blanks(r);
	if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0)
		return false;
	if (is_in_word(text[length - 1]) && r->at + length < r->end && is_in_word(r->at[length]))
		return false;
	r->at += length;
	return true;
}

bool lsi_reader_at_end(struct lsi_reader *r)
{
	skip_blanks(r);
	return r->at == r->end;
}

struct lsi_quote lsi_reader_rest(struct lsi_reader *r)
{
	skip_blanks(r);
	return lsi_quote_make(r->at, (size_t)(r->end - r->at));
}

/* Stops at the first digit that exceeds `most`, so nothing overflows.  No letter may follow. */
int lsi_reader_number(
	struct lsi_reader *r, const char *noun, int64_t least, int64_t most, int64_t *out)
{
	const char *begin;
	char what[40];

	skip_blanks(r);
	begin = r->at;
	for (*out = 0; r->at < r->end && isdigit((unsigned char)*r->at) && *out <= most; r->at++)
		*out = 10 * *out + (*r->at - '0');
	if (r->at == begin || (r->at < r->end && isalpha((unsigned char)*r->at))) {
		r->at = begin;
		snprintf(what, sizeof what, "a %s", noun);
		return lsi_reader_fail_expected(r, what);
	}
	if (*out >= least && *out <= most)
		return LS_OK;
	r->at = begin;
	return lsi_reader_fail(r, "%s %s is out of range; expected %" PRId64 "..%" PRId64, noun,
		lsi_reader_word(r).text, least, most);
}

int lsi_reader_node(struct lsi_reader *r, int64_t *out)
{
	return lsi_reader_number(r, "rank", 0, r->plan->problem.nodes - 1, out);
}
