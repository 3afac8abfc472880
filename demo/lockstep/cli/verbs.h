/*
 * The verbs: one function each, one file each.
 */
#ifndef LOCKSTEP_CLI_VERBS_H
#define LOCKSTEP_CLI_VERBS_H

struct options;

int verb_run(const struct options *);
int verb_steps(const struct options *);
int verb_check(const struct options *);
int verb_bench(const struct options *);
int verb_fit(const struct options *);
int verb_list(const struct options *);
int verb_reproduce(const struct options *);
int verb_info(const struct options *);
int verb_help(const struct options *);

#endif
