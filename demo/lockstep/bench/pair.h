/*
 * Messages between two neighbors, through ls_send, ls_receive and ls_next_round.
 */
#ifndef LOCKSTEP_BENCH_PAIR_H
#define LOCKSTEP_BENCH_PAIR_H

#include "base/shared_run.h"

#include <lockstep.h>

#include <stdalign.h>
#include <stdbool.h>

struct pair;

/* Sends and receives the messages of one side in one round, before ls_next_round. */
typedef int pair_program(ls_node *, struct pair *, int side);
pair_program pair_exchange, pair_stream;

struct pair {
	pair_program *round; /* NULL: no pair is open */
	int64_t node[2];
	bool is_local[2];      /* this process has the node */
	bool crosses;          /* the nodes are in different processes */
	size_t bytes, element; /* of a message, of an element */
	struct {
		alignas(64) char *sent, *received;
		int64_t wrong; /* messages received */
	} side[2];
};

/* Allocates the buffers of a closed pair.  The caller has set node and round. */
void pair_open(struct pair *, const ls_topology *, size_t count, size_t element);
void pair_close(struct pair *);

/* Before each run. */
void pair_clear(struct pair *);
/* The sides in this process. */
struct local_ranks pair_local_sides(const struct pair *);
/* After each run: the wrong messages of the local nodes. */
int64_t pair_count_wrong(const struct pair *);

/* The side of a rank, 0 or 1; -1: it is another node. */
int pair_side(const struct pair *, int64_t rank);
/* Executes `rounds` rounds. */
int pair_repeat(ls_node *, struct pair *, size_t rounds);
/* Both sides return at about the same time. */
int pair_align(ls_node *, struct pair *);

#endif
