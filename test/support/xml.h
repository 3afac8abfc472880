/*
 * A reader of XML as pictures use it: elements, attributes and text.  It shares no code with the
 * writer, and refuses what is not well-formed: tags that do not nest, attributes that are not
 * quoted or occur twice, unknown entities, control characters, bytes that are not UTF-8, two
 * elements with one id.
 */
#ifndef LOCKSTEP_TEST_XML_H
#define LOCKSTEP_TEST_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XML_ATTRIBUTES = 16 };

struct xml_element {
	const char *name;
	int parent; /* index of an element before it; -1: the root */
	const char *key[XML_ATTRIBUTES], *value[XML_ATTRIBUTES];
	int attributes;
	const char *text; /* up to the first child; entities are resolved */
};

/* In document order. */
struct xml {
	struct xml_element *element;
	int elements, room;
	char *memory, *free; /* of the texts */
	char why[160];       /* of a refusal, with the line */
};

/* Read a document; false: it is not well-formed.  Release in both cases. */
bool xml_read(const char *text, struct xml *out);
void xml_release(struct xml *);

/* The value of an attribute; NULL: there is none. */
const char *xml_value(const struct xml_element *, const char *key);
/* The same as an integer; -1: there is none. */
int64_t xml_number(const struct xml_element *, const char *key);
/* Is a word one of those of the attribute class? */
bool xml_has_class(const struct xml_element *, const char *class);

/* The bytes of the first character of a text; 0: it is not UTF-8, or XML forbids it. */
size_t xml_character(const char *text);

#endif
