#include "data/stream.h"

#include "base/messages.h"
#include "data/operand_shape.h"

#include <stdlib.h>
#include <string.h>

/* The parts that do not depend on the values of operands. */
static struct stream shape_of(const struct operands *operands, const struct ls_request *request)
{
	const enum ls_operation operation = request->operation;

	return (struct stream){
		.operands = *operands,
		.request = reference_begin(request, operands->nodes),
		.shared = is_shared(operation) && operation != LS_BARRIER,
		.prefix = operation == LS_SCAN || operation == LS_EXSCAN,
		.combines = combines(operation),
		.got = blocks_got(operation, operands->nodes) * request->count,
		.found = { .node = -1, .identical = true },
	};
}

/* Elements of stream->row. */
static size_t row_elements(const struct stream *stream)
{
	return stream->shared                                ? stream->got
		: stream->request.operation == LS_REDUCE_SCATTER ? stream->operands.columns
														 : 0;
}

size_t stream_bytes(const struct operands *operands, const struct ls_request *request)
{
	const struct stream stream = shape_of(operands, request);
	const struct sums sums = sums_shape(operands, request->op, stream.prefix);
	const size_t element = operands->element.bytes + sizeof(double);
	size_t bytes;

	if (__builtin_mul_overflow(row_elements(&stream), 2 * element, &bytes)
		|| __builtin_add_overflow(
			bytes, stream.combines ? sums_bytes(&sums, stream.prefix) : 0, &bytes))
		return SIZE_MAX;
	return bytes;
}

/* ---- Expected results */

static void expect_sums(struct stream *stream)
{
	const size_t columns = stream->operands.columns;

	memcpy(stream->row, sums_total(&stream->sums), columns * stream->operands.element.bytes);
	stream->slack = require_memory(calloc(columns + 1, sizeof(double)));
	for (size_t c = 0; c < columns; c++)
		stream->slack[c] = sums_total_slack(&stream->sums, c);
}

static void expect_blocks(struct stream *stream)
{
	const size_t m = stream->request.count, bytes = stream->operands.element.bytes;

	for (size_t at = 0; at < stream->got; at += m) {
		int64_t of_its;
		const int64_t from = reference_origin(&stream->request, 0, (int64_t)(at / m), &of_its);

		operands_put(&stream->operands, from, (size_t)of_its * m, m, stream->row + at * bytes);
	}
}

struct stream *stream_make(
	const struct operands *operands, const struct ls_request *request, int threads)
{
	struct stream *stream = require_memory(malloc(sizeof *stream));

	*stream = shape_of(operands, request);
	pthread_mutex_init(&stream->mutex, NULL);
	stream->first =
		require_memory(calloc(stream->shared ? stream->got + 1 : 1, operands->element.bytes));
	stream->row = require_memory(calloc(row_elements(stream) + 1, operands->element.bytes));
	if (stream->combines) {
		stream->sums = sums_shape(&stream->operands, request->op, stream->prefix);
		sums_make(&stream->sums, stream->prefix, threads);
	}
	if (stream->combines && row_elements(stream) > 0)
		expect_sums(stream);
	else if (stream->shared)
		expect_blocks(stream);
	return stream;
}

void stream_destroy(struct stream *stream)
{
	if (!stream)
		return;
	sums_destroy(&stream->sums);
	free(stream->row);
	free(stream->slack);
	free(stream->first);
	free(stream);
}

void stream_reset(struct stream *stream)
{
	atomic_store(&stream->seen, false);
	stream->found = (struct comparison){ .node = -1, .identical = true };
}

void stream_operands(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	const struct stream *stream = context;

	operands_put(&stream->operands, rank, first, n, into);
}

/* ---- Comparing a result */

/* Wrong elements of a result, and the first of them. */
struct result_check {
	int64_t rank, wrong;
	size_t element;
	const unsigned char *got;
	struct value want;
};

/* Elements from `column` on; slack NULL: none. */
static void compare(const struct stream *stream, struct result_check *result_check, size_t column,
	size_t n, const unsigned char *want, const double *slack)
{
	const struct element *element = &stream->operands.element;
	const unsigned char *got = result_check->got + column * element->bytes;

	if (memcmp(want, got, n * element->bytes) == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct value expected = element_load(element, want + i * element->bytes);

		if (value_equal(element, expected, element_load(element, got + i * element->bytes),
				slack ? slack[i] : 0))
			continue;
		if (result_check->wrong++ == 0) {
			result_check->element = column + i;
			result_check->want = expected;
		}
	}
}

