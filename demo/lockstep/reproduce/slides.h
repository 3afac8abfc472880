/*
 * The slides: what their tables of claims take from other files.
 */
#ifndef LOCKSTEP_REPRODUCE_SLIDES_H
#define LOCKSTEP_REPRODUCE_SLIDES_H

#include "reproduce/reproduce.h"

/* slides_shift.c: over all shifts q of each network. */
void find_each_shift(const struct claim *, char *found); /* rounds for q = 1 .. p - 1 */
void find_most_rounds(const struct claim *, char *found);
void find_most_load(const struct claim *, char *found); /* `along` a hypercube: of p */
void find_longest_routes(const struct claim *, char *found);
void find_forward_rows(const struct claim *, char *found);
void find_signed_digits(const struct claim *, char *found);
int64_t gray_code(int64_t position);

/* slides_exchange.c: total exchange, and when long messages pay. */
void find_routes(const struct claim *, char *found);
void find_partners(const struct claim *, char *found);
void find_transposed(const struct claim *, char *found);
void find_ratio(const struct claim *, char *found);
void find_crossovers(const struct claim *, char *found);
void find_root(const struct claim *, char *found);
void draw_routes(void);

#endif
