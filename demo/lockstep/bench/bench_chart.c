/*
 * The pictures of bench: its rows as a chart.
 */
#include "bench/bench_rows.h"
#include "chart/chart_file.h"

void bench_chart_row(
	struct bench *bench, const struct variant *v, const struct conditions *conditions)
{
	struct table table = bench_table(bench, v, conditions, false);
	const char *head[CHART_CELLS];

	for (size_t i = 0; i < table.columns && i < CHART_CELLS; i++)
		head[i] = table_head(&table, i);
	if (bench->chart.cells == 0)
		bench->undrawn =
			chart_rows_begin(&bench->chart, bench->drawing, (char *const *)head, table.columns);
	if (!bench->undrawn)
		bench->undrawn = chart_rows_add(&bench->chart, table.cell);
	table_end(&table);
}

int bench_draw(const struct bench *bench)
{
	const struct ls_cost_model *model = &bench->query->model;
	char text[160];

	if (bench->undrawn)
		return bench->undrawn;
	snprintf(text, sizeof text, "%g ns per round, %g ns per byte (%s)", model->t_s, model->t_w,
		bench->query->given.model ? "--model" : "default; lockstep fit finds this machine's");
	return chart_write_rows(bench->output, bench->drawing, &bench->chart, text, bench->pictures);
}
