#include "carrier/fiber_stack.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "machine/local_ranks.h"

/*
 * The top of each stack is shifted by another multiple of a cache line.  If all were at the same
 * place of their pages, they would compete for a few sets of the cache.
 */
enum {
	SHIFTS = 16,           /* different shifts */
	SHIFT_MOST = 256,      /* bytes from one to the next, at most */
	SHIFTS_OF_STACK = 1024 /* all shifts together take at most a 64th of the stack */
};

static size_t signal_stack_bytes(void)
{
	return (size_t)sysconf(_SC_SIGSTKSZ);
}

bool lsi_fiber_stacks_make(struct ls_machine *machine)
{
	if (machine->fiber_stacks.base)
		return true;
	for (uint32_t i = 0; i < machine->workers; i++) {
		struct lsi_worker *worker = &machine->worker[i];

		if (!worker->signal_stack)
			worker->signal_stack = lsi_alloc(signal_stack_bytes());
	}
	machine->fiber_stacks =
		lsi_stacks_make(lsi_local_nodes(machine), machine->options.stack, false);
	if (machine->fiber_stacks.base)
		return true;
	lsi_run_lacks_stacks(machine, lsi_local_nodes(machine), machine->options.stack);
	return false;
}

void lsi_fiber_stacks_release(struct ls_machine *machine)
{
	for (uint32_t i = 0; machine->worker && i < machine->workers; i++)
		lsi_free(machine->worker[i].signal_stack);
	lsi_stacks_destroy(&machine->fiber_stacks);
}

void lsi_fiber_stack_prepare(struct lsi_node_state *me, void (*entry)(void *))
{
	const struct lsi_stacks *stacks = &me->machine->fiber_stacks;
	char *stack = lsi_stack_of(stacks, me->rank - me->machine->first_local);
	const size_t bytes = lsi_stack_bytes(stacks);
	const size_t step = bytes / SHIFTS_OF_STACK / LSI_CACHE_LINE * LSI_CACHE_LINE;
	const size_t shift =
		(size_t)me->rank % SHIFTS * (step < SHIFT_MOST ? step : (size_t)SHIFT_MOST);

	lsi_context_make(&me->fiber.context, stack, bytes - shift, entry, me);
}

/* ---- The thread of a worker */

/* A handler for a stack that has overflowed needs another stack. */
static void set_signal_stack(void *memory)
{
	stack_t now;

	if (memory && sigaltstack(NULL, &now) == 0 && now.ss_flags & SS_DISABLE)
		sigaltstack(&(stack_t){ .ss_sp = memory, .ss_size = signal_stack_bytes() }, NULL);
}

void lsi_fiber_thread_prepare(struct lsi_worker *worker)
{
	worker->errno_at = &errno;
	fegetenv(&worker->environment);
	set_signal_stack(worker->signal_stack);
}

void lsi_fiber_thread_reset(const struct lsi_worker *worker)
{
	*worker->errno_at = 0;
	fesetenv(&worker->environment);
}
