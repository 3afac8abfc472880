#include "data/stream.h"

#include "base/mark.h"
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
		.is_exact = !combines(operation) || !depends_on_order(&operands->element, request->op),
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
	const size_t first = stream.shared ? operands->element.bytes : 0;
	const size_t slack = stream.is_exact ? 0 : sizeof(double);
	size_t bytes;

	if (__builtin_mul_overflow(
			row_elements(&stream), operands->element.bytes + first + slack, &bytes)
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
	if (!stream->is_exact)
		stream->slack = require_memory(calloc(columns + 1, sizeof(double)));
	for (size_t c = 0; stream->slack && c < columns; c++)
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

struct stream *stream_make(const struct operands *operands, const struct ls_request *request,
	const struct matrix *replayed, int threads)
{
	struct stream *stream = require_memory(malloc(sizeof *stream));

	*stream = shape_of(operands, request);
	stream->replayed = replayed;
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

struct result {
	int64_t rank;
	const unsigned char *elements;
	struct comparison *found;
};

/* Elements from `column` on, of which these are the sequential ones and their error bounds. */
static struct result_part part_of(const struct stream *stream, struct result result, size_t column,
	size_t n, const unsigned char *sequential, const double *slack)
{
	const struct element *element = &stream->operands.element;
	const unsigned char *replayed = row_of_node(stream->replayed, result.rank);

	return (struct result_part){ .node = result.rank,
		.first = column,
		.n = n,
		.got = result.elements + column * element->bytes,
		.sequential = sequential,
		.replayed = replayed ? replayed + column * element->bytes : NULL,
		.slack = slack };
}

static void compare(const struct stream *stream, struct result result, size_t column, size_t n,
	const unsigned char *sequential, const double *slack)
{
	const struct result_part part = part_of(stream, result, column, n, sequential, slack);

	compare_elements(&stream->operands.element, &part, result.found);
}

/* Compares blocks with those of the operands. */
static void compare_blocks(const struct stream *stream, struct result result)
{
	enum { BYTES = 1024 };
	const size_t m = stream->request.count, most = BYTES / stream->operands.element.bytes;
	unsigned char want[BYTES];

	for (size_t at = 0, n; at < stream->got; at += n) {
		int64_t of_its;
		const int64_t from =
			reference_origin(&stream->request, result.rank, (int64_t)(at / m), &of_its);
		const size_t left = m - at % m;

		n = left < most ? left : most;
		operands_put(&stream->operands, from, (size_t)of_its * m + at % m, n, want);
		compare(stream, result, at, n, want, NULL);
	}
}

/* Compares the sum in `want` with a result; the error bound differs from column to column. */
static void compare_columns(
	const struct stream *stream, struct result result, const unsigned char *want)
{
	for (size_t c = 0; c < stream->got; c++) {
		const double slack = sums_slack(&stream->sums, result.rank, c);

		compare(stream, result, c, 1, want + c * stream->operands.element.bytes, &slack);
	}
}

static void compare_prefix(struct stream *stream, struct result result)
{
	const struct element *element = &stream->operands.element;
	const int64_t rank = result.rank, next = rank + (stream->request.operation == LS_SCAN);

	if (next == 0) /* an exclusive sum of nothing */
		return;

	const unsigned char *want = sums_enter(&stream->sums, rank, next);

	const struct result_part row = part_of(stream, result, 0, stream->got, want, NULL);

	if (stream->is_exact)
		compare_elements(element, &row, result.found);
	else if (!part_has_expected_bits(element, &row))
		compare_columns(stream, result, want);
	sums_leave(&stream->sums, rank);
}

static void check_result(struct stream *stream, struct result result)
{
	const size_t m = stream->request.count;

	if (stream->prefix)
		compare_prefix(stream, result);
	else if (stream->shared)
		compare(stream, result, 0, stream->got, stream->row, stream->slack);
	else if (stream->request.operation == LS_REDUCE_SCATTER)
		compare(stream, result, 0, m,
			stream->row + (size_t)result.rank * m * stream->operands.element.bytes,
			stream->slack ? stream->slack + (size_t)result.rank * m : NULL);
	else
		compare_blocks(stream, result);
}

/* Of results that must be the same: notes one that differs from the first. */
static void compare_shared(struct stream *stream, const void *result, int64_t wrong, size_t bytes)
{
	if (!atomic_load(&stream->seen)) {
		memcpy(stream->first, result, bytes);
		stream->wrong_of_first = wrong;
		atomic_store(&stream->seen, true);
	} else if (memcmp(stream->first, result, bytes) != 0) {
		stream->found.identical = false;
	}
}

/* Whether a result that equals the first one is right if that one is. */
static bool is_same_everywhere(const struct stream *stream)
{
	return stream->shared && (!stream->replayed->memory || stream->replayed->rows == 1);
}

int stream_compare(void *context, int64_t rank, const void *result)
{
	struct stream *stream = context;
	const size_t bytes = stream->got * stream->operands.element.bytes;

	/* Pairs with the store of compare_shared: the first result is there. */
	if (is_same_everywhere(stream) && atomic_load_explicit(&stream->seen, memory_order_acquire)
		&& stream->wrong_of_first == 0 && memcmp(stream->first, result, bytes) == 0)
		return 0;

	struct comparison found = { .node = -1, .identical = true };

	check_result(stream, (struct result){ rank, result, &found });
	if (!stream->shared && found.wrong == 0)
		return 0;
	pthread_mutex_lock(&stream->mutex);
	if (stream->shared)
		compare_shared(stream, result, found.wrong, bytes);
	comparison_add(&stream->found, &found);
	pthread_mutex_unlock(&stream->mutex);
	return 0;
}

struct compared stream_compared(const struct stream *stream)
{
	const size_t bytes = stream->shared ? stream->got * stream->operands.element.bytes : 0;

	return (struct compared){ stream->found, atomic_load(&stream->seen),
		mark_bytes(MARK_OF_NOTHING, stream->first, bytes) };
}
