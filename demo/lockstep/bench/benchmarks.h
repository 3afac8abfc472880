/*
 * Benchmarks that are not operations.
 */
#ifndef LOCKSTEP_BENCH_BENCHMARKS_H
#define LOCKSTEP_BENCH_BENCHMARKS_H

#include "bench/pair.h"

struct benchmark {
	const char *name, *text;
	pair_program *round; /* of two nodes; NULL: of the cores (core_map.h) */
	int messages;        /* per round */
	bool is_bandwidth;   /* --format osu shows a bandwidth; else a latency */
};

extern const struct benchmark benchmarks[]; /* NULL name at the end */

/* NULL: none. */
const struct benchmark *benchmark_named(const char *name);

#endif
