/*
 * Options of the command line that would have no effect: they are refused.
 */
#ifndef LOCKSTEP_CLI_OPTION_USE_H
#define LOCKSTEP_CLI_OPTION_USE_H

#include "cli/verb.h"

/* Refuse an option that the operation, the engines or the plan cannot use; exit code. */
int check_used(const struct options *);

/*
 * Refuse an option that is neither in `used` nor taken by every verb: "bench cores takes no --op;
 * try without it".  Exit code.
 */
int check_only(const struct options *, uint64_t used, const char *subject);

#endif
