/*
 * Declarations that the claims of the slides share.
 */
#ifndef LOCKSTEP_REPRODUCE_SLIDES_H
#define LOCKSTEP_REPRODUCE_SLIDES_H

#include "reproduce/reproduce.h"

/* slides_shift.c: all shifts q of each network. */
void find_each_shift(const struct claim *, char *found); /* rounds for q = 1 .. p - 1 */
void find_most_rounds(const struct claim *, char *found);
void find_most_load(
	const struct claim *, char *found); /* with `routes_of`: on a hypercube of p nodes */
void find_longest_routes(const struct claim *, char *found);
void find_forward_rows(const struct claim *, char *found);
void find_signed_digits(const struct claim *, char *found);
int64_t gray_code(int64_t position);

/* slides_exchange.c: total exchange, and the lengths at which long-message forms are faster. */
void find_routes(const struct claim *, char *found);
void find_partners(const struct claim *, char *found);
void find_transposed(const struct claim *, char *found);
void find_ratio(const struct claim *, char *found);
void find_crossovers(const struct claim *, char *found);
void find_root(const struct claim *, char *found);
void draw_routes(void);

#endif
