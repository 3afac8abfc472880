#include "job/job_machine.h"

#include "base/host.h"
#include "base/number.h"
#include "base/output_file.h"
#include "base/processes.h"
#include "base/shared_hosts.h"
#include "base/shared_run.h"
#include "job/job.h"
#include "job/stack_overflow.h"
#include "report/blocked_nodes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Bytes per node, measured and rounded up: touched pages of its stack, its state, mailboxes and
 * steps, and the thread of the kernel.
 */
enum { THREAD_BYTES = 64 << 10, FIBER_BYTES = 48 << 10, FIBER_BYTES_SHARED = 12 << 10 };
enum { SPARE_THREADS = 8 };

/* Of an engine that is chosen for each call, the smaller one. */
static size_t bytes_of_node(const struct execution *how)
{
	return how->nodes == LS_NODE_THREAD ? THREAD_BYTES
		: how->engine == LS_MAILBOXES   ? FIBER_BYTES
										: FIBER_BYTES_SHARED;
}

static int print_memory_error(
	const struct execution *how, int64_t nodes, double bytes, const struct budget *memory)
{
	const struct sharing_text sharing = sharing_text();
	char needed[32], left[32];

	bytes_text(bytes, needed, sizeof needed);
	bytes_text((double)memory->left, left, sizeof left);
	return print_error(EXIT_RESOURCE,
		"%" PRId64 " node%s%s %s %s, but only %s of memory is available (%s%s); try %sfewer nodes "
		"or elements",
		nodes, nodes == 1 ? "" : "s", sharing.where, nodes == 1 ? "needs" : "need", needed, left,
		memory->limit, sharing.sharers,
		how->nodes == LS_NODE_FIBER && how->engine == LS_MAILBOXES ? "-e cooperative, " : "");
}

int machine_check_limits(
	const ls_topology *topology, const struct execution *how, size_t bytes_per_node, size_t *left)
{
	const struct sharing_text sharing = sharing_text();
	const struct budget threads = part_of_host(host_threads());
	const struct budget memory = part_of_host(host_memory());
	const struct local_ranks local = local_ranks_of(topology);
	const int64_t nodes = ls_topology_nodes(topology), local_nodes = local.end - local.first;
	const size_t of_nodes = bytes_of_node(how) * (size_t)local_nodes;
	const int64_t available = threads.left > SPARE_THREADS ? threads.left - SPARE_THREADS : 0;
	size_t bytes;

	if (how->nodes == LS_NODE_THREAD && local_nodes > available)
		return print_error(EXIT_RESOURCE,
			"%s needs %" PRId64 " threads%s, but only %" PRId64
			" are available (%s%s); try a smaller network, --nodes fibers, or -e sweep",
			ls_topology_spec(topology), local_nodes, sharing.where, available, threads.limit,
			sharing.sharers);
	if (__builtin_mul_overflow(bytes_per_node, (size_t)nodes, &bytes)
		|| __builtin_add_overflow(bytes, of_nodes, &bytes) || bytes > (uint64_t)memory.left)
		return print_memory_error(
			how, local_nodes, (double)bytes_per_node * (double)nodes + (double)of_nodes, &memory);
	if (left)
		*left = usable_memory(&memory) > bytes ? usable_memory(&memory) - bytes : 0;
	return EXIT_SUCCESS;
}

/* Called for a node that runs too long without waiting. */
static void report_stalled(void *context, int64_t rank)
{
	(void)context;
	fprintf(stderr,
		"lockstep: note: node %" PRId64
		" has run for a second without waiting; no other node of its core can run meanwhile; try "
		"--nodes threads\n",
		rank);
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
		.node_kind = how->nodes,
		.stalled = report_stalled,
		.trace_times = how->times && trace,
		.world = shared_world(),
	};
	int status, failed = EXIT_SUCCESS;

	if (trace) /* --trace wins over LOCKSTEP_TRACE: both may name one file */
		unsetenv("LOCKSTEP_TRACE");
	status = ls_machine_make(topology, &options, out);
	if (status != LS_OK)
		failed = print_error(exit_code_of(status),
			"cannot make a machine of %" PRId64 " nodes (%s); try fewer nodes",
			ls_topology_nodes(topology), ls_status_name(status));
	return agree_on_failure(failed);
}

