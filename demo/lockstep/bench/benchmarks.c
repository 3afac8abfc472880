#include "bench/benchmarks.h"

#include <string.h>

const struct benchmark benchmarks[] = {
	{ "exchange", "latency: two neighbors send to each other in each round", pair_exchange, 2,
		false },
	{ "stream", "bandwidth: a node sends to its neighbor in each round", pair_stream, 1, true },
	{ "cores", "cache-line transfer latency between each pair of cores, in ns; takes no -t", NULL,
		0, false },
	{ 0 },
};

const struct benchmark *benchmark_named(const char *name)
{
	for (const struct benchmark *b = benchmarks; b->name; b++)
		if (strcmp(b->name, name) == 0)
			return b;
	return NULL;
}
