/* Parts of a step, used by lsi_execute and by the fast path. */
#ifndef LSI_ENGINE_MAILBOXES_EXECUTE_STEP_H
#define LSI_ENGINE_MAILBOXES_EXECUTE_STEP_H

#include "base/futex.h"
#include "engine/mailboxes/execute.h"
#include "machine/slot.h"

/*
 * Execute steps from the first on, until one must wait or report an error.  True: all steps are
 * done.  False: lsi_execute must continue, in the phase where the execution stopped.
 */
bool lsi_fast_path(struct lsi_execution *);

static inline void lsi_execution_begin_step(struct lsi_execution *x, int64_t step)
{
	x->step = step;
	x->port = 0;
	x->started = x->scattered = false;
	x->phase = step == x->compiled->steps ? LSI_PHASE_END : LSI_PHASE_SEND;
}

static inline bool lsi_peer_left(struct lsi_parking *peer)
{
	return lsi_load(&lsi_node_of_parking(peer)->gone, acquire); /* GONE */
}

/* Poll for a moment: where every node has a core, the message often arrives within this time. */
static inline struct lsi_slot *lsi_mailbox_poll(
	const struct ls_machine *machine, const struct lsi_channel *channel)
{
	const struct lsi_mailbox_end *mine = &channel->out->sender;
	struct lsi_slot *slot = lsi_mailbox_oldest(channel->in, mine);

	for (int i = 1; !slot && i < machine->mailbox_polls; i++) {
		lsi_pause();
		slot = lsi_mailbox_oldest(channel->in, mine);
	}
	return slot;
}

/* The memory of a contiguous operand. */
static inline void *lsi_operand_address(
	const struct lsi_execution *x, const struct lsi_operand *operand)
{
	return (void *)(x->base[operand->buffer] + operand->at);
}

/* Execute a move of contiguous operands. */
static inline void lsi_move_contiguous(
	const struct lsi_execution *x, const struct lsi_compiled_move *m)
{
	void *dst = lsi_operand_address(x, &m->dst);
	const void *a = lsi_operand_address(x, &m->a);

	if (m->action == LS_COPY)
		lsi_copy(dst, a, m->dst.bytes);
	else if (m->action == LS_COMBINE)
		lsi_combine(&x->combine, dst, a, lsi_operand_address(x, &m->b), m->dst.elements);
	else
		lsi_fold(&x->combine, dst, a, m->parts, m->dst.bytes, m->dst.elements);
}

#endif
