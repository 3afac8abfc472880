#include "data/sums.h"

#include "base/messages.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	SPACING = 64,
	RANGES_MOST = 1 << 16, /* where there are cursors */
	SHARES = 16, /* ranges without cursors, if a vector is one chunk: threads share them */
	CHUNK = 256  /* columns that are folded together */
};

struct sums sums_shape(const struct operands *operands, ls_op op, bool each)
{
	const int64_t nodes = operands->nodes, shares = operands->columns > CHUNK ? 1 : SHARES;
	const int64_t wide = nodes / RANGES_MOST + 1;
	const int64_t spacing = !each ? (nodes + shares - 1) / shares : wide > SPACING ? wide : SPACING;

	return (struct sums){ .operands = operands,
		.op = op,
		.spacing = spacing,
		.ranges = (nodes + spacing - 1) / spacing };
}

/* Bytes that an element takes for the error bound. */
static size_t magnitude_bytes(const struct sums *sums)
{
	return depends_on_order(&sums->operands->element, sums->op) ? sizeof(struct magnitude) : 0;
}

size_t sums_bytes(const struct sums *sums, bool each)
{
	const size_t ranges = (size_t)sums->ranges, rows = each ? 2 * ranges + 1 : ranges + 1;
	size_t elements, bytes;

	if (__builtin_mul_overflow(rows, sums->operands->columns, &elements)
		|| __builtin_mul_overflow(
			elements, sums->operands->element.bytes + magnitude_bytes(sums), &bytes)
		|| __builtin_add_overflow(bytes, each ? ranges * sizeof(struct cursor) : 0, &bytes))
		return SIZE_MAX;
	return bytes;
}

/* ---- Folding */

static struct partials partials_make(const struct sums *sums, int64_t rows)
{
	const size_t elements = (size_t)rows * sums->operands->columns + 1;

	return (struct partials){ require_memory(calloc(elements, sums->operands->element.bytes)),
		magnitude_bytes(sums) ? require_memory(calloc(elements, magnitude_bytes(sums))) : NULL };
}

static unsigned char *row_at(const struct sums *sums, const struct partials *p, int64_t row)
{
	return p->value + (size_t)row * sums->operands->columns * sums->operands->element.bytes;
}

/* The partial result of `count` operands. */
static struct partial partial_at(
	const struct sums *sums, const struct partials *p, int64_t row, size_t column, int64_t count)
{
	const struct element *element = &sums->operands->element;
	struct partial what = { .count = count };

	what.value = element_load(element, row_at(sums, p, row) + column * element->bytes);
	if (p->size)
		what.size = p->size[(size_t)row * sums->operands->columns + column];
	return what;
}

static void partial_put(
	const struct sums *sums, struct partials *p, int64_t row, size_t column, struct partial what)
{
	const struct element *element = &sums->operands->element;

	if (what.count > 0)
		element_store(element, row_at(sums, p, row) + column * element->bytes, what.value);
	if (p->size)
		p->size[(size_t)row * sums->operands->columns + column] = what.size;
}

static struct partial with_operand(
	const struct sums *sums, struct partial so_far, int64_t rank, size_t column)
{
	const struct operands *operands = sums->operands;

	return partial_combine(&operands->element, sums->op, so_far,
		partial_of(&operands->element, sums->op, operand_at(operands, rank, column)));
}

/* The rank at which a range begins. */
static int64_t begin_of(const struct sums *sums, int64_t range)
{
	const int64_t rank = range * sums->spacing;

	return rank < sums->operands->nodes ? rank : sums->operands->nodes;
}

/* Sums of 64-bit integers wrap: every order gives the same result, without struct value. */
static void fold_int64(struct sums *sums, int64_t range, size_t first, size_t n)
{
	uint64_t operand[CHUNK], sum[CHUNK] = { 0 };

	for (int64_t rank = begin_of(sums, range); rank < begin_of(sums, range + 1); rank++) {
		operands_put(sums->operands, rank, first, n, operand);
		for (size_t i = 0; i < n; i++)
			sum[i] += operand[i];
	}
	memcpy(row_at(sums, &sums->before, range + 1) + first * sizeof *sum, sum, n * sizeof *sum);
}

