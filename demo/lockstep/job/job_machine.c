#include "job/job_machine.h"

#include "base/host.h"
#include "base/number.h"
#include "job/job.h"
#include "report/blocked_nodes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Bytes per node, rounded up: touched pages of its stack, the kernel's thread, mailboxes. */
enum { NODE_BYTES = 64 << 10, SPARE_THREADS = 8 };

static int print_memory_error(int64_t nodes, size_t bytes_per_node, const struct budget *memory)
{
	char needed[32], left[32];

	bytes_text(((double)bytes_per_node + NODE_BYTES) * (double)nodes, needed, sizeof needed);
	bytes_text((double)memory->left, left, sizeof left);
	return print_error(EXIT_RESOURCE,
		"%" PRId64 " node%s %s %s, but only %s of memory is available (%s); try fewer nodes or "
		"elements",
		nodes, nodes == 1 ? "" : "s", nodes == 1 ? "needs" : "need", needed, left, memory->limit);
}

int machine_check_limits(const ls_topology *topology, size_t bytes_per_node)
{
	const struct budget threads = host_threads(), memory = host_memory();
	const int64_t nodes = ls_topology_nodes(topology);
	size_t bytes;

	if (nodes > threads.left - SPARE_THREADS)
		return print_error(EXIT_RESOURCE,
			"%s needs %" PRId64 " threads, but only %" PRId64
			" are available (%s); try a smaller network, or -e sweep, which starts no thread per "
			"node",
			ls_topology_spec(topology), nodes, threads.left, threads.limit);
	if (__builtin_add_overflow(bytes_per_node, NODE_BYTES, &bytes)
		|| __builtin_mul_overflow(bytes, (size_t)nodes, &bytes) || bytes > (uint64_t)memory.left)
		return print_memory_error(nodes, bytes_per_node, &memory);
	return EXIT_SUCCESS;
}

int machine_open(const struct query *query, const struct execution *how,
	const ls_topology *topology, trace_row *trace, void *context, ls_machine **out)
{
	const struct ls_machine_options options = {
		.size = sizeof options,
		.rounds = how->rounds,
		.mode = mode_on(query, topology),
		.bind = how->bind,
		.strict = how->strict,
		.ports = query->ports,
		.mailbox = how->mailbox,
		.timeout = how->timeout,
		.trace = trace,
		.trace_context = context,
		.engine = how->engine,
	};
	int status;

	if (trace) /* --trace wins over LOCKSTEP_TRACE: both may name one file */
		unsetenv("LOCKSTEP_TRACE");
	status = ls_machine_make(topology, &options, out);
	if (status == LS_OK)
		return EXIT_SUCCESS;
	return print_error(exit_code_of(status),
		"cannot make a machine of %" PRId64 " nodes (%s); try fewer nodes",
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

struct signal_watch {
	ls_machine *machine;
	sigset_t signals;
	atomic_bool over;
	int signal;
};

static void *watch_signals(void *argument)
{
	struct signal_watch *watch = argument;
	int signal;

	sigwait(&watch->signals, &signal);
	if (!atomic_load(&watch->over)) {
		watch->signal = signal;
		ls_machine_stop(watch->machine, LS_ERR_STOPPED);
	}
	return NULL;
}

/* One thread waits for signals: a signal handler must not stop a machine. */
int machine_run(ls_machine *machine, int (*program)(ls_node *, void *), void *argument, int *signal)
{
	struct signal_watch watch = { .machine = machine };
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
	*signal = watch.signal;
	return status;
}

int print_interrupted(int signal)
{
	return print_error(
		EXIT_SIGNAL + signal, "interrupted (%s); the run is incomplete", strsignal(signal));
}

int report_machine_failure(const ls_machine *machine, int status, int signal, struct ls_error *out)
{
	*out = (struct ls_error){ .size = sizeof *out };
	if (ls_last_error(machine, out) == LS_OK)
		*out = (struct ls_error){ sizeof *out, status, -1, -1, -1, -1, NULL, "" };
	if (signal)
		return print_interrupted(signal);

	const int result = print_ls_error(out);

	if (result == EXIT_STUCK)
		print_blocked_nodes(blocked_nodes_of(machine), stderr);
	return result;
}
