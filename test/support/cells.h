/*
 * The cells of the table that every test of plans iterates over: a network, an algorithm, and all
 * that the algorithm supports on it: operation, root, mode, ports, in place.
 */
#ifndef LOCKSTEP_TEST_CELLS_H
#define LOCKSTEP_TEST_CELLS_H

#include "plan/plan_internal.h"
#include "support/collected_text.h"
#include "support/operand.h"

struct cell {
	const struct lsi_algorithm *algorithm;
	struct lsi_problem problem;
};

/* Networks of each kind: every shape of up to `every` nodes, some of up to `most`; the root of the
 * tree is the current directory. */
void each_network(
	int64_t most, int64_t every, void (*visit)(const char *spec, void *context), void *context);

/* Specs that a test puts down before its processes share them; a visitor of each_network. */
enum { LISTED = 4000, SPEC = 80 };
extern struct listed {
	int count;
	char spec[LISTED][SPEC];
} listed;
void list_network(const char *spec, void *unused);

struct cells {
	int64_t covered, existing;
};

/*
 * Calls visit for each cell: all roots on up to `rooted` nodes, some on more.  Fast runs visit one
 * cell of each algorithm and operation, a different one on each network.
 */
struct cells each_cell(const ls_topology *, int64_t rooted,
	void (*visit)(const struct cell *, void *context), void *context);

/* Roots and shifts in turn: of the cells that differ only in these, one is its turn. */
bool is_turn(const struct cell *, int64_t *turns);

/* The next element of the table that an algorithm of this claim may combine. */
const struct element *element_for(const struct element[ELEMENTS], enum ls_claim);

/* Operations whose vectors have a block for each node. */
enum {
	OF_BLOCKS = LSI_FOR(LS_ALLGATHER) | LSI_FOR(LS_GATHER) | LSI_FOR(LS_SCATTER)
		| LSI_FOR(LS_REDUCE_SCATTER) | LSI_FOR(LS_ALLTOALL)
};

/* Small networks: the first one of each kind. */
enum { SMALL_KINDS = 17, SMALL_THIN = 19, SMALL = 29, SMALL_FAST = 6 };
extern const char *const small_networks[SMALL];

/* "allreduce substar star:4 root 0 hop ports 1 in place" */
struct cell_name {
	char text[160];
};
struct cell_name cell_name(const struct cell *);

/* Guests on hosts, in the modes that serve them. */
enum { PLACEMENTS = 10 };
extern const struct placement {
	const char *guest, *host, *map;
	enum ls_mode mode;
} placements[PLACEMENTS];

/* By name the algorithm that comes `part` / `parts` of the way through those that serve a request;
 * NULL: none does. */
const char *serving(const struct ls_request *, int part, int parts);

/* A plan written as text; `at` is the caller's to free. */
struct text text_of(const struct ls_plan *);

/* Ends the test when there is no memory. */
ls_topology *topology_of(const char *spec);
struct ls_plan *plan_of(const struct cell *);

#endif
