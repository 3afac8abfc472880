#include "base/output_file.h"

#include "base/messages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

int output_open(const char *path, struct output_file *out)
{
	*out = (struct output_file){ .file = standard_stream(path), .path = path };
	if (out->file)
		return EXIT_SUCCESS;

	int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	out->created = descriptor >= 0;
	if (descriptor < 0)
		descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (descriptor >= 0)
		out->file = fdopen(descriptor, "w");
	return out->file ? EXIT_SUCCESS : print_unwritable(path);
}

void output_truncate(struct output_file *output)
{
	struct stat about;
	const int descriptor = fileno(output->file);

	if (!is_standard_stream(output) && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)
		&& ftruncate(descriptor, 0) != 0)
		print_unwritable(output->path);
}

int output_close(struct output_file *output)
{
	FILE *file = output->file;

	if (!file)
		return EXIT_SUCCESS;

	const bool standard = is_standard_stream(output);
	const bool failed_before = ferror(file);
	const bool failed = standard ? fflush(file) : fclose(file);

	output->file = NULL;
	if (!failed && !failed_before)
		return EXIT_SUCCESS;
	return print_unwritable(output->path);
}

void output_discard(struct output_file *output)
{
	if (output->file && !is_standard_stream(output)) {
		fclose(output->file);
		if (output->created)
			unlink(output->path);
	}
	output->file = NULL;
}
