/*
 * What the demos share: a network made from its spec, a line that tells what it took, and the end
 * of a demo that went wrong.
 */
#ifndef DEMO_H
#define DEMO_H

#include <lockstep.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

static inline FILE *input_open(const char *path)
{
	FILE *file = fopen(path, "r");

	require(file, "cannot read %s; I must be run in the root of the tree", path);
	return file;
}

static inline void network_destroy(struct network net)
{
	ls_machine_destroy(net.machine);
	ls_topology_destroy(net.topology);
}

#endif
