#include "data/reference_result.h"

#include "base/messages.h"
#include "data/operand_shape.h"

#include <inttypes.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative error of an operation, in element.epsilon: a complex product has sqrt(5) of them. */
static double operations_epsilon(const struct element *element, ls_op op)
{
	return element->epsilon * (op == LS_PROD && element->class == CLASS_COMPLEX ? 3 : 1);
}

struct partial partial_of(const struct element *element, ls_op op, struct value value)
{
	const double size = value_magnitude(element, value);
	const struct magnitude sum = { size, 1 },
						   factor = { size > 1 ? size : 1, size < 1 && size > 0 ? size : 1 };

	return (struct partial){ value, 1, op == LS_PROD && !isnan(size) ? factor : sum };
}

struct partial partial_combine(
	const struct element *element, ls_op op, struct partial a, struct partial b)
{
	if (a.count == 0 || b.count == 0)
		return a.count == 0 ? b : a;
	return (struct partial){ value_combine(element, op, a.value, b.value), a.count + b.count,
		{ op == LS_PROD ? a.size.high * b.size.high : a.size.high + b.size.high,
			a.size.low * b.size.low } };
}

/* Rounding of the magnitudes themselves is far below a factor of 2. */
double partial_slack(const struct element *element, ls_op op, struct partial what)
{
	const bool fits = what.size.high <= element->most / 2 && what.size.low >= element->least * 2;

	if (!depends_on_order(element, op))
		return 0;
	if (isnan(what.size.high))
		return NAN;
	return !fits ? INFINITY
				 : (double)(what.count - 1) * operations_epsilon(element, op) * what.size.high
			* what.size.low;
}

static void expect(struct reference *reference, int64_t row, size_t column, struct partial what)
{
	const struct element *element = &reference->expected.element;

	if (what.count == 0)
		return;
	element_store(element, matrix_at(&reference->expected, row, column), what.value);
	if (reference->slack)
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
			partial_of(&input->element, reference->op,
				element_load(&input->element, matrix_at(input, row, column))));
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
	if (combines(operation) && depends_on_order(&input->element, request->op))
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

static bool is_right(const struct element *element, const struct result_part *part, size_t i,
	struct value got, struct value *want)
{
	const double slack = part->slack ? part->slack[i] : 0;

	*want = element_load(element, part->sequential + i * element->bytes);
	if (!value_near(element, *want, got, slack))
		return false;
	if (!part->replayed)
		return true;
	*want = element_load(element, part->replayed + i * element->bytes);
	return value_equal(element, *want, got);
}

static bool is_before(const struct comparison *found, int64_t node, size_t element)
{
	return found->node >= 0
		&& (found->node < node || (found->node == node && found->element < element));
}

bool part_has_expected_bits(const struct element *element, const struct result_part *part)
{
	const size_t bytes = part->n * element->bytes;

	return memcmp(part->sequential, part->got, bytes) == 0
		&& (!part->replayed || memcmp(part->replayed, part->got, bytes) == 0);
}

void compare_elements(
	const struct element *element, const struct result_part *part, struct comparison *out)
{
	if (part_has_expected_bits(element, part))
		return;
	for (size_t i = 0; i < part->n; i++) {
		const struct value got = element_load(element, part->got + i * element->bytes);
		struct value want;

		if (is_right(element, part, i, got, &want))
			continue;
		out->wrong++;
		if (is_before(out, part->node, part->first + i))
			continue;
		out->node = part->node;
		out->element = part->first + i;
		out->got = got;
		out->want = want;
	}
}

const unsigned char *row_of_node(const struct matrix *rows, int64_t node)
{
	return rows->memory ? matrix_at(rows, rows->rows == 1 ? 0 : node, 0) : NULL;
}

static void compare_row(const struct reference *reference, const struct matrix *replayed,
	const struct matrix *output, int64_t first, int64_t rank, struct comparison *out)
{
	const struct matrix *expected = &reference->expected;
	const size_t own = expected->rows == 1 ? 0 : (size_t)rank;
	const struct result_part part = { .node = rank,
		.n = output->columns,
		.got = matrix_at(output, rank - first, 0),
		.sequential = row_of_node(expected, rank),
		.replayed = row_of_node(replayed, rank),
		.slack = reference->slack ? reference->slack + own * output->columns : NULL };

	compare_elements(&output->element, &part, out);
}

struct comparison reference_compare(const struct reference *reference,
	const struct matrix *replayed, const struct matrix *output, int64_t first)
{
	const size_t bytes = output->columns * output->element.bytes;
	struct comparison comparison = { .node = -1, .identical = true };
	const unsigned char *first_result = NULL;

	for (int64_t row = 0; row < output->rows; row++) {
		if (!has_result(reference->operation, reference->root, first + row))
			continue;
		if (!first_result)
			first_result = matrix_at(output, row, 0);
		if (memcmp(first_result, matrix_at(output, row, 0), bytes) != 0)
			comparison.identical = false;
		compare_row(reference, replayed, output, first, first + row, &comparison);
	}
	return comparison;
}

void print_wrong_element(
	const struct element *element, const struct comparison *comparison, const char *node)
{
	const int64_t more = comparison->wrong - 1;
	char got[120], want[120], others[48] = "";

	value_print(element, comparison->got, got, sizeof got);
	value_print(element, comparison->want, want, sizeof want);
	if (more > 0)
		snprintf(
			others, sizeof others, " (%" PRId64 " more %s wrong)", more, more == 1 ? "is" : "are");
	print_error(EXIT_WRONG, "element %zu of node %s is %s; expected %s%s", comparison->element,
		node, got, want, others);
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