/* Compares blocks with those of the operands. */
static void compare_blocks(const struct stream *stream, struct result_check *result_check)
{
	enum { BYTES = 1024 };
	const size_t m = stream->request.count, most = BYTES / stream->operands.element.bytes;
	unsigned char want[BYTES];

	for (size_t at = 0, n; at < stream->got; at += n) {
		int64_t of_its;
		const int64_t from =
			reference_origin(&stream->request, result_check->rank, (int64_t)(at / m), &of_its);
		const size_t left = m - at % m;

		n = left < most ? left : most;
		operands_put(&stream->operands, from, (size_t)of_its * m + at % m, n, want);
		compare(stream, result_check, at, n, want, NULL);
	}
}

static void compare_prefix(struct stream *stream, struct result_check *result_check)
{
	const size_t bytes = stream->operands.element.bytes;
	const int64_t rank = result_check->rank, next = rank + (stream->request.operation == LS_SCAN);

	if (next == 0) /* an exclusive sum of nothing */
		return;

	const unsigned char *want = sums_enter(&stream->sums, rank, next);

	if (memcmp(want, result_check->got, stream->got * bytes) != 0)
		for (size_t c = 0; c < stream->got; c++) {
			const double slack = sums_slack(&stream->sums, rank, c);

			compare(stream, result_check, c, 1, want + c * bytes, &slack);
		}
	sums_leave(&stream->sums, rank);
}

static struct result_check check_result(struct stream *stream, int64_t rank, const void *result)
{
	struct result_check result_check = { .rank = rank, .got = result };
	const size_t m = stream->request.count;

	if (stream->prefix)
		compare_prefix(stream, &result_check);
	else if (stream->shared)
		compare(stream, &result_check, 0, stream->got, stream->row, stream->slack);
	else if (stream->request.operation == LS_REDUCE_SCATTER)
		compare(stream, &result_check, 0, m,
			stream->row + (size_t)rank * m * stream->operands.element.bytes,
			stream->slack + (size_t)rank * m);
	else
		compare_blocks(stream, &result_check);
	return result_check;
}

/* The caller holds the mutex. */
static void record_wrong(struct stream *stream, const struct result_check *result_check)
{
	const struct element *element = &stream->operands.element;
	struct comparison *found = &stream->found;

	if (result_check->wrong == 0)
		return;
	found->wrong += result_check->wrong;
	if (found->node >= 0 && found->node <= result_check->rank)
		return;
	found->node = result_check->rank;
	found->element = result_check->element;
	value_print(element, result_check->want, stream->want_text, sizeof stream->want_text);
	value_print(element,
		element_load(element, result_check->got + result_check->element * element->bytes),
		stream->got_text, sizeof stream->got_text);
}

/* Of results that must be the same: notes one that differs from the first. */
static void compare_shared(
	struct stream *stream, const struct result_check *result_check, size_t bytes)
{
	if (!atomic_load(&stream->seen)) {
		memcpy(stream->first, result_check->got, bytes);
		stream->wrong_of_first = result_check->wrong;
		atomic_store(&stream->seen, true);
	} else if (memcmp(stream->first, result_check->got, bytes) != 0) {
		stream->found.identical = false;
	}
}

int stream_compare(void *context, int64_t rank, const void *result)
{
	struct stream *stream = context;
	const size_t bytes = stream->got * stream->operands.element.bytes;

	/* Pairs with the store of compare_shared: the first result is there. */
	if (stream->shared && atomic_load_explicit(&stream->seen, memory_order_acquire)
		&& stream->wrong_of_first == 0 && memcmp(stream->first, result, bytes) == 0)
		return 0;

	const struct result_check result_check = check_result(stream, rank, result);

	if (!stream->shared && result_check.wrong == 0)
		return 0;
	pthread_mutex_lock(&stream->mutex);
	if (stream->shared)
		compare_shared(stream, &result_check, bytes);
	record_wrong(stream, &result_check);
	pthread_mutex_unlock(&stream->mutex);
	return 0;
}

void stream_print_wrong(const struct stream *stream, const char *node)
{
	print_wrong_element(
		stream->found.element, node, stream->got_text, stream->found.wrong - 1, stream->want_text);
}
