/*
 * The sanitizers see what light nodes do, because each switch is announced to them: with a race of
 * two nodes, or an overflow of a buffer on the stack of a node, this program ends with a report.
 *
 * Each is planted in a second process.  Both reports come with gcc 12 and with clang 14.
 */
/* variants: asan tsan */
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/collective.h>

#include "support/cells.h"
#include "support/guard.h"
#include "test.h"

extern char **environ;

enum { RACES = 1000 };

static long shared;
static size_t length = 24; /* more than the buffer has */
static volatile int sink;

/*
 * The first and the last node have different workers, where there are two.  Once, chance may order
 * their accesses; not each time.
 */
static int race(ls_node *me, void *unused)
{
	int failed = LS_OK;

	(void)unused;
	for (int i = 0; i < RACES && !failed; i++) {
		failed = ls_barrier(me);
		if (ls_rank(me) == 0 || ls_rank(me) == ls_size(me) - 1)
			shared += ls_rank(me);
	}
	return failed ? failed : ls_barrier(me);
}

static __attribute__((noinline)) void fill(size_t n)
{
	char buffer[16];

	memset(buffer, 1, n);
	sink = buffer[n / 4];
}

static int overflow(ls_node *me, void *unused)
{
	int failed = ls_barrier(me);

	(void)unused;
	if (ls_rank(me) == 1)
		fill(length);
	return failed ? failed : ls_barrier(me);
}

static int run_fibers(int (*program)(ls_node *, void *))
{
	const struct ls_machine_options options = {
		.size = sizeof options, .node_kind = LS_NODE_FIBER, .stack = 256 << 10
	};
	ls_topology *t = topology_of("complete:8");
	ls_machine *machine = machine_on(t, &options);
	const int status = ls_run(machine, program, NULL);

	printf("no report with %d workers, status %d\n", (int)ls_machine_threads(machine), status);
	ls_machine_destroy(machine);
	ls_topology_destroy(t);
	return status;
}

/* Run this program again with one argument; its output, of standard error too. */
static void output_of(char *self, char *planted, char *text, size_t size)
{
	char *const arguments[] = { self, planted, NULL };
	posix_spawn_file_actions_t actions;
	size_t n = 0;
	ssize_t got;
	int ends[2], status = -1;
	pid_t child;

	CHECK(pipe(ends) == 0, "%s", guarded());
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	posix_spawn_file_actions_addclose(&actions, ends[1]);
	CHECK(posix_spawn(&child, self, &actions, NULL, arguments, environ) == 0, "%s", guarded());
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (n < size - 1 && (got = read(ends[0], text + n, size - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	close(ends[0]);
	waitpid(child, &status, 0);
	CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0 || strstr(text, "no report"), "%s: %s",
		guarded(), text);
}

int main(int arguments, char **argument)
{
	const bool races = !strcmp(getenv("LS_VARIANT") ? getenv("LS_VARIANT") : "", "tsan");
	static char text[1 << 16];

	if (arguments > 1)
		return run_fibers(strcmp(argument[1], "race") == 0 ? race : overflow);
	length = 16;
	CHECK(run_fibers(overflow) == LS_OK, "without a mistake");
	guard(races ? "a race" : "an overflow");
	output_of(argument[0], races ? "race" : "overflow", text, sizeof text);
	if (races)
		CHECK(
			strstr(text, "data race") || strstr(text, "with 1 workers"), "%s: %s", guarded(), text);
	else
		CHECK(strstr(text, "stack-buffer-overflow"), "%s: %s", guarded(), text);
	return test_result();
}
