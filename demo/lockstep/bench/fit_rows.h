/*
 * Rows of files that `bench --csv` wrote, with the columns that `fit` needs.
 */
#ifndef LOCKSTEP_BENCH_FIT_ROWS_H
#define LOCKSTEP_BENCH_FIT_ROWS_H

#include "base/messages.h"

/* Rows with equal keys are fitted together. */
enum fit_key {
	FIT_TOPOLOGY,
	FIT_OPERATION,
	FIT_ALGORITHM,
	FIT_ENGINE,
	FIT_ROUND_MODE,
	FIT_MODE,
	FIT_TYPE,
	FIT_OP,
	FIT_PORTS,
	FIT_MAP,
	FIT_KEYS
};
/* Their columns, in this order. */
#define FIT_HEADS \
	"topology", "operation", "algorithm", "engine", "round_mode", "mode", "type", "op", "#ports", \
		"map"

struct fit_row {
	char *key[FIT_KEYS];
	double bytes;                 /* of one contribution */
	struct ls_cost_sample sample; /* time in ns */
};
struct fit_rows {
	struct fit_row *row;
	size_t count, left_out; /* left out: rows of failed runs */
};

/* Append the rows of a file, "-": standard input; exit code. */
int fit_read(const char *path, struct fit_rows *);
void fit_destroy(struct fit_rows *);

#endif