void machine_close(ls_machine *machine, int result)
{
	if (ls_machine_busy(machine)) {
		output_remove_temporaries();
		fflush(NULL);
		_exit(processes_end(result));
	}
	ls_machine_destroy(machine);
}

static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* While a signal is blocked the kernel keeps it even if it is ignored, as nohup ignores SIGHUP. */
void block_signals(sigset_t *signals, sigset_t *before)
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP };

	sigemptyset(signals);
	for (size_t i = 0; i < sizeof stopping / sizeof *stopping; i++)
		if (!is_ignored(stopping[i]))
			sigaddset(signals, stopping[i]);
	pthread_sigmask(SIG_BLOCK, signals, before);
}

int take_signal(const sigset_t *signals)
{
	const struct timespec at_once = { 0, 0 };
	const int signal = sigtimedwait(signals, NULL, &at_once);

	return signal > 0 ? signal : 0;
}

struct watched_run {
	ls_machine *machine;
	int (*program)(ls_node *, void *);
	void *argument;
	sigset_t signals;  /* that are watched, and that of end_watch */
	atomic_int signal; /* that came; 0: none */
};

static void *watch_signals(void *argument)
{
	struct watched_run *run = argument;
	siginfo_t info;

	while (sigwaitinfo(&run->signals, &info) < 0)
		; /* EINTR: the process was stopped and continued */
	if (info.si_signo != SIGRTMIN) {
		atomic_store(&run->signal, info.si_signo);
		ls_machine_stop(run->machine, LS_ERR_STOPPED);
	}
	return NULL;
}

/*
 * SIGRTMIN ends the watch.  The kernel delivers a signal to the thread before one to the process;
 * the latter stays pending.
 */
static void end_watch(pthread_t thread)
{
	pthread_kill(thread, SIGRTMIN);
	pthread_join(thread, NULL);
}

/* A stop before ls_run has begun has no effect: the nodes look for the signal. */
static int run_node(ls_node *node, void *argument)
{
	struct watched_run *run = argument;

	return atomic_load(&run->signal) ? LS_ERR_STOPPED : run->program(node, run->argument);
}

/*
 * One thread waits for signals, because a signal handler must not stop a machine.  A signal that it
 * receives when the run has just ended is reported as if it had come during the run.  A later one
 * stays pending if the caller has blocked signals; see take_signal.
 */
int machine_run(ls_machine *machine, int (*program)(ls_node *, void *), void *argument, int *signal)
{
	struct watched_run run = { .machine = machine, .program = program, .argument = argument };
	sigset_t before;
	pthread_t thread;

	block_signals(&run.signals, &before);
	sigaddset(&run.signals, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &run.signals, NULL);

	const bool watched = pthread_create(&thread, NULL, watch_signals, &run) == 0;

	report_stack_overflow(machine);

	const int status = ls_run(machine, run_node, &run);

	report_stack_overflow(NULL);
	if (watched)
		end_watch(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*signal = (int)follow_first(run.signal);
	return (int)follow_first(*signal ? LS_ERR_STOPPED : status);
}

int print_interrupted(int signal)
{
	return print_error(
		EXIT_SIGNAL + signal, "interrupted (%s); the run is incomplete", strsignal(signal));
}

int report_machine_failure(const ls_machine *machine, int status, int signal, struct ls_error *out,
	struct blocked_nodes *blocked)
{
	*blocked = blocked_nodes_of(machine);
	*out = (struct ls_error){ .size = sizeof *out };
	if (ls_last_error(machine, out) == LS_OK)
		*out = (struct ls_error){ sizeof *out, status, -1, -1, -1, -1, NULL, "" };
	if (signal)
		return print_interrupted(signal);

	const int result = print_ls_error(out);

	if (result == EXIT_STUCK)
		print_blocked_nodes(*blocked, stderr);
	return result;
}
