/*
 * A stream of pseudo-random numbers that starts at any seed.
 */
#ifndef LOCKSTEP_TEST_RANDOM_NUMBERS_H
#define LOCKSTEP_TEST_RANDOM_NUMBERS_H

#include <stdint.h>

uint64_t random_next(uint64_t *state);
int64_t random_below(uint64_t *state, int64_t n);

#endif
