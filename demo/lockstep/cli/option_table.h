/*
 * The table of options.  Parsing, help and messages iterate it.
 */
#ifndef LOCKSTEP_CLI_OPTION_TABLE_H
#define LOCKSTEP_CLI_OPTION_TABLE_H

#include "cli/options.h"

/* In the order of --help. */
enum option_id {
	OPTION_TOPOLOGY,
	OPTION_MESSAGE_SIZE,
	OPTION_ALGORITHM,
	OPTION_MAP,
	OPTION_ROOT,
	OPTION_SHIFT,
	OPTION_OP,
	OPTION_TYPE,
	OPTION_MODE,
	OPTION_PORTS,
	OPTION_STRICT,
	OPTION_ENGINE,
	OPTION_NODES,
	OPTION_WORKERS,
	OPTION_ROUNDS,
	OPTION_MAILBOX,
	OPTION_ITERATIONS,
	OPTION_WARMUP,
	OPTION_SAMPLES,
	OPTION_MODEL,
	OPTION_SEED,
	OPTION_BIND,
	OPTION_TIMEOUT,
	OPTION_INPUT,
	OPTION_OUTPUT,
	OPTION_TRACE,
	OPTION_TIMES,
	OPTION_PLAN,
	OPTION_EXPECT,
	OPTION_BOUND,
	OPTION_WITHIN,
	OPTION_BUDGET,
	OPTION_SOLVER,
	OPTION_PROOF,
	OPTION_RECORD,
	OPTION_SYMMETRY,
	OPTION_PREFIX,
	OPTION_COMPARE,
	OPTION_VIEW,
	OPTION_X_AXIS,
	OPTION_STEP,
	OPTION_VALUES,
	OPTION_LABELS,
	OPTION_LAYOUT,
	OPTION_FOCUS,
	OPTION_COLUMNS,
	OPTION_THEME,
	OPTION_TITLE,
	OPTION_CAPTION,
	OPTION_WIDTH,
	OPTION_STANDALONE,
	OPTION_BEAMER,
	OPTION_AXES,
	OPTION_SERIES,
	OPTION_LIST,
	OPTION_FORMAT,
	OPTION_JSON,
	OPTION_CSV,
	OPTION_COLOR,
	OPTION_QUIET,
	OPTION_VERBOSE,
	OPTION_HELP,
	OPTION_VERSION,
	OPTIONS
};

#define TAKES(id) (UINT64_C(1) << (id))

/* The options that every verb takes. */
#define EVERY_VERB \
	(TAKES(OPTION_FORMAT) | TAKES(OPTION_COLOR) | TAKES(OPTION_HELP) | TAKES(OPTION_VERSION))

/*
 * The options of pictures: those that have an effect in a chart, in a graph, on a page with the
 * picture of a plan, and in LaTeX, which takes all.
 */
#define CHART_OPTIONS \
	(TAKES(OPTION_TITLE) | TAKES(OPTION_CAPTION) | TAKES(OPTION_THEME) | TAKES(OPTION_WIDTH))
#define GRAPH_OPTIONS \
	(TAKES(OPTION_STEP) | TAKES(OPTION_LABELS) | TAKES(OPTION_LAYOUT) | TAKES(OPTION_FOCUS) \
		| TAKES(OPTION_THEME))
#define PAGE_OPTIONS \
	(CHART_OPTIONS | GRAPH_OPTIONS | TAKES(OPTION_VIEW) | TAKES(OPTION_X_AXIS) \
		| TAKES(OPTION_VALUES) | TAKES(OPTION_COLUMNS))
#define LATEX_OPTIONS (PAGE_OPTIONS | TAKES(OPTION_STANDALONE) | TAKES(OPTION_BEAMER))

/* The property of the operation, engine or rounds without which the option has no effect. */
enum option_need {
	NEEDS_NOTHING,
	NEEDS_ELEMENTS,
	NEEDS_ROOT,
	NEEDS_DISTANCE,
	NEEDS_OPERATOR,
	NEEDS_MAILBOXES,
	NEEDS_MESSAGES,
	NEEDS_NODES,
	NEEDS_WORKERS,
	NEEDS_LOCKSTEP,
	OPTION_NEEDS
};

struct option_row {
	const char *name, *argument;                     /* argument NULL: takes none */
	char letter;                                     /* 0: only the long form */
	int (*set)(struct options *, const char *value); /* exit code */
	const char *text;
	enum option_need need;
};

extern const struct option_row option_table[OPTIONS];

/* The text of an option that means something else for one verb. */
struct verb_text {
	enum option_id id;
	const char *verb, *text;
};
extern const struct verb_text verb_texts[]; /* NULL verb at the end */

/* The text of an option for a verb. */
const char *option_text(enum option_id, const char *verb);

#endif
