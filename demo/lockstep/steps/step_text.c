#include "steps/step_text.h"

#include "data/operand_shape.h"
#include "report/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void buffer_text(int buffer, char *text, size_t size)
{
	if (buffer == LS_INPUT || buffer == LS_OUTPUT)
		snprintf(text, size, "%s", buffer == LS_INPUT ? "INPUT" : "OUTPUT");
	else if (buffer < LS_SCRATCH)
		snprintf(text, size, buffer == LS_ARRIVAL ? "ARRIVAL" : "ARRIVAL%d", buffer - LS_ARRIVAL);
	else
		snprintf(text, size, "%c", 'S' + buffer - LS_SCRATCH);
}

/* Block numbers, neighbours joined: "0..3,8..11". */
static void blocks_text(const struct ls_slice *slice, char *text, size_t size)
{
	const char *more = ",..";
	const int64_t blocks = ls_slice_blocks(slice);
	size_t at = 0;

	text[0] = '\0';

	for (int64_t k = 0, last; k < blocks; k = last + 1) {
		const int64_t first = ls_slice_at(slice, k);

		for (last = k; last + 1 < blocks && ls_slice_at(slice, last + 1) == first + last + 1 - k;
			 last++)
			;
		char range[60];
		size_t length = (size_t)snprintf(range, sizeof range, "%s%" PRId64, k ? "," : "", first);

		if (last > k)
			length += (size_t)snprintf(
				range + length, sizeof range - length, "..%" PRId64, ls_slice_at(slice, last));
		if (at + length + (last + 1 < blocks ? strlen(more) : 0) >= size) {
			snprintf(text + at, size - at, "%s", more + (at == 0));
			return;
		}
		at += (size_t)snprintf(text + at, size - at, "%s", range);
	}
}

static bool is_all_of_arrival(const struct ls_slice *slice)
{
	return slice->buffer >= LS_ARRIVAL && slice->buffer < LS_SCRATCH && ls_slice_blocks(slice) == 1
		&& ls_slice_at(slice, 0) == 0;
}

/* Whether a buffer is one block, whatever the plan cuts others into. */
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
	char buffer[24], blocks[TEXT_WIDTH] = "";

	buffer_text(slice->buffer, buffer, sizeof buffer);
	if (single || is_all_of_arrival(slice) || is_one_block(plan, slice->buffer)) {
		snprintf(text, size, "%s", buffer);
		return;
	}

	const size_t room = size > strlen(buffer) + 6 ? size - strlen(buffer) - 2 : 4;

	blocks_text(slice, blocks, room < sizeof blocks ? room : sizeof blocks);
	snprintf(text, size, "%s[%s]", buffer, blocks);
}

void move_text(const ls_plan *plan, const struct ls_move *move, char *text, size_t size)
{
	char dst[TEXT_WIDTH - 17], a[TEXT_WIDTH - 17], b[TEXT_WIDTH - 17];

	slice_text(plan, &move->dst, dst, sizeof dst);
	slice_text(plan, &move->a, a, sizeof a);
	if (move->what == LS_COPY) {
		snprintf(text, size, "%s := %s", dst, a);
	} else if (move->what == LS_FOLD) {
		snprintf(text, size, "%s := FOLD %s", dst, a);
	} else {
		slice_text(plan, &move->b, b, sizeof b);
		snprintf(text, size, "%s := %s (+) %s", dst, a, b);
	}
}
