/*
 * The rows of bench in the formats that print while measuring, and the conditions of a row.
 */
#ifndef LOCKSTEP_BENCH_BENCH_ROWS_H
#define LOCKSTEP_BENCH_BENCH_ROWS_H

#include "bench/bench.h"
#include "job/job.h"
#include "report/text_table.h"

/* The times scatter, or other programs used the cores. */
bool bench_is_noisy(const struct variant *, const struct conditions *);
/* The exchange time of the cores changed during the measurement. */
bool bench_is_moved(const struct conditions *);
/*
 * Bytes per second of the operand or the result, whichever is longer, through one node; of a pair:
 * of the messages in one direction.
 */
double bench_operand_rate(const struct variant *);

/*
 * bench_print.c: the row with all columns; conditions NULL: it was not measured to its end;
 * compares: with those of --compare.
 */
struct table bench_table(
	const struct bench *, const struct variant *, const struct conditions *, bool compares);

/* bench_chart.c: keep a row for the pictures. */
void bench_chart_row(struct bench *, const struct variant *, const struct conditions *);

/* bench_text.c: conditions NULL: the row was not measured to its end. */
void bench_text_head(struct bench *);
void bench_text_row(struct bench *, const struct variant *, const struct conditions *);
void bench_osu_head(struct bench *);
void bench_osu_row(const struct bench *, const struct variant *);

#endif
