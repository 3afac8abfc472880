/*
 * The parts of a flow that one process of a world executes.
 *
 * A process computes the results of its local nodes, and the values that others need.  Parts
 * alternate with exchanges, as transfers demand (flow_transfers.h):
 *
 *   process 0   part 0: values to send | exchange | part 1 | exchange | part 2: results
 *   process 1   part 0: values to send | exchange | part 1 | exchange | part 2: results
 *
 * A part is a flow of its own.  Values that leave a part, or come to it, are in the slots of a
 * workspace: what is sent to a process in one exchange is one piece of memory, as is what arrives.
 *
 *   workspace   | sent in exchange 0 | received in exchange 0 | sent in 1 | ... | kept for later |
 *
 * Only the last part writes to OUTPUT, so the operands are intact until then, also in place.
 */
#ifndef LSI_ENGINE_COOPERATIVE_FLOW_PARTS_H
#define LSI_ENGINE_COOPERATIVE_FLOW_PARTS_H

#include "engine/cooperative/flow_bind.h"
#include "engine/cooperative/flow_transfers.h"

/* Consecutive slots that are sent to a peer in one exchange, or received from it. */
struct lsi_flow_stream {
	int peer;
	bool sends;
	uint32_t slot, slots;
};

struct lsi_flow_part {
	struct lsi_flow *flow;
	uint32_t first_stream; /* of the exchange after it; they end at those of the next part */
};

struct lsi_flow_parts {
	struct lsi_flow_slots slots;
	struct lsi_flow_stream *stream;
	uint32_t streams;
	struct lsi_flow_part *part; /* an entry behind the last one marks the end of streams */
	uint32_t parts;
	size_t n, size;     /* after a bind: its arguments; size 0: not bound */
	size_t temporaries; /* after a bind: bytes that the parts need, of one thread */
	size_t messages;    /* after a bind: of the exchange that has most */
};

/* Make the parts of this process.  The plan must outlive them.  Returns as lsi_flow_make. */
int lsi_flow_parts_make(
	const struct ls_plan *, const struct lsi_division *, struct lsi_flow_parts **out);
void lsi_flow_parts_destroy(struct lsi_flow_parts *);

/* As lsi_flow_bind, for one thread, and blocks of equal counts. */
int lsi_flow_parts_bind(struct lsi_flow_parts *, size_t n, size_t size);
/* After a bind: the bytes of the workspace, and of a stream. */
size_t lsi_flow_parts_workspace(const struct lsi_flow_parts *);
size_t lsi_flow_stream_bytes(const struct lsi_flow_parts *, const struct lsi_flow_stream *);

/*
 * Execute a part.  base[2 r] and base[2 r + 1] are the buffers of local node r, as for
 * lsi_flow_execute; base[2 nodes] is the workspace.
 */
void lsi_flow_part_execute(
	const struct lsi_flow_part *, const struct lsi_operator *, struct lsi_flow_memory);

#endif
