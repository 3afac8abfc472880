/*
 * The command line tool: what its files share.
 *
 * Every function that can fail prints one line on stderr and returns an exit code; 0 means go on.
 */
#ifndef LOCKSTEP_CLI_TOOL_H
#define LOCKSTEP_CLI_TOOL_H

#include <lockstep.h>

#include <stdio.h>
#include <stdlib.h>

enum exit_code {
	EXIT_WRONG = 1,       /* wrong result, broken law or rule */
	EXIT_USAGE = 2,       /* also: unreadable file */
	EXIT_RESOURCE = 3,    /* threads, memory */
	EXIT_UNAVAILABLE = 4, /* combination not supported */
	EXIT_STUCK = 5,       /* deadlock or time limit */
	EXIT_SIGNAL = 128     /* + number of the signal */
};

enum { WORDS = 32 }; /* most operands of a verb */

enum form { FORM_TEXT, FORM_CSV, FORM_JSON };

struct verb;

/* least, least * factor, .. up to most. */
struct range {
	size_t least, most, factor;
};

/* What a list such as threads,cooperative says, in its order. */
enum { LIST_MOST = 8 };
struct list {
	int count, at[LIST_MOST];
};

/* The command line, parsed and strictly checked; topology and algorithm are still text. */
struct options {
	const struct verb *verb;
	char **command;              /* argv, NULL at the end */
	const char *word[WORDS + 1]; /* operands after the verb, NULL where none is */
	uint64_t given;              /* bit i: row i of the option table was used */

	const char *topology, *algorithm;
	const char *input, *output, *trace, *plan, *map;
	size_t count;       /* m */
	struct range sizes; /* bench: of m */
	int64_t root, shift;
	ls_type type;
	ls_op op;
	enum ls_mode mode;
	enum ls_rounds rounds;
	enum ls_engine engine;
	struct list every_rounds, engines; /* bench: all that are to be compared */
	enum ls_bind bind;
	int ports, mailbox, workers; /* 0: not given */
	size_t iterations, warmup, samples;
	struct ls_cost_model model; /* bench: in ns */
	uint64_t seed;
	double timeout;
	bool strict, quiet, verbose, help, version;
	enum form form;
	int color; /* -1 never, 0 on a terminal, 1 always */
};

struct verb {
	const char *name;
	int (*act)(const struct options *);
	int least, most; /* operands */
	const char *operands, *text;
};
extern const struct verb verbs[]; /* NULL name at the end */

/* options.c */
int options_read(struct options *, int argc, char **argv);
bool options_given(const struct options *, const char *name);
void options_print(const char *verb); /* the lines of --help */

/* names.c: the thing that a word names; else a message that suggests the nearest. */
int find_verb(const char *word, const struct verb **out);
int find_operation(const char *word, enum ls_operation *out);
int find_type(const char *word, ls_type *out);
int find_op(const char *word, ls_op *out);
int find_engine(const char *word, int *out);
const char *engine_name_now(const char *word); /* of a name that a file may hold */

/* number.c: all of the text, decimal; false: no number of this kind, or it does not fit. */
bool read_int(const char *text, int64_t *out);
bool read_unsigned(const char *text, uint64_t *out);
bool read_size(const char *text, size_t *out); /* K, M, G = 1024, 1024^2, 1024^3 */
bool read_real(const char *text, double *out);

/* number.c: three digits and a prefix, after which a unit may stand: "12.3 k"; "1.62 GiB". */
void rate_text(double rate, char *text, size_t size);
void bytes_text(double bytes, char *text, size_t size);

/* say.c */
int print_error(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int print_ls_error(const struct ls_error *);     /* the exit code of its kind */
int print_workers_error(const struct options *); /* no engine has them */
int exit_code_of(int status);
void *require_memory(void *memory); /* ends the tool, exit 3, when there is none */
bool colored(const struct options *, FILE *);
const char *verdict(const struct options *, bool right); /* ok, or WRONG, as seen on stdout */

#endif
