/*
 * The lower bounds of the rounds and of the volume of a plan that was checked.
 */
#ifndef LOCKSTEP_CHECK_BOUNDS_H
#define LOCKSTEP_CHECK_BOUNDS_H

#include "job/embedded.h"
#include "report/document.h"
#include "report/text_table.h"

void bounds_print(const struct job *, const struct ls_certificate *);
/* The fields lower_bound, gap, volume, words_bound, in JSON also block_bound; null if unknown. */
void bounds_to_json(struct json *, const struct job *, const struct ls_certificate *);
void bounds_to_table(struct table *, const struct job *, const struct ls_certificate *);

#endif
