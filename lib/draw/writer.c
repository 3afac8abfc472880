/*
 * How formats write: pieces of text go to the function `put` of the caller at once, and nothing is
 * kept.  After the first failure all further writes do nothing, so formats need not check each
 * one; they look at `failed` at the end.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/error.h"
#include "draw/character.h"
#include "draw/draw_format.h"

static void put(struct lsi_writer *w, const char *text)
{
	if (!w->failed)
		w->failed = w->put(w->context, text);
}

/* A text that does not fit the buffer gets memory of its own, for this call. */
void lsi_write(struct lsi_writer *w, const char *format, ...)
{
	char buffer[512], *text = buffer;
	va_list arguments, again;

	va_start(arguments, format);
	va_copy(again, arguments);

	const int length = vsnprintf(buffer, sizeof buffer, format, arguments);

	if (length >= (int)sizeof buffer) {
		text = lsi_alloc((size_t)length + 1);
		if (text)
			vsnprintf(text, (size_t)length + 1, format, again);
		else
			w->failed = w->failed ? w->failed : LS_ERR_MEMORY;
	}
	if (text)
		put(w, text);
	if (text != buffer)
		lsi_free(text);
	va_end(arguments);
	va_end(again);
}

void lsi_write_xml(struct lsi_writer *w, const char *text)
{
	while (*text) {
		const struct lsi_character c = lsi_character_next(&text);

		put(w,
			*c.text == '&'       ? "&amp;"
				: *c.text == '<' ? "&lt;"
				: *c.text == '>' ? "&gt;"
				: *c.text == '"' ? "&quot;"
								 : c.text);
	}
}

/* Adding 0.0 makes 0 of -0, which would be printed with its sign. */
void lsi_write_number(struct lsi_writer *w, double number)
{
	const double tenths = round(number * 10);

	if (fmod(tenths, 10) == 0)
		lsi_write(w, "%.0f", tenths / 10 + 0.0);
	else
		lsi_write(w, "%.1f", tenths / 10);
}

int lsi_draw_check_arguments(const void *what, const char *name, const char *format,
	int (*put_text)(void *context, const char *text), struct ls_error *why)
{
	if (!what)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "%s is NULL; expected a struct ls_%s", name, name);
	if (!format)
		return lsi_error_set(
			why, LS_ERR_ARGUMENT, "format is NULL; expected svg or another format");
	if (!put_text)
		return lsi_error_set(why, LS_ERR_ARGUMENT, "put is NULL; expected a function");
	return LS_OK;
}
