/*
 * How the options of searches store their values; they fit the table of options.
 */
#ifndef LOCKSTEP_CLI_OPTION_SEARCH_H
#define LOCKSTEP_CLI_OPTION_SEARCH_H

struct options;

int set_search_bound(struct options *, const char *value);
int set_search_within(struct options *, const char *value);
int set_search_budget(struct options *, const char *value);
int set_search_solver(struct options *, const char *value);
int set_search_proof(struct options *, const char *value);
int set_search_record(struct options *, const char *value);
int set_search_symmetry(struct options *, const char *value);
int set_search_prefix(struct options *, const char *value);

#endif
