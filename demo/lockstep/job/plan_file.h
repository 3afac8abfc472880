/*
 * The file of --plan: a plan as text, or a trace, whose messages have no contents.  Or that of
 * draw --trace: a trace, whose messages passed.
 *
 * It is read once, before anything else uses the query.  Values that the command line does not give
 * come from its first lines: of a plan the operation; of a trace the operation, topology, root,
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
	bool is_plan;      /* else a trace */
	char *statement;   /* first line of a trace, or operation of a plan; query points into it */
	const char *map;   /* of a trace of an embedded plan; NULL: not embedded */
	const char *cores; /* of a trace: the core of each node, as text; NULL: not known */
};

/* Read a file, "-": standard input, into *out, and set query->file; exit code. */
int plan_file_open(struct query *, const char *path, struct plan_file *out);
/*
 * In a shared run, where process 0 alone has standard input: the other processes get what it has
 * read there; exit code.
 */
int plan_file_share(struct query *, struct plan_file *);
void plan_file_close(struct plan_file *);

/* The messages of a trace, in their order; the caller frees *out.  Exit code. */
int plan_file_messages(
	const struct plan_file *, int64_t nodes, struct ls_message **out, size_t *count);

/* The words of all messages that a trace sends, INT64_MAX: or more; -1: not stated.  Exit code. */
int plan_file_words(const struct plan_file *, int64_t nodes, int64_t *words);

/*
 * Infer the plan of a trace for the operation of the request.  Without a plan, why->kind says why.
 * The exit code reports unreadable rows only.
 */
int plan_file_infer(
	const struct plan_file *, const struct ls_request *, ls_plan **out, struct ls_error *why);

/*
 * Make the plan of the file; that of a trace is inferred for the operation of the request.  Reports
 * errors; exit code.
 */
int plan_file_plan(const struct plan_file *, const struct ls_request *, ls_plan **out);

#endif
