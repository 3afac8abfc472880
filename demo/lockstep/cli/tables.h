/*
 * The tables of verbs and options, for the manual page and completion.
 */
#ifndef LOCKSTEP_CLI_TABLES_H
#define LOCKSTEP_CLI_TABLES_H

#include "cli/verb.h"

enum { TABLE_OPTIONS = OPTIONS };

/* An option is its row in option_table. */
bool verb_takes_option(const struct verb *, int option);
bool every_verb_takes_option(int option);

#endif
