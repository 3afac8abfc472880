/*
 * The progress of a long sweep or search: one line on a terminal, rewritten, and erased at the end.
 */
#ifndef LOCKSTEP_REPORT_PROGRESS_H
#define LOCKSTEP_REPORT_PROGRESS_H

#include "base/output.h"

#include <lockstep.h>

/* Whether stderr is a terminal and messages are not suppressed. */
bool progress_is_visible(const struct output *);
void progress_show(const struct ls_sweep_progress *);
void progress_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_erase(void);

#endif
