/*
 * Shared by the files of `bench`: variants that are measured alternately, and their output.
 */
#ifndef LOCKSTEP_BENCH_BENCH_H
#define LOCKSTEP_BENCH_BENCH_H

#include "bench/benchmarks.h"
#include "bench/compare.h"
#include "bench/measurement.h"
#include "chart/chart_rows.h"
#include "report/format.h"

/* An algorithm with a kind of rounds and an engine, and its measurements at one size. */
struct variant {
	struct query query; /* without the size */
	struct execution how;
	ls_machine *machine; /* kept from size to size */
	enum ls_mode mode;   /* of the machine */

	struct query sized;
	struct workload workload;
	struct pair pair; /* replaces the workload where bench->benchmark is set */
	struct measurement measurement;
	struct outcome outcome;
	double *sample;        /* ns per call, in the order measured */
	size_t samples, calls; /* calls of each sample */
	double model, volume;  /* predicted ns; predicted bytes that cost t_w each */
};

/* The state of the computer while a size was measured. */
struct conditions {
	double exchange_before, exchange_after; /* probe_exchange, ns */
	double others;                          /* usage_of_others */
};

struct bench {
	const struct query *query;
	const struct execution *how;
	const struct output *output;
	const struct benchmark *benchmark; /* of two nodes; NULL: an operation */
	int64_t node[2];                   /* the two */
	ls_topology *topology;
	struct variant *variant;
	size_t variants;
	int64_t begin;
	int signal; /* the signal that ended it, or 0 */
	int cores;
	int label[2];              /* width of the widest algorithm, of the widest engine */
	unsigned dropped;          /* bits of the columns of text that the terminal has no room for */
	size_t rows, noisy, moved; /* so far */
	struct json json;          /* open if the format is JSON */
	struct comparisons comparisons;
	const struct drawing_choice *drawing;
	const char *const *pictures; /* files, NULL at the end; NULL: none */
	struct chart_rows chart;     /* the rows so far, for the pictures */
	int undrawn;                 /* exit code of the first row that they cannot show */
};

/* bench_size.c: measures all variants at one size and writes their rows; exit code. */
int bench_size(struct bench *, size_t count);

/* bench_chart.c: writes the pictures after the last row; exit code. */
int bench_draw(const struct bench *);

/* bench_print.c */
extern const struct format bench_formats[];
void bench_begin(struct bench *);
void bench_row(struct bench *, const struct variant *, const struct conditions *);
void bench_end(struct bench *, int result);

#endif
