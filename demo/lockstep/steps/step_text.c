#include "steps/step_text.h"

#include "data/operand_shape.h"
#include "job/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void buffer_text(int buffer, char *text, size_t size)
{
	if (buffer == LS_INPUT || buffer == LS_OUTPUT)
		snprintf(text, size, "%s", buffer == LS_INPUT ? "INPUT" : "OUTPUT");
	else if (buffer < LS_SCRATCH)
		snprintf(text, size, buffer == LS_ARRIVAL ? "ARRIVAL" : "ARRIVAL%d", buffer - LS_ARRIVAL);
	else
		snprintf(text, size, "%c", 'S' + buffer - LS_SCRATCH);
}

/* Append a number; its length.  Not by snprintf: plans have millions of numbers. */
static size_t put_number(char *text, int64_t number)
{
	char digits[24];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	for (size_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

/* ",A" or ",A..B", without the comma if it is the first range; its length. */
static size_t put_range(char text[60], bool is_first, int64_t from, int64_t to)
{
	size_t length = 0;

	if (!is_first)
		text[length++] = ',';
	length += put_number(text + length, from);
	if (to > from) {
		text[length++] = '.';
		text[length++] = '.';
		length += put_number(text + length, to);
	}
	return length;
}

/* Block numbers, neighbors joined: "0..3,8..11". */
static void blocks_text(const struct ls_slice *slice, char *text, size_t size)
{
	const char *more = ",..";
	const int64_t blocks = ls_slice_blocks(slice);
	size_t at = 0;

	for (int64_t k = 0; k < blocks;) {
		const int64_t first = ls_slice_at(slice, k), begin = k++;

		while (k < blocks && ls_slice_at(slice, k) == first + k - begin)
			k++;

		char range[60];
		const size_t length = put_range(range, begin == 0, first, first + k - 1 - begin);

		if (at + length + (k < blocks ? strlen(more) : 0) >= size) {
			snprintf(text + at, size - at, "%s", more + (at == 0));
			return;
		}
		memcpy(text + at, range, length);
		at += length;
	}
	text[at] = '\0';
}

static bool is_first_of_arrival(const struct ls_slice *slice)
{
	return slice->buffer >= LS_ARRIVAL && slice->buffer < LS_SCRATCH && ls_slice_blocks(slice) == 1
		&& ls_slice_at(slice, 0) == 0;
}

/* Whether a buffer is one block although others have several. */
static bool is_one_block(const ls_plan *plan, int buffer)
{
	const enum ls_operation operation = ls_plan_operation(plan);
	const bool given = blocks_given(operation, 2) > 1, got = blocks_got(operation, 2) > 1;

	return (buffer == LS_INPUT && got && !given) || (buffer == LS_OUTPUT && given && !got);
}

void slice_text(const ls_plan *plan, const struct ls_slice *slice, char *text, size_t size)
{
	const bool single =
		ls_plan_blocks(plan) == 1 && slice->buffer < LS_SCRATCH && ls_slice_blocks(slice) == 1;
	char buffer[24];

	buffer_text(slice->buffer, buffer, sizeof buffer);
	if (single || is_first_of_arrival(slice) || is_one_block(plan, slice->buffer)) {
		snprintf(text, size, "%s", buffer);
		return;
	}

	const size_t length = (size_t)snprintf(text, size, "%s[", buffer);

	if (length + sizeof ",..]" > size)
		return;
	blocks_text(slice, text + length, size - length - 1);
	strcat(text, "]");
}

/* Append a slice, cut to `most` bytes with its final zero; its length. */
static size_t append_slice(
	const ls_plan *plan, const struct ls_slice *slice, size_t most, char *text, size_t size)
{
	slice_text(plan, slice, text, most < size ? most : size);
	return strlen(text);
}

void move_text(
	const ls_plan *plan, const struct ls_move *move, size_t most, char *text, size_t size)
{
	size_t at = append_slice(plan, &move->dst, most, text, size);

	at += (size_t)snprintf(text + at, size - at, move->action == LS_FOLD ? " := fold " : " := ");
	at += append_slice(plan, &move->a, most, text + at, size - at);
	if (move->action == LS_COMBINE) {
		at += (size_t)snprintf(text + at, size - at, " (+) ");
		append_slice(plan, &move->b, most, text + at, size - at);
	}
}

size_t part_text(const struct job *job, int64_t step, char *text, size_t size)
{
	struct ls_plan_part part = { .size = sizeof part };

	for (size_t i = 0; ls_plan_part_list(job->plan, i, &part); i++) {
		int at;

		if (step < part.first || step >= part.first + part.steps)
			continue;
		at = snprintf(text, size, "%s by %s", ls_operation_name(part.operation), part.algorithm);
		if (ls_topology_nodes(part.topology) < ls_plan_nodes(job->plan))
			at += snprintf(
				text + at, size - (size_t)at, " on %.60s", ls_topology_spec(part.topology));
		if (part.groups > 1)
			snprintf(text + at, size - (size_t)at, ", %" PRId64 " times at once", part.groups);
		return i + 1;
	}
	return 0;
}
