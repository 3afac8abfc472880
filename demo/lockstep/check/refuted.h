/*
 * check --bound: a lower bound on the rounds, by the refutation in a file.
 */
#ifndef LOCKSTEP_CHECK_REFUTED_H
#define LOCKSTEP_CHECK_REFUTED_H

#include "base/output.h"
#include "base/query.h"

/* Checks the refutation, and prints the bound; exit code. */
int check_refutation(const struct query *, const struct output *, const char *path);

#endif
