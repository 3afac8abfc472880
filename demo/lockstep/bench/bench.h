/*
 * What the parts of `bench` share: variants that are measured in turns, and how they are told.
 */
#ifndef LOCKSTEP_BENCH_BENCH_H
#define LOCKSTEP_BENCH_BENCH_H

#include "bench/measurement.h"
#include "report/format.h"

/* An algorithm with a kind of rounds and an engine; and what is measured of it at one size. */
struct variant {
	struct query query; /* but for the size */
	struct execution how;
	ls_machine *machine; /* kept from size to size */
	enum ls_mode mode;   /* of the machine */

	struct query sized;
	struct workload workload;
	struct measurement measurement;
	struct outcome outcome;
	double *sample;        /* ns a call, in the order measured */
	size_t samples, calls; /* calls of each sample */
	double model, volume;  /* ns; bytes that t_w is paid for: struct ls_counts */
};

/* While a size was measured. */
struct conditions {
	double exchange_before, exchange_after; /* probe.h */
	double others;
};

struct bench {
	const struct query *query;
	const struct execution *how;
	const struct output *output;
	ls_topology *topology;
	struct variant *variant;
	size_t variants;
	int64_t begin;
	int by; /* the signal that ended it, or 0 */
	int cores;
	int label[2];              /* columns of the widest algorithm, of the engine */
	size_t rows, noisy, moved; /* told so far */
	struct json json;          /* open, in that form */
};

/* bench_size.c: measure all variants at one size and tell them; exit code. */
int bench_size(struct bench *, size_t count);

/* bench_print.c */
extern const struct format bench_formats[];
void bench_begin(struct bench *);
void bench_row(struct bench *, const struct variant *, const struct conditions *);
void bench_end(struct bench *, int result);

#endif
