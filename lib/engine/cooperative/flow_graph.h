/* The graph of a flow: the values that results need, their uses, and their connected components. */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_GRAPH_H
#define LSI_ENGINE_COOPERATIVE_FLOW_GRAPH_H

#include "engine/cooperative/flow_moves.h"

/* A block of OUTPUT and the value that it must hold. */
struct lsi_flow_result {
	struct lsi_block_ref target;
	uint32_t value;
	uint32_t over; /* in place: the operand in the same memory before the call; else 0 */
	uint32_t next; /* 1 + the next result of the same value; 0: none */
	uint32_t component;
};

/* The results of some nodes, or of a part; sorted by target. */
struct lsi_flow_results {
	struct lsi_flow_result *at;
	uint32_t n;
};

/*
 * The results of the nodes first .. last - 1.  LS_OK, LS_ERR_MEMORY, or LS_ERR_LAW: a block of a
 * result was never written.  The caller frees out->at, also after a failure.
 */
int lsi_flow_results_make(
	const struct lsi_flow_values *, int64_t first, int64_t last, struct lsi_flow_results *out);

/* Arrays by value have an entry for each value, 0 included. */
struct lsi_flow_graph {
	const struct lsi_flow_values *values;
	struct lsi_flow_result *result; /* the given ones, linked */
	uint32_t results;
	uint32_t *order;   /* results, sorted by component */
	uint32_t *uses;    /* by value: the needed sums and results that read it; 0: not needed */
	uint32_t *first;   /* by value: 1 + its first result; 0: none */
	uint32_t *covered; /* by operand: 1 + the result that overwrites it; 0: none */
	uint32_t *depth;   /* by value: number of temporaries that its computation needs */
	uint32_t components;
};

/* LS_OK or LS_ERR_MEMORY.  Fills the links of the results, which must outlive the graph. */
int lsi_flow_graph_make(
	const struct lsi_flow_values *, const struct lsi_flow_results *, struct lsi_flow_graph *out);
/* The caller must release the graph after a failure, too. */
void lsi_flow_graph_release(struct lsi_flow_graph *);

#endif
