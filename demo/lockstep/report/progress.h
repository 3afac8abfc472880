/*
 * How far a long sweep has come: one line on a terminal, rewritten, and erased at its end.
 */
#ifndef LOCKSTEP_REPORT_PROGRESS_H
#define LOCKSTEP_REPORT_PROGRESS_H

#include "base/output.h"

#include <lockstep.h>

/* Whether anybody sees it. */
bool progress_wanted(const struct output *);
void progress_show(const struct ls_sweep_progress *);
void progress_erase(void);

#endif
