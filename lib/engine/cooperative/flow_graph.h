/*
 * What results need: which values, who reads them, and what hangs together.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_GRAPH_H
#define LSI_ENGINE_COOPERATIVE_FLOW_GRAPH_H

#include "engine/cooperative/flow_moves.h"

/* A block of OUTPUT that is to hold a value. */
struct lsi_flow_result {
	struct lsi_block_ref place;
	uint32_t value;
	uint32_t over; /* in place: the leaf that lies there; else 0 */
	uint32_t next; /* another result of the same value, + 1; or 0 */
	uint32_t component;
};

/* Arrays by value have an entry for each, 0 included. */
struct lsi_flow_graph {
	const struct lsi_flow_values *values;
	struct lsi_flow_result *result; /* by node */
	uint32_t results;
	uint32_t *order;   /* results by component */
	uint32_t *uses;    /* by value: moves that read it; 0: not needed */
	uint32_t *first;   /* by value: its first result, + 1; or 0 */
	uint32_t *covered; /* by leaf: the result that lies on it, + 1 */
	uint32_t *depth;   /* by value: temporaries that it takes */
	uint32_t components;
};

/* LS_OK, LS_ERR_MEMORY, LS_ERR_LAW: a result that was never written. */
int lsi_flow_graph_make(const struct lsi_flow_values *, struct lsi_flow_graph *out);
/* Also after a failure. */
void lsi_flow_graph_release(struct lsi_flow_graph *);

#endif
