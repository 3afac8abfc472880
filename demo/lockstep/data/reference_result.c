#include "data/reference_result.h"

#include "base/messages.h"
#include "data/operand_shape.h"

#include <inttypes.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Relative error of an operation, in element.epsilon: a complex product has sqrt(5) of them. */
static double operations_epsilon(const struct element *element, ls_op op)
{
	return element->epsilon * (op == LS_PROD && element->class == CLASS_COMPLEX ? 3 : 1);
}

struct partial partial_of(const struct element *element, struct value value)
{
	return (struct partial){ value, 1, value_magnitude(element, value) };
}

struct partial partial_combine(
	const struct element *element, ls_op op, struct partial a, struct partial b)
{
	if (a.count == 0 || b.count == 0)
		return a.count == 0 ? b : a;
	return (struct partial){ value_combine(element, op, a.value, b.value), a.count + b.count,
		op == LS_PROD ? a.size * b.size : a.size + b.size };
}

double partial_slack(const struct element *element, ls_op op, struct partial what)
{
	return op != LS_SUM && op != LS_PROD
		? 0
		: (double)(what.count - 1) * operations_epsilon(element, op) * what.size;
}

static void expect(struct reference *reference, int64_t row, size_t column, struct partial what)
{
	const struct element *element = &reference->expected.element;

	if (what.count == 0)
		return;
	element_store(element, matrix_at(&reference->expected, row, column), what.value);
	reference->slack[(size_t)row * reference->expected.columns + column] =
		partial_slack(element, reference->op, what);
}

/* Combines a column of the operands; this gives element column % m of every result, or of one. */
static void fold_column(struct reference *reference, const struct matrix *input, size_t column)
{
	const bool blocks = reference->operation == LS_REDUCE_SCATTER;
	struct partial so_far = { .count = 0 };

	for (int64_t row = 0; row < input->rows; row++) {
		if (reference->operation == LS_EXSCAN)
			expect(reference, row, column, so_far);
		so_far = partial_combine(&input->element, reference->op, so_far,
			partial_of(
				&input->element, element_load(&input->element, matrix_at(input, row, column))));
		if (reference->operation == LS_SCAN)
			expect(reference, row, column, so_far);
	}
	if (is_shared(reference->operation) || blocks)
		expect(reference, blocks ? (int64_t)(column / reference->count) : 0,
			blocks ? column % reference->count : column, so_far);
}

int64_t reference_origin(
	const struct reference *reference, int64_t rank, int64_t block, int64_t *of_its)
{
	const int64_t p = reference->nodes;

	*of_its = reference->operation == LS_SCATTER || reference->operation == LS_ALLTOALL ? rank : 0;
	switch (reference->operation) {
	case LS_BROADCAST:
	case LS_SCATTER:
		return reference->root;
	case LS_SHIFT:
		return ((rank - reference->shift % p) % p + p) % p;
	default:
		return block;
	}
}

static void move_blocks(struct reference *reference, const struct matrix *input)
{
	const size_t blocks = blocks_got(reference->operation, reference->nodes);
	const size_t bytes = reference->count * input->element.bytes;

	for (int64_t row = 0; row < reference->expected.rows; row++)
		for (size_t block = 0; block < blocks; block++) {
			int64_t of_its;
			const int64_t from = reference_origin(reference, row, (int64_t)block, &of_its);

			memcpy(matrix_at(&reference->expected, row, block * reference->count),
				matrix_at(input, from, (size_t)of_its * reference->count), bytes);
		}
}

struct reference reference_begin(const struct ls_request *request, int64_t nodes)
{
	return (struct reference){ .operation = request->operation,
		.op = request->op,
		.root = request->root,
		.shift = request->shift,
		.nodes = nodes,
		.count = request->count };
}

struct reference reference_make(const struct ls_request *request, const struct matrix *input)
{
	const enum ls_operation operation = request->operation;
	const size_t columns = blocks_got(operation, input->rows) * request->count;
	const int64_t rows = is_shared(operation) ? 1 : input->rows;
	struct reference reference = reference_begin(request, input->rows);

	reference.expected = matrix_make(input->element, rows, columns);
	reference.slack = require_memory(calloc((size_t)rows * columns + 1, sizeof(double)));
	if (!combines(operation))
		move_blocks(&reference, input);
	for (size_t column = 0; combines(operation) && column < input->columns; column++)
		fold_column(&reference, input, column);
	return reference;
}

void reference_destroy(struct reference *reference)
{
	matrix_destroy(&reference->expected);
	free(reference->slack);
}

static int64_t row_of(const struct reference *reference, int64_t rank)
{
	return reference->expected.rows == 1 ? 0 : rank;
}

static void compare_row(const struct reference *reference, const struct matrix *output, int64_t row,
	struct comparison *out)
{
	const struct element *element = &output->element;
	const int64_t own = row_of(reference, row);
	const double *slack = reference->slack + (size_t)own * output->columns;

