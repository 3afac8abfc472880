/*
 * Example 4.1: a 4 x 4 matrix of 1 .. 16 times the vector 1 .. 4 on threads, one element per node.
 *
 * The top row holds x.  The columns broadcast it, and each node multiplies.  The book then reduces
 * along the rows to the first column; the slide reduces along the columns to the first row.
 */
#include "reproduce/reproduce.h"
#include "reproduce/evidence.h"
#include "base/messages.h"

#include <inttypes.h>

enum { N = 4 };
static const char RUN_FAILED[] = "the run failed";

struct example {
	bool by_columns;
	int64_t x[N], seen[N][N], product[N][N], y[N];
};

static int program(ls_node *me, void *context)
{
	struct example *example = context;
	ls_node *row, *column;

	if (ls_split_axis(me, 1, &row) || ls_split_axis(me, 0, &column))
		return 1;

	const int64_t i = ls_rank(column), j = ls_rank(row);
	int64_t x = i == 0 ? example->x[j] : 0;

	if (ls_broadcast(column, &x, 1, LS_INT64, 0))
		return 1;

	const int64_t product = (N * i + j + 1) * x;

	example->seen[i][j] = x;
	example->product[i][j] = product;
	return example->by_columns
		? ls_reduce(column, &product, i == 0 ? &example->y[j] : NULL, 1, LS_INT64, LS_SUM, 0)
		: ls_reduce(row, &product, j == 0 ? &example->y[i] : NULL, 1, LS_INT64, LS_SUM, 0);
}

/* False: the run failed. */
static bool multiply(bool by_columns, struct example *example)
{
	ls_topology *mesh = NULL;
	ls_machine *machine = NULL;
	int failed = ls_topology_make("mesh:4x4", &mesh, NULL);

	*example = (struct example){ by_columns, .x = { 1, 2, 3, 4 } };
	if (!failed)
		failed = ls_machine_make(mesh, NULL, &machine);
	if (!failed)
		failed = ls_run(machine, program, example);
	if (!failed)
		record_method(METHOD_THREADS, N * N);
	lacks_resources(failed, "takes %d threads", N * N);
	ls_machine_destroy(machine);
	ls_topology_destroy(mesh);
	return !failed;
}

static void find_result(bool by_columns, char *found)
{
	struct example e;

	snprintf(found, FOUND_SIZE, "%s", RUN_FAILED);
	if (multiply(by_columns, &e))
		snprintf(
			found, FOUND_SIZE, "%d %d %d %d", (int)e.y[0], (int)e.y[1], (int)e.y[2], (int)e.y[3]);
}

void find_product_by_rows(const struct claim *claim, char *found)
{
	(void)claim;
	find_result(false, found);
}

void find_product_by_columns(const struct claim *claim, char *found)
{
	(void)claim;
	find_result(true, found);
}

void find_node_9(const struct claim *claim, char *found)
{
	struct example e;

	(void)claim;
	snprintf(found, FOUND_SIZE, "%s", RUN_FAILED);
	if (!multiply(false, &e))
		return;
	snprintf(found, FOUND_SIZE, "x[1] = %d, times A[2,1] = %d; y[2] = %d + %d + %d + %d = %d",
		(int)e.seen[2][1], (int)(e.product[2][1] / e.seen[2][1]), (int)e.product[2][0],
		(int)e.product[2][1], (int)e.product[2][2], (int)e.product[2][3], (int)e.y[2]);
}

void draw_product(void)
{
	struct example example;

	if (!multiply(false, &example)) {
		printf("%s\n", RUN_FAILED);
		return;
	}
	printf("        A              x         y\n");
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++)
			printf("%4d", N * i + j + 1);
		printf(i == 2 ? "  x %4d   = %4d\n" : "    %4d     %4d\n", (int)example.x[i],
			(int)example.y[i]);
	}
}
