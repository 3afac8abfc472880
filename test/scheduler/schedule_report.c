/*
 * What the scheduler prints: the threads, the last steps, and how to repeat the run.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scheduler/scheduled_threads.h"
#include "scheduler/scheduler.h"

enum { LAST_STEPS = 50 };

static struct schedule_step last_step[LAST_STEPS];
static bool is_printed;

void schedule_remember(const struct schedule_step *step)
{
	last_step[step->number % LAST_STEPS] = *step;
}

void schedule_forget(void)
{
	memset(last_step, 0, sizeof last_step);
	is_printed = false;
}

static void print_place(const struct schedule_step *step)
{
	fprintf(stderr, "%-14s %s:%d %s\n", step->action ? step->action : "has not begun",
		step->file ? step->file : "", step->line, step->function ? step->function : "");
}

static void print_thread(const struct scheduled_thread *t)
{
	static const char *const states[] = { "can run", "sleeps", "waits for a lock",
		"waits for a thread", "waits for others", "has ended" };

	fprintf(stderr, "  thread %-3d %-18s last step %-7" PRId64 " ", t->number, states[t->state],
		t->last.number);
	print_place(&t->last);
}

static void print_command(void)
{
	char command[4096];
	FILE *file = fopen("/proc/self/cmdline", "r");
	size_t n = file ? fread(command, 1, sizeof command - 1, file) : 0;

	for (size_t i = 0; i + 1 < n; i++)
		command[i] = command[i] ? command[i] : ' ';
	command[n] = 0;
	if (file)
		fclose(file);
	fprintf(stderr, "to repeat it: LOCKSTEP_SCHEDULE=%" PRIu64 " %s\n", scheduler.seed, command);
}

static void print_summary(void)
{
	const struct schedule_trace trace = schedule_trace();

	fprintf(stderr,
		"schedule: seed %" PRIu64 ": %" PRId64 " steps of %d threads, hash %016" PRIx64 "\n",
		trace.seed, trace.steps, trace.threads, trace.hash);
}

void schedule_print(void)
{
	if (is_printed)
		return;
	is_printed = true;
	fprintf(stderr, "schedule: the threads\n");
	for (const struct scheduled_thread *t = scheduler.threads; t; t = t->next)
		print_thread(t);
	fprintf(stderr, "schedule: the last steps\n");
	for (int i = 1; i <= LAST_STEPS; i++) {
		const struct schedule_step *step = &last_step[(scheduler.steps + i) % LAST_STEPS];

		if (!step->number)
			continue;
		fprintf(stderr, "  %7" PRId64 " %12.3f us  thread %-3d ", step->number,
			(double)step->now / 1e3, step->thread);
		print_place(step);
	}
	print_summary();
	print_command();
}

void schedule_stuck(const char *why)
{
	fprintf(stderr, "schedule: %s\n", why);
	schedule_print();
	fflush(NULL);
	_exit(SCHEDULE_STUCK);
}

static void print_at_exit(int status, void *unused)
{
	(void)unused;
	if (status != 0 && status != 77)
		schedule_print();
	else if (getenv("LOCKSTEP_SCHEDULE"))
		print_summary();
}

/* The handler was removed when it began. */
static void print_at_signal(int number)
{
	fprintf(stderr, "schedule: %s\n", strsignal(number));
	schedule_print();
	raise(number);
}

void schedule_watch_process(void)
{
	static const int fatal[] = { SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV };
	const struct sigaction action = { .sa_handler = print_at_signal,
		.sa_flags = (int)SA_RESETHAND | SA_NODEFER };

	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
	on_exit(print_at_exit, NULL);
}
