/*
 * The file of --plan: a plan as text, or a trace, whose messages have no contents.
 *
 * It is read once, before anything else looks at the query, and gives the query what its first lines
 * state and the command line does not: a plan its operation; a trace the operation, topology, root,
 * shift, mode, ports and elements.
 */
#ifndef LOCKSTEP_JOB_PLAN_FILE_H
#define LOCKSTEP_JOB_PLAN_FILE_H

#include "base/query.h"
#include "data/trace_file.h"

struct plan_file {
	const char *path; /* as in messages */
	char *text;
	size_t length;
	bool is_plan;     /* else a trace */
	char *statement;  /* the first line of a trace, which query points into */
	bool is_embedded; /* a trace of an embedded plan */
};

/* Read query->plan, "-": standard input, into *out, and set query->file; exit code. */
int plan_file_open(struct query *, struct plan_file *out);
void plan_file_close(struct plan_file *);

/* The messages of a trace, in their order; the caller frees *out.  Exit code. */
int plan_file_messages(
	const struct plan_file *, int64_t nodes, struct ls_message **out, size_t *count);

/* The words of all messages that a trace sends, INT64_MAX: or more; exit code. */
int plan_file_words(const struct plan_file *, int64_t nodes, int64_t *words);

/*
 * The plan that follows from a trace, for the operation of the request, or why there is none in why->kind.
 * Exit code: unreadable rows only.
 */
int plan_file_infer(
	const struct plan_file *, const struct ls_request *, ls_plan **out, struct ls_error *why);

/*
 * The plan of the file.  Of a trace it is inferred, for the operation of the request.  Exit code, after a
 * message.
 */
int plan_file_plan(const struct plan_file *, const struct ls_request *, ls_plan **out);

#endif
