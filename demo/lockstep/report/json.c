#include "report/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 sequence that begins here (RFC 3629), 0: none. */
static size_t utf8_length(const unsigned char *s)
{
	const size_t length = s[0] < 0x80 ? 1
		: s[0] < 0xc2                 ? 0
		: s[0] < 0xe0                 ? 2
		: s[0] < 0xf0                 ? 3
		: s[0] < 0xf5                 ? 4
									  : 0;

	for (size_t i = 1; i < length; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
		|| (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return length;
}

static void put_string(FILE *file, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', file);
	while (*s) {
		const size_t length = utf8_length(s);

		if (length == 0)
			fputs("\\ufffd", file);
		else if (*s < ' ' || *s == 0x7f)
			fprintf(file, "\\u%04x", *s);
		else
			fprintf(
				file, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", (int)length, (const char *)s);
		s += length > 0 ? length : 1;
	}
	fputc('"', file);
}

static void begin_member(struct json *json, const char *name)
{
	if (json->depth > 0) {
		if (json->open[json->depth - 1].filled)
			fputc(',', json->file);
		json->open[json->depth - 1].filled = true;
	}
	if (name) {
		put_string(json->file, name);
		fputc(':', json->file);
	}
}

static void begin_value(struct json *json, const char *name, char start, char end)
{
	begin_member(json, name);
	fputc(start, json->file);
	json->open[json->depth].end = end;
	json->open[json->depth++].filled = false;
}

void json_object(struct json *json, const char *name)
{
	begin_value(json, name, '{', '}');
}

void json_array(struct json *json, const char *name)
{
	begin_value(json, name, '[', ']');
}

void json_end(struct json *json)
{
	fputc(json->open[--json->depth].end, json->file);
	if (json->depth == 0)
		fputc('\n', json->file);
}

void json_text(struct json *json, const char *name, const char *text)
{
	begin_member(json, name);
	if (text)
		put_string(json->file, text);
	else
		fputs("null", json->file);
}

void json_int(struct json *json, const char *name, int64_t value)
{
	begin_member(json, name);
	fprintf(json->file, "%" PRId64, value);
}

void json_uint(struct json *json, const char *name, uint64_t value)
{
	begin_member(json, name);
	fprintf(json->file, "%" PRIu64, value);
}

void json_real(struct json *json, const char *name, double value)
{
	begin_member(json, name);
	if (isfinite(value))
		fprintf(json->file, "%.17g", value);
	else
		fputs("null", json->file);
}

void json_bool(struct json *json, const char *name, bool value)
{
	begin_member(json, name);
	fputs(value ? "true" : "false", json->file);
}

void json_number(struct json *json, const char *name, const char *digits)
{
	begin_member(json, name);
	fputs(digits, json->file);
}
