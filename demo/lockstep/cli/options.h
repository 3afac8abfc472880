/*
 * The command line, parsed and strictly checked.
 *
 * Only verbs see it; they pass on the parts: query, how and output.
 */
#ifndef LOCKSTEP_CLI_OPTIONS_H
#define LOCKSTEP_CLI_OPTIONS_H

#include "base/drawing_choice.h"
#include "base/execution.h"
#include "base/messages.h"
#include "base/output.h"
#include "base/query.h"
#include "base/search_choice.h"
#include "job/plan_file.h"

enum { WORDS = 32 }; /* most operands of a verb */

struct verb;

struct options {
	const struct verb *verb;
	const char *word[WORDS + 1]; /* operands after the verb, NULL at the end */
	uint64_t given;              /* bit i: row i of the option table was used */
	uint64_t typed;              /* of them: by the user, not by a named figure */
	bool help, version;
	struct plan_file plan; /* of --plan */
	struct query query;
	struct execution how;
	struct drawing_choice drawing;
	struct search_choice search;
	struct output output;
};

/* Fills *out; exit code.  The caller frees out->output.command and closes out->plan. */
int options_read(struct options *out, int argc, char **argv);

#endif
