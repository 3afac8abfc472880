/*
 * PNG and PDF: the program rsvg-convert of librsvg makes them from SVG.
 */
#include "base/messages.h"
#include "draw/drawing.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

static int print_missing(const char *format)
{
	char name[8] = "";

	for (int i = 0; format[i] && i < 7; i++)
		name[i] = (char)(format[i] >= 'a' && format[i] <= 'z' ? format[i] - 'a' + 'A' : format[i]);
	return print_error(
		EXIT_UNAVAILABLE, "%s needs rsvg-convert; install it or write FILE.svg", name);
}

/* Start the program with `in` and `out` as its standard streams; an errno. */
static int start(const char *format, FILE *in, FILE *out, pid_t *child)
{
	char option[16];
	char *arguments[] = { (char *)"rsvg-convert", option, (char *)"--zoom=2", NULL };
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);

	if (failed)
		return failed;
	snprintf(option, sizeof option, "--format=%s", format);
	if (strcmp(format, "pdf") == 0)
		arguments[2] = NULL;
	failed = posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	if (!failed)
		failed = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static int convert_svg(FILE *svg, const char *format, FILE *out)
{
	pid_t child;
	int status = 0;

	if (fflush(svg) || fflush(out))
		return print_unwritable("a temporary file");
	rewind(svg);

	const int failed = start(format, svg, out, &child);

	if (failed == ENOENT)
		return print_missing(format);
	if (failed)
		return print_error(EXIT_RESOURCE, "cannot start rsvg-convert: %s", strerror(failed));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return print_missing(format);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return print_error(EXIT_RESOURCE, "rsvg-convert failed; try FILE.svg");
	return EXIT_SUCCESS;
}

int convert_drawing(const struct output *output, const void *document,
	int (*write)(const struct output *, const void *document), const char *format)
{
	struct output to_svg = *output;
	int failed;

	to_svg.file = tmpfile();
	if (!to_svg.file)
		return print_unwritable("a temporary file");
	failed = write(&to_svg, document);
	if (!failed)
		failed = convert_svg(to_svg.file, format, output->file);
	fclose(to_svg.file);
	return failed;
}
