/*
 * Transfers: the values that cross between the processes of a world.
 *
 * The walk of flow_values.h notes which process has which value.  A value crosses to a process at
 * most once, with the first message that holds it and whose receiver is there.  So the messages of
 * a step become one exchange, in which a process sends each other process the values that it lacks:
 *
 *   all-reduce by doubling, nodes 0 to 3, processes {0, 1} and {2, 3}: in the last round four
 *   messages cross, but one value per direction does
 *
 * Every process makes the same walk, so both ends know the values of an exchange and their order,
 * and nothing but values is sent.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_TRANSFERS_H
#define LSI_ENGINE_COOPERATIVE_FLOW_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the ranks are divided among processes. */
struct lsi_division {
	int processes, process; /* process: this one */
	const int64_t *first;   /* by process: its first rank; then the number of nodes */
};

int lsi_division_process(const struct lsi_division *, int64_t rank);

/* A value that this process sends to a peer, or receives from it. */
struct lsi_flow_transfer {
	uint32_t exchange, order, value;
	int peer;
	bool sends;
};

struct lsi_flow_transfers {
	struct lsi_division division;
	uint64_t *present; /* bit value * processes + process: the process has the value */
	size_t words;
	struct lsi_flow_transfer *transfer; /* of this process */
	size_t n, capacity;
	uint32_t exchange; /* of the current step */
	bool crosses;      /* some value crosses in it */
};

/* The caller must release the transfers, also after a failure of the walk. */
void lsi_flow_transfers_init(struct lsi_flow_transfers *, const struct lsi_division *);
void lsi_flow_transfers_release(struct lsi_flow_transfers *);

/* Note that each node has its INPUT, or that a process has computed a value.  False: no memory. */
bool lsi_flow_transfers_compute_leaves(struct lsi_flow_transfers *, int64_t nodes, uint32_t inputs);
bool lsi_flow_transfers_compute(struct lsi_flow_transfers *, uint32_t value, int process);

/* Begin a step; then add its messages.  LS_OK, LS_ERR_MEMORY, or LS_ERR_UNSUPPORTED: too many. */
void lsi_flow_transfers_begin(struct lsi_flow_transfers *);
int lsi_flow_transfers_add(
	struct lsi_flow_transfers *, int64_t from, int64_t to, const uint32_t *value, int64_t values);

/* After the walk: sort by exchange; then what is sent, what is received; then by peer. */
void lsi_flow_transfers_sort(struct lsi_flow_transfers *);

#endif
