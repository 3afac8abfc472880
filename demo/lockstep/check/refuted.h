/*
 * check --bound: a lower bound on the rounds, by the refutation in a file.
 */
#ifndef LOCKSTEP_CHECK_REFUTED_H
#define LOCKSTEP_CHECK_REFUTED_H

#include "cli/options.h"

/* Checks the refutation, and prints the bound; exit code. */
int check_refutation(const struct options *);

#endif
