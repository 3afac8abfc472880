/*
 * The members that every JSON document of the tool begins with.
 */
#ifndef LOCKSTEP_REPORT_DOCUMENT_H
#define LOCKSTEP_REPORT_DOCUMENT_H

#include "report/json.h"
#include "base/output.h"

#include <lockstep.h>

/* On stdout, open: schema, tool, version, command, machine; json_end closes it. */
struct json document_begin(const struct output *);
void document_topology(struct json *, const ls_topology *);

/* A count that stops at the top: null there, where only "that many or more" is known. */
void document_count(struct json *, const char *name, int64_t);

#endif
