/*
 * Texts from which tests of changed inputs begin: plans, traces and graphs.
 */
#ifndef LOCKSTEP_TEST_SEED_TEXTS_H
#define LOCKSTEP_TEST_SEED_TEXTS_H

#include <lockstep/topology.h>

#include "support/changed_text.h"

/* One of a few small networks; kept. */
ls_topology *seed_network(uint8_t number);

/* A plan of the network as a plan or as a trace, or a graph. */
enum seed_kind { SEED_PLAN, SEED_TRACE, SEED_GRAPH };
void seed_text(struct edit *, enum seed_kind, uint8_t network);

/* Of each kind, to change texts by: in seed_grammars.c. */
extern const struct grammar seed_grammars[];

#endif
