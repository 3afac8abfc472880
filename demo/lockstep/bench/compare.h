/*
 * Comparison with the rows of an earlier run, from a document that `bench --json` wrote.
 */
#ifndef LOCKSTEP_BENCH_COMPARE_H
#define LOCKSTEP_BENCH_COMPARE_H

#include "report/json_read.h"
#include "report/text_table.h"

#include <stdbool.h>

/* Rows with equal keys are compared. */
enum row_key {
	KEY_TOPOLOGY,
	KEY_OPERATION,
	KEY_ALGORITHM,
	KEY_ENGINE,
	KEY_NODES, /* empty for the engine sweep */
	KEY_ROUND_MODE,
	KEY_MODE,
	KEY_TYPE,
	KEY_OP,
	ROW_KEYS
};

struct measured_row {
	const char *key[ROW_KEYS];
	size_t bytes;
	const double *sample; /* ns */
	size_t samples;
};

struct old_row {
	const char *key[ROW_KEYS]; /* of the document */
	double bytes;
	double *sample;
	size_t samples;
	double median;
	bool is_compared;
};

struct time_comparison {
	char *key[ROW_KEYS];
	double bytes;
	double old_median, new_median; /* ns; NAN: there is no such row */
	double ratio, p;               /* new to old; NAN where one of them is missing */
	const char *verdict;           /* faster, slower, same, only-new or only-old */
};

struct comparisons {
	const char *path; /* NULL: nothing is compared */
	struct json_value *document;
	struct old_row *old;
	size_t olds;
	struct time_comparison *row;
	size_t rows;
	bool any_short; /* a row has too few samples for any difference to be significant */
};

/* Reads the document; exit code. */
int comparisons_open(const char *path, struct comparisons *);
void comparisons_close(struct comparisons *);

/* Compares a new row with the first old row of the same keys that is not compared yet. */
void compare_row(struct comparisons *, const struct measured_row *);
/* Appends the old rows that no new row was compared with. */
void compare_rest(struct comparisons *);

/* ---- compare_print.c */

#define COMPARE_HEADS "#compare.median_old", "#compare.ratio", "#compare.p", "compare.verdict"
/* Of the row compared last, or empty. */
void comparison_cells(struct table *, const struct comparisons *, bool is_compared);
void comparisons_json(const struct comparisons *, struct json *);
/* With the columns engine and rounds if `variants` > 1, and nodes if there are several kinds. */
void comparisons_text(const struct comparisons *, size_t variants);
void comparisons_end(const struct comparisons *);

#endif
