#include "data/stream.h"

#include "data/operand_shape.h"

#include <stdlib.h>
#include <string.h>

/* What does not depend on the operands. */
static struct stream shape_of(const struct operands *operands, const struct ls_request *request)
{
	const enum ls_operation operation = request->operation;

	return (struct stream){
		.operands = *operands,
		.asked = truth_asked(request, operands->nodes),
		.shared = is_shared(operation) && operation != LS_BARRIER,
		.prefix = operation == LS_SCAN || operation == LS_EXSCAN,
		.combines = combines(operation),
		.got = blocks_got(operation, operands->nodes) * request->count,
		.found = { .node = -1, .identical = true },
	};
}

/* Elements of the row that is kept. */
static size_t kept(const struct stream *stream)
{
	return stream->shared                              ? stream->got
		: stream->asked.operation == LS_REDUCE_SCATTER ? stream->operands.columns
													   : 0;
}

size_t stream_bytes(const struct operands *operands, const struct ls_request *request)
{
	const struct stream stream = shape_of(operands, request);
	const struct sums sums = sums_shape(operands, request->op, stream.prefix);
	const size_t element = operands->element.bytes + sizeof(double);
	size_t bytes;

	if (__builtin_mul_overflow(kept(&stream), 2 * element, &bytes)
		|| __builtin_add_overflow(
			bytes, stream.combines ? sums_bytes(&sums, stream.prefix) : 0, &bytes))
		return SIZE_MAX;
	return bytes;
}

/* ---- What is expected */

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
	const size_t m = stream->asked.count, bytes = stream->operands.element.bytes;

	for (size_t at = 0; at < stream->got; at += m) {
		int64_t of_its;
		const int64_t from = truth_origin(&stream->asked, 0, (int64_t)(at / m), &of_its);

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
	stream->row = require_memory(calloc(kept(stream) + 1, operands->element.bytes));
	if (stream->combines) {
		stream->sums = sums_shape(&stream->operands, request->op, stream->prefix);
		sums_make(&stream->sums, stream->prefix, threads);
	}
	if (stream->combines && kept(stream) > 0)
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

void stream_put(void *context, int64_t rank, size_t first, size_t n, void *into)
{
	const struct stream *stream = context;

	operands_put(&stream->operands, rank, first, n, into);
}

/* ---- Comparing a result */

/* Wrong elements of a result, and the first of them. */
struct judgement {
	int64_t rank, wrong;
	size_t element;
	const unsigned char *got;
	struct value want;
};

/* Elements from `column` on; slack NULL: none. */
static void compare(const struct stream *stream, struct judgement *judgement, size_t column,
	size_t n, const unsigned char *want, const double *slack)
{
	const struct element *element = &stream->operands.element;
	const unsigned char *got = judgement->got + column * element->bytes;

	if (memcmp(want, got, n * element->bytes) == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		const struct value wanted = element_load(element, want + i * element->bytes);

		if (value_equal(element, wanted, element_load(element, got + i * element->bytes),
				slack ? slack[i] : 0))
			continue;
		if (judgement->wrong++ == 0) {
			judgement->element = column + i;
			judgement->want = wanted;
		}
	}
}

/* Blocks as they were made. */
static void compare_blocks(const struct stream *stream, struct judgement *judgement)
{
	enum { BYTES = 1024 };
	const size_t m = stream->asked.count, most = BYTES / stream->operands.element.bytes;
	unsigned char want[BYTES];

	for (size_t at = 0, n; at < stream->got; at += n) {
		int64_t of_its;
		const int64_t from =
			truth_origin(&stream->asked, judgement->rank, (int64_t)(at / m), &of_its);
		const size_t left = m - at % m;

		n = left < most ? left : most;
		operands_put(&stream->operands, from, (size_t)of_its * m + at % m, n, want);
		compare(stream, judgement, at, n, want, NULL);
	}
}

static void compare_prefix(struct stream *stream, struct judgement *judgement)
{
	const size_t bytes = stream->operands.element.bytes;
	const int64_t rank = judgement->rank, next = rank + (stream->asked.operation == LS_SCAN);

	if (next == 0) /* an exclusive sum of nothing */
		return;

	const unsigned char *want = sums_enter(&stream->sums, rank, next);

	if (memcmp(want, judgement->got, stream->got * bytes) != 0)
		for (size_t c = 0; c < stream->got; c++) {
			const double slack = sums_slack(&stream->sums, rank, c);

			compare(stream, judgement, c, 1, want + c * bytes, &slack);
		}
	sums_leave(&stream->sums, rank);
}

static struct judgement judge(struct stream *stream, int64_t rank, const void *result)
{
	struct judgement judgement = { .rank = rank, .got = result };
	const size_t m = stream->asked.count;

	if (stream->prefix)
		compare_prefix(stream, &judgement);
	else if (stream->shared)
		compare(stream, &judgement, 0, stream->got, stream->row, stream->slack);
	else if (stream->asked.operation == LS_REDUCE_SCATTER)
		compare(stream, &judgement, 0, m,
			stream->row + (size_t)rank * m * stream->operands.element.bytes,
			stream->slack + (size_t)rank * m);
	else
		compare_blocks(stream, &judgement);
	return judgement;
}

/* With the mutex. */
static void note(struct stream *stream, const struct judgement *judgement)
{
	const struct element *element = &stream->operands.element;
	struct comparison *found = &stream->found;

	if (judgement->wrong == 0)
		return;
	found->wrong += judgement->wrong;
	if (found->node >= 0 && found->node <= judgement->rank)
		return;
	found->node = judgement->rank;
	found->element = judgement->element;
	value_print(element, judgement->want, stream->want_text, sizeof stream->want_text);
	value_print(element,
		element_load(element, judgement->got + judgement->element * element->bytes),
		stream->got_text, sizeof stream->got_text);
}

/* Of results that are to be the same: one that differs from the first, or repeats a wrong one. */
static void take_shared(struct stream *stream, const struct judgement *judgement, size_t bytes)
{
	if (!atomic_load(&stream->seen)) {
		memcpy(stream->first, judgement->got, bytes);
		stream->wrong_of_first = judgement->wrong;
		atomic_store(&stream->seen, true);
	} else if (memcmp(stream->first, judgement->got, bytes) != 0) {
		stream->found.identical = false;
	}
}

int stream_take(void *context, int64_t rank, const void *result)
{
	struct stream *stream = context;
	const size_t bytes = stream->got * stream->operands.element.bytes;

	/* Pairs with the store of take_shared: the first result is there. */
	if (stream->shared && atomic_load_explicit(&stream->seen, memory_order_acquire)
		&& stream->wrong_of_first == 0 && memcmp(stream->first, result, bytes) == 0)
		return 0;

	const struct judgement judgement = judge(stream, rank, result);

	if (!stream->shared && judgement.wrong == 0)
		return 0;
	pthread_mutex_lock(&stream->mutex);
	if (stream->shared)
		take_shared(stream, &judgement, bytes);
	note(stream, &judgement);
	pthread_mutex_unlock(&stream->mutex);
	return 0;
}

void stream_complain(const struct stream *stream, const char *node)
{
	complain_element(
		stream->found.element, node, stream->got_text, stream->found.wrong - 1, stream->want_text);
}
