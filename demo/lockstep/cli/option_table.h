/*
 * The table of options: it parses, helps and says which verb takes what.
 */
#ifndef LOCKSTEP_CLI_OPTION_TABLE_H
#define LOCKSTEP_CLI_OPTION_TABLE_H

#include "cli/tool.h"

enum { OPTION_ROWS = 33 };

struct option_row {
	const char *name, *argument; /* argument NULL: takes none */
	char letter;                 /* 0: only the long form */
	const char *verbs;           /* that take it; NULL: all */
	int (*set)(struct options *, const char *value);
	const char *text;
};

extern const struct option_row option_table[OPTION_ROWS];

#endif
