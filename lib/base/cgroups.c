#include "base/cgroups.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 1200 };

bool lsi_read_kernel_file(char *text, size_t bytes, const char *path, ...)
{
	char full[PATH];
	va_list arguments;

	va_start(arguments, path);

	const int length = vsnprintf(full, sizeof full, path, arguments);

	va_end(arguments);

	const int file = length < PATH ? open(full, O_RDONLY | O_CLOEXEC) : -1;
	const ssize_t n = file < 0 ? -1 : read(file, text, bytes - 1);

	if (file >= 0)
		close(file);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* "0::/a/b" in cgroup v2 (unified), "4:cpu,cpuacct:/a/b" in cgroup v1. */
const char *lsi_cgroup_parse(const char *line, const char *controller, bool *unified)
{
	const size_t length = strlen(controller);
	const char *controllers = strchr(line, ':');
	const char *group = controllers ? strchr(++controllers, ':') : NULL;

	if (!group || *++group != '/')
		return NULL;
	*unified = group == controllers + 1;
	if (*unified)
		return group;
	for (const char *word = controllers; word < group; word += strcspn(word, ",:") + 1)
		if (strcspn(word, ",:") == length && !strncmp(word, controller, length))
			return group;
	return NULL;
}

/*
 * The lowest limit of a group and its ancestors, which all apply.  For group "/a/b" it reads
 *
 *   root/a/b/  ->  root/a/  ->  root/
 *
 * In a container the path may name groups above the mounted directory; the folders that do not
 * exist have no limit.  A path with ".." reads the root only.
 */
static double find_minimum_upward(
	const char *root, const char *group, lsi_cgroup_limit *limit_of, bool unified)
{
	int length = strstr(group, "..") ? 0 : (int)strlen(group);
	double least = INFINITY;
	char folder[PATH];

	for (;;) {
		while (length > 0 && group[length - 1] == '/')
			length--;
		if (snprintf(folder, sizeof folder, "%s%.*s/", root, length, group) < PATH)
			least = fmin(least, limit_of(folder, unified));
		if (length == 0)
			return least;
		while (length > 0 && group[length - 1] != '/')
			length--;
	}
}

/* A process may be in the unified hierarchy and in those of controllers: one line for each. */
double lsi_cgroup_least(
	const char *groups, const char *root, const char *controller, lsi_cgroup_limit *limit_of)
{
	char text[4096], own[PATH], *line = text;
	double least = INFINITY;

	lsi_read_kernel_file(text, sizeof text, "%s", groups);
	snprintf(own, sizeof own, "%s/%s", root, controller);
	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		bool unified;

		*end = '\0';

		const char *group = lsi_cgroup_parse(line, controller, &unified);

		if (group)
			least =
				fmin(least, find_minimum_upward(unified ? root : own, group, limit_of, unified));
	}
	return least;
}
