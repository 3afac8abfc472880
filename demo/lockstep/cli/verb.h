/*
 * The table of verbs.  Parsing, help, messages and lists of verbs iterate it.
 */
#ifndef LOCKSTEP_CLI_VERB_H
#define LOCKSTEP_CLI_VERB_H

#include "cli/option_table.h"
#include "report/format.h"

enum { EXAMPLES = 5 };

struct verb {
	const char *name;
	int (*act)(const struct options *); /* exit code */
	/* Under mpirun: whether all processes execute it together, and how; NULL: process 0 does. */
	bool (*share)(struct options *);
	int least, most;    /* operands */
	const char *needs;  /* "a file": the required operand; NULL: none is required */
	const char *listed; /* the kind of choices.h that help lists; NULL: none */
	int operation;      /* the operand that names an operation: 0, 1, .. */
	const char *before; /* the words before that operand; NULL: the name of the verb */
	bool plans;         /* --plan FILE may stand for the first operand */
	const char *operands, *text;
	uint64_t options;             /* TAKES(id) of each option that not every verb takes */
	const struct format *formats; /* that it writes; NULL: free text only */
	const char *default_format;   /* in words; NULL: the first of them */
	const char *examples[EXAMPLES + 1];
};

extern const struct verb verbs[]; /* NULL name at the end */

/* Exit code; an unknown word gives a message. */
int find_verb(const char *word, const struct verb **out);

bool verb_takes(const struct verb *, enum option_id);

/* "run, steps and bench": the verbs that take an option. */
void verbs_that_take(enum option_id, char *text, size_t size);

int verb_run(const struct options *);
bool share_run(struct options *), share_bench(struct options *);
int verb_steps(const struct options *);
int verb_draw(const struct options *);
int verb_check(const struct options *);
int verb_find(const struct options *);
int verb_records(const struct options *);
int verb_bench(const struct options *);
int verb_chart(const struct options *);
int verb_fit(const struct options *);
int verb_list(const struct options *);
int verb_reproduce(const struct options *);
int verb_info(const struct options *);
int verb_help(const struct options *);

extern const struct format run_formats[], steps_formats[], draw_formats[], check_formats[];
extern const struct format bench_formats[], chart_formats[], find_formats[], records_formats[];
extern const struct format fit_formats[], list_formats[], reproduce_formats[], info_formats[];

/* help.c: the text of `lockstep help`, or of one verb. */
void print_help(const struct verb *);

#endif
