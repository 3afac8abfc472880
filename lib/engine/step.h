/*
 * Of a step, what ls_advance and the fast path have in common.
 */
#ifndef LS_ENGINE_STEP_H
#define LS_ENGINE_STEP_H

#include "base/wait.h"
#include "engine/execute.h"

/*
 * From the beginning of an execution along its steps, as far as nothing is out of the ordinary; true:
 * to the end.  Else ls_advance goes on, in the phase where the execution was left.
 */
bool ls_fast_path(struct ls_execution *);

static inline void ls_begin_step(struct ls_execution *x, int64_t step)
{
	x->step = step;
	x->port = 0;
	x->taken = x->scattered = false;
	x->phase = step == x->program->steps ? LS_PHASE_END : LS_PHASE_SEND;
}

static inline bool ls_peer_left(struct ls_parking *peer)
{
	return ls_load(&ls_owner(peer)->gone, acquire);                    /* GONE */
}

/* Where every node has a core the message is often there before it pays to begin a wait. */
static inline struct ls_slot *ls_look(const struct ls_machine *machine, struct ls_mailbox *box)
{
	struct ls_slot *slot = ls_mailbox_first(box);

	for (int i = 1; !slot && i < machine->looks; i++) {
		ls_pause();
		slot = ls_mailbox_first(box);
	}
	return slot;
}

/* The memory of an operand in one piece. */
static inline void *ls_address(const struct ls_execution *x, const struct ls_operand *operand)
{
	return (void *)(x->base[operand->slice.buffer] + operand->at);
}

/* A move whose operands are in one piece each. */
static inline void ls_move_flat(const struct ls_execution *x, const struct ls_program_move *m)
{
	void *dst = ls_address(x, &m->dst);
	const void *a = ls_address(x, &m->a);

	if (m->what == LS_COPY)
		ls_copy(dst, a, m->dst.bytes);
	else if (m->what == LS_COMBINE)
		ls_combine(&x->combine, dst, a, ls_address(x, &m->b), m->dst.elements);
	else
		ls_fold(&x->combine, dst, a, m->parts, m->dst.bytes, m->dst.elements);
}

#endif
