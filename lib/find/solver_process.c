/*
 * fork and exec, because posix_spawn can neither limit resources nor ask for a signal at the death
 * of the parent.  Between the two, the child calls only functions that are safe in the child of a
 * program with threads.
 */
#include "find/solver_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

enum { WAIT_NS = 2000000, WALL_FACTOR = 20, WALL_SECONDS = 10 };

/* Above the descriptors of the child, so that none of these is closed before it is duplicated. */
enum { PROOF_DESCRIPTOR = 3, LEAST_DESCRIPTOR = 10, DESCRIPTORS = 1024 };

/* ---- Files */

/* Some file systems have no files without names; there the name exists for a moment. */
static int open_nameless(const char *folder)
{
	char path[4096];
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0)
		return file;
	if ((size_t)snprintf(path, sizeof path, "%s/lockstep-XXXXXX", folder) >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	return file;
}

static int open_file(const char *folder)
{
	const int file = open_nameless(folder);
	const int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
	const int reason = errno;

	if (file >= 0)
		close(file);
	errno = reason;
	return high;
}

int lsi_files_open(struct lsi_process_files *f, struct ls_error *why)
{
	const char *folder = secure_getenv("TMPDIR");
	int *const file[] = { &f->problem, &f->answer, &f->proof };

	if (!folder || !*folder)
		folder = "/tmp";
	*f = (struct lsi_process_files){ -1, -1, -1 };
	for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
		*file[i] = open_file(folder);
		if (*file[i] < 0)
			return lsi_error_set(why, LS_ERR_UNSUPPORTED,
				"cannot make a file in %s for the solver: %s; try another TMPDIR", folder,
				strerror(errno));
	}
	return LS_OK;
}

void lsi_files_close(struct lsi_process_files *f)
{
	const int file[] = { f->problem, f->answer, f->proof };

	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		if (file[i] >= 0)
			close(file[i]);
}

char *lsi_file_read(int descriptor, size_t *length)
{
	struct stat state;
	char *text = NULL;
	ssize_t bytes = 1;

	*length = 0;
	if (fstat(descriptor, &state) != 0)
		return NULL;
	if (state.st_size >= LSI_FILE_BYTES_MAX) {
		*length = (size_t)state.st_size;
		return NULL;
	}
	text = lsi_alloc((size_t)state.st_size + 1);
	while (text && bytes > 0 && *length < (size_t)state.st_size) {
		bytes = pread(descriptor, text + *length, (size_t)state.st_size - *length, (off_t)*length);
		*length += bytes > 0 ? (size_t)bytes : 0;
	}
	if (text)
		text[*length] = '\0';
	return text;
}

/* ---- The group */

struct group {
	pid_t parent, watcher;
	int alive; /* closed when the parent ends, in whatever way */
};

/* All but standard input: others wait for the end of pipes that this process must not keep open. */
static void close_descriptors(void)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 1, ~0U, 0) == 0)
		return;
#endif
	for (int descriptor = 1; descriptor < DESCRIPTORS; descriptor++)
		close(descriptor);
}

/* The watcher leads the group, and dies with it. */
_Noreturn static void watch(int alive)
{
	char byte;

	setpgid(0, 0);
	dup2(alive, STDIN_FILENO);
	close_descriptors();
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		continue;
	kill(-getpid(), SIGKILL);
	_exit(EXIT_FAILURE);
}

/* 0 or an errno. */
static int start_group(struct group *group)
{
	int alive[2], reason;

	if (pipe2(alive, O_CLOEXEC) != 0)
		return errno;
	group->parent = getpid();
	group->watcher = fork();
	if (group->watcher == 0)
		watch(alive[0]);
	reason = errno;
	close(alive[0]);
	group->alive = alive[1];
	if (group->watcher < 0) {
		close(alive[1]);
		return reason;
	}
	setpgid(group->watcher, group->watcher); /* whoever is first: it exists from here on */
	return 0;
}

