/*
 * What the searches for drawings of networks share: lengths in units of a layout, and chance.
 */
#ifndef LOCKSTEP_PLACEMENT_SEARCH_H
#define LOCKSTEP_PLACEMENT_SEARCH_H

#include <stdint.h>

enum { TRIES = 20000 };

#define CLEAR   0.171 /* LSI_CLEARANCE, and what rounding takes */
#define NEAREST 0.45  /* between two nodes */

struct point {
	double x, y;
};

/* 0 .. 1, of a generator that is the same everywhere */
static double share(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

#endif
