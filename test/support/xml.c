#include "support/xml.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"

enum { DEPTH = 64 };

struct reader {
	struct xml *xml;
	const char *begin, *at;
	int open[DEPTH], depth; /* elements that are not closed */
};

static bool refuse(struct reader *r, const char *what)
{
	int line = 1;

	for (const char *c = r->begin; c < r->at; c++)
		line += *c == '\n';
	if (!r->xml->why[0])
		snprintf(r->xml->why, sizeof r->xml->why, "line %d: %s, at '%.40s'", line, what, r->at);
	return false;
}

static bool skip(struct reader *r, const char *word)
{
	const size_t length = strlen(word);

	if (strncmp(r->at, word, length) != 0)
		return false;
	r->at += length;
	return true;
}

static void skip_space(struct reader *r)
{
	while (*r->at && strchr(" \t\r\n", *r->at))
		r->at++;
}

static bool is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == ':' || c == '.';
}

/* NULL: there is no name. */
static const char *read_name(struct reader *r)
{
	char *const name = r->xml->free;

	if (!isalpha((unsigned char)*r->at))
		return NULL;
	while (is_name_character(*r->at))
		*r->xml->free++ = *r->at++;
	*r->xml->free++ = '\0';
	return name;
}

static bool read_entity(struct reader *r)
{
	static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;" };

	for (int i = 0; i < 5; i++) {
		if (skip(r, entity[i])) {
			*r->xml->free++ = "&<>\"'"[i];
			return true;
		}
	}
	return refuse(r, "an entity");
}

size_t xml_character(const char *text)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	const size_t length = s[0] >> 7 == 0 ? 1
		: s[0] >> 5 == 6                 ? 2
		: s[0] >> 4 == 14                ? 3
		: s[0] >> 3 == 30                ? 4
										 : 0;
	uint32_t code = length < 2 ? s[0] : s[0] & (0x7fu >> length);

	for (size_t i = 1; i < length; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code = code << 6 | (s[i] & 63);
	}
	if (code < least[length] || code > 0x10ffff || code >> 11 == 0x1b || code >> 1 == 0x7fff)
		return 0;
	return code >= ' ' || (code && strchr("\t\r\n", (int)code)) ? length : 0;
}

/* Characters up to `end`, which stays; entities are resolved. */
static const char *read_characters(struct reader *r, char end)
{
	char *const text = r->xml->free;

	while (*r->at && *r->at != end) {
		const size_t length = xml_character(r->at);

		if (*r->at == '<' || length == 0 || strncmp(r->at, "]]>", 3) == 0) {
			refuse(r, "a character");
			return NULL;
		}
		if (*r->at == '&') {
			if (!read_entity(r))
				return NULL;
			continue;
		}
		memcpy(r->xml->free, r->at, length);
		r->xml->free += length;
		r->at += length;
	}
	*r->xml->free++ = '\0';
	return *r->at == end ? text : NULL;
}

static bool read_attribute(struct reader *r, struct xml_element *element)
{
	const char *key = read_name(r), *value;
	char quote;

	if (!key || !skip(r, "=") || (*r->at != '"' && *r->at != '\''))
		return refuse(r, "an attribute");
	quote = *r->at++;
	value = read_characters(r, quote);
	if (!value)
		return refuse(r, "a value");
	r->at++;
	if (xml_value(element, key) || element->attributes == XML_ATTRIBUTES)
		return refuse(r, "an attribute twice");
	element->key[element->attributes] = key;
	element->value[element->attributes++] = value;
	return true;
}

static struct xml_element *new_element(struct reader *r)
{
	struct xml *xml = r->xml;

	if (xml->elements == xml->room) {
		xml->room = 2 * xml->room + 256;
		xml->element = realloc(xml->element, (size_t)xml->room * sizeof *xml->element);
		if (!xml->element)
			exit(1);
	}
	xml->element[xml->elements] =
		(struct xml_element){ .parent = r->depth > 0 ? r->open[r->depth - 1] : -1, .text = "" };
	return &xml->element[xml->elements++];
}

/* After "<". */
static bool read_start(struct reader *r)
{
	struct xml_element *element = new_element(r);

	element->name = read_name(r);
	if (!element->name)
		return refuse(r, "a tag");
	while (strchr(" \t\r\n", *r->at)) {
		skip_space(r);
		if (*r->at == '>' || *r->at == '/')
			break;
		if (!read_attribute(r, element))
			return false;
	}
	if (skip(r, "/>"))
		return true;
	if (!skip(r, ">") || r->depth == DEPTH)
		return refuse(r, "the end of a tag");
	r->open[r->depth++] = r->xml->elements - 1;
	element->text = *r->at == '<' ? "" : read_characters(r, '<');
	return element->text || refuse(r, "text");
}

/* After "</". */
static bool read_end(struct reader *r)
{
	const char *name = read_name(r);

	if (!name || r->depth == 0 || strcmp(name, r->xml->element[r->open[r->depth - 1]].name) != 0)
		return refuse(r, "an end tag");
	r->depth--;
	skip_space(r);
	return skip(r, ">") || refuse(r, "the end of a tag");
}

static int compare_texts(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static bool check_ids(struct reader *r)
{
	const char **id = memory((size_t)r->xml->elements + 1, sizeof *id);
	bool unique = true;
	size_t n = 0;

	for (int i = 0; i < r->xml->elements; i++) {
		id[n] = xml_value(&r->xml->element[i], "id");
		n += id[n] != NULL;
	}
	qsort(id, n, sizeof *id, compare_texts);
	for (size_t i = 1; i < n; i++)
		unique = unique && strcmp(id[i - 1], id[i]) != 0;
	free(id);
	return unique || refuse(r, "two elements with one id");
}

bool xml_read(const char *text, struct xml *out)
{
	struct reader r = { .xml = out, .begin = text, .at = text };

	*out = (struct xml){ .memory = memory(2 * strlen(text) + 2, 1) };
	out->free = out->memory;
	do {
		skip_space(&r);
		if (!(skip(&r, "</")        ? read_end(&r)
					: skip(&r, "<") ? read_start(&r)
									: refuse(&r, "text between elements")))
			return false;
	} while (r.depth > 0);
	skip_space(&r);
	if (*r.at)
		return refuse(&r, "something after the root");
	return check_ids(&r);
}

void xml_release(struct xml *xml)
{
	free(xml->element);
	free(xml->memory);
}

const char *xml_value(const struct xml_element *element, const char *key)
{
	for (int i = 0; i < element->attributes; i++) {
		if (strcmp(element->key[i], key) == 0)
			return element->value[i];
	}
	return NULL;
}

int64_t xml_number(const struct xml_element *element, const char *key)
{
	const char *value = xml_value(element, key);

	return value ? strtoll(value, NULL, 10) : -1;
}

bool xml_has_class(const struct xml_element *element, const char *class)
{
	const char *at = xml_value(element, "class");
	const size_t length = strlen(class);

	while (at && *at) {
		const size_t word = strcspn(at, " ");

		if (word == length && strncmp(at, class, length) == 0)
			return true;
		at += word + strspn(at + word, " ");
	}
	return false;
}
