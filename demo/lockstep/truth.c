#include "truth.h"

#include "job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Relative error of an operation, in element.epsilon: a complex product has sqrt(5) of them. */
static double operations_epsilon(const struct element *element, ls_op op)
{
	return element->epsilon * (op == LS_PROD && element->class == CLASS_COMPLEX ? 3 : 1);
}

static void fold_column(const struct matrix *input, ls_op op, size_t column, struct truth *truth)
{
	const struct element *element = &input->element;
	struct value folded = element_load(element, matrix_at(input, 0, column));
	double size = value_magnitude(element, folded);

	for (int64_t row = 1; row < input->rows; row++) {
		const struct value next = element_load(element, matrix_at(input, row, column));

		folded = value_combine(element, op, folded, next);
		size = op == LS_PROD ? size * value_magnitude(element, next)
							 : size + value_magnitude(element, next);
	}
	element_store(element, matrix_at(&truth->expected, 0, column), folded);
	if (op == LS_SUM || op == LS_PROD)
		truth->slack[column] = (double)(input->rows - 1) * operations_epsilon(element, op) * size;
}

struct truth truth_make(
	enum ls_operation operation, ls_op op, int64_t root, const struct matrix *input)
{
	struct truth truth = { matrix_make(input->element, 1, input->columns),
		need(calloc(input->columns + 1, sizeof *truth.slack)), operation, root };

	if (operation == LS_BROADCAST)
		memcpy(
			truth.expected.bytes, matrix_at(input, root, 0), input->columns * input->element.bytes);
	else
		for (size_t column = 0; column < input->columns; column++)
			fold_column(input, op, column, &truth);
	return truth;
}

void truth_destroy(struct truth *truth)
{
	matrix_destroy(&truth->expected);
	free(truth->slack);
}

bool truth_holds(enum ls_operation operation, int64_t root, int64_t rank)
{
	return operation != LS_REDUCE || rank == root;
}

static void compare_row(
	const struct truth *truth, const struct matrix *output, int64_t row, struct comparison *out)
{
	const struct element *element = &output->element;

	for (size_t column = 0; column < output->columns; column++) {
		const struct value want = element_load(element, matrix_at(&truth->expected, 0, column));
		const struct value got = element_load(element, matrix_at(output, row, column));

		if (value_equal(element, want, got, truth->slack[column]))
			continue;
		if (out->wrong++ == 0) {
			out->node = row;
			out->element = column;
		}
	}
}

struct comparison truth_compare(const struct truth *truth, const struct matrix *output)
{
	const size_t bytes = output->columns * output->element.bytes;
	struct comparison comparison = { .node = -1, .identical = true };
	const unsigned char *first = NULL;

	for (int64_t row = 0; row < output->rows; row++) {
		if (!truth_holds(truth->operation, truth->root, row))
			continue;
		if (!first)
			first = matrix_at(output, row, 0);
		if (memcmp(first, matrix_at(output, row, 0), bytes) != 0)
			comparison.identical = false;
		compare_row(truth, output, row, &comparison);
	}
	return comparison;
}

void truth_complain(const struct truth *truth, const struct comparison *comparison,
	const ls_topology *topology, const struct matrix *output)
{
	const struct element *element = &output->element;
	char node[300], got[120], want[120];

	node_text(topology, comparison->node, node, sizeof node);
	value_print(element,
		element_load(element, matrix_at(output, comparison->node, comparison->element)), got,
		sizeof got);
	value_print(element, element_load(element, matrix_at(&truth->expected, 0, comparison->element)),
		want, sizeof want);
	complain(EXIT_WRONG,
		"element %zu of node %s is %s, and %" PRId64 " more are wrong; would be right: %s",
		comparison->element, node, got, comparison->wrong - 1, want);
}

void truth_text(enum ls_operation operation, ls_op op, const char *root, const struct matrix *input,
	char *text, size_t size)
{
	char what[80] = "";

	if (input->columns != 1)
		snprintf(what, sizeof what, " of %zu elements", input->columns);
	if (operation == LS_BARRIER)
		snprintf(text, size, "no node left before all had entered");
	else if (operation == LS_BROADCAST)
		snprintf(text, size, "%s of node %s at every node", *what ? what + 4 : "value", root);
	else
		snprintf(text, size, "%s of %" PRId64 " %s%s at %s%s", ls_op_name(op), input->rows,
			*what ? "vectors" : "values", what, operation == LS_REDUCE ? "node " : "every node",
			operation == LS_REDUCE ? root : "");
}
