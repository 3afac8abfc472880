/*
 * How far a long sweep has come: one line on a terminal, rewritten, and erased at its end.
 */
#ifndef LOCKSTEP_PROGRESS_H
#define LOCKSTEP_PROGRESS_H

#include "tool.h"

/* Whether anybody sees it. */
bool progress_wanted(const struct options *);
void progress_show(const struct ls_sweep_progress *);
void progress_erase(void);

/* "12.3 k", "1.5 G": three digits and a prefix, after which a unit may stand. */
void rate_text(double rate, char *text, size_t size);
/* "1.62 GiB" */
void bytes_text(double bytes, char *text, size_t size);

#endif
