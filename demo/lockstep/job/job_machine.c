#include "job/job_machine.h"

#include "job/host.h"
#include "job/job.h"
#include "report/blocked_nodes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Pages of its stack that a node touches, the kernel's part of a thread, mailboxes: rounded up. */
enum { NODE_BYTES = 64 << 10, SPARE_THREADS = 8 };

int machine_fits(const ls_topology *topology, size_t bytes_a_node)
{
	const struct budget threads = host_threads(), memory = host_memory();
	const int64_t nodes = ls_topology_nodes(topology);
	size_t bytes;

	if (nodes > threads.left - SPARE_THREADS)
		return print_error(EXIT_RESOURCE,
			"%s has %" PRId64 " nodes, each a thread, and %" PRId64 " threads are left (%s); "
			"would be right: a smaller network, or -e sweep, which starts none",
			ls_topology_spec(topology), nodes, threads.left, threads.limit);
	if (__builtin_add_overflow(bytes_a_node, NODE_BYTES, &bytes)
		|| __builtin_mul_overflow(bytes, (size_t)nodes, &bytes) || bytes > (uint64_t)memory.left)
		return print_error(EXIT_RESOURCE,
			"%" PRId64 " nodes of %zu bytes each do not fit into %" PRId64 " MiB (%s); "
			"would be right: fewer nodes or elements",
			nodes, bytes_a_node, memory.left >> 20, memory.limit);
	return EXIT_SUCCESS;
}

int machine_open(const struct options *options, const ls_topology *topology, trace_row *trace,
	void *context, ls_machine **out)
{
	const struct ls_machine_options how = {
		.size = sizeof how,
		.rounds = options->rounds,
		.mode = mode_on(options, topology),
		.bind = options->bind,
		.strict = options->strict,
		.ports = options->ports,
		.mailbox = options->mailbox,
		.timeout = options->timeout,
		.trace = trace,
		.trace_context = context,
		.engine = options->engine,
	};
	int status;

	if (trace) /* --trace wins over LOCKSTEP_TRACE: both may name one file */
		unsetenv("LOCKSTEP_TRACE");
	status = ls_machine_make(topology, &how, out);
	if (status == LS_OK)
		return EXIT_SUCCESS;
	return print_error(exit_code_of(status),
		"no machine of %" PRId64 " nodes (%s); would be right: fewer nodes",
		ls_topology_nodes(topology), ls_status_name(status));
}

void block_signals(sigset_t *signals, sigset_t *before)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
	pthread_sigmask(SIG_BLOCK, signals, before);
}

struct watch {
	ls_machine *machine;
	sigset_t signals;
	atomic_bool over;
	int by;
};

static void *watch_signals(void *argument)
{
	struct watch *watch = argument;
	int signal;

	sigwait(&watch->signals, &signal);
	if (!atomic_load(&watch->over)) {
		watch->by = signal;
		ls_machine_stop(watch->machine, LS_ERR_STOPPED);
	}
	return NULL;
}

/* Signals are blocked but in one thread that awaits them: a handler could not stop a machine. */
int machine_run(ls_machine *machine, int (*program)(ls_node *, void *), void *argument, int *by)
{
	struct watch watch = { .machine = machine };
	sigset_t before;
	pthread_t thread;

	block_signals(&watch.signals, &before);

	const bool watched = pthread_create(&thread, NULL, watch_signals, &watch) == 0;
	const int status = ls_run(machine, program, argument);

	if (watched) {
		atomic_store(&watch.over, true);
		pthread_kill(thread, SIGINT);
		pthread_join(thread, NULL);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*by = watch.by;
	return status;
}

int complain_signal(int by)
{
	return print_error(EXIT_SIGNAL + by,
		"interrupted (%s); would be right: time for the run to end", strsignal(by));
}

int machine_failure(const ls_machine *machine, int status, int by, struct ls_error *out)
{
	*out = (struct ls_error){ .size = sizeof *out };
	if (ls_last_error(machine, out) == LS_OK)
		*out = (struct ls_error){ sizeof *out, status, -1, -1, -1, -1, NULL, "" };
	if (by)
		return complain_signal(by);

	const int result = print_ls_error(out);

	if (result == EXIT_STUCK)
		roll_call_text(roll_call_of(machine), stderr);
	return result;
}