	if (memcmp(matrix_at(&reference->expected, own, 0), matrix_at(output, row, 0),
			output->columns * element->bytes)
		== 0)
		return;
	for (size_t column = 0; column < output->columns; column++) {
		const struct value want =
			element_load(element, matrix_at(&reference->expected, own, column));
		const struct value got = element_load(element, matrix_at(output, row, column));

		if (value_equal(element, want, got, slack[column]))
			continue;
		if (out->wrong++ == 0) {
			out->node = row;
			out->element = column;
		}
	}
}

struct comparison reference_compare(const struct reference *reference, const struct matrix *output)
{
	const size_t bytes = output->columns * output->element.bytes;
	struct comparison comparison = { .node = -1, .identical = true };
	const unsigned char *first = NULL;

	for (int64_t row = 0; row < output->rows; row++) {
		if (!has_result(reference->operation, reference->root, row))
			continue;
		if (!first)
			first = matrix_at(output, row, 0);
		if (memcmp(first, matrix_at(output, row, 0), bytes) != 0)
			comparison.identical = false;
		compare_row(reference, output, row, &comparison);
	}
	return comparison;
}

int print_wrong_element(
	size_t element, const char *node, const char *got, int64_t more, const char *want)
{
	char others[48] = "";

	if (more > 0)
		snprintf(
			others, sizeof others, " (%" PRId64 " more %s wrong)", more, more == 1 ? "is" : "are");
	return print_error(EXIT_WRONG, "element %zu of node %s is %s; expected %s%s", element, node,
		got, want, others);
}

void print_wrong_result(const struct reference *reference, const struct comparison *comparison,
	const char *node, const struct matrix *output)
{
	const struct element *element = &output->element;
	char got[120], want[120];

	value_print(element,
		element_load(element, matrix_at(output, comparison->node, comparison->element)), got,
		sizeof got);
	value_print(element,
		element_load(element,
			matrix_at(
				&reference->expected, row_of(reference, comparison->node), comparison->element)),
		want, sizeof want);
	print_wrong_element(comparison->element, node, got, comparison->wrong - 1, want);
}

/*
 * Placeholders in these texts: OP operator, P nodes, VALUES "value" if P is 1 and else "values",
 * M elements, ROOT root, Q distance.
 */
static const struct {
	const char *one, *many;
} text_of[LS_OPERATIONS] = {
	[LS_BROADCAST] = { "value of node ROOT at every node",
		"M elements of node ROOT at every node" },
	[LS_REDUCE] = { "OP of P VALUES at node ROOT", "OP of P vectors of M elements at node ROOT" },
	[LS_ALLREDUCE] = { "OP of P VALUES at every node",
		"OP of P vectors of M elements at every node" },
	[LS_ALLGATHER] = { "P VALUES at every node", "P blocks of M elements at every node" },
	[LS_REDUCE_SCATTER] = { "OP of P VALUES, each at its node",
		"OP of P blocks of M elements, each at its node" },
	[LS_SCAN] = { "OP of the values of nodes 0 .. r at node r",
		"OP of nodes 0 .. r at node r, M elements" },
	[LS_EXSCAN] = { "OP of the values of nodes 0 .. r-1 at node r",
		"OP of nodes 0 .. r-1 at node r, M elements" },
	[LS_SCATTER] = { "values of node ROOT, each at its node",
		"blocks of M of node ROOT, each at its node" },
	[LS_GATHER] = { "P VALUES at node ROOT", "P blocks of M elements at node ROOT" },
	[LS_ALLTOALL] = { "P VALUES for node r at node r",
		"P blocks of M elements for node r at node r" },
	[LS_SHIFT] = { "value of node r at node (r Q) mod P",
		"M elements of node r at node (r Q) mod P" },
	[LS_BARRIER] = { "no node left before all had entered", "" },
};

static void word_text(
	const struct reference *reference, const char *root, int word, char *text, size_t size)
{
	const bool back = reference->shift < 0;

	switch (word) {
	case 'O':
		snprintf(text, size, "%s", ls_op_name(reference->op));
		break;
	case 'P':
		snprintf(text, size, "%" PRId64, reference->nodes);
		break;
	case 'V':
		snprintf(text, size, reference->nodes == 1 ? "value" : "values");
		break;
	case 'M':
		snprintf(text, size, "%zu", reference->count);
		break;
	case 'R':
		snprintf(text, size, "%s", root);
		break;
	default:
		snprintf(text, size, "%s %" PRIu64, back ? "-" : "+",
			back ? -(uint64_t)reference->shift : (uint64_t)reference->shift);
	}
}

void reference_text(const struct reference *reference, const char *root, char *text, size_t size)
{
	const bool one = reference->count == 1 || reference->operation == LS_BARRIER;
	const char *at = one ? text_of[reference->operation].one : text_of[reference->operation].many;
	size_t length = 0;

	for (size_t capitals; *at && length + 1 < size; at += capitals ? capitals : 1) {
		for (capitals = 0; isupper((unsigned char)at[capitals]); capitals++)
			;
		if (capitals > 0)
			word_text(reference, root, *at, text + length, size - length);
		else
			snprintf(text + length, size - length, "%c", *at);
		length += strlen(text + length);
	}
}