/* Until the watcher is waited for, the number of the group cannot be that of another. */
static void end_group(const struct group *group)
{
	kill(-group->watcher, SIGKILL);
	while (waitpid(group->watcher, NULL, 0) < 0 && errno == EINTR)
		continue;
	close(group->alive);
}

/* ---- The child */

/* Never above the limit that is in force. */
static void lower_limit(struct rlimit *limit, rlim_t soft, rlim_t hard)
{
	if (limit->rlim_max > hard)
		limit->rlim_max = hard;
	limit->rlim_cur = limit->rlim_max < soft ? limit->rlim_max : soft;
}

/*
 * The hard limit of the CPU time lies a second above the soft one: a program that ignores the
 * signal of the latter is ended by the former.
 */
static void limit_resources(double budget)
{
	const rlim_t seconds = (rlim_t)ceil(budget);
	struct rlimit cpu, file;

	if (getrlimit(RLIMIT_CPU, &cpu) == 0) {
		lower_limit(&cpu, seconds, seconds + 1);
		setrlimit(RLIMIT_CPU, &cpu);
	}
	if (getrlimit(RLIMIT_FSIZE, &file) == 0) {
		lower_limit(&file, LSI_FILE_BYTES_MAX, LSI_FILE_BYTES_MAX);
		setrlimit(RLIMIT_FSIZE, &file);
	}
}

/* A program inherits what is blocked and ignored; the limits need their signals. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGXCPU, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool place_files(const struct lsi_process_files *f)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	return null >= 0 && dup2(null, STDERR_FILENO) >= 0 && dup2(f->problem, STDIN_FILENO) >= 0
		&& dup2(f->answer, STDOUT_FILENO) >= 0 && dup2(f->proof, PROOF_DESCRIPTOR) >= 0;
}

/* The parent reads the reason of a failure from a pipe, which a successful exec closes. */
_Noreturn static void become(char *const *arguments, const struct lsi_process_files *f,
	double budget, const struct group *group, int report)
{
	int reason;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent died before prctl, and the group may be gone. */
	if (getppid() != group->parent || setpgid(0, group->watcher) != 0)
		_exit(EXIT_FAILURE);
	limit_resources(budget);
	reset_signals();
	if (place_files(f))
		execvp(arguments[0], arguments);
	reason = errno;
	if (write(report, &reason, sizeof reason) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_FAILURE);
}

/* ---- The parent */

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

static int await(pid_t child, const struct group *group, double budget, double *seconds)
{
	const double begin = seconds_now(), last = begin + WALL_FACTOR * budget + WALL_SECONDS;
	struct rusage usage = { 0 };
	int status = 0;
	pid_t ended;

	while ((ended = wait4(child, &status, WNOHANG, &usage)) == 0 || (ended < 0 && errno == EINTR)) {
		if (seconds_now() > last)
			kill(-group->watcher, SIGKILL);
		nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
	}

	const double charged = (seconds_now() - begin) / WALL_FACTOR;

	*seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
	if (*seconds < charged)
		*seconds = charged;
	return status;
}

/* 0, or the errno that the child reports. */
static int read_report(int report)
{
	int reason = 0;
	ssize_t bytes;

	do
		bytes = read(report, &reason, sizeof reason);
	while (bytes < 0 && errno == EINTR);
	return bytes == (ssize_t)sizeof reason ? reason : 0;
}

int lsi_process_run(char *const *arguments, const struct lsi_process_files *f, double budget,
	int *status, double *seconds)
{
	struct group group = { 0 };
	int report[2], reason, high;
	pid_t child;

	reason = start_group(&group);
	if (reason)
		return reason;
	if (pipe2(report, O_CLOEXEC) != 0) {
		reason = errno;
		end_group(&group);
		return reason;
	}
	high = fcntl(report[1], F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
	child = high < 0 ? -1 : fork();
	if (child == 0)
		become(arguments, f, budget, &group, high);
	reason = errno;
	close(report[1]);
	if (high >= 0)
		close(high);
	if (child > 0) {
		reason = read_report(report[0]);
		*status = await(child, &group, budget, seconds);
	}
	end_group(&group);
	close(report[0]);
	return reason;
}
