#include "job/stack_overflow.h"

#include "base/messages.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static _Atomic(const ls_machine *) watched;
static struct sigaction before; /* what a fault did before; a sanitizer has a handler */

/* The decimal digits of a number; a signal handler cannot call printf. */
static char *put_number(char *at, int64_t number)
{
	char digits[24];
	int n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (n > 0)
		*at++ = digits[--n];
	return at;
}

/* Another fault has the effect that it had before. */
static void handle(int signal, siginfo_t *info, void *context)
{
	static const char first[] = "lockstep: the stack of node ",
					  last[] = " has overflowed; try --nodes threads\n";
	const int64_t node = ls_stack_overflow(atomic_load(&watched), info->si_addr);
	char text[sizeof first + sizeof last + 24], *at = text;

	(void)context;
	if (node == LS_NO_RANK) { /* the instruction is executed again */
		sigaction(signal, &before, NULL);
		return;
	}
	at = (char *)mempcpy(at, first, sizeof first - 1);
	at = put_number(at, node);
	at = (char *)mempcpy(at, last, sizeof last - 1);
	if (write(STDERR_FILENO, text, (size_t)(at - text)) < 0)
		_exit(EXIT_SIGNAL + signal);
	_exit(EXIT_RESOURCE);
}

void report_stack_overflow(const ls_machine *machine)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };

	atomic_store(&watched, machine);
	action.sa_sigaction = handle;
	sigemptyset(&action.sa_mask);
	if (machine)
		sigaction(SIGSEGV, &action, &before);
	else
		sigaction(SIGSEGV, &before, NULL);
}
