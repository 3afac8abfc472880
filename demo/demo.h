/*
 * What the demos share: a network made from its spec, a line that tells what it took, and the end
 * of a demo that went wrong.
 */
#ifndef DEMO_H
#define DEMO_H

#include <lockstep.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine uses its topology for as long as it lives. */
struct network {
	ls_topology *topology;
	ls_machine *machine;
};

__attribute__((format(printf, 2, 3))) static inline void require(
	bool right, const char *format, ...)
{
	va_list arguments;

	if (right)
		return;
	fflush(stdout);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_FAILURE);
}

static inline struct network network_make(
	const char *spec, const struct ls_machine_options *options)
{
	struct ls_error why = { .size = sizeof why };
	struct network net;
	int failed = ls_topology_make(spec, &net.topology, &why);

	require(!failed, "%s", why.text);
	failed = ls_machine_make(net.topology, options, &net.machine);
	require(!failed, "%s: %s", spec, ls_status_name(failed));
	return net;
}

/* Run the program on every node; what was sent. */
static inline struct ls_stats network_run(
	struct network net, int (*program)(ls_node *, void *), void *arg)
{
	struct ls_error why = { .size = sizeof why };
	struct ls_stats stats = { .size = sizeof stats };
	const int failed = ls_run(net.machine, program, arg);

	ls_last_error(net.machine, &why);
	require(!failed, "%s: %s", ls_status_name(failed), why.text);
	ls_machine_stats(net.machine, &stats);
	return stats;
}

/* One line: the network, what was sent, and what came out right. */
__attribute__((format(printf, 3, 4))) static inline void report(
	struct network net, struct ls_stats sent, const char *format, ...)
{
	va_list arguments;

	printf("%-12s %3d nodes %6d rounds %7d messages   ", ls_topology_spec(net.topology),
		(int)ls_topology_nodes(net.topology), (int)sent.rounds, (int)sent.messages);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("   ok\n");
}

/* The networks that the command line names, or these, up to a NULL. */
static inline void on_networks(char **argv, const char *const *spec, void (*demo)(const char *))
{
	for (spec = argv[1] ? (const char *const *)argv + 1 : spec; *spec; spec++)
		demo(*spec);
}

/*
 * The path of a file of demo/data: in the folder that LOCKSTEP_DATA names, else as seen from the
 * program, installed or built, else in the root of the tree.
 */
static inline void data_path(const char *name, char *path, size_t size)
{
	static const char *const folders[] = { "../../../share/lockstep/data", "../../../demo/data" };
	const char *data = getenv("LOCKSTEP_DATA");
	char program[PATH_MAX];
	const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

	if (data && *data) {
		snprintf(path, size, "%s/%s", data, name);
		return;
	}
	program[length > 0 ? length : 0] = '\0';
	for (size_t i = 0; length > 0 && i < sizeof folders / sizeof *folders; i++) {
		const int folder = (int)(strrchr(program, '/') - program);

		snprintf(path, size, "%.*s/%s/%s", folder, program, folders[i], name);
		if (access(path, R_OK) == 0)
			return;
	}
	snprintf(path, size, "demo/data/%s", name);
}

static inline FILE *input_open(const char *path)
{
	FILE *file = fopen(path, "r");

	require(file, "cannot read %s; set LOCKSTEP_DATA to the folder of the demos' data", path);
	return file;
}

static inline FILE *data_open(const char *name)
{
	char path[2 * PATH_MAX];

	data_path(name, path, sizeof path);
	return input_open(path);
}

/* The network in a file of demo/data. */
static inline struct network network_make_from_data(const char *name)
{
	char path[2 * PATH_MAX], spec[2 * PATH_MAX + 8];

	data_path(name, path, sizeof path);
	fclose(input_open(path));
	snprintf(spec, sizeof spec, "graph:%s", path);
	return network_make(spec, NULL);
}

static inline void network_destroy(struct network net)
{
	ls_machine_destroy(net.machine);
	ls_topology_destroy(net.topology);
}

#endif
