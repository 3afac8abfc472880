/*
 * Reading JSON (RFC 8259): a text becomes a tree.  Numbers are read as strtod reads them; a
 * character beyond U+FFFF that is written as two \u escapes becomes two U+FFFD.
 */
#ifndef LOCKSTEP_REPORT_JSON_READ_H
#define LOCKSTEP_REPORT_JSON_READ_H

#include <stddef.h>

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_value {
	enum json_kind kind;
	char *name; /* of a member of an object; else NULL */
	char *text; /* of JSON_TEXT; else NULL */
	double number;
	struct json_value *first, *next; /* of a list or an object; the sibling */
};

/*
 * The caller destroys the tree.  NULL: not JSON; error then names the line and the expected text:
 * "3: expected ':'".
 */
struct json_value *json_read(const char *text, char *error, size_t size);
void json_destroy(struct json_value *);

/* The value at a path of names with dots between, such as "time_ns.median"; NULL: none. */
const struct json_value *json_find(const struct json_value *, const char *path);

#endif
