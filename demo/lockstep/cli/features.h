/*
 * The features that the tool was built with, and the environment variables that it reads.
 */
#ifndef LOCKSTEP_CLI_FEATURES_H
#define LOCKSTEP_CLI_FEATURES_H

#include "report/text_table.h"

/* The lines of --version -v. */
void print_features(void);

/* One row (name, value) per LOCKSTEP_ variable that is known or set. */
void add_environment(struct table *);

#endif
