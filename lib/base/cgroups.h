/*
 * Control groups: the limits of the groups of this process and of their ancestors.
 */
#ifndef LSI_BASE_CGROUPS_H
#define LSI_BASE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Read a file of the kernel, truncated to `bytes`; false: missing or empty. */
bool lsi_read_kernel_file(char *text, size_t bytes, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The group in a line of /proc/self/cgroup, if the line is of the hierarchy of `controller` or of
 * the unified hierarchy; else NULL.
 */
const char *lsi_cgroup_parse(const char *line, const char *controller, bool *unified);

/* The limit in the folder of a group, whose path ends with '/'; INFINITY: unlimited. */
typedef double lsi_cgroup_limit(const char *folder, bool unified);

/* The lowest limit.  Except in tests, groups is /proc/self/cgroup and root /sys/fs/cgroup. */
double lsi_cgroup_least(
	const char *groups, const char *root, const char *controller, lsi_cgroup_limit *);

#endif
