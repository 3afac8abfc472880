/*
 * The members that every JSON document of the tool begins with.
 */
#ifndef LOCKSTEP_REPORT_DOCUMENT_H
#define LOCKSTEP_REPORT_DOCUMENT_H

#include "base/output.h"
#include "report/json.h"

#include <lockstep.h>

/*
 * Begins the document in output->file with schema, tool, version, command and machine, under
 * mpirun also with processes; json_end closes it.
 */
struct json document_begin(const struct output *);
/*
 * After a failure other than EXIT_USAGE: writes a document with status and error, if the format is
 * JSON and no document was begun.  The text is that of the last message.
 */
void document_error(const struct output *, int exit_code);

/* The member "error" of a failure whose message was printed last. */
void document_put_error(struct json *, int exit_code);

void document_topology(struct json *, const ls_topology *);

#endif
