/*
 * The trace: a record of every message.
 *
 * Nodes put events into a queue.  The thread that runs the machine takes them out, sorts them by
 * round and source, and passes records to options.trace and to the file of LOCKSTEP_TRACE.
 *
 * Without times, the sender puts the whole record.  With times (options.trace_times) each end of a
 * message puts what it knows, and the two events become one record:
 *
 *   sender     SENT      round src dst words bytes, sent_ns
 *   receiver   RECEIVED  round src dst, received_ns waited_ns
 *
 * A node may send several messages to another one in rounds of the same number, but of different
 * groups.  The number of the message in its mailbox tells them apart.
 */
#ifndef LSI_MACHINE_TRACE_RECORDS_H
#define LSI_MACHINE_TRACE_RECORDS_H

#include "machine/machine_types.h"
#include "plan/record.h"

/* Most runs have no trace: the compiler keeps calls of these functions out of the common path. */
#define LSI_RARE __attribute__((cold))

/* LS_OK, or LS_ERR_MEMORY: the machine is stopped. */
int lsi_trace_put(struct lsi_node_state *, const struct lsi_trace_event *);
/* As lsi_trace_put, for lsi_port_sent and lsi_port_received. */
LSI_RARE int lsi_trace_put_sent(
	const struct lsi_envelope *, const struct lsi_channel *, size_t bytes, int64_t sent_ns);
LSI_RARE int lsi_trace_put_received(
	const struct lsi_envelope *, const struct lsi_channel *, int64_t wait_began);

/* Forget the events that threads of an earlier run put after its end. */
void lsi_trace_discard(struct ls_machine *);

/* Move the events of the queue to the buffer. */
void lsi_trace_take(struct ls_machine *);
/* Add one more event; false: no memory. */
bool lsi_trace_buffer_add(struct lsi_trace_buffer *, const struct lsi_trace_event *);

/*
 * Pass on the records of all rounds before this one, up to the first message whose other event has
 * not arrived.  INT64_MAX: the run has ended, and no event will arrive.
 */
void lsi_trace_drain(struct ls_machine *, int64_t before_round);

/* ---- Times of the trace: ns since the gate opened; LSI_NO_TIME: the trace has no times */

LSI_RARE int64_t lsi_trace_clock(const struct ls_machine *);

static inline int64_t lsi_trace_now(const struct ls_machine *machine)
{
	return machine->options.trace_times ? lsi_trace_clock(machine) : LSI_NO_TIME;
}

/* The time when a wait for the next message begins.  LSI_NO_TIME also if the message is there. */
LSI_RARE int64_t lsi_trace_look(const struct ls_machine *, const struct lsi_channel *);

static inline int64_t lsi_trace_wait_began(
	const struct ls_machine *machine, const struct lsi_channel *channel)
{
	return machine->options.trace_times ? lsi_trace_look(machine, channel) : LSI_NO_TIME;
}

#endif
