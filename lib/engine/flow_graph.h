/*
 * What results need: which values, who reads them, and what hangs together.
 */
#ifndef LS_ENGINE_FLOW_GRAPH_H
#define LS_ENGINE_FLOW_GRAPH_H

#include "engine/flow_moves.h"

/* A block of OUTPUT that is to hold a value. */
struct ls_result {
	struct ls_place place;
	uint32_t value;
	uint32_t over;                        /* in place: the leaf that lies there; else 0 */
	uint32_t next;                        /* another result of the same value, + 1; or 0 */
	uint32_t component;
};

/* Arrays by value have an entry for each, 0 included. */
struct ls_graph {
	const struct ls_values *values;
	struct ls_result *result;             /* by node                                     */
	uint32_t results;
	uint32_t *order;                      /* results by component                        */
	uint32_t *uses;                       /* by value: moves that read it; 0: not needed */
	uint32_t *first;                      /* by value: its first result, + 1; or 0       */
	uint32_t *covered;                    /* by leaf: the result that lies on it, + 1    */
	uint32_t *depth;                      /* by value: temporaries that it takes         */
	uint32_t components;
};

/* LS_OK, LS_ERR_MEMORY, LS_ERR_LAW: a result that was never written. */
int ls_graph_make(const struct ls_values *, struct ls_graph *out);
/* Also after a failure. */
void ls_graph_release(struct ls_graph *);

#endif
