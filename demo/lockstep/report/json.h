/*
 * Writing JSON: well-formed whatever the texts hold, numbers exact.
 *
 * Inside an object every call names its member; inside an array `name` is NULL.
 */
#ifndef LOCKSTEP_REPORT_JSON_H
#define LOCKSTEP_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

struct json {
	FILE *file;
	int depth;
	struct {
		char end;
		bool filled;
	} open[JSON_DEPTH];
};

void json_object(struct json *, const char *name);
void json_array(struct json *, const char *name);
void json_end(struct json *); /* of the innermost; a newline after the outermost */
void json_text(struct json *, const char *name, const char *text_or_null);
void json_int(struct json *, const char *name, int64_t);
void json_int_or_null(struct json *, const char *name, bool known, int64_t);
void json_uint(struct json *, const char *name, uint64_t);
void json_real(struct json *, const char *name, double); /* not finite: null */
void json_bool(struct json *, const char *name, bool);

/* Writes the digits, or "true" or "false", as they are. */
void json_number(struct json *, const char *name, const char *digits);

#endif
