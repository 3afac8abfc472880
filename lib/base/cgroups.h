/*
 * Control groups: what those of this process, and those around them, grant; and the kernel's texts.
 */
#ifndef LSI_BASE_CGROUPS_H
#define LSI_BASE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* A file of the kernel, cut where it does not fit; false: nothing is in it. */
bool lsi_read_kernel_file(char *text, size_t bytes, const char *path, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The group in a line of /proc/self/cgroup, in the hierarchy of a controller or the unified one;
 * NULL: in another.
 */
const char *lsi_cgroup_parse(const char *line, const char *controller, bool *unified);

/* What a group grants whose files are in a folder, which ends with '/'; INFINITY: all. */
typedef double lsi_cgroup_limit(const char *folder, bool unified);

/* The least of all groups; `groups` is /proc/self/cgroup, `root` /sys/fs/cgroup, but in tests. */
double lsi_cgroup_least(
	const char *groups, const char *root, const char *controller, lsi_cgroup_limit *);

#endif
