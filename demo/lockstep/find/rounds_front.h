/*
 * The front of rounds and volume: plans of which no other has fewer rounds, or as many, and at most
 * as much volume.
 *
 *   5 rounds, volume 640    exact       few rounds, for short messages
 *   8 rounds, volume 512    ring        little volume, for long ones
 */
#ifndef LOCKSTEP_FIND_ROUNDS_FRONT_H
#define LOCKSTEP_FIND_ROUNDS_FRONT_H

#include <lockstep.h>

enum { FRONT_ROWS = 64 };

struct front_row {
	const char *algorithm;
	int64_t rounds, volume;
	double cost; /* by the default model */
};

/* Without the rows off the front, sorted by rounds; returns how many are left. */
int front_of(struct front_row *row, int count);

/* A row for each algorithm that fits the request, from row[count] on; returns their number. */
int list_front_candidates(const struct ls_request *, struct front_row *row, int count);

#endif
