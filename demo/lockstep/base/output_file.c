#include "base/output_file.h"

#include "base/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names */

/* The open stream that a path names; NULL: none. */
static FILE *standard_stream(const char *path)
{
	static const char *const out[] = { "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };
	static const char *const err[] = { "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2" };

	for (size_t i = 0; i < sizeof out / sizeof *out; i++)
		if (strcmp(path, out[i]) == 0)
			return stdout;
	for (size_t i = 0; i < sizeof err / sizeof *err; i++)
		if (strcmp(path, err[i]) == 0)
			return stderr;
	return NULL;
}

bool output_is_stream(const char *path)
{
	return standard_stream(path) != NULL;
}

static bool is_standard_stream(const struct output_file *output)
{
	return output->file == stdout || output->file == stderr;
}

/* Length of "folder/" in front of the last name. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

/* The path that a symbolic link names; NULL: path is none.  The caller frees it. */
static char *read_link(const char *path)
{
	char text[PATH_MAX], *whole;
	const ssize_t length = readlink(path, text, sizeof text - 1);
	const int folder = length > 0 && text[0] != '/' ? folder_length(path) : 0;

	if (length <= 0)
		return NULL;
	if (asprintf(&whole, "%.*s%.*s", folder, path, (int)length, text) < 0)
		whole = NULL;
	return require_memory(whole);
}

/* Opening such a name opens the file that a descriptor has, though readlink shows its path. */
static bool names_open_file(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/*
 * The regular file, or the new one, that a path names behind its symbolic links.  NULL: it is none,
 * or the links have no end.  The caller frees it.
 */
static char *find_target(const char *path)
{
	enum { LINKS_MOST = 40 }; /* as Linux */
	char *at = require_memory(strdup(path)), *next;
	struct stat about;

	for (int links = 0; links < LINKS_MOST && !names_open_file(at); links++) {
		next = read_link(at);
		if (!next && at[folder_length(at)]
			&& (lstat(at, &about) == 0 ? S_ISREG(about.st_mode) : errno == ENOENT))
			return at;
		free(at);
		at = next;
		if (!next)
			return NULL;
	}
	free(at);
	return NULL;
}

/* ---- Temporary files */

/* Changed while the signals below are blocked. */
static struct output_file *temporaries;

/* Signals that end the tool unless a run waits for them. */
static const int ending_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU };
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

void output_remove_temporaries(void)
{
	for (struct output_file *output = temporaries; output; output = output->next)
		unlink(output->temporary);
}

static void end_by_signal(int number)
{
	output_remove_temporaries();
	signal(number, SIG_DFL);
	raise(number);
}

/* Signals that are ignored stay so.  A write beyond a limit of the file size fails. */
static void handle_ending_signals(void)
{
	const struct sigaction handling = { .sa_handler = end_by_signal };
	struct sigaction old;

	for (int i = 0; i < ENDING_SIGNALS; i++)
		if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &handling, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

static void block_ending_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < ENDING_SIGNALS; i++)
		sigaddset(&set, ending_signals[i]);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

/* The caller has blocked the signals that end the tool. */
static void forget_temporary(struct output_file *output)
{
	struct output_file **link = &temporaries;

	while (*link != output)
		link = &(*link)->next;
	*link = output->next;
	free(output->temporary);
	output->temporary = NULL;
}

/* A temporary file of the folder, with the permissions of a new file; -1: errno says why. */
static int make_temporary(const char *target, char **name)
{
	enum { NAMES_MOST = 100 };
	int descriptor = -1;

	errno = EEXIST;
	for (int i = 0; i < NAMES_MOST && descriptor < 0 && errno == EEXIST; i++) {
		free(*name);
		if (asprintf(name, "%.*s.lockstep-%ld-%d", folder_length(target), target, (long)getpid(), i)
			< 0)
			*name = NULL;
		require_memory(*name);
		descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	return descriptor;
}

/* Gives a new file the owner and the permissions of the old one.  False: it cannot replace it. */
static bool resemble(int descriptor, const char *target)
{
	struct stat old, new;

	if (stat(target, &old) != 0)
		return errno == ENOENT;
	if (fstat(descriptor, &new) != 0 || old.st_dev != new.st_dev)
		return false;
	if ((old.st_uid != new.st_uid || old.st_gid != new.st_gid)
		&& fchown(descriptor, old.st_uid, old.st_gid) != 0)
		return false;
	return fchmod(descriptor, old.st_mode & 07777) == 0;
}

/* The descriptor of a temporary file for the target; -1: none can replace it. */
static int open_temporary(struct output_file *output)
{
	sigset_t before;
	int descriptor;

	block_ending_signals(&before);
	descriptor = make_temporary(output->target, &output->temporary);
	if (descriptor >= 0 && !resemble(descriptor, output->target)) {
		unlink(output->temporary);
		close(descriptor);
		descriptor = -1;
	}
	if (descriptor >= 0) {
		output->next = temporaries;
		temporaries = output;
		handle_ending_signals();
	} else {
		free(output->temporary);
		output->temporary = NULL;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return descriptor;
}

/* Renames the temporary file to its target, or removes it.  True: it has the name. */
static bool end_temporary(struct output_file *output, bool keep)
{
	sigset_t before;
	bool kept;
	int reason;

	block_ending_signals(&before);
	kept = keep && rename(output->temporary, output->target) == 0;
	reason = errno;
	if (!kept)
		unlink(output->temporary);
	forget_temporary(output);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return kept;
}

/* ---- Files */

int output_open(const char *path, struct output_file *out)
{
	int descriptor = -1;

	*out = (struct output_file){ .file = standard_stream(path), .path = path };
	if (out->file)
		return EXIT_SUCCESS;
	out->target = find_target(path);
	if (out->target && (access(out->target, W_OK) == 0 || errno == ENOENT))
		descriptor = open_temporary(out);
	if (descriptor < 0)
		descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (descriptor >= 0)
		out->file = require_memory(fdopen(descriptor, "w"));
	if (out->file)
		return EXIT_SUCCESS;
	free(out->target);
	out->target = NULL;
	return print_unwritable(path);
}

void output_truncate(struct output_file *output)
{
	struct stat about;
	const int descriptor = fileno(output->file);

	if (!is_standard_stream(output) && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
		&& ftruncate(descriptor, 0) != 0)
		print_unwritable(output->path);
}

/* Flushes and closes the file.  0, or the error number of a write that failed. */
static int finish_file(struct output_file *output)
{
	FILE *file = output->file;
	const bool standard = is_standard_stream(output), failed_before = ferror(file);
	int reason = fflush(file) != 0 ? errno : failed_before ? EIO : 0;

	output->file = NULL;
	if (!standard && fclose(file) != 0 && reason == 0)
		reason = errno;
	return reason;
}

static int end_file(struct output_file *output, bool keep)
{
	int reason = output->file ? finish_file(output) : 0;

	if (output->temporary && !end_temporary(output, keep && reason == 0) && reason == 0)
		reason = errno;
	free(output->target);
	output->target = NULL;
	return reason;
}

int output_close(struct output_file *output)
{
	errno = end_file(output, true);
	return errno ? print_unwritable(output->path) : EXIT_SUCCESS;
}

void output_discard(struct output_file *output)
{
	end_file(output, false);
}
