#include "report/json.h"

#include <math.h>

#define INTEGER_MOST 1e15 /* below it, whole numbers have up to 15 digits */

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

/* Characters from the start that need no change. */
static size_t plain_length(const unsigned char *s)
{
	size_t length = 0;

	while (s[length] >= ' ' && s[length] < 0x7f && s[length] != '"' && s[length] != '\\')
		length++;
	return length;
}

/* Most texts are one plain piece: large documents have millions of texts and numbers. */
static void put_string(FILE *file, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', file);
	for (;;) {
		const size_t plain = plain_length(s);

		fwrite(s, 1, plain, file);
		s += plain;
		if (!*s)
			break;

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

static void put_integer(FILE *file, bool is_negative, uint64_t magnitude)
{
	char digits[24], *const end = digits + sizeof digits, *at = end;

	do {
		*--at = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude > 0);
	if (is_negative)
		*--at = '-';
	fwrite(at, 1, (size_t)(end - at), file);
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
	put_integer(json->file, value < 0, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_int_or_null(struct json *json, const char *name, bool known, int64_t value)
{
	if (known)
		json_int(json, name, value);
	else
		json_text(json, name, NULL);
}

void json_uint(struct json *json, const char *name, uint64_t value)
{
	begin_member(json, name);
	put_integer(json->file, false, value);
}

void json_real(struct json *json, const char *name, double value)
{
	begin_member(json, name);
	if (value > 0 && value < INTEGER_MOST && value == floor(value))
		put_integer(json->file, false, (uint64_t)value); /* the same text, faster */
	else if (isfinite(value))
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
