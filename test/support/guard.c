#include "support/guard.h"

#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/shared_threads.h"
#include "test.h"

static char text[256];

static void expire(int signal)
{
	static const char hangs[] = "hangs: ";

	(void)signal;
	(void)!write(2, hangs, sizeof hangs - 1);
	(void)!write(2, text, strlen(text));
	(void)!write(2, "\n", 1);
	abort();
}

void guard(const char *format, ...)
{
	va_list arguments;

	signal(SIGALRM, expire);
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	alarm(1200);
}

const char *guarded(void)
{
	return text;
}

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", text, what);
	exit(1);
}

ls_plan *plan_for(const struct ls_request *request)
{
	struct ls_error why = { .size = sizeof why };
	ls_plan *plan;

	if (ls_plan_make(request, &plan, &why) != LS_OK)
		die(why.text);
	return plan;
}

enum ls_node_kind node_kind(void)
{
	const char *name = getenv("LS_NODES");

	return name && strcmp(name, ls_node_kind_name(LS_NODE_FIBER)) == 0 ? LS_NODE_FIBER
																	   : LS_NODE_THREAD;
}

bool may_exit_thread(enum ls_node_kind kind)
{
#ifdef LSI_TSAN
	return kind == LS_NODE_THREAD;
#else
	(void)kind;
	return true;
#endif
}

ls_machine *machine_on(const ls_topology *t, const struct ls_machine_options *options)
{
	struct ls_machine_options o = { .size = sizeof o };
	ls_machine *machine;

	if (options)
		o = *options;
	if (o.node_kind == LS_NODE_THREAD)
		o.node_kind = node_kind();
	if (ls_machine_make(t, &o, &machine) != LS_OK)
		die("no machine");
	return machine;
}

/* Nodes that are fibers share thread-local variables, so that a test cannot have its own. */
ls_node *node_here(void)
{
	return &lsi_node_of_thread->whole;
}

void must_run(ls_machine *machine, int (*program)(ls_node *, void *), void *arg)
{
	struct ls_error error = { .size = sizeof error };
	const int status = ls_run(machine, program, arg);

	ls_last_error(machine, &error);
	CHECK(status == LS_OK && error.kind == LS_OK, "%s: %s: %s", text, ls_status_name(status),
		error.text);
}

void *memory(size_t count, size_t bytes)
{
	void *m = calloc(count ? count : 1, bytes ? bytes : 1);

	if (!m)
		die("no memory");
	return m;
}

int threads_alive(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = getenv("LS_EMULATOR") ? -1 : 0; /* qemu has a thread of its own */

	for (struct dirent *task; tasks && (task = readdir(tasks));)
		n += task->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
	return n;
}

bool threads_end(int n)
{
	const double start = seconds();

	while (threads_alive() != n) {
		if (seconds() > start + 60)
			return false;
		sched_yield();
	}
	return true;
}

double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool is_thin(void)
{
	const char *variant = getenv("LS_VARIANT");

	return getenv("LS_THIN") || (variant && (!strcmp(variant, "asan") || !strcmp(variant, "tsan")));
}

bool is_fast(void)
{
	return getenv("LS_FAST") != NULL;
}

bool is_fast_repeat(void)
{
	return is_fast() && node_kind() == LS_NODE_FIBER;
}

bool is_long(void)
{
	return getenv("LS_LONG") != NULL;
}

bool in_slice(int64_t i)
{
	const char *slice = getenv("LS_LONG_SLICE");
	int64_t k, n;

	if (!slice || sscanf(slice, "%" SCNd64 "/%" SCNd64, &k, &n) != 2 || n < 1)
		return true;
	return i % n == k % n;
}

void check_reroutes(const ls_machine *machine)
{
	struct ls_stats stats = { .size = sizeof stats };

	ls_machine_stats(machine, &stats);
	printf("%s: %" PRId64 " of %" PRId64 " messages took another route\n", guarded(),
		stats.reroutes, stats.messages);
	CHECK(stats.reroutes > 0 && stats.reroutes < stats.messages, "%s: re-routes", guarded());
}

pthread_t start_thread(void *(*body)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, body, arg))
		die("no thread");
	return thread;
}

ls_node *attached_to(ls_machine *machine, int64_t rank, unsigned flags)
{
	ls_node *me;
	const int status = ls_attach(machine, rank, flags, &me);

	if (status)
		die(ls_status_name(status));
	return me;
}

void ignore_record(void *context, const struct ls_record *record)
{
	(void)context;
	(void)record;
}

int add_ranks(ls_node *me)
{
	const int64_t mine = ls_rank(me) + 1, p = ls_size(me);
	int64_t sum = 0;
	const int failed = ls_allreduce(me, &mine, &sum, 1, LS_INT64, LS_SUM);

	CHECK(failed || sum == p * (p + 1) / 2, "%s: sum %" PRId64, guarded(), sum);
	return failed;
}

int add_ranks_program(ls_node *me, void *unused)
{
	(void)unused;
	return add_ranks(me);
}

void nap(double ms)
{
	const long ns = (long)(ms * 1e6);

	nanosleep(&(struct timespec){ ns / 1000000000, ns % 1000000000 }, NULL);
}
