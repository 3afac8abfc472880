#include "report/json_read.h"

#include "base/messages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MOST = 64, HEX_DIGITS = 4, REPLACEMENT = 0xfffd };

struct reader {
	const char *at;
	const char *expected; /* at `at`; NULL: no error yet */
	int depth;
};

static struct json_value *fail(struct reader *reader, const char *expected)
{
	if (!reader->expected)
		reader->expected = expected;
	return NULL;
}

static void skip_space(struct reader *reader)
{
	reader->at += strspn(reader->at, " \t\r\n");
}

static bool skip(struct reader *reader, char expected)
{
	skip_space(reader);
	if (*reader->at != expected)
		return false;
	reader->at++;
	return true;
}

/* ---- Texts */

/* Of a code below 0x10000. */
static char *put_utf8(char *to, uint32_t code)
{
	if (code >= 0x800)
		*to++ = (char)(0xe0 | code >> 12);
	else if (code >= 0x80)
		*to++ = (char)(0xc0 | code >> 6);
	if (code >= 0x800)
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
	*to++ = (char)(code < 0x80 ? code : 0x80 | (code & 0x3f));
	return to;
}

/* The four digits after "\u"; false: there are fewer.  Surrogates and NUL are replaced. */
static bool read_code(struct reader *reader, uint32_t *out)
{
	char digits[HEX_DIGITS + 1] = "";

	memcpy(digits, reader->at, strnlen(reader->at, HEX_DIGITS));
	if (strspn(digits, "0123456789abcdefABCDEF") != HEX_DIGITS)
		return false;
	*out = (uint32_t)strtoul(digits, NULL, 16);
	if (*out == 0 || (*out >= 0xd800 && *out < 0xe000))
		*out = REPLACEMENT;
	reader->at += HEX_DIGITS;
	return true;
}

/* The character after a backslash; NULL: unknown. */
static char *read_escape(struct reader *reader, char *to)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char letter = *reader->at;
	uint32_t code;

	if (letter == '\0')
		return NULL;
	reader->at++;
	if (letter == 'u')
		return read_code(reader, &code) ? put_utf8(to, code) : NULL;
	if (!strchr(letters, letter))
		return NULL;
	*to++ = meanings[strchr(letters, letter) - letters];
	return to;
}

/* Characters up to the last quote, escapes as they are. */
static size_t text_length(const char *at)
{
	size_t length = 0;

	while ((unsigned char)at[length] >= ' ' && at[length] != '"')
		length += at[length] == '\\' && at[length + 1] ? 2 : 1;
	return length;
}

/* After the first quote.  NULL: failed. */
static char *read_text(struct reader *reader)
{
	/* No escape is shorter than its meaning. */
	char *text = require_memory(malloc(text_length(reader->at) + 1)), *to = text;

	while (to && (unsigned char)*reader->at >= ' ' && *reader->at != '"')
		if (*reader->at != '\\') {
			*to++ = *reader->at++;
		} else {
			reader->at++;
			to = read_escape(reader, to);
		}
	if (to && *reader->at == '"') {
		reader->at++;
		*to = '\0';
		return text;
	}
	fail(reader, to ? "'\"' at the end of a text" : "an escape such as \\n or \\u00e9");
	free(text);
	return NULL;
}

/* ---- Values */

static struct json_value *make_value(enum json_kind kind)
{
	struct json_value *value = require_memory(calloc(1, sizeof *value));

	value->kind = kind;
	return value;
}

static struct json_value *read_plain(struct reader *reader)
{
	static const char *const words[] = {
		[JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true"
	};
	const char *digit = reader->at + (*reader->at == '-');

	if (*digit >= '0' && *digit <= '9') {
		struct json_value *value = make_value(JSON_NUMBER);
		char *end;

		value->number = strtod(reader->at, &end);
		reader->at = end;
		return value;
	}
	for (int kind = JSON_NULL; kind <= JSON_TRUE; kind++)
		if (strncmp(reader->at, words[kind], strlen(words[kind])) == 0) {
			reader->at += strlen(words[kind]);
			return make_value((enum json_kind)kind);
		}
	return fail(reader, "a value");
}

static struct json_value *read_value(struct reader *);

static struct json_value *read_member(struct reader *reader)
{
	char *name = skip(reader, '"') ? read_text(reader) : NULL;
	struct json_value *value = NULL;

	if (!name)
		return fail(reader, "a name in quotes");
	if (skip(reader, ':'))
		value = read_value(reader);
	else
		fail(reader, "':'");
	if (value)
		value->name = name;
	else
		free(name);
	return value;
}

/* After the first bracket. */
static struct json_value *read_values(struct reader *reader, enum json_kind kind)
{
	const char end = kind == JSON_LIST ? ']' : '}';
	struct json_value *value = make_value(kind), **last = &value->first;

	if (skip(reader, end))
		return value;
	do {
		*last = kind == JSON_LIST ? read_value(reader) : read_member(reader);
		if (!*last)
			break;
		last = &(*last)->next;
	} while (skip(reader, ','));
	if (!reader->expected && skip(reader, end))
		return value;
	fail(reader, kind == JSON_LIST ? "',' or ']'" : "',' or '}'");
	json_destroy(value);
	return NULL;
}

static struct json_value *read_value(struct reader *reader)
{
	struct json_value *value = NULL;

	if (++reader->depth > DEPTH_MOST)
		return fail(reader, "fewer brackets inside brackets");
	if (skip(reader, '{')) {
		value = read_values(reader, JSON_OBJECT);
	} else if (skip(reader, '[')) {
		value = read_values(reader, JSON_LIST);
	} else if (skip(reader, '"')) {
		char *text = read_text(reader);

		if (text) {
			value = make_value(JSON_TEXT);
			value->text = text;
		}
	} else {
		value = read_plain(reader);
	}
	reader->depth--;
	return value;
}

struct json_value *json_read(const char *text, char *error, size_t size)
{
	struct reader reader = { .at = text };
	struct json_value *value = read_value(&reader);
	size_t number = 1;

	if (value)
		skip_space(&reader);
	if (value && *reader.at == '\0')
		return value;
	if (value)
		fail(&reader, "the end of the document");
	json_destroy(value);
	for (const char *c = text; c < reader.at; c++)
		number += *c == '\n';
	snprintf(error, size, "%zu: expected %s", number, reader.expected);
	return NULL;
}

void json_destroy(struct json_value *value)
{
	while (value) {
		struct json_value *next = value->next;

		json_destroy(value->first);
		free(value->name);
		free(value->text);
		free(value);
		value = next;
	}
}

const struct json_value *json_find(const struct json_value *value, const char *path)
{
	while (value && *path) {
		const size_t length = strcspn(path, ".");

		if (value->kind != JSON_OBJECT)
			return NULL;
		value = value->first;
		while (value && (strncmp(value->name, path, length) != 0 || value->name[length]))
			value = value->next;
		path += length + (path[length] == '.');
	}
	return value;
}