/* Folds some columns of a range into row range + 1 of `before`. */
static void fold(struct sums *sums, int64_t range, size_t first)
{
	const size_t rest = sums->operands->columns - first, n = rest < CHUNK ? rest : CHUNK;
	struct partial partial[CHUNK];

	if (sums->op == LS_SUM && element_is_int64(&sums->operands->element)) {
		fold_int64(sums, range, first, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		partial[i].count = 0;
	for (int64_t rank = begin_of(sums, range); rank < begin_of(sums, range + 1); rank++)
		for (size_t i = 0; i < n; i++)
			partial[i] = with_operand(sums, partial[i], rank, first + i);
	for (size_t i = 0; i < n; i++)
		partial_put(sums, &sums->before, range + 1, first + i, partial[i]);
}

struct folders {
	struct sums *sums;
	_Atomic int64_t next;
};

static void *fold_some(void *argument)
{
	struct folders *folders = argument;
	struct sums *sums = folders->sums;
	const int64_t chunks = (int64_t)((sums->operands->columns + CHUNK - 1) / CHUNK);
	int64_t i;

	while ((i = atomic_fetch_add(&folders->next, 1)) < sums->ranges * chunks)
		fold(sums, i / chunks, (size_t)(i % chunks) * CHUNK);
	return NULL;
}

static void fold_all(struct sums *sums, int threads)
{
	struct folders folders = { .sums = sums };
	pthread_t *thread = require_memory(calloc((size_t)threads, sizeof *thread));
	int started = 1;

	while (started < threads && pthread_create(&thread[started], NULL, fold_some, &folders) == 0)
		started++;
	fold_some(&folders);
	while (--started > 0)
		pthread_join(thread[started], NULL);
	free(thread);
}

/* Turns the sum of each range into the sum of all ranks before the next. */
static void accumulate(struct sums *sums)
{
	const struct element *element = &sums->operands->element;

	for (int64_t range = 1; range < sums->ranges; range++)
		for (size_t column = 0; column < sums->operands->columns; column++) {
			const int64_t begin = begin_of(sums, range), end = begin_of(sums, range + 1);
			const struct partial a = partial_at(sums, &sums->before, range, column, begin),
								 b = partial_at(
									 sums, &sums->before, range + 1, column, end - begin);

			partial_put(
				sums, &sums->before, range + 1, column, partial_combine(element, sums->op, a, b));
		}
}

/* ---- Use */

static void open_cursors(struct sums *sums)
{
	sums->here = partials_make(sums, sums->ranges);
	sums->cursor = require_memory(calloc((size_t)sums->ranges, sizeof *sums->cursor));
	for (int64_t i = 0; i < sums->ranges; i++) {
		pthread_mutex_init(&sums->cursor[i].mutex, NULL);
		sums->cursor[i].next = INT64_MAX;
	}
}

void sums_make(struct sums *sums, bool each, int threads)
{
	sums->before = partials_make(sums, sums->ranges + 1);
	fold_all(sums, threads);
	accumulate(sums);
	if (each)
		open_cursors(sums);
}

void sums_destroy(struct sums *sums)
{
	free(sums->before.value);
	free(sums->before.size);
	free(sums->here.value);
	free(sums->here.size);
	free(sums->cursor);
}

const unsigned char *sums_total(const struct sums *sums)
{
	return row_at(sums, &sums->before, sums->ranges);
}

double sums_total_slack(const struct sums *sums, size_t column)
{
	return partial_slack(&sums->operands->element, sums->op,
		partial_at(sums, &sums->before, sums->ranges, column, sums->operands->nodes));
}

/* Advances a cursor to rank `next`, which is in its range or the first after it. */
static void seek(struct sums *sums, int64_t range, int64_t next)
{
	const size_t columns = sums->operands->columns;
	struct cursor *cursor = &sums->cursor[range];

	if (cursor->next > next) {
		cursor->next = begin_of(sums, range);
		memcpy(row_at(sums, &sums->here, range), row_at(sums, &sums->before, range),
			columns * sums->operands->element.bytes);
		if (sums->here.size)
			memcpy(sums->here.size + (size_t)range * columns,
				sums->before.size + (size_t)range * columns, columns * magnitude_bytes(sums));
	}
	for (; cursor->next < next; cursor->next++)
		for (size_t c = 0; c < columns; c++)
			partial_put(sums, &sums->here, range, c,
				with_operand(
					sums, partial_at(sums, &sums->here, range, c, cursor->next), cursor->next, c));
}

const unsigned char *sums_enter(struct sums *sums, int64_t rank, int64_t next)
{
	const int64_t range = rank / sums->spacing;

	pthread_mutex_lock(&sums->cursor[range].mutex);
	seek(sums, range, next);
	return row_at(sums, &sums->here, range);
}

double sums_slack(const struct sums *sums, int64_t rank, size_t column)
{
	const int64_t range = rank / sums->spacing;

	return partial_slack(&sums->operands->element, sums->op,
		partial_at(sums, &sums->here, range, column, sums->cursor[range].next));
}

void sums_leave(struct sums *sums, int64_t rank)
{
	pthread_mutex_unlock(&sums->cursor[rank / sums->spacing].mutex);
}
